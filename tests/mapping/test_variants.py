"""Each published variant under its own name gives what its paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Values
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from hlsmem.core.errors import InputError
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import method_named, methods, variants
from hlsmem.mapping.methods.hyperplane import least_rows
from hlsmem.mapping.methods.width import componentwise_maximum, symmetric_parts
from hlsmem.mapping.portfolio import ask
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping, unfolded
from hlsmem.polyhedra.lattices import Matrix
from tests.mapping.problems import BUDGET, as_found, problem_of
from tests.programs import golden_case, program_from_golden


@cache
def _golden(number: str, case: str, values: tuple[tuple[str, int], ...]) -> StorageProblem:
    (problem,) = storage_problems(program_from_golden(golden_case(number, case), dict(values)))
    return problem


def golden(number: str, case: str, **values: int) -> StorageProblem:
    return _golden(number, case, tuple(values.items()))


def found(name: str, problem: StorageProblem) -> StorageMapping:
    return as_found(method_named(name).run(problem, BUDGET))


FIGURE_3: dict[str, tuple[Values[str, int], int, int, int]] = {
    "durbin-y": ({"N": 100}, 256, 200, 197),
    "reg_detect-mean": ({"N": 6, "P": 64}, 64, 36, 27),
    "reg_detect-diff": ({"N": 6, "P": 64}, 4096, 2304, 1728),
    "dynprog-c-livein-val": ({"N": 10}, 256, 81, 61),
    "gauss-g_tmp": ({"N": 50, "M": 50}, 4096, 2400, 2400),
}


@pytest.mark.parametrize("case", FIGURE_3)
def test_figure_3_of_bee_clak(case: str) -> None:
    values, rogers, heuristic_1a, optimum = FIGURE_3[case]
    problem = golden("002", case, **values)
    assert found("minima:rogers", problem).cells == rogers
    assert found("minima:1.a", problem).cells == heuristic_1a
    assert found("exhaustive:opt", problem).cells == optimum


def test_the_parametric_reuse_vector_of_the_reverse_l() -> None:
    mapping = found("reuse:parametric", golden("000", "s000-reverse-l", N=8))
    (piece,) = mapping.pieces
    assert str(piece.cells()) == "4*N - 2"
    assert mapping.certificate.scope == "all-parameters"
    assert [(one.vector, one.value) for one in mapping.findings] == [
        ((1, 1), "2"),
        ((1, 0), "2*N - 1"),
    ]


def test_figure_7_what_a_decomposition_does() -> None:
    problem = golden("000", "s000-reverse-l", N=8)
    cells = {
        name: str(found(f"hyperplane:parametric-{name}", problem).pieces[0].cells())
        for name in ("lexicographic", "disjoint")
    }
    assert cells == {"lexicographic": "N^2", "disjoint": "5*N - 4"}


@pytest.mark.parametrize(
    ("case", "values", "cells"),
    [
        ("s000-diamond-tile", {"B": 8}, "2*B^2 - B"),
        ("s000-heat-2d-tiled", {"B": 4}, "B^3"),
        ("s000-blur-tiled", {"B": 8}, "B^2"),
    ],
)
def test_heuristic_1_of_table_1(case: str, values: Values[str, int], cells: str) -> None:
    mapping = found("width:narrowest", golden("000", case, **values))
    assert str(mapping.pieces[0].cells()) == cells


@pytest.mark.parametrize(
    ("norm", "cells"),
    [
        ("max-sum", "N^2 + 2*N + 1"),
        ("max", "N^2 + 2*N + 1"),
        ("sum-max", "2*N^2"),
        ("auov", "2*N^2"),
    ],
)
def test_norms_of_heuristic_3(norm: str, cells: str) -> None:
    mapping = found(f"lattice:{norm}", golden("001", "lbm-d2q9", T=3, N=5))
    assert str(mapping.pieces[0].cells()) == cells


def test_hyperplanes_for_all_parameters_and_at_the_plan() -> None:
    problem = golden("001", "lbm-d2q9", T=3, N=5)
    always = found("hyperplane:parametric-disjoint", problem)
    assert str(always.pieces[0].cells()) == "N^2 + 2*N"
    assert always.certificate.scope == "all-parameters"
    assert [one.value for one in always.findings] == ["3 of 4", "1 of 1"]
    here = found("hyperplane:fixed-disjoint", problem)
    assert (here.cells, here.certificate.scope) == (31, "at")


def test_every_choice_of_orders_on_the_diamonds_pieces_is_valid() -> None:
    problem = golden("000", "s000-diamond-tile", B=6)
    conflicts = conflicts_of(problem)
    tried = 0
    for decomposition in ("given", "disjoint", "lexicographic"):
        parts = symmetric_parts(conflicts, decomposition)
        for orders in product(permutations(range(2)), repeat=len(parts)):
            piece = unfolded(componentwise_maximum(conflicts, parts, orders))
            assert not isinstance(prove(piece, problem), Counterexample)
            tried += 1
    assert tried == 24


def test_gauge_functions_are_exact() -> None:
    mapping = found("gauge:2-unit", golden("000", "s000-diamond-tile", B=16))
    assert [one.value for one in mapping.findings] == ["2/31", "1/30"]


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_a_variant_proves_its_mapping_or_says_why_there_is_none(variant: object) -> None:
    name = variant.name  # type: ignore[attr-defined]
    pieces = "{ [x,y] : 2 <= y <= 3 and -4 <= x <= 5; [x,y] : 3 <= x <= 7 and y = 0 }"
    problem = problem_of(pieces, {}, context="{ : }")
    answer = method_named(name).run(problem, BUDGET)
    if isinstance(answer, NoMapping):
        assert answer.reason
    else:
        assert answer.method == name
        assert not isinstance(prove(answer.pieces[0], problem), Counterexample)


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_conflicts_without_end_are_named(variant: object) -> None:
    name = variant.name  # type: ignore[attr-defined]
    endless = problem_of("{ [x,y] : 0 <= y <= 2 }", {}, context="{ : }")
    answer = method_named(name).run(endless, BUDGET)
    assert isinstance(answer, NoMapping)
    assert "conflicts never end along" in answer.reason


@pytest.mark.parametrize("variant", variants(), ids=lambda variant: variant.name)
def test_a_line_of_conflicts_has_a_mapping_or_a_reason(variant: object) -> None:
    name = variant.name  # type: ignore[attr-defined]
    line = problem_of("{ [x,y,z] : x = 2y and z = 0 and -6 <= y <= 6 }", {}, context="{ : }")
    answer = method_named(name).run(line, BUDGET)
    if isinstance(answer, NoMapping):
        assert answer.reason
    else:
        assert answer.cells >= 7


def test_names_are_unique_and_say_their_source() -> None:
    names = [variant.name for variant in variants()]
    assert len(set(names)) == len(names)
    assert all(variant.description and variant.source for variant in variants())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("minima:rodgers", "method 'minima' has no variant 'rodgers'; use one of: minima:rogers,"),
        ("linear:x", "method 'linear' has no variant 'x'; it has no variants; use 'linear'"),
        ("minimum:rogers", "unknown method 'minimum'; use one of: auto, declared,"),
    ],
)
def test_unknown_variants_name_those_there_are(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        method_named(name)
    assert str(caught.value).startswith(message)


def test_a_method_is_never_worse_than_its_variants() -> None:
    problem = golden("000", "s000-diamond-tile", B=8)
    for method in methods():
        # The orders of unit vectors are a method of their own, `successive`.
        if not method.variants or method.name == "width":
            continue
        own = as_found(method.run(problem, BUDGET)).cells
        for variant in method.variants:
            answer = variant.run(variant.name)(problem, BUDGET)
            assert isinstance(answer, NoMapping) or own <= answer.cells


def test_rows_that_are_enumerated_give_the_fewest_cells_of_them() -> None:
    """Against every sequence of rows, of those that satisfy as many pieces at each step."""
    rows = np.array([row for row in product(range(-2, 3), repeat=2) if row > (0, 0)])
    chosen = np.random.default_rng(7)
    for _ in range(60):
        pieces = [
            piece[piece.any(axis=1)] for piece in chosen.integers(-4, 5, size=(3, 3, 2))
        ]  # fmt: skip
        pieces = [piece for piece in pieces if len(piece)]
        found = least_rows(pieces, rows, None, 1 << 30)
        every = list(cells_of_all(pieces, rows))
        assert found.cells == min(every, default=0)
        if found.rows:
            assert cells_of(pieces, found.rows) == found.cells
        assert least_rows(pieces, rows, found.cells, 1 << 30).rows == ()


def cells_of_all(pieces: Sequence[np.ndarray], rows: np.ndarray) -> Iterator[int]:
    def satisfied(row: np.ndarray) -> int:
        return sum(bool((p @ row > 0).all() or (p @ row < 0).all()) for p in pieces)

    most = max(map(satisfied, rows))
    for row in rows:
        if not most or satisfied(row) != most:
            continue
        width = 1 + max(int(abs(p @ row).max()) for p in pieces)
        left = [p[p @ row == 0] for p in pieces]
        left = [p for p in left if len(p)]
        yield from (width * rest for rest in (cells_of_all(left, rows) if left else [1]))


def cells_of(pieces: Sequence[np.ndarray], rows: Matrix) -> int:
    points, cells = np.concatenate(pieces), 1
    for row in rows:
        values = points @ np.array(row)
        cells *= 1 + int(abs(values).max())
        points = points[values == 0]
    assert not len(points)
    return cells


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("case", "sizes", "cells"),
    [
        ("s000-diamond-tile", {"B": 16}, 91),
        ("s000-blur-interleaved", {"N": 64}, 129),
        ("s000-reverse-l", {"N": 16}, 76),
    ],
)
def test_enumerated_rows_have_the_cells_of_the_best_decomposition(
    case: str, sizes: dict[str, int], cells: int
) -> None:
    problem = golden("000", case, **sizes)
    assert found("hyperplane:enumerated", problem).cells == cells
    fixed = [one for one in variants() if one.name.startswith("hyperplane:fixed-")]
    greedy = [one.run(problem, BUDGET) for one in fixed]
    assert min(one.cells for one in greedy if isinstance(one, StorageMapping)) == cells


def test_a_variant_that_is_like_another_has_its_answer() -> None:
    """The search runs once, and its answer has both names."""
    problem = golden("000", "s000-diamond-tile", B=8)
    asked = [one for one in variants() if one.name.startswith("exhaustive:")]
    told: list[str] = []
    answers = ask(asked, problem, budget=BUDGET, report=lambda name, _: told.append(name))
    (first, opt), (second, same) = answers
    assert (first, second) == ("exhaustive:opt", "exhaustive:re-optimised")
    assert set(told) == {"exhaustive:opt"}
    assert same == replace(opt, method=second)
    assert asked[1].run(problem, BUDGET) == same
