"""Counting, fixing and differences against brute force over small boxes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import Map, Set, UnionMap, UnionSet
from hlsmem.polyhedra.sets import (
    at_values,
    count,
    differences,
    entry_range,
    fix_parameters,
    involves_parameter,
    parameter_names,
    points,
    symmetric_with_zero,
    with_parameters,
    without_name,
    without_parameters,
)
from tests.families import by_default

BOX = range(-3, 4)
INSIDE = "-3 <= x <= 3 and -3 <= y <= 3"

CONDITIONS = st.lists(
    st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-3, 3), st.integers(1, 3)),
    min_size=1,
    max_size=3,
)


def text_of(conditions: list[tuple[int, int, int, int]]) -> str:
    """a x + b y <= c or (x + y) mod m = 0, for every condition."""
    parts = [f"({a}x + {b}y <= {c} or (x + y) mod {m} = 0)" for a, b, c, m in conditions]
    return f"{{ A[x,y] : {INSIDE} and {' and '.join(parts)} }}"


def members_of(conditions: list[tuple[int, int, int, int]]) -> set[tuple[int, int]]:
    return {
        (x, y)
        for x, y in product(BOX, BOX)
        if all(a * x + b * y <= c or (x + y) % m == 0 for a, b, c, m in conditions)
    }


@given(CONDITIONS)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_count_and_points_agree_with_brute_force(
    conditions: list[tuple[int, int, int, int]],
) -> None:
    value, members = Set(text_of(conditions)), members_of(conditions)
    assert count(value) == len(members)
    assert [tuple(row) for row in points(value)] == sorted(members)


@given(CONDITIONS)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_symmetric_with_zero_adds_negatives_and_zero_only(
    conditions: list[tuple[int, int, int, int]],
) -> None:
    members = members_of(conditions)
    closed = symmetric_with_zero(Set(text_of(conditions)))
    expected = members | {(-x, -y) for x, y in members} | {(0, 0)}
    assert {tuple(row) for row in points(closed)} == expected


def test_points_of_a_scalar_is_one_row_without_columns() -> None:
    assert points(Set("{ A[] }")).shape == (1, 0)
    assert points(Set("{ A[] : 1 = 0 }")).shape == (0, 0)
    assert count(Set("{ A[] }")) == 1


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("{ [a, b] : 0 <= a < 1000000 and 3 <= b < 1000003 }", 10**12),
        ("{ [a, b] : 0 <= a < 100 and 0 <= b < 100 and b mod 2 = 0 }", 5000),
        ("{ [a, b] : 0 <= a < 100 and 0 <= b < 100 and a + b > 0 }", 9999),
        ("{ [a, b] : 0 <= a < 100 and 0 <= b < 100 and a = b }", 100),
        ("{ [a, b] : 0 <= b < 1000000 and (0 <= a < 7 or a = 9 and b < 5 or a < 3 < a) }", 7000005),
        ("{ [a, b] : 0 <= b < 9000 and (0 <= a < 7 or 5 <= a < 9) or a = b = 3 }", 81000),
        ("{ [a, b] : 0 <= a and b >= 0 and 5000a + b < 0 }", 0),
    ],
)
def test_large_boxes_are_counted_by_their_sides(text: str, points: int) -> None:
    """isl goes through the rows of such a box, one after the other; others it has to count."""
    assert count(Set(text)) == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("{ [i, j, k] : 0 <= i < 2000 and 0 <= j <= i and 0 <= k < 100000 }", 200_100_000_000),
        ("{ [j, i, o] : 0 <= i < 10^6 and 0 <= j < 1000 and -255 + j <= 256o <= j }", 10**9),
        (
            "{ [i, j, k] : 0 <= i, k < 1000 and 0 <= j < 10^6 and (i + k) mod 3 = 0 }",
            333334 * 10**6,
        ),
        ("{ [i, j] : 0 <= j < 10^9 and exists (e : i = 3e and 0 <= i < 10) }", 4 * 10**9),
    ],
)
def test_dimensions_that_nothing_relates_are_counted_apart(text: str, points: int) -> None:
    """As a product: isl would go through the rows of the whole."""
    assert count(Set(text.replace("10^9", "1000000000").replace("10^6", "1000000"))) == points


@given(CONDITIONS, CONDITIONS)
def test_a_product_has_as_many_points_as_its_factors_have_together(
    one: list[tuple[int, int, int, int]], other: list[tuple[int, int, int, int]]
) -> None:
    """The factors by brute force, large by a third that is a side of a box."""
    first, second = members_of(one), members_of(other)
    texts = [text_of(one), text_of(other).replace("x", "z").replace("y", "w")]
    inside = " and ".join(text[text.index(":") + 1 : -1] for text in texts)
    large = Set(f"{{ A[x, z, n, y, w] : 0 <= n < 100000 and {inside} }}")
    assert count(large) == 100000 * len(first) * len(second)


def test_maps_are_counted_and_listed_as_pairs() -> None:
    relation = Map("{ A[i] -> B[j] : 0 <= i <= j < 3 }")
    assert count(relation) == 6
    large = Map("{ A[i, j] -> B[k] : 0 <= i < 2000 and 0 <= j <= i and 0 <= k < 1000 }")
    assert count(large) == 2_001_000_000
    assert {tuple(row) for row in points(relation)} == {
        (i, j) for i in range(3) for j in range(i, 3)
    }


def test_free_parameters_are_no_number_of_points() -> None:
    free = Set("[N] -> { A[i] : 0 <= i < N and N < 9 }")
    with pytest.raises(ValueError, match="cannot count a set with free parameters"):
        count(free)
    with pytest.raises(ValueError, match="cannot list a set with free parameters"):
        points(free)


def test_parameters_that_do_not_matter_may_stay() -> None:
    value = Set("[N] -> { A[i] : 0 <= i < 5 }")
    assert count(value) == len(points(value)) == 5


def test_unbounded_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot count an unbounded set"):
        count(Set("{ A[i] : i >= 0 }"))
    with pytest.raises(ValueError, match="cannot list an unbounded set"):
        points(Set("{ A[i] : i >= 0 }"))


def test_differences_of_a_relation() -> None:
    relation = Map("{ A[i] -> A[j] : 0 <= i < 4 and j = i + 2 }")
    assert {tuple(row) for row in points(differences(relation))} == {(-2,), (0,), (2,)}


@pytest.mark.parametrize(
    ("kind", "body", "fixed"),
    [
        (Set, "{ A[i] : 0 <= i < N and i < M }", "{ A[i] : 0 <= i < 3 and i < M }"),
        (Map, "{ A[i] -> B[i + N] : i < M }", "{ A[i] -> B[i + 3] : i < M }"),
        (UnionSet, "{ A[i] : i < N; B[] : N = 3 }", "{ A[i] : i < 3; B[] }"),
        (UnionMap, "{ A[i] -> B[N]; B[] -> A[0] : M > N }", "{ A[i] -> B[3]; B[] -> A[0]: M > 3 }"),
    ],
)
def test_fixed_parameters_disappear(kind: type, body: str, fixed: str) -> None:
    value = fix_parameters(kind(f"[N, M] -> {body}"), {"N": 3, "K": 9})
    assert parameter_names(value) == ["M"]
    assert value.is_equal(kind(f"[M] -> {fixed}"))


def test_parameters_in_the_order_asked_for() -> None:
    value = with_parameters(Set("[M, N] -> { A[i] : M <= i < N }"), ("K", "N", "M"))
    assert parameter_names(value) == ["K", "N", "M"]
    assert value.is_equal(Set("[K, N, M] -> { A[i] : M <= i < N }"))
    union = with_parameters(UnionSet("[M] -> { A[i] : i < M; B[] }"), ("N", "M"))
    assert parameter_names(union) == ["N", "M"]


def test_a_parameter_that_is_not_asked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="has the parameters M"):
        with_parameters(Set("[M] -> { A[i] : i < M }"), ("N",))


def test_parameters_can_be_forgotten() -> None:
    value = without_parameters(Set("[N, M] -> { A[i] : 0 <= i < M <= N <= 5 }"), ["M", "K"])
    assert parameter_names(value) == ["N"]
    assert value.is_equal(Set("[N] -> { A[i] : 0 <= i < N <= 5 }"))


def test_which_parameters_matter() -> None:
    value = Set("[N, M] -> { A[i] : 0 <= i < N }")
    assert [involves_parameter(value, name) for name in ("N", "M", "K")] == [True, False, False]


def test_without_name() -> None:
    assert str(without_name(Set("{ A[i] : i > 0 }"))) == "{ [i] : i > 0 }"
    assert str(without_name(Set("{ [i] : i > 0 }"))) == "{ [i] : i > 0 }"


def test_the_range_of_an_entry_is_that_of_its_points() -> None:
    tuples = Set("{ [y, x] : 2 <= y < 9 and -y <= 3x < y and x + y != 8 }")
    for entry in range(2):
        column = points(tuples)[:, entry]
        assert entry_range(tuples, entry) == (column.min(), column.max())


def test_parameters_at_values_stay_parameters() -> None:
    where = at_values(Set("[N, M] -> { : N < M < 9 }"), {"N": 7})
    assert where.is_equal(Set("[N, M] -> { : N = 7 and M = 8 }"))
    assert list(parameter_names(where)) == ["N", "M"]
