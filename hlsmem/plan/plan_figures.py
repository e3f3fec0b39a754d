"""The figures of a plan, of an array and in all: what limits hold and what a diff compares.

The one place that works them out. A figure that a plan does not have (blocks without a target,
cycles without a predicted run) is None.
"""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices.primitives import Cost
from hlsmem.plan.plan_model import MODULAR, OPTIMAL, ArrayPlan, Plan

# Figures that are numbers, and those that are claims with an order of strength.
NUMBERS = ("cells", "words", "bits", "blocks", "luts", "flip_flops", "cycles", "gap")
CLAIMS = ("standing", "certificate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Figures of an array, or of all arrays of a plan.

    `words` and `bits` are those of the hardware, `cells` those of the C, None where there is none;
    `gap` are words above the bound, None where none is known. `standing` and `certificate` are
    those of an array in hardware; of several arrays the weakest.
    """

    cells: int | None
    words: int
    bits: int
    blocks: int | None
    luts: int | None
    flip_flops: int | None
    cycles: int | None
    gap: int | None
    standing: str
    certificate: str

    def number(self, metric: str) -> int | None:
        """The value of one of NUMBERS."""
        found: int | None = getattr(self, metric)
        return found


def is_optimal(standing: str) -> bool:
    """True if no storage that serves as many orders holds the array in fewer words."""
    return standing in (OPTIMAL, f"{OPTIMAL} for the class")


def is_modular(standing: str) -> bool:
    """True if no modular mapping has fewer cells."""
    return is_optimal(standing) or standing.startswith(MODULAR)


def metrics_of(plan: Plan, array: str) -> Metrics:
    """The figures of one array of a plan; it has no cycles of its own."""
    one = plan.arrays[array]
    cost, held = _cost(plan, one), one.hardware
    bound = held.bound
    return Metrics(
        cells=None if one.host is None else one.host.words,
        words=held.words,
        bits=held.bits,
        blocks=None if cost is None else cost.blocks,
        luts=None if cost is None else cost.luts,
        flip_flops=None if cost is None else cost.flip_flops,
        cycles=None,
        gap=None if bound is None else held.words - bound.cells,
        standing=held.standing,
        certificate="all-parameters" if held.certificate.is_complete else held.certificate.scope,
    )


def total_of(plan: Plan) -> Metrics:
    """The figures of all arrays of a plan; without a target it has no blocks, LUTs, flip-flops."""
    parts = [metrics_of(plan, name) for name in plan.arrays]
    cost = None if plan.target is None else plan.resources
    return Metrics(
        cells=_cells([part.cells for part in parts]),
        words=sum(part.words for part in parts),
        bits=sum(part.bits for part in parts),
        blocks=None if cost is None else cost.blocks,
        luts=None if cost is None else cost.luts,
        flip_flops=None if cost is None else cost.flip_flops,
        cycles=None if plan.timing is None else plan.timing.cycles,
        gap=_sum([part.gap for part in parts]),
        standing=_weakest([part.standing for part in parts]),
        certificate=next(
            (part.certificate for part in parts if part.certificate != "all-parameters"),
            "all-parameters",
        ),
    )


def _cells(figures: Sequence[int | None]) -> int | None:
    """The cells of C, in which it holds some arrays, if any; None where no array has some."""
    known = [one for one in figures if one is not None]
    return sum(known) if known or not figures else None


def _sum(figures: Sequence[int | None]) -> int | None:
    """The sum of figures that are all known."""
    return None if None in figures else sum(one or 0 for one in figures)


def _cost(plan: Plan, array: ArrayPlan) -> Cost | None:
    if plan.target is None:
        return None
    total = Cost()
    for part in array.hardware.parts:
        total += plan.memories[part.memory].resources or Cost()
    return total


def _weakest(standings: Sequence[str]) -> str:
    for holds in (is_modular, is_optimal, lambda standing: standing == "optimal"):
        weak = [one for one in standings if not holds(one)]
        if weak:
            return weak[0]
    return "optimal"
