"""invariants.json: what it says of states and places holds at every place of the walk, and it
is as long whatever the extents are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hlsmem.check.formal.formal_verdicts import with_limits
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.verilog import invariants
from hlsmem.emit.verilog.invariants import invariants_document
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import points
from hlsmem.storage.kinds import Circuit
from tests.addressing.generator_run import positions
from tests.steps import load

ROOT = Path(__file__).parents[3]
GUARDS = ROOT / "tests" / "check" / "formal" / "designs" / "guards.yaml"
MIXED = ROOT / "examples" / "mixed" / "design.yaml"


def circuits_of(design: Path, **parameters: int) -> Sequence[Circuit]:
    return plan_hardware(load(design, parameters=parameters)).circuits


def value_of(form: Mapping[str, Any], loops: Sequence[int]) -> int:
    inner = sum(
        one["factor"] * (value_of(one["of"], loops) // one["by"]) for one in form["quotients"]
    )
    products = (factor * loop for factor, loop in zip(form["factors"], loops, strict=False))
    return int(form["constant"] + sum(products) + inner)


def holds(condition: Mapping[str, Any], loops: Sequence[int]) -> bool:
    ((word, parts),) = condition.items()
    if word in ("all", "any"):
        return (all if word == "all" else any)(holds(part, loops) for part in parts)
    value = value_of(parts[0], loops)
    return value == parts[1] if word == "equal" else value >= parts[1]


@pytest.mark.few(1)
@pytest.mark.parametrize(("design", "states", "places"), [(GUARDS, 2, 3), (MIXED, 3, 0)])
def test_states_and_idle_places_are_those_of_the_walk(
    design: Path, states: int, places: int
) -> None:
    several = idle = 0
    for circuit in circuits_of(design):
        told = invariants_document([circuit])["streams"]
        for walk in circuit.walks():
            generator, document = walk.recipe.generator, told[walk.stream]
            passed = [
                ([place.registers[k] for k in generator.loop_registers], place)
                for place in positions(generator)
            ]
            for state, condition in document["states"].items():
                several += 1
                for loops, place in passed:
                    assert holds(condition, loops) == (place.state == int(state))
            found = [one for text in document["places"] for one in points(Set(text)).tolist()]
            assert sorted(found) == sorted(loops for loops, place in passed if not place.is_beat)
            idle += len(found)
    assert (several, idle) == (states, places)


@pytest.mark.dear
def test_the_file_is_as_long_whatever_the_extents_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed, the places without a beat made it 14 MB at N=1500."""
    monkeypatch.setattr(
        "tests.addressing.generator_run.follow", None
    )  # nobody goes from place to place
    texts = []
    for size in (24, 240):
        document = invariants_document(circuits_of(GUARDS, N=size))["streams"]
        assert document["m_a_G"]["idle"] == size // 2 - 1
        texts.append(re.sub(r"\d+", "0", json.dumps(document)))
    assert texts[0] == texts[1]


def test_states_that_take_too_much_work_are_said_to_be_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    circuits = circuits_of(MIXED)
    assert not any("limit" in one for one in invariants_document(circuits)["streams"].values())
    monkeypatch.setattr(invariants, "_MOST_OPERATIONS", 1)
    streams = invariants_document(circuits)["streams"]
    told = {one["limit"] for one in streams.values() if "limit" in one}
    assert told == {"isl has no conditions of its states within 1 operations"}
    array = next(one.array for one in circuits)
    own = [SimpleNamespace(name=name, array=array) for name in streams]
    device: Any = SimpleNamespace(traced=own)
    verdict = Verdict(check="formal", subject=array, status=Status.NOT_JUDGED, detail="not proved")
    found = with_limits(verdict, device, streams).detail
    assert found.startswith("not proved; ")
    assert found.count("within 1 operations") == sum("limit" in one for one in streams.values())
    proved = replace(verdict, status=Status.PASS)
    assert with_limits(proved, device, streams) == proved
