"""Expected resources of memories by the plan, held against those of synthesis."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost
from hlsmem.plan import Plan
from hlsmem.storage.elastic import branch_cost
from hlsmem.synthesis.netlist import cost_of
from hlsmem.synthesis.synthesis_flow import Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedResources:
    """Resources of memories, as planned and as found: block RAMs (in `block`), large RAMs, LUT RAM.

    Other LUTs and flip-flops are not promised: of address generators and gates a plan says nothing.
    """

    planned: Cost
    found: Cost
    block: str

    @property
    def kept(self) -> bool:
        return _memory(self.planned) == _memory(self.found)

    def text(self) -> str:
        planned, found = _text(self.planned), _text(self.found)
        blocks = f"Block RAMs, in {self.block}: {planned} planned, {found} found."
        if not self.planned.lut_ram and not self.found.lut_ram:
            return blocks
        words = f"{self.planned.lut_ram} planned, {self.found.lut_ram} found"
        return f"{blocks} LUTs that hold words: {words}."


def expected_resources(plan: Plan, figures: Sequence[Figures]) -> ExpectedResources | None:
    """Resources by the plan and by synthesis; None for another family, or no target."""
    if plan.target is None or not figures:
        return None
    family = family_of(plan.target.device)
    if figures[0].family != family.name:
        return None
    found = Cost()
    for one in figures:
        found += cost_of(one.area, family)
    planned = plan.resources
    for branch in plan.elastic:
        planned += branch_cost(plan.target.device, branch)
    return ExpectedResources(planned=planned, found=found, block=family.block)


def _memory(cost: Cost) -> tuple[int, int, int]:
    return cost.blocks, cost.large, cost.lut_ram


def _text(cost: Cost) -> str:
    return f"{cost.blocks} and {cost.large} large" if cost.large else str(cost.blocks)
