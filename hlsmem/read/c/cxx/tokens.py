"""The C++ of HLS sources as tokens of C; every token keeps the place where the user wrote it.

What C's grammar lacks is spelled in C: `ap_int<12>` is the type ap_int_12, a reference is a pointer
that is `_Atomic` (no C++ has that word, `trees` takes it away again), a stream a variable of a type
that is. What is not read is refused here, all of it at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import partial

from hlsmem.errors import Problems
from hlsmem.places import Place
from hlsmem.read.c import headers
from hlsmem.read.c.cxx.arbitrary import arbitrary_name, stored_type
from hlsmem.read.c.cxx.numbers import number
from hlsmem.read.c.cxx.walk import Here, in_pragma, walked
from hlsmem.read.c.preprocess import Preprocessed, Token
from hlsmem.read.names import C_KEYWORDS
from hlsmem.values import dataclass

MARK = "_Atomic"
"""The qualifier of pointers and arrays that are references, and of elements of streams."""

_WIDEST = 64
_CLASSES = "write a struct with members alone, and functions beside it"
_FIXED = "use ap_int with a shift of your own"
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
    "ap_fixed": ("fixed-point types are not read", _FIXED),
    "ap_ufixed": ("fixed-point types are not read", _FIXED),
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
}
_OURS = ("ap_int.h", "hls_stream.h")
_OF_TEST_BENCHES = ("iostream", "fstream", "vector", "string", "algorithm", "iomanip")
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
        _with_constants,
    )
    for step in steps:
        tokens = walked(tokens, partial(step, state))
    return _rendered([*state.front, *tokens], given)


@dataclass(slots=True, kw_only=True)
class _State:
    """What the steps find: type names, constants, and the tokens that go in front.

    `dropped` are braces, by `id`, whose opening is gone; `told` is what was refused, and where.
    """

    given: Preprocessed
    problems: Problems
    types: set[str] = field(default_factory=set)
    front: list[Token] = field(default_factory=list)
    constants: dict[str, int] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    told: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        known = headers.types_of([*in_c_headers(self.given.headers), "stdint.h", "stdbool.h"])
        self.types.update(_BUILT_IN, known)

    def refuse(self, what: str, remedy: str, token: Token) -> None:
        files = {file.name: file.text for file in self.given.files}
        text = files[token.file].split("\n")[token.source_line - 1]
        place = Place(
            file=token.file,
            line=token.source_line,
            column=token.source_column,
            length=token.length,
            text=text,
        )
        self.problems.add(what, remedy, place)


def in_c_headers(names: Sequence[str]) -> tuple[str, ...]:
    """The headers that the C has in place of those of C++."""
    ours = (*_OURS, *_OF_TEST_BENCHES)
    found = (_HEADERS.get(name, name) for name in names if name not in ours)
    return tuple(dict.fromkeys(["stdbool.h", *found]))


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
    """Whether two tokens may be one operator: `^=` comes in two pieces."""
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
    token = here.token
    if re.fullmatch(r"ap_u?int_\d+", token.text):
        state.refuse(f"'{token.text}' is a name that is kept for types", "rename it", token)
    is_type = token.text in ("ap_int", "ap_uint") and here.words(1, 1) == ["<"]
    end = here.angle(1) if is_type else -1
    if end < 0:
        _note_constant(state, here)
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


def _note_constant(state: _State, here: Here) -> None:
    match here.words(4):
        case ["const", "int" | "unsigned", _, "="]:
            for name, rest in _declarators(here, 2, here.until(";") or 0):
                value = _value(rest, state)
                if value is not None:
                    state.constants.setdefault(name[0].text, value)


def _declarators(here: Here, start: int, end: int) -> Iterator[tuple[list[Token], list[Token]]]:
    """The name and the value of each of `N = 8, M = 4`, as tokens."""
    while start < end:
        words = here.words(end - start, start)
        stop = start + words.index(",") if "," in words else end
        yield here.part(start, start + 1), here.part(start + 2, stop)
        start = stop + 1


def _value(tokens: Sequence[Token], state: _State) -> int | None:
    """The value of a constant expression: sums and products of literals and known constants."""
    return number([str(state.constants.get(token.text, token.text)) for token in tokens])


def _with_streams(_: _State, here: Here) -> _Found:
    """`hls::stream<T>` as T that is `_Atomic`."""
    length = 0
    if here.words(5) == ["hls", ":", ":", "stream", "<"]:
        length = 4
    elif here.words(2) == ["stream", "<"]:
        length = 1
    end = here.angle(length) if length else -1
    if end < 0:
        return None
    return end + 1, [*here.spelled(MARK), *here.part(length + 1, end)]


def _checked(state: _State, here: Here) -> _Found:
    """Every token stays; what of C++ is not read is told."""
    token, before, behind = here.token, here.before, here.words(3, 1)
    found = _REFUSED.get(token.text) if before not in (".", "enum") else None
    if [token.text, *behind[:1]] == ["enum", "class"]:
        found = ("scoped enumerations are not read", "write enum")
    elif token.text == "struct" and behind[1:2] == [":"]:
        found = (_REFUSED["class"][0], _CLASSES)
    elif [token.text, *behind[:2]] == ["hls", ":", ":"]:
        remedy = "use the function of <cmath> for float or double"
        found = (f"'hls::{''.join(behind[2:])}' is not read", remedy)
    elif behind[:2] == [":", ":"] and _is_name(token.text):
        what = f"'{token.text}::{''.join(behind[2:])}' is not read"
        found = (what, "write a function or a constant of the file")
    elif token.text == "[" and behind[:1] in (["&"], ["="]):
        found = ("functions without a name are not read", "write a static function")
    elif token.text == "=" and here.parentheses and not here.braces:
        found = ("arguments by default are not read", "pass them at every call")
    elif [token.text, *behind[1:2]] == ["&", "="] and before in state.types and here.braces:
        found = ("references to elements are not read", "use the element, or a pointer")
    if found is not None and (found[0], token.source_line) not in state.told:
        state.told.add((found[0], token.source_line))
        state.refuse(*found, token)
    return None


def _with_typedefs(state: _State, here: Here) -> _Found:
    """`using T = int;` as a typedef; names of structs are types."""
    match here.words(3):
        case ["using", name, "="]:
            end = here.until(";") or 0
            state.types.add(name)
            whole = here.part(0, end + 1)
            return end + 1, [*here.spelled("typedef"), *whole[3:-1], whole[1], whole[-1]]
        case ["struct", name, "{"] if name not in state.types:
            state.types.add(name)
            method = next((one for one in here.part(2, here.closing(2)) if one.text == "("), None)
            if method is not None:
                state.refuse("functions of structs are not read", _CLASSES, method)
            return 1, here.spelled("typedef", "struct", name, name, ";", "struct")
        case ["typedef", *_]:
            names = [one.text for one in here.part(0, here.until(";") or 0) if _is_name(one.text)]
            state.types.update(names[-1:])
    return None


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
    if not (here.braces and opens and _is_name(here.token.text)):
        return None
    start = here.statement()
    ahead = [token.text for token in here.tokens[start : here.position]]
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
    inner = here.part(2, end)
    return end + 1, [here.token, *here.spelled("=", "("), *inner, *here.spelled(")")]


def _with_constants(state: _State, here: Here) -> _Found:
    """`const int N = 8, M = 4;` of the file as enumerators: constants in C++, and not in C."""
    start = 1 if here.words(1) == ["static"] else 0
    inside = here.braces or here.parentheses
    if inside or here.words(2, start) != ["const", "int"]:
        return None
    end = here.until(";") or 0
    made = here.spelled("enum", "{")
    for name, rest in _declarators(here, start + 2, end):
        if name[0].text not in state.constants or _value(rest, state) is None:
            return None
        made += [*name, *here.spelled("="), *rest, *here.spelled(",")]
    made[-1:] = here.spelled("}", ";")
    return end + 1, made
