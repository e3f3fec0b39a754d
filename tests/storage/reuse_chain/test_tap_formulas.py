"""Taps in the parameters are those that chains have at other sizes, found there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.emit.report import report
from hlsmem.planner.array_folding import analyse
from hlsmem.program.model import Order, Program
from hlsmem.storage.reuse_chain.chain_selection import Reuse, find_chain
from hlsmem.storage.reuse_chain.tap_formulas import tap_formulas
from tests.plans import hardware_of
from tests.programs import make_program
from tests.steps import load

ROOT = Path(__file__).parents[3]


def analysed(name: str, **parameters: int) -> Program:
    program, _ = analyse(load(ROOT / name, parameters=parameters))
    assert program is not None
    return program


def distances(program: Program, array: str) -> tuple[int, ...]:
    found = find_chain(program, program.arrays[array])
    assert isinstance(found, Reuse)
    return tuple(distance for reader in found.readers for distance in reader.distances)


@pytest.mark.few("blur", "half", "unsharp", "gauss_sobel")
@pytest.mark.parametrize(
    ("name", "array", "sizes"),
    [
        ("examples/blur/design.yaml", "blurx", [{"N": 5}, {"N": 9}]),
        ("examples/sobel/design.yaml", "in", [{"N": 5}, {"N": 12}]),
        ("examples/half/design.yaml", "a", [{"N": 6}, {"N": 10}]),
        ("examples/unsharp/design.yaml", "in", [{"W": 8, "H": 6}, {"W": 31, "H": 9}]),
        ("examples/camera/design.yaml", "d", [{"W": 16, "H": 12}, {"W": 23, "H": 13}]),
        ("examples/camera/design.yaml", "m", [{"W": 16, "H": 12}, {"W": 23, "H": 13}]),
        ("tests/designs/gauss_sobel.yaml", "g", [{"W": 12, "H": 9}, {"W": 20, "H": 8}]),
    ],
)
def test_formulas_give_the_taps_of_other_sizes(
    name: str, array: str, sizes: list[dict[str, int]]
) -> None:
    program = analysed(name)
    formulas = tap_formulas(program, program.arrays[array])
    assert formulas is not None
    for parameters in sizes:
        own = analysed(name, **parameters)
        there = tuple(one.evaluate(own.values) for one in formulas)
        assert there == distances(own, array)


def test_a_window_is_named_in_its_width() -> None:
    planning = hardware_of(ROOT / "examples/window3/design.yaml", {"W": 40, "H": 9})
    (part,) = planning.plan.arrays["in"].hardware.parts
    assert part.taps_expr is not None
    assert part.taps_expr[:3] == ("2*W + 2", "2*W + 1", "2*W")
    assert "taps 2*W + 2, 2*W + 1, 2*W, W + 2, W + 1, W, .., 0 (" in report(planning.plan)


def test_no_formula_where_rows_grow() -> None:
    """Writes of a triangle are no box: their numbers are no product of sizes."""
    program = make_program(
        values={"N": 7},
        context="[N] -> { : N >= 4 }",
        domains=["[N] -> { W[y,x] : 0 <= x <= y < N }", "[N] -> { R[y,x] : 0 <= x <= y < N }"],
        schedules=["{ W[y,x] -> [y, x, 0] }", "{ R[y,x] -> [y, x, 1] }"],
        reads=["{ R[y,x] -> A[y,x] }"],
        writes=["{ W[y,x] -> A[y,x] }"],
        planned=["A"],
        order=Order.ITERATION,
        step_dimensions=2,
    )
    assert tap_formulas(program, program.arrays["A"]) is None


def test_a_distance_that_depends_on_the_size_has_no_formula() -> None:
    """One element back where rows are wide, two where they are narrow."""
    program = make_program(
        values={"N": 12},
        context="[N] -> { : N >= 4 }",
        domains=["[N] -> { W[x] : 0 <= x < N }", "[N] -> { R[x] : 2 <= x < N }"],
        schedules=["{ W[x] -> [x, 0] }", "{ R[x] -> [x, 1] }"],
        reads=["[N] -> { R[x] -> A[x - 1] : N > 8; R[x] -> A[x - 2] : N <= 8 }"],
        writes=["{ W[x] -> A[x] }"],
        planned=["A"],
        order=Order.ITERATION,
        step_dimensions=1,
    )
    assert distances(program, "A") == (1,)
    assert tap_formulas(program, program.arrays["A"]) is None
