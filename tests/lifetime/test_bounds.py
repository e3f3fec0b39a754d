"""Cliques of differences: never above the best lattice, and tight on the papers' programs."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hlsmem.lifetime.bounds import difference_clique, largest_clique, with_bounds
from hlsmem.lifetime.storage_problem import Apart, Bound, StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Array, ElementType, Storage
from tests.families import by_default
from tests.programs import golden_case, golden_cases, program_from_golden

# Bodies without a program, where the greedy search falls short of the best lattice.
_LOOSE = {"s000-star-shape-example", "own-extrusion-not-star", "octahedron"}


def _optima() -> list[Any]:
    return [
        pytest.param(case, values, optimum["cells"], id=f"{case['id']}-{values}")
        for number in ("000", "002")
        for case in golden_cases(number)
        if "differences" in case and case["id"] != "gauss-g_tmp"
        for values, optimum in zip(case["params"], case["optimal_cells"], strict=False)
        if optimum and sum(values.values()) < 16
    ]


@pytest.mark.few(0.25)
@pytest.mark.parametrize(("case", "values", "optimum"), _optima())
def test_cliques_are_the_best_lattice_on_the_reference_sets(
    case: Any, values: Any, optimum: int
) -> None:
    found = largest_clique(points(fix_parameters(Set(case["differences"]), values)))
    assert found is not None
    assert len(found) <= optimum
    if case["id"] not in _LOOSE:
        assert len(found) == optimum


@given(
    steps=some.sets(some.tuples(some.integers(-3, 3), some.integers(-3, 3)), max_size=8),
)
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_the_set_found_has_all_its_differences_among_those_given(steps: set) -> None:
    closed = steps | {(-a, -b) for a, b in steps} | {(0, 0)}
    found = largest_clique(np.array(sorted(closed)))
    # The largest clique by enumeration: it holds 0 without loss.
    box = [p for p in product(range(-3, 4), repeat=2) if p in closed]
    assert found is not None
    assert 1 <= len(found) <= _largest(box, closed)
    assert all(tuple(a - b) in closed for a, b in product(found, repeat=2))


def _largest(box: list, closed: set) -> int:
    def grow(kept: list, rest: list) -> int:
        best = len(kept)
        for position, point in enumerate(rest):
            fitting = [
                q for q in rest[position + 1 :] if (q[0] - point[0], q[1] - point[1]) in closed
            ]
            best = max(best, grow([*kept, point], fitting))
        return best

    return grow([(0, 0)], [point for point in box if point != (0, 0)])


def _bare(differences: str, elements: str | None = None) -> StorageProblem:
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=("x", "y"),
        extents=None,
        storage=Storage.MEMORY,
    )
    return StorageProblem(
        array=array,
        parameters=("N",),
        values={"N": 5},
        context=Set("[N] -> { : }"),
        differences=Set(differences),
        elements=Set(elements) if elements else None,
    )


def test_differences_given_bare_bound_every_mapping_and_stay_within_the_elements() -> None:
    wide = _bare("[N] -> { [x, y] : -N < x, y < N }")
    box = Apart(elements="{ [i0, i1] : 0 <= i0 <= 4 and 0 <= i1 <= 4 }")
    assert difference_clique(wide) == Bound(
        kind="clique", cells=25, expr=None, status="counted at N=5", proof=box
    )
    narrow = _bare("[N] -> { [x, y] : -N < x, y < N }", "{ A[x, y] : 0 <= x < 2 and 0 <= y < 3 }")
    found = difference_clique(narrow)
    assert found is not None
    assert found.cells == 6


def test_a_clique_is_added_only_where_max_live_leaves_a_gap() -> None:
    case = golden_case("002", "reg_detect-sum_t")
    (problem,) = storage_problems(program_from_golden(case, {"N": 6, "P": 2}))
    assert [bound.cells for bound in with_bounds(problem, 21)] == [21]
    assert [(b.kind, b.cells) for b in with_bounds(problem, 27)] == [
        ("max-live", 21),
        ("difference-clique", 27),
    ]


def test_a_clique_that_is_known_is_not_looked_for_again() -> None:
    wide = _bare("[N] -> { [x, y] : -N < x, y < N }")
    known = Bound(kind="clique", cells=20, expr=None, status="counted")
    assert with_bounds(wide, 25, [known]) == (known,)
    (clique, least) = with_bounds(wide, 25, [replace(known, kind="exhaustive", cells=25)])
    assert (clique.kind, clique.cells, least.kind) == ("clique", 25, "exhaustive")
    live = replace(wide, bounds=(replace(known, kind="max-live"),))
    least = replace(known, kind="exhaustive", cells=25)
    assert with_bounds(live, 25, [least]) == (*live.bounds, least)


def test_differences_without_end_or_too_many_have_no_bound() -> None:
    assert difference_clique(_bare("[N] -> { [x, y] : y >= -N }")) is None
    assert difference_clique(_bare("{ [x, y] : -5000 < x, y < 5000 }")) is None


def test_too_many_differences_have_no_bound() -> None:
    assert largest_clique(np.array([[0, 0, 0], [400, 400, 400]])) is None
