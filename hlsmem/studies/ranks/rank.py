"""`hlsmem rank`: the instances of a statement by number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
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
) -> Any:
    """The instances of a statement by number, in even `parts`: `c` and `verilog` are texts.

    Raises InputError for an unknown statement and parts that would be empty, LimitError for more
    instances than 64 bits can number.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> "_count" in rank(load(text=kernel, name="k.c"), "S0").c
    True
    """
    from hlsmem.api import given_design
    from hlsmem.studies.ranks.question import ask_rank

    return ask_rank(given_design(design, params, settings), statement, parts=parts)


def _print(found: Any, *, verilog: bool, as_json: bool) -> int:
    """Print C, a counter in Verilog, or JSON of both."""
    from hlsmem.studies.ranks.question import rank_document

    if as_json:
        print(document_text(rank_document(found)))
    else:
        print(found.verilog if verilog else found.c, end="")
    return 0


VERB = Verb(
    name="rank",
    summary="the instances of a statement by number, in even parts: C, or a counter",
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
        shown("--verilog", action="store_true", help="print the counter instead of C"),
        JSON,
    ),
    run=rank,
    print=_print,
    design=Request.load,
)
