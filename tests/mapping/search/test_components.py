"""Maps from lattices: the kernel is the lattice, the cells its determinant."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.search.components import cheapest_components
from hlsmem.polyhedra.lattices import dot, hermite
from tests.families import by_default
from tests.mapping.search.enumeration import contains


@st.composite
def triangles(draw: st.DrawFn) -> tuple[tuple[int, ...], ...]:
    """Lower triangular Hermite rows."""
    size = draw(st.integers(1, 4))
    pivots = [draw(st.integers(1, 6)) for _ in range(size)]
    return tuple(
        tuple(
            pivots[i] if i == j else draw(st.integers(0, pivots[j] - 1)) if j < i else 0
            for j in range(size)
        )
        for i in range(size)
    )


@given(lattice=triangles())
@settings(max_examples=by_default(30, 120), deadline=None, derandomize=True)
def test_the_kernel_is_the_lattice_and_the_cells_its_determinant(
    lattice: tuple[tuple[int, ...], ...],
) -> None:
    found = cheapest_components(hermite(lattice))
    size = len(lattice)
    assert prod(found.moduli) == prod(lattice[k][k] for k in range(size))
    for point in product(range(-3, 4), repeat=size):
        zero = all(
            dot(row, point) % modulus == 0
            for row, modulus in zip(found.rows, found.moduli, strict=True)
        )
        assert zero == contains(lattice, point)


@pytest.mark.parametrize(
    ("lattice", "rows", "moduli"),
    [
        (((2, 1), (-1, 64)), ((1, -2),), (129,)),
        (((4, 0), (0, 7)), ((1, 0), (0, 1)), (4, 7)),
        (((1, 0, 3), (0, 1, 5), (0, 0, 8)), ((-1, 1, 3),), (8,)),
    ],
)
def test_the_cheapest_address_is_chosen(
    lattice: tuple[tuple[int, ...], ...],
    rows: tuple[tuple[int, ...], ...],
    moduli: tuple[int, ...],
) -> None:
    found = cheapest_components(hermite(lattice))
    assert (found.rows, found.moduli) == (rows, moduli)
