"""The choice of tests: what is left out takes no branch that the others do not take."""

from __future__ import annotations

from tests.choice import CHEAP, apart, catching, chosen_apart

DEAR = 2 * CHEAP


def test_a_test_without_a_branch_of_its_own_is_apart() -> None:
    branches = {"all": {1, 2, 3}, "some": {1, 2}, "other": {4}}
    assert chosen_apart(dict.fromkeys(branches, DEAR), branches) == ["some"]


def test_what_costs_little_stays_and_takes_from_what_is_dear() -> None:
    branches = {"cheap": {1, 2}, "dear": {1, 2}}
    assert chosen_apart({"cheap": CHEAP / 2, "dear": DEAR}, branches) == ["dear"]


def test_of_equal_tests_the_cheaper_stays() -> None:
    branches = {"short": {1, 2}, "long": {1, 2}}
    assert chosen_apart({"short": DEAR, "long": 3 * DEAR}, branches) == ["long"]


def test_tests_of_other_subjects_stay() -> None:
    name = "tests/rtl/test_library.py::test_as_its_model"
    assert chosen_apart({name: DEAR}, {name: set()}) == []


def test_what_planted_faults_are_caught_by_stays() -> None:
    names = catching()
    assert names
    assert chosen_apart(dict.fromkeys(names, DEAR), {name: set() for name in names}) == []
    assert not {name for name in apart() if name.startswith(tuple(names))}


def test_all_that_is_taken_is_taken_without_those_apart() -> None:
    branches = {f"t{k}": {k // 2, 7 * k % 13, 5 * k % 11} for k in range(40)}
    seconds = {name: CHEAP * (1 + int(name[1:]) % 5) for name in branches}
    left = chosen_apart(seconds, branches)
    rest = set().union(*(own for name, own in branches.items() if name not in left))
    assert left
    assert rest == set().union(*branches.values())


def test_the_list_names_tests_in_order() -> None:
    names = sorted(apart())
    assert names
    assert all("::" in name for name in names)
