"""Lower bounds for any way to distribute elements over banks."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from hlsmem.banks.bank_bound import least_banks, unfillable_hole
from hlsmem.banks.pattern import Pattern
from tests.banks.patterns import PATTERNS, star


@pytest.mark.parametrize(
    ("name", "banks"),
    [
        ("Prewitt", 9),
        ("radius-2 star", 10),
        ("3^3 without centre", 27),
        ("5-point", 5),
        ("ring", 4),
    ],
)
def test_a_hole_that_copies_cannot_fill_costs_a_bank(name: str, banks: int) -> None:
    assert least_banks([Pattern.everywhere(PATTERNS[name])]).banks == banks


def test_the_hole_of_the_star_is_beside_its_centre() -> None:
    hole = unfillable_hole(star(2, 2))
    assert hole is not None
    assert sorted(map(abs, hole)) == [1, 1]


def test_two_ports_halve_the_bound_and_a_small_array_has_no_room_for_tiles() -> None:
    pattern = Pattern.everywhere(star(2, 2))
    assert least_banks([pattern], ports=2).banks == 5
    assert least_banks([pattern], extents=(64, 64)).banks == 10
    assert least_banks([pattern], extents=(12, 64)).banks == 9


def colours_of_torus(offsets: list[tuple[int, ...]], size: int) -> int:
    """The least number of colours of a small torus, by plain backtracking."""
    vertices = list(product(range(size), repeat=2))
    steps = {
        tuple((b - a) % size for a, b in zip(left, right, strict=True))
        for pair in combinations(offsets, 2)
        for left, right in (pair, pair[::-1])
    }
    colours: dict[tuple[int, ...], int] = {}

    def extend(place: int, most: int) -> bool:
        if place == len(vertices):
            return True
        vertex = vertices[place]
        near = {tuple((v + s) % size for v, s in zip(vertex, step, strict=True)) for step in steps}
        used = {colours[other] for other in near if other in colours}
        for colour in range(most):
            if colour not in used:
                colours[vertex] = colour
                if extend(place + 1, most):
                    return True
                del colours[vertex]
        return False

    return next(most for most in range(1, 30) if extend(0, most))


@pytest.mark.parametrize(("name", "size"), [("ring", 4), ("2x2", 4), ("2x2", 5), ("5-point", 5)])
def test_no_colouring_of_a_torus_is_below_the_bound(name: str, size: int) -> None:
    """A colouring of a torus is one of the plane: it cannot have fewer colours."""
    offsets = PATTERNS[name]
    bound = least_banks([Pattern.everywhere(offsets)]).banks
    assert colours_of_torus(offsets, size) >= bound
