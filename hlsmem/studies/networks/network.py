"""`hlsmem network`: the channels between the processes of a design."""

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
    asked,
    document_text,
    of_a_design,
    parameters_text,
    shown,
)

if TYPE_CHECKING:
    from hlsmem.api import Settings
    from hlsmem.program.options import Design

GRAINS = ("statement", "nest", "given")
_NONE: Mapping[str, Any] = {}


def network(
    design: str | Path | Design,
    *,
    params: Mapping[str, int] = _NONE,
    settings: Settings = (),
    processes: str | None = None,
    capacities: Sequence[int] | None = None,
) -> Answer:
    """The channels between processes: class, order, lag, capacities; `found` has them.

    `processes` says what runs as one: statement, nest or given. With `capacities` of the channels
    the network is run. Raises InputError for a conflict set, for another number of capacities than
    of channels, and where the run does not come to its end.

    >>> from hlsmem import load
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> len(network(load(text=kernel, name="k.c")).found.rows) > 0
    True
    """
    from hlsmem.api import given_design
    from hlsmem.studies.networks.question import ask_network

    given = given_design(design, params, settings)
    found = ask_network(
        given, grain=processes, capacities=None if capacities is None else tuple(capacities)
    )
    return Answer(design=given, found=found, text=_text)


def _told(found: Any) -> dict[str, Any]:
    return {"processes": found.processes, "together": found.together, "stuck": found.stuck}


def _text(answer: Answer) -> str:
    from hlsmem.studies.networks.table import network_text

    given, found = answer.design.input, answer.found
    at = parameters_text(given.values)
    title = f"{given.name}{f' at {at}' if at else ''}"
    return network_text(found.rows, title=title, at=at, **_told(found))


def _print(
    answer: Answer,
    *,
    processes: str | None,
    capacities: tuple[int, ...] | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Print the channels between the processes of a design, and write it as a network."""
    from hlsmem.studies.networks.question import write_network
    from hlsmem.studies.networks.table import network_document

    given, found = answer.design.input, answer.found
    if out is not None:
        for file in write_network(answer.design, out, grain=processes, force=force):
            print(f"written to {file}", file=sys.stderr)
    if as_json:
        document = network_document(
            found.rows, design=given.name, values=given.values, **_told(found)
        )
        print(document_text(document))
        return 0
    print(answer)
    if capacities is not None:
        listed = ", ".join(map(str, capacities))
        print(f"with the capacities {listed} the network comes to its end")
    return 0


def _capacities(text: str) -> tuple[int, ...]:
    from argparse import ArgumentTypeError

    parts = text.split(",")
    if not all(one.strip().isdecimal() and int(one) >= 1 for one in parts):
        message = f"{text!r} are no capacities; write one of at least 1 for each channel, as 13,7,1"
        raise ArgumentTypeError(message)
    return tuple(map(int, parts))


VERB = Verb(
    name="network",
    summary="the channels between processes: class, order, lag, capacities",
    order=90,
    group="studies",
    options=(
        *of_a_design(),
        asked(
            "--processes",
            also_printed=True,
            choices=GRAINS,
            help="what runs as one process: each statement, those of a nest, or as given; default:"
            " as a network or DATAFLOW gives them, each statement of another kernel",
        ),
        shown(
            "-o", "--out", type=Path, metavar="NET.yaml", help="write the design as this network"
        ),
        FORCE,
        asked(
            "--capacities",
            also_printed=True,
            type=_capacities,
            metavar="C,C,..",
            help="run the network with channels of so many values, in the order of the table",
        ),
        JSON,
    ),
    run=network,
    print=_print,
    design=Request.load,
)
