"""The body of a network statement: C text over operands a0, a1, .. that sets its results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlsmem.program.model import Code, NetworkBody
from hlsmem.read.texts import Texts

if TYPE_CHECKING:
    from hlsmem.read.c.clang.code_files import Body

_TYPES = ["#include <stdint.h>"]


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
    body = _parse(texts, path, text, code, operands, (*results, *iterators))
    if body is None:
        return NetworkBody(text)
    known = {f"a{position}" for position in range(operands)} | set(results)
    known |= set() if code is None else code.names
    used = _check_names(texts, path, body, operands, results, iterators, known) - known
    return NetworkBody(
        text,
        tuple(name for name in iterators if name in used),
        tuple(n for n in texts.parameters.names if n in used and n not in iterators),
    )


def _parse(
    texts: Texts,
    path: tuple[str | int, ...],
    text: str,
    code: Code | None,
    operands: int,
    names: Sequence[str],
) -> Body | None:
    # Only networks with bodies need the C parser.
    from hlsmem.read.c.clang.code_files import body_of_text

    around = _TYPES if code is None else [*_TYPES, *code.includes, *code.declarations]
    given = [f"a{position}" for position in range(operands)]
    declared = () if code is None else code.names
    free = [one for one in (*given, *names, *texts.parameters.names) if one not in declared]
    body = body_of_text(text, free, around)
    if body.error is None:
        return body
    reason, offset = body.error
    source_location = texts.place(*path)
    if 0 <= offset < len(text):
        source_location = texts.document.span(*path).place(offset)
    else:
        reason = "it ends too early"
    remedy = "write it like o = (a0 + a1) / 2"
    texts.problems.add(f"body is not valid C: {reason}", remedy, source_location)
    return None


def _check_names(
    texts: Texts,
    path: tuple[str | int, ...],
    body: Body,
    operands: int,
    results: Sequence[str],
    iterators: Sequence[str],
    known: set[str],
) -> set[str]:
    """The names that the body uses and does not declare."""
    used, declared, assigned = set(body.used), set(body.declared), body.assigned
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
