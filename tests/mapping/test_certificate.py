"""Certificates: their scope, their argument, and the conflicts they name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.storage_mapping import Certificate
from hlsmem.polyhedra.isl_text import parse_set
from tests.mapping.problems import piece_of, problem_of
from tests.programs import golden_case

BLUR = golden_case("000", "s000-blur-interleaved")["differences"]
DIAMOND = golden_case("000", "s000-diamond-tile")["differences"]
TRIANGLE = "[N] -> { [a,b] : -N < a,b,a-b < N }"


def blur(size: int) -> StorageProblem:
    return problem_of(BLUR, {"N": size}, context="[N] -> { : N >= 3 }")


@pytest.mark.parametrize(
    ("matrix", "modulus", "scope", "argument"),
    [
        ([[2, -1]], ["2*N + 1"], "all-parameters", "widths"),
        ([[2, -1]], [17], "at", "widths"),
        ([[0, 1], [1, 0]], ["3", "N"], "all-parameters", "widths"),
        ([[1, "N"]], ["2*N + 1"], "all-parameters", "widths"),
        ([[1, "N^2"]], ["2*N^2 + N"], "at", "widths"),
    ],
)
def test_blur_is_proved(matrix: Any, modulus: Any, scope: str, argument: str) -> None:
    found = prove(piece_of(matrix, modulus), blur(8))
    at = (("N", 8),) if scope == "at" else ()
    assert found == Certificate(scope=scope, by=argument, at=at)


def test_a_modulus_that_vanishes_at_some_size_is_proved_for_the_others_only() -> None:
    differences = "[N] -> { [i] : N >= 3 and -N + 2 < i < N - 2 }"
    small = problem_of(differences, {"N": 8}, context="[N] -> { : N >= 1 }")
    assert prove(piece_of([[1]], ["N - 2"]), small) == Certificate(
        scope="at", by="widths", at=(("N", 8),)
    )
    elements = parse_set("[N] -> { [i] : 0 <= i < N - 2 }", parameters=("N",))
    held = replace(small, elements=elements)
    assert prove(piece_of([[1]], ["N - 2"]), held) == prove(piece_of([[1]], ["N - 2"]), small)
    large = problem_of(differences, {"N": 8}, context="[N] -> { : N >= 3 }")
    assert prove(piece_of([[1]], ["N - 2"]), large) == Certificate(
        scope="all-parameters", by="widths"
    )


def test_a_modulus_below_the_width_is_proved_by_its_multiples() -> None:
    problem = problem_of(DIAMOND, {"B": 8}, context="[B] -> { : B >= 2 }")
    for matrix, modulus in (([[0, 1], [1, 0]], ["2*B - 1", 2]), ([[1, 0], [0, 1]], [2, "2*B - 1"])):
        found = prove(piece_of(matrix, modulus), problem)
        assert isinstance(found, Certificate)
        assert found.scope == "all-parameters"


def test_many_multiples_at_one_size_are_looked_at_one_by_one() -> None:
    problem = problem_of(DIAMOND, {"B": 40}, context="[B] -> { : B >= 2 }")
    rows = [[1, 0], [0, 1]]
    assert prove(piece_of(rows, [2, 79]), problem) == Certificate(
        scope="at", by="differences", at=(("B", 40),)
    )
    assert isinstance(prove(piece_of(rows, [2, 77]), problem), Counterexample)


def test_many_multiples_of_many_differences_are_left_to_isl() -> None:
    problem = problem_of(DIAMOND, {"B": 900}, context="[B] -> { : B >= 2 }")
    rows = [[1, 0], [0, 1]]
    assert prove(piece_of(rows, [2, 1799]), problem) == Certificate(
        scope="at", by="multiples", at=(("B", 900),)
    )
    assert isinstance(prove(piece_of(rows, [2, 1797]), problem), Counterexample)


def test_a_parametric_modulus_below_the_width_is_proved_by_its_multiples() -> None:
    """The form takes values up to 3N, and N itself never."""
    problem = problem_of(
        "[N] -> { [x] : 0 <= x < N or N < x < 2N or 2N < x <= 3N - 1 }",
        {"N": 5},
        context="[N] -> { : N >= 2 }",
    )
    assert prove(piece_of([[1]], ["N"]), problem) == Certificate(
        scope="all-parameters", by="multiples"
    )
    assert isinstance(prove(piece_of([[1]], ["N - 1"]), problem), Counterexample)


@pytest.mark.parametrize("multiple", [1, 2, 3])
def test_a_multiple_reached_at_one_other_size_denies_the_proof_for_all(multiple: int) -> None:
    """No size near the plan's shows it: 13 is neither 5 nor 10 nor 11."""
    problem = problem_of(
        f"[N] -> {{ [x] : 0 <= x < N or (x = {multiple}N and N = 13) }}",
        {"N": 5},
        context="[N] -> { : N >= 2 }",
    )
    found = prove(piece_of([[1]], ["N"]), problem)
    assert found == Certificate(scope="at", by="widths", at=(("N", 5),))


def test_row_major_strides_are_proved_in_order() -> None:
    problem = problem_of(TRIANGLE, {"N": 6}, context="[N] -> { : N >= 2 }", extents=["N", "N"])
    good = prove(piece_of([["N", -1]], ["N^2 - N + 1"]), problem)
    assert good == Certificate(scope="all-parameters", by="row-major order")
    smaller = prove(piece_of([["N", -1]], ["N^2 - N"]), problem)
    assert smaller == Counterexample(difference=smaller.difference, values=(("N", 6),))  # type: ignore[union-attr]


def test_the_second_slice_may_hold_the_longest_distance() -> None:
    problem = problem_of(
        "[N] -> { [N - 1, 1 - N]; [N - 2, N - 1] }",
        {"N": 9},
        context="[N] -> { : N >= 4 }",
        extents=["N", "N"],
    )
    longest = prove(piece_of([["N", 1]], ["N^2 - N"]), problem)
    assert longest == Certificate(scope="all-parameters", by="row-major order")
    first_slice = prove(piece_of([["N", 1]], ["N^2 - 2*N + 2"]), problem)
    assert isinstance(first_slice, Certificate)
    assert first_slice.scope == "at"


def test_differences_beyond_the_declared_box_are_not_in_order() -> None:
    """One row up and N columns back is the same address."""
    problem = problem_of(
        "[N] -> { [y,x] : -N < y < N and -N <= x <= N }",
        {"N": 9},
        context="[N] -> { : N >= 4 }",
        extents=["N", "N"],
    )
    found = prove(piece_of([["N", 1]], ["N^2 + 1"]), problem)
    assert isinstance(found, Counterexample)


def test_the_counterexample_names_the_difference_and_the_parameters() -> None:
    found = prove(piece_of([[2, -1]], ["2*N"]), blur(8))
    assert isinstance(found, Counterexample)
    assert (2 * found.difference[0] - found.difference[1]) % 16 == 0
    assert str(found) == f"difference {found.difference} at N=8 shares a cell"


def test_a_modulus_of_zero_is_no_mapping() -> None:
    with pytest.raises(ValueError, match="moduli have to be positive"):
        prove(piece_of([[1, 0]], ["N - 8"]), blur(8))


def test_without_parameters_a_proof_speaks_of_none() -> None:
    problem = problem_of("{ [x] : 0 <= x <= 4 }", {}, context="{ : }")
    good = prove(piece_of([[1]], [5]), problem)
    assert good == Certificate(scope="at", by="widths")
    assert good.is_complete
    assert str(good) == "proved (by widths)"
    found = prove(piece_of([[1]], [4]), problem)
    assert found in (Counterexample(difference=(4,)), Counterexample(difference=(-4,)))
