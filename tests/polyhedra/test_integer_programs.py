"""Least values of forms against the points listed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.polyhedra import Map
from hlsmem.polyhedra.integer_programs import Points
from hlsmem.polyhedra.sets import points

small = some.integers(-2, 2)


@settings(deadline=None)
@given(some.lists(some.tuples(small, small), min_size=1, max_size=2), some.integers(1, 4), small)
def test_least_and_greatest_are_those_of_the_points(
    rows: list[tuple[int, int]], size: int, slope: int
) -> None:
    relation = Map(f"{{ [i] -> [j] : 0 <= i < {size} and {slope}i <= j <= {size} + 2i }}")
    relation = relation.union(Map("{ [7] -> [1] }"))
    forms = [(row, 3) for row in rows]
    values = [
        tuple(a * i + b * j + 3 for a, b in rows) for i, j in points(relation.wrap()).tolist()
    ]
    found = Points.of(relation)
    assert found.least(forms) == min(values)
    assert found.greatest(forms) == max(values)


def test_parameters_take_all_their_values() -> None:
    shifted = Points.of(Map("[N] -> { [i] -> [j] : j = i + 2 and 0 <= i < N }"))
    assert shifted.least([((-1, 1), 0)]) == (2,)
    assert shifted.least([((0, 1), 0), ((1, 0), 0)]) == (2, 0)
    back = Points.of(Map("[N] -> { [i] -> [j] : 0 <= i, j < N }"))
    assert back.least([((-1, 1), 0)]) is None
    assert back.greatest([((-1, 1), 0)]) is None
