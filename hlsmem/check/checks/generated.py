"""The design is planned once more, and every file of OUT compared."""

from __future__ import annotations

from hlsmem.core.verdict import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.rebuilt.generated_description import check_generated, unplanned

    if subject.again is None:
        return (unplanned(subject.plan.design),)
    return check_generated(
        subject.out,
        subject.plan.design,
        subject.again(),
        foreign=subject.foreign,
        libraries=subject.libraries,
    )


CHECK = Check(
    name="generated",
    order=10,
    proves="every file of OUT is what this version writes for the design in it",
    on_whose_word="the planner, which plans the design once more",
    run=_run,
    compares_files=True,
)
