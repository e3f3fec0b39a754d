"""`hlsmem plan`: the memories of a design are planned, and OUT is written."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.folder import print_kept
from hlsmem.cli.request import Request
from hlsmem.verb import Option, Verb, asked, of_a_design, shown

if TYPE_CHECKING:
    from hlsmem.api import Planning, Settings
    from hlsmem.planner.plan_assembly import Planning as Worked
    from hlsmem.program.options import Design
    from hlsmem.read.design_folder import Folder

_NONE: Mapping[str, Any] = {}
# Calls with a value, from which on a profile makes a version for it; values in a line of one.
_OFTEN = 2
_VALUE = re.compile(r"(\w+)=(-?\d{1,18})(?!\S)")


def plan(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    profile: str | Path | None = None,
) -> Planning:
    """The plan of a design: words in hardware, cells in C, cycles; nothing is written.

    `design` is a path, an OUT, or a Design; `settings` are keys of design.yaml, `params` values of
    parameters. A `profile` is the file of a counting build, which C is made for (`host.profile`).
    Raises InputError with all problems found, LimitError where isl needs more work than allowed.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> planning = plan(load(text=kernel, name="k.c"))
    >>> planning
    <Planning of k: in 1, out 1, t 3 words>
    >>> planning.arrays["t"].bound.cells, planning.arrays["t"].cell(5)
    (3, 5)
    """
    from hlsmem.api import Planning, given_design
    from hlsmem.planner.planning_sequence import plan_design

    given = given_design(design, params, settings)
    if profile is not None:
        given = profiled(given, Path(profile))
    worked = plan_design(given)
    return Planning(plan=worked.plan, _known=[worked])


def profiled(design: Design, file: Path) -> Design:
    """The design with versions for the values that a counting build has seen twice or more.

    These are values of the parameters that the design is specialised for, in the context. Raises
    InputError where there are none, and for what is no such file.
    """
    from hlsmem.core.errors import InputError, Problem
    from hlsmem.core.source_location import SourceLocation
    from hlsmem.read.design import changed

    kernel = design.kernel
    if kernel is None or not kernel.fixed:
        what = f"--profile {file}: the design is specialised for no parameter"
        raise InputError(Problem(what, "add host: {specialise: auto}, or name parameters there"))
    seen = {name: Counter[int]() for name in kernel.fixed}
    for number, line in enumerate(_lines(file), start=1):
        values = dict(_VALUE.findall(line))
        if not set(seen) <= set(values):
            place = SourceLocation(file=str(file), line=number, column=1, text=line)
            what = f"the line does not say the value of {', '.join(seen)}"
            remedy = "take a file that a build with -D.._PROFILE has written"
            raise InputError(Problem(what, remedy, place))
        for name, counted in seen.items():
            counted[int(values[name])] += 1
    given = {
        name: sorted(value for value, times in counted.items() if times >= _OFTEN)
        for name, counted in seen.items()
    }
    texts = ", ".join(f"{name}: {values}" for name, values in given.items())
    return changed(design, [f"host.specialise={{{texts}}}"], option="--profile")


def _lines(file: Path) -> list[str]:
    from hlsmem.core.errors import InputError, Problem
    from hlsmem.core.user_files import read_text

    try:
        return read_text(file).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        what = f"--profile {file}: {getattr(error, 'strerror', None) or 'it is no text'}"
        raise InputError(Problem(what, "check the name")) from None


def _print(
    planning: Planning, *, request: Request, out: Path | None, debug: Path | None, as_json: bool
) -> int:
    """Write OUT whole or not at all, print the report or plan.json."""
    from hlsmem.core.wording import visible
    from hlsmem.emit.output_folder import write_folder
    from hlsmem.questions.run_page import plan_files

    worked = planning.worked()
    if debug is not None:
        from hlsmem.emit.debug_files import debug_files

        write_folder(
            debug, debug_files(worked.design.input, worked.program, worked.problems, worked.plan)
        )
    files = plan_files(worked)
    folder = out if out is not None else Path("build") / worked.plan.design
    kept = write_folder(folder, files)
    print(files["plan.json"] if as_json else visible(files["report.md"]), end="")
    print(f"written to {folder}", file=sys.stderr)
    print_kept(folder, kept)
    _print_remarks(request.folder, worked)
    _print_source(worked, files, folder)
    return _print_broken_limits(request.folder, worked)


def _print_source(planning: Worked, files: Mapping[str, str], out: Path) -> None:
    """How much of the user's source changes, where there is one."""
    from hlsmem.emit.source_patch import SOURCE_SECTION, source_line

    if planning.design.kernel is not None:
        before = {one.name: one.on_disk for one in planning.design.sources}
        patches = {
            name: files[f"source/{name}.patch"] for name in before if f"source/{name}" in files
        }
        has_kept = SOURCE_SECTION in files
        print(source_line(patches, before, str(out), has_kept=has_kept), file=sys.stderr)


def _print_broken_limits(folder: Folder, planning: Worked) -> int:
    """Each limit that is not met, at its line; the exit code."""
    from hlsmem.questions.broken_limits import broken_limits
    from hlsmem.read.design import seen_from

    broken = broken_limits(planning)
    for one in broken:
        print(seen_from(folder, one), file=sys.stderr)
    return 1 if broken else 0


def _print_remarks(folder: Folder, planning: Worked) -> None:
    """Print remarks on a program, and for a kernel why arrays of its own are not planned; they are
    printed last.
    """
    from dataclasses import replace

    from hlsmem.cli.command import problem_text, wants_colour
    from hlsmem.core.wording import counted
    from hlsmem.planner.remarks.private_remarks import cells_if_static
    from hlsmem.program.model import Program, values_name
    from hlsmem.read.c.remarks import without_streams
    from hlsmem.read.design import seen_from

    given, planned = planning.design.input, planning.plan.arrays
    if not isinstance(given, Program):
        return
    own = {} if given.kernel is None else given.kernel.remarks
    for name in given.expand:
        if values_name(name) not in planned:
            what = (
                f"plan.expand: every element of {name!r} has one value already; it stays as it is"
            )
            print(f"note: {what}", file=sys.stderr)
    remarks = {
        name: remark
        for name, remark in own.items()
        if given.is_state(name) or (name not in planned and (name or not planned))
    }
    for name, cells in cells_if_static(planning).items():
        if name in remarks:
            remedy = f"{remarks[name].remedy}: it would take {counted(cells, 'cell')}"
            remarks[name] = replace(remarks[name], remedy=remedy)
    others = [*without_streams(given), *planning.remarks]
    found = [seen_from(folder, remark) for remark in [*remarks.values(), *others]]
    texts = [problem_text(one, colour=wants_colour(sys.stderr)) for one in found]
    for text in dict.fromkeys(texts):  # of the members of a struct they may be the same
        print(f"remark: {text}", file=sys.stderr)


VERB = Verb(
    name="plan",
    summary="plan the memories of a design and write OUT",
    order=10,
    options=(
        *of_a_design(is_printed=True),
        shown("-o", "--out", type=Path, metavar="OUT", help="default: build/<name>"),
        Option(
            flags=("--method",),
            keyword="method",
            arguments={
                "metavar": "NAME[:VARIANT]",
                "help": "use this method instead of the best",
            },
            setting="plan.method",
        ),
        shown("--debug", type=Path, metavar="DIR", help="write every intermediate value"),
        asked(
            "--profile",
            type=Path,
            metavar="FILE",
            help="versions of the C for values that a counting build has seen twice (host.profile)",
        ),
        shown(
            "--json",
            keyword="as_json",
            action="store_true",
            help="print plan.json instead of the report",
        ),
    ),
    run=plan,
    print=_print,
    design=Request.load,
    names_files=True,
)
