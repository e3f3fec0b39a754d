"""`hlsmem diff`: what differs between two plans, and which access did it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.verb import JSON, Verb, asked, document_text, shown

if TYPE_CHECKING:
    from hlsmem.api import DiffReport, Planning
    from hlsmem.questions.plan_diff import Side


def diff(
    old: str | Path | Planning, new: str | Path | Planning, *, rules: Sequence[str] = ()
) -> DiffReport:
    """Differences between two plans, and the rules that the new one breaks; `print` it.

    A side is the path of an OUT, a plan.json or a design, or a Planning; `rules` are texts like
    "cells+0". Raises InputError where a side cannot be read, the plans share no array, or a text is
    no rule.

    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> old = plan(load(text=kernel, name="k.c"))
    >>> new = plan(load(text=kernel, name="k.c"), settings={"order": "iteration"})
    >>> diff(old, new, rules=["cells+0"]).found.broken
    ()
    """
    from hlsmem.api import DiffReport
    from hlsmem.plan.plan_difference import Rule

    parsed = [Rule.of(rule) for rule in rules]
    files = [Path(one) for one in (old, new) if isinstance(one, str | Path)]
    if [one.suffix for one in files] == [".json", ".json"]:
        from hlsmem.emit.difference_text import compared  # planning, slow to import, is not needed
        from hlsmem.plan import read_plan_file

        of_old, of_new = map(read_plan_file, files)
        return DiffReport(compared(of_old, of_new, parsed))
    from hlsmem.questions.plan_diff import diff as with_causes

    return DiffReport(with_causes(_side(old), _side(new), parsed))


def _side(given: str | Path | Planning) -> Side:
    from hlsmem.api import Planning
    from hlsmem.questions.plan_diff import Side, side_of

    if not isinstance(given, Planning):
        return side_of(Path(given))
    known = given.folder is None
    return Side(plan=given.plan, folder=given.folder, worked=given.worked() if known else None)


def _print(report: DiffReport, *, form: str, as_json: bool) -> int:
    """Print what differs between two plans and why; exit 1 where a rule is broken."""
    from hlsmem.emit.difference_text import difference_document, difference_text

    found = report.found
    if as_json:
        print(document_text(difference_document(found)))
    elif not found.is_empty:
        print(difference_text(found, form))
    for one in found.broken:
        print(f"--fail-on {one.rule}: {one.what}", file=sys.stderr)
    return 1 if found.broken else 0


_SIDES = "a folder written by `hlsmem plan`, a plan.json, or a design"

VERB = Verb(
    name="diff",
    summary="what differs between two plans, and which access did it",
    order=140,
    options=(
        asked("old", type=Path, metavar="OLD", help=_SIDES),
        asked("new", type=Path, metavar="NEW", help=_SIDES),
        shown("--format", keyword="form", choices=("text", "markdown", "github"), default="text"),
        asked(
            "--fail-on",
            keyword="rules",
            action="append",
            default=[],
            metavar="RULE",
            help="exit 1 where it is broken: [ARRAY.]METRIC[+N|+N%%], such as cells+0, words+5%%,"
            " blurx.blocks+1, standing; may be given several times",
        ),
        JSON,
    ),
    run=diff,
    print=_print,
    reads=("old", "new"),
)
