"""Every method on every array beside the bounds, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import dataclass
from typing import Any

from hlsmem.emit.mathematics import mapping_lines
from hlsmem.emit.report import bound_text, standing_of
from hlsmem.emit.table import Column, table
from hlsmem.lifetime.problem import Bound
from hlsmem.mapping.model import Mapping, NoMapping
from hlsmem.plan import Memory
from hlsmem.program import Array

Answer = tuple[str, Mapping | NoMapping, Memory | None]

_COLUMNS = [
    Column("method"),
    Column("cells", right=True),
    Column("words", right=True),
    Column("above bound", right=True),
    Column("work", right=True),
    Column("mapping"),
    Column("certificate"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One array at the plan's values, the bounds, and what every method answers.

    An answer is a mapping with its memory, or the reason for none; `chosen` is what `auto`
    takes of them.
    """

    array: Array
    values: Values[str, int]
    bounds: tuple[Bound, ...]
    chosen: Mapping
    answers: tuple[Answer, ...]


def comparison_text(comparison: Comparison) -> str:
    """What `auto` takes, the bounds, and a table with a row per method, fewest cells first.

    Of equally few cells those that `auto` takes come first. Below are the methods without a
    mapping, with their reasons.
    """
    array, chosen = comparison.array, comparison.chosen
    name = f"{array.name}({', '.join(array.index)})" if array.index else array.name
    at = ", ".join(f"{name} = {value}" for name, value in comparison.values.items())
    cells = "1 cell" if chosen.cells == 1 else f"{chosen.cells} cells"
    lines = [
        f"{name}{f' at {at}' if at else ''}: auto takes {cells} by {chosen.method},"
        f" {standing_of(chosen.cells, comparison.bounds)}",
        *(f"  {bound_text(bound)}" for bound in comparison.bounds),
    ]
    found = [
        (answer, memory)
        for _, answer, memory in comparison.answers
        if isinstance(answer, Mapping) and memory is not None
    ]
    found.sort(key=lambda pair: (pair[0].cells, pair[0].method != chosen.method))
    rows = [_row(comparison, answer, memory) for answer, memory in found]
    return "\n".join([*lines, "", table(_COLUMNS, rows), *_without_mapping(comparison)])


def _without_mapping(comparison: Comparison) -> list[str]:
    """A line for each reason, with the methods that give it."""
    reasons: dict[str, list[str]] = {}
    for method, answer, _ in comparison.answers:
        if isinstance(answer, NoMapping):
            steps = f" ({answer.work} steps)" if answer.work else ""
            reasons.setdefault(answer.reason + steps, []).append(method)
    lines = [f"no mapping by {', '.join(names)}: {text}" for text, names in reasons.items()]
    return ["", *lines] if lines else []


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The same as a JSON value."""
    return {
        "auto": comparison.chosen.method,
        "cells": comparison.chosen.cells,
        "standing": standing_of(comparison.chosen.cells, comparison.bounds),
        "bounds": [
            {"kind": bound.kind, "cells": bound.cells, "expr": bound.expr, "status": bound.status}
            for bound in comparison.bounds
        ],
        "methods": [_answer_document(comparison, answer) for answer in comparison.answers],
    }


def _answer_document(comparison: Comparison, answer: Answer) -> dict[str, Any]:
    method, found, memory = answer
    if isinstance(found, NoMapping) or memory is None:
        reason = found.reason if isinstance(found, NoMapping) else ""
        return {"method": method, "cells": None, "reason": reason, "work": found.work}
    return {
        "method": method,
        "cells": found.cells,
        "words": memory.words,
        "above_bound": _gap(comparison, found.cells),
        "mapping": list(_lines(comparison.array, found)),
        "certificate": str(found.certificate),
        "work": found.work,
    }


def _row(comparison: Comparison, found: Mapping, memory: Memory) -> list[str]:
    gap = _gap(comparison, found.cells)
    return [
        found.method,
        str(found.cells),
        str(memory.words),
        "-" if gap is None else str(gap),
        str(found.work),
        "; ".join(_lines(comparison.array, found)),
        str(found.certificate),
    ]


def _lines(array: Array, mapping: Mapping) -> tuple[str, ...]:
    """The mappings as in a report, without the array's name."""
    lines = mapping_lines(array.name, array.index, mapping)
    return tuple(line.partition(" = ")[2] for line in lines)


def _gap(comparison: Comparison, cells: int) -> int | None:
    limit = max((bound.cells for bound in comparison.bounds), default=None)
    return None if limit is None else cells - limit
