"""The score ranks shapes as they were measured."""

from __future__ import annotations

import pytest

from hlsmem.shape.loop import Reference, ShapedLoop, loop_shape
from hlsmem.shape.score import factor_of, score, shape_word, wrapping
from tests.shape.test_loop import FRAMES, X, Y, frame, loop, plus

SIZES = [{"N": 256}, {"N": 4096}]
BODY = (Reference("A", (Y, X)), Reference("A", (plus(Y, -2), X)))
ROWS = frame([("1", "0"), ("0", "1")], ["3", "N"])


def walked(conditional: bool = False) -> list[ShapedLoop]:
    body = tuple(Reference(one.array, one.subscripts, conditional) for one in BODY)
    return [ShapedLoop((), loop(), body, loop_shape(loop(), body, {"A": ROWS}))]


def test_rows_are_faster_than_segments_and_those_than_remainders() -> None:
    ring, skewed = FRAMES["ring"], frame([("1", "-2")], ["2*N"])
    figures = [score(one, walked(), SIZES) for one in (ROWS, ring, skewed)]
    assert 256 + 4096 < figures[0] < figures[1] < figures[2] == 12 * (256 + 4096)
    words = [shape_word(one, walked()) for one in (ROWS, ring, skewed)]
    assert words == ["rows", "segments", "remainders"]
    assert [wrapping(one, walked()) for one in (ROWS, ring, skewed)] == [0, 2, 2]


def test_a_ring_under_a_condition_keeps_its_remainder() -> None:
    assert shape_word(FRAMES["ring"], walked(conditional=True)) == "remainders"


def test_an_iteration_of_a_whole_row_counts_one() -> None:
    assert score(ROWS, walked(), [{"N": 100}]) == pytest.approx(100 * factor_of(100))


@pytest.mark.parametrize("segment", [1, 2, 16, 40, 64, 100, 130, 500, 1024, 10**6])
def test_longer_segments_are_never_slower(segment: float) -> None:
    assert factor_of(segment) >= factor_of(segment * 1.5) >= 1.0
