"""libclang, and the functions of it that its Python leaves out.

Source: libclang 18, clang-c/Index.h. Each is declared on a handle of its own: what other modules
declare of the same library is not touched.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, c_double, c_int, c_longlong, c_uint, c_void_p
from functools import lru_cache
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass

# The operators by their numbers, in the order of CXBinaryOperatorKind and CXUnaryOperatorKind.
_BINARY = (
    *("?", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "=="),
    *("!=", "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&="),
    *("^=", "|=", ","),
)
_UNARY = (
    *("?", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!"),
    *("__real__ ", "__imag__ ", "__extension__ "),
)
_INTEGER, _FLOATING = 1, 2
_NO_CURSOR = range(70, 74)


class _Ranges(Structure):
    _fields_ = (("count", c_uint), ("ranges", c_void_p))


@dataclass(frozen=True, slots=True)
class Clang:
    """The Python module of libclang, and what it leaves out."""

    module: Any
    functions: dict[str, Any]

    def binary_operator(self, cursor: Any) -> str:
        """Return the operator of an expression with two operands; "?" for one not known."""
        return _named(_BINARY, self.functions["getCursorBinaryOperatorKind"](cursor))

    def unary_operator(self, cursor: Any) -> str:
        """Return the operator of an expression with one operand, `p++` for one behind it."""
        return _named(_UNARY, self.functions["getCursorUnaryOperatorKind"](cursor))

    def value(self, cursor: Any) -> int | float | None:
        """Return the value of a constant expression; None where clang does not know one."""
        own = self.functions
        result = own["Cursor_Evaluate"](cursor)
        if not result:
            return None
        try:
            kind = own["EvalResult_getKind"](result)
            if kind == _FLOATING:
                return float(own["EvalResult_getAsDouble"](result))
            if kind != _INTEGER:
                return None
            found = int(own["EvalResult_getAsLongLong"](result))
            is_unsigned = own["EvalResult_isUnsignedInt"](result)
            return found + (1 << 64) if is_unsigned and found < 0 else found
        finally:
            own["EvalResult_dispose"](result)

    def initial(self, cursor: Any) -> Any | None:
        """Return the initial value of a variable; None where it has none."""
        found = self.functions["Cursor_getVarDeclInitializer"](cursor)
        if found._kind_id in _NO_CURSOR:
            return None
        found._tu = cursor._tu
        return found

    def is_inline(self, cursor: Any) -> bool:
        """Return True for a function that is declared inline."""
        return bool(self.functions["Cursor_isFunctionInlined"](cursor))

    def skipped(self, unit: Any, path: str) -> list[tuple[int, int]]:
        """Return where the preprocessor leaves text of a file out: offsets of begins and ends."""
        own = self.functions
        file = self.module.File.from_name(unit, path)
        pointer = own["getSkippedRanges"](unit, file)
        if not pointer:
            return []
        try:
            ranges = pointer.contents
            array = self.module.SourceRange * ranges.count
            found = array.from_address(ranges.ranges) if ranges.count else ()
            return [(one.start.offset, one.end.offset) for one in found]
        finally:
            own["disposeSourceRangeList"](pointer)


_CALLS_OF_A_VISITOR = 30


def children_of(cursor: Any) -> list[Any]:
    """Return what stands directly in a cursor.

    Raises RecursionError while there still is room for the calls that this takes: of an exception
    in a visitor ctypes makes nothing, and the children behind it would be missing.
    """
    _call(_CALLS_OF_A_VISITOR)
    return list(cursor.get_children())


def _call(depth: int) -> None:
    if depth:
        _call(depth - 1)


def _named(names: tuple[str, ...], kind: int) -> str:
    return names[kind] if 0 <= kind < len(names) else "?"


@lru_cache(maxsize=1)
def clang() -> Clang:
    """Return libclang, loaded once in a process."""
    from clang import cindex  # type: ignore[import-untyped]

    cursor, unit, ranges = cindex.Cursor, cindex.TranslationUnit, POINTER(_Ranges)
    declared: dict[str, tuple[list[Any], Any]] = {
        "getCursorBinaryOperatorKind": ([cursor], c_int),
        "getCursorUnaryOperatorKind": ([cursor], c_int),
        "Cursor_Evaluate": ([cursor], c_void_p),
        "EvalResult_getKind": ([c_void_p], c_int),
        "EvalResult_getAsDouble": ([c_void_p], c_double),
        "EvalResult_getAsLongLong": ([c_void_p], c_longlong),
        "EvalResult_isUnsignedInt": ([c_void_p], c_uint),
        "EvalResult_dispose": ([c_void_p], None),
        "Cursor_getVarDeclInitializer": ([cursor], cursor),
        "Cursor_isFunctionInlined": ([cursor], c_uint),
        "getSkippedRanges": ([unit, cindex.File], ranges),
        "disposeSourceRangeList": ([ranges], None),
    }
    functions = {}
    for name, (arguments, result) in declared.items():
        function = cindex.conf.lib[f"clang_{name}"]
        function.argtypes, function.restype = arguments, result
        functions[name] = function
    return Clang(cindex, functions)
