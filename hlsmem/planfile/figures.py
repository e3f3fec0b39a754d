"""The figures of a plan, of an array and in all: what limits hold and what a diff compares.

The one place that works them out. A figure that a plan does not have (blocks without a target,
cycles without a predicted run) is None.
"""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.problem import Bound
from hlsmem.planfile.model import ArrayPlan, Plan
from hlsmem.values import dataclass

# Figures that are numbers, and those that are claims with an order of strength.
NUMBERS = ("cells", "words", "bits", "blocks", "luts", "flip_flops", "cycles", "gap")
CLAIMS = ("standing", "certificate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Figures of an array, or of all arrays of a plan.

    `bits` are cells times the bits of an element, `words` count copies and padding; `gap` is
    cells above the best bound, None where there is none. `standing` and `certificate` are those
    of an array; of several arrays the weakest.
    """

    cells: int
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


def standing_of(cells: int, bounds: Sequence[Bound]) -> str:
    """How a size compares with its bounds: optimal, optimal among .., or the gap.

    Max-live and cliques speak of all mappings, others of lattices. With a witness a bound speaks
    of those that are right for a class.

    >>> standing_of(1, [])
    'optimal'
    """
    limit = max(bounds, key=lambda bound: bound.cells, default=None)
    reached = [bound for bound in bounds if bound.cells == cells]
    if cells == 1 or any(b.kind in ("max-live", "clique") and not b.witness for b in reached):
        return "optimal"
    if any(bound.witness for bound in reached):
        return "optimal for the class"
    if limit is None:
        return "no bound known"
    if limit.cells == cells:
        return "optimal among modular mappings"
    return f"{cells - limit.cells} above {limit.kind}"


def is_optimal(standing: str) -> bool:
    """Whether no mapping of any kind, right for as many orders, has fewer cells."""
    return standing in ("optimal", "optimal for the class")


def is_modular(standing: str) -> bool:
    """Whether no modular mapping has fewer cells."""
    return is_optimal(standing) or standing == "optimal among modular mappings"


def words_of(plan: Plan, array: str) -> int:
    """Words of all memories that hold an array, copies among them."""
    return sum(plan.memories[part.memory].words for part in plan.arrays[array].parts)


def metrics_of(plan: Plan, array: str) -> Metrics:
    """The figures of one array of a plan; it has no cycles of its own."""
    one = plan.arrays[array]
    cost = _cost(plan, one)
    best = max((bound.cells for bound in one.bounds), default=None)
    cells = one.mapping.cells
    return Metrics(
        cells=cells,
        words=words_of(plan, array),
        bits=cells * one.bits,
        blocks=None if cost is None else cost.blocks,
        luts=None if cost is None else cost.luts,
        flip_flops=None if cost is None else cost.flip_flops,
        cycles=None,
        gap=None if best is None else cells - best,
        standing=standing_of(cells, one.bounds),
        certificate="all-parameters"
        if one.mapping.certificate.is_complete
        else one.mapping.certificate.scope,
    )


def total_of(plan: Plan) -> Metrics:
    """The figures of all arrays of a plan; without a target it has no blocks, LUTs, flip-flops."""
    parts = [metrics_of(plan, name) for name in plan.arrays]
    cost = None if plan.target is None else plan.resources
    gaps = [part.gap for part in parts]
    return Metrics(
        cells=sum(part.cells for part in parts),
        words=sum(memory.words for memory in plan.memories.values()),
        bits=sum(part.bits for part in parts),
        blocks=None if cost is None else cost.blocks,
        luts=None if cost is None else cost.luts,
        flip_flops=None if cost is None else cost.flip_flops,
        cycles=None if plan.timing is None else plan.timing.cycles,
        gap=None if None in gaps else sum(gap or 0 for gap in gaps),
        standing=_weakest([part.standing for part in parts]),
        certificate=next(
            (part.certificate for part in parts if part.certificate != "all-parameters"),
            "all-parameters",
        ),
    )


def _cost(plan: Plan, array: ArrayPlan) -> Cost | None:
    if plan.target is None:
        return None
    total = Cost()
    for part in array.parts:
        total += plan.memories[part.memory].resources or Cost()
    return total


def _weakest(standings: Sequence[str]) -> str:
    for holds in (is_modular, is_optimal, lambda standing: standing == "optimal"):
        weak = [one for one in standings if not holds(one)]
        if weak:
            return weak[0]
    return "optimal"
