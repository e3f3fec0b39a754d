"""Every method on every array beside the bounds, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlsmem.emit.mathematics import mapping_lines
from hlsmem.emit.table import Column, table
from hlsmem.lifetime import StorageProblem
from hlsmem.mapping.model import Mapping, NoMapping
from hlsmem.plan import Memory

Answer = tuple[str, Mapping | NoMapping, Memory | None]


def comparison_text(problem: StorageProblem, answers: Sequence[Answer]) -> str:
    """A heading with the bounds and a table with a row per method, fewest cells first."""
    bounds = ", ".join(f"{bound.kind} {bound.cells}" for bound in problem.bounds) or "no bound"
    columns = [
        Column("method"),
        Column("cells", right=True),
        Column("words", right=True),
        Column("above bound", right=True),
        Column("mapping"),
        Column("certificate"),
    ]
    ordered = sorted(answers, key=lambda answer: _cells(answer[1]))
    rows = [_row(problem, answer) for answer in ordered]
    return f"{problem.array.name}: {bounds}\n\n{table(columns, rows)}"


def comparison_document(problem: StorageProblem, answers: Iterable[Answer]) -> dict[str, Any]:
    """The same as a JSON value."""
    return {
        "bounds": [{"kind": bound.kind, "cells": bound.cells} for bound in problem.bounds],
        "methods": [_answer_document(problem, answer) for answer in answers],
    }


def _answer_document(problem: StorageProblem, answer: Answer) -> dict[str, Any]:
    method, found, memory = answer
    if isinstance(found, NoMapping) or memory is None:
        reason = found.reason if isinstance(found, NoMapping) else ""
        return {"method": method, "cells": None, "reason": reason, "work": found.work}
    return {
        "method": method,
        "cells": found.cells,
        "words": memory.words,
        "above_bound": _gap(problem, found.cells),
        "mapping": list(_lines(problem, found)),
        "certificate": str(found.certificate),
        "work": found.work,
    }


def _row(problem: StorageProblem, answer: Answer) -> list[str]:
    method, found, memory = answer
    if isinstance(found, NoMapping) or memory is None:
        reason = found.reason if isinstance(found, NoMapping) else ""
        return [method, "-", "-", "-", reason, ""]
    gap = _gap(problem, found.cells)
    return [
        method,
        str(found.cells),
        str(memory.words),
        "-" if gap is None else str(gap),
        "; ".join(_lines(problem, found)),
        str(found.certificate),
    ]


def _lines(problem: StorageProblem, mapping: Mapping) -> tuple[str, ...]:
    return mapping_lines(problem.array.name, problem.array.index, mapping)


def _gap(problem: StorageProblem, cells: int) -> int | None:
    limit = max((bound.cells for bound in problem.bounds), default=None)
    return None if limit is None else cells - limit


def _cells(found: Mapping | NoMapping) -> float:
    return found.cells if isinstance(found, Mapping) else float("inf")
