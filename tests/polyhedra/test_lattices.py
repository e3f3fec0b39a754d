"""Integer bases: completions and inverses of random primitive vectors."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra.lattices import (
    Matrix,
    annihilators,
    combine,
    completion,
    content,
    dot,
    hermite,
    identity,
    inverse,
    smith,
)
from tests.families import by_default

vectors = st.integers(1, 4).flatmap(lambda size: st.tuples(*[st.integers(-9, 9)] * size))

matrices = st.integers(1, 3).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-6, 6), min_size=size, max_size=size).map(tuple),
        min_size=size,
        max_size=size,
    ).map(tuple)
)


@settings(max_examples=by_default(20, 80), deadline=None, derandomize=True)
@given(vectors)
def test_a_primitive_vector_is_completed_to_a_basis(vector: tuple[int, ...]) -> None:
    assume(content(vector) == 1)
    basis = (vector, *completion([vector], len(vector)))
    assert abs(round(np.linalg.det(np.array(basis)))) == 1
    assert combine(combine(vector, inverse(basis)), basis) == vector


def test_two_vectors_are_completed_together() -> None:
    given_vectors = [(1, 1, 0, 2), (0, 2, 1, 3)]
    basis = (*given_vectors, *completion(given_vectors, 4))
    assert abs(round(np.linalg.det(np.array(basis)))) == 1


def test_unit_vectors_complete_where_they_can() -> None:
    assert completion([(1, 1, 1)], 3) == ((1, 0, 0), (0, 1, 0))
    assert completion([], 2) == identity(2)


@pytest.mark.parametrize("vectors", [[(2, 2)], [(2, 0)], [(1, 0), (0, 2)]])
def test_vectors_with_holes_between_them_have_no_completion(
    vectors: list[tuple[int, ...]],
) -> None:
    with pytest.raises(ValueError, match="no part of a basis"):
        completion(vectors, 2)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [(((1, 1), (2, 2)), "singular"), (((2, 0), (0, 1)), "not unimodular")],
)
def test_inverses_that_are_no_integers_are_refused(matrix: Matrix, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        inverse(matrix)


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(st.lists(st.tuples(*[st.integers(-6, 6)] * 3), min_size=1, max_size=5), st.data())
def test_the_hermite_form_depends_on_the_lattice_alone(
    rows: list[tuple[int, ...]], data: st.DataObject
) -> None:
    form = hermite(rows)
    mixed = list(data.draw(st.permutations(rows)))
    factor = data.draw(st.integers(-3, 3))
    mixed[0] = tuple(
        a + factor * b
        for a, b in zip(mixed[0], mixed[-1] if len(mixed) > 1 else (0, 0, 0), strict=True)
    )
    assert hermite(mixed) == form
    assert hermite([*form, *rows]) == form


@pytest.mark.parametrize(
    ("vectors", "size"), [([], 2), ([(2, 2)], 2), ([(1, 1, 1)], 3), ([(2, 0, 4), (0, 3, 1)], 3)]
)
def test_annihilators_are_all_forms_that_are_zero_on_the_vectors(
    vectors: list[tuple[int, ...]], size: int
) -> None:
    forms = annihilators(vectors, size)
    assert len(forms) == size - len(vectors)
    assert all(dot(form, vector) == 0 for form in forms for vector in vectors)
    completion(forms, size)  # they are part of a basis: no form is missing


def test_annihilators_of_dependent_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="not independent"):
        annihilators([(1, 1), (2, 2)], 2)


@given(matrix=matrices)
@settings(max_examples=by_default(20, 80), deadline=None, derandomize=True)
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
