"""The original runs again over the folded memory, with a tag on every cell."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.core.verdict import PROGRAMS, Check, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.check.design_under_check import DesignUnderCheck
    from hlsmem.core.verdict import Verdict


def _run(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    if Kind.CLASS in subject.kinds:
        return _of_the_class(subject)
    from hlsmem.check.rebuilt.whole_frames import with_frames
    from hlsmem.check.replayed.replay_check import replayable

    stop = subject.stop()
    if stop is not None and subject.program is not None:
        shorter = replace(stop, prefix=replayable(subject.program, stop.prefix))
        subject = replace(subject, stop=lambda: shorter)
    return (*with_frames(subject, _of_one), *_of_the_class(subject))


def _of_one(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.replayed.replay_check import check_replay

    stop = subject.stop()
    prefix = None if stop is None else stop.prefix
    return check_replay(subject.design, subject.program, subject.plan, subject.document, prefix)


def _of_the_class(subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    from hlsmem.check.orders.class_replay import check_class_replay

    if subject.program is None:
        return ()
    return check_class_replay(
        subject.design, subject.program, subject.document, orders=subject.orders
    )


CHECK = Check(
    name="replay",
    order=60,
    proves="each read of the original, run over the folded memory, finds its own element and value",
    on_whose_word="the C compiler, inputs that are drawn",
    run=_run,
    needs=("C compiler",),
    for_kinds=PROGRAMS | {Kind.CLASS},
)
