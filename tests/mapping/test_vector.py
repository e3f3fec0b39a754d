"""Mappings of occupancy vectors: the shortest for a class, and those of the papers."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import pytest

from hlsmem.lifetime.storage_problem import GivenVector
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.methods.vector import GUARANTEES
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from hlsmem.questions.method_comparison import compare_methods
from tests.classes import ANY, problems_of, uniform
from tests.lifetime.test_class_conflicts import CASES, PARAMETERS
from tests.plans import plan_storage
from tests.programs import golden_case
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
E1 = EXAMPLES / "e1" / "design.yaml"
QUICK = [
    (name, expected)
    for name in CASES
    for expected in golden_case("003", name)["expected"]
    if prod(expected["size"]) <= 81
]


@pytest.mark.few(0.34)
@pytest.mark.parametrize(("name", "expected"), QUICK, ids=str)
def test_the_shortest_vector_takes_no_more_than_the_reference(name: str, expected: Any) -> None:
    vectors, (asked, *_) = CASES[name]
    sizes = dict(zip(PARAMETERS, expected["size"], strict=False))
    problem = problems_of(uniform(vectors, sizes), asked)["A"]
    found = method_named("vector").run(problem, 1_000_000)
    assert isinstance(found, StorageMapping)
    assert found.cells == expected["vector_allocated"]


def answers(*settings: str, file: Path = E1) -> dict[str, StorageMapping | NoMapping]:
    (found,) = compare_methods(load(file, settings=settings))
    return {name: answer for name, answer, _ in found.answers}


@pytest.mark.long
def test_each_kind_states_its_class_and_is_proved_for_that_of_the_plan() -> None:
    found = answers()
    for kind, cells in (("aov", 15), ("uov", 12), ("quov", 20)):
        answer = found[kind]
        assert isinstance(answer, StorageMapping)
        assert answer.cells == cells
        assert f"right for {GUARANTEES[kind]}" in answer.certificate.by
    assert isinstance(found["ov"], NoMapping)
    assert found["ov"].reason.startswith("not applicable: (2, 0) is right for the design's own")


@pytest.mark.long
def test_a_narrower_class_is_not_applicable_for_every_order() -> None:
    found = answers("plan.schedules=any", "plan.bands=null")
    for kind in ("ov", "aov", "quov"):
        answer = found[kind]
        assert isinstance(answer, NoMapping)
        assert answer.reason.startswith("not applicable: ")
    assert isinstance(found["uov"], StorageMapping)


def test_auto_does_not_take_them_and_who_asks_gets_them() -> None:
    assert plan_storage(load(E1)).folded.mappings["A"].method == "bases"
    found = plan_storage(load(E1, settings=("plan.method=uov",))).folded.mappings["A"]
    assert (found.method, found.cells) == ("uov", 12)
    tried = {name for name, _ in plan_storage(load(E1)).folded.choices["A"].candidates}
    assert tried.isdisjoint({"vector", *GUARANTEES})


def test_a_conflict_set_has_no_orders() -> None:
    found = answers(file=EXAMPLES / "blur" / "conflicts.yaml")
    assert isinstance(found["vector"], StorageMapping | NoMapping)
    assert isinstance(found["uov"], NoMapping)
    assert found["uov"].reason == "not applicable: a conflict set has no orders"


def test_a_wrong_vector_does_not_get_through() -> None:
    problem = problems_of(uniform(((1, 2), (1, 0), (1, -1)), {"m": 9, "n": 9}), ANY)["A"]
    for vector in ((2, 1), (1, 1), (2, 0)):
        given = replace(problem, vectors={"uov": GivenVector(vector=vector)})
        assert isinstance(method_named("uov").run(given, 1), NoMapping)
    given = replace(problem, vectors={"uov": GivenVector(vector=(3, 0))})
    assert isinstance(method_named("uov").run(given, 1), StorageMapping)


def test_a_budget_that_ends_says_so() -> None:
    large = problems_of(uniform(((1, 1), (1, 0), (1, -1)), {"m": 9, "n": 9}), ANY)["A"]
    answer = method_named("vector").run(large, 10)
    assert isinstance(answer, NoMapping)
    assert "too many to list" in answer.reason
