from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.core.errors import LimitError
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.enumeration import columns_at, distinct_points, point_chunks
from tests.families import by_default


def _rows(value: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(int(entry) for entry in row) for row in value]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("{ [x, y] : 0 <= x <= y < 7 }", lambda x, y: 0 <= x <= y < 7),
        ("{ [x, y] : -5 <= 3x + 2y <= 4 and -3 <= x - y <= 3 }",
         lambda x, y: -5 <= 3 * x + 2 * y <= 4 and -3 <= x - y <= 3),
        ("{ [x, y] : -4 <= x < 9 and x mod 3 = 1 and y = floor(x/2) }",
         lambda x, y: -4 <= x < 9 and x % 3 == 1 and y == x // 2),
        ("{ [x, y] : exists (e : 2e <= x <= 2e + 1 and e mod 2 = 0) and 0 <= x, y < 9 }",
         lambda x, y: (x // 2) % 2 == 0 and 0 <= x < 9 and 0 <= y < 9),
        ("{ [x, y] : 2x = 3y and -9 <= x <= 9 }", lambda x, y: 2 * x == 3 * y and -9 <= x <= 9),
        ("{ [x, y] : (0 <= x < 4 and 0 <= y < 4) or (2 <= x, y < 6) }",
         lambda x, y: (0 <= x < 4 and 0 <= y < 4) or (2 <= x < 6 and 2 <= y < 6)),
        ("{ [x, y] : 0 <= x < 5 and 5x <= 7y < 5x + 7 }",
         lambda x, y: 0 <= x < 5 and 5 * x <= 7 * y < 5 * x + 7),
        ("{ [x, y] : x = 1 and y = 2 and false }", lambda *_: False),
    ],
)  # fmt: skip
def test_points_are_those_that_satisfy_the_conditions(text, inside) -> None:
    span = range(-12, 13)
    assert _rows(distinct_points(Set(text))) == [p for p in product(span, span) if inside(*p)]


def test_a_row_longer_than_a_chunk_comes_in_several() -> None:
    chunks = list(point_chunks(Set("{ [y, x] : 0 <= y < 2 and -3 <= x < 18 }"), 8))
    assert max(map(len, chunks)) == 8
    assert [tuple(row) for row in np.concatenate(chunks)] == list(product(range(2), range(-3, 18)))


def test_small_chunks_give_the_same_points() -> None:
    shape = Set("{ [x, y, z] : 0 <= x < 6 and 0 <= y <= x and x + y <= 2z <= 9 }")
    chunks = list(point_chunks(shape, chunk=4))
    assert len(chunks) > 3
    assert sorted(_rows(np.concatenate(chunks))) == _rows(distinct_points(shape))


@pytest.mark.parametrize(
    "text",
    [
        "{ [n, m, x, y] : 0 <= x < n and x <= y < m and n >= 2 }",
        "{ [n, m, x, y] : 0 <= 2x < n + m and y = floor(n/2) + floor(x/3) and m mod 2 = 1 }",
        "{ [n, m, x, y] : n = 2m and 0 <= x, y < m or n > m and x = n and 0 <= y <= 1 }",
        "{ [n, m, x, y] : (exists e : x + n = 3e and 0 <= y < e) and 0 <= x < 2m }",
    ],
)
def test_points_are_listed_at_some_first_coordinates(text: str) -> None:
    """Which the set alone need not bound."""
    firsts = [(0, 1), (2, 1), (3, 5), (4, 2), (6, 3), (9, 1)]
    found = columns_at(Set(text), np.array(firsts), 1000)
    assert found is not None
    rows = [row for columns in found for row in _rows(np.column_stack(columns))]
    box = Set("{ [n, m, x, y] : 0 <= n, m < 10 }").intersect(Set(text))
    assert sorted(set(rows)) == [row for row in _rows(distinct_points(box)) if row[:2] in firsts]
    assert rows
    assert columns_at(Set(text), np.array(firsts), len(rows) - 1) is None


def test_maps_are_listed_with_both_ends_and_scalars_have_one_point() -> None:
    assert _rows(distinct_points(Map("{ A[x] -> B[x + 1] : 0 <= x < 2 }"))) == [(0, 1), (1, 2)]
    assert _rows(distinct_points(Set("{ A[] }"))) == [()]
    assert _rows(distinct_points(Set("{ A[] : false }"))) == []


def test_unbounded_sets_and_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="unbounded"):
        distinct_points(Set("{ [x] : x >= 0 }"))
    with pytest.raises(ValueError, match="parameters"):
        distinct_points(Set("[N] -> { [x] : 0 <= x < N }"))


_ROW = some.tuples(*[some.integers(-3, 3)] * 3, some.integers(-6, 6))


@given(rows=some.lists(_ROW, max_size=4), divisor=some.integers(1, 4))
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_random_sets_are_listed_exactly(rows, divisor) -> None:
    conditions = ["0 <= x, y, z <= 4", f"(x + y + 2z) mod {divisor} = 0"]
    conditions += [f"{a}*x + {b}*y + {c}*z + {d} >= 0" for a, b, c, d in rows]
    expected = [
        (x, y, z)
        for x, y, z in product(range(5), repeat=3)
        if (x + y + 2 * z) % divisor == 0
        and all(a * x + b * y + c * z + d >= 0 for a, b, c, d in rows)
    ]
    shape = Set(f"{{ [x, y, z] : {' and '.join(conditions)} }}")
    assert _rows(distinct_points(shape)) == expected


def test_there_is_a_longest_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlsmem.polyhedra.enumeration.NUMBERS", 40)
    assert len(distinct_points(Set("{ [y, x] : 0 <= y < 4 and 0 <= x < 5 }"))) == 20
    with pytest.raises(LimitError, match="more than 20 points would be listed; take smaller sizes"):
        distinct_points(Set("{ [y, x] : 0 <= y < 3 and 0 <= x < 7 }"))


def test_as_many_points_as_are_allowed_in_the_first_of_two_pieces_are_too_many() -> None:
    """Nothing is left for the second, which has some."""
    two = Set("{ [n, x] : 0 <= x < n or n + 5 <= x < n + 9 }")
    for most in (3, 4):
        assert columns_at(two, np.array([(most,)]), most) is None
