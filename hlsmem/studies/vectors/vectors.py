"""`hlsmem vectors`: occupancy vectors, and the schedules that stores allow."""

from __future__ import annotations

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


def vectors(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    array: str | None = None,
    kind: str | None = None,
    store: Sequence[str] = (),
    stores: Sequence[str] = (),
    length: int = 12,
) -> Answer:
    """Occupancy vectors: which element may take the cell of which; `found` has them.

    `kind` is ov, aov, uov or quov; `store` names vectors (A=[2,0]) and `stores` isl sets of them
    whose schedules are asked for; vectors are at most of `length`. Raises InputError for a conflict
    set, an unknown array, and stores that are none.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> len(vectors(load(text=kernel, name="k.c"), kind="uov").found.arrays)
    1
    """
    from hlsmem.api import given_design
    from hlsmem.studies.vectors.question import ask_vectors

    given = given_design(design, params, settings)
    found = ask_vectors(given, array=array, kind=kind, stores=store, ranges=stores, most=length)
    return Answer(design=given, found=found, text=_text)


def _text(answer: Answer) -> str:
    from hlsmem.studies.vectors.table import vectors_text

    return vectors_text(answer.found.arrays, answer.found.stored)


def _before(*, svg: Path | None, force: bool, **_: object) -> None:
    from hlsmem.emit import marked

    marked.refuse_others([] if svg is None else [svg], force=force)


def _print(
    answer: Answer, *, kind: str | None, svg: Path | None, force: bool, as_json: bool
) -> int:
    """Print the occupancy vectors of arrays, and the schedules that stores allow."""
    from hlsmem.emit import marked
    from hlsmem.studies.vectors.table import vectors_document, vectors_picture

    given, found = answer.design.input, answer.found
    if svg is not None:
        picture = vectors_picture(*found.drawn(kind or "uov"))
        marked.write_marked(svg, picture, marked.XML, force=force)
        print(f"written to {svg}", file=sys.stderr)
    if as_json:
        document = vectors_document(
            given.name, given.values, given.context, found.arrays, found.stored
        )
        print(document_text(document))
    else:
        print(answer)
    return 0


VERB = Verb(
    name="vectors",
    summary="occupancy vectors: which element may take the cell of which",
    order=70,
    group="studies",
    options=(
        *of_a_design(),
        asked("--array", metavar="A", help="default: every planned array"),
        asked(
            "--kind",
            also_printed=True,
            choices=("ov", "aov", "uov", "quov"),
            help="of the design's schedule, all affine ones, every order, all tilings; default:"
            " all",
        ),
        asked(
            "--store",
            action="append",
            default=[],
            metavar="A=[2,0]",
            help="the schedules that this store allows; once for each array",
        ),
        asked(
            "--stores",
            action="append",
            default=[],
            metavar="ISL",
            help='the schedules that all stores of a set allow, "{ A[2,y] : -1 <= y <= 1 }"',
        ),
        asked(
            "--length",
            type=WholeNumber(1, 64, "length", "1 to 64"),
            default=12,
            metavar="N",
            help="longest vectors, default 12",
        ),
        JSON,
        shown("--svg", type=Path, metavar="FILE", help="draw those of a 2-D array"),
        FORCE,
    ),
    run=vectors,
    print=_print,
    before=_before,
    design=Request.load,
)
