"""Arrays in several parts: what the checks make of them, and planted faults they catch."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.check.plans.ordered_parts import listed, passage_fault
from hlsmem.check.plans.plan_parts import divide, operands_of
from hlsmem.check.plans.proof_check import check_proof
from hlsmem.check.replayed.replay_check import check_replay
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import from_json, to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import Program
from hlsmem_verify.kinds import KINDS
from tests.faults.plans import PART_FAULTS, PLAN_FAULTS, Fault
from tests.holdings import part_in, parts_in
from tests.plans import hardware_of

ROOT = Path(__file__).parents[3]
TWO = Path(__file__).parents[1] / "designs/two.yaml"
UNREAD = Path(__file__).parents[1] / "designs/unread.yaml"

Document = dict[str, Any]

DESIGNS: dict[str, tuple[Path, dict[str, int], tuple[str, ...]]] = {
    # t_0 and t_1 are FIFOs, t_2 is a register: a fine and two coarse readers.
    "two": (TWO, {"W": 16, "H": 8}, ("arrays.t.parts=operands",)),
    # y_0, y_1, .. are RAMs with mappings of their own, read after different times.
    "durbin": (ROOT / "examples/durbin/design.yaml", {"N": 8}, ("arrays.y.parts=operands",)),
    # A FIFO whose readers read their element in three operands of a beat, two of them in a run.
    "gain": (Path(__file__).parents[1] / "designs/gain.c", {}, ("schedule=text",)),
    # A chain with three operands.
    "blur": (ROOT / "examples/blur/design.yaml", {"N": 8}, ()),
}


@cache
def planning(name: str) -> Planning:
    file, parameters, settings = DESIGNS[name]
    return hardware_of(file, parameters=parameters, settings=settings)


@cache
def written(name: str) -> str:
    return to_json(planning(name).plan)


def document_of(name: str) -> Document:
    found: Document = json.loads(written(name))
    return found


def program_of(name: str) -> Program:
    found = planning(name).program
    assert found is not None
    return found


def verdicts(name: str, document: Document) -> dict[tuple[str, str], Verdict]:
    """By check and subject."""
    plan = from_json(json.dumps(document))
    found = [
        *check_proof(planning(name).plan.design, json.dumps(document)),
        *check_replay(planning(name).design, program_of(name), plan, document),
    ]
    return {(one.check, one.subject): one for one in found}


def caught(name: str, document: Document) -> dict[str, str]:
    """What the checks that fail say, by check."""
    found = {}
    for (check, _), one in verdicts(name, document).items():
        if one.status is Status.FAIL:
            found.setdefault(check, one.detail)
    return found


def planted(fault: str, name: str) -> list[tuple[str, Document]]:
    (one,) = (one for one in (*PART_FAULTS, *PLAN_FAULTS) if one.name == fault)
    document = document_of(name)
    found = list(one.plant(document))
    assert document == document_of(name), "planting changes a copy"
    assert found
    return found


@pytest.mark.few("two", "blur")
@pytest.mark.parametrize("name", DESIGNS)
def test_a_plan_passes_as_it_is(name: str) -> None:
    assert caught(name, document_of(name)) == {}


@pytest.mark.few("two")
@pytest.mark.parametrize("name", ["two", "durbin"])
def test_every_part_has_a_verdict_of_its_own(name: str) -> None:
    document = document_of(name)
    wanted = set()
    for array, own in document["arrays"].items():
        wanted.add(array)
        if len(parts_in(own)) > 1:
            wanted |= {f"{array}_{k}" for k in range(len(parts_in(own)))}
    assert len(wanted) > len(document["arrays"])
    for check in ("proof", "replay"):
        found = {subject for one, subject in verdicts(name, document) if one == check}
        found -= {f"{array} in C" for array in document["arrays"]}
        found -= {"streams", planning(name).plan.design} if check == "proof" else set()
        assert found == wanted


@pytest.mark.parametrize("name", DESIGNS)
def test_the_divided_program_reads_and_writes_what_the_whole_one_does(name: str) -> None:
    program = program_of(name)
    divided = divide(program, document_of(name))
    assert divided.faults == {}
    for array in program.planned_arrays():
        parts = divided.of(array.name)
        served = sorted(operand for part in parts for operand in part.operands)
        assert served == sorted(operands_of(program, array))
    for before, after in zip(program.statements, divided.program.statements, strict=True):
        assert len(after.reads) == len(before.reads)
        for one, other in zip(before.reads, after.reads, strict=True):
            assert other.array == one.array or other.array.startswith(f"{one.array}_")
            assert other.relation.is_equal(one.relation.set_tuple_name(3, other.array))


@pytest.mark.few("auto")
@pytest.mark.parametrize(
    "parts", ["auto", "operands", "[{operands: [m_t_C.0, m_t_C.1], kind: chain}]"]
)
def test_a_statement_without_instances_has_no_operands(parts: str, tmp_path: Path) -> None:
    """At these values: with M = 1 it has."""
    found = hardware_of(UNREAD, settings=(f"arrays.t.parts={parts}",))
    own = [operand for part in found.plan.arrays["t"].hardware.parts for operand in part.operands]
    assert own == [("m_t_C", 0), ("m_t_C", 1)]
    write_folder(tmp_path / "out", simulated_files(found))
    verdicts = run_checks(tmp_path / "out", ("proof", "replay", "rtl")).verdicts
    assert [one for one in verdicts if not one.fine] == []
    later = hardware_of(UNREAD, settings=("params.M=1",)).plan.arrays["t"]
    assert sorted(operand for part in later.hardware.parts for operand in part.operands) == [
        ("m_t_C", 0),
        ("m_t_C", 1),
        ("m_t_D", 0),
    ]


def test_a_tap_too_few_is_a_contradiction() -> None:
    document = document_of("blur")
    part = part_in(document["arrays"]["blurx"])
    part["taps"].pop()
    fault = divide(program_of("blur"), document).faults["blurx"]
    assert fault == "blurx has 2 taps for 3 operands"


def test_the_part_that_has_what_is_read_holds_no_more() -> None:
    """The register of the last operand takes a sixteenth of what is written."""
    divided = divide(program_of("two"), document_of("two"))
    sizes = [int((listed(divided.program, part).operand == -1).sum()) for part in divided.of("t")]
    assert sizes == [128, 8, 8]


def test_taps_are_those_of_the_plan() -> None:
    program, document = program_of("blur"), document_of("blur")
    (part,) = divide(program, document).of("blurx")
    assert part.entry["taps"] == [16, 8, 0]
    assert document["memories"]["blurx"]["words"] == 17
    assert passage_fault(program, part, listed(program, part), 17) == ""


def test_a_tap_one_short_is_caught() -> None:
    for _, faulty in planted("tap one short", "blur"):
        found = caught("blur", faulty)
        assert "elements behind the newest, its tap is " in found["replay"]
        assert "elements behind the newest" in found["proof"]


def test_a_formula_that_is_not_the_tap_is_caught() -> None:
    document = document_of("blur")
    part = part_in(document["arrays"]["blurx"])
    assert part["taps_expr"] == ["2*N", "N", "0"]
    part["taps_expr"][1] = "N + 1"
    said = caught("blur", document)["proof"]
    assert said.endswith("parts[0]: taps is [16, 8, 0], not [16, 9, 0]")


def test_a_chain_of_other_words_is_refused() -> None:
    document = document_of("blur")
    document["memories"]["blurx"]["words"] -= 1
    assert "words is 16, not 17" in caught("blur", document)["proof"]


@pytest.mark.few("replay-two", "two-replay")
@pytest.mark.parametrize("check", ["proof", "replay"])
@pytest.mark.parametrize("name", ["two", "durbin"])
def test_takes_one_element_short_is_caught(name: str, check: str) -> None:
    for where, faulty in planted("takes one element short", name):
        found = caught(name, faulty)
        assert check in found, where
        assert "read" in found[check]


def test_operands_of_two_parts_swapped_are_caught() -> None:
    for where, faulty in planted("operands of two parts swapped", "two"):
        assert set(caught("two", faulty)) == {"proof", "replay"}, where


def test_a_modulus_of_a_part_minus_one_is_caught() -> None:
    for where, faulty in planted("modulus minus one", "durbin"):
        if where.startswith("y "):
            assert set(caught("durbin", faulty)) == {"proof", "replay"}, where


def test_every_fault_of_parts_is_tried_here() -> None:
    tried = {
        "tap one short",
        "takes one element short",
        "operands of two parts swapped",
    }
    assert {fault.name for fault in PART_FAULTS} == tried
    assert all(isinstance(fault, Fault) and fault.description for fault in PART_FAULTS)


def without_an_operand(parts: list[Document]) -> None:
    parts[0]["operands"] = []


def with_an_operand_twice(parts: list[Document]) -> None:
    parts[1]["operands"] += parts[0]["operands"]


def with_a_strange_operand(parts: list[Document]) -> None:
    parts[0]["operands"] += [["m_t_A", 9]]


def in_one_memory(parts: list[Document]) -> None:
    parts[1]["memory"] = parts[0]["memory"]


def with_unreadable_takes(parts: list[Document]) -> None:
    parts[1]["takes"] = "{ [i] : }"


def with_taps_in_a_fifo(parts: list[Document]) -> None:
    parts[0]["taps"] = [0]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (without_an_operand, "m_t_A.0 is read from no part"),
        (with_an_operand_twice, "m_t_A.0 is read from 2 parts"),
        (with_a_strange_operand, "m_t_A.9 is no operand of its streams"),
        (in_one_memory, "two of its parts are in one memory"),
        (with_unreadable_takes, "its parts cannot be read: takes { [i] : } has no 2 dimensions"),
        (with_taps_in_a_fifo, "t_0 has taps in a memory of kind fifo"),
    ],
)
def test_parts_that_cannot_be_are_named(change: Any, found: str) -> None:
    document = copy.deepcopy(document_of("two"))
    change(parts_in(document["arrays"]["t"]))
    assert verdicts("two", document)["replay", "t"].detail == found
    assert "parts" in caught("two", document)["proof"]


def test_a_fifo_too_short_is_named() -> None:
    document = document_of("two")
    document["memories"]["t_0"]["words"] -= 1
    words = document["memories"]["t_0"]["words"]
    said = f"{words + 1} values wait at once, it has {words} words"
    assert caught("two", document)["replay"] == said
    assert verdicts("two", document)["proof", "t_0"].detail == (
        f"arrays.t.holdings.hardware.parts[0]: more than {words} values wait at once"
    )


def test_a_value_read_by_several_operands_of_a_beat_leaves_its_fifo_once() -> None:
    document = document_of("gain")
    assert document["memories"]["t"]["kind"] == "fifo"
    assert len(part_in(document["arrays"]["t"])["operands"]) == 3
    assert caught("gain", document) == {}
    told = verdicts("gain", document)
    for check in ("proof", "replay"):
        assert told[check, "t"].detail.endswith(f"; {KINDS['fifo'].says}")
    document["memories"]["t"]["words"] -= 1
    assert caught("gain", document)["replay"] == "48 values wait at once, it has 47 words"
    assert "parts[0]: " in caught("gain", document)["proof"]


@pytest.mark.dear
def test_start_does_nothing_while_parts_of_a_run_go_on(tmp_path: Path) -> None:
    """t_2 has its last beat before the others: alone it would begin anew."""
    write_folder(tmp_path, simulated_files(planning("two")))
    assert [one for one in run_checks(tmp_path, ("rtl",)).verdicts if not one.fine] == []
    top = tmp_path / "rtl/two_mem.v"
    top.write_text(top.read_text().replace("wire go = start & ~busy;", "wire go = start;"))
    fault, *_ = [one for one in run_checks(tmp_path, ("rtl",)).verdicts if not one.fine]
    assert "all beats have gone, but busy stays high" in fault.detail
