"""Which branches are decided by the tests in front of them."""

from __future__ import annotations

import pytest

from hlsmem.read.c import tree
from hlsmem.read.c.normal.control_flow.decided_branches import decided
from hlsmem.read.c.tree import INT, Number, Type
from hlsmem.read.c.trees import expression

TYPES: dict[str, Type] = {"n": INT, "u": Number(32, False), "k": Number(2, False)}


def condition(text: str) -> tree.Expression:
    return expression(text, None, lambda name: TYPES.get(name, INT))


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("n % 3 == 1", ["n % 3 == 2", "n % 3 == 0"], True),
        ("n % 3 == 1", ["n % 3 == 2"], None),
        ("n % 3 == 1", ["n % 3 == 1"], False),
        ("n % 3 != 1", ["n % 3 == 2", "n % 3 == 0"], False),
        ("n % 4 == 1", ["n % 4 == 2", "n % 4 == 0"], None),
        ("n % 3 == 1", ["u % 3 == 2", "n % 3 == 0"], None),
        ("n % 3 == 1", ["n % 3 == 2 || n % 3 == 0"], True),
        ("n % 3 == 1", ["n % 3 == 2 && u == 7", "n % 3 == 0"], None),
        ("n % 3 == 1 || u == 5", ["n % 3 == 2", "n % 3 == 0"], True),
        ("n % 3 == 1 && u == 5", ["n % 3 == 2", "n % 3 == 0"], None),
        ("n % 3 < 3", [], True),
        ("3 > n % 3", [], True),
        ("!(n % 3 >= 3)", [], True),
        ("n % 3 < u", [], None),
        ("(u & 3) == 3", ["(u & 3) < 3"], True),
        ("k == 3", ["k == 0", "k == 1", "k == 2"], True),
        ("n == 3", ["n == 0", "n == 1", "n == 2"], None),
        ("k + 1 == 4", ["k == 0", "k == 1", "k == 2"], None),
        ("n % 100 == 1", ["n % 100 != 1"], None),
        ("n % 0 == 1", ["n % 0 == 0"], None),
    ],
)
def test_a_condition_is_decided_by_the_values_that_are_left(
    text: str, before: list[str], found: bool | None
) -> None:
    tests = tuple((condition(one), False) for one in before)
    assert decided(condition(text), tests, lambda _: True) is found


def test_a_remainder_of_what_may_be_below_0_has_more_values() -> None:
    tests = tuple((condition(one), False) for one in ("n % 3 == 2", "n % 3 == 0"))
    assert decided(condition("n % 3 == 1"), tests, lambda _: False) is None


def test_tests_that_hold_leave_what_they_say() -> None:
    before = ((condition("n % 3 > 0"), True), (condition("n % 3 == 2"), False))
    assert decided(condition("n % 3 == 1"), before, lambda _: True) is True


def test_what_calls_is_not_decided() -> None:
    before = ((condition("n % 3 == 0"), True),)
    assert decided(condition("n % 3 == 0 || f(n)"), before, lambda _: True) is None
