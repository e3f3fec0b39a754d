"""Cells and widths of the reference cases on classes of orders: reports/classes.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.mapping.portfolio import plan_array
from hlsmem.program.schedule_classes import Banded, ScheduleClass
from tests.classes import problems_of, uniform
from tests.lifetime.test_class_conflicts import CASES, PARAMETERS, width_of
from tests.programs import golden_case

OUT = Path(__file__).with_name("classes.md")
_BUDGET = 1_000_000
_HEAD = """# Classes of orders

What the planner takes for the reference cases of schedule classes, beside the width of the class
(no mapping of any kind that is right for all its orders has fewer cells), the best single
occupancy vector and the least lattice of the reference. Rebuilt by `make reports`.
"""
_COLUMNS = [
    Column("case"),
    Column("class"),
    Column("size"),
    Column("cells", right=True),
    Column("width", right=True),
    Column("vector", right=True),
    Column("reference", right=True),
    Column("mapping"),
]


def main() -> None:
    """Write the table."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The report: a row for every size of every case, by its first class."""
    rows = [
        row(name, vectors, asked, expected)
        for name, (vectors, (asked, *_)) in CASES.items()
        for expected in golden_case("003", name)["expected"]
    ]
    return f"{_HEAD}\n{table(_COLUMNS, rows)}\n"


def row(
    name: str,
    vectors: Sequence[Sequence[int]],
    asked: ScheduleClass,
    expected: Mapping[str, Any],
) -> list[str]:
    """One case at one size, planned."""
    sizes = dict(zip(PARAMETERS, expected["size"], strict=False))
    problem = problems_of(uniform(vectors, sizes), asked)["A"]
    mapping = plan_array(problem, budget=_BUDGET).mapping
    (line,) = mapping_lines("A", problem.array.index, mapping)
    kind = asked.name
    if isinstance(asked, Banded) and asked.name == "tiled":
        kind += " with a sequential loop" if len(asked.bands) > 1 else ""
    return [
        name.removeprefix("cc-"),
        kind,
        "x".join(map(str, expected["size"])),
        str(mapping.cells),
        str(width_of(problem)),
        str(expected["vector_allocated"]),
        str(expected["lattice"]),
        line.partition(" = ")[2],
    ]
