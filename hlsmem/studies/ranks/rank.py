"""`hlsmem rank`: the instances of a statement by number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
from hlsmem.core.errors import InputError, Problem
from hlsmem.verb import JSON, Verb, WholeNumber, asked, document_text, of_a_design, shown

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def rank(
    design: str | Path | Design,
    statement: str,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    parts: int = 1,
    beside: str = "",
    by: str = "",
    delay: int | None = None,
) -> Any:
    """The instances of a statement by number, in even `parts`: `c` and `verilog` are texts.

    With the name of a statement of another nest, `beside`, it is the C of that nest in which
    iteration K of this one runs before iteration K, `by` "steps" or "roots", or `delay` later.
    Raises InputError for an unknown statement, parts that would be empty, and nests that cannot be
    merged; LimitError for more instances than 64 bits can number, or too much to be judged.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> "_count" in rank(load(text=kernel, name="k.c"), "S0").c
    True
    """
    from hlsmem.api import given_design
    from hlsmem.studies.ranks.merging import ask_merged
    from hlsmem.studies.ranks.question import ask_rank

    given = given_design(design, params, settings)
    if not beside:
        if by or delay is not None:
            option = "--by" if by else "--delay"
            what = f"{option} says how two nests are merged, and there is one"
            raise InputError(Problem(what, "name a statement of the other: --with"))
        return ask_rank(given, statement, parts=parts)
    if parts > 1:
        what = "--parts splits the instances of one nest, and --with names another"
        raise InputError(Problem(what, "give one of both"))
    return ask_merged(given, statement, beside, form=by or "steps", delay=delay or 0)


def _before(*, verilog: bool, beside: str, **_: Any) -> None:
    """Refuse a counter of two nests."""
    if verilog and beside:
        what = "--verilog prints a counter of one nest, and --with names another"
        raise InputError(Problem(what, "give one of both"))


def _print(found: Any, *, verilog: bool, beside: str, as_json: bool) -> int:
    """Print C, a counter in Verilog, or JSON of both."""
    from hlsmem.studies.ranks.merging import merged_document
    from hlsmem.studies.ranks.question import rank_document

    if as_json:
        print(document_text(merged_document(found) if beside else rank_document(found)))
    else:
        print(found.verilog if verilog else found.c, end="")
    return 0


VERB = Verb(
    name="rank",
    summary="instances of a statement by number, in parts or beside another nest: C, or a counter",
    order=100,
    group="studies",
    options=(
        *of_a_design(),
        asked("statement", metavar="STATEMENT"),
        asked(
            "--parts",
            type=WholeNumber(1, 4096, "number of parts", "1 to 4096"),
            default=1,
            metavar="P",
            help="engines that share them, default 1",
        ),
        asked(
            "--with",
            keyword="beside",
            also_printed=True,
            default="",
            metavar="STATEMENT",
            help="C of that statement's loops, in which iteration K of this nest runs before K",
        ),
        asked(
            "--by",
            choices=("steps", "roots"),
            default="",
            help="how that C finds the next iteration of this nest: steps (default) or roots",
        ),
        asked(
            "--delay",
            type=WholeNumber(0, 1 << 59, "number of iterations", "0 or more"),
            metavar="D",
            help="iterations that the nest of --with runs later, default 0",
        ),
        shown("--verilog", action="store_true", help="print the counter instead of C"),
        JSON,
    ),
    run=rank,
    print=_print,
    before=_before,
    design=Request.load,
)
