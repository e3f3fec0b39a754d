"""The Verilog is linted, read back and simulated."""

from __future__ import annotations

from hlsmem.core.verdict import PROGRAMS, Check, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.rebuilt.whole_frames import with_frames

    return with_frames(subject, _of_one)


def _of_one(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.design_under_check import described
    from hlsmem.check.rtl.rtl_verdicts import check_rtl

    stop = subject.stop()
    with described(subject) as description:
        return check_rtl(
            subject.out,
            subject.design,
            subject.program,
            subject.plan,
            subject.document,
            description,
            waves=subject.waves,
            prefix=None if stop is None else stop.prefix,
        )


CHECK = Check(
    name="rtl",
    order=80,
    proves="the Verilog brings the values of a real run in every beat, with and without stalls, in"
    " the cycles of plan.json, each access at its own address",
    on_whose_word="the simulator, inputs that are drawn",
    run=_run,
    needs=("cocotb", "simulator"),
    uses=("Yosys",),
    for_kinds=PROGRAMS | {Kind.CONFLICTS},
)
