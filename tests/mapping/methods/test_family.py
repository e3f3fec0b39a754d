"""Families of optima: the formulas of the papers, found by search, right at many sizes."""

from __future__ import annotations

from collections.abc import Mapping as Values

import pytest

from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping import families
from hlsmem.mapping.families import pieces_of
from hlsmem.mapping.methods import family, method_named
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from hlsmem.polyhedra import Set
from tests.mapping.problems import (
    BUDGET,
    as_found,
    collision,
    difference_points,
    golden_problems,
    problem_of,
)
from tests.proof.mappings import PROVED, why_not

DURBIN = "[N] -> { [a, b] : (b = 0 and -N < a < N) or (b = 1 and 2 - N <= a <= N - 3) }"
TRIANGLE = "[N] -> { [a, b] : -N < a < N and -N < b < N and -N < a - b < N }"

# case, values, cells as a formula, and the values at which it is tried.
FAMILIES = [
    ("produce-consume", {"N": 9}, "2*N - 1"),
    ("s000-blur-interleaved", {"N": 8}, "2*N + 1"),
    ("s000-blur-tiled", {"B": 8}, "3*B - 2"),
    ("s000-reverse-l", {"N": 8}, "8*floor((N + 1)/2) - 4"),
    ("s000-reverse-l", {"N": 7}, "8*floor(N/2)"),
    ("s000-diamond-tile", {"B": 5}, "4*B - 4"),
    ("stencil-1d-hex-tile", {"B": 4}, "6*B - 6"),
    ("s000-lbm-d2q9", {"N": 5}, "N^2 + N + 1"),
    ("lbm-d2q9", {"T": 3, "N": 4}, "N^2 + N + 1"),
    ("s000-lbm-d3q19", {"N": 4}, "N^3 + N^2 + N"),
    ("s000-lbm-d3q27", {"N": 4}, "N^3 + N^2 + N + 1"),
    ("reg_detect-diff", {"N": 6, "P": 64}, "3*P*floor((N + 1)/2)^2"),
    ("hexagon", {"N": 24}, "3*floor((N + 1)/2)^2"),
    ("hexagon", {"N": 9}, "3*floor(N/2)^2 + 3*floor(N/2) + 1"),
    ("own-box-two-params", {"N": 3, "M": 4}, "M*N"),
]


def golden_problem(name: str, values: Values[str, int]) -> StorageProblem:
    for case, _, problem in golden_problems("000", "001", "002"):
        if case["id"] == name and problem.values == values:
            return problem
    raise KeyError(name)


def judged(problem: StorageProblem, found: StorageMapping) -> bool:
    """Whether the checker's own proof for all parameters succeeds."""
    (piece,) = found.pieces
    differences = problem.differences.intersect_params(problem.context)
    kernel = found.certificate.kernel or ()
    return why_not(piece, differences, problem.values, problem.context, kernel) == PROVED


def at_other_sizes(problem: StorageProblem) -> list[StorageProblem]:
    """The problem at sizes around the plan's that the context allows."""
    from dataclasses import replace

    found = []
    for more in range(-3, 8):
        values = {name: value + more for name, value in problem.values.items()}
        names = ", ".join(values)
        conditions = " and ".join(f"{name} = {value}" for name, value in values.items())
        here = Set(f"[{names}] -> {{ : {conditions} }}").params()
        if not here.intersect(problem.context.params()).is_empty():
            found.append(replace(problem, values=values))
    return found


@pytest.mark.few("produce", "s000-blur", "s000-reverse", "hex", "own")
@pytest.mark.parametrize(
    ("name", "values", "cells"), FAMILIES, ids=[f"{name}-{cells}" for name, _, cells in FAMILIES]
)
def test_the_formulas_of_the_papers_are_found_and_proved(
    name: str, values: dict[str, int], cells: str
) -> None:
    problem = golden_problem(name, values)
    found = family.run(problem, BUDGET)
    assert isinstance(found, StorageMapping), found
    (piece,) = found.pieces
    assert found.certificate.scope == "all-parameters"
    assert str(piece.cells()) == cells
    assert judged(problem, found)
    assert found.cells == as_found(method_named("exhaustive").run(problem, BUDGET)).cells
    others = at_other_sizes(problem)
    assert len(others) > 5
    for other in others:
        assert collision(piece, other.values, difference_points(other)) is None


def test_an_index_on_its_own_stands_beside_a_row_of_formulas() -> None:
    """Its modulus is a generator along its axis; the others have no row of constants."""
    texts = (
        ["1", "1", "1", "0"],
        ["-N", "0", "1", "0"],
        ["0", "1", "-N", "0"],
        ["0", "0", "0", "N"],
    )
    generators = tuple(tuple(map(parse_quasi_polynomial, generator)) for generator in texts)
    found = next(pieces_of(generators, {"N": 4}))
    assert [str(modulus) for modulus in found.modulus] == ["N^2 + N + 1", "N"]
    assert [str(entry) for entry in found.matrix[1]] == ["0", "0", "0", "1"]
    for size in (3, 8):
        row = found.matrix_at({"N": size})[0]
        at = [[entry.evaluate({"N": size}) for entry in generator] for generator in generators]
        images = [sum(a * b for a, b in zip(row, generator, strict=True)) for generator in at]
        assert all(image % (size**2 + size + 1) == 0 for image in images)


def test_rows_that_are_not_taken_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of pairs of rows modulo 8 the shortest is the first that is asked."""
    asked: list[object] = []

    def part_of_a_basis(rows: object) -> bool:
        asked.append(rows)
        return True

    monkeypatch.setattr(families, "_part_of_a_basis", part_of_a_basis)
    generators = tuple(tuple(map(parse_quasi_polynomial, one)) for one in (["8", "0"], ["0", "8"]))
    found = next(pieces_of(generators, {}))
    assert sorted(found.matrix_at({})) == [(0, 1), (1, 0)]
    assert len(asked) == 1


def test_four_dimensions_of_which_some_are_constant() -> None:
    problem = problem_of(
        "[N] -> { [b,c,y,x] : -1 <= b <= 1 and -N < c < N and -2 <= y <= 2 and -N < x < N }",
        {"N": 4},
        context="[N] -> { : N >= 2 }",
    )
    found = family.run(problem, BUDGET)
    assert isinstance(found, StorageMapping)
    assert str(found.pieces[0].cells()) == "6*N^2"


def test_durbin_for_all_parameters_from_three_on() -> None:
    problem = problem_of(DURBIN, {"N": 40}, context="[N] -> { : N >= 3 }")
    found = family.run(problem, BUDGET)
    assert isinstance(found, StorageMapping)
    assert str(found.certificate) == "proved for all parameters (by multiples)"
    assert str(found.pieces[0].cells()) == "2*N - 3"
    assert found.work > 0


def test_a_family_with_an_exception_is_used_with_numbers_and_says_where_it_holds() -> None:
    problem = problem_of(DURBIN, {"N": 40}, context="[N] -> { : N >= 2 }")
    found = family.run(problem, BUDGET)
    assert isinstance(found, StorageMapping)
    assert found.certificate.scope == "at"
    assert found.certificate.by == (
        "kernel; with N >= 3 in the context 2*N - 3 cells would be proved"
    )
    assert [str(modulus) for modulus in found.pieces[0].modulus] == ["77"]


def test_a_family_is_never_used_where_it_is_not_valid() -> None:
    problem = problem_of(DURBIN, {"N": 2}, context="[N] -> { : N >= 2 }")
    found = family.run(problem, BUDGET)
    assert isinstance(found, NoMapping)
    assert found.reason == "no family found"


def test_a_modulus_of_zero_where_nothing_exists_is_not_for_all_parameters() -> None:
    """At N = 0 there is no element, but a certificate would speak for it."""
    problem = problem_of(
        "[N] -> { [y,x] : -N < x < N and -1 <= y <= 1 }",
        {"N": 8},
        context="[N] -> { : N >= 0 }",
        elements="[N] -> { [y,x] : 0 <= x,y < N }",
    )
    found = family.run(problem, BUDGET)
    assert isinstance(found, StorageMapping)
    assert found.cells == 16
    assert found.certificate.scope == "at"


def test_sizes_without_a_formula_have_no_family() -> None:
    problem = golden_problem("own-piecewise-width", {"N": 3, "M": 4})
    found = family.run(problem, BUDGET)
    assert isinstance(found, NoMapping)
    assert found.reason == "no family found"
    assert found.work > 0


def test_conflicts_without_parameters_have_no_family() -> None:
    found = family.run(problem_of("{ [x] : 0 <= x <= 4 }"), BUDGET)
    assert isinstance(found, NoMapping)
    assert found.reason == "no family found: the conflicts depend on no parameter"


def test_no_budget_no_family() -> None:
    problem = problem_of(TRIANGLE, {"N": 8}, context="[N] -> { : N >= 2 }")
    found = family.run(problem, 0)
    assert isinstance(found, NoMapping)
    assert found.reason.startswith("the budget ended: no family found")


def test_small_sizes_out_of_the_context_are_no_end_of_the_budget() -> None:
    problem = golden_problem("lbm-aliased-parameters", {"T": 3, "N": 3})
    found = family.run(problem, BUDGET)
    assert isinstance(found, NoMapping)
    assert found.reason == "no family found"


def test_all_small_sizes_and_their_proofs_share_the_budget() -> None:
    """A stencil in three dimensions: the least lattices of hardly any size are found in time."""
    problem = problem_of(
        "[N] -> { [a,b,c] : -N <= a + b + c <= N and -N <= a - b + c <= N"
        " and -N <= a + b - c <= N and -N <= a - b - c <= N }",
        {"N": 5},
        context="[N] -> { : N >= 1 }",
    )
    found = family.run(problem, 40_000)
    assert isinstance(found, NoMapping)
    assert found.reason.startswith("the budget ended: no family found")
    assert 0 < found.work <= 40_000


def test_the_method_is_listed() -> None:
    assert method_named("family") is family.METHOD
