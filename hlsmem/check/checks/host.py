"""The generated C runs beside the original."""

from __future__ import annotations

from hlsmem.core.verdict import PROGRAMS, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.host_runs.host_check import check_host

    return check_host(subject.out, subject.design, subject.program, subject.plan)


CHECK = Check(
    name="host",
    order=70,
    proves="the generated C gives the results of the original bit for bit, in the cells of"
    " plan.json and within them",
    on_whose_word="C compilers, inputs that are drawn",
    run=_run,
    needs=("C compiler",),
    uses=("clang",),
    for_kinds=PROGRAMS,
)
