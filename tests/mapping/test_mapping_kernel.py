"""Lattices with affine generators, against counting at many sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.families import pieces_of
from hlsmem.mapping.mapping_kernel import (
    Generators,
    adjugate,
    colliding_parameters,
    determinant,
    meets_at,
    product_of,
)
from hlsmem.polyhedra.other_parameters import as_points
from hlsmem.polyhedra.sets import points
from tests.families import by_default
from tests.mapping.problems import difference_points, problem_of

TRIANGLE = "[N] -> { [a, b] : -N < a < N and -N < b < N and -N < a - b < N }"
SIZES = range(1, 13)
CONTEXT = "[N] -> { : 1 <= N <= 12 }"

formulas = st.tuples(st.integers(-3, 3), st.integers(-2, 2)).map(
    lambda pair: parse_quasi_polynomial(f"{pair[0]} + {pair[1]}*N")
)
matrices = st.integers(1, 4).flatmap(
    lambda size: st.lists(
        st.lists(formulas, min_size=size, max_size=size), min_size=size, max_size=size
    )
)


def generators(*rows: tuple[str, ...]) -> Generators:
    return tuple(tuple(parse_quasi_polynomial(entry) for entry in row) for row in rows)


def colliding(lattice: Generators, text: str, context: str = CONTEXT) -> set[int] | None:
    conflicts = conflicts_of(problem_of(text, {"N": 6}, context=context))
    found = colliding_parameters(lattice, conflicts)
    return None if found is None else {int(value) for (value,) in points(as_points(found))}


def counted(lattice: Generators, text: str) -> set[int]:
    """The sizes at which a combination of the generators is a difference, or 0 too often."""
    found = set()
    for size in SIZES:
        matrix = np.array([[e.evaluate({"N": size}) for e in row] for row in lattice])
        determinant = round(np.linalg.det(matrix))
        if determinant == 0:
            found.add(size)
            continue
        differences = difference_points(problem_of(text, {"N": size}, context=CONTEXT))
        adjugate = np.rint(np.linalg.inv(matrix) * determinant).astype(np.int64)
        inside = (differences @ adjugate % determinant == 0).all(axis=1)
        if inside.sum() > 1:
            found.add(size)
    return found


@pytest.mark.parametrize(
    ("lattice", "expected"),
    [
        (generators(("N", "0"), ("0", "N")), set()),
        (generators(("N - 1", "0"), ("0", "N")), set(SIZES)),
        (generators(("1", "2"), ("N", "0")), set(range(3, 13))),
        (generators(("N", "2*N"), ("0", "3*N")), set()),
    ],
)
def test_sizes_at_which_a_difference_is_in_the_lattice(
    lattice: Generators, expected: set[int]
) -> None:
    assert counted(lattice, TRIANGLE) == expected
    assert colliding(lattice, TRIANGLE) in (expected, None)


def test_a_proof_needs_factors_that_are_bounded() -> None:
    # Two generators that are nearly the same: factors grow with N.
    assert colliding(generators(("N", "1"), ("N", "2")), TRIANGLE) is None


entries = st.tuples(st.integers(-3, 3), st.integers(-2, 2)).map(
    lambda pair: parse_quasi_polynomial(f"{pair[0]} + {pair[1]}*N")
)
constants = st.integers(-4, 4).map(lambda value: parse_quasi_polynomial(str(value)))


def orientation(lattice: Generators, size: int) -> float:
    matrix = np.array([[e.evaluate({"N": size}) for e in row] for row in lattice])
    return float(np.sign(np.rint(np.linalg.det(matrix))))


@given(first=st.tuples(constants, constants), second=st.tuples(entries, entries))
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_what_is_proved_agrees_with_counting(first: tuple, second: tuple) -> None:
    lattice: Generators = (first, second)
    found = colliding(lattice, TRIANGLE)
    if found is not None:
        assert found >= counted(lattice, TRIANGLE)
        # Sizes at which the generators turn around are given up.
        assert {k for k in found if orientation(lattice, k) == orientation(lattice, 99)} <= (
            counted(lattice, TRIANGLE)
        )


@given(first=st.tuples(constants, constants), second=st.tuples(entries, entries))
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_what_is_met_at_one_size_is_what_is_counted_there(first: tuple, second: tuple) -> None:
    lattice: Generators = (first, second)
    independent = [size for size in SIZES if orientation(lattice, size)]
    met = set()
    for size in independent:
        conflicts = conflicts_of(problem_of(TRIANGLE, {"N": size}, context=CONTEXT))
        if meets_at(lattice, {"N": size}, conflicts.differences_at):
            met.add(size)
    assert met == counted(lattice, TRIANGLE) & set(independent)


@given(first=st.tuples(constants, constants), second=st.tuples(entries, entries))
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_maps_have_the_lattice_as_kernel(first: tuple, second: tuple) -> None:
    values = {"N": 5}
    matrix = np.array([[e.evaluate(values) for e in row] for row in (first, second)])
    cells = abs(round(np.linalg.det(matrix)))
    if cells == 0:
        return
    box = np.indices((9, 9)).reshape(2, -1).T - 4
    adjugate = np.rint(np.linalg.inv(matrix) * cells).astype(np.int64)
    inside = (box @ adjugate % cells == 0).all(axis=1)
    for piece in pieces_of((first, second), values):
        assert piece.cells().evaluate(values) == cells
        images = box @ np.array(piece.matrix_at(values)).T % np.array(piece.modulus_at(values))
        assert ((images == 0).all(axis=1) == inside).all()


@given(matrix=matrices)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_determinants_agree_with_numbers(matrix: list[list[QuasiPolynomial]]) -> None:
    for size in range(4):
        numbers = np.array([[entry.evaluate({"N": size}) for entry in row] for row in matrix])
        assert determinant(matrix).evaluate({"N": size}) == round(np.linalg.det(numbers))


@given(matrix=matrices)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_a_matrix_times_its_adjugate_is_the_determinant(
    matrix: list[list[QuasiPolynomial]],
) -> None:
    total, zero = determinant(matrix), QuasiPolynomial.constant(0)
    columns = list(zip(*adjugate(matrix), strict=True))
    for i, row in enumerate(matrix):
        for j, column in enumerate(columns):
            assert product_of(row, column) == (total if i == j else zero)
