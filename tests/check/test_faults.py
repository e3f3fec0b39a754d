"""Planted faults: each one that does harm is caught, and each one that passes does none."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache

import pytest

from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.program.model import Program
from tests.check.brute import is_valid, simulate
from tests.check.subjects import Document, blur, document_of, passes, piece, replay
from tests.faults.plans import PLAN_FAULTS, Fault
from tests.holdings import part_in
from tests.programs import make_program
from tests.proof.mappings import PROVED, mapped

# These contradict the design or the plan itself: wrong wherever they fit.
CONTRADICTIONS = {
    "modulus value only",
    "modulus formula only",
    "coefficient value only",
    "offset value only",
    "memory one word short",
    "base minus one",
    "cells minus one",
    "declared plus one",
    "other parameters",
}
# These change where elements lie: enumeration says whether that does harm.
FOLDINGS = {
    "modulus minus one",
    "modulus for these parameters",
    "coefficient plus one",
    "coefficient negated",
    "dropped component",
}
BOUND = "bound plus one"
NAMES = ("one modulus", "rows", "two arrays")


def two_arrays() -> Program:
    """A row that is needed for one more row, and a scalar, which share a memory."""
    return make_program(
        values={"N": 5},
        context="[N] -> { : N >= 4 }",
        domains=[
            "[N] -> { S[i,j] : 0 <= i,j < N }",
            "[N] -> { T[i,j] : 1 <= i < N and 0 <= j < N }",
        ],
        schedules=["[N] -> { S[i,j] -> [i,0,j] }", "[N] -> { T[i,j] -> [i,1,j] }"],
        reads=["[N] -> { T[i,j] -> A[i-1,j] }", "[N] -> { T[i,j] -> B[i] }"],
        writes=["[N] -> { S[i,j] -> A[i,j] }", "[N] -> { S[i,j] -> B[i] }"],
        planned=("A", "B"),
    )


@cache
def subject(name: str) -> tuple[Program, Document]:
    """A plan that passes."""
    program = two_arrays() if name == "two arrays" else blur(5)
    values = program.values
    rows = piece([[1, 0], [0, 1]], ["2", "N"], values, offset=[3, "N + 1"])
    pieces, memories, alive = {
        "one modulus": ({"b": piece([[1, -2]], ["2*N + 1"], values)}, {}, {"b": 11}),
        "rows": ({"b": piece([[1, 0], [0, 1]], [3, "N"], values)}, {}, {"b": 11}),
        "two arrays": (
            {"A": rows, "B": piece([[0]], ["1"], values)},
            {"A": ("m", 1), "B": ("m", 0)},
            {"A": 10, "B": 1},
        ),
    }[name]
    document = document_of(
        program,
        {array: [own] for array, own in pieces.items()},
        memories=memories,
        bounds={
            array: [{"kind": "max-live", "cells": cells, "expr": str(cells)}]
            for array, cells in alive.items()
        },
    )
    for array in document["arrays"].values():
        array["declared"] = {"cells": 25, "expr": "N^2"}
    return program, document


def valid_everywhere(program: Program, document: Document) -> bool:
    """Whether the mappings are valid at every parameter tried, by enumeration."""
    for size in range(4, 8):
        values = {"N": size}
        there = copy.deepcopy(document)
        for array in there["arrays"].values():
            for own in part_in(array)["mapping"]["pieces"]:
                for key in ("modulus", "offset"):
                    own[f"{key}_value"] = [at(entry, values) for entry in own[key]]
                own["matrix_value"] = [[at(e, values) for e in row] for row in own["matrix"]]
                if min(own["modulus_value"], default=1) < 1:
                    return False
        moved = replace(program, values=values)
        if not all(is_valid(moved, there, array) for array in there["arrays"]):
            return False
    return True


def at(formula: str, values: dict[str, int]) -> int:
    return parse_quasi_polynomial(formula).evaluate(values)


def planted(fault: Fault, name: str) -> list[tuple[str, Document]]:
    _, document = subject(name)
    before = copy.deepcopy(document)
    found = list(fault.plant(document))
    assert document == before, "planting changes a copy"
    assert all(faulty != before for _, faulty in found)
    return found


def test_every_fault_is_of_one_sort_and_says_what_it_is() -> None:
    names = [fault.name for fault in PLAN_FAULTS]
    assert set(names) == CONTRADICTIONS | FOLDINGS | {BOUND}
    assert len(names) == len(set(names))
    assert all(fault.description for fault in PLAN_FAULTS)


@pytest.mark.parametrize("fault", PLAN_FAULTS, ids=lambda fault: fault.name)
def test_every_fault_fits_somewhere(fault: Fault) -> None:
    assert any(planted(fault, name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_caught_where_nothing_is_planted(name: str) -> None:
    program, document = subject(name)
    assert set(mapped(document).values()) == {PROVED}
    assert passes(replay(program, document))
    assert valid_everywhere(program, document)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "fault",
    [fault for fault in PLAN_FAULTS if fault.name in FOLDINGS],
    ids=lambda fault: fault.name,
)
def test_proof_catches_the_mappings_that_do_harm_and_no_others(fault: Fault, name: str) -> None:
    program, _ = subject(name)
    for where, faulty in planted(fault, name):
        caught = set(mapped(faulty).values()) != {PROVED}
        assert caught == (not valid_everywhere(program, faulty)), where


@pytest.mark.few("rows", "one modulus")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "fault",
    [fault for fault in PLAN_FAULTS if fault.name in FOLDINGS | {BOUND}],
    ids=lambda fault: fault.name,
)
def test_replay_catches_the_faults_that_do_harm_and_no_others(fault: Fault, name: str) -> None:
    program, _ = subject(name)
    for where, faulty in planted(fault, name):
        caught = {array for array, v in replay(program, faulty).items() if not v.fine}
        wrong = {array for array in faulty["arrays"] if not simulate(program, faulty, array)}
        if fault.name == BOUND:
            wrong = {where}
        assert caught == wrong, where


def test_a_modulus_below_the_bound_is_harmful_in_every_subject() -> None:
    """The oracle itself is no rubber stamp: one cell below the bound always loses a value."""
    fault = next(fault for fault in PLAN_FAULTS if fault.name == "modulus minus one")
    program, _ = subject("one modulus")
    ((_, faulty),) = planted(fault, "one modulus")
    assert not is_valid(program, faulty, "b")
    assert not simulate(program, faulty, "b")
