"""Narrow directions of the paper's reverse L, and sets without end."""

from __future__ import annotations

import pytest

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.narrow_directions import endless_direction, narrowest_combination
from tests.programs import golden_case

REVERSE_L = golden_case("000", "s000-reverse-l")["differences"]


def test_an_axis_is_narrowest_of_all_and_the_diagonal_across_the_reuse_vector() -> None:
    shape = Set(REVERSE_L)
    assert narrowest_combination(shape, ((1, 0), (0, 1))) == (1, 0)
    assert narrowest_combination(shape, ((1, -1),)) == (1,)


def test_a_flat_set_takes_its_normal_first() -> None:
    line = Set("[N] -> { [x,y] : x = 2y and -N <= y <= N and N >= 1 }")
    assert narrowest_combination(line, ((1, 0), (0, 1))) == (1, -2)


def test_parameters_bounded_above_have_no_least_bound() -> None:
    shape = Set(REVERSE_L).intersect_params(Set("[N] -> { : N <= 8 }"))
    assert narrowest_combination(shape, ((1, 0), (0, 1))) is None


def test_a_set_without_end_in_all_directions_has_no_narrow_one() -> None:
    assert narrowest_combination(Set("{ [x,y] }"), ((1, 0), (0, 1))) is None


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("{ [x,y] : 0 <= x <= 3 and y >= x }", (0, 1)),
        ("{ [x,y] : x = 2y }", (2, 1)),
        ("{ [x,y] : -3 <= x,y <= 3 }", None),
        ("{ [0,0]; [x,y] : y <= 0 and x = 1 }", (0, -1)),
    ],
)
def test_endless_directions(text: str, direction: tuple[int, int] | None) -> None:
    assert endless_direction(Set(text)) == direction
