"""Forks and joins are proved as generated, and planted faults in them are caught."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from hlsmem.check.formal.formal_verdicts import judge_junctions
from hlsmem.check.formal.proof_design import design_of
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.verdict import Status, Verdict
from hlsmem.planner.output_files import described_files
from hlsmem.tools.provers import find_prover
from tests.check.plans.test_plan_parts import document_of, planning, program_of

FORK, FORK_WALK, JOIN = "two_s_t_P_fork.v", "two_s_t_P_walk.v", "two_m_t_B_join.v"
# (file, what is replaced, by what, words of the verdict)
FAULTS = {
    "a part is given all beats": (
        FORK,
        "s_t_1_P_wants = takes_1 & ",
        "s_t_1_P_wants = ",
        "s t 1 P gets a beat of other parts",
    ),
    "two parts have each other's beats": (
        FORK,
        "s_t_1_P_wants = takes_1 & ",
        "s_t_1_P_wants = takes_2 & ",
        "s t 1 P",
    ),
    "a beat is given twice": (
        FORK,
        "takes_1 & ~s_t_1_P_has",
        "takes_1",
        "s t 1 P",
    ),
    "a part is not waited for": (
        FORK,
        "& (s_t_1_P_tready | ~s_t_1_P_wants)",
        "",
        "s t 1 P misses a beat",
    ),
    "other data": (
        FORK,
        "s_t_1_P_tdata = s_t_P_tdata",
        "s_t_1_P_tdata = ~s_t_P_tdata",
        "s t 1 P gets other data",
    ),
    "the address generator goes on by itself": (
        FORK_WALK,
        "wire move = step;",
        "wire move = 1'b1;",
        "the address generator moves without a beat",
    ),
    "the last beat comes early": (
        FORK_WALK,
        "(t1 == 4'd15)",
        "(t1 == 4'd14)",
        "the address generator of s_t_P is wrong on tlast of beat 126",
    ),
    "other beats are taken": (
        FORK_WALK,
        r"cell_t0 <= 2'd\d",
        "cell_t0 <= 2'd2",
        "nothing in it says which beats s_t_",
    ),
    "parts are swapped at the join": (
        JOIN,
        r"\{(m_t_2_B_tdata\[15:0\]), (m_t_1_B_tdata\[15:0\])\}",
        r"{\2, \1}",
        "is not that of m t ",
    ),
    "a beat does not wait for a part": (
        JOIN,
        r"m_t_B_tvalid = m_t_1_B_tvalid & m_t_2_B_tvalid",
        "m_t_B_tvalid = m_t_1_B_tvalid",
        "a beat goes without m t 2 B",
    ),
    "a part goes on by itself": (
        JOIN,
        "assign m_t_2_B_tready = m_t_B_tready & m_t_1_B_tvalid",
        "assign m_t_2_B_tready = m_t_B_tready",
        "m t 2 B is taken apart from its beat",
    ),
}


@cache
def files() -> dict[str, str]:
    return described_files(planning("two"))


def judged(folder: Path, rtl: dict[str, str]) -> Verdict:
    file = folder / "two.json"
    file.write_text(files()["sim/two.json"])
    hints = json.loads(files()["sim/invariants.json"])["streams"]
    design = design_of(program_of("two"), read_device(file), rtl, hints, document_of("two"))
    return judge_junctions(design, "t", find_prover())


def modules() -> dict[str, str]:
    names = (name for name in files() if name.startswith("rtl/") and name.endswith(".v"))
    return {name.removeprefix("rtl/"): files()[name] for name in names}


@pytest.mark.formal
def test_forks_and_joins_are_proved(tmp_path: Path) -> None:
    verdict = judged(tmp_path, modules())
    assert verdict.status is Status.PASS, verdict.detail
    assert verdict.detail.startswith("every beat of 3 streams goes to the parts that take it, once")


@pytest.mark.formal
@pytest.mark.few(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, tmp_path: Path) -> None:
    name, old, new, words = FAULTS[fault]
    rtl = modules()
    text = rtl[name]
    pattern = old if "\\" in old else re.escape(old)
    edited, count = re.subn(pattern, new, text)
    assert count, "the fault fits"
    assert edited != text
    verdict = judged(tmp_path, {**rtl, name: edited})
    assert verdict.status is Status.FAIL, verdict.detail
    assert words in verdict.detail
