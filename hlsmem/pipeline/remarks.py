"""What is to be said of a program besides its plan: limits of work, pragmas, costly writing."""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.errors import Problem
from hlsmem.pipeline.folding import Folded
from hlsmem.pipeline.kept import assumed_latencies
from hlsmem.pipeline.placement import Placement
from hlsmem.pipeline.pragmas import pragma_remarks
from hlsmem.pipeline.shifts import shift_remarks


def kernel_remarks(found: Folded, placement: Placement) -> tuple[Problem, ...]:
    """The remarks, those on pragmas first."""
    return (
        *pragma_remarks(found, placement),
        *shift_remarks(found, placement),
        *assumed_latencies(found.design),
        *_limits(placement),
    )


def _limits(placement: Placement) -> Iterator[Problem]:
    """A remark on each array whose beats were listed, as isl would have taken too much work."""
    for circuit in () if placement.chosen is None else placement.chosen.circuits:
        if circuit.limit:
            what = f"the beats of {circuit.array!r} were listed one by one: {circuit.limit}"
            yield Problem(what, "the plan is as good; of larger sizes there may be no Verilog")
