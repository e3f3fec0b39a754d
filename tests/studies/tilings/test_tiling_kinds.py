"""Kinds of tilings on stencils of the reference: waves, widths, extra points, slices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import pytest

from hlsmem.program.model import Program
from hlsmem.studies.tilings.rows import faced, is_legal
from hlsmem.studies.tilings.tile_waves import by_formula, has_formula
from hlsmem.studies.tilings.tiled_nest import Nest, least_of, nest_of, points_of
from hlsmem.studies.tilings.tiling import KINDS, Tiling
from hlsmem.studies.tilings.tiling_kinds import refusal, rows_of, tiling_of
from tests.classes import E1, HEAT_5, JACOBI, uniform
from tests.programs import golden_case

NINE = tuple((1, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1))
# Dependences in data alone, and in time alone.
FEW = (((0, 1),), ((1, 0),))
SEIDEL = ((0, 1), (1, 0), (1, -1))


def stencil(vectors: Sequence[Sequence[int]], steps: int, size: int) -> Program:
    """A stencil in T steps over N points in each loop of data."""
    loops = "ijkl"[: len(vectors[0])]
    inside = " and ".join(f"0 <= {x} < N" for x in loops[1:])
    return uniform(
        vectors,
        {"T": steps, "N": size},
        domain=f"{{ S[{', '.join(loops)}] : 0 <= i < T and {inside} }}",
        context="[T, N] -> { : T >= 3 and N >= 3 }",
    )


def tiling(program: Program, kind: str, sizes: Sequence[int]) -> Tiling:
    nest = nest_of(program)
    return by_rows(nest, rows_of(nest, kind), sizes, kind=kind)


def by_rows(nest: Nest, rows: Any, sizes: Any, origin: Any = None, kind: str = "rows") -> Tiling:
    """Tiles by rows, from 0 where nothing else is said, as the reference has them."""
    start = origin or (0,) * len(sizes)
    return tiling_of(nest, points_of(nest), kind, rows, sizes, start)


def of_rows(program: Program, rows: Any, sizes: Sequence[int]) -> Tiling:
    return by_rows(nest_of(program), rows, sizes)


@pytest.mark.parametrize("case", golden_case("003", "s004-tiling-classes")["expected"], ids=str)
def test_kinds_of_tilings_on_one_loop_of_data(case: Any) -> None:
    program = stencil(JACOBI, 16, case["N"])
    pipelined = tiling(program, "pipelined", (2, 4))
    assert {"waves": len(pipelined.waves), "max": max(pipelined.waves)} == case["pipelined"]
    overlapped = tiling(program, "overlapped", (2, 4))
    assert {
        "waves": len(overlapped.waves),
        "width": max(overlapped.waves),
        "points_computed": overlapped.computed,
        "points_useful": overlapped.useful,
    } == case["overlapped"]
    for kind, key, sizes in (
        ("split", "trapezoidal", (2, 4)),
        ("diamond", "diamond_side_2tau", (4, 4)),
    ):
        found = tiling(program, kind, sizes)
        assert {"waves": len(found.waves), "widths": sorted(set(found.waves))} == case[key]
    molecular = tiling(program, "molecular", (2, 4))
    bands = case["molecular"]["bands"]
    assert len(molecular.waves) == 3 * bands  # three slices each
    assert max(molecular.waves) == case["molecular"]["tiles_per_band_concurrent"]
    assert tiling(program, "faced", (4, 4)).waves == tiling(program, "diamond", (4, 4)).waves


@pytest.mark.parametrize("case", golden_case("003", "s004-pipelined")["expected"], ids=str)
@pytest.mark.parametrize("vectors", [JACOBI, SEIDEL], ids=["jacobi", "in place"])
def test_pipelined_waves_fill_and_drain(case: Any, vectors: Any) -> None:
    steps, size = (int(case[name].split()[0]) * 2 for name in ("T", "N"))
    found = tiling(stencil(vectors, steps, size), "pipelined", (2, 4))
    assert len(found.waves) == case["waves"]
    assert list(found.waves) == case.get("widths", list(found.waves))
    assert max(found.waves) == case.get("max", max(found.waves))
    assert found.waves.count(8) == case.get("times_max", found.waves.count(8))
    if case["waves"] == 23:
        assert (found.startup, found.drain) == (10, 10)


@pytest.mark.parametrize("case", golden_case("003", "s004-weak-scaling")["expected"], ids=str)
def test_the_formula_counts_what_nobody_lists(case: Any) -> None:
    (steps, _), (size, _) = (case[name].split() for name in ("T", "N"))
    nest = nest_of(stencil(JACOBI, 2 * int(steps), 4 * int(size)))
    assert has_formula(nest, "pipelined")
    rows = rows_of(nest, "pipelined")
    assert rows == ((1, 0), (1, 1))
    found = by_formula(nest, rows, (2, 4), (0, 0))
    share = found.share(case["P"])
    assert share == pytest.approx(case["fraction_of_tiles_in_waves_ge_P"], abs=1e-6)
    assert (len(found.waves), found.tiles) == (case["waves"], case["tiles"])
    assert max(found.waves) == case["max"]


@pytest.mark.parametrize("origin", [(0, 0), (1, 2), (-1, 5)])
@pytest.mark.parametrize("vectors", [JACOBI, E1, *FEW], ids=str)
@pytest.mark.parametrize("sizes", [(1, 1), (2, 4), (3, 2), (1, 7), (5, 3)])
def test_the_formula_has_all_tiles_and_no_fewer_waves(
    sizes: Any, vectors: Any, origin: Any
) -> None:
    nest = nest_of(stencil(vectors, 7, 11))
    rows = rows_of(nest, "pipelined")
    assert rows is not None
    found = by_formula(nest, rows, sizes, origin)
    graph = by_rows(nest, rows, sizes, origin)
    assert found.tiles == graph.tiles
    assert len(found.waves) >= len(graph.waves)
    if vectors in FEW:
        assert found.waves == graph.waves


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_tiles_without_dependences_run_in_one_wave(kind: str, depth: int) -> None:
    nest = parallel(depth)
    sizes = (2, *[3] * (depth - 1))
    found = by_rows(nest, rows_of(nest, kind), sizes, kind=kind)
    assert found.waves == (found.tiles,)
    assert found.computed == found.useful == 7**depth


def test_the_formula_knows_of_no_dependences() -> None:
    found = by_formula(parallel(2), ((1, 0), (0, 1)), (2, 3), (0, 0))
    assert found.waves == (4 * 3,)


def parallel(depth: int) -> Nest:
    """Instances that read nothing which others write."""
    return nest_of(uniform([(0,) * depth], dict(zip("NMK", [7] * depth, strict=False))))


@pytest.mark.parametrize("kind", ["diamond", "faced"])
@pytest.mark.parametrize(
    ("vectors", "rows"),
    [
        (((1, 0),), ((1, 0), (0, 1))),
        (((0, 1),), ((1, 0), (0, 1))),
        (((1, 1),), ((1, 1), (1, -1))),
        (((1, 5), (1, -6)), ((6, 1), (5, -1))),
    ],
)
def test_a_loop_along_which_nothing_moves_has_its_unit_row(
    vectors: Any, rows: Any, kind: str
) -> None:
    assert rows_of(nest_of(stencil(vectors, 7, 7)), kind) == rows


def test_loops_that_stay_leave_the_rows_of_the_others() -> None:
    still = [(one[0], 0, one[1]) for one in JACOBI]
    assert faced(3, still) == ((1, 0, 1), (0, 1, 0), (1, 0, -1))
    assert faced(3, [(0, *one) for one in JACOBI]) == ((1, 0, 0), (0, 1, 1), (0, 1, -1))
    assert faced(2, []) == ((1, 0), (0, 1))


def test_time_is_inside_the_cone_of_the_rows_whatever_the_reach() -> None:
    """The least factors of time that are legal, found by hand: 2 and 3, and a chain of both."""
    assert faced(2, [(2, -4), (1, 3)]) == ((3, -1), (2, 1))
    assert faced(2, [(0, 1), (1, 0)]) is None


@pytest.mark.parametrize(("band", "steps", "size"), [(2, 8, 24), (3, 12, 30), (4, 16, 40)])
def test_the_formula_is_the_longest_path_where_bands_fit(band: int, steps: int, size: int) -> None:
    nest = nest_of(stencil(JACOBI, steps, size))
    rows = rows_of(nest, "pipelined")
    assert rows is not None
    sizes = (band, 2 * band)
    graph = by_rows(nest, rows, sizes)
    assert by_formula(nest, rows, sizes, (0, 0)).waves == graph.waves


@pytest.mark.parametrize(
    ("sizes", "slices"),
    [
        ((2, 4), (2, 4, 2)),
        ((3, 4), (6, 0, 6)),
        ((3, 5), (6, 3, 6)),
        ((4, 6), (12, 0, 12)),
        ((4, 8), (12, 8, 12)),
    ],
)
def test_molecular_slices(sizes: Any, slices: Any) -> None:
    found = tiling(stencil(JACOBI, 24, 48), "molecular", sizes)
    band = sizes[0] * (sizes[0] - 1)
    assert found.slices == slices == (band, prod(sizes) - 2 * band, band)


@pytest.mark.parametrize(
    ("vectors", "rows", "waves", "first", "widest", "points"),
    [
        (HEAT_5, ((1, 1, 0), (1, 0, 1), (1, -1, -1)), 14, (16, 64), (24, 80), 22),
        (NINE, ((2, -1, -1), (1, 1, 0), (1, 0, 1)), 18, (16, 64), (25, 81), 16),
    ],
    ids=["5-point", "9-point"],
)
def test_six_faced_tiles_all_start_at_once(
    vectors: Any, rows: Any, waves: int, first: Any, widest: Any, points: int
) -> None:
    assert faced(3, vectors) == rows
    for size, start, most in zip((16, 32), first, widest, strict=True):
        found = tiling(stencil(vectors, 16, size), "faced", (4, 4, 4))
        assert (len(found.waves), found.waves[0], max(found.waves)) == (waves, start, most)
        assert found.points_most == points


@pytest.mark.parametrize(
    ("kind", "sizes", "waves", "first", "widest"),
    [
        ("pipelined", (2, 4, 4), (22, 30), (1, 1), (13, 41)),
        ("diamond", (4, 4, 4), (16, 20), (4, 8), (18, 59)),
    ],
)
def test_tilings_of_two_loops_of_data(
    kind: str, sizes: Any, waves: Any, first: Any, widest: Any
) -> None:
    for vectors in (HEAT_5, NINE):
        for size, many, start, most in zip((16, 32), waves, first, widest, strict=True):
            found = tiling(stencil(vectors, 16, size), kind, sizes)
            assert (len(found.waves), found.waves[0], max(found.waves)) == (many, start, most)


def test_faced_rows_of_three_loops_of_data() -> None:
    heat = [(1, 0, 0, 0)]
    for axis in (1, 2, 3):
        for sign in (1, -1):
            heat.append((1, *(sign * int(axis == k) for k in (1, 2, 3))))
    rows = faced(4, heat)
    assert rows is not None
    assert all(is_legal(row, heat) for row in rows)
    found = tiling(stencil(heat, 4, 5), "faced", (4, 4, 4, 4))
    assert found.is_legal


def test_tiles_that_need_each_other_are_no_tiling() -> None:
    found = of_rows(stencil(JACOBI, 16, 24), ((1, 0), (0, 1)), (2, 4))
    assert found.cycle is not None
    assert not found.is_legal
    (a, b), (c, d) = found.cycle
    assert a == c
    assert abs(b - d) == 1
    nine = of_rows(stencil(NINE, 8, 8), ((1, 1, 0), (1, 0, 1), (1, -1, -1)), (4, 4, 4))
    assert nine.cycle is not None
    wider = of_rows(stencil(HEAT_5, 16, 16), ((1, 1, 0), (1, 0, 1), (2, -1, -1)), (4, 4, 4))
    assert (len(wider.waves), wider.waves[0], max(wider.waves)) == (17, 16, 40)


def waves_by_hand(nest: Nest, rows: Any, sizes: Any) -> list[int]:
    """The longest path by relaxing all pairs of points until nothing changes."""
    points = points_of(nest)
    tile = [
        tuple(sum(h * x for h, x in zip(row, at, strict=True)) // size
              for row, size in zip(rows, sizes, strict=True))
        for at in points.loops.tolist()
    ]  # fmt: skip
    level = dict.fromkeys(tile, 0)
    changed = True
    while changed:
        changed = False
        for source, sink in zip(points.sources.tolist(), points.sinks.tolist(), strict=True):
            a, b = tile[source], tile[sink]
            if a != b and level[b] < level[a] + 1:
                level[b], changed = level[a] + 1, True
    return np.bincount(list(level.values())).tolist()


@pytest.mark.parametrize(
    ("rows", "sizes"), [(((1, 0), (1, 1)), (2, 3)), (((1, 1), (2, -1)), (3, 3)),
        (((1, 0), (2, 1)), (1, 4))],
)  # fmt: skip
def test_waves_are_longest_paths(rows: Any, sizes: Any) -> None:
    nest = nest_of(stencil(E1, 6, 7))
    found = by_rows(nest, rows, sizes)
    assert list(found.waves) == waves_by_hand(nest, rows, sizes)


def test_kinds_say_what_is_missing() -> None:
    nest = nest_of(stencil(SEIDEL, 8, 8))
    assert rows_of(nest, "split") is None
    against = "the dependence (0, 1) does not go forward in time 'i'"
    assert refusal(nest, "split") == against
    assert rows_of(nest, "faced") is None
    assert refusal(nest, "faced") == f"no rows have time inside of their cone: {against}"


@pytest.mark.parametrize("depth", [2, 3])
def test_the_least_value_of_rows_is_that_of_the_points(depth: int) -> None:
    nest = nest_of(stencil(JACOBI if depth == 2 else NINE, 7, 5))
    rows = [(1, 0, 0)[:depth], (2, -1, 3)[:depth], (0, -2, -1)[:depth]]
    loops = points_of(nest).loops
    assert least_of(nest, rows) == tuple((loops @ np.array(rows).T).min(axis=0).tolist())
