"""Arrival and departure of streams."""

from dataclasses import replace

import pytest

from hlsmem.core.errors import InputError
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Map, UnionSet
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Copy, Order, Program, Storage
from hlsmem.timing.arrival import with_streams
from tests.programs import make_program


def _window(order: Order = Order.SEQUENTIAL, size: int = 64) -> Program:
    """A 3x3 window over a streamed image, as C schedules it."""
    return make_program(
        values={"N": size},
        context="[N] -> { : N >= 3 }",
        domains=["[N] -> { S[y, x] : 1 <= y, x < N - 1 }"],
        schedules=["[N] -> { S[y, x] -> [0, y, 0, x, 0] }"],
        reads=[
            f"[N] -> {{ S[y, x] -> A[y + {dy}, x + {dx}] }}"
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
        ],
        writes=["[N] -> { S[y, x] -> o[y, x] }"],
        live_in=["[N] -> { A[y, x] : 0 <= y, x < N }"],
        live_out=["[N] -> { o[y, x] : 1 <= y, x < N - 1 }"],
        planned=(),
        streamed=("A", "o"),
        order=order,
        step_dimensions=4,
    )


def _vector(
    time: str, *, reads: list[str], size: int = 16, live: str = "0 <= x < N", **more
) -> Program:
    """One statement S[i] over 0 <= i < N - 1 at [i] or similar, reading a stream A."""
    return make_program(
        values={"N": size},
        context="[N] -> { : N >= 4 }",
        domains=["[N] -> { S[i] : 0 <= i < N - 1 }"],
        schedules=[f"[N] -> {{ S[i] -> {time} }}"],
        reads=[f"[N] -> {{ S[i] -> A[{index}] }}" for index in reads],
        writes=["[N] -> { S[i] -> o[i] }"],
        live_in=[f"[N] -> {{ A[x] : {live} }}"],
        live_out=["[N] -> { o[i] : 0 <= i < N - 1 }"],
        planned=(),
        streamed=("A",),
        step_dimensions=1,
        **more,
    )


def _times(program: Program, name: str) -> Map:
    return next(s.schedule for s in program.statements if s.name == name)


def _is(found: Map, text: str) -> bool:
    wanted = Map(text)
    return found.is_equal(wanted.intersect_domain(found.domain()))


@pytest.mark.parametrize(("order", "cells"), [(Order.SEQUENTIAL, 131), (Order.ITERATION, 130)])
def test_a_window_keeps_two_rows_and_three_pixels(order: Order, cells: int) -> None:
    program = with_streams(_window(order))
    bounds = {p.array.name: p.bounds[0] for p in storage_problems(program)}
    assert bounds["A"].cells == cells
    assert bounds["A"].expr == ("2*N + 3" if order is Order.SEQUENTIAL else "2*N + 2")
    assert bounds["o"].cells == 1


def test_pixels_arrive_one_row_and_one_column_ahead_just_before_the_readers() -> None:
    program = with_streams(_window())
    assert [s.name for s in program.statements] == ["A_in", "S", "o_out"]
    assert _is(_times(program, "A_in"), "[N] -> { A_in[y, x] -> [0, y - 1, 0, x - 1, -1] }")
    assert _is(_times(program, "o_out"), "[N] -> { o_out[y, x] -> [0, y, 0, x, 1] }")
    assert (program.time_dimensions, program.step_dimensions) == (5, 4)


def test_arrivals_and_departures_are_ordinary_copies() -> None:
    program = with_streams(_window())
    arrival, _, departure = program.statements
    assert (arrival.process, arrival.reads, arrival.body) == ("A_in", (), Copy())
    assert (departure.process, departure.writes, departure.body) == ("o_out", (), Copy())
    assert _is(arrival.writes[0].relation, "[N] -> { A_in[y, x] -> A[y, x] }")
    assert _is(departure.reads[0].relation, "[N] -> { o_out[y, x] -> o[y, x] }")
    assert program.live_in.is_empty()
    assert program.live_out.is_empty()


@pytest.mark.parametrize(("live", "last"), [("0 <= x < N", 16), ("0 <= x < N + 3", 19)])
def test_all_that_is_live_in_arrives_also_what_nobody_reads(live: str, last: int) -> None:
    program = with_streams(_vector("[0, i, 0]", reads=["i", "i + 1"], live=live))
    arrived = points(fix_parameters(program.statements[0].domain, {"N": 16}))
    assert arrived[:, 0].tolist() == list(range(last))
    assert _is(_times(program, "A_in"), "[N] -> { A_in[x] -> [0, x - 1, -1] }")


def test_a_schedule_without_slots_gets_one_more_entry() -> None:
    program = with_streams(_vector("[i]", reads=["i", "i + 1"]))
    assert _is(_times(program, "A_in"), "[N] -> { A_in[x] -> [x - 1, -1] }")
    assert _is(_times(program, "S"), "[N] -> { S[i] -> [i, 0] }")
    assert (program.time_dimensions, program.step_dimensions) == (2, 1)
    assert storage_problems(program)[0].bounds[0].cells == 2


def test_subsampled_reads_arrive_as_late_as_row_major_order_allows() -> None:
    program = with_streams(_vector("[0, i, 0]", reads=["2i", "2i + 1"], live="0 <= x < 2N - 2"))
    (problem,) = storage_problems(program)
    assert problem.bounds[0].cells == 2


def test_elements_read_backwards_all_arrive_before_the_first_read() -> None:
    program = with_streams(_vector("[0, i, 0]", reads=["N - 2 - i"]))
    (problem,) = storage_problems(program)
    assert (problem.bounds[0].cells, problem.bounds[0].expr) == (15, "N - 1")


def test_an_array_with_fewer_indices_than_loops_arrives_with_the_loop_that_reads_it_first() -> None:
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 2 }",
        domains=["[N] -> { S[i, j] : 0 <= i, j < N }"],
        schedules=["[N] -> { S[i, j] -> [0, i, 0, j, 0] }"],
        reads=["[N] -> { S[i, j] -> A[j] }", "[N] -> { S[i, j] -> b[i] }"],
        writes=["[N] -> { S[i, j] -> o[i, j] }"],
        live_in=["[N] -> { A[j] : 0 <= j < N }", "[N] -> { b[j] : 0 <= j < N }"],
        planned=(),
        streamed=("A", "b"),
    )
    longer = with_streams(program)
    assert _is(_times(longer, "A_in"), "[N] -> { A_in[x] -> [0, 0, 0, x, -1] }")
    assert _is(_times(longer, "b_in"), "[N] -> { b_in[x] -> [0, x, 0, 0, -1] }")
    assert {p.array.name: p.bounds[0].cells for p in storage_problems(longer)} == {"A": 8, "b": 1}


def test_elements_that_only_pass_through_arrive_and_depart_too() -> None:
    program = _vector("[0, i, 0]", reads=["i"], live="0 <= x < N + 2")
    program = _with_live_out(program, "[N] -> { A[x] : 0 <= x < N + 2 }")
    longer = with_streams(program)
    for name in ("A_in", "A_out"):
        passed = points(fix_parameters(_times(longer, name).domain(), {"N": 16}))
        assert passed[:, 0].tolist() == list(range(18))
    # Row-major order on the way in and out.
    for name in ("A_in", "A_out"):
        rows = points(fix_parameters(_times(longer, name), {"N": 16})).tolist()
        assert [row[1:] for row in sorted(rows)] == sorted(row[1:] for row in rows)


def _with_live_out(program: Program, text: str) -> Program:
    return replace(program, live_out=UnionSet(text))


def _with_arrival(program: Program, text: str) -> Program:
    array = replace(program.arrays["A"], arrival=Map(text))
    return replace(program, arrays={**program.arrays, "A": array})


def test_a_given_arrival_is_taken_as_it_is() -> None:
    program = _with_arrival(_vector("[0, i, 0]", reads=["i"]), "[N] -> { A[x] -> [0, x - 3, 7] }")
    longer = with_streams(program)
    assert _is(_times(longer, "A_in"), "[N] -> { A_in[x] -> [0, x - 3, 7] }")
    assert storage_problems(longer)[0].bounds[0].cells == 3


def test_a_given_arrival_after_a_read_is_refused_with_the_element_and_the_times() -> None:
    program = _with_arrival(
        _vector("[0, i, 0]", reads=["i", "i + 1"]), "[N] -> { A[x] -> [0, x, -1] }"
    )
    with pytest.raises(InputError) as error:
        with_streams(program)
    assert str(error.value) == (
        "the arrival of A[1] at [0, 1, -1] is not before [0, 0, 0], when it is read; "
        "shift the arrival"
    )


def test_a_statement_with_the_name_of_an_arrival_is_refused() -> None:
    program = _vector("[0, i, 0]", reads=["i"])
    renamed = make_program(
        values={"N": 4},
        domains=["[N] -> { A_in[i] : 0 <= i < N }"],
        schedules=["[N] -> { A_in[i] -> [i, 0] }"],
        reads=["[N] -> { A_in[i] -> A[i] }"],
        live_in=["[N] -> { A[i] : 0 <= i < N }"],
        planned=(),
        streamed=("A",),
    )
    assert with_streams(program).arrays["A"].storage is Storage.STREAM
    with pytest.raises(InputError, match="a statement is called 'A_in'"):
        with_streams(renamed)


def _counted(read: str, write: str) -> Program:
    """Rows of eight that a C++ stream brings one by one, and another takes."""
    return make_program(
        values={"N": 6},
        context="[N] -> { : N >= 3 }",
        domains=["[N] -> { S[y, x] : 0 <= y < N and 0 <= x < 8 }"],
        schedules=["[N] -> { S[y, x] -> [0, y, 0, x, 0] }"],
        reads=[f"[N] -> {{ S[y, x] -> A[{read}] }}"],
        writes=[f"[N] -> {{ S[y, x] -> o[{write}] }}"],
        live_in=["[N] -> { A[k] : 0 <= k < 8N }"],
        live_out=["[N] -> { o[k] : 0 <= k < 8N }"],
        planned=(),
        streamed=("A", "o"),
        step_dimensions=4,
    )


@pytest.mark.parametrize(
    ("read", "write", "cells"),
    [
        ("8y + x", "8y + x", {"A": 1, "o": 1}),
        # Backwards, all stays until the end; in each row backwards, a row does.
        ("8y + x", "8N - 1 - 8y - x", {"A": 1, "o": 48}),
        ("8y + 7 - x", "8y + x", {"A": 8, "o": 1}),
    ],
)
def test_what_two_loops_count_passes_as_it_is_needed(
    read: str, write: str, cells: dict[str, int]
) -> None:
    """Aligned with one loop, all rows but the last would be waiting."""
    program = with_streams(_counted(read, write))
    found = {
        one.array.name: max(bound.cells for bound in one.bounds)
        for one in storage_problems(program)
    }
    assert found == cells
    if cells == {"A": 1, "o": 1}:
        wanted = Map("[N] -> { A_in[k] -> [0, floor(k/8), 0, k mod 8, -1] }")
        own = _times(program, "A_in")
        assert own.is_equal(wanted.intersect_domain(own.domain()))
