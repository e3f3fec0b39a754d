"""Functions that libclang's Python leaves out: operators, values of constants, skipped text.

Source: libclang 18, clang-c/Index.h.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_double, c_int, c_longlong, c_uint, c_void_p
from functools import lru_cache
from typing import Any

from hlsmem.core.errors import MissingToolError, Problem
from hlsmem.core.lazy_dataclass import dataclass

_BINARY = (
    "",
    ".*",
    "->*",
    *(
        [
            "*",
            "/",
            "%",
            "+",
            "-",
            "<<",
            ">>",
            "<=>",
            "<",
            ">",
            "<=",
            ">=",
            "==",
            "!=",
            "&",
            "^",
            "|",
            "&&",
            "||",
        ]
    ),
    *(["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="]),
    ",",
)
_UNARY = ("", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!")
_INTEGER, _FLOATING = 1, 2
_INVALID = range(70, 74)


_GO_ON = 1
_OLDEST = 18
INSTALL = "pip install libclang"


class _Ranges(Structure):
    _fields_ = (("count", c_uint), ("ranges", c_void_p))


@dataclass(frozen=True, slots=True)
class Library:
    """The Python module of libclang and the functions that it does not declare."""

    module: Any
    functions: Any

    def binary_operator(self, cursor: Any) -> str:
        """Return the operator of a binary expression or assignment; empty for one not known."""
        return _named(_BINARY, self.functions.clang_getCursorBinaryOperatorKind(cursor))

    def unary_operator(self, cursor: Any) -> str:
        """Return the operator of a unary expression, `p++` for one that stands behind."""
        return _named(_UNARY, self.functions.clang_getCursorUnaryOperatorKind(cursor))

    def value(self, cursor: Any) -> int | float | None:
        """Return the value of a constant expression; None where clang does not know one."""
        own = self.functions
        result = own.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            kind = own.clang_EvalResult_getKind(result)
            if kind == _FLOATING:
                return float(own.clang_EvalResult_getAsDouble(result))
            if kind != _INTEGER:
                return None
            found = int(own.clang_EvalResult_getAsLongLong(result))
            if own.clang_EvalResult_isUnsignedInt(result) and found < 0:
                found += 1 << 64
            return found
        finally:
            own.clang_EvalResult_dispose(result)

    def template_of(self, cursor: Any) -> Any | None:
        """Return the template, or member of one, that a specialisation was made from."""
        found = self.functions.clang_getSpecializedCursorTemplate(cursor)
        return found if found is not None and found.kind.is_declaration() else None

    def written_at(self, location: Any) -> int:
        """Return the byte of its file that a location was written at: of an argument of a macro
        where the argument stands, of the body of one where the macro is used."""
        offset = c_uint()
        self.functions.clang_getFileLocation(location, None, None, None, byref(offset))
        return offset.value

    @staticmethod
    def template_argument_kind(cursor: Any, position: int) -> str:
        """Return the kind of a template argument; empty for one that cindex has no name for."""
        try:
            return str(cursor.get_template_argument_kind(position).name)
        except ValueError:  # a pack
            return ""

    def skipped(self, unit: Any, file: Any) -> list[tuple[int, int]]:
        """Return the first and last lines of what the preprocessor leaves out of a file."""
        own = self.functions
        pointer = own.clang_getSkippedRanges(unit, file)
        if not pointer:
            return []
        try:
            ranges = pointer.contents
            array = self.module.SourceRange * ranges.count
            found = array.from_address(ranges.ranges) if ranges.count else ()
            return [(one.start.line, one.end.line) for one in found]
        finally:
            own.clang_disposeSourceRangeList(pointer)


def _named(names: tuple[str, ...], kind: int) -> str:
    return names[kind] if 0 <= kind < len(names) else ""


def walked(cursor: Any) -> list[Any]:
    """Return a cursor and all below it, in textual order.

    cindex hands each of them on as often as it is deep.
    """
    visitor, visited, unit = _visitor(), library().module.conf.lib.clang_visitChildren, cursor._tu
    found: list[Any] = []
    pending = [cursor]
    while pending:
        one = pending.pop()
        one._tu = unit
        found.append(one)
        below: list[Any] = []
        visited(one, visitor, below)
        pending += below[::-1]
    return found


@lru_cache(maxsize=1)
def _visitor() -> Any:
    def visit(child: Any, _parent: Any, found: list[Any]) -> int:
        found.append(child)
        return _GO_ON

    # The wheels of libclang name the type each in a way of its own; the function has it in both.
    return library().module.conf.lib.clang_visitChildren.argtypes[1](visit)


@lru_cache(maxsize=1)
def library() -> Library:
    """Return libclang, loaded once in a process.

    Raises MissingToolError where it is not installed, cannot be loaded, or is too old.
    """
    try:
        from clang import cindex  # type: ignore[import-untyped]

        own = cindex.conf.lib
        return _declared(cindex, own)
    except (ImportError, AttributeError, OSError) as error:
        raise _missing(error) from error
    except Exception as error:
        if type(error).__name__ != "LibclangError":  # of a class that comes with the module
            raise
        raise _missing(error) from error


def _missing(error: Exception) -> MissingToolError:
    why = str(error).splitlines()[0]
    what = f"C and C++ are read by libclang {_OLDEST} or newer, which is not here: {why}"
    return MissingToolError(Problem(what, INSTALL), install=(INSTALL,))


def _declared(cindex: Any, own: Any) -> Library:
    """libclang with the types of the functions that its Python leaves out."""
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        getattr(own, name).argtypes, getattr(own, name).restype = [cindex.Cursor], c_int
    own.clang_Cursor_Evaluate.argtypes, own.clang_Cursor_Evaluate.restype = (
        [cindex.Cursor],
        c_void_p,
    )
    for name, result in (
        ("getKind", c_int),
        ("getAsDouble", c_double),
        ("getAsLongLong", c_longlong),
        ("isUnsignedInt", c_uint),
        ("dispose", None),
    ):
        function = getattr(own, f"clang_EvalResult_{name}")
        function.argtypes, function.restype = [c_void_p], result

    def known(result: Any, _function: Any, arguments: Any) -> Any:
        """Releases differ in what they make of no cursor."""
        if result._kind_id in _INVALID:
            return None
        result._tu = arguments[0]._tu
        return result

    for name in ("clang_Cursor_getVarDeclInitializer", "clang_getSpecializedCursorTemplate"):
        function = getattr(own, name)
        function.argtypes, function.restype = [cindex.Cursor], cindex.Cursor
        function.errcheck = known
    own.clang_getFileLocation.argtypes = [
        cindex.SourceLocation,
        c_void_p,
        POINTER(c_uint),
        POINTER(c_uint),
        POINTER(c_uint),
    ]
    own.clang_getFileLocation.restype = None
    own.clang_getSkippedRanges.argtypes = [cindex.TranslationUnit, cindex.File]
    own.clang_getSkippedRanges.restype = POINTER(_Ranges)
    own.clang_disposeSourceRangeList.argtypes = [POINTER(_Ranges)]
    own.clang_disposeSourceRangeList.restype = None
    return Library(cindex, own)
