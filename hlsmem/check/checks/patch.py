"""The user's source comes back with the plan's storage, and does what it did."""

from __future__ import annotations

from hlsmem.core.verdict import Check, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.returned.patch_check import check_patch

    return check_patch(subject.out, subject.design, subject.plan)


CHECK = Check(
    name="patch",
    order=75,
    proves="OUT/source is what its patches make of your files, and gives their results bit for bit",
    on_whose_word="a C compiler, inputs that are drawn",
    run=_run,
    needs=("C compiler",),
    for_kinds=(Kind.KERNEL, Kind.CLASS),
)
