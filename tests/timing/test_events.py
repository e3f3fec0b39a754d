"""Event times of both orders, and the rule that reads come before writes."""

import pytest

from hlsmem.polyhedra import UnionMap
from hlsmem.program.model import Order, Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, events
from tests.programs import make_program


def _program(order: Order) -> Program:
    return make_program(
        values={"N": 8},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [0, i, 5] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
        order=order,
        step_dimensions=2,
    )


def _at(times: UnionMap, instance: str) -> str:
    here = times.intersect_domain(UnionMap(f"{{ {instance} -> [] }}").domain())
    return str(here.range().project_out_all_params().coalesce())


@pytest.mark.parametrize(
    ("order", "read", "write", "end"),
    [
        (Order.SEQUENTIAL, "0, 0, 3, 5, 0", "0, 0, 3, 5, 1", "0, 0, 3, 5, 2"),
        (Order.ITERATION, "0, 0, 3, 0, 0", "0, 0, 3, 1, 5", "0, 0, 3, 2, 0"),
    ],
)
def test_an_instance_reads_then_writes_and_strictly_ends_last(order, read, write, end) -> None:
    program = _program(order)
    assert _at(events(program).reads, "S[3]") == f"{{ [{read}] }}"
    assert _at(events(program).writes, "S[3]") == f"{{ [{write}] }}"
    assert _at(events(program).ends, "S[3]") == f"{{ [{read}] }}"
    assert _at(events(program, strict=True).ends, "S[3]") == f"{{ [{end}] }}"


def test_what_is_live_around_the_program_is_written_before_and_read_after_all() -> None:
    times = events(_program(Order.SEQUENTIAL))
    assert _at(times.writes, f"{LIVE_IN}[]") == "{ [-1, 0, 0, 0, 0] }"
    assert _at(times.reads, f"{LIVE_OUT}[]") == "{ [1, 0, 0, 0, 0] }"
