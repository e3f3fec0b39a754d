"""The array as declared: every element has its own cell."""

from __future__ import annotations

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.box import declared_box
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.method import Method, Proposal, endless_reason, proved
from hlsmem.mapping.storage_mapping import Mapping, NoMapping, unfolded


def run(problem: StorageProblem, budget: int) -> Mapping | NoMapping:
    """The identity modulo the declared extents, or modulo the box around the elements.

    No search: the budget is not used.
    """
    del budget
    conflicts = conflicts_of(problem)
    if not conflicts.differences.is_bounded():
        return NoMapping(method=METHOD.name, reason=endless_reason(conflicts))
    box = declared_box(conflicts)
    if box is None:
        return NoMapping(
            method=METHOD.name,
            reason="nothing declares the size: neither extents nor bounded elements are known",
        )
    offset = tuple(-lower for lower in box.lower)
    proposal = Proposal(piece=unfolded(box.extents, offset), work=0)
    return proved(proposal, conflicts, METHOD.name)


METHOD = Method(
    name="declared",
    description="the array as declared, not folded",
    source="the program itself",
    run=run,
    folds=False,
)
