"""Inputs of the proofs of one generated design."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hlsmem.check.formal.model.beat_tables import BeatTable, beat_tables
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.plans.plan_parts import Divided, divide
from hlsmem.check.rtl.expected_beats import StreamBeats, traffic
from hlsmem.check.rtl.simulated_device import Device
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import Program

_HINTS_FORMAT = "hlsmem-invariants/2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Inputs of the proofs of one generated design.

    `streams` are those of the divided program, `ports` those of arrays in several parts.
    """

    name: str
    device: Device
    rtl: Mapping[str, str]
    tables: Mapping[str, BeatTable]
    streams: Mapping[str, StreamBeats]
    hints: Mapping[str, Any]
    document: Mapping[str, Any]
    divided: Divided
    ports: Mapping[str, StreamBeats]


def design_of(
    program: Program,
    device: Device,
    rtl: Mapping[str, str],
    hints: Mapping[str, Any],
    document: Mapping[str, Any],
) -> Design:
    """All that the proofs are made from, with the beats of every stream listed.

    Its program is the divided one, `document` has its parts as arrays. Raises NoGhost.
    """
    divided = divide(program, document)
    for array, fault in divided.faults.items():
        raise NoGhost(f"{array}: {fault}")
    ports = traffic(program, None)
    program = divided.program
    expected = traffic(program, None)
    return Design(
        name=device.top.removesuffix("_mem"),
        device=device,
        rtl=rtl,
        tables=beat_tables(expected),
        streams=expected.streams,
        hints=hints,
        document=divided.document,
        divided=divided,
        ports={} if not device.inner else ports.streams,
    )


def read_hints(folder: Path) -> Mapping[str, Any]:
    """Invariants of the registers of each stream's address generator: invariants.json in the
    folder of what describes the Verilog."""
    file = folder / "invariants.json"
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["format"] != _HINTS_FORMAT:
            raise ValueError(document["format"])
        streams: Mapping[str, Any] = document["streams"]
        return streams
    except (OSError, ValueError, KeyError, TypeError):
        problem = Problem(f"{file} is missing or not of this version", "run `hlsmem plan` again")
        raise InputError(problem) from None
