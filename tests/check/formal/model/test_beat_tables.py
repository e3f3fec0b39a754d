"""Places of a walk: beats are those of the program, whatever is told of the others."""

from __future__ import annotations

import numpy as np
import pytest

from hlsmem.check.formal.model.beat_tables import places_of
from hlsmem.check.formal.model.ghost import NoGhost, make_ghost
from hlsmem.check.formal.model.ghost_forms import Forms
from hlsmem.check.formal.model.point_conditions import exact_region, region


def test_places_stand_between_beats_in_the_order_of_their_loops() -> None:
    beats = np.array([[1, 0], [1, 2], [3, 0]])
    found = places_of(beats, ["{ [2, 2] }", "{ [y, 1] : y = 1 }"], 2)
    assert found.points.tolist() == [[1, 0], [1, 1], [1, 2], [2, 2], [3, 0]]
    assert found.points[found.is_beat].tolist() == beats.tolist()
    assert places_of(beats, [], 0).all_beats


def test_a_place_that_is_a_beat_has_no_ghost() -> None:
    beats = np.array([[1, 0], [1, 2]])
    with pytest.raises(NoGhost, match="two beats have the same coordinates"):
        make_ghost("g0", places_of(beats, ["{ [1, 2] }"], 1).points)


def test_beats_out_of_order_are_refused() -> None:
    with pytest.raises(NoGhost, match="not in the order of their coordinates"):
        places_of(np.array([[1, 2], [1, 0]]), ["{ [1, 1] }"], 1)


def test_sets_of_other_places_than_are_counted_are_refused() -> None:
    with pytest.raises(NoGhost, match="other places without a beat than are told"):
        places_of(np.array([[1, 0], [1, 2]]), ["{ [1, 1] }"], 2)


def test_a_checkerboard_is_one_region() -> None:
    """Neither coordinate has a stride, their sum has."""
    points = np.array([[y, x] for y in range(12) for x in range(12) if (y + x) % 2 == 0])
    domain = exact_region(Forms(points))
    assert domain is not None
    (ranges,) = domain
    assert {one.stride for one in ranges if one.form.factors in ((1, 1), (1, -1))} == {2}
    everything = Forms(np.array([[y, x] for y in range(12) for x in range(12)]))
    chosen = everything.points.sum(axis=1) % 2 == 0
    (found,) = region(everything, chosen) or ()
    assert [one.stride for one in found] == [2]
