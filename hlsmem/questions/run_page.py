"""The page report.html of a folder: the whole run, or the part of it that can be shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.check import DesignUnderCheck, load_subject, read_verdicts
from hlsmem.core.budgets import SHOWN
from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.emit.explanation import design_document
from hlsmem.emit.report import report
from hlsmem.emit.source_patch import SOURCE_SECTION
from hlsmem.lifetime.live_curve import life_curves
from hlsmem.lifetime.max_live import max_live
from hlsmem.planner.array_folding import analyse
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.questions.method_comparison import explain_design
from hlsmem.viewing.instance_columns import accesses_of
from hlsmem.viewing.page import SmallPage, page_of, small_page
from hlsmem.viewing.run_trace import trace_of
from hlsmem.viewing.shown_window import window_of

# Bytes of the data of a page, at most.
_BYTES = 600_000


def plan_files(planning: Planning) -> dict[str, str]:
    """Files that `hlsmem plan` writes: `output_files`, report.md, and the page of a small run."""
    files = output_files(planning)
    page = page_of_planning(planning, files["plan.json"])
    source = files.get(SOURCE_SECTION, "")
    text = report(planning.plan, pictures=files, source=source, page=page.remark)
    own = {} if page.html is None else {"report.html": page.html}
    return files | own | {"report.md": text}


def page_of_planning(planning: Planning, plan_json: str) -> SmallPage:
    """The page of a plan that was just made."""
    subject = DesignUnderCheck(
        out=Path(),
        design=planning.design,
        program=planning.program,
        plan=planning.plan,
        document=json.loads(plan_json),
    )
    return small_page(subject)


def view_page(out: Path, *, array: str | None = None, steps: tuple[int, int] | None = None) -> str:
    """The page of a folder OUT: of all arrays or one, of the whole run or some of its steps.

    A run of more accesses than are listed is shown around the moment when most is alive. Raises
    InputError where OUT has no plan, or no such array or steps, LimitError where there is too much.
    """
    subject = load_subject(out)
    program = subject.program
    names = [name for name in subject.plan.arrays if array in (None, name)]
    if program is None and steps is not None:
        raise InputError(Problem("--steps: a conflict set has no steps", "leave it out"))
    if not subject.plan.arrays:
        raise InputError(Problem(f"{out}: the plan has no arrays to show", "plan some array"))
    verdicts = read_verdicts(out)
    too_long = program is not None and accesses_of(program, names) > SHOWN
    if too_long and steps is not None:
        what = f"--steps: the run has more than {SHOWN} accesses, and is shown around its peak"
        raise LimitError(Problem(what, "leave it out, or plan at smaller parameters"))
    if not too_long or program is None:
        # What is asked for and is not there is told before plans are made to explain the others.
        found = trace_of(subject, array=array, steps=steps, verdicts=verdicts)
        explain = _explained(subject)
        found["explain"] = explain
        if steps is not None or program is None or _bytes(found) <= _BYTES:
            return page_of(found)
    else:
        explain = _explained(subject)
    assert program is not None
    most = min(SHOWN, accesses_of(program, names) - 1)
    around, curves = _peak(subject, names)
    while True:
        window = window_of(program, names, most, around=around, curves=curves)
        found = trace_of(subject, array=array, window=window, explain=explain, verdicts=verdicts)
        if _bytes(found) <= _BYTES or most < 1000:
            return page_of(found)
        most //= 2


def _explained(subject: DesignUnderCheck) -> dict[str, Any]:
    """Why each array is not smaller, and what would save."""
    found: dict[str, Any] = design_document(explain_design(subject.design))["arrays"]
    return found


def _bytes(document: Mapping[str, Any]) -> int:
    return len(json.dumps(document, separators=(",", ":")))


def _peak(
    subject: DesignUnderCheck, names: Sequence[str]
) -> tuple[list[int] | None, dict[str, list[int]]]:
    """A time at which most of the largest array is alive, and the curves of the whole run."""
    program, problems = analyse(subject.design)
    assert program is not None
    drawn = [one for one in problems if one.array.name in names and one.occupied is not None]
    curves = {
        name: [curve.width, *curve.alive] for name, curve in life_curves(program, drawn).items()
    }
    largest = max(drawn, key=lambda one: subject.plan.arrays[one.array.name].hardware.words)
    assert largest.occupied is not None
    peak = max_live(largest.occupied, program.values)
    if peak is None or not peak.cells:
        return None, curves
    event = largest.occupied.full_event(peak.event)
    return list(event[1 : 1 + program.time_dimensions]) if event[0] == 0 else None, curves
