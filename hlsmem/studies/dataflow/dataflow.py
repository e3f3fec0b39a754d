"""`hlsmem dataflow`: which write every read gets its value from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.cli.request import Request
from hlsmem.verb import JSON, Answer, Verb, asked, document_text, of_a_design

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

_NONE: Mapping[str, Any] = {}


def dataflow(
    design: str | Path | Design,
    statement: str | None = None,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    control: str = "least",
) -> Answer:
    """The source write of every read, conditions and all; `found` has the relations.

    `control` says what tells sources apart: least, strict or static. Raises InputError for a
    conflict set, an unknown statement and conditions that cannot be told, LimitError where the
    sources take too much work. Source: Verdoolaege, Nikolov, Stefanov,
    "On demand parametric array dataflow analysis" (IMPACT 2013).

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> len(dataflow(load(text=kernel, name="k.c")).found.flows) > 0
    True
    """
    from hlsmem.api import given_design
    from hlsmem.studies.dataflow.question import ask_dataflow
    from hlsmem.studies.dataflow.sources import Control

    given = given_design(design, params, settings, conditional=True)
    found = ask_dataflow(given, statement=statement, control=Control(control))
    return Answer(design=given, found=found, text=_text)


def _text(answer: Answer) -> str:
    from hlsmem.studies.dataflow.table import dataflow_text

    found = answer.found
    return dataflow_text(found.flows, title=answer.design.input.name, control=found.control)


def _print(answer: Answer, *, as_json: bool) -> int:
    """Print which write every read gets its value from."""
    from hlsmem.studies.dataflow.table import dataflow_document

    name, found = answer.design.input.name, answer.found
    if as_json:
        print(document_text(dataflow_document(found.flows, design=name, control=found.control)))
    else:
        print(answer)
    return 0


def _load(request: Request) -> Design:
    return request.load(conditional=True)


VERB = Verb(
    name="dataflow",
    summary="which write every read gets its value from, conditions and all",
    order=110,
    group="studies",
    options=(
        *of_a_design(),
        asked("statement", nargs="?", metavar="STATEMENT", help="default: every statement"),
        asked(
            "--control",
            choices=("least", "strict", "static"),
            default="least",
            help="what tells sources apart that conditions decide about: the fewest numbers known"
            " at run time (least), those of every such source (strict), or none (static: all"
            " sources that are possible)",
        ),
        JSON,
    ),
    run=dataflow,
    print=_print,
    design=_load,
    late="statement",
)
