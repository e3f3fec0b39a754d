"""The grids of memories that Yosys was run on, recorded by benchmarks/yosys_grid.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hlsmem.devices import FAMILIES
from hlsmem.devices.inference import Implementation, implement
from hlsmem.devices.primitives import Style

DATA = Path(__file__).resolve().parent / "data"
SYNTHESISED = [family.name for family in FAMILIES.values() if family.synthesis]
# Cells that Yosys's statistics count by these names, and that are no LUTs.
RAMS = {
    cell.name
    for family in FAMILIES.values()
    for cell in family.cells
    if cell.style in (Style.BLOCK, Style.LARGE)
}


def grid(family: str) -> list[dict[str, Any]]:
    return json.loads((DATA / f"yosys_grid_{family}.json").read_text())["memories"]


def predicted(family: str, memory: dict[str, Any]) -> Implementation:
    return implement(
        family,
        memory["words"],
        memory["bits"],
        style=Style(memory["style"]),
        collision=memory["collision"],
        ports=memory["ports"],
    )


def rams(found: dict[str, int]) -> dict[str, int]:
    """The RAM cells among resources that Yosys counted."""
    return {name: count for name, count in found.items() if name in RAMS}


def predicted_rams(made: Implementation) -> dict[str, int]:
    return {made.cell: made.count} if made.cell in RAMS else {}


def near(luts: int, found: int) -> bool:
    """Within 10 % or 8 LUTs."""
    return abs(luts - found) <= max(8, 0.1 * found)
