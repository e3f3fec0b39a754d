"""The C++ of HLS sources as tokens of C; every token keeps the place where the user wrote it.

What C's grammar lacks is spelled in C: `ap_int<12>` is the type ap_int_12, a reference is a pointer
that is `_Atomic` (no C++ has that word, `trees` takes it away again), a stream a variable of a type
that is. What is not read is refused here, all of it at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from hlsmem.errors import Problems
from hlsmem.places import Place
from hlsmem.read.c import headers
from hlsmem.read.c.cxx.arbitrary import arbitrary_name, stored_type
from hlsmem.read.c.preprocess import Preprocessed, Token
from hlsmem.read.names import C_KEYWORDS

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
    tokens = [*given.tokens]
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
    tokens = reduce(lambda found, step: step(found, state), steps, tokens)
    return _rendered([*state.front, *tokens], given)


@dataclass(slots=True, kw_only=True)
class _State:
    """What the steps find: type names, constants, and the tokens that go in front."""

    given: Preprocessed
    problems: Problems
    types: set[str] = field(default_factory=set)
    front: list[Token] = field(default_factory=list)
    constants: dict[str, int] = field(default_factory=dict)

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
    pragmas = _in_pragma(tokens)
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


# Walking over tokens.


def _texts(tokens: Sequence[Token], start: int, count: int) -> list[str]:
    return [token.text for token in tokens[start : start + count]]


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """The position of the bracket that closes the one at `opening`, else the last one."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    start = tokens[opening].text
    depth = 0
    for position in range(opening, len(tokens)):
        depth += (tokens[position].text == start) - (tokens[position].text == pairs[start])
        if depth == 0:
            return position
    return len(tokens) - 1


def _angle(tokens: list[Token], opening: int) -> int:
    """The position of the `>` that closes a `<`; one that is `>>` is cut in two. -1: none."""
    depth = 0
    position = opening
    while position < len(tokens) and tokens[position].text not in (";", "{"):
        text = tokens[position].text
        if text == ">>":
            one = tokens[position]
            tokens[position : position + 1] = [replace(one, text=">"), replace(one, text=">")]
            text = ">"
        depth += (text == "<") - (text == ">")
        if depth == 0:
            return position
        position += 1
    return -1


def _is_name(text: str) -> bool:
    return text.isidentifier() and text not in C_KEYWORDS


def _in_pragma(tokens: Sequence[Token]) -> set[int]:
    """The positions of tokens of pragmas, which stay as they are."""
    found: set[int] = set()
    line = None
    for position, token in enumerate(tokens):
        if token.text == "#" and (not position or tokens[position - 1].line != token.line):
            line = token.line
        if token.line == line:
            found.add(position)
    return found


# The steps.


def _without_main(tokens: list[Token], state: _State) -> list[Token]:
    """A test bench in the kernel's file may hold any C++."""
    del state
    for position, token in enumerate(tokens):
        if token.text != "main" or position == 0 or tokens[position - 1].text != "int":
            continue
        if _texts(tokens, position + 1, 1) != ["("]:
            continue
        body = _closing(tokens, position + 1) + 1
        if _texts(tokens, body, 1) == ["{"]:
            return [*tokens[: position - 1], *tokens[_closing(tokens, body) + 1 :]]
    return tokens


def _without_prefixes(tokens: list[Token], state: _State) -> list[Token]:
    """Without `extern "C"`, `using namespace`, `std::` of types; constexpr is const."""
    found: list[Token] = []
    pragmas = _in_pragma(tokens)
    closed: set[int] = set()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position in pragmas or position in closed:
            found += [token] if position in pragmas else []
            position += 1
            continue
        match _texts(tokens, position, 4):
            case ["extern", '"C"', "{", *_]:
                closed.add(_closing(tokens, position + 2))
                position += 3
            case ["extern", '"C"', *_]:
                position += 2
            case ["using", "namespace", _, ";"]:
                position += 4
            case ["std", ":", ":", name] if name in state.types or name in ("size_t",):
                position += 3
            case ["constexpr", *_]:
                found.append(replace(token, text="const"))
                position += 1
            case _:
                found.append(token)
                position += 1
    return found


def _with_arbitrary(tokens: list[Token], state: _State) -> list[Token]:
    """`ap_int<12>` as ap_int_12, which is declared in front as what stores it."""
    found: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if re.fullmatch(r"ap_u?int_\d+", token.text):
            state.refuse(f"'{token.text}' is a name that is kept for types", "rename it", token)
        is_type = token.text in ("ap_int", "ap_uint") and _texts(tokens, position + 1, 1) == ["<"]
        end = _angle(tokens, position + 1) if is_type else -1
        if end < 0:
            _note_constant(tokens, position, state)
            found.append(token)
            position += 1
            continue
        bits = _value(tokens[position + 2 : end], state)
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
        found.append(replace(token, text=name))
        position = end + 1
    return found


def _words(text: str, token: Token) -> list[Token]:
    """Tokens that stand in front of all, where `token` is the reason of them."""
    return [replace(token, text=word, line=0) for word in text.split()]


def _note_constant(tokens: Sequence[Token], position: int, state: _State) -> None:
    match _texts(tokens, position, 4):
        case ["const", "int" | "unsigned", name, "="]:
            end = next(
                (k for k in range(position + 4, len(tokens)) if tokens[k].text in (";", ",")), None
            )
            value = None if end is None else _value(tokens[position + 4 : end], state)
            if value is not None:
                state.constants.setdefault(name, value)


def _value(tokens: Sequence[Token], state: _State) -> int | None:
    """The value of a constant expression: sums and products of literals and known constants."""
    words = [str(state.constants.get(token.text, token.text)) for token in tokens]
    return _sum(words)[0] if words and _sum(words)[1] == len(words) else None


def _sum(words: Sequence[str], at: int = 0) -> tuple[int | None, int]:
    value, at = _product(words, at)
    while value is not None and at < len(words) and words[at] in ("+", "-"):
        sign = 1 if words[at] == "+" else -1
        more, at = _product(words, at + 1)
        value = None if more is None else value + sign * more
    return value, at


def _product(words: Sequence[str], at: int) -> tuple[int | None, int]:
    value, at = _atom(words, at)
    while value is not None and at < len(words) and words[at] == "*":
        more, at = _atom(words, at + 1)
        value = None if more is None else value * more
    return value, at


def _atom(words: Sequence[str], at: int) -> tuple[int | None, int]:
    if at < len(words) and words[at] == "(":
        value, at = _sum(words, at + 1)
        return (value, at + 1) if words[at : at + 1] == [")"] else (None, at)
    if at < len(words) and words[at][:1].isdigit():
        literal = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*", words[at])
        if literal is not None:
            octal = re.fullmatch(r"0[0-7]+", literal[1])
            return int(literal[1], 8 if octal else 0), at + 1
    return None, at


def _with_streams(tokens: list[Token], state: _State) -> list[Token]:
    """`hls::stream<T>` as T that is `_Atomic`."""
    del state
    found: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        length = 0
        if _texts(tokens, position, 5) == ["hls", ":", ":", "stream", "<"]:
            length = 4
        elif _texts(tokens, position, 2) == ["stream", "<"]:
            length = 1
        end = _angle(tokens, position + length) if length else -1
        if end < 0:
            found.append(token)
            position += 1
            continue
        found += [replace(token, text=MARK), *tokens[position + length + 1 : end]]
        position = end + 1
    return found


def _checked(tokens: list[Token], state: _State) -> list[Token]:
    """The tokens; what of C++ is not read is told."""
    pragmas = _in_pragma(tokens)
    braces = parentheses = 0
    told: set[tuple[str, int]] = set()
    for position, token in enumerate(tokens):
        if position in pragmas:
            continue
        before = tokens[position - 1].text if position else ""
        behind = _texts(tokens, position + 1, 3)
        braces += (token.text == "{") - (token.text == "}")
        parentheses += (token.text == "(") - (token.text == ")")
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
        elif token.text == "=" and parentheses and not braces:
            found = ("arguments by default are not read", "pass them at every call")
        elif [token.text, *behind[1:2]] == ["&", "="] and before in state.types and braces:
            found = ("references to elements are not read", "use the element, or a pointer")
        if found is not None and (found[0], token.source_line) not in told:
            told.add((found[0], token.source_line))
            state.refuse(*found, token)
    return tokens


def _with_typedefs(tokens: list[Token], state: _State) -> list[Token]:
    """`using T = int;` as a typedef; names of structs are types."""
    found: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        match _texts(tokens, position, 3):
            case ["using", name, "="]:
                end = next(k for k in range(position, len(tokens)) if tokens[k].text == ";")
                state.types.add(name)
                found.append(replace(token, text="typedef"))
                found += [*tokens[position + 3 : end], tokens[position + 1], tokens[end]]
                position = end + 1
                continue
            case ["struct", name, "{"] if name not in state.types:
                state.types.add(name)
                for text in ("typedef", "struct", name, name, ";"):
                    found.append(replace(token, text=text))
                inside = tokens[position + 2 : _closing(tokens, position + 2)]
                method = next((one for one in inside if one.text == "("), None)
                if method is not None:
                    state.refuse("functions of structs are not read", _CLASSES, method)
            case ["typedef", *_]:
                end = next((k for k in range(position, len(tokens)) if tokens[k].text == ";"), 0)
                names = [one.text for one in tokens[position:end] if _is_name(one.text)]
                state.types.update(names[-1:])
        found.append(token)
        position += 1
    return found


_STARTS = (";", "{", "}", ")", ":", "")


def _with_casts(tokens: list[Token], state: _State) -> list[Token]:
    """`static_cast<T>(e)`, and `T(e)` in an expression, as casts of C."""
    found: list[Token] = []
    pragmas = _in_pragma(tokens)
    braces = 0
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position not in pragmas:
            braces += (token.text == "{") - (token.text == "}")
        if token.text == "static_cast" and _texts(tokens, position + 1, 1) == ["<"]:
            end = _angle(tokens, position + 1)
            if end > 0:
                kind = tokens[position + 2 : end]
                found += [replace(token, text="("), *kind, replace(token, text=")")]
                position = end + 1
                continue
        before = found[-1].text if found else ""
        is_call = _texts(tokens, position + 1, 1) == ["("] and before not in _STARTS
        if braces and is_call and token.text in state.types and not _is_name_or_type(before, state):
            found += [replace(token, text=text) for text in ("(", token.text, ")")]
        else:
            found.append(token)
        position += 1
    return found


def _is_name_or_type(text: str, state: _State) -> bool:
    return text in state.types or (_is_name(text) and text != "return") or text in ("const", ".")


def _with_references(tokens: list[Token], state: _State) -> list[Token]:
    """References among the parameters as pointers; those to arrays as arrays."""
    found: list[Token] = []
    braces = parentheses = 0
    pragmas = _in_pragma(tokens)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position not in pragmas:
            braces += (token.text == "{") - (token.text == "}")
            parentheses += (token.text == "(") - (token.text == ")")
        match _texts(tokens, position, 5):
            case ["(", "&", _, ")", "["] if not braces:
                parentheses -= 1
                found += [tokens[position + 2], tokens[position + 4]]
                found.append(replace(tokens[position + 1], text=MARK))
                position += 5
                continue
            case ["&", name, *_] if not braces and parentheses and _is_name(name):
                found += [replace(token, text="*"), replace(token, text=MARK)]
                position += 1
                continue
            case ["&", name, "(", *_] if not braces and _is_name(name):
                state.refuse("results by reference are not read", "return the value", token)
        found.append(token)
        position += 1
    return found


def _with_initial_values(tokens: list[Token], state: _State) -> list[Token]:
    """`T x(e);` and `T x{e};` as `T x = e;`; the names of streams are left out."""
    found: list[Token] = []
    braces = 0
    pragmas = _in_pragma(tokens)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position not in pragmas:
            braces += (token.text == "{") - (token.text == "}")
        before = tokens[position - 1].text if position else ""
        opens = _texts(tokens, position + 1, 1) in (["("], ["{"])
        if braces and opens and before in state.types and _is_name(token.text):
            end = _closing(tokens, position + 1)
            inner = tokens[position + 2 : end]
            found.append(token)
            if not _declares_stream(tokens, position):
                found += [replace(token, text=text) for text in ("=", "(")]
                found += [*inner, replace(token, text=")")]
            position = end + 1
            continue
        found.append(token)
        position += 1
    return found


def _declares_stream(tokens: Sequence[Token], position: int) -> bool:
    """Whether the variable at a position has a type that is marked."""
    while position and tokens[position - 1].text not in (";", "{", "}", ",", "("):
        position -= 1
        if tokens[position].text == MARK:
            return True
    return False


def _with_constants(tokens: list[Token], state: _State) -> list[Token]:
    """`const int N = 8;` of the file as an enumerator: in C++ it is a constant, in C it is none."""
    found: list[Token] = []
    depth = 0
    pragmas = _in_pragma(tokens)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if position not in pragmas:
            depth += (token.text in "({") - (token.text in ")}")
        words = _texts(tokens, position, 5)
        start = 1 if words[:1] == ["static"] else 0
        if depth == 0 and words[start : start + 2] == ["const", "int"]:
            end = next((k for k in range(position, len(tokens)) if tokens[k].text == ";"), 0)
            name = tokens[position + start + 2]
            rest = tokens[position + start + 4 : end]
            if name.text in state.constants and _value(rest, state) is not None:
                words = ["enum", "{", name.text, "="]
                found += [replace(token, text=word) for word in words[:2]]
                found += [name, replace(token, text="="), *rest]
                found += [replace(token, text=word) for word in ("}", ";")]
                position = end + 1
                continue
        found.append(token)
        position += 1
    return found
