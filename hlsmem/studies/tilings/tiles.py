"""`hlsmem tiles`: tilings of the nest, waves of tiles, and one tile."""

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
    parameters_text,
    shown,
)

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def tiles(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    kind: str = "all",
    rows: str | None = None,
    sizes: Sequence[int] = (),
    origin: Sequence[int] = (),
    expand: bool = True,
) -> Answer:
    """The tilings of a design's nest: waves, widths, and what one tile takes; `found` has them.

    `kind` names one, `rows` are those of another ("t+i,t-i"), `sizes` those of a tile in each row,
    in iterations. With `expand` what arrays written in place forbid is tiled by their values, where
    that is legal. Raises InputError for a conflict set, a program without a nest of two loops, and
    rows, sizes or origins that are none.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[8][8], int out[8][8]) { for (int i = 0; i < 8; i++)"
    >>> kernel += " for (int j = 0; j < 8; j++) out[i][j] = in[i][j]; }"
    >>> len(tiles(load(text=kernel, name="k.c"), rows="i,j", sizes=(4, 4)).found.answers)
    1
    """
    from hlsmem.api import given_design
    from hlsmem.studies.tilings.question import ask_tiles

    given = given_design(design, params, settings)
    found = ask_tiles(given, kind=kind, rows=rows, sizes=sizes, origin=origin, expand=expand)
    return Answer(design=given, found=found, text=_text)


def _title(answer: Answer) -> str:
    given, loops = answer.design.input, ", ".join(answer.found.nest.loops)
    at = parameters_text(given.values)
    return f"{given.name}: loops {loops}{f' at {at}' if at else ''}"


def _text(answer: Answer, parallel: int | None = None) -> str:
    from hlsmem.studies.tilings.table import tiles_text

    found = answer.found
    outside = found.nest.outside
    return tiles_text(found.answers, nest=_title(answer), outside=outside, parallel=parallel)


def _before(*, svg: Path | None, force: bool, **_: object) -> None:
    from hlsmem.emit import marked

    marked.refuse_others([] if svg is None else [svg], force=force)


def _print(
    answer: Answer, *, parallel: int | None, svg: Path | None, force: bool, as_json: bool
) -> int:
    """Print the tilings; one that is asked for alone and not legal is exit code 1."""
    from hlsmem.emit import marked
    from hlsmem.studies.tilings.table import tiles_document, tiles_picture

    given, found = answer.design.input, answer.found
    if svg is not None:
        picture = tiles_picture(found.answers, _title(answer))
        marked.write_marked(svg, picture, marked.XML, force=force)
        print(f"written to {svg}", file=sys.stderr)
    if as_json:
        document = tiles_document(
            found.answers, design=given.name, values=given.values, parallel=parallel
        )
        print(document_text(document))
    else:
        print(_text(answer, parallel))
    alone = len(found.answers) == 1
    return 1 if alone and not found.answers[0].tiling.is_legal else 0


def _kinds() -> tuple[str, ...]:
    from hlsmem.studies.tilings.tiling import KINDS

    return (*KINDS, "all")


def _numbers(text: str) -> tuple[int, ...]:
    from argparse import ArgumentTypeError

    try:
        return tuple(int(one) for one in text.split(","))
    except ValueError:
        message = f"{text!r} are no whole numbers with commas between them; write 4,4"
        raise ArgumentTypeError(message) from None


VERB = Verb(
    name="tiles",
    summary="tilings of the nest: waves of tiles, and one tile",
    order=80,
    group="studies",
    options=(
        *of_a_design(),
        asked("--kind", choices=_kinds, default="all", help="the tiling; default: all"),
        asked("--rows", metavar="ROWS", help='tiles by these rows instead, such as "t+i,t-i"'),
        asked(
            "--sizes",
            type=_numbers,
            default=(),
            metavar="4,4",
            help="the size of a tile in each row, or one for all; default: 4, in time 2; with all"
            " kinds, tiles over both time and data get twice the size in time",
        ),
        asked(
            "--origin",
            type=_numbers,
            default=(),
            metavar="0,0",
            help="where the first tile begins; default: the least value of each row",
        ),
        asked(
            "--no-expand",
            keyword="expand",
            action="store_false",
            help="keep arrays that are written in place: refuse what tiles of their values allow",
        ),
        shown(
            "--parallel",
            type=WholeNumber(1, None, "number of tiles", "1 or more"),
            metavar="P",
            help="the share of tiles in waves of at least so many",
        ),
        JSON,
        shown("--svg", type=Path, metavar="FILE", help="draw the tiles of each wave"),
        FORCE,
    ),
    run=tiles,
    print=_print,
    before=_before,
    design=Request.load,
)
