"""Runs hold the points they were made of, each once, sorted by levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings

from hlsmem.mapping.search.difference_runs import Levels, levels_of
from tests.families import by_default
from tests.mapping.search.test_least import half_sets


def listed(levels: Levels) -> list[tuple[int, ...]]:
    found = [(int(x), *(0,) * len(levels.above)) for x in levels.first]
    for number, level in enumerate(levels.above):
        zeros = (0,) * (len(levels.above) - number - 1)
        for height, runs in level.slices.items():
            assert 0 < height <= level.height
            for others, low, length in zip(runs.others, runs.low, runs.length, strict=True):
                rest = (*map(int, others), height, *zeros)
                found += [(int(low) + k, *rest) for k in range(int(length))]
    return found


@given(points=half_sets())
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_every_point_or_its_negative_is_in_one_run(points: np.ndarray) -> None:
    found = listed(levels_of(points))
    given_points = {tuple(row) for row in points.tolist()}
    mirrored = {tuple(-entry for entry in point) for point in given_points}
    assert len(found) == len(set(found)) == len(given_points)
    assert all(point in given_points or point in mirrored for point in found)


def test_neighbours_along_the_first_axis_make_one_run() -> None:
    levels = levels_of(np.array([[2, 0], [-1, 1], [0, 1], [2, 1], [3, -2]]))
    assert levels.first.tolist() == [2]
    (level,) = levels.above
    assert level.height == 2
    assert level.slices[1].low.tolist() == [-1, 2]
    assert level.slices[1].length.tolist() == [2, 1]
    assert level.slices[2].low.tolist() == [-3]


@given(points=half_sets())
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_multiples_are_found_by_the_table_and_without_it(points: np.ndarray) -> None:
    levels = levels_of(points)
    without = replace(levels, marked=levels.marked[:0])
    for pivot in range(1, 40):
        multiple = any(int(x) % pivot == 0 for x in levels.first)
        assert levels.has_multiple(pivot) == without.has_multiple(pivot) == multiple
