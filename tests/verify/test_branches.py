"""Depths of branch FIFOs by the verifier: the difference of the paths, from plan.json alone."""

from __future__ import annotations

import json

import pytest

import hlsmem_verify
from hlsmem.planfile import to_json
from hlsmem_verify.claims.elastic import ways_of
from hlsmem_verify.facts import Facts
from hlsmem_verify.judge import judged
from hlsmem_verify.lemmas import LEMMAS
from tests.faults.plans import BRANCH_FAULTS, Fault
from tests.storage.test_elastic import planning as elastic_planning
from tests.verification.test_branches import DESIGNS, Document, document

BRANCH = [one for one in LEMMAS if one.name == "branch"]


def told(changed: Document) -> list[str]:
    return judged(Facts(changed), BRANCH).false


@pytest.mark.few("unsharp", "waits")
@pytest.mark.parametrize("name", DESIGNS)
def test_depths_are_proved(name: str) -> None:
    found = hlsmem_verify.verify(document(name))
    assert (found["false"], found["open"]) == ([], {})
    proved = {path[2]: how for path, _, how in found["leaves"] if path[0] == "elastic"}
    assert proved.pop("latency") == "measured"
    assert set(proved.values()) == {"proved by branch"}


@pytest.mark.few("unsharp", "waits", "chains")
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("fault", BRANCH_FAULTS, ids=lambda fault: fault.name)
def test_every_fault_in_a_plan_is_caught(name: str, fault: Fault) -> None:
    found = list(fault.plant(document(name)))
    assert found
    for where, faulty in found:
        assert told(faulty), where


def test_a_wrong_depth_is_told_with_the_right_one() -> None:
    faulty = document("unsharp")
    faulty["elastic"][0]["beats"] = 5
    assert told(faulty) == [
        "elastic: 5 beats wait on m_in_S, where the ways to its statement differ by 6"
    ]


def test_ways_take_as_long_as_the_datapaths_of_the_plan() -> None:
    own = document("unsharp")
    ways = ways_of(Facts(own))
    assert ways is not None
    assert {way.stream: way.cycles for way in ways} == {"m_in_B": 1, "m_in_S": 1, "m_b_S": 6}
    own["program"]["statements"]["B"]["latency"] = 4
    assert told(own)


def test_what_waits_behind_a_fifo_is_measured() -> None:
    own = json.loads(to_json(elastic_planning("behind a FIFO").plan))
    own["elastic"][0]["beats"] += 1
    found = hlsmem_verify.verify(own)
    claims = {claim for path, claim, _ in found["leaves"] if path[0] == "elastic"}
    assert claims == {"measured"}
