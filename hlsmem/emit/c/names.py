"""Names of generated C: a header defines only names that begin with the function's.

Two headers can then be included in one file, with other sizes each, and what the program calls
`N` or `pixel` itself is neither read nor set. The same files are C99, C11 and C++17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pycparser import c_ast

from hlsmem.emit.c.syntax import walk
from hlsmem.read.names import RESERVED

# ISO C++17, section 5.11, without the words that C99 has as well.
_CXX_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm bitand bitor catch char16_t char32_t class compl constexpr
    const_cast decltype delete dynamic_cast explicit export friend mutable namespace new noexcept
    not not_eq nullptr operator or or_eq private protected public reinterpret_cast static_assert
    static_cast template this thread_local throw try typeid typename using virtual wchar_t xor
    xor_eq
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)
KEYWORD_RESTRICT = f"{RESERVED}restrict"
"""What a text that is respelled says for the keyword itself."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|[A-Za-z_]\w*', re.DOTALL)


def restrict(function: str) -> str:
    """The macro of the header that says `restrict` in C and in C++."""
    return macro(function, "RESTRICT")


def macro(function: str, name: str) -> str:
    """The macro of the header that stands for a parameter `name` of the program.

    >>> macro("blur", "N")
    'BLUR_N'
    """
    return f"{function.upper()}_{name}"


def spelling(function: str, macros: Iterable[str], types: Iterable[str]) -> Mapping[str, str]:
    """How names of the program are written in the generated files where that is otherwise."""
    words = {word: f"{RESERVED}{word}" for word in _CXX_KEYWORDS}
    words |= {"_Bool": "bool", "restrict": restrict(function), KEYWORD_RESTRICT: "restrict"}
    words |= {name: f"{function}_{name}" for name in types}
    return words | {name: macro(function, name) for name in macros}


def respelled(text: str, words: Mapping[str, str]) -> str:
    """C with identifiers replaced; what stands in comments, strings and characters stays.

    >>> respelled('f(N, "N", \\'N\\'); /* N */', {"N": "BLUR_N"})
    'f(BLUR_N, "N", \\'N\\'); /* N */'
    """
    return _TOKEN.sub(lambda found: words.get(found[0], found[0]), text)


def type_names(nodes: Iterable[c_ast.Node]) -> tuple[str, ...]:
    """The names that declarations of types bring: of types, tags and enumerators."""
    found: dict[str, None] = {}
    for top in nodes:
        for node in walk(top):
            tagged = isinstance(node, (c_ast.Struct, c_ast.Union, c_ast.Enum))
            if node.name if tagged else isinstance(node, (c_ast.Typedef, c_ast.Enumerator)):
                found[node.name] = None
    return tuple(found)
