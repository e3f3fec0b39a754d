"""Powers of two and few components: valid by counting, and never rounded blindly."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.shape_constraint import ShapeConstraint, is_power_of_two, shaped
from hlsmem.mapping.storage_mapping import Certificate, StorageMapping
from tests.families import by_default
from tests.mapping.problems import BUDGET, collision, piece_of, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions

FORMS = [
    ShapeConstraint(powers_of_two=True),
    ShapeConstraint(components=1),
    ShapeConstraint(components=2),
    ShapeConstraint(powers_of_two=True, components=1),
]


def found(problem: StorageProblem, method: str = "bases") -> StorageMapping:
    answer = method_named(method).run(problem, BUDGET)
    assert isinstance(answer, StorageMapping)
    return answer


@pytest.mark.parametrize("shape_constraint", FORMS)
@pytest.mark.parametrize("limit", [BUDGET, 0])
@settings(max_examples=by_default(4, 12), deadline=None, derandomize=True)
@given(union=unions(), method=st.sampled_from(["successive", "lattice", "minima", "bases"]))
def test_every_shape_is_valid_and_of_the_form(
    shape_constraint: ShapeConstraint,
    limit: int,
    union: tuple[int, tuple[Polyhedron, ...]],
    method: str,
) -> None:
    problem = problem_from(*union)
    given_mapping = found(problem, method)
    mapping = shaped(given_mapping, conflicts_of(problem), shape_constraint, limit)
    moduli = mapping.pieces[0].modulus_at({})
    assert collision(mapping.pieces[0], {}, enumerated(*union)) is None
    assert shape_constraint.admits(moduli)
    assert mapping.cells == prod(moduli)


def test_a_modulus_that_wraps_is_not_rounded_up() -> None:
    """Conflicts at 1, 3, 5, 12: 7 fits; 8 fits too, but 16 was never tried for 7 alone.

    At 1, 3, 5 and 8, moduli 6 and 7 work and 8 does not: 16 is the power of two above.
    """
    problem = problem_of("{ [x] : x = 1 or x = 3 or x = 5 or x = 8 }", {}, context="{ : }")
    mapping = found(problem, "successive")
    assert mapping.cells == 6
    rounded = shaped(mapping, conflicts_of(problem), ShapeConstraint(powers_of_two=True), BUDGET)
    assert rounded.cells == 16
    blind = piece_of([[1]], [8])
    assert collision(blind, {}, enumerated_line([1, 3, 5, 8])) is not None


def enumerated_line(distances: list[int]) -> object:
    import numpy as np

    return np.array([[sign * x] for x, sign in product(distances, (1, -1))])


def test_a_smaller_power_of_two_may_do() -> None:
    problem = problem_of("{ [x] : x = 1 or x = 3 or x = 5 }", {}, context="{ : }")
    mapping = found(problem, "successive")
    assert (mapping.cells, mapping.unfinished is not None) == (2, True)
    assert (
        shaped(mapping, conflicts_of(problem), ShapeConstraint(powers_of_two=True), BUDGET)
        is mapping
    )


def test_components_without_common_divisor_merge_for_nothing() -> None:
    problem = problem_of("{ [y,x] : -2 <= y <= 2 and -3 <= x <= 3 }", {}, context="{ : }")
    mapping = found(problem, "successive")
    assert mapping.pieces[0].modulus_at({}) == (3, 4)
    merged = shaped(mapping, conflicts_of(problem), ShapeConstraint(components=1), BUDGET)
    assert merged.cells == 12
    assert len(merged.pieces[0].modulus) == 1


def test_a_formula_is_no_power_of_two_at_other_sizes() -> None:
    problem = problem_of("[N] -> { [x] : 0 < x < N }", {"N": 16}, context="[N] -> { : N >= 2 }")
    mapping = found(problem, "successive")
    assert str(mapping.pieces[0].modulus[0]) == "N"
    rounded = shaped(mapping, conflicts_of(problem), ShapeConstraint(powers_of_two=True), BUDGET)
    assert str(rounded.pieces[0].modulus[0]) == "16"
    assert rounded.certificate == Certificate(scope="at", by="widths", at=(("N", 16),))


@pytest.mark.parametrize(("number", "is_one"), [(1, True), (2, True), (3, False), (96, False)])
def test_powers_of_two(number: int, is_one: bool) -> None:
    assert is_power_of_two(number) is is_one
