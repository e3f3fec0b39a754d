"""The body of a network statement: C text over operands a0, a1, .. that sets its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hlsmem.program.model import Code, NetworkBody
from hlsmem.read.texts import Texts

# So that casts to these types parse; what they stand for does not matter here.
_TYPES = "".join(
    f"typedef int {sign}int{bits}_t; " for sign in ("", "u") for bits in (8, 16, 32, 64)
)
_BEFORE = "void body(void) {"
_POSITION = re.compile(r"^body:(\d+):(\d+): (.*)", re.DOTALL)


def read_body(
    texts: Texts,
    path: tuple[str | int, ...],
    operands: int,
    results: Sequence[str],
    iterators: Sequence[str] = (),
    code: Code | None = None,
) -> NetworkBody:
    """The C text at `path`, where it parses, uses only what it knows and sets every result.

    It knows a0 .., the results, what `code` declares, iterators and parameters, the first that
    have a name. What is wrong with it goes to the problems of `texts`.
    """
    text = texts.document.get(*path)
    tree = _parse(texts, path, text, code)
    if tree is None:
        return NetworkBody(text)
    known = {f"a{position}" for position in range(operands)} | set(results)
    known |= set() if code is None else code.names
    used = _check_names(texts, path, tree, operands, results, iterators, known) - known
    return NetworkBody(
        text,
        tuple(name for name in iterators if name in used),
        tuple(n for n in texts.parameters.names if n in used and n not in iterators),
    )


def _parse(texts: Texts, path: tuple[str | int, ...], text: str, code: Code | None) -> Any:
    # Only networks with bodies need the C parser.
    from hlsmem.read.c.parsed_text import ParseError, tree_of

    declared = "" if code is None else " ".join(_types(code)).replace("\n", " ")
    before = f"{_TYPES}{declared}{_BEFORE}"
    try:
        return tree_of(f"{before}{text};}}", "body")
    except ParseError as error:
        found = _POSITION.match(str(error))
        source_location, reason = texts.place(*path), str(error).removeprefix("body: ")
        if found:
            lines = f"{before}{text}".split("\n")[: int(found[1])]
            offset = sum(len(line) + 1 for line in lines[:-1]) + int(found[2]) - 1 - len(before)
            reason = found[3].replace("before:", "syntax error before")
            if 0 <= offset < len(text):
                source_location = texts.document.span(*path).place(offset)
            else:
                reason = "it ends too early"
        reason = reason[0].lower() + reason[1:]
        remedy = "write it like o = (a0 + a1) / 2"
        texts.problems.add(f"body is not valid C: {reason}", remedy, source_location)
        return None


def _check_names(
    texts: Texts,
    path: tuple[str | int, ...],
    tree: Any,
    operands: int,
    results: Sequence[str],
    iterators: Sequence[str],
    known: set[str],
) -> set[str]:
    """The names that the body uses and does not declare."""
    used, declared, assigned = _names(tree)
    listed = ", ".join(f"a{position}" for position in range(operands)) or "none"
    span, text = texts.document.span(*path), texts.document.get(*path)
    for name in sorted(used - known - declared - {*iterators, *texts.parameters.names}):
        at = re.search(rf"\b{name}\b", text)
        texts.problems.add(
            f"body uses {name!r}, which it does not know",
            f"the operands are: {listed}; the results are: {', '.join(results) or 'none'};"
            " functions and constants go into the file of code",
            span.place(at.start(), len(name)) if at else span.place(),
        )
    for name in results:
        if name not in assigned:
            texts.problem(f"body never sets {name!r}", f"add {name} = ...", *path)
    return used - declared


def _types(code: Code) -> list[str]:
    """The declarations of types, without which casts do not parse."""
    return [one for one in code.declarations if one.startswith(("typedef", "struct", "union"))]


def _names(tree: Any) -> tuple[set[str], set[str], set[str]]:
    """The identifiers used, those declared inside, and those assigned to."""
    from hlsmem.read.c import c_ast
    from hlsmem.read.c.trees import nodes_of

    nodes = nodes_of(tree.ext[-1].body)
    used = {one.name for one in nodes if isinstance(one, c_ast.ID)}
    declared = {one.name for one in nodes if isinstance(one, c_ast.Decl)}
    assigned = {
        one.lvalue.name
        for one in nodes
        if isinstance(one, c_ast.Assignment) and isinstance(one.lvalue, c_ast.ID)
    }
    return used, declared, assigned
