"""The Verilog is proved by induction."""

from __future__ import annotations

from hlsmem.verdict import PROGRAMS, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.verdict import Verdict
    from hlsmem.verification.subject import Subject


def _run(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.formal import check_formal
    from hlsmem.verification.subject import described

    program = subject.program
    assert program is not None
    with described(subject) as description:
        return check_formal(subject.out, program, subject.plan, subject.document, description)


CHECK = Check(
    name="formal",
    order=90,
    proves="addresses, gates and control of the Verilog are right in every run, by induction",
    on_whose_word="Yosys and the solver",
    run=_run,
    needs=("SMT solver", "Yosys"),
    default=False,
    for_kinds=PROGRAMS,
)
