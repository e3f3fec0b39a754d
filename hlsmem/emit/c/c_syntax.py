"""C syntax: how expressions are written in C, and syntax trees printed.

Trees are never changed in place: the program keeps pointing into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hlsmem.core.expression import Operator
from hlsmem.emit.expression_text import Syntax
from hlsmem.read.c import tree
from hlsmem.read.c.accesses import unfold
from hlsmem.read.c.c_text import base_name, text_of
from hlsmem.read.c.trees import integer
from hlsmem.read.design_names import RESERVED

_GREATEST_LITERAL = 2**63 - 1
_WIDTH = 100


def _integer(value: int) -> str:
    """A literal; C gives it the least of int, long and long long that holds it."""
    if value < -_GREATEST_LITERAL:
        return f"({value + 1} - 1)"
    return str(value)


C = Syntax(
    helpers={
        Operator.FLOOR_DIVIDE: "HLSMEM_FLOOR_DIVIDE",
        Operator.MODULO: "HLSMEM_MODULO",
        Operator.MINIMUM: "HLSMEM_MIN",
        Operator.MAXIMUM: "HLSMEM_MAX",
    },
    integer=_integer,
)

HELPERS = {
    Operator.FLOOR_DIVIDE: (
        "/* n / d towards minus infinity, for d > 0 */",
        "#define HLSMEM_FLOOR_DIVIDE(n, d) (((n) < 0 ? (n) - (d) + 1 : (n)) / (d))",
    ),
    Operator.MODULO: (
        "/* the remainder of n by d from 0 to d - 1, for d > 0 */",
        "#define HLSMEM_MODULO(n, d) ((n) % (d) < 0 ? (n) % (d) + (d) : (n) % (d))",
    ),
    Operator.MINIMUM: ("#define HLSMEM_MIN(a, b) ((a) < (b) ? (a) : (b))",),
    Operator.MAXIMUM: ("#define HLSMEM_MAX(a, b) ((a) > (b) ? (a) : (b))",),
}


def helper_lines(text: str) -> list[str]:
    """The definitions of the helpers that `text` uses."""
    return [
        line
        for operator, lines in HELPERS.items()
        if C.helpers[operator] + "(" in text
        for line in lines
    ]


def print_tree(node: Any) -> str:
    """The text of an expression, or of a declaration or statement without its semicolon."""
    return text_of(node, has_few=True)


def print_external(node: Any) -> str:
    """The text of a file-level declaration or function, in steps of four spaces."""
    text = print_tree(node).rstrip("\n")
    if not isinstance(node, (tree.FuncDef, tree.Pragma)):
        text += ";"
    return "\n".join(widen(text.split("\n")))


def widen(lines: Iterable[str]) -> list[str]:
    """Lines indented by twos indented by fours."""
    return [" " * (len(line) - len(line.lstrip(" "))) + line for line in lines]


def words(lines: Iterable[str]) -> set[str]:
    """The identifiers and keywords in lines of C."""
    return {word for line in lines for word in re.findall(r"[A-Za-z_]\w*", line)}


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, or a reserved one made of it where it is taken."""
    return f"{RESERVED}{name}" if name in set(taken) else name


def fold_lines(lines: Iterable[str]) -> list[str]:
    """Lines broken behind commas and before operators where they are longer than `_WIDTH`.

    Lines with quotes, comments and preprocessor lines are left as they are.
    """
    result: list[str] = []
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        while len(line) > _WIDTH and not re.search(r"[\"'#\\]|/\*|^ \*", line):
            cut = max(_breaks(line[:_WIDTH], indent), default=0)
            if not cut:
                break
            result.append(line[:cut].rstrip())
            line = " " * (indent + 8) + line[cut:].lstrip()
        result.append(line)
    return result


def _breaks(text: str, indent: int) -> list[int]:
    """Positions at which a line may be broken, at the outermost brackets, sums before products."""
    found: dict[tuple[int, bool], list[int]] = {}
    depth = 0
    for position, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if position <= indent + 8:
            continue
        operator = re.match(r" ([-+*/?:]|&&|\|\|) ", text[position:])
        if operator:
            found.setdefault((depth, operator[1] in "*/"), []).append(position)
        if character == ",":
            found.setdefault((depth, False), []).append(position + 1)
    if found:
        return found[min(found)]
    return [text.index(" = ") + 2] if " = " in text else []


def walk(node: Any) -> Iterator[Any]:
    """A node and all nodes below it, in textual order."""
    yield node
    for child in node:
        yield from walk(child)


def identifiers(nodes: Iterable[Any]) -> set[str]:
    """Every name that occurs in the trees: uses, declarations, labels, members and types."""
    found: set[str] = set()
    for top in nodes:
        for node in walk(top):
            for name in ("name", "field"):
                value = getattr(node, name, None)
                if isinstance(value, str):
                    found.add(value)
            if isinstance(node, (tree.Number, tree.Float)):
                found.update(base_name(node).split())
    return found


def name_uses(node: Any, name: str) -> int:
    """Number of times an expression names `name`; members of structures do not count."""
    return sum(isinstance(one, tree.ID) and one.name == name for one in walk(node))


def subscripts(node: Any) -> list[Any] | None:
    """The subscript trees of `A[i][j].x`, outermost first; [] for a name; None for the rest."""
    base, found, _, _ = unfold(node)
    zero = integer(0)
    return [zero if one is None else one for one in found] if isinstance(base, tree.ID) else None
