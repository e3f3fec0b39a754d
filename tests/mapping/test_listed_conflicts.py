"""Halves of symmetric sets, listed, and what ends a list early."""

from __future__ import annotations

import numpy as np
import pytest

from hlsmem.mapping import listed_conflicts as listing
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.polyhedra import Set


@pytest.mark.parametrize(
    "text",
    [
        "{ [0] }",
        "{ [x] : -9 <= x <= 9 and x mod 3 = 0 }",
        "{ [x, y] : -4 <= x <= 4 and -4 <= y <= 4; [x, y] : x = y and -9 <= x <= 9 }",
        "{ [x, y, z] : -2 <= x, y, z <= 2 and x + y >= -1 and x + y <= 1 }",
    ],
)
def test_one_of_each_pair_is_listed_once(text: str) -> None:
    value = Set(text)
    found: list[tuple[int, ...]] = []
    value.foreach_point(
        lambda point: found.append(
            tuple(
                point.get_coordinate_val(listing.DimType.set, axis).to_python()
                for axis in range(value.dim(listing.DimType.set))
            )
        )
    )
    positive = sorted(one for one in found if one > (0,) * len(one))
    half = half_differences(value, 10_000)
    assert half is not None
    assert [tuple(row) for row in half.tolist()] == positive
    if positive:
        assert half_differences(value, len(positive) - 1) is None


def test_too_many_end_the_list_before_all_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def pieces(_: object) -> object:
        for first in range(40):
            asked.append(first)
            yield np.array([[first, y] for y in range(100)])

    monkeypatch.setattr(listing, "point_chunks", pieces)
    value = Set("{ [x, y] : -40 < x < 40 and -100 < y < 100 }")
    assert half_differences(value, 2000) is None
    assert len(asked) < 30
