from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.expression import Integer, Name, Operation, Operator, evaluate

NUMBERS = st.integers(-50, 50)


def value(operator: Operator, *arguments: int) -> int:
    return evaluate(Operation(operator, tuple(Integer(one) for one in arguments)), {})


@settings(deadline=None, derandomize=True)
@given(NUMBERS, NUMBERS.filter(bool))
def test_floor_division_and_remainder_belong_together(a: int, b: int) -> None:
    quotient, remainder = value(Operator.FLOOR_DIVIDE, a, b), value(Operator.MODULO, a, b)
    assert quotient * b + remainder == a
    assert 0 <= remainder * (1 if b > 0 else -1) < abs(b)


@settings(deadline=None, derandomize=True)
@given(NUMBERS, NUMBERS.filter(bool))
def test_exact_division_undoes_multiplication(a: int, b: int) -> None:
    assert value(Operator.EXACT_DIVIDE, value(Operator.MULTIPLY, a, b), b) == a


@settings(deadline=None, derandomize=True)
@given(NUMBERS, NUMBERS)
def test_exactly_one_comparison_of_three_holds(a: int, b: int) -> None:
    less, equal, greater = (
        value(operator, a, b) for operator in (Operator.LESS, Operator.EQUAL, Operator.GREATER)
    )
    assert less + equal + greater == 1
    assert value(Operator.LESS_EQUAL, a, b) == less + equal
    assert value(Operator.GREATER_EQUAL, a, b) == greater + equal
    assert less == (b - a > 0)


@settings(deadline=None, derandomize=True)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_sums_and_extremes_of_several(a: int, b: int, c: int) -> None:
    assert value(Operator.ADD, a, b, c) == a + b + c
    assert value(Operator.SUBTRACT, a, b) == a - b
    assert value(Operator.MULTIPLY, a, b, c) == a * b * c
    low, high = value(Operator.MINIMUM, a, b, c), value(Operator.MAXIMUM, a, b, c)
    assert [low, high] == [sorted((a, b, c))[0], sorted((a, b, c))[2]]


@pytest.mark.parametrize(
    ("operator", "truth"),
    [(Operator.AND, [0, 0, 0, 1]), (Operator.OR, [0, 1, 1, 1])],
)
def test_conditions_are_one_or_zero(operator: Operator, truth: list[int]) -> None:
    assert [value(operator, a, b) for a in (0, 5) for b in (0, 7)] == truth


def test_select_takes_the_branch_of_its_condition() -> None:
    assert value(Operator.SELECT, 3, 10, 20) == 10
    assert value(Operator.SELECT, 0, 10, 20) == 20


def test_names_take_their_values() -> None:
    inner = Operation(Operator.MULTIPLY, (Integer(2), Name("i")))
    assert evaluate(Operation(Operator.ADD, (inner, Name("N"))), {"i": 3, "N": 4}) == 10


def test_a_name_without_a_value_is_named() -> None:
    with pytest.raises(KeyError, match="j"):
        evaluate(Operation(Operator.ADD, (Name("i"), Name("j"))), {"i": 1})


def test_every_operator_evaluates() -> None:
    for operator in Operator:
        count = 3 if operator is Operator.SELECT else 2
        assert isinstance(value(operator, *[6, 3, 2][:count]), int)
