"""Numbers of beats by isl are their places in the list."""

from __future__ import annotations

import random

import pytest

from hlsmem.dependences.beat_ranks import rank_of, unlike_rows
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.sets import points


def ranks(times: Set) -> list[int] | None:
    """The numbers of all times in order; None where isl has none."""
    rank = rank_of(times)
    if rank is None:
        return None
    number = Map.from_pw_aff(rank)
    found = []
    for row in points(times).tolist():
        own = number
        for entry, value in enumerate(row):
            own = own.fix_val(DimType.in_, entry, Val(value))
        ((value,),) = points(own.range()).tolist()
        found.append(value)
    return found


@pytest.mark.parametrize(
    "times",
    [
        "{ [y, x] : 0 <= y < 9 and 0 <= x < 5 and (y < 4 or x >= 2) }",
        "{ [y, x] : 0 <= y < 9 and 0 <= x < 6 and (3 <= y < 5 or x mod 2 = 0) }",
        "{ [0, y, x] : 0 <= y < 6 and y <= x < y + 4 and (y != 2 or x > 3) }",
        "{ [y, x, 1] : 0 <= y < 12 and y mod 3 = 0 and 0 <= x < 3 }",
    ],
)
def test_boxes_one_after_the_other(times: str) -> None:
    own = Set(times)
    assert ranks(own) == list(range(len(points(own))))


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(60))
def test_random_unions_of_boxes(seed: int) -> None:
    chance = random.Random(seed)
    own = Set("{ [y, x] : y = 0 and x = 0 }")
    for _ in range(chance.choice([1, 2, 3])):
        low, left = chance.randrange(8), chance.randrange(5)
        high, right = low + chance.randrange(1, 7), left + chance.randrange(1, 5)
        stride = chance.choice(["", "", " and x mod 2 = 0", " and y mod 2 = 0"])
        own = own.union(
            Set(f"{{ [y, x] : {low} <= y < {high} and {left} <= x <= {right}{stride} }}")
        )
    found = ranks(own.coalesce())
    assert found is None or found == list(range(len(points(own))))


def test_rows_that_are_not_those_before() -> None:
    times = Set("{ [y, x] : 0 <= y < 40 and 0 <= x < 5 and (y < 7 or y mod 2 = 0) }")
    assert unlike_rows([times], 0, 2) == [7]
    assert unlike_rows([times], 0, 1) == list(range(7, 39))
