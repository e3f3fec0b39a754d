"""The methods on the cases of three papers: cells recomputed by others, validity by counting."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import pytest

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, at_values, everywhere
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.methods.lattice import constant_reuse_vectors, mapping_along
from hlsmem.mapping.methods.successive import successive_moduli
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.polyhedra.shortest import Norm
from tests.mapping.problems import (
    BUDGET,
    QUICK,
    as_found,
    collision,
    difference_points,
    golden_problems,
    piece_of,
)

Entry = tuple[dict[str, Any], int, StorageProblem]

ALL: list[Entry] = list(golden_problems("000", "001", "002"))
BY_CASE: dict[str, list[Entry]] = {}
for entry in ALL:
    BY_CASE.setdefault(entry[0]["id"], []).append(entry)
SEED_000 = [name for name in BY_CASE if name.startswith(("s000", "own"))]


def cells_of(method: str, problem: StorageProblem) -> int:
    return as_found(method_named(method).run(problem, BUDGET)).cells


@pytest.mark.few("s000-reverse", "s000-blur", "s000-diamond", "own", "fig", "stencil")
@pytest.mark.parametrize("name", BY_CASE)
def test_every_method_separates_all_differences_with_no_less_than_the_optimum(name: str) -> None:
    for case, position, problem in {
        BY_CASE[name][k][1]: BY_CASE[name][k] for k in (0, -1)
    }.values():
        optimum = (case.get("optimal_cells") or [None] * len(case["params"]))[position]
        differences = difference_points(problem)
        for method in QUICK:
            answer = method.run(problem, BUDGET)
            if isinstance(answer, StorageMapping):
                for mapping in (answer, as_found(answer)):
                    assert collision(mapping.pieces[0], problem.values, differences) is None
                assert optimum is None or answer.cells >= optimum["cells"]
            else:
                assert "certificate" not in answer.reason


def _successive_cells(case: dict[str, Any], position: int) -> tuple[int | None, int | None] | None:
    """(cells in the order of the axes, cells in the best order), None where not listed."""
    expected = case.get("expected_by_method")
    if isinstance(expected, list):
        entry = expected[position]
        if "all_methods" in entry:
            return entry["all_methods"], entry["all_methods"]
        widths = entry.get("lefebvre_feautrier")
        if widths is None:
            return None
        if isinstance(widths, int):
            return widths, widths
        return prod(widths["modulus"] if isinstance(widths, dict) else widths), None
    if not expected:
        return None
    best = expected.get("successive_modulo_best_order") or expected.get(
        "successive_modulo_best_axis_order"
    )
    plain = expected.get("successive_modulo")
    if plain is not None and not isinstance(plain, dict):
        plain = {"cells": plain}
    in_order = plain["cells"][position] if plain and "order" not in plain else None
    return in_order, best["cells"][position] if best else None


WITH_SUCCESSIVE = [
    name
    for name, entries in BY_CASE.items()
    if any(_successive_cells(case, position) for case, position, _ in entries)
]


@pytest.mark.parametrize("name", WITH_SUCCESSIVE)
def test_successive_modulo_takes_the_recomputed_cells(name: str) -> None:
    for case, position, problem in BY_CASE[name]:
        expected = _successive_cells(case, position)
        if expected is None:
            continue
        in_order, best = expected
        conflicts = conflicts_of(problem)
        declared_order = successive_moduli(conflicts, tuple(range(conflicts.dimensions)))
        if in_order is not None:
            assert prod(m.evaluate(problem.values) for m in declared_order) == in_order
        if best is None:
            assert cells_of("successive", problem) <= prod(
                m.evaluate(problem.values) for m in declared_order
            )
        else:
            assert cells_of("successive", problem) == best


@pytest.mark.parametrize("name", SEED_000)
def test_heuristics_1_and_3_take_the_recomputed_cells(name: str) -> None:
    for case, position, problem in BY_CASE[name]:
        expected = case["expected_by_method"]
        assert cells_of("width", problem) == expected["heuristic1"]["cells"][position]
        conflicts = conflicts_of(problem)
        vectors = constant_reuse_vectors(conflicts, Norm.MAX_THEN_SUM)
        piece = mapping_along(conflicts, vectors)
        assert piece is not None
        third = expected["heuristic3"]
        if third.get("valid", True):
            assert piece.cells().evaluate(problem.values) == third["cells"][position]
        found = [tuple(entry * vector.count for entry in vector.direction) for vector in vectors]
        assert len(found) == len(third["reuse_vectors"])
        assert cells_of("lattice", problem) <= piece.cells().evaluate(problem.values)


@pytest.mark.parametrize(
    ("name", "matrix", "modulus"),
    [
        ("s000-reverse-l", "[[1, -1], [0, 1]]", "2*N - 1, 2"),
        ("s000-blur-interleaved", "[[2, -1]]", "2*N + 1"),
        ("blur-interleaved", "[[1, -2]]", "2*N + 1"),
        ("blur-tiled", "[[2, -1]]", "3*B - 2"),
        ("unsharp-mask-tiled", "[[4, -1]]", "5*B - 4"),
        ("produce-consume", "[[1, -1]]", "2*N - 1"),
        ("stencil-1d-pllgm-tile", "[[1, -1]]", "3*B - 2"),
        ("s000-heat-2d-tiled", "[[1, 0, -1], [0, 1, -1]]", "3*B - 2, 2*B - 1"),
        ("lbm-d2q9", "[[1, 0, -1], [0, 1, -1]]", "N + 1, N + 1"),
        ("harris-3x3-own", "[[2, -3]]", "5*B - 4"),
    ],
)
def test_lattice_finds_the_printed_formula_for_all_parameters(
    name: str, matrix: str, modulus: str
) -> None:
    for _, _, problem in BY_CASE[name]:
        answer = as_found(method_named("lattice").run(problem, BUDGET))
        (piece,) = answer.pieces
        assert answer.certificate.scope == "all-parameters"
        assert str([[int(str(entry)) for entry in row] for row in piece.matrix]) == matrix
        assert ", ".join(map(str, piece.modulus)) == modulus


@pytest.mark.parametrize("name", BY_CASE)
def test_the_certificate_agrees_with_counting_on_printed_mappings(name: str) -> None:
    for case, position, problem in BY_CASE[name]:
        conflicts = conflicts_of(problem)
        differences = difference_points(problem)
        for piece, valid in _printed_mappings(case, position):
            counted = collision(piece, problem.values, differences)
            assert (counted is None) == valid
            found = at_values(piece, conflicts)
            if valid:
                assert not isinstance(found, Counterexample)
            else:
                assert isinstance(found, Counterexample)
                assert any(found.difference)
                assert found.difference in set(map(tuple, differences.tolist()))


def _printed_mappings(case: dict[str, Any], position: int) -> Iterator[tuple[Piece, bool]]:
    """The mappings a case lists for one set of values, and whether they are valid there."""
    paper = case.get("paper_mapping")
    valid = case.get("paper_valid")
    if isinstance(paper, list):
        if paper[position] is not None:
            yield piece_of(paper[position]["matrix"], paper[position]["modulus"]), valid[position]
    elif paper:
        rows = paper.get("rows") or paper["matrix"]
        if case.get("paper_valid_at"):
            valid = case["paper_valid_at"][position]
        yield piece_of(rows, paper["modulus"]), valid
        if case.get("paper_modulus_minus_one_valid") is False:
            first, *others = paper["modulus"]
            yield piece_of(rows, [f"{first} - 1", *others]), False
    for other in case.get("other_mappings") or []:
        if "valid_at" in other:
            yield piece_of(other["rows"], other["modulus"]), other["valid_at"][position]


@pytest.mark.parametrize(
    ("name", "matrix", "modulus"),
    [
        ("s000-lbm-d3q19", [[0, 0, 1, 0], [-1, 1, 0, 0], [-1, 0, 0, 1]], ["N", "N + 1", "N + 1"]),
        ("s000-lbm-d3q27", [[-1, 0, 0, 1], [-1, 1, 0, 0], [-1, 0, 1, 0]], ["N", "N + 1", "N + 1"]),
        ("s000-diamond-fig6-literal", [[0, 1], [1, 0]], ["2*B - 1", "2"]),
        ("s000-reverse-l", [[1, 0], [-1, 1]], ["2", "2*N - 2"]),
    ],
)
def test_mappings_that_fail_for_some_size_have_a_counterexample(
    name: str, matrix: list[list[int]], modulus: list[str]
) -> None:
    conflicts = conflicts_of(BY_CASE[name][0][2])
    found = everywhere(piece_of(matrix, modulus), conflicts)
    assert isinstance(found, Counterexample)
    values = dict(found.values)
    piece = piece_of(matrix, modulus)
    products = [
        sum(a * b for a, b in zip(row, found.difference, strict=True))
        for row in piece.matrix_at(values)
    ]
    assert all(p % m == 0 for p, m in zip(products, piece.modulus_at(values), strict=True))


@pytest.mark.few("s000-reverse", "s000-blur", "s000-diamond", "own", "fig", "stencil")
@pytest.mark.parametrize("name", BY_CASE)
def test_one_cell_less_than_an_optimum_is_rejected(name: str) -> None:
    for case, position, problem in BY_CASE[name]:
        optimum = (case.get("optimal_cells") or [None] * len(case["params"]))[position]
        answer = method_named("lattice").run(problem, BUDGET)
        if (
            optimum is None
            or not isinstance(answer, StorageMapping)
            or answer.cells != optimum["cells"]
        ):
            continue
        (piece,) = answer.pieces
        if len(piece.matrix) != 1:
            continue
        smaller = piece_of(piece.matrix_at(problem.values), [answer.cells - 1])
        if answer.cells > 1:
            assert isinstance(at_values(smaller, conflicts_of(problem)), Counterexample)


@pytest.mark.few("hexagon", "durbin", "dynprog", "harris", "stencil", "reverse", "fig2")
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("hexagon", 432),
        ("reg_detect-diff", 1728),
        ("durbin-y", 197),
        ("dynprog-c-livein-mem", 61),
        ("stencil3x3-rows", 67),
        ("harris-3x3-own", 34),
        ("stencil-1d-5point", 12),
        ("s000-reverse-l", 28),
        ("fig2-hull-n9", 61),
    ],
)
def test_auto_reaches_these_optima(name: str, cells: int) -> None:
    assert plan_array(BY_CASE[name][-1][2], budget=BUDGET).mapping.cells == cells
