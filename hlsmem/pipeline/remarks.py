"""What is to be said of a kernel besides its plan: pragmas, and ways of writing that cost."""

from __future__ import annotations

from hlsmem.errors import Problem
from hlsmem.pipeline.pragmas import pragma_remarks
from hlsmem.pipeline.shifts import shift_remarks
from hlsmem.pipeline.storage import Planning


def kernel_remarks(planning: Planning) -> tuple[Problem, ...]:
    """The remarks, those on pragmas first."""
    return (*pragma_remarks(planning), *shift_remarks(planning))
