"""The score ranks shapes as they were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hlsmem.host_loops.cell_frame import CellFrame
from hlsmem.host_loops.loop_score import factor_of, gaps, score, shape_word, wrapping
from hlsmem.host_loops.pointer_loop import Reference, ShapedLoop, loop_shape
from tests.host_loops.test_pointer_loop import FRAMES, X, Y, frame, loop, plus

SIZES = [{"N": 256}, {"N": 4096}]
BODY = (Reference("A", (Y, X)), Reference("A", (plus(Y, -2), X)))
ROWS = frame([("1", "0"), ("0", "1")], ["3", "N"])


def walked(conditional: bool = False) -> list[ShapedLoop]:
    body = tuple(Reference(one.array, one.subscripts, conditional) for one in BODY)
    return [ShapedLoop((), loop(), body, loop_shape(loop(), body, {"A": ROWS}))]


def test_rows_are_faster_than_segments_and_those_than_remainders() -> None:
    ring, skewed = FRAMES["ring"], frame([("1", "-2")], ["2*N"])
    figures = [score(one, walked(), SIZES) for one in (ROWS, ring, skewed)]
    assert len(SIZES) < figures[0] < figures[1] < figures[2] == pytest.approx(12 * figures[0])
    words = [shape_word(one, walked()) for one in (ROWS, ring, skewed)]
    assert words == ["rows", "segments", "remainders"]
    assert [wrapping(one, walked()) for one in (ROWS, ring, skewed)] == [0, 2, 2]


def test_a_ring_under_a_condition_keeps_its_remainder() -> None:
    assert shape_word(FRAMES["ring"], walked(conditional=True)) == "remainders"


def test_an_iteration_of_a_whole_row_counts_one() -> None:
    assert score(ROWS, walked(), [{"N": 100}]) == pytest.approx(factor_of(100))


@pytest.mark.parametrize("size", [4, 16, 64, 4096])
def test_a_remainder_is_never_faster(size: int) -> None:
    apart = frame([("1", "0"), ("0", "4")], ["3", "4*N"])  # a stride of 4, no wrap in the loop
    skewed = frame([("1", "-2")], ["2*N"])
    sizes = [{"N": size}]
    assert score(apart, walked(), sizes) < score(skewed, walked(), sizes)


def stored(first: Reference, second: Reference) -> list[ShapedLoop]:
    """Loops that read the first and store the second."""
    body = (first, Reference(second.array, second.subscripts, stores=True))
    around = (replace(loop(first=2), iterator="y"),)
    return [ShapedLoop(around, loop(), body, loop_shape(loop(), body, {"A": ROWS}))]


def are_close(rows: CellFrame, loops: Sequence[ShapedLoop], size: int, cell_bytes: int) -> bool:
    return any(gap.is_close(cell_bytes) for gap in gaps(rows, loops, [{"N": size}]))


@pytest.mark.parametrize(
    ("columns", "size", "found"),
    [
        ("N", 4096, False),
        ("N + 1022", 4096, True),
        ("N + 3", 4096, True),
        ("N + 1022", 4000, False),
    ],
)
def test_rows_just_beside_a_multiple_of_a_page_hold_reads_up(
    columns: str, size: int, found: bool
) -> None:
    rows = frame([("1", "0"), ("0", "1")], ["2", columns])
    assert are_close(rows, stored(*BODY), size, 4) is False  # y and y - 2 have one row
    near = stored(BODY[0], Reference("A", (plus(Y, -1), X)))
    assert are_close(rows, near, size, 4) is found
    assert are_close(rows, near, size, 0) is False
    figures = [score(rows, near, [{"N": size}], bytes_) for bytes_ in (0, 4)]
    assert figures[1] / figures[0] == pytest.approx(1.3 if found else 1.0)


def test_loops_that_store_nothing_wait_for_nothing() -> None:
    rows = frame([("1", "0"), ("0", "1")], ["2", "N - 2"])
    assert not are_close(rows, walked(), 4096, 4)


@pytest.mark.parametrize(
    ("columns", "found"), [("N", False), ("N + 4", True), ("N + 15", True), ("N + 16", False)]
)
def test_reads_less_than_a_line_beside_a_page_share_ways_of_the_cache(
    columns: str, found: bool
) -> None:
    rows = frame([("1", "0"), ("0", "1")], ["2", columns])
    body = (Reference("A", (Y, X)), Reference("A", (plus(Y, -1), X)))
    read = [
        ShapedLoop(
            (replace(loop(first=2), iterator="y"),),
            loop(),
            body,
            loop_shape(loop(), body, {"A": ROWS}),
        )
    ]
    assert are_close(rows, read, 4096, 4) is found
    figures = [score(rows, read, [{"N": 4096}], bytes_) for bytes_ in (0, 4)]
    assert figures[1] / figures[0] == pytest.approx(1.1 if found else 1.0)


@pytest.mark.parametrize("segment", [1, 2, 16, 40, 64, 100, 130, 500, 1024, 10**6])
def test_longer_segments_are_never_slower(segment: float) -> None:
    assert factor_of(segment) >= factor_of(segment * 1.5) >= 1.0
