"""Names that may be used: they appear in generated C and Verilog."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import count

from hlsmem.core.errors import Problems
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra.diagnosis import is_keyword
from hlsmem.read.c.headers import LIBRARY_FUNCTIONS

# C99, section 6.4.1.
C_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while _Bool _Complex _Imaginary
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)

# ISO C++17, section 5.11, without the words that C99 has as well.
CXX_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm bitand bitor catch char16_t char32_t class compl constexpr
    const_cast decltype delete dynamic_cast explicit export friend mutable namespace new noexcept
    not not_eq nullptr operator or or_eq private protected public reinterpret_cast static_assert
    static_cast template this thread_local throw try typeid typename using virtual wchar_t xor
    xor_eq
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)

# Names that generated C keeps for itself begin with it.
RESERVED = "hlsmem_"

# What generated C calls by name: variables around it must be called something else.
C_CALLED = frozenset({"NULL", "abort", "free", "malloc", "memcpy"})

# Types and macros of the headers that generated C includes.
_INCLUDED = re.compile(
    r"u?int((_least|_fast)?(8|16|32|64)|ptr|max)_t|size_t|ptrdiff_t|wchar_t|l?l?div_t"
    r"|U?INT(_LEAST|_FAST|PTR|MAX)?(8|16|32|64)?_(C|MIN|MAX)"
    r"|(SIZE|PTRDIFF|RAND|WCHAR|WINT|SIG_ATOMIC|MB_CUR)_(MIN|MAX)|EXIT_(SUCCESS|FAILURE)"
)

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

MOST_LETTERS = 80
"""Characters of a name: three of them and an ending make the name of a file, 255 at most."""


def check_name(
    what: str,
    name: str,
    source_location: SourceLocation | None,
    problems: Problems,
    *,
    bare: bool = False,
    is_function: bool = False,
) -> bool:
    """True if `name` can name a `what`; if not, the reason goes to `problems`.

    A `bare` name appears in isl text as it is. In Verilog all names have something in front or
    behind, so that an array may well be called `input`. A network names a function of C
    (`is_function`).
    """
    if not check_identifier(what, name, source_location, problems):
        return False
    if name.startswith(RESERVED):
        reason = f"starts with {RESERVED!r}, which generated C keeps for itself"
    elif name in C_KEYWORDS:
        reason = "is a keyword of C"
    elif name in C_CALLED:
        reason = "is a name that generated C calls"
    elif _INCLUDED.fullmatch(name):
        reason = "is of a header that generated C includes"
    elif is_function and name in LIBRARY_FUNCTIONS | {"main"}:
        reason = "is a function of the C library"
    elif bare and is_keyword(name):
        reason = "is a keyword of isl"
    else:
        return True
    problems.add(f"the {what} name {name!r} {reason}", "choose another name", source_location)
    return False


def check_identifier(
    what: str, name: str, source_location: SourceLocation | None, problems: Problems
) -> bool:
    """True if `name` is an identifier; else that goes to `problems`. It is enough for what
    generated C and Verilog write with something in front."""
    if len(name) > MOST_LETTERS:
        begins = f"the {what} name that begins with {name[:20]!r}"
        reason = f"{begins} has {len(name)} characters, {MOST_LETTERS} at most"
        problems.add(reason, "choose a shorter one", source_location)
        return False
    if _IDENTIFIER.fullmatch(name):
        return True
    remedy = "use letters, digits and _, no digit first"
    problems.add(f"the {what} name {name!r} is no C identifier", remedy, source_location)
    return False


def generated_names(function: str, parameters: Iterable[str]) -> frozenset[str]:
    """The names that the C made from a function defines or calls, those in RESERVED not.

    >>> sorted(generated_names("f", ["N"]) - C_CALLED)
    ['F_N', 'F_RESTRICT', 'F_STACK_BYTES', 'F_WS_BYTES', 'f_original', 'f_ws', 'f_ws_bytes']
    """
    own = (f"{function}_{ending}" for ending in ("ws", "ws_bytes", "original"))
    macros = (
        f"{function.upper()}_{name}"
        for name in ("WS_BYTES", "STACK_BYTES", "RESTRICT", *parameters)
    )
    return C_CALLED.union(own, macros)


def free_name(wanted: str, taken: set[str]) -> str:
    """A name that is not `taken`, whatever its case, and is from now on: the wanted one, or that
    with a number.

    >>> free_name("t", {"t", "T_2"})
    't_3'
    """
    is_free = wanted.casefold() not in {one.casefold() for one in taken}
    found = wanted if is_free else numbered(wanted, taken)
    taken.add(found)
    return found


def numbered(wanted: str, taken: Iterable[str]) -> str:
    """The wanted name with the least number, from 2 on, that nothing has, whatever its case."""
    known = {one.casefold() for one in taken}
    return next(name for name in numbers_behind(wanted) if name.casefold() not in known)


def numbers_behind(name: str) -> Iterator[str]:
    """The name with 2, 3, .. behind it."""
    return (f"{name}_{number}" for number in count(2))


def name_of_statement(
    names: Iterable[str],
    streams: Sequence[str],
    taken: set[str],
    key: Callable[[str], str] = str,
) -> str:
    """The first of the names that is free, and from now on `taken` with those of its streams.

    `streams` are what these begin with, `s_<array>` and `m_<array>`; names of one `key` are alike.

    >>> name_of_statement(["c", "c_2"], ["s_a_b"], {"s_a_b_c"})
    'c_2'
    """
    for name in names:
        own = {key(one) for one in (name, *(f"{stream}_{name}" for stream in streams))}
        if not own & taken:
            taken |= own
            return name
    raise ValueError("none of the names is free")


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """The remedy for an unknown name: the nearest known one, else `otherwise`."""
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else otherwise
