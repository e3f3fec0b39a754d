"""The choice of tests: what is left out takes few branches that the others do not take."""

from __future__ import annotations

from tests.choice import CHEAP, LEAST, apart, catching, chosen_apart, is_apart, listed

DEAR = 2 * CHEAP


def test_a_test_without_a_branch_of_its_own_is_apart() -> None:
    branches = {"all": {*range(30)}, "some": {1, 2}, "other": {*range(30, 50)}}
    assert chosen_apart(dict.fromkeys(branches, DEAR), branches) == ["some"]


def test_what_costs_little_stays_and_takes_from_what_is_dear() -> None:
    branches = {"cheap": {1, 2}, "dear": {1, 2}}
    assert chosen_apart({"cheap": CHEAP / 2, "dear": DEAR}, branches) == ["dear"]


def test_of_equal_tests_the_cheaper_stays() -> None:
    branches = {"short": {*range(20)}, "long": {*range(20)}}
    assert chosen_apart({"short": DEAR, "long": 3 * DEAR}, branches) == ["long"]


def test_tests_of_other_subjects_stay() -> None:
    name = "tests/rtl/test_library.py::test_as_its_model"
    assert chosen_apart({name: DEAR}, {name: set()}) == []


def test_what_planted_faults_are_caught_by_stays() -> None:
    names = catching()
    assert names
    assert chosen_apart(dict.fromkeys(names, DEAR), {name: set() for name in names}) == []
    assert not {name for name in apart() if name.startswith(tuple(names))}
    assert not {name for name in names if is_apart(name, apart())}


def test_what_is_left_out_takes_few_branches_a_second_that_the_others_do_not() -> None:
    many = 4 * LEAST
    branches = {f"t{k}": {*range(many * (k // 2), many * (k // 2) + 3 * k)} for k in range(40)}
    seconds = {name: CHEAP * (1 + int(name[1:]) % 5) for name in branches}
    left = chosen_apart(seconds, branches)
    rest = set().union(*(own for name, own in branches.items() if name not in left))
    assert 0 < len(left) < len(branches)
    assert all(len(branches[name] - rest) < LEAST * seconds[name] for name in left)
    staying = {name: own for name, own in branches.items() if name not in left}
    assert all(len(own) >= LEAST * seconds[name] for name, own in staying.items())


def test_a_function_of_which_no_case_stays_is_named_alone() -> None:
    names = ["a::f[1]", "a::f[2]", "a::g[1]", "a::g[2]", "a::h"]
    lines = listed({"a::f[1]", "a::g[1]", "a::g[2]"}, names)
    assert lines == ["a::f[1]", "a::g"]
    assert [name for name in names if is_apart(name, lines)] == ["a::f[1]", "a::g[1]", "a::g[2]"]


def test_the_list_names_tests_in_order() -> None:
    names = sorted(apart())
    assert names
    assert all("::" in name for name in names)
