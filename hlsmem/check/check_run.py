"""Checks are run on a folder OUT, each within limits."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.check.design_under_check import (
    DesignUnderCheck,
    NoPlan,
    Stop,
    changed_files,
    load_subject,
)
from hlsmem.check.library_versions import Libraries
from hlsmem.core.errors import (
    HlsmemError,
    InputError,
    LimitError,
    MissingToolError,
    Problem,
    ToolError,
)
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import BEATS, CHECKS, Check, Kind, Status, Verdict, exit_code
from hlsmem.plan import main_file
from hlsmem.program.model import ConflictInput, Program
from hlsmem.tools.sandbox import is_isolated
from hlsmem.tools.survey import require

if TYPE_CHECKING:
    from hlsmem.check.rebuilt.generated_description import Maker
    from hlsmem.check.rebuilt.whole_frames import Frames, NoFrames, Planner


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Checks:
    """The verdicts of all checks that were asked for, and warnings that fail nothing.

    `subject` is what was checked, as it was read; `isolated` says whether programs of the design
    ran in a sandbox; `asked` names the checks that were asked for, none where the usual ones ran.
    """

    subject: DesignUnderCheck
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
    """Run the checks on the folder `out`: those named in `only`, else those that run by default.

    With `waves` the simulation writes its signals over time into OUT/sim; `orders` of a class
    are drawn at random and replayed. `replay` and `rtl` stop after so many `beats` of the longest
    stream (None: at the end); then they play whole frames of a smaller plan by the `planner`.
    A folder that another `version` wrote than this one is refused; without one it is foreign, and
    taken as it is. The `maker` plans the design again for `generated`; `libraries` are those that
    the folder was made with, and those here.

    Raises InputError where OUT has no plan or its design cannot be read, LimitError where the only
    check that was asked for is too large.
    """
    asked, only = only, tuple(dict.fromkeys(_RENAMED.get(name, name) for name in only))
    checks = chosen(only)
    subject = replace(load_subject(out, waves=waves), orders=orders)
    if version is not None:
        _refuse_other_versions(subject, version)
    objection = other_plan(subject.document, subject.program or subject.design.input)
    subject = replace(subject, libraries=libraries or Libraries(), foreign=version is None)
    if planner is not None and maker is not None and not objection:
        file, document = main_file(out, subject.plan), subject.document
        plan = partial(_made, maker, subject)
        if not any(check.compares_files for check in checks):  # host C is dear
            plan = partial(planner, file, document["params"], document["overrides"])
        subject = replace(subject, again=cache(partial(_again, plan)))
    if beats is not None:
        subject = replace(subject, stop=cache(partial(_stop, subject, beats, planner)))
    verdicts = [
        verdict
        for check in checks
        for verdict in (
            _refused(check.name, subject, objection)
            if objection
            else _within_limits(check, subject, alone=len(only) == 1)
        )
    ]
    return Checks(
        subject=subject,
        verdicts=tuple(verdicts),
        warnings=(*_renamed(asked), *CHECKS.found().warnings, *changed_files(subject)),
        isolated=is_isolated(),
        asked=only,
    )


# What a check of an earlier release was called, for one release more: the one that has taken over.
_RENAMED = {"exact": "proof"}


def _renamed(asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"check {name!r} has become part of {_RENAMED[name]!r}, which runs in its place"
        for name in dict.fromkeys(asked)
        if name in _RENAMED
    )


def chosen(only: Sequence[str]) -> tuple[Check, ...]:
    """The checks named in `only`, else those that run by default, in order.

    Raises InputError for a name that no check has, or one that does not load.
    """
    found = CHECKS.found()
    problems = [
        Problem(f"check {name!r}: {why}", "mend or remove what brings it")
        for name, why in found.left_out.items()
        if name in only
    ]
    known = "".join(f"\n  {name}: {check.proves}" for name, check in found.items.items())
    problems += [
        Problem(f"there is no check {name!r}", f"choose from{known}")
        for name in dict.fromkeys(only)
        if name not in found.items and name not in found.left_out
    ]
    if problems:
        raise InputError(*problems)
    return tuple(
        check for name, check in found.items.items() if name in only or (not only and check.default)
    )


def _within_limits(check: Check, subject: DesignUnderCheck, *, alone: bool) -> tuple[Verdict, ...]:
    """The verdicts of a check; where it cannot go on, others are still worth having."""
    name = subject.plan.design
    nothing = Verdict(check=check.name, subject=name, status=Status.SKIPPED, detail="")
    strange = [kind for kind in Kind if kind in subject.kinds and kind not in check.for_kinds]
    if strange:
        return (replace(nothing, detail=strange[-1].value),)
    try:
        for tool in check.needs:
            require(tool)
        return _of(check, subject)
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


def _of(check: Check, subject: DesignUnderCheck) -> tuple[Verdict, ...]:
    """The verdicts of a check; one from outside that breaks is no bug of ours.

    Raises ToolError where it does.
    """
    origin = CHECKS.found().origins.get(check.name)
    if origin is None:
        return tuple(check.run(subject))
    try:
        found = tuple(check.run(subject))
    except (HlsmemError, OSError, NoPlan):
        raise
    except Exception as error:
        problem = Problem(f"{origin} broke: {type(error).__name__}: {error}", "mend it")
        raise ToolError(problem) from error
    strange = [one for one in found if getattr(one, "check", None) != check.name]
    if strange:
        problem = Problem(f"{origin} gave {strange[0]!r}", f"give verdicts of {check.name}")
        raise ToolError(problem)
    return found


def _stop(subject: DesignUnderCheck, beats: int, planner: Planner | None) -> Stop | None:
    """The stop of the run, if it has more beats, and whole frames."""
    if subject.program is None:
        return None
    from hlsmem.check.rebuilt.run_prefix import prefix_of
    from hlsmem.check.rebuilt.whole_frames import NoFrames, least_frames

    prefix = prefix_of(subject.program, beats)
    if prefix is None:
        return None
    if planner is None or subject.again is None:
        return Stop(prefix=prefix, frames=NoFrames("nothing plans them"))
    found: Frames | NoFrames
    try:
        found = least_frames(
            subject.out, subject.document, subject.program.context, planner, subject.again
        )
    except NoFrames as reason:
        found = reason
    except NoPlan as reason:
        found = NoFrames(str(reason))
    return Stop(prefix=prefix, frames=found)


def _again(plan: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
    """The files of OUT by a plan that is made now. Raises NoPlan, LimitError or ToolError."""
    try:
        return plan()
    except InputError as error:
        raise NoPlan(f"the design has no plan: {error}") from None


def _made(maker: Maker, subject: DesignUnderCheck) -> Mapping[str, str]:
    """The files of OUT by the design as it was planned: what a search or the machine that planned
    gave it is not taken from plan.json, or from this machine."""
    from hlsmem.program.model import Program
    from hlsmem.read.design import load
    from hlsmem.read.undecided import left_open

    design, plan = subject.design, subject.plan
    if plan.found_order is not None:  # the order that was found, and its step, stand last
        asked = takewhile(lambda one: not one.startswith("schedule="), plan.overrides)
        again = ["schedule=auto"]
        if isinstance(design.input, Program) and design.input.kernel is not None:
            again.extend(left_open(design.input.kernel))
        design = load(main_file(subject.out, plan), settings=[*asked, *again])
    if plan.host_order is not None and plan.has_host_schedule:
        machine = replace(design.host.machine, read=plan.host_order.machine)
        design = replace(design, host=replace(design.host, machine=machine))
    return maker(design)


def _refuse_other_versions(subject: DesignUnderCheck, version: str) -> None:
    """Refuse the output of another version, in which the same words may mean other things."""
    made_by = subject.document["tool"]
    if made_by != version:
        what = f"{subject.out / 'plan.json'}: {made_by} wrote this folder, this is {version}"
        remedy = "run `hlsmem plan` again, or say `--foreign` to judge it as it is"
        raise InputError(Problem(what, remedy))


def _refused(check: str, subject: DesignUnderCheck, objection: str) -> tuple[Verdict, ...]:
    """The verdict on a plan of another design: no check could mean it."""
    name = subject.plan.design
    return (Verdict(check=check, subject=name, status=Status.FAIL, detail=objection),)


def other_plan(document: Mapping[str, Any], source: Program | ConflictInput) -> str:
    """Why this is the plan of another design, by its parameters or its arrays; empty where not."""
    params, values = document["params"], dict(source.values)
    if dict(params) != values:
        return f"params: the plan was made for {_at(params)}, the design says {_at(values)}"
    if isinstance(source, Program):
        wanted = {array.name for array in source.planned_arrays()}
    else:
        wanted = set(source.conflicts)
    planned = set(document["arrays"])
    if planned != wanted:
        return f"arrays: the plan has {_names(planned)}, the design {_names(wanted)}"
    return ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _at(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items()) or "no parameters"
