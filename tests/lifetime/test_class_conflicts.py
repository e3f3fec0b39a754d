"""Conflicts, widths and sizes of classes of orders, as golden-003 has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from hlsmem.check.orders.listed_orders import kept_by, meeting
from hlsmem.check.orders.listed_program import list_program
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.lifetime.class_width import largest_antichain
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import everywhere
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.polyhedra import UnionMap
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import Before, ScheduleClass
from tests.classes import (
    AFFINE,
    ANY,
    E1_ROWS,
    FIGURE_1,
    HEAT_5,
    HEAT_ROWS,
    JACOBI,
    MIXED,
    MSA,
    SEQUENTIAL,
    SYMBOLIC,
    band,
    e1,
    problems_of,
    tiled,
    uniform,
)
from tests.programs import Case, golden_case, make_program

MIXED_CLASS = tiled("{ S[i, j, k] -> [j, k] }")
MIXED_CLASS = type(MIXED_CLASS)(
    name="tiled",
    bands=(band("{ S[i, j, k] -> [i] }", tiled=False), *MIXED_CLASS.bands),
)
JACOBI_ROWS = "{ S[i, j] -> [i, i + j] }"
SW = ((1, 0), (0, 1))
# The cases of golden-003 on conflicts of classes: vectors and classes.
CASES: dict[str, tuple[tuple[tuple[int, ...], ...], tuple[ScheduleClass, ...]]] = {
    "cc-sw-any-and-tiled": (SW, (ANY, tiled())),
    "cc-fig1-tiled": (FIGURE_1, (tiled(),)),
    "cc-fig1-any": (FIGURE_1, (ANY,)),
    "cc-e1-any": (((1, 2), (1, 0), (1, -1)), (ANY,)),
    "cc-e1-any-9x4": (((1, 2), (1, 0), (1, -1)), (ANY,)),
    "cc-e1-any-12x5": (((1, 2), (1, 0), (1, -1)), (ANY,)),
    "cc-e1-any-20x6": (((1, 2), (1, 0), (1, -1)), (ANY,)),
    "cc-e1-affine": (((1, 2), (1, 0), (1, -1)), (AFFINE,)),
    "cc-e1-tiled": (((1, 2), (1, 0), (1, -1)), (tiled(E1_ROWS),)),
    "cc-e1-sequential": (((1, 2), (1, 0), (1, -1)), (SEQUENTIAL,)),
    "cc-jacobi-tiled": (JACOBI, (tiled(JACOBI_ROWS),)),
    "cc-jacobi-any-4x8": (JACOBI, (ANY,)),
    "cc-jacobi-any-10x4": (JACOBI, (ANY,)),
    "cc-msa": (MSA, (ANY, tiled(), AFFINE)),
    "cc-mixed": (MIXED, (MIXED_CLASS,)),
    "cc-heat5-tiled": (HEAT_5, (tiled(HEAT_ROWS),)),
    "cc-heat5-any": (HEAT_5, (ANY,)),
}
PARAMETERS = ("m", "n", "p", "q")


def _is_long(name: str, size: Sequence[int]) -> bool:
    return name == "cc-fig1-any" or (len(size) == 3 and name != "cc-mixed" and size[-1] > 3)


def width_of(problem: StorageProblem) -> int:
    return next(bound.cells for bound in problem.bounds if bound.kind == "width")


@pytest.mark.parametrize("name", CASES)
def test_conflicts_and_width_are_those_of_the_golden_case(name: str) -> None:
    vectors, classes = CASES[name]
    for expected in golden_case("003", name)["expected"]:
        sizes = dict(zip(PARAMETERS, expected["size"], strict=False))
        for asked in classes:
            problem = problems_of(uniform(vectors, sizes), asked)["A"]
            differences = fix_parameters(problem.differences, sizes)
            assert count(differences) == expected["differences_with_0"]
            assert width_of(problem) == expected["bound"]


# Every size of every case; those of which a search looks at many lattices are long.
SIZES = [
    pytest.param(
        name,
        expected,
        id=f"{name}-{'x'.join(map(str, expected['size']))}",
        marks=[pytest.mark.long] if _is_long(name, expected["size"]) else [],
    )
    for name in CASES
    for expected in golden_case("003", name)["expected"]
]


@pytest.mark.few("cc-sw", "tiled-5x7", "e1-any-9x9", "e1-affine-5x7", "jacobi", "msa-2", "seq")
@pytest.mark.parametrize(("name", "expected"), SIZES)
def test_cells_are_those_of_the_golden_case(name: str, expected: Case) -> None:
    vectors, (asked, *_) = CASES[name]
    sizes = dict(zip(PARAMETERS, expected["size"], strict=False))
    problem = problems_of(uniform(vectors, sizes), asked)["A"]
    assert plan_array(problem, budget=1_000_000).mapping.cells == expected["lattice"]


@pytest.mark.few("asked0", "asked1", "asked4", "asked5")
@pytest.mark.parametrize(
    ("asked", "sizes", "cells", "width"),
    [
        (SEQUENTIAL, (12, 5), 7, 7),
        (tiled(E1_ROWS), (12, 5), 11, 11),
        (AFFINE, (12, 5), 13, 12),
        (ANY, (12, 5), 15, 14),
        (SEQUENTIAL, (9, 9), 11, 11),
        (tiled(E1_ROWS), (9, 9), 23, 23),
        (AFFINE, (9, 9), 25, 24),
        (ANY, (9, 9), 27, 26),
    ],
)
def test_what_independence_costs_e1(
    asked: ScheduleClass, sizes: tuple[int, int], cells: int, width: int
) -> None:
    problem = problems_of(e1(*sizes), asked)["A"]
    assert width_of(problem) == width
    assert plan_array(problem, budget=1_000_000).mapping.cells == cells


# Rows and moduli of golden-003 that hold for all parameters, and neighbours that do not.
FORMULAS = [
    ("cc-sw-any-and-tiled", ANY, (1, -1), "m + n - 1", True),
    ("cc-e1-affine", AFFINE, (1, -2), "m + 2*n - 2", True),
    ("cc-e1-affine", AFFINE, (1, -2), "3*n - 2", True),
    ("cc-e1-affine", AFFINE, (1, -2), "3*n - 3", False),
    ("cc-e1-tiled", tiled(E1_ROWS), (2, -1), "3*n - 4", True),
    ("cc-e1-tiled", tiled(E1_ROWS), (2, -1), "2*m + n - 2", True),
    ("cc-e1-tiled", tiled(E1_ROWS), (2, -1), "3*n - 5", False),
    ("cc-e1-tiled", tiled(E1_ROWS), (2, -1), "3*n - 3", False),
    ("cc-jacobi-tiled", tiled(JACOBI_ROWS), (1, -1), "2*n - 1", True),
    ("cc-jacobi-tiled", tiled(JACOBI_ROWS), (1, -1), "m + n - 1", True),
    ("cc-jacobi-tiled", tiled(JACOBI_ROWS), (1, -1), "2*n - 2", False),
    ("cc-jacobi-tiled", tiled(JACOBI_ROWS), (1, -1), "m + n - 2", False),
]


@pytest.mark.parametrize(("name", "asked", "row", "modulus", "holds"), FORMULAS)
def test_formulas_of_the_golden_cases_hold_for_all_parameters(
    name: str, asked: ScheduleClass, row: tuple[int, ...], modulus: str, holds: bool
) -> None:
    vectors, _ = CASES[name]
    program = uniform(vectors, {"m": 9, "n": 9}, context="[m, n] -> { : m >= 4 and n >= 4 }")
    problem = problems_of(program, asked)["A"]
    piece = Piece(
        matrix=(tuple(map(QuasiPolynomial.constant, row)),),
        modulus=(parse_quasi_polynomial(modulus),),
        offset=(QuasiPolynomial.constant(0),),
    )
    assert isinstance(everywhere(piece, conflicts_of(problem)), Certificate) is holds


@pytest.mark.long
def test_msa_is_planned_at_its_width_at_other_sizes() -> None:
    for expected in golden_case("003", "cc-msa")["more"][:3]:
        sizes = dict(zip(PARAMETERS, expected["size"], strict=False))
        problem = problems_of(uniform(MSA, sizes), ANY)["A"]
        assert width_of(problem) == expected["bound"]
        assert plan_array(problem, budget=1_000_000).mapping.cells == expected["lattice"]


def test_msa_of_four_strings() -> None:
    vectors = tuple(v for v in product((0, 1), repeat=4) if any(v))
    problem = problems_of(uniform(vectors, dict.fromkeys(PARAMETERS, 3)), tiled())["A"]
    assert width_of(problem) == 65


@pytest.mark.parametrize("case", golden_case("003", "cc-diamond-tile")["expected"], ids=str)
def test_a_diamond_tile(case: dict[str, object]) -> None:
    source = golden_case("003", "cc-diamond-tile")["program"]
    program = make_program(
        values={"B": case["B"]},  # type: ignore[dict-item]
        context="[B] -> { : B >= 3 }",
        domains=[source["domain"]],
        schedules=["[B] -> { S[t, i] -> [t, i] }"],
        reads=source["reads"],
        writes=source["writes"],
        drop_unprovided_reads=True,
    )
    asked = ANY if case["schedule_class"] == "any" else tiled("{ S[t, i] -> [t, t + i] }")
    problem = problems_of(program, asked)["A"]
    assert count(fix_parameters(problem.differences, program.values)) == case["differences_with_0"]
    assert width_of(problem) == case["bound"]
    assert plan_array(problem, budget=1_000_000).mapping.cells == case["lattice"]


def two_statements(m: int, n: int) -> Program:
    source = golden_case("003", "s003-e2")["program"]
    return make_program(
        values={"m": m, "n": n},
        context="[m, n] -> { : m >= 3 and n >= 3 }",
        domains=[source["domain"]],
        schedules=["{ S1[i, j] -> [i, j, 0]; S2[i, j] -> [i, j, 1] }"],
        reads=source["reads"],
        writes=source["writes"],
        planned=("A", "B"),
        drop_unprovided_reads=True,
    )


@pytest.mark.parametrize(("m", "n", "width"), [(5, 6, 10), (9, 4, 12)])
def test_affine_schedules_of_two_statements(m: int, n: int, width: int) -> None:
    for problem in problems_of(two_statements(m, n), SYMBOLIC).values():
        assert width_of(problem) == width
        mapping = plan_array(problem, budget=1_000_000).mapping
        assert mapping.cells == width
        assert str(mapping.pieces[0].cells()) == "m + n - 1"
        assert mapping.certificate.scope == "all-parameters"


def triangular(n: int) -> Program:
    source = golden_case("003", "s003-e4")["program"]
    return make_program(
        values={"n": n},
        context="[n] -> { : n >= 4 }",
        domains=[source["domain"]],
        schedules=["{ S1[i, j] -> [i, 0, j]; S2[i] -> [i, 1, 0] }"],
        reads=source["reads"],
        writes=source["writes"],
        planned=("A", "B"),
        drop_unprovided_reads=True,
    )


def cells(problems: dict[str, StorageProblem]) -> list[int]:
    found = []
    for _, problem in sorted(problems.items()):
        fixed = problem.orders is not None and problem.orders.is_fixed
        own = problem.at_the_plan() if fixed else problem
        found.append(plan_array(own, budget=1_000_000).mapping.cells)
    return found


def test_schedules_at_a_size_need_more_than_those_affine_in_it() -> None:
    assert cells(problems_of(triangular(5), SYMBOLIC)) == [5, 1]
    fixed = problems_of(triangular(5), AFFINE)
    assert all(one.orders is not None and one.orders.is_fixed for one in fixed.values())
    assert cells(fixed) == [5, 3]


def test_a_closure_that_isl_does_not_find_is_squared_at_the_plans_size() -> None:
    program = uniform(((1, 3), (1, -2)), {"m": 8, "n": 5})
    problem = problems_of(program, ANY)["A"]
    assert problem.orders is not None
    assert problem.orders.is_fixed
    assert "squaring" in problem.orders.remark


@pytest.mark.dear
def test_heat_in_space_has_its_closure_by_the_cone() -> None:
    vectors = [(1, 0, 0, 0)]
    for axis, sign in product(range(3), (1, -1)):
        vectors.append((1, *(sign * (k == axis) for k in range(3))))
    problem = problems_of(uniform(vectors, dict.fromkeys(PARAMETERS, 3)), ANY)["A"]
    assert problem.orders is not None
    assert not problem.orders.is_fixed
    assert "cone" in problem.orders.remark


@pytest.mark.parametrize(
    "asked", [SEQUENTIAL, tiled(E1_ROWS), ANY], ids=["sequential", "tiled", "any"]
)
@pytest.mark.parametrize("strict", [False, True])
def test_conflicts_are_those_of_listed_instances(asked: ScheduleClass, strict: bool) -> None:
    program = e1(6, 5)
    problem = problems_of(program, asked, strict=strict)["A"]
    listing = list_program(program)
    kept = kept_by(listing, asked)
    assert kept is not None
    meets = meeting(kept, strict=strict)
    values = listing.values["A"]
    wanted = {(a.element, b.element) for a in values for b in values if a != b and meets(a, b)}
    wanted |= {(b, a) for a, b in wanted}
    relation = fix_parameters(problem.conflicts, program.values)
    found = {(tuple(row[:2]), tuple(row[2:])) for row in distinct_points(relation).tolist()}
    assert found == wanted


def test_an_order_of_the_users_own_is_between_given_and_any() -> None:
    program = e1(9, 4)
    own = UnionMap("{ S[i, j] -> S[k, l] : k > i or (k = i and l >= j) }")
    problem = problems_of(program, Before(relation=own))["A"]
    sequential = problems_of(program, SEQUENTIAL)["A"]
    assert problem.differences.is_equal(sequential.differences)


def test_values_of_an_updated_array_conflict_by_all_its_values() -> None:
    """Gauss-Seidel in place: all values of an element are apart in time, in every tiling."""
    program = make_program(
        values={"T": 4, "N": 6},
        context="[T, N] -> { : T >= 3 and N >= 4 }",
        domains=["[T, N] -> { S[t, i] : 0 <= t < T and 1 <= i < N - 1 }"],
        schedules=["{ S[t, i] -> [t, i] }"],
        reads=[f"{{ S[t, i] -> a[i + {d}] }}" for d in (-1, 0, 1)],
        writes=["{ S[t, i] -> a[i] }"],
        live_in=["[T, N] -> { a[i] : 0 <= i < N }"],
        live_out=["[T, N] -> { a[i] : 0 <= i < N }"],
        planned=("a",),
    )
    for asked in (tiled("{ S[t, i] -> [t, t + i] }"), ANY):
        problem = problems_of(program, asked)["a"]
        answer = plan_array(problem, budget=1_000_000).mapping
        assert isinstance(answer, StorageMapping)
        assert answer.cells == 6  # all of it is live before and after


def test_an_antichain_of_a_grid_is_its_diagonal() -> None:
    """Componentwise order of an n x m grid has width min(n, m), and a total one 1."""
    for n, m in ((1, 5), (4, 4), (3, 7)):
        points = list(product(range(n), range(m)))
        rows = [
            sum(1 << k for k, q in enumerate(points) if q != p and q[0] >= p[0] and q[1] >= p[1])
            for p in points
        ]
        assert len(largest_antichain(rows)) == min(n, m)
    assert len(largest_antichain([0b110, 0b100, 0])) == 1
    assert len(largest_antichain([0, 0, 0])) == 3
