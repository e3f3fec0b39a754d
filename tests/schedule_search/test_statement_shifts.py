"""Shifts against all vectors of a small box."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.schedule_search.statement_shifts import (
    Constraint,
    Vector,
    Wait,
    area_shifts,
    least_shifts,
)
from tests.families import by_default

COUNT = 3
SIZE = 2

vectors = some.tuples(*[some.integers(-1, 1)] * SIZE)
forward = some.tuples(some.integers(0, COUNT - 1), some.integers(0, COUNT - 1), vectors).filter(
    lambda one: one[0] != one[1]
)


def box(size: int) -> list[tuple[Vector, ...]]:
    own = list(product(range(-2, 3), repeat=size))
    return [(tuple([0] * size), *rest) for rest in product(own, repeat=COUNT - 1)]


def holds(shifts: tuple[Vector, ...], constraints: list[Constraint]) -> bool:
    return all(
        tuple(b - a for a, b in zip(shifts[s], shifts[t], strict=True)) >= v
        for s, t, v in constraints
    )


@settings(deadline=None, max_examples=by_default(10, 40))
@given(some.lists(forward, max_size=4))
def test_least_shifts_are_legal_and_there_are_some_if_any(constraints: list[Constraint]) -> None:
    found = least_shifts(COUNT, constraints, SIZE)
    if found is None:
        assert not any(holds(shifts, constraints) for shifts in box(SIZE))
    else:
        assert holds(tuple(found), constraints)


@settings(deadline=None, max_examples=by_default(10, 40))
@given(some.lists(forward, max_size=4), some.lists(some.integers(1, 9), min_size=2, max_size=2))
def test_no_shifts_in_a_box_wait_less(constraints: list[Constraint], weights: list[int]) -> None:
    """Waits are counted lexicographically: rows before what lies within a row."""
    if least_shifts(COUNT, constraints, SIZE) is None:
        return
    # A wait has an end at least where its writer is, so that it cannot become negative.
    waits = [
        Wait(writer=0, reads=((0, (0, 0)), (1, (0, 1)), (2, (0, 0))), weight=weights[0]),
        Wait(writer=1, reads=((1, (0, 0)), (2, (1, -1))), weight=weights[1]),
    ]

    def cost(shifts: tuple[Vector, ...]) -> Vector:
        total = [0] * SIZE
        for wait in waits:
            end = max(
                tuple(a + b for a, b in zip(shifts[reader], distance, strict=True))
                for reader, distance in wait.reads
            )
            for k in range(SIZE):
                total[k] += wait.weight * (end[k] - shifts[wait.writer][k])
        return tuple(total)

    found = area_shifts(COUNT, constraints, waits, SIZE)
    assert holds(tuple(found), constraints)
    best = min((cost(one) for one in box(SIZE) if holds(one, constraints)), default=None)
    assert best is None or cost(tuple(found)) <= best
