"""Branch FIFOs: their depths worked out on another path, and planted faults that are caught."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.library import plain
from hlsmem.pipeline.output import played_files
from hlsmem.pipeline.plan import Planning
from hlsmem.planfile import to_json
from hlsmem.storage.elastic import Edge, branch_depths
from hlsmem.verdict import Status
from hlsmem.verification.branches import (
    Way,
    balance_faults,
    branch_faults,
    branch_verdicts,
    made_branches,
    ways_of,
)
from hlsmem.verification.parts import divide
from tests.faults.plans import BRANCH_FAULTS, Fault
from tests.plans import hardware_of

EXAMPLES = Path(__file__).parents[2] / "examples"
DESIGNS = {
    "unsharp": (EXAMPLES / "unsharp/design.yaml", {"W": 8, "H": 6}),
    "camera": (EXAMPLES / "camera/design.yaml", {"W": 20, "H": 12}),
    "waits": (Path(__file__).parents[1] / "storage/designs/waits.yaml", {}),
    "chains": (Path(__file__).parents[1] / "gates/designs/chains.yaml", {"N": 8}),
}

Document = dict[str, Any]


@cache
def planning(name: str) -> Planning:
    file, parameters = DESIGNS[name]
    return hardware_of(file, parameters=parameters)


@cache
def top(name: str) -> str:
    return plain(played_files(planning(name))[f"rtl/{planning(name).plan.design}_mem.v"])


def document(name: str) -> Document:
    found: Document = json.loads(to_json(planning(name).plan))
    return found


def verdicts(name: str, faulty: Document) -> list[str]:
    """What is wrong with the branch FIFOs of a plan."""
    program = planning(name).program
    assert program is not None
    found = branch_verdicts("exact", divide(program, faulty))
    return [one.detail for one in found if one.status is Status.FAIL]


@pytest.mark.few("unsharp", "waits")
@pytest.mark.parametrize("name", DESIGNS)
def test_depths_of_plans_are_those_of_the_ways(name: str) -> None:
    assert document(name)["elastic"]
    assert verdicts(name, document(name)) == []


@pytest.mark.few("unsharp", "waits", "chains")
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("fault", BRANCH_FAULTS, ids=lambda fault: fault.name)
def test_every_fault_in_a_plan_is_caught(name: str, fault: Fault) -> None:
    found = list(fault.plant(document(name)))
    assert found
    for where, faulty in found:
        assert verdicts(name, faulty), where


def test_a_wrong_depth_is_told_with_the_right_one() -> None:
    faulty = document("unsharp")
    faulty["elastic"][0]["beats"] = 5
    (told,) = verdicts("unsharp", faulty)
    assert told == "5 beats wait on m_in_S, where the ways to its statement differ by 6"


def test_more_bits_than_needed_are_told() -> None:
    """The ways differ as much on the wide side: right, but dearer."""
    ways = (
        Way(source="A", reader="C", stream="m_a_C", cycles=1, bits=8),
        Way(source="C", reader="S", stream="m_c_S", cycles=2, bits=64),
        Way(source="A", reader="S", stream="m_a_S", cycles=9, bits=8),
    )
    entry = {"bits": 64, "waits_for": "m_a_S"}
    wide = [{**entry, "stream": "m_c_S", "beats": 6}]
    assert list(balance_faults(ways, wide)) == ["384 bits wait in branch FIFOs, where 48 would do"]
    narrow = [{**entry, "stream": "m_a_C", "beats": 6, "bits": 8, "waits_for": "m_a_C"}]
    assert list(balance_faults(ways, narrow)) == []


def test_ways_without_a_fifo_between_them_are_balanced_by_one() -> None:
    program = planning("unsharp").program
    assert program is not None
    ways = ways_of(divide(program, document("unsharp")))
    assert ways is not None
    assert {way.stream: way.cycles for way in ways} == {"m_in_B": 1, "m_in_S": 1, "m_b_S": 6}


@st.composite
def networks(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    """Ways (source, reader, cycles, bits) between up to six statements, never backwards."""
    count = draw(st.integers(2, 6))
    pairs = [(a, b) for b in range(1, count) for a in range(b)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    return [(a, b, draw(st.integers(1, 9)), draw(st.integers(1, 72))) for a, b in chosen]


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(networks())
def test_the_planner_and_the_check_agree_on_the_fewest_bits(
    found: list[tuple[int, int, int, int]],
) -> None:
    """A minimum-cost flow, and steps downhill: two ways to one sum."""
    own = [(f"S{a}", f"S{b}", f"m_{a}_{b}", cycles, bits) for a, b, cycles, bits in found]
    edges = [Edge(source=a, reader=b, stream=s, cycles=c, bits=w) for a, b, s, c, w in own]
    ways = [Way(source=a, reader=b, stream=s, cycles=c, bits=w) for a, b, s, c, w in own]
    bits = {edge.stream: edge.bits for edge in edges}
    elastic = [
        {"stream": stream, "beats": beats, "bits": bits[stream], "waits_for": stream}
        for stream, beats in branch_depths(edges).items()
    ]
    assert list(balance_faults(ways, elastic)) == []
    for one in elastic:
        for by in (-1, 1):
            wrong = [{**e, "beats": e["beats"] + by * (e is one)} for e in elastic]
            assert list(balance_faults(ways, [e for e in wrong if e["beats"]]))


VERILOG = {
    "one beat less": (".DEPTH(6)", ".DEPTH(5)", "holds 5 beats, 6 in plan.json"),
    "a bit is cut off": (".WIDTH(8)", ".WIDTH(7)", "is 7 bits wide, not 8"),
    "tlast is another": (".s_tlast(m_in_S_now_tlast)", ".s_tlast(1'b0)", "s_tlast of the branch"),
    "a beat goes in that is none": (
        ".s_tvalid(m_in_S_now_tvalid)",
        ".s_tvalid(1'b1)",
        "s_tvalid of the branch FIFO of m_in_S is 1'b1",
    ),
    "a beat is lost": (
        ".s_tready(m_in_S_now_tready)",
        ".s_tready()",
        "s_tready of the branch FIFO of m_in_S is , not m_in_S_now_tready",
    ),
    "busy falls while beats wait": (
        " | m_in_S_tvalid;",
        ";",
        "busy does not count what waits in the branch FIFO of m_in_S",
    ),
    "left out": ("hlsmem_branch #(", "hlsmem_other #(", "the branch FIFO of m_in_S is missing"),
}


# In front of a part: the stream, as the top has it, goes in; the part takes what comes out.
IN_FRONT = {
    "one beat less": (".DEPTH(12)", ".DEPTH(11)", "holds 11 beats, 12 in plan.json"),
    "a bit is cut off": (".WIDTH(8)", ".WIDTH(7)", "is 7 bits wide, not 8"),
    "beats leave that are not taken": (
        ".m_tready(s_in_1_in_in_now_tready)",
        ".m_tready(1'b1)",
        "m_tready of the branch FIFO of s_in_1_in_in is 1'b1",
    ),
    "a beat goes past it": (
        ".s_in_1_in_in_tvalid(s_in_1_in_in_now_tvalid)",
        ".s_in_1_in_in_tvalid(s_in_1_in_in_tvalid)",
        "s_in_1_in_in_tvalid of the part does not come from its branch FIFO",
    ),
    "an element goes past it": (
        ".s_in_1_in_in_tdata(s_in_1_in_in_now_tdata)",
        ".s_in_1_in_in_tdata(s_in_1_in_in_tdata)",
        "s_in_1_in_in_tdata of the part does not come from its branch FIFO",
    ),
    "busy falls while beats wait": (
        " | s_in_1_in_in_now_tvalid;",
        ";",
        "busy does not count what waits in the branch FIFO of s_in_1_in_in",
    ),
    "left out": ("hlsmem_branch #(", "hlsmem_other #(", "FIFO of s_in_1_in_in is missing"),
}


OTHER_VERILOG = [
    pytest.param(name, fault, id=f"{name}: {told}")
    for name, faults in (("unsharp", VERILOG), ("waits", IN_FRONT))
    for told, fault in faults.items()
]


@pytest.mark.parametrize(("name", "fault"), OTHER_VERILOG)
def test_other_verilog_than_planned_is_told(name: str, fault: tuple[str, str, str]) -> None:
    elastic, (right, wrong, told) = document(name)["elastic"], fault
    assert list(branch_faults(top(name), elastic, {})) == []
    assert top(name).count(right) == 1
    (found,) = branch_faults(top(name).replace(right, wrong), elastic, {})
    assert told in found


@pytest.mark.parametrize("name", DESIGNS)
def test_verilog_as_planned_has_no_fault(name: str) -> None:
    assert list(branch_faults(top(name), document(name)["elastic"], {})) == []


def test_verilog_with_a_branch_fifo_that_is_not_planned_is_told() -> None:
    (one,) = made_branches(top("unsharp"))
    assert (one.stream, one.parameters["DEPTH"]) == ("m_in_S", "6")
    (found,) = branch_faults(top("unsharp"), [], {})
    assert found == "m_in_S waits in a branch FIFO that plan.json does not have"


def test_planting_leaves_the_document_alone() -> None:
    before = document("unsharp")
    kept = copy.deepcopy(before)
    for fault in BRANCH_FAULTS:
        list(fault.plant(before))
    assert before == kept
