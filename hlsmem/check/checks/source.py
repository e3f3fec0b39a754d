"""The program that plan.json states is held against the design."""

from __future__ import annotations

from hlsmem.core.verdict import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.rebuilt.source_check import check_source

    return check_source(subject.design, subject.program, subject.document)


CHECK = Check(
    name="source",
    order=20,
    proves="the program in plan.json is the design's: sets, schedules, accesses, types, extents",
    on_whose_word="the design as it is read, isl",
    run=_run,
)
