"""Checks: what `hlsmem check` proves again from the files in OUT alone."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem import files
from hlsmem.errors import InputError, LimitError, MissingToolError, Problem, ToolError
from hlsmem.options import Design
from hlsmem.planfile import Plan, from_anybody, main_file
from hlsmem.planfile.bounded import read_text
from hlsmem.planfile.folder import refuse_strange
from hlsmem.program import Program
from hlsmem.tools.sandbox import is_isolated
from hlsmem.values import dataclass
from hlsmem.verdict import BEATS, Extent, Status, Verdict, exit_code
from hlsmem.verification.agreement import other_plan
from hlsmem.verification.libraries import Libraries
from hlsmem.verification.rules import Rules, rules_of, with_rules
from hlsmem.watchdog import scratch

if TYPE_CHECKING:
    from hlsmem.verification.frames import Frames, NoFrames, Planner
    from hlsmem.verification.generated import Maker
    from hlsmem.verification.prefix import Prefix

__all__ = [
    "Checks",
    "Status",
    "Subject",
    "Verdict",
    "check_names",
    "load_subject",
    "read_verdicts",
    "run_checks",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Everything a check may look at, read from OUT.

    `program` has the arrival and departure statements of its streams and is None for a bare
    conflict set; `document` is plan.json as it stands, numbers and formulas. `again` gives the
    files of OUT by planning the design once more, and what describes its Verilog to benches; None
    where nothing plans.
    """

    out: Path
    design: Design
    program: Program | None
    plan: Plan
    document: Mapping[str, Any]
    waves: bool = False
    orders: int = 20
    prefix: Prefix | None = None
    frames: Frames | NoFrames | None = None
    again: Callable[[], Mapping[str, str]] | None = None
    libraries: Libraries = Libraries()
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Checks:
    """The verdicts of all checks that were asked for, and warnings that fail nothing.

    `subject` is what was checked, as it was read; `isolated` says whether programs of the design
    ran in a sandbox; `asked` names the checks that were asked for, none where the usual ones ran.
    """

    subject: Subject
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...] = ()
    isolated: bool = True
    asked: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fine = sum(verdict.fine for verdict in self.verdicts)
        return f"<Checks: {fine} of {len(self.verdicts)} fine>"

    @property
    def exit_code(self) -> int:
        """1 where a check failed, 3 where one could not judge, else 0."""
        return exit_code(self.verdicts, self.asked)


def run_checks(
    out: Path,
    only: tuple[str, ...] = (),
    *,
    waves: bool = False,
    orders: int = 20,
    beats: int | None = BEATS,
    version: str | None = None,
    planner: Planner | None = None,
    maker: Maker | None = None,
    libraries: Libraries | None = None,
) -> Checks:
    """Run the checks on the folder `out`: those named in `only`, else all but `formal`.

    With `waves` the simulation writes its signals over time into OUT/sim; `orders` of a class
    are drawn at random and replayed. `replay` and `rtl` stop after so many `beats` of the longest
    stream (None: at the end); then they play whole frames of a smaller plan by the `planner`.
    A folder that another `version` wrote than this one is refused; without one it is foreign, and
    taken as it is. The `maker` plans the design again for `generated`; `libraries` are those that
    the folder was made with, and those here.

    Raises InputError where OUT has no plan or its design cannot be read, LimitError where the only
    check that was asked for is too large.
    """
    unknown = [name for name in only if name not in _CHECKS]
    if unknown:
        problem = Problem(f"there is no check {unknown[0]!r}", f"choose from {', '.join(_CHECKS)}")
        raise InputError(problem)
    subject = replace(load_subject(out, waves=waves), orders=orders)
    if version is not None:
        _refuse_other_versions(subject, version)
    objection = other_plan(subject.document, subject.program or subject.design.input)
    subject = replace(subject, libraries=libraries or Libraries(), foreign=version is None)
    if planner is not None and maker is not None and not objection:
        file, document = main_file(out, subject.plan), subject.document
        plan = partial(_made, maker, subject)
        if only and "generated" not in only:  # host C is dear, and nobody looks at it
            plan = partial(planner, file, document["params"], document["overrides"])
        subject = replace(subject, again=cache(partial(_again, plan)))
    if beats is not None and (not only or {"reading", "replay", "rtl"}.intersection(only)):
        subject = _stopping(subject, beats, planner)
    verdicts = [
        verdict
        for name, check in _CHECKS.items()
        if name in only or (not only and name not in _ASKED_FOR)
        for verdict in (
            _refused(name, subject, objection)
            if objection
            else _within_limits(name, check, subject, alone=len(only) == 1)
        )
    ]
    return Checks(
        subject=subject,
        verdicts=tuple(verdicts),
        warnings=_warnings(subject),
        isolated=is_isolated(),
        asked=only,
    )


def _within_limits(
    name: str, check: Callable[[Subject], tuple[Verdict, ...]], subject: Subject, *, alone: bool
) -> tuple[Verdict, ...]:
    """The verdicts of a check; where it cannot go on, others are still worth having."""
    nothing = Verdict(check=name, subject=subject.plan.design, status=Status.SKIPPED, detail="")
    try:
        return _of(name, check, subject)
    except MissingToolError as error:
        return (replace(nothing, detail=error.problems[0].what, remedy=error.command),)
    except NoPlan as error:
        return (replace(nothing, status=Status.FAIL, detail=str(error)),)
    except ToolError as error:
        detail = str(error)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        detail = f"cannot write '{error.filename}': {error.strerror}; see TMPDIR"
    except LimitError as error:
        if alone:
            raise
        detail = f"a limit was hit: {error}"
    return (replace(nothing, status=Status.NOT_JUDGED, detail=detail),)


def _of(
    name: str, check: Callable[[Subject], tuple[Verdict, ...]], subject: Subject
) -> tuple[Verdict, ...]:
    """The verdicts of a check; of a plan whose own schedule is not in its class, of that class."""
    if not any(
        one.orders is not None and one.orders.outside for one in subject.plan.arrays.values()
    ):
        return check(subject)
    found = {
        "generated": _generated,
        "source": _source,
        "proof": _proof,
        "reading": _reading,
        "exact": _exact_of_the_class,
        "replay": _replay_of_the_class,
    }
    if name in found:
        return found[name](subject)
    reason = "the design's own schedule is not in the class that the plan is for"
    return (
        Verdict(
            check=name,
            subject=subject.plan.design,
            status=Status.SKIPPED,
            detail=reason,
        ),
    )


def _stopping(subject: Subject, beats: int, planner: Planner | None) -> Subject:
    """The subject with the beginning of its run, where that has more beats, and whole frames."""
    if subject.program is None:
        return subject
    from hlsmem.verification.frames import NoFrames, least_frames
    from hlsmem.verification.prefix import prefix_of

    prefix = prefix_of(subject.program, beats)
    if prefix is None:
        return subject
    if planner is None or subject.again is None:
        return replace(subject, prefix=prefix, frames=NoFrames("nothing plans them"))
    found: Frames | NoFrames
    try:
        found = least_frames(
            subject.out, subject.document, subject.program.context, planner, subject.again
        )
    except NoFrames as reason:
        found = reason
    except NoPlan as reason:
        found = NoFrames(str(reason))
    return replace(subject, prefix=prefix, frames=found)


def _with_frames(
    subject: Subject, check: Callable[[Subject], tuple[Verdict, ...]]
) -> tuple[Verdict, ...]:
    """The verdicts on the beginning of a run, where it stops early, and on whole frames."""
    found = check(subject)
    prefix, frames = subject.prefix, subject.frames
    if prefix is None or frames is None or not all(verdict.fine for verdict in found):
        return found
    from hlsmem.verification.frames import Frames, NoFrames, OtherText

    extent = Extent(stream=prefix.stream, beats=prefix.beats, total=prefix.total)
    if isinstance(frames, NoFrames):
        extent = replace(extent, reason=str(frames))
        if isinstance(frames, OtherText) and any(one.check == "rtl" for one in found):
            detail = f"{frames}; a run that stops early does not see its end: `--beats all`"
            first, *others = (replace(one, extent=extent) for one in found)
            return (replace(first, status=Status.FAIL, detail=detail), *others)
        return tuple(replace(one, extent=extent) for one in found)
    assert isinstance(frames, Frames)
    extent = replace(extent, sizes=frames.sizes)
    with scratch("hlsmem-frames-") as folder:
        frames.written(folder)
        whole = check(load_subject(folder))
    at = ", ".join(f"{key}={value}" for key, value in frames.sizes.items())
    wrong = {
        one.subject: replace(one, detail=f"whole at {at}: {one.detail}")
        for one in whole
        if not one.fine
    }
    judged = [wrong.pop(one.subject, replace(one, extent=extent)) for one in found]
    return (*judged, *wrong.values())


class NoPlan(Exception):
    """The design in OUT has no plan; says why."""


def _again(plan: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
    """The files of OUT by a plan that is made now. Raises NoPlan, LimitError or ToolError."""
    try:
        return plan()
    except InputError as error:
        raise NoPlan(f"the design has no plan: {error}") from None


def _made(maker: Maker, subject: Subject) -> Mapping[str, str]:
    """The files of OUT by the design as it was planned: what a search or the machine that planned
    gave it is not taken from plan.json, or from this machine."""
    from hlsmem.read.design import load

    design, plan = subject.design, subject.plan
    if plan.found_order is not None:  # the order that was found, and its step, stand last
        asked = takewhile(lambda one: not one.startswith("schedule="), plan.overrides)
        design = load(main_file(subject.out, plan), settings=[*asked, "schedule=auto"])
    if plan.host_order is not None and plan.has_own_order:
        machine = replace(design.host.machine, read=plan.host_order.machine)
        design = replace(design, host=replace(design.host, machine=machine))
    return maker(design)


def _refuse_other_versions(subject: Subject, version: str) -> None:
    """What another version wrote may mean other things by the same words."""
    made_by = subject.document["tool"]
    if made_by != version:
        what = f"{subject.out / 'plan.json'}: {made_by} wrote this folder, this is {version}"
        remedy = "run `hlsmem plan` again, or say `--foreign` to judge it as it is"
        raise InputError(Problem(what, remedy))


def _refused(check: str, subject: Subject, objection: str) -> tuple[Verdict, ...]:
    """The verdict on a plan of another design: no check could mean it."""
    name = subject.plan.design
    return (Verdict(check=check, subject=name, status=Status.FAIL, detail=objection),)


def read_verdicts(out: Path) -> tuple[Verdict, ...]:
    """The verdicts that `hlsmem check` left in OUT/checks.json; none where it has not run."""
    try:
        document = json.loads(files.read_text(out / "checks.json"))
        return tuple(map(Verdict.of, document["checks"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def check_names() -> tuple[str, ...]:
    """The names of the checks, in the order they run."""
    return tuple(_CHECKS)


def load_subject(out: Path, *, waves: bool = False) -> Subject:
    """What OUT says: the plan, and the design it was made from, read again."""
    from hlsmem.read.design import load
    from hlsmem.verification.arrangement import arranged

    refuse_strange(out)
    file = out / "plan.json"
    text = read_text(file, f"run `hlsmem plan DESIGN -o {out}` first")
    plan = from_anybody(text, str(file))
    document = json.loads(text)
    design = load(main_file(out, plan), settings=plan.overrides)
    program = arranged(design.input) if isinstance(design.input, Program) else None
    return Subject(
        out=out, design=design, program=program, plan=plan, document=document, waves=waves
    )


def _warnings(subject: Subject) -> tuple[str, ...]:
    """Files of OUT/design that are not the ones the plan was made from."""
    found = []
    for name, expected in subject.plan.inputs.items():
        file = subject.out / "design" / name
        try:
            digest = "sha256:" + hashlib.sha256(files.read_bytes(file)).hexdigest()
        except OSError:
            found.append(f"{file} is missing; the plan was made from it")
            continue
        if digest != expected:
            found.append(f"{file} was changed after the plan was made from it")
    return tuple(found)


def _reading(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.frames import Frames
    from hlsmem.verification.reading import check_reading

    if subject.prefix is None or not isinstance(subject.frames, Frames):
        return check_reading(subject.out, subject.design, subject.plan)
    # A long run is not recorded: what is rewritten is the same at all sizes.
    with scratch("hlsmem-frames-") as folder:
        subject.frames.written(folder)
        whole = load_subject(folder)
        return check_reading(whole.out, whole.design, whole.plan)


def _exact(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.exact import check_exact

    found = check_exact(subject.design, subject.program, subject.plan, subject.document)
    return (*found, *_exact_in_the_order_of_c(subject), *_exact_of_the_class(subject))


def _exact_of_the_class(subject: Subject) -> tuple[Verdict, ...]:
    """The check `exact` for all orders of the class that the design asks for."""
    from hlsmem.verification.classes import check_class_exact

    if subject.program is None:
        return ()
    return check_class_exact(subject.design, subject.program, subject.document)


def _exact_in_the_order_of_c(subject: Subject) -> tuple[Verdict, ...]:
    """The check `exact` once more where the C in OUT/host puts equal times into an order."""
    from hlsmem.verification.exact import check_exact
    from hlsmem.verification.serial import in_the_order_of_c

    program, given = subject.program, subject.design.input
    if program is None or not isinstance(given, Program):
        return ()
    if not (subject.out / "host" / f"{program.name}.c").is_file():
        return ()
    serial = in_the_order_of_c(given, program)
    if serial is program:
        return ()
    # C has no ports and no beats: neither `strict` nor slack says anything about it.
    options = replace(subject.design.plan, strict=False, slack=0)
    design = replace(subject.design, plan=options)
    document = with_rules(subject.document, Rules(rules_of(subject.document).order))
    found = check_exact(design, serial, subject.plan, document, hardware=False)
    return tuple(replace(one, subject=f"{one.subject} in C") for one in found)


def _replay(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.replay import check_replay, replayable

    if subject.program is not None and subject.prefix is not None:
        subject = replace(subject, prefix=replayable(subject.program, subject.prefix))

    def check(one: Subject) -> tuple[Verdict, ...]:
        return check_replay(one.design, one.program, one.plan, one.document, one.prefix)

    return (*_with_frames(subject, check), *_replay_of_the_class(subject))


def _replay_of_the_class(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.classes import check_class_replay

    if subject.program is None:
        return ()
    return check_class_replay(
        subject.design, subject.program, subject.document, orders=subject.orders
    )


def _host(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.host import check_host

    return check_host(subject.out, subject.design, subject.program, subject.plan)


def _rtl(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.rtl import check_rtl

    def check(one: Subject) -> tuple[Verdict, ...]:
        with _described(one) as description:
            return check_rtl(
                one.out,
                one.design,
                one.program,
                one.plan,
                one.document,
                description,
                waves=one.waves,
                prefix=one.prefix,
            )

    return _with_frames(subject, check)


def _formal(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.formal import check_formal

    with _described(subject) as description:
        return check_formal(
            subject.out, subject.program, subject.plan, subject.document, description
        )


@contextmanager
def _described(subject: Subject) -> Iterator[Path]:
    """A file that describes the Verilog of a design to benches, as planning the design gives it;
    one that is not there where it gives none. Where nothing plans, that of the folder.

    Raises NoPlan where the design has none.
    """
    name = f"sim/{subject.plan.design}.json"
    if subject.again is None:
        yield subject.out / name
        return
    text = subject.again().get(name)
    with scratch("hlsmem-described-") as folder:
        file = folder / Path(name).name
        if text is not None:
            file.write_text(text, encoding="utf-8")
        yield file


def _source(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.source import check_source

    return check_source(subject.design, subject.program, subject.document)


def _proof(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.proof import check_proof

    return check_proof(subject.plan.design, json.dumps(subject.document))


def _generated(subject: Subject) -> tuple[Verdict, ...]:
    from hlsmem.verification.generated import check_generated, unplanned

    design, again = subject.plan.design, subject.again
    if again is None:
        return (unplanned(design, Status.SKIPPED, "nothing plans the design again"),)
    return check_generated(
        subject.out, design, again(), foreign=subject.foreign, libraries=subject.libraries
    )


_CHECKS: dict[str, Callable[[Subject], tuple[Verdict, ...]]] = {
    "generated": _generated,
    "source": _source,
    "proof": _proof,
    "reading": _reading,
    "exact": _exact,
    "replay": _replay,
    "host": _host,
    "rtl": _rtl,
    "formal": _formal,
}
# Takes tools that nothing else needs, so it runs where it is asked for by name.
_ASKED_FOR = frozenset({"formal"})
