"""The folded memory played in numpy, compared with a dictionary played step by step."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.check.replayed.folded_memory import History, history_of, most_alive, play
from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses
from hlsmem.program.model import Order
from tests.check.brute import conflicts
from tests.check.subjects import blur
from tests.check.test_laws import programs
from tests.families import by_default
from tests.programs import make_program

PROGRAM = make_program(
    values={}, domains=["{ S[i] : 0 <= i < 1 }"], schedules=["{ S[i] -> [i,0] }"]
)


def history(
    events: list[tuple[int, bool, int, int]],
    *,
    live_in: list[int] | None = None,
    live_out: list[int] | None = None,
) -> History:
    """Events (time, write, element, value) of one-dimensional elements."""
    accesses = Accesses(
        instance=np.arange(len(events)),
        write=np.array([event[1] for event in events], dtype=bool),
        element=np.array([[event[2]] for event in events], dtype=np.int64).reshape(-1, 1),
        bits=np.array([event[3] for event in events], dtype=np.int64),
    )
    times = np.array([[event[0], 0] for event in events], dtype=np.int64).reshape(-1, 2)
    before, after = (
        np.array(live or [], dtype=np.int64).reshape(-1, 1) for live in (live_in, live_out)
    )
    return history_of(PROGRAM, accesses, times, live_in=before, live_out=after)


def outcome(found: History, cells: int, *, strict: bool = False) -> str:
    """Which event goes wrong when element x lies in cell x mod `cells`, and why."""
    address = np.mod(found.elements[:, 0], cells)
    mismatch = play(found, address, strict=strict)
    return "" if mismatch is None else f"{mismatch.read}: {mismatch.reason}"


WRITE, READ = True, False


def test_a_read_finds_what_the_last_write_left() -> None:
    found = history([(0, WRITE, 0, 7), (1, WRITE, 1, 8), (2, READ, 0, 7)])
    assert outcome(found, 2) == ""
    assert outcome(found, 1) == "2: but the cell holds"


def test_an_equal_value_of_another_element_is_no_excuse() -> None:
    found = history([(0, WRITE, 0, 7), (1, WRITE, 1, 7), (2, READ, 0, 7)])
    assert outcome(found, 1) == "2: but the cell holds"


def test_reads_come_before_writes_of_the_same_time_unless_strict() -> None:
    found = history([(0, WRITE, 0, 7), (1, READ, 0, 7), (1, WRITE, 1, 8), (2, READ, 1, 8)])
    assert outcome(found, 1) == ""
    assert outcome(found, 1, strict=True) == "1: while the cell is overwritten with"
    assert outcome(found, 2, strict=True) == ""


def test_an_element_may_overwrite_itself_even_when_strict() -> None:
    found = history([(0, WRITE, 0, 7), (1, READ, 0, 7), (1, WRITE, 0, 8), (2, READ, 0, 8)])
    assert outcome(found, 1, strict=True) == ""


def test_a_read_of_nothing_is_wrong_in_any_memory() -> None:
    assert outcome(history([(0, READ, 0, 7)]), 9) == (
        "0: but nothing provides it: no write, no live-in"
    )
    assert outcome(history([(0, READ, 0, 7)], live_in=[0]), 9) == ""
    assert outcome(history([], live_out=[3]), 9) == (
        "0: but nothing provides it: no write, no live-in"
    )


def test_a_schedule_that_changes_values_is_found() -> None:
    found = history([(5, WRITE, 0, 7), (3, READ, 0, 7), (1, WRITE, 0, 6)])
    assert outcome(found, 9) == "1: and the schedule gives it another value than the original:"


def test_live_in_elements_that_nobody_reads_are_not_filled() -> None:
    found = history([(0, WRITE, 0, 7), (1, READ, 0, 7)], live_in=[0, 1, 2])
    assert found.write.sum() == 1
    kept = history([(0, WRITE, 0, 7), (1, READ, 0, 7)], live_in=[1, 2], live_out=[2])
    assert found.elements.tolist() == [[0], [1], [2]]
    assert kept.instance.tolist() == [-1, 0, 1, -2]
    assert outcome(kept, 2) == "3: but the cell holds"


def test_what_is_live_out_is_there_at_the_end() -> None:
    found = history([(0, WRITE, 0, 7), (1, WRITE, 1, 8)], live_out=[0])
    assert outcome(found, 1) == "2: but the cell holds"
    assert most_alive(found, strict=False) == 2


def test_an_element_in_no_piece_is_wrong() -> None:
    found = history([(0, WRITE, 0, 7), (1, READ, 0, 7)])
    mismatch = play(found, np.array([-1]), strict=False)
    assert mismatch is not None
    assert mismatch.reason == "but it lies in no piece of the mapping"


def test_dropping_a_write_that_is_read_is_always_noticed() -> None:
    events = [(t, WRITE, t % 3, 10 + t) for t in range(6)]
    events += [(t, READ, t % 3, 10 + t - 3) for t in range(3, 6)]
    whole = sorted(events)
    assert outcome(history(whole), 3) == ""
    for dropped in [event for event in whole if event[1] and event[0] < 3]:
        assert outcome(history([event for event in whole if event != dropped]), 3) != ""


def test_most_alive_counts_strictly_where_asked() -> None:
    events = [(0, WRITE, 0, 1), (1, READ, 0, 1), (1, WRITE, 1, 2), (2, READ, 1, 2)]
    assert most_alive(history(events), strict=False) == 1
    assert most_alive(history(events), strict=True) == 2
    assert most_alive(history([]), strict=False) == 0


@settings(max_examples=by_default(12, 50), deadline=None, derandomize=True)
@given(
    rows=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=20),
)
def test_rows_get_equal_numbers_exactly_when_equal(rows: list[tuple[int, int]]) -> None:
    numbers, count = row_numbers(np.array(rows, dtype=np.int64).reshape(-1, 2))
    assert count == len(set(rows))
    assert set(numbers.tolist()) == set(range(count))
    for left, one in zip(rows, numbers, strict=True):
        for right, other in zip(rows, numbers, strict=True):
            assert (left == right) == (one == other)


def test_blur_keeps_its_bound() -> None:
    from hlsmem.check.replayed.replay_check import run_of

    for order, cells in ((Order.SEQUENTIAL, 13), (Order.ITERATION, 12)):
        program = blur(6, order)
        run, times = run_of(program, program.planned_arrays())
        none = np.zeros((0, 2), dtype=np.int64)
        found = history_of(program, run.accesses["b"], times, live_in=none, live_out=none)
        assert most_alive(found, strict=False) == cells


@settings(max_examples=6, deadline=None, derandomize=True)
@given(program=programs())
def test_no_more_is_alive_than_conflicts_allow(program: object) -> None:
    """Elements alive together conflict, so each of most_alive has as many neighbours."""
    from hlsmem.check.replayed.replay_check import live_elements, run_of
    from hlsmem.program.model import Program

    assert isinstance(program, Program)
    run, times = run_of(program, program.planned_arrays())
    array = program.arrays["A"]
    live_in, live_out = (
        live_elements(program, live, array) for live in (program.live_in, program.live_out)
    )
    found = history_of(program, run.accesses["A"], times, live_in=live_in, live_out=live_out)
    pairs = conflicts(program, "A")
    degree = max((sum(1 for pair in pairs if e in pair) for e in set().union(*pairs)), default=0)
    assert most_alive(found, strict=False) <= degree + 1
