"""What the plan said of block RAMs, held against what synthesis found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hlsmem.devices import FAMILIES, family_of
from hlsmem.plan import Plan
from hlsmem.synthesis.flow import Figures


@dataclass(frozen=True, slots=True)
class Promise:
    """Block RAMs (the family's smallest) and large RAMs: as planned, and as found."""

    planned: tuple[int, int]
    found: tuple[int, int]
    block: str

    @property
    def kept(self) -> bool:
        return self.planned == self.found

    def text(self) -> str:
        return (
            f"Block RAMs, in {self.block}: {_sum(self.planned)} planned, {_sum(self.found)} found."
        )


def promise_of(plan: Plan, figures: Sequence[Figures]) -> Promise | None:
    """What the plan promised and synthesis found; None for another family, or no target."""
    if plan.target is None or not figures:
        return None
    family = family_of(plan.target.device)
    if figures[0].family != family.name:
        return None
    taken = [memory.resources for memory in plan.memories.values() if memory.resources]
    planned = (sum(cost.blocks for cost in taken), sum(cost.large for cost in taken))
    counted = [_counted(family.name, one.area.blocks) for one in figures]
    found = (sum(blocks for blocks, _ in counted), sum(large for _, large in counted))
    return Promise(planned, found, family.block)


def _counted(family: str, cells: Mapping[str, int]) -> tuple[int, int]:
    """(blocks, large RAMs) that cells are, by their names."""
    sizes = {cell.name: cell.blocks for cell in FAMILIES[family].cells if cell.style == "block"}
    blocks = sum(sizes.get(name, 0) * count for name, count in cells.items())
    return blocks, sum(count for name, count in cells.items() if name not in sizes)


def _sum(numbers: tuple[int, int]) -> str:
    return f"{numbers[0]} and {numbers[1]} large" if numbers[1] else str(numbers[0])
