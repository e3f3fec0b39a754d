"""What is to be said of a kernel besides its plan: pragmas, and ways of writing that cost."""

from __future__ import annotations

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
    )
