"""What passes through chains and FIFOs, by relations, against the same counted access by access."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.pipeline.plan import Planning
from hlsmem.planfile import to_json
from hlsmem.verdict import Status
from hlsmem.verification.exact import check_exact
from hlsmem.verification.parts import Divided, Part, divide
from hlsmem.verification.passing import listed, passage_fault
from hlsmem.verification.succession import NotFollowed, succession_fault
from tests.plans import hardware_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

DESIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("blur/design.yaml", ("params.N=9",)),
    ("blur/design.yaml", ("params.N=9", "order=iteration")),
    ("blur/design.yaml", ("params.N=9", "arrays.blurx.parts=operands")),
    ("two_readers/design.yaml", ("params.W=32", "params.H=8")),
    ("unsharp/design.yaml", ("params.W=24", "params.H=8")),
    ("window3/design.yaml", ("params.W=40", "params.H=12")),
    ("fifo/design.yaml", ()),
)


@cache
def planned(name: str, settings: tuple[str, ...]) -> Planning:
    return hardware_of(EXAMPLES / name, settings=settings)


def divided(planning: Planning) -> tuple[Divided, dict[str, Any]]:
    document = json.loads(to_json(planning.plan))
    assert planning.program is not None
    return divide(planning.program, document), document


def with_taps(part: Part, taps: list[int] | None) -> Part:
    return dataclasses.replace(part, entry={**part.entry, "taps": taps})


@pytest.mark.parametrize(("name", "settings"), DESIGNS)
def test_both_ways_say_the_same(name: str, settings: tuple[str, ...]) -> None:
    parts, document = divided(planned(name, settings))
    seen = 0
    for part in parts.parts:
        if part.has_addresses:
            continue
        seen += 1
        words = document["memories"][part.entry["memory"]]["words"]
        accesses = listed(parts.program, part)
        taps = part.entry["taps"]
        cases = [(part, words)]
        if taps is None:
            cases += [(part, words - 1), (part, words + 1)]
        else:
            for k, step in ((0, 1), (0, -1), (len(taps) - 1, 1)):
                if taps[k] + step >= 0:
                    moved = [tap + step * (k == n) for n, tap in enumerate(taps)]
                    cases.append((with_taps(part, moved), words))
        for case, size in cases:
            found = succession_fault(parts.program, case, size)
            counted = passage_fault(parts.program, case, accesses, size)
            assert bool(found) == bool(counted), (case.entry["taps"], size, found, counted)
        assert not succession_fault(parts.program, part, words)
    assert seen


def test_unrolled_loops_are_not_followed() -> None:
    settings = ("params.N=8", "order=iteration", "pipeline.unroll.x=4")
    parts, _ = divided(planned("blur/design.yaml", settings))
    with pytest.raises(NotFollowed, match="unrolled"):
        succession_fault(parts.program, parts.parts[0], 1)


def test_taps_of_a_large_frame_are_proved() -> None:
    """Far more accesses than are counted; one tap a word off is told with the beat."""
    planning = planned("blur/design.yaml", ("params.N=2000",))
    document = json.loads(to_json(planning.plan))
    verdict, *_ = check_exact(planning.design, planning.program, planning.plan, document)
    assert verdict.status is Status.PASS
    assert verdict.detail.endswith(
        "at these parameters its operands lie 4000, 2000, 0 elements behind the newest"
    )
    parts, _ = divided(planning)
    (part,) = parts.parts
    wrong = with_taps(part, [4000, 1999, 0])
    found = succession_fault(parts.program, wrong, 4001)
    assert found == (
        "m_blurx_C.1 at [0, 2, 0, 0, 1] does not read 1999 elements behind the newest, its tap"
    )
