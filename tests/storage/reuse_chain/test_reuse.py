"""Chains of programs: distances that are constant, and why others have no chain."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Order, Program
from hlsmem.storage.reuse_chain.chain_selection import NoChain, Reuse
from hlsmem.storage.reuse_chain.circuit import chain_reuse
from hlsmem.storage.reuse_chain.delays import Chain
from hlsmem.timing.planned_program import arranged
from tests.programs import make_program
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def example(name: str, *settings: str, **values: int) -> Program:
    design = load(EXAMPLES / name / "design.yaml", parameters=values, settings=settings)
    assert isinstance(design.input, Program)
    return arranged(design.input)


def chain(program: Program, array: str) -> Chain:
    found = chain_reuse(program, program.arrays[array])
    assert isinstance(found, Reuse)
    return found.chain(8)


def reason(program: Program, array: str) -> str:
    found = chain_reuse(program, program.arrays[array])
    assert isinstance(found, NoChain)
    return found.reason


@pytest.mark.parametrize("order", ["sequential", "iteration"])
def test_a_window_over_an_image_that_streams_in(order: str) -> None:
    found = chain(example("sobel", f"order={order}"), "in")
    assert found.distances == (0, 1, 2, 64, 66, 128, 129, 130)
    assert found.words == 130


def test_a_window_of_two_pixels_a_beat() -> None:
    found = chain(example("sobel", "order=iteration", "pipeline.unroll.x=2"), "in")
    assert len(found.lanes) == 2
    assert found.distances == (0, 1, 2, 3, 64, 65, 66, 67, 128, 129, 130, 131)
    assert found.words == 130


def test_values_of_the_same_step_are_wires() -> None:
    by_iteration = chain(example("blur", "order=iteration"), "blurx")
    assert by_iteration.distances == (0, 64, 128)
    assert chain(example("two_consumers"), "smooth").distances == (0, 3, 24)


def test_a_stride_that_skips_writes_reads_at_constant_distances_all_the_same() -> None:
    assert chain(example("half", N=16), "a").distances == (0, 1, 16, 17)


def test_why_there_is_no_chain() -> None:
    assert reason(example("durbin"), "alpha") == (
        "2 accesses write 'alpha', a chain takes those of one"
    )
    assert "lies 0 to 11 elements behind the newest" in reason(example("matmul_relu"), "active")


def line(reads: list[str], *, order: Order = Order.SEQUENTIAL, live_out: str = "{ }") -> Program:
    return make_program(
        values={"N": 12},
        domains=["[N] -> { W[i] : 0 <= i < N; R[i] : 4 <= i < N }"],
        schedules=["{ W[i] -> [i, 0]; R[i] -> [i, 1] }"],
        reads=reads,
        writes=["[N] -> { W[i] -> A[i] }"],
        live_out=[live_out],
        order=order,
        step_dimensions=1,
    )


def test_live_elements_need_a_memory() -> None:
    kept = line(["[N] -> { R[i] -> A[i - 1] }"], live_out="[N] -> { A[i] : 0 <= i < N }")
    assert reason(kept, "A") == "elements of 'A' are live after the program"


@pytest.mark.parametrize("order", [Order.SEQUENTIAL, Order.ITERATION])
def test_a_read_behind_its_own_step_is_at_its_distance(order: Order) -> None:
    reads = ["[N] -> { R[i] -> A[i - 4] }", "[N] -> { R[i] -> A[i] }"]
    assert chain(line(reads, order=order), "A").distances == (0, 4)


def test_a_read_at_changing_distances_has_no_chain() -> None:
    folded = line(["[N] -> { R[i] -> A[floor(i/2)] }"])
    assert reason(folded, "A") == "the read of 'A' lies 2 to 6 elements behind the newest"


def happenings(program: Program, array: str) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """(step, 0 for writes that its reads see, element) of all accesses, in order, plainly."""
    kept = program.step_dimensions if program.order is Order.ITERATION else None
    found = []
    for statement in program.statements:
        for rank, accesses in ((0, statement.writes), (1, statement.reads)):
            for access in accesses:
                if access.array != array:
                    continue
                times = fix_parameters(statement.schedule, program.values)
                relation = fix_parameters(access.relation, program.values)
                both = times.intersect_domain(fix_parameters(statement.domain, program.values))
                size = program.time_dimensions
                for row in points(both.reverse().apply_range(relation)).tolist():
                    time = tuple(row[:size])[:kept]
                    late = rank if program.order is Order.ITERATION else 1 - rank
                    found.append((time, late, tuple(row[size:])))
    return sorted(found)


@pytest.mark.parametrize("order", ["sequential", "iteration"])
@pytest.mark.parametrize(("name", "array"), [("blur", "blurx"), ("sobel", "in"), ("half", "a")])
def test_every_read_finds_its_element_in_the_chain(name: str, array: str, order: str) -> None:
    program = example(name, f"order={order}", N=8)
    found = chain(program, array)
    written: list[tuple[int, ...]] = []
    seen: set[int] = set()
    reads_late = program.order is Order.ITERATION
    for _, late, element in happenings(program, array):
        if bool(late) == reads_late:
            seen.add(written[::-1].index(element))
        else:
            written.append(element)
    assert seen == set(found.distances)
