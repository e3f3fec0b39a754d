"""The C as it was rewritten does what the user's files do."""

from __future__ import annotations

from hlsmem.core.verdict import Check, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.c_runs.reading_check import check_reading
    from hlsmem.check.rebuilt.whole_frames import Frames

    stop = subject.stop()
    if stop is None or not isinstance(stop.frames, Frames):
        return check_reading(subject.out, subject.design, subject.plan)
    # A long run is not recorded: what is rewritten is the same at all sizes.
    with stop.frames.subject() as whole:
        return check_reading(whole.out, whole.design, whole.plan)


CHECK = Check(
    name="reading",
    order=40,
    proves="your files and design/normal.c store the same bytes in the same order, after loads that"
    " saw the same stores",
    on_whose_word="clang, inputs that are drawn",
    run=_run,
    uses=("clang",),
    for_kinds=(Kind.KERNEL, Kind.CLASS),
)
