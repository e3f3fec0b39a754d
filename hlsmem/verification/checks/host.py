"""The generated C runs beside the original."""

from __future__ import annotations

from hlsmem.verdict import PROGRAMS, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.verdict import Verdict
    from hlsmem.verification.subject import Subject


def _run(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.host import check_host

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
