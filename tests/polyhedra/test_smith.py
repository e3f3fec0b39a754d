"""Smith's normal form: divisors, and membership in the lattice of the rows."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra.lattices import combine, hermite, inverse
from hlsmem.polyhedra.smith import smith

matrices = st.integers(1, 3).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-6, 6), min_size=size, max_size=size).map(tuple),
        min_size=size,
        max_size=size,
    ).map(tuple)
)


@given(matrix=matrices)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_entries_in_the_new_coordinates_decide_membership(
    matrix: tuple[tuple[int, ...], ...],
) -> None:
    size = len(matrix)
    form = hermite(matrix)
    assume(len(form) == size)
    diagonal, transform = smith(matrix)
    assert inverse(inverse(transform)) == transform
    assert all(entry > 0 for entry in diagonal)
    assert all(larger % smaller == 0 for smaller, larger in pairwise(diagonal))
    for point in product(range(-2, 3), repeat=size):
        entries = combine(point, transform)
        inside = all(entry % d == 0 for entry, d in zip(entries, diagonal, strict=True))
        assert inside == (hermite([*matrix, point]) == form)
