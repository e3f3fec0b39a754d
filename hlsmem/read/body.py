"""The body of a network statement: C text over operands a0, a1, .. that sets its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hlsmem.program import NetworkBody
from hlsmem.read.texts import Texts

# So that casts to these types parse; what they stand for does not matter here.
_TYPES = "".join(
    f"typedef int {sign}int{bits}_t; " for sign in ("", "u") for bits in (8, 16, 32, 64)
)
_BEFORE = f"{_TYPES}void body(void) {{"
_POSITION = re.compile(r"^body:(\d+):(\d+): (.*)", re.DOTALL)


def read_body(
    texts: Texts, path: tuple[str | int, ...], operands: int, results: Sequence[str]
) -> NetworkBody:
    """The C text at `path`, where it parses, uses only a0 .. and sets every result.

    What is wrong with it goes to the problems of `texts`.
    """
    text = texts.document.get(*path)
    tree = _parse(texts, path, text)
    if tree is not None:
        _check_names(texts, path, tree, operands, results)
    return NetworkBody(text)


def _parse(texts: Texts, path: tuple[str | int, ...], text: str) -> Any:
    # Only networks with bodies need the C parser.
    from pycparser import CParser
    from pycparser.c_parser import ParseError

    try:
        return CParser().parse(f"{_BEFORE}{text};}}", "body")
    except ParseError as error:
        found = _POSITION.match(str(error))
        place, reason = texts.place(*path), str(error).removeprefix("body: ")
        if found:
            lines = f"{_BEFORE}{text}".split("\n")[: int(found[1])]
            offset = sum(len(line) + 1 for line in lines[:-1]) + int(found[2]) - 1 - len(_BEFORE)
            reason = found[3].replace("before:", "syntax error before")
            if 0 <= offset < len(text):
                place = texts.document.span(*path).place(offset)
            else:
                reason = "it ends too early"
        reason = reason[0].lower() + reason[1:]
        remedy = "write it like o = (a0 + a1) / 2"
        texts.problems.add(f"body is not valid C: {reason}", remedy, place)
        return None


def _check_names(
    texts: Texts,
    path: tuple[str | int, ...],
    tree: Any,
    operands: int,
    results: Sequence[str],
) -> None:
    used, declared, assigned = _names(tree)
    known = {f"a{position}" for position in range(operands)} | set(results) | declared
    listed = ", ".join(f"a{position}" for position in range(operands)) or "none"
    span, text = texts.document.span(*path), texts.document.get(*path)
    for name in sorted(used - known):
        at = re.search(rf"\b{name}\b", text)
        texts.problems.add(
            f"body uses {name!r}, which is no operand and no result",
            f"the operands are: {listed}; the results are: {', '.join(results) or 'none'}",
            span.place(at.start(), len(name)) if at else span.place(),
        )
    for name in results:
        if name not in assigned:
            texts.problem(f"body never sets {name!r}", f"add {name} = ...", *path)


def _names(tree: Any) -> tuple[set[str], set[str], set[str]]:
    """The identifiers used, those declared inside, and those assigned to."""
    from pycparser import c_ast

    used: set[str] = set()
    declared: set[str] = set()
    assigned: set[str] = set()

    class Visitor(c_ast.NodeVisitor):  # type: ignore[misc]  # pycparser has no types
        def visit_ID(self, node: Any) -> None:
            used.add(node.name)

        def visit_Decl(self, node: Any) -> None:
            declared.add(node.name)
            self.generic_visit(node)

        def visit_Assignment(self, node: Any) -> None:
            if isinstance(node.lvalue, c_ast.ID):
                assigned.add(node.lvalue.name)
            self.generic_visit(node)

    Visitor().visit(tree.ext[-1].body)
    return used, declared, assigned
