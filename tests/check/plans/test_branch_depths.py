"""Branch FIFOs of a top: planted faults in its Verilog that are caught."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check.plans.branch_depths import branch_faults, made_branches
from hlsmem.core.verilog_library import plain
from hlsmem.plan import to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from tests.faults.plans import BRANCH_FAULTS
from tests.plans import hardware_of

EXAMPLES = Path(__file__).parents[3] / "examples"
DESIGNS = {
    "unsharp": (EXAMPLES / "unsharp/design.yaml", {"W": 8, "H": 6}),
    "camera": (EXAMPLES / "camera/design.yaml", {"W": 20, "H": 12}),
    "waits": (Path(__file__).parents[2] / "storage/designs/waits.yaml", {}),
    "chains": (Path(__file__).parents[2] / "dependences/designs/chains.yaml", {"N": 8}),
}

Document = dict[str, Any]


@cache
def planning(name: str) -> Planning:
    file, parameters = DESIGNS[name]
    return hardware_of(file, parameters=parameters)


@cache
def top(name: str) -> str:
    return plain(simulated_files(planning(name))[f"rtl/{planning(name).plan.design}_mem.v"])


def document(name: str) -> Document:
    found: Document = json.loads(to_json(planning(name).plan))
    return found


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
