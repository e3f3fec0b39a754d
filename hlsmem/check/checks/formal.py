"""The Verilog is proved by induction."""

from __future__ import annotations

from hlsmem.core.verdict import PROGRAMS, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.design_under_check import described
    from hlsmem.check.formal import check_formal

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
