"""The program that plan.json states is held against the design."""

from __future__ import annotations

from hlsmem.verdict import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.verdict import Verdict
    from hlsmem.verification.subject import Subject


def _run(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.source import check_source

    return check_source(subject.design, subject.program, subject.document)


CHECK = Check(
    name="source",
    order=20,
    proves="the program in plan.json is the design's: sets, schedules, accesses, types, extents",
    on_whose_word="the design as it is read, isl",
    run=_run,
)
