"""One function per verb: reads files, calls the pipeline, prints; returns the exit code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.errors import InputError, Problem, ToolError
from hlsmem.files import read_text
from hlsmem.verdict import BEATS
from hlsmem.wording import visible

if TYPE_CHECKING:
    from hlsmem.cli.request import Request
    from hlsmem.pipeline.plan import Planning
    from hlsmem.read.folder import Folder
    from hlsmem.verification import Subject, Verdict


def plan(
    request: Request,
    *,
    out: Path | None,
    as_json: bool,
    debug: Path | None,
    profile: Path | None,
) -> int:
    """Plan a design, write OUT whole or not at all, print the report or plan.json."""
    from hlsmem.emit.folder import write_folder
    from hlsmem.pipeline.answers import plan_design
    from hlsmem.questions.view import plan_files

    design = request.load()
    if profile is not None:
        from hlsmem.pipeline.versions import profiled

        design = profiled(design, profile)
    with request.naming_files():
        planning = plan_design(design)
    if debug is not None:
        from hlsmem.emit.debug import debug_files

        write_folder(
            debug,
            debug_files(planning.design.input, planning.program, planning.problems, planning.plan),
        )
    files = plan_files(planning)
    text = files["report.md"]
    folder = out if out is not None else Path("build") / planning.plan.design
    kept = write_folder(folder, files)
    print(files["plan.json"] if as_json else visible(text), end="")
    print(f"written to {folder}", file=sys.stderr)
    _print_kept(folder, kept)
    _print_remarks(request.folder, planning)
    return _print_broken_limits(request.folder, planning)


def _print_kept(out: Path, kept: Sequence[str]) -> None:
    """What somebody had changed in OUT, and where it is now."""
    for name in kept:
        print(f"{out / name}: yours, kept beside what was written", file=sys.stderr)


def _print_broken_limits(folder: Folder, planning: Planning) -> int:
    """Each limit that is not met, at its line; the exit code."""
    from hlsmem.pipeline.limits import broken_limits
    from hlsmem.read.design import seen_from

    broken = broken_limits(planning)
    for one in broken:
        print(seen_from(folder, one), file=sys.stderr)
    return 1 if broken else 0


def _print_remarks(folder: Folder, planning: Planning) -> None:
    """What is to be said of a program, and of a kernel why arrays of its own are not planned; the
    last thing that is said.
    """
    from dataclasses import replace

    from hlsmem.cli.text import problem_text, wants_colour
    from hlsmem.pipeline.private import cells_if_static
    from hlsmem.program import Program, values_name
    from hlsmem.read.c.remarks import without_streams
    from hlsmem.read.design import seen_from
    from hlsmem.wording import counted

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


def check(
    out: Path,
    *,
    only: Sequence[str],
    as_json: bool,
    waves: bool,
    orders: int = 20,
    beats: int | None = BEATS,
    trust: bool = False,
    foreign: bool = False,
) -> int:
    """Prove a plan again from its folder; print the verdicts, write checks.json and report.md.

    A folder of another version is refused unless it may be `foreign`. With `trust` programs of the
    design run without a sandbox.
    """
    from hlsmem.cli.text import print_error
    from hlsmem.emit.folder import list_anew, rewrite_files, settle
    from hlsmem.emit.verdicts import checks_section
    from hlsmem.pipeline.checks import run_checks

    _trust(trust)
    settle(out)
    checks = run_checks(out, tuple(only), waves=waves, orders=orders, beats=beats, foreign=foreign)
    document = json.dumps(
        {
            "checks": [verdict.document() for verdict in checks.verdicts],
            "warnings": list(checks.warnings),
            "isolated": checks.isolated,
        },
        indent=1,
        ensure_ascii=False,
    )
    texts, undrawn = dict[str, str](), None
    try:
        texts = _drawn(out, checks.subject, checks.verdicts, _synthesis(out))
    except Exception as error:  # the verdicts are worth having all the same
        undrawn = error
    text = texts.get("report.md") or checks_section(checks.verdicts)
    print(document if as_json else visible(text).rstrip("\n"), flush=True)
    for warning in checks.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    try:
        if waves:
            list_anew(out, [f"sim/{one.name}" for one in out.glob("sim/*") if one.suffix in _WAVES])
        _print_kept(out, rewrite_files(out, {"checks.json": document + "\n"} | texts))
    except InputError as error:  # the verdicts are out, and say what they say
        print_error(error)
    if undrawn is not None:
        raise undrawn
    return checks.exit_code


def _drawn(
    out: Path, subject: Subject, verdicts: Sequence[Verdict], synthesis: str
) -> dict[str, str]:
    """The report of a folder, and the page of a run that is not long."""
    from hlsmem.emit.report import report
    from hlsmem.planfile import read_plan
    from hlsmem.viewing.small import small_page

    pictures = [file.relative_to(out).as_posix() for file in out.glob("pictures/*.svg")]
    page = small_page(subject, verdicts)
    own = {} if page.html is None else {"report.html": page.html}
    plan = read_plan(out)
    text = report(plan, verdicts, pictures=pictures, synthesis=synthesis, page=page.remark)
    return own | {"report.md": text}


def _trust(trust: bool) -> None:
    """Let programs of the design run as the user: tools read it in the environment."""
    if trust:
        os.environ["HLSMEM_TRUST"] = "1"


def bench(
    outs: Sequence[Path],
    *,
    parameters: Mapping[str, int],
    starts: int,
    rounds: int,
    as_json: bool,
) -> int:
    """Print how long the original and the generated C of each OUT take."""
    from hlsmem.emit.table import Column, table
    from hlsmem.verification.timing import measure

    found = measure(outs, parameters, starts=starts, rounds=rounds)
    if as_json:
        document = asdict(found) | {"folded": sorted(found.folded)}
        print(json.dumps(document, indent=1, ensure_ascii=False))
        return 0
    at = ", ".join(f"{name}={value}" for name, value in found.params.items())
    print(f"{found.compiler}; {found.machine}{f'; at {at}' if at else ''}")
    print(f"Processor time of a call, {found.starts} starts of {found.rounds} rounds by turns.\n")
    rows = [["original", f"{1e6 * found.original:.1f} us", "1", ""]]
    for one in found.outs:
        spread = f"{one.least:.3f} to {one.greatest:.3f}"
        name = one.name if one.name in found.folded else f"{one.name} (runs the original body)"
        rows.append([name, f"{1e6 * one.seconds:.1f} us", f"{one.ratio:.3f}", spread])
    columns = [
        Column("program"),
        Column("time", right=True),
        Column("ratio", right=True),
        Column("over starts"),
    ]
    print(table(columns, rows))
    return 0


_SYNTHESIS = "synth.md"
_WAVES = (".fst", ".vcd")


def _synthesis(out: Path) -> str:
    """What synthesis said of OUT; empty where it has not run."""
    file = out / _SYNTHESIS
    return read_text(file) if file.is_file() else ""


def synth(out: Path, *, family: str | None, seeds: int, as_json: bool, trust: bool = False) -> int:
    """Synthesise the Verilog in OUT; write synth.json, synth.md and the report.

    Without a family it is that of the plan's target, else DEFAULT_FAMILY.

    Block RAMs that are not those of the plan are exit code 1, clocks that are asked for (seeds)
    where nothing places and routes the family are exit code 3.
    """
    from hlsmem.devices import DEFAULT_FAMILY, family_of
    from hlsmem.emit.folder import rewrite_files, settle
    from hlsmem.synthesis import (
        promise_of,
        sources_of,
        synthesis_document,
        synthesis_text,
        synthesise,
        unplaced,
    )
    from hlsmem.verification import load_subject, read_verdicts

    _trust(trust)
    settle(out)
    subject = load_subject(out)
    plan = subject.plan
    if family is None:
        family = family_of(plan.target.device).name if plan.target else DEFAULT_FAMILY
    sources = sources_of(out / "rtl", family)
    tops = [f"{plan.design}_mem"]
    if not (out / "rtl" / f"{tops[0]}.v").is_file():  # a conflict set: RAMs and their steppers
        names = [f"{plan.design}_{array}" for array in plan.arrays]
        tops = [f"{name}{suffix}" for name in names for suffix in ("", "_step")]
    chosen = tuple(range(1, seeds + 1))
    figures = [synthesise(sources, top, family, seeds=chosen) for top in tops]
    document = json.dumps(synthesis_document(figures), indent=1)
    text = synthesis_text(figures)
    promise = promise_of(plan, figures)
    if promise is not None:
        text = f"{text}\n\n{promise.text()}"
    texts = {"synth.json": document + "\n", _SYNTHESIS: text + "\n"}
    texts |= _drawn(out, subject, read_verdicts(out), text)
    _print_kept(out, rewrite_files(out, texts))
    print(document if as_json else text)
    if promise is not None and not promise.kept:
        print(f"the plan is wrong: {promise.text()} Please report this.", file=sys.stderr)
        return 1
    missing = unplaced(family) if seeds else None
    if missing is not None:
        raise ToolError(missing)
    return 0


def compare(
    request: Request,
    *,
    as_json: bool,
    classes: bool = False,
    variants: bool = False,
) -> int:
    """Print every method's answer for every array, beside the bounds; or that of every class.

    With `variants` the answers of all published variants of the methods, too.
    """
    if classes:
        return _compare_classes(request, as_json=as_json)
    from hlsmem.emit.comparison import comparison_document, comparison_text
    from hlsmem.questions.arrays import compare_methods

    given = request.load()
    comparisons = compare_methods(given, variants=variants)
    if as_json:
        document = {c.array.name: comparison_document(c) for c in comparisons}
        print(json.dumps({"arrays": document}, indent=1, ensure_ascii=False))
    else:
        print("\n\n".join(map(comparison_text, comparisons)))
    return 0


def _compare_classes(request: Request, *, as_json: bool) -> int:
    from hlsmem.emit.classes import classes_document, classes_text
    from hlsmem.questions.classes import compare_classes

    rows = compare_classes(request.load())
    if as_json:
        print(json.dumps(classes_document(rows), indent=1, ensure_ascii=False))
    else:
        print(classes_text(rows))
    return 0


def explain(
    request: Request,
    array: str | None,
    *,
    lifetimes: bool = False,
    as_json: bool = False,
) -> int:
    """Print why arrays are not smaller, what their reads cost, and what would save.

    With `lifetimes` the first write and last read of every element instead.
    """
    if lifetimes:
        return _explain_lifetimes(request, array)
    from hlsmem.emit.explanation import design_document, design_text
    from hlsmem.questions.arrays import explain_design

    given = request.load_or_open()
    found = explain_design(given, array)
    if as_json:
        print(json.dumps(design_document(found), indent=1, ensure_ascii=False))
    else:
        print(design_text(found))
    return 0


def _explain_lifetimes(request: Request, array: str | None) -> int:
    from hlsmem.emit.lifetimes import lifetimes_text
    from hlsmem.questions.arrays import lifetimes_of

    found = lifetimes_of(request.load_or_open(), array)
    print("\n\n".join(map(lifetimes_text, found)))
    return 0


def vectors(
    request: Request,
    *,
    array: str | None,
    kind: str | None,
    stores: Sequence[str],
    ranges: Sequence[str],
    most: int,
    as_json: bool,
    picture: Path | None,
    force: bool = False,
) -> int:
    """Print the occupancy vectors of arrays, and the schedules that stores allow."""
    from hlsmem.emit import marked
    from hlsmem.emit.vectors import vectors_document, vectors_picture, vectors_text
    from hlsmem.questions.vectors import ask_vectors

    given = request.load()
    marked.refuse_others([] if picture is None else [picture], force=force)
    answer = ask_vectors(given, array=array, kind=kind, stores=stores, ranges=ranges, most=most)
    if picture is not None:
        drawn = vectors_picture(*answer.drawn(kind or "uov"))
        marked.write_marked(picture, drawn, marked.XML, force=force)
        print(f"written to {picture}", file=sys.stderr)
    if as_json:
        document = vectors_document(
            given.input.name, given.input.values, given.input.context, answer.arrays, answer.stored
        )
        print(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        print(vectors_text(answer.arrays, answer.stored))
    return 0


def tiles(
    request: Request,
    *,
    kind: str,
    rows: str | None,
    sizes: Sequence[int],
    origin: Sequence[int],
    parallel: int | None,
    as_json: bool,
    picture: Path | None,
    force: bool = False,
) -> int:
    """Print the tilings of a design's nest: waves, widths, and what one tile takes."""
    from hlsmem.emit import marked
    from hlsmem.emit.tiles import tiles_document, tiles_picture, tiles_text
    from hlsmem.questions.tiles import ask_tiles

    given = request.load()
    marked.refuse_others([] if picture is None else [picture], force=force)
    found = ask_tiles(given, kind=kind, rows=rows, sizes=sizes, origin=origin)
    name, values = given.input.name, given.input.values
    at = ", ".join(f"{one}={value}" for one, value in values.items())
    title = f"{name}: loops {', '.join(found.nest.loops)}{f' at {at}' if at else ''}"
    if picture is not None:
        drawn = tiles_picture(found.answers, title)
        marked.write_marked(picture, drawn, marked.XML, force=force)
        print(f"written to {picture}", file=sys.stderr)
    if as_json:
        document = tiles_document(found.answers, design=name, values=values, parallel=parallel)
        print(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        outside = found.nest.outside
        print(tiles_text(found.answers, nest=title, outside=outside, parallel=parallel))
    alone = len(found.answers) == 1
    return 1 if alone and not found.answers[0].tiling.is_legal else 0


def network(
    request: Request,
    *,
    grain: str | None,
    capacities: tuple[int, ...] | None,
    out: Path | None,
    as_json: bool,
    force: bool = False,
) -> int:
    """Print the channels between the processes of a design, or write it as a network."""
    from hlsmem.emit.network import network_document, network_text
    from hlsmem.questions.network import ask_network, write_network

    given = request.load()
    if out is not None:
        for file in write_network(given, out, grain=grain, force=force):
            print(f"written to {file}", file=sys.stderr)
    found = ask_network(given, grain=grain, capacities=capacities)
    name, values = given.input.name, given.input.values
    if as_json:
        document = network_document(
            found.rows,
            design=name,
            values=values,
            processes=found.processes,
            together=found.together,
            stuck=found.stuck,
        )
        print(json.dumps(document, indent=1, ensure_ascii=False))
        return 0
    at = ", ".join(f"{one}={value}" for one, value in values.items())
    text = network_text(
        found.rows,
        title=f"{name}{f' at {at}' if at else ''}",
        at=at,
        processes=found.processes,
        together=found.together,
        stuck=found.stuck,
    )
    print(text)
    if capacities is not None:
        listed = ", ".join(map(str, capacities))
        print(f"with the capacities {listed} the network comes to its end")
    return 0


def rank(
    request: Request,
    statement: str,
    *,
    parts: int,
    verilog: bool,
    as_json: bool,
) -> int:
    """Print the instances of a statement by number: C, a counter in Verilog, or JSON of both."""
    from hlsmem.questions.rank import ask_rank, rank_document

    given = request.load()
    found = ask_rank(given, statement, parts=parts)
    if as_json:
        print(json.dumps(rank_document(found), indent=1, ensure_ascii=False))
    else:
        print(found.verilog if verilog else found.c, end="")
    return 0


def dataflow(
    request: Request,
    statement: str | None,
    *,
    control: str,
    as_json: bool,
) -> int:
    """Print which write every read gets its value from."""
    from hlsmem.dataflow.model import Control
    from hlsmem.emit.dataflow import dataflow_document, dataflow_text
    from hlsmem.questions.dataflow import ask_dataflow

    given = request.load(conditional=True)
    found = ask_dataflow(given, statement=statement, control=Control(control))
    name = given.input.name
    if as_json:
        document = dataflow_document(found.flows, design=name, control=found.control)
        print(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        print(dataflow_text(found.flows, title=name, control=found.control))
    return 0


def what_if(
    request: Request,
    *,
    kinds: Sequence[str],
    order: str | None,
    top: int,
    attempt: str | None,
    apply: int | None,
    out: Path | None,
    as_json: bool,
    force: bool = False,
) -> int:
    """Print changes of a design and what they save, or write the design with one of them."""
    from hlsmem.emit import marked
    from hlsmem.emit.changes import changes_document, changes_text
    from hlsmem.orders.changes import KINDS
    from hlsmem.questions.what_if import change_of, changes
    from hlsmem.read.writing import target_of, written

    given = request.load()
    file = None if apply is None else target_of(request.path, out)
    own = file is not None and os.path.realpath(file) == os.path.realpath(request.path)
    if file is not None and not own:
        marked.refuse_others([file], force=force)
    if attempt is not None:
        found = change_of(given, [attempt], option="--try")
    else:
        found = changes(given, kinds=tuple(kinds) or KINDS, order=order, top=max(top, apply or 0))
    if apply is not None and file is not None:
        if not 1 <= apply <= len(found.changes):
            what = f"--apply {apply}: there is no change of that rank"
            known = f"ranks are 1 to {len(found.changes)}"
            raise InputError(Problem(what, known if found.changes else "no change saves anything"))
        change = found.changes[apply - 1].change
        write = marked.change_design if own else marked.write_design
        kept = write(file, written(given, change.settings), force=force)
        if kept is not None:
            print(f"{kept}: the design as it was", file=sys.stderr)
        print(f"{change.what}: written to {file}", file=sys.stderr)
        return 0
    document = json.dumps(changes_document(found), indent=1, ensure_ascii=False)
    print(document if as_json else changes_text(found).rstrip("\n"))
    return 0


def view(
    out: Path,
    *,
    file: Path | None,
    array: str | None,
    steps: tuple[int, int] | None,
    opened: bool,
    force: bool = False,
) -> int:
    """Write the page on which the run of OUT is seen, cell by cell."""
    from hlsmem.emit import marked
    from hlsmem.emit.folder import rewrite_files
    from hlsmem.questions.view import view_page

    own = out / "report.html"
    target = own if file is None else file
    outside = os.path.realpath(target) != os.path.realpath(own)
    if outside:
        marked.refuse_others([target], force=force)
    page = view_page(out, array=array, steps=steps)
    if outside:
        marked.write_marked(target, page, marked.XML, force=force)
    else:
        _print_kept(out, rewrite_files(out, {own.name: page}))
    print(f"written to {target}", file=sys.stderr)
    if opened:
        import webbrowser

        from hlsmem.memory import limited

        with limited(None):
            webbrowser.open(target.resolve().as_uri())
    return 0


def diff(old: Path, new: Path, *, form: str, rules: Sequence[str], as_json: bool) -> int:
    """Print what differs between two plans and why; exit 1 where a rule is broken."""
    from hlsmem.emit.difference import compared, difference_document, difference_text
    from hlsmem.planfile import read_plan_file
    from hlsmem.planfile.difference import Rule

    parsed = [Rule.of(rule) for rule in rules]
    if old.suffix == new.suffix == ".json":  # planning, slow to import, is not needed
        found = compared(read_plan_file(old), read_plan_file(new), parsed)
    else:
        from hlsmem.questions.diff import diff as with_causes
        from hlsmem.questions.diff import side_of

        found = with_causes(side_of(old), side_of(new), parsed)
    if as_json:
        print(json.dumps(difference_document(found), indent=1, ensure_ascii=False))
    elif not found.is_empty:
        print(difference_text(found, form))
    for one in found.broken:
        print(f"--fail-on {one.rule}: {one.what}", file=sys.stderr)
    return 1 if found.broken else 0


def doctor() -> int:
    """Print the tools hlsmem finds; exit 3 where one that every check needs is missing."""
    from hlsmem.emit.table import Column, table
    from hlsmem.tools.survey import survey
    from hlsmem.verdict import CHECKS

    checks = CHECKS.found()
    tools = survey(checks=checks.items.values())
    rows = [
        [
            tool.name,
            tool.version or "not found",
            tool.minimum or "any",
            "ok" if tool.usable else tool.remedy,
            tool.purpose,
        ]
        for tool in tools
    ]
    columns = [Column(name) for name in ("tool", "found", "at least", "state", "used for")]
    print(table(columns, rows))
    for warning in checks.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 0 if all(tool.usable for tool in tools if tool.required) else 3


def plan_schema() -> int:
    """Print the JSON Schema of plan.json."""
    from hlsmem.planfile import schema as of_plans

    print(json.dumps(of_plans.plan_schema(), indent=1))
    return 0


def schema() -> int:
    """Print the JSON Schema of design.yaml."""
    from hlsmem.read.design import json_schema

    print(json.dumps(json_schema(), indent=1))
    return 0
