"""Operations on values: results are those of integers, and stay within the intervals."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hlsmem.datapath import arithmetic
from hlsmem.datapath.stages import Delays
from hlsmem.datapath.sums import with_trees
from hlsmem.datapath.values import Graph, Interval, Value
from tests.datapath.graph_values import numbers

ENDS = st.integers(-300, 300)
NUMBERS = st.integers(-(2**33), 2**33)


@st.composite
def operands(draw: Any) -> tuple[Graph, list[Value], dict[str, int]]:
    """Three operands with intervals, and a number in each."""
    graph, found, at = Graph(), [], {}
    for name in "abc":
        least, greatest = sorted((draw(ENDS), draw(ENDS)))
        found.append(arithmetic.operand(graph, name, Interval(least, greatest)))
        at[name] = draw(st.integers(least, greatest))
    return graph, found, at


def holds(value: Value, at: dict[str, int], expected: int) -> None:
    found = numbers([value], at)
    assert found[value.number] == expected
    assert value.interval.least <= expected <= value.interval.greatest


@given(operands(), st.integers(-70, 70).filter(bool))
def test_quotients_round_towards_zero_and_remainders_have_the_sign(
    given: tuple[Graph, list[Value], dict[str, int]], divisor: int
) -> None:
    graph, (a, _, _), at = given
    quotient = abs(at["a"]) // abs(divisor) * (1 if (at["a"] < 0) == (divisor < 0) else -1)
    holds(arithmetic.divide(graph, a, divisor), at, quotient)
    holds(arithmetic.remainder(graph, a, divisor), at, at["a"] - divisor * quotient)


@given(operands())
def test_results_are_those_of_integers(
    given: tuple[Graph, list[Value], dict[str, int]],
) -> None:
    graph, (a, b, _), at = given
    x, y = at["a"], at["b"]
    holds(arithmetic.add(graph, a, b), at, x + y)
    holds(arithmetic.subtract(graph, a, b), at, x - y)
    holds(arithmetic.multiply(graph, a, b), at, x * y)
    holds(arithmetic.multiply(graph, a, a), at, x * x)
    holds(arithmetic.bit_and(graph, a, b), at, x & y)
    holds(arithmetic.bit_or(graph, a, b), at, x | y)
    holds(arithmetic.bit_xor(graph, a, b), at, x ^ y)
    holds(arithmetic.less(graph, a, b), at, int(x < y))
    holds(arithmetic.equal(graph, a, b), at, int(x == y))
    holds(arithmetic.shift_right(graph, a, 3), at, x >> 3)


@given(operands(), ENDS, st.booleans())
def test_arms_that_a_condition_cuts_stay_within_their_interval(
    given: tuple[Graph, list[Value], dict[str, int]], bound: int, turned: bool
) -> None:
    graph, (a, b, _), at = given
    end = arithmetic.constant(graph, bound)
    pair = (end, a) if turned else (a, end)
    condition = arithmetic.less(graph, *pair)
    x = at["a"]
    is_less = bound < x if turned else x < bound
    arms = [a, arithmetic.add(graph, a, end), arithmetic.subtract(graph, end, a), b]
    texts = [x, x + bound, bound - x, at["b"]]
    for one, first in zip(arms, texts, strict=True):
        for other, second in zip(arms, texts, strict=True):
            chosen = arithmetic.choose(graph, condition, one, other)
            holds(chosen, at, first if is_less else second)


@given(NUMBERS, st.integers(1, 34), st.booleans())
def test_a_wrap_is_equal_modulo_a_power_of_two(number: int, bits: int, signed: bool) -> None:
    graph = Graph()
    a = arithmetic.operand(graph, "a", Interval(-(2**33), 2**33))
    wrapped = arithmetic.wrap(graph, a, bits, signed=signed)
    found = numbers([wrapped], {"a": number})[wrapped.number]
    assert (found - number) % 2**bits == 0
    assert wrapped.interval.least <= found <= wrapped.interval.greatest


@given(operands(), st.lists(st.tuples(st.integers(-40, 40), st.sampled_from("abc")), max_size=9))
def test_trees_of_sums_are_the_sums(
    given: tuple[Graph, list[Value], dict[str, int]], terms: list[tuple[int, str]]
) -> None:
    graph, values, at = given
    own = dict(zip("abc", values, strict=True))
    total, expected = arithmetic.constant(graph, 3), 3
    for factor, name in terms:
        term = arithmetic.multiply(graph, own[name], arithmetic.constant(graph, factor))
        total, expected = arithmetic.add(graph, total, term), expected + factor * at[name]
    (tree,) = with_trees(graph, [total], Delays())
    assert numbers([tree], at)[tree.number] == expected


def test_equal_operations_are_one_node() -> None:
    graph = Graph()
    a, b = (arithmetic.operand(graph, name, Interval(0, 255)) for name in "ab")
    assert arithmetic.add(graph, a, b) is arithmetic.add(graph, b, a)
    assert arithmetic.subtract(graph, a, b) is not arithmetic.subtract(graph, b, a)


def test_clamps_and_magnitudes_stay_narrow() -> None:
    graph = Graph()
    a = arithmetic.operand(graph, "a", Interval(-1000, 1000))
    zero, top = (arithmetic.constant(graph, own) for own in (0, 255))
    positive = arithmetic.choose(graph, arithmetic.less(graph, a, zero), zero, a)
    is_above = arithmetic.less(graph, top, positive)
    clamped = arithmetic.choose(graph, is_above, top, positive)
    assert clamped.interval == Interval(0, 255)
    is_negative = arithmetic.less(graph, a, zero)
    magnitude = arithmetic.choose(graph, is_negative, arithmetic.negate(graph, a), a)
    assert magnitude.interval == Interval(0, 1000)
