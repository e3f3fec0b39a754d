"""The accesses of a cycle: patterns of programs, held against plain enumeration."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from hlsmem.banks.cycle_accesses import CycleAccesses, cycle_accesses
from hlsmem.banks.pattern import Pattern
from hlsmem.polyhedra.lattices import hermite
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Order, Program
from hlsmem.timing.planned_program import arranged
from tests.programs import make_program
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
Element = tuple[int, ...]


def example(name: str, *settings: str, **values: int) -> Program:
    design = load(EXAMPLES / name / "design.yaml", parameters=values, settings=settings)
    assert isinstance(design.input, Program)
    return arranged(design.input)


def reads(program: Program, array: str) -> list[CycleAccesses]:
    return [one for one in cycle_accesses(program, array) if not one.writes]


def test_operands_of_a_beat_are_a_pattern_everywhere() -> None:
    (window,) = reads(example("sobel"), "in")
    (pattern,) = window.patterns
    assert pattern.offsets == tuple((y, x) for y in range(3) for x in range(3) if (y, x) != (1, 1))
    assert pattern.is_everywhere
    assert pattern.name(0) == "in[-1 + y][-1 + x] at sobel.c:13:31"
    assert (window.statements, window.most) == (("S0",), 8)


def test_bases_keep_their_strides() -> None:
    (quads,) = reads(example("half"), "a")
    (pattern,) = quads.patterns
    assert pattern.offsets == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert (pattern.origin, pattern.steps) == ((0, 0), ((2, 0), (0, 2)))


def test_an_unrolled_loop_accesses_iterations_side_by_side() -> None:
    settings = ("order=iteration", "pipeline.unroll.x=2", "arrays.in.storage=memory")
    (window,) = reads(example("sobel", *settings), "in")
    widest = max(window.patterns, key=lambda p: len(p.offsets))
    assert len(widest.offsets) == 12
    assert widest.steps == ((1, 0), (0, 2))


def test_a_cycle_has_the_statements_of_its_step() -> None:
    sequential = reads(example("two_consumers"), "smooth")
    assert [one.statements for one in sequential] == [("Echo",), ("Change",)]
    (step,) = reads(example("two_consumers", "order=iteration"), "smooth")
    assert step.statements == ("Echo", "Change")
    assert step.patterns[0].offsets == ((0,), (21,))


def test_values_of_the_same_step_take_no_port() -> None:
    (window,) = reads(example("blur", "order=iteration"), "blurx")
    assert window.patterns[0].offsets == ((0, 0), (1, 0))


def test_steps_of_too_many_kinds_are_told_in_pairs() -> None:
    found = {one.statements: one for one in reads(example("durbin", N=100), "y")}
    pairs = found[("S7",)]
    assert pairs.in_pairs
    assert {p.offsets for p in pairs.patterns} == {((0, 0), (d, 0)) for d in range(1, 99)}


def touched(program: Program, array: str) -> set[frozenset[Element]]:
    """The sets of elements that one step reads, without those that it writes itself."""
    steps: dict[tuple[object, ...], set[Element]] = defaultdict(set)
    made: dict[tuple[object, ...], set[Element]] = defaultdict(set)
    kept = program.step_dimensions if program.order is Order.ITERATION else None
    size = program.time_dimensions
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array != array:
                continue
            domain = statement.schedule.intersect_domain(statement.domain)
            both = domain.reverse().apply_range(access.relation)
            into = steps if access in statement.reads else made
            for row in points(fix_parameters(both, program.values)).tolist():
                group = None if kept else statement.name
                into[(group, *row[:size][:kept])].add(tuple(row[size:]))
    sets = (elements - made[step] if kept else elements for step, elements in steps.items())
    return {frozenset(elements) for elements in sets if elements}


def holds(pattern: Pattern, elements: frozenset[Element]) -> bool:
    """Whether the elements are part of the pattern at one of its bases."""
    for offset in pattern.offsets:
        first = min(elements)
        base = [a - b for a, b in zip(first, offset, strict=True)]
        places = {tuple(a + b for a, b in zip(base, o, strict=True)) for o in pattern.offsets}
        away = [a - b for a, b in zip(base, pattern.origin, strict=True)]
        if elements <= places and hermite([*pattern.steps, away]) == hermite(pattern.steps):
            return True
    return False


def stands(pattern: Pattern, elements: frozenset[Element]) -> bool:
    return len(pattern.offsets) == len(elements) and holds(pattern, elements)


ODD = make_program(
    values={"N": 9},
    domains=["[N] -> { W[i,j] : 0 <= i, j < N; R[i,j] : 0 <= i, j < N }"],
    schedules=["{ W[i,j] -> [0, i, j]; R[i,j] -> [1, i, j] }"],
    reads=[
        "[N] -> { R[i,j] -> A[i, 2j - i] : 0 <= 2j - i < N }",
        "[N] -> { R[i,j] -> A[j, i] }",
        "[N] -> { R[i,j] -> A[i, j] : i >= 3 }",
    ],
    writes=["[N] -> { W[i,j] -> A[i,j] }"],
)


@pytest.mark.parametrize(
    ("program", "array"),
    [
        (example("sobel", N=8), "in"),
        (example("sobel", "order=iteration", N=9), "in"),
        (example("half", N=8), "a"),
        (example("heat2d", N=6), "a"),
        (example("two_consumers", "order=iteration"), "smooth"),
        (ODD, "A"),
    ],
    ids=["sobel", "sobel steps", "half", "heat2d", "two consumers", "odd"],
)
def test_patterns_hold_what_steps_access_and_no_more(program: Program, array: str) -> None:
    found = [one for one in cycle_accesses(program, array) if not one.writes]
    exact = [pattern for one in found if not one.in_pairs for pattern in one.patterns]
    pairs = {p.offsets for one in found if one.in_pairs for p in one.patterns}
    steps = touched(program, array)
    for elements in steps:
        assert any(holds(pattern, elements) for pattern in exact) or all(
            (tuple(0 for _ in b), tuple(x - y for x, y in zip(b, a, strict=True))) in pairs
            for a in elements
            for b in elements
            if a < b
        )
    if program.order is Order.SEQUENTIAL:
        for pattern in exact:
            assert any(stands(pattern, elements) for elements in steps)
