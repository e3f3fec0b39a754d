"""Names of generated C: a header defines only names that begin with the function's.

Two headers can then be included in one file, with other sizes each, and what the program calls
`N` or `pixel` itself is neither read nor set. The same files are C99, C11 and C++17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hlsmem.emit.c.c_syntax import walk
from hlsmem.read.c import tree
from hlsmem.read.design_names import CXX_KEYWORDS, RESERVED

KEYWORD_RESTRICT = f"{RESERVED}restrict"
"""Placeholder for the keyword `restrict` itself in a text that is respelled."""

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|# *include[^\n]*|[A-Za-z_]\w*', re.DOTALL
)


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
    """Spelling of names of the program in the generated files, where it differs."""
    words = {word: f"{RESERVED}{word}" for word in CXX_KEYWORDS}
    words |= {"_Bool": "bool", "restrict": restrict(function), KEYWORD_RESTRICT: "restrict"}
    words |= {name: f"{function}_{name}" for name in types}
    return words | {name: macro(function, name) for name in macros}


def respelled(text: str, words: Mapping[str, str]) -> str:
    """C with identifiers replaced; comments, strings, characters and names of headers stay.

    >>> respelled('f(N, "N", \\'N\\'); /* N */', {"N": "BLUR_N"})
    'f(BLUR_N, "N", \\'N\\'); /* N */'
    >>> respelled("#include <math.h>", {"h": "BLUR_h"})
    '#include <math.h>'
    """
    return _TOKEN.sub(lambda found: words.get(found[0], found[0]), text)


def apart_from(macros: Iterable[str], lines: Iterable[str]) -> list[str]:
    """Lines of our own functions, which have no macro of the program, with other names for theirs.

    >>> apart_from(["h", "N"], ["uint32_t h = word;"])
    ['uint32_t hlsmem_h = word;']
    """
    names = {name: f"{RESERVED}{name}" for name in macros}
    return respelled("\n".join(lines), names).split("\n")


def type_names(nodes: Iterable[tree.Node]) -> tuple[str, ...]:
    """The names that declarations bring of types, and of structs."""
    found: dict[str, None] = {}
    for top in nodes:
        for node in walk(top):
            if isinstance(node, (tree.Typedef, tree.StructDef, tree.Struct)):
                found[node.name] = None
    return tuple(found)
