"""Depths of branch FIFOs by the verifier: the difference of the paths, from plan.json alone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlsmem_verify
from hlsmem.plan import to_json
from hlsmem.storage.elastic import Edge, branch_depths
from hlsmem_verify.branches import BranchPath, balance_faults
from hlsmem_verify.claims.branch_fifos import branch_paths_of
from hlsmem_verify.facts import Facts
from hlsmem_verify.judge import judged
from hlsmem_verify.lemmas import LEMMAS
from tests.check.plans.test_branch_depths import DESIGNS, Document, document
from tests.families import by_default
from tests.faults.plans import BRANCH_FAULTS, Fault
from tests.storage.test_elastic import planning as elastic_planning

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
    branch_paths = branch_paths_of(Facts(own))
    assert branch_paths is not None
    assert {way.stream: way.cycles for way in branch_paths} == {
        "m_in_B": 1,
        "m_in_S": 1,
        "m_b_S": 6,
    }
    own["program"]["statements"]["B"]["latency"] = 4
    assert told(own)


def test_what_waits_behind_a_fifo_is_measured() -> None:
    own = json.loads(to_json(elastic_planning("behind a FIFO").plan))
    own["elastic"][0]["beats"] += 1
    found = hlsmem_verify.verify(own)
    claims = {claim for path, claim, _ in found["leaves"] if path[0] == "elastic"}
    assert claims == {"measured"}


def test_more_bits_than_needed_are_told() -> None:
    """The ways differ as much on the wide side: right, but dearer."""
    branch_paths = (
        BranchPath(source="A", reader="C", stream="m_a_C", cycles=1, bits=8),
        BranchPath(source="C", reader="S", stream="m_c_S", cycles=2, bits=64),
        BranchPath(source="A", reader="S", stream="m_a_S", cycles=9, bits=8),
    )
    entry = {"bits": 64, "waits_for": "m_a_S"}
    wide = [{**entry, "stream": "m_c_S", "beats": 6}]
    assert list(balance_faults(branch_paths, wide)) == [
        "384 bits wait in branch FIFOs, where 48 would do"
    ]
    narrow = [{**entry, "stream": "m_a_C", "beats": 6, "bits": 8, "waits_for": "m_a_C"}]
    assert list(balance_faults(branch_paths, narrow)) == []


@st.composite
def networks(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    """Ways (source, reader, cycles, bits) between up to six statements, never backwards."""
    count = draw(st.integers(2, 6))
    pairs = [(a, b) for b in range(1, count) for a in range(b)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    return [(a, b, draw(st.integers(1, 9)), draw(st.integers(1, 72))) for a, b in chosen]


@pytest.mark.long
@settings(max_examples=by_default(37, 150), deadline=None)
@given(networks())
def test_the_planner_and_the_check_agree_on_the_fewest_bits(
    found: list[tuple[int, int, int, int]],
) -> None:
    """A minimum-cost flow, and steps downhill: two ways to one sum."""
    own = [(f"S{a}", f"S{b}", f"m_{a}_{b}", cycles, bits) for a, b, cycles, bits in found]
    edges = [Edge(source=a, reader=b, stream=s, cycles=c, bits=w) for a, b, s, c, w in own]
    branch_paths = [
        BranchPath(source=a, reader=b, stream=s, cycles=c, bits=w) for a, b, s, c, w in own
    ]
    bits = {edge.stream: edge.bits for edge in edges}
    elastic = [
        {"stream": stream, "beats": beats, "bits": bits[stream], "waits_for": stream}
        for stream, beats in branch_depths(edges).items()
    ]
    assert list(balance_faults(branch_paths, elastic)) == []
    for one in elastic:
        for by in (-1, 1):
            wrong = [{**e, "beats": e["beats"] + by * (e is one)} for e in elastic]
            assert list(balance_faults(branch_paths, [e for e in wrong if e["beats"]]))
