"""What is to be said of a program besides its plan: limits of work, pragmas, costly writing."""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.core.errors import Problem
from hlsmem.planner.array_folding import Folded
from hlsmem.planner.hardware.shift_registers import shift_remarks
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.planner.remarks.datapath_remarks import assumed_latencies
from hlsmem.planner.remarks.pragma_remarks import pragma_remarks


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
