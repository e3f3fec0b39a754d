"""Residue classes of a parameter, there and back."""

from __future__ import annotations

import pytest

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.other_parameters import as_points, in_class, out_of_class
from hlsmem.polyhedra.sets import fix_parameters, points


@pytest.mark.parametrize(("period", "residue"), [(1, 0), (2, 1), (3, 0), (4, 3)])
def test_a_set_over_the_quotient_is_the_set_in_the_class(period: int, residue: int) -> None:
    value = Set("[N, M] -> { [x] : 0 <= x < 2N + M }")
    there = in_class(value, "N", period, residue)
    for quotient in range(3):
        expected = fix_parameters(value, {"N": period * quotient + residue, "M": 5})
        assert fix_parameters(there, {"N": quotient, "M": 5}).is_equal(expected)


def test_out_of_a_class_leaves_its_values_alone() -> None:
    quotients = Set("[N] -> { : 1 <= N <= 3 }").params()
    values = out_of_class(quotients, "N", 2, 1)
    assert [int(value) for (value,) in points(as_points(values))] == [3, 5, 7]
