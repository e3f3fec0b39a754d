"""`hlsmem what-if`: changes that save most, planned and proved legal."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
from hlsmem.verb import (
    FORCE,
    JSON,
    Answer,
    Verb,
    WholeNumber,
    asked,
    document_text,
    of_a_design,
    shown,
)

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def what_if(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    kinds: Sequence[str] = (),
    order: str | None = None,
    top: int = 10,
    attempt: str | None = None,
    apply: int | None = None,
) -> Answer:
    """Changes of a design and what they save, best first, planned and proved legal.

    `print` it; `found` has them. `kinds` are those that are tried, all if none is named; under
    `order="kept"` streams and external arrays are touched in their old order. There are at most
    `top`, or `apply` where that is more. An `attempt` KEY=VALUE is the one change looked at.
    Figures are bits, words, block RAMs and cycles. Raises InputError for a conflict set, an unknown
    kind, and an `attempt` that is no setting.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> [one.change.what for one in what_if(load(text=kernel, name="k.c"), top=1).found.changes]
    ['take all statements of an iteration as one step']
    """
    from hlsmem.api import given_design
    from hlsmem.questions.savings import change_of, changes
    from hlsmem.schedule_search.design_changes import KINDS

    given = given_design(design, params, settings)
    if attempt is not None:
        found = change_of(given, [attempt], option="--try")
    else:
        found = changes(given, kinds=tuple(kinds) or KINDS, order=order, top=max(top, apply or 0))
    return Answer(design=given, found=found, text=_text)


def _text(answer: Answer) -> str:
    from hlsmem.emit.change_table import changes_text

    return changes_text(answer.found).rstrip("\n")


def _before(
    *, request: Request, apply: int | None, out: Path | None, force: bool, **_: object
) -> None:
    from hlsmem.emit import marked
    from hlsmem.read.writing import target_of

    file = None if apply is None else target_of(request.path, out)
    if file is not None and not _is_same(file, request.path):
        marked.refuse_others([file], force=force)


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _print(
    answer: Answer,
    *,
    request: Request,
    apply: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Print changes of a design and what they save, or write the design with one of them."""
    from hlsmem.emit.change_table import changes_document

    if apply is not None:
        return _write(answer, request, apply, out, force=force)
    print(document_text(changes_document(answer.found)) if as_json else answer)
    return 0


def _write(answer: Answer, request: Request, apply: int, out: Path | None, *, force: bool) -> int:
    from hlsmem.core.errors import InputError, Problem
    from hlsmem.emit import marked
    from hlsmem.read.writing import target_of, written

    found = answer.found
    if not 1 <= apply <= len(found.changes):
        what = f"--apply {apply}: there is no change of that rank"
        known = f"ranks are 1 to {len(found.changes)}"
        raise InputError(Problem(what, known if found.changes else "no change saves anything"))
    file = target_of(request.path, out)
    change = found.changes[apply - 1].change
    write = marked.change_design if _is_same(file, request.path) else marked.write_design
    kept = write(file, written(answer.design, change.settings), force=force)
    if kept is not None:
        print(f"{kept}: the design as it was", file=sys.stderr)
    print(f"{change.what}: written to {file}", file=sys.stderr)
    return 0


def _help_of_kinds() -> str:
    from hlsmem.schedule_search.design_changes import KINDS

    return f"{', '.join(KINDS)}; may be given several times, default: all"


VERB = Verb(
    name="what-if",
    summary="changes that save most, planned and proved legal",
    order=120,
    options=(
        *of_a_design(is_printed=True),
        asked(
            "--kind",
            keyword="kinds",
            action="append",
            default=[],
            metavar="KIND",
            help=_help_of_kinds,
        ),
        asked(
            "--order",
            choices=("kept", "any"),
            help="kept: streams and external arrays are touched in their old order; default: as"
            " plan.search.order says, kept if it does not",
        ),
        asked(
            "--top",
            type=WholeNumber(1, None, "number of changes", "1 or more"),
            default=10,
            metavar="N",
            help="default: 10",
        ),
        asked(
            "--try",
            keyword="attempt",
            instead="--apply",
            metavar="KEY=VALUE",
            help="the figures of this setting alone",
        ),
        asked(
            "--apply",
            also_printed=True,
            instead="--apply",
            type=int,
            metavar="RANK",
            help="write the design so changed",
        ),
        shown(
            "-o",
            "--out",
            type=Path,
            metavar="FILE",
            help="of --apply; default: DESIGN itself, kept as NAME.orig, or NAME.yaml beside a"
            " source",
        ),
        FORCE,
        JSON,
    ),
    run=what_if,
    print=_print,
    before=_before,
    design=Request.load,
)
