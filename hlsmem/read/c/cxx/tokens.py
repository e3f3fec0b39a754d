"""The C++ of HLS sources as tokens of C; every token keeps the place where the user wrote it.

What C's grammar lacks is spelled in C: `ap_int<12>` is the type ap_int_12, a reference is a pointer
that is `_Atomic` (no C++ has that word, `cxx_in_c` takes it away), a stream a variable of a type
that is. What is not read is refused here, all of it at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from pycparser.c_parser import ParseError

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import headers
from hlsmem.read.c.constants import Constant, constant_value
from hlsmem.read.c.cxx import vendors
from hlsmem.read.c.cxx.arbitrary import arbitrary_name, stored_type
from hlsmem.read.c.cxx.walk import Here, in_pragma, walked
from hlsmem.read.c.preprocess import Preprocessed, Token
from hlsmem.read.c.symbols import Scope, number_type
from hlsmem.read.c.trees import expression
from hlsmem.read.c.types import INT
from hlsmem.read.design_names import C_KEYWORDS

MARK = "_Atomic"
"""The qualifier of pointers and arrays that are references, and of elements of streams."""

_WIDEST = 64
_CLASSES = "write a struct with members alone, and functions beside it"
_REFUSED = {
    "template": ("templates are not read", "write the function once for each type, or a macro"),
    "class": ("classes are not read", _CLASSES),
    "operator": ("operators of one's own are not read", _CLASSES),
    "virtual": ("classes are not read", _CLASSES),
    "friend": ("classes are not read", _CLASSES),
    "public": ("classes are not read", _CLASSES),
    "private": ("classes are not read", _CLASSES),
    "protected": ("classes are not read", _CLASSES),
    "namespace": ("namespaces are not read", "take its functions out of it"),
    "new": ("memory from new is not read", "declare an array"),
    "delete": ("memory from new is not read", "declare an array"),
    "try": ("exceptions are not read", "leave them out"),
    "throw": ("exceptions are not read", "leave them out"),
    "auto": ("types that the compiler finds are not read", "write the type"),
    "decltype": ("types that the compiler finds are not read", "write the type"),
    "typename": ("templates are not read", "write the function once for each type, or a macro"),
    "nullptr": ("pointers to nothing are not read", "pass an array"),
    "reinterpret_cast": ("this cast is not read", "use static_cast"),
    "dynamic_cast": ("this cast is not read", "use static_cast"),
    "const_cast": ("this cast is not read", "declare the parameter without const"),
}
_HEADERS = {
    "cstdint": "stdint.h",
    "cstdlib": "stdlib.h",
    "cstddef": "stddef.h",
    "cstring": "string.h",
    "cmath": "math.h",
    "cassert": "assert.h",
    "climits": "limits.h",
    "cfloat": "float.h",
    "cstdio": "stdio.h",
    "hls_math.h": "math.h",
}
_OURS = ("ap_int.h", "hls_stream.h")
_BUILT_IN = frozenset(
    ["int", "unsigned", "signed", "short", "long", "char", "float", "double", "bool", "_Bool"]
)


def translated(given: Preprocessed, problems: Problems) -> Preprocessed:
    """Preprocessed C++ as C, as far as tokens go; what is not read goes to `problems`."""
    state = _State(given=given, problems=problems)
    tokens: Sequence[Token] = given.tokens
    steps = (
        _without_main,
        _without_prefixes,
        _with_arbitrary,
        _with_streams,
        _checked,
        _with_typedefs,
        _with_casts,
        _with_references,
        _with_initial_values,
    )
    for step in steps:
        tokens = walked(tokens, partial(step, state))
    return _rendered([*state.front, *tokens], given)


@dataclass(frozen=True, slots=True)
class _Known:
    """The value of a constant, and how many braces are open where it is declared."""

    name: str
    value: int
    braces: int


@dataclass(slots=True, kw_only=True)
class _State:
    """State of the steps: names of types and of structs, constants, tokens that go in front.

    `dropped` are braces, by `id`, whose opening is gone; `told` is what was refused, and where.
    """

    given: Preprocessed
    problems: Problems
    types: set[str] = field(default_factory=set)
    structs: set[str] = field(default_factory=set)
    front: list[Token] = field(default_factory=list)
    constants: list[_Known] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)
    told: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        known = headers.types_of([*in_c_headers(self.given.headers), "stdint.h", "stdbool.h"])
        self.types.update(_BUILT_IN, known)

    def name_type(self, name: str, first: str) -> None:
        """Keep a name of the type whose first word is given."""
        self.types.add(name)
        if first == "struct" or first in self.structs:
            self.structs.add(name)

    def note(self, name: str, value: int, here: Here) -> None:
        self.constants.append(_Known(name, value, here.braces))

    def refuse_once(self, what: str, remedy: str, token: Token) -> None:
        """Refuse what may stand several times in a line there once."""
        if (what, token.source_line) not in self.told:
            self.told.add((what, token.source_line))
            self.refuse(what, remedy, token)

    def refuse(self, what: str, remedy: str, token: Token) -> None:
        files = {file.name: file.text for file in self.given.files}
        text = files[token.file].split("\n")[token.source_line - 1]
        place = SourceLocation(
            file=token.file,
            line=token.source_line,
            column=token.source_column,
            length=token.length,
            text=text,
        )
        self.problems.add(what, remedy, place)


def in_c_headers(names: Sequence[str]) -> tuple[str, ...]:
    """The headers that the C has in place of those of C++."""
    found = (_HEADERS.get(name, name) for name in names if name not in _OURS)
    return tuple(dict.fromkeys(["stdbool.h", *filter(headers.is_known, found)]))


def _rendered(tokens: Sequence[Token], given: Preprocessed) -> Preprocessed:
    """The text of tokens; each is given its position there."""
    pieces: list[str] = []
    placed: list[Token] = []
    line, column, last = 1, 1, tokens[0] if tokens else None
    pragmas = in_pragma(tokens)
    for position, token in enumerate(tokens):
        assert last is not None
        adjacent = token.source_column == last.source_column + last.length
        if token.line != last.line:
            pieces.append("\n")
            line, column = line + 1, 1
        elif column > 1 and not (adjacent and (position in pragmas or _is_cut(last, token))):
            pieces.append(" ")
            column += 1
        placed.append(replace(token, line=line, column=column))
        pieces.append(token.text)
        column += len(token.text)
        last = token
    return replace(
        given,
        text="".join(pieces) + "\n",
        tokens=tuple(placed),
        headers=in_c_headers(given.headers),
    )


def _is_cut(before: Token, token: Token) -> bool:
    """True if two tokens may be one operator: `^=` comes in two pieces."""
    return not any(one.text[0].isalnum() or one.text[0] == "_" for one in (before, token))


# The steps. Each says how many tokens from here on are replaced, and by what.

_Found = tuple[int, Sequence[Token]] | None


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in C_KEYWORDS


def _without_main(_: _State, here: Here) -> _Found:
    """A test bench in the kernel's file may hold any C++."""
    if here.words(3) == ["int", "main", "("]:
        body = here.closing(2) + 1
        if here.words(1, body) == ["{"]:
            return here.closing(body) + 1, []
    return None


def _without_prefixes(state: _State, here: Here) -> _Found:
    """Without `extern "C"`, `using namespace`, `std::` of types; constexpr is const."""
    match here.words(4):
        case ["extern", '"C"', "{", *_]:
            state.dropped.add(id(here.part(here.closing(2), here.closing(2) + 1)[0]))
            return 3, []
        case ["extern", '"C"', *_]:
            return 2, []
        case ["using", "namespace", _, ";"]:
            return 4, []
        case ["std", ":", ":", name] if name in state.types or name in ("size_t",):
            return 3, []
        case ["constexpr", *_]:
            return 1, here.spelled("const")
    return (1, []) if id(here.token) in state.dropped else None


def _with_arbitrary(state: _State, here: Here) -> _Found:
    """`ap_int<12>` as ap_int_12, which is declared in front as what stores it."""
    _note_constants(state, here)
    token = here.token
    if re.fullmatch(r"ap_u?int_\d+", token.text):
        state.refuse(f"'{token.text}' is a name that is kept for types", "rename it", token)
    is_type = token.text in ("ap_int", "ap_uint") and here.words(1, 1) == ["<"]
    end = here.angle(1) if is_type else -1
    if end < 0:
        return None
    bits = _value(here.part(2, end), state)
    if bits is None:
        what = "the width of this type is no constant that is known here"
        state.refuse(what, "write a number, a macro, or a const int of this file", token)
    elif not 1 <= bits <= _WIDEST:
        what = f"{token.text}<{bits}> is not read: widths are 1 to {_WIDEST} bits"
        state.refuse(what, "use several numbers, each of at most 64 bits", token)
    bits = min(max(bits or 32, 1), _WIDEST)
    name = arbitrary_name(bits, signed=token.text == "ap_int")
    if name not in state.types:
        state.types.add(name)
        state.front += _words(f"typedef {stored_type(name)} {name} ;", token)
    return end + 1, here.spelled(name)


def _words(text: str, token: Token) -> list[Token]:
    """Tokens that stand in front of all, where `token` is the reason of them."""
    return [replace(token, text=word, line=0) for word in text.split()]


def _note_constants(state: _State, here: Here) -> None:
    """Keep the values of constants and enumerators that are declared here, to the block's end."""
    while state.constants and state.constants[-1].braces > here.braces:
        state.constants.pop()
    if here.token.text == "enum":
        start = here.until("{", ";", "(") or 0
        if here.words(1, start) == ["{"]:
            last = -1
            for name, rest in _declarators(here, start + 1, here.closing(start)):
                value = _value(rest, state) if rest else last + 1
                if value is None:
                    return
                state.note(name.text, value, here)
                last = value
    elif here.token.text in ("const", "constexpr") and not here.parentheses:
        length = 1
        while here.words(1, length) and _is_specifier(here.words(1, length)[0], state):
            length += 1
        for name, rest in _declarators(here, length, here.until(";") or 0):
            value = _value(rest, state)
            if value is not None:
                state.note(name.text, value, here)


def _is_specifier(text: str, state: _State) -> bool:
    return text in ("const", "constexpr", "static", "inline") or text in state.types


def _declarators(here: Here, start: int, end: int) -> Iterator[tuple[Token, list[Token]]]:
    """The name and the value of each of `N = 8, M(4), L{2}`, as tokens; those without one too."""
    while start < end:
        stop, depth = start, 0
        for text in here.words(end - start, start):
            depth += _DEPTHS.get(text, 0)
            if text == "," and not depth:
                break
            stop += 1
        first, *rest = here.part(start, stop) or [here.token]
        yield first, rest[1:] if rest and rest[0].text == "=" else rest
        start = stop + 1


_DEPTHS = {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}


def _value(tokens: Sequence[Token], state: _State) -> int | None:
    """The value of a constant expression of literals and known constants."""
    known = {one.name: one.value for one in state.constants}
    words = [_IN_C.get(token.text, token.text) for token in tokens]
    try:
        tree = expression(" ".join(words))
    except ParseError:
        return None

    def named(name: str) -> Constant | None:
        return (known[name], INT) if name in known else None

    found = constant_value(tree, named, lambda kind: number_type(kind, Scope()))
    return None if found is None else found[0]


_IN_C = {"{": "(", "}": ")", "true": "1", "false": "0"}


def _with_streams(state: _State, here: Here) -> _Found:
    """`hls::stream<T>` as T that is `_Atomic`; of `hls::stream<T, D>` D is its alignment."""
    length = 0
    if here.words(5) == ["hls", ":", ":", "stream", "<"]:
        length = 4
    elif here.words(2) == ["stream", "<"]:
        length = 1
    end = here.angle(length) if length else -1
    if end < 0:
        return None
    inside = here.part(length + 1, end)
    comma = next((k for k, one in enumerate(inside) if one.text == ","), None)
    if comma is None:
        return end + 1, [*here.spelled(MARK), *inside]
    words = _value(inside[comma + 1 :], state)
    depth = inside[comma + 1 :] if words is None else here.spelled(str(words))
    marked = [*here.spelled(MARK, "_Alignas", "("), *depth, *here.spelled(")")]
    return end + 1, [*marked, *inside[:comma]]


def _checked(state: _State, here: Here) -> _Found:
    """Every token stays; what of C++ is not read is told."""
    token, before, behind = here.token, here.before, here.words(3, 1)
    if _is_name(token.text) and before not in (*state.types, "."):
        is_of_library = behind[:2] == [":", ":"]
        if is_of_library or vendors.is_type(here.words(2)):
            return _of_library(state, here)
    found = _REFUSED.get(token.text) if before not in (".", "enum") else None
    if [token.text, *behind[:1]] == ["enum", "class"]:
        found = ("scoped enumerations are not read", "write enum")
    elif token.text == "struct" and behind[1:2] == [":"]:
        found = (_REFUSED["class"][0], _CLASSES)
    elif token.text == "[" and behind[:1] in (["&"], ["="]):
        found = ("functions without a name are not read", "write a static function")
    elif token.text == "=" and here.parentheses and not here.braces:
        found = ("arguments by default are not read", "pass them at every call")
    elif [token.text, *behind[1:2]] == ["&", "="] and before in state.types and here.braces:
        found = ("references to elements are not read", "use the element, or a pointer")
    if found is not None:
        state.refuse_once(*found, token)
    return None


def _of_library(state: _State, here: Here) -> _Found:
    """Refuse a name of a library: one with its library in front, or known as such."""
    words, end = [here.token.text], 1
    while here.words(2, end) == [":", ":"]:
        words += here.words(1, end + 2)
        end += 3
    arguments: list[str] = []
    if here.words(1, end) == ["<"] and (closing := here.angle(end)) > 0:
        arguments = "".join(one.text for one in here.part(end + 1, closing)).split(",")
    state.refuse_once(*vendors.refusal(words, arguments), here.token)
    return end, here.part(0, end)


def _with_typedefs(state: _State, here: Here) -> _Found:
    """`using T = int;` as a typedef; names of structs are types."""
    match here.words(4):
        case ["using", name, "=", *_]:
            whole = here.part(0, here.end() + 1)
            state.name_type(name, "".join(here.words(1, 3)))
            return len(whole), [*here.spelled("typedef"), *whole[3:-1], whole[1], whole[-1]]
        case ["struct", name, "{", *_] if here.before != "typedef":
            return _struct(state, here, 0)
        case ["typedef", *_]:
            whole = here.part(0, here.end())
            names = [one.text for one in whole if _is_name(one.text)]
            if names:
                state.name_type(names[-1], "".join(here.words(1, 1)))
            if here.words(2, 1) == ["struct", *names[:1]] and here.words(1, 3) == ["{"]:
                return _struct(state, here, 1)
    return None


def _struct(state: _State, here: Here, at: int) -> _Found:
    """A struct with its members, whose name is a type: that is said in front of it."""
    name = here.words(1, at + 1)[0]
    for one in here.part(at + 2, here.closing(at + 2)):
        if one.text in _IN_MEMBERS:
            state.refuse(*_IN_MEMBERS[one.text], one)
            break
    if name in state.types:
        return None
    state.name_type(name, "struct")
    return 1, [*here.spelled("typedef", "struct", name, name, ";"), here.token]


_IN_MEMBERS = {
    "(": ("functions of structs are not read", _CLASSES),
    "=": ("first values of members are not read", "assign them behind each declaration"),
}


_STARTS = (";", "{", "}", ")", "")


def _with_casts(state: _State, here: Here) -> _Found:
    """`static_cast<T>(e)`, and `T(e)` in an expression, as casts of C."""
    text, before = here.token.text, here.before
    if text == "static_cast" and here.words(1, 1) == ["<"]:
        end = here.angle(1)
        if end > 0:
            return end + 1, [*here.spelled("("), *here.part(2, end), *here.spelled(")")]
    is_call = here.words(1, 1) == ["("] and before not in _STARTS
    if here.braces and is_call and text in state.types and not _is_name_or_type(before, state):
        return 1, here.spelled("(", text, ")")
    return None


def _is_name_or_type(text: str, state: _State) -> bool:
    return text in state.types or (_is_name(text) and text != "return") or text in ("const", ".")


def _with_references(state: _State, here: Here) -> _Found:
    """References among the parameters as pointers; those to arrays as arrays."""
    if here.braces:
        return None
    match here.words(5):
        case ["(", "&", _, ")", "["]:
            _, mark, name, _, bracket = here.part(0, 5)
            return 5, [name, bracket, replace(mark, text=MARK)]
        case ["&", name, *_] if here.parentheses and _is_name(name):
            return 1, here.spelled("*", MARK)
        case ["&", name, "(", *_] if _is_name(name):
            state.refuse("results by reference are not read", "return the value", here.token)
    return None


def _with_initial_values(state: _State, here: Here) -> _Found:
    """`T x(e);` and `T x{e};` as `T x = e;`; the names of streams are left out."""
    opens = here.words(1, 1) in (["("], ["{"])
    if not (opens and _is_name(here.token.text)) or (not here.braces and here.parentheses):
        return None
    start = here.statement()
    ahead = [token.text for token in here.tokens[start : here.position]]
    if not here.braces and not ("const" in ahead and here.words(1, 2)[0][:1].isdigit()):
        return None  # a function
    if here.before == "," and start and here.tokens[start - 1].text in ("(", "["):
        return None  # an argument, or a subscript
    is_declared = here.before in state.types or (
        here.before == "," and ahead[0] in {MARK, "const", "static", *state.types}
    )
    if not is_declared:
        return None
    end = here.closing(1)
    if MARK in ahead:
        return end + 1, [here.token]
    inner = here.part(2, end) or here.spelled("0")
    is_struct = here.before in state.structs and here.words(1, 1) == ["{"]
    opening, closing = "{}" if is_struct else "()"
    return end + 1, [here.token, *here.spelled("=", opening), *inner, *here.spelled(closing)]
