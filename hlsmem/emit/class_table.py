"""Price of independence of the schedule: a row for every class of orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.mapping_text import element_text, mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan.plan_model import standing_of
from hlsmem.program.model import Array

_COLUMNS = [
    Column("class"),
    Column("cells", right=True),
    Column("bound", right=True),
    Column("standing"),
    Column("mapping"),
    Column("certificate"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow:
    """One array for one class: its mapping and bounds, or why the class has none."""

    schedules: str
    array: Array
    bounds: tuple[Bound, ...] = ()
    mapping: StorageMapping | None = None
    reason: str = ""

    @property
    def bound(self) -> int | None:
        """Greatest lower bound on cells: the width of the class or a clique of it, or max-live."""
        found = [one.cells for one in self.bounds if one.witness or one.kind == "max-live"]
        return max(found, default=None)


def classes_text(rows: Sequence[ClassRow]) -> str:
    """A table for every array."""
    arrays = {row.array.name: row.array for row in rows}
    return "\n\n".join(
        _array_text(array, [row for row in rows if row.array.name == array.name])
        for array in arrays.values()
    )


def _array_text(array: Array, rows: Sequence[ClassRow]) -> str:
    return "\n".join(
        [element_text(array.name, array.index), "", table(_COLUMNS, [_cells(row) for row in rows])]
    )


def _cells(row: ClassRow) -> list[str]:
    mapping = row.mapping
    if mapping is None:
        return [row.schedules, "-", "-", "-", f"refused: {row.reason}", "-"]
    return [
        row.schedules,
        str(mapping.cells),
        "-" if row.bound is None else str(row.bound),
        standing_of(mapping.cells, row.bounds),
        "; ".join(_lines(row.array, mapping)),
        str(mapping.certificate),
    ]


def _lines(array: Array, mapping: StorageMapping) -> list[str]:
    lines = mapping_lines(array.name, array.index, mapping)
    return [line.partition(" = ")[2] for line in lines]


def classes_document(rows: Sequence[ClassRow]) -> dict[str, Any]:
    """The same as a JSON value, by arrays."""
    found: dict[str, Any] = {}
    for row in rows:
        found.setdefault(row.array.name, []).append(
            {
                "schedules": row.schedules,
                "cells": None if row.mapping is None else row.mapping.cells,
                "bound": row.bound,
                "mapping": [] if row.mapping is None else _lines(row.array, row.mapping),
                "reason": row.reason,
            }
        )
    return {"arrays": found}
