"""Columns of integers as arithmetic runs: [first, difference, length, first, difference, ..]."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def runs_of(column: np.ndarray) -> list[int]:
    """The runs of a column, greedy from the left; a run of one has difference 0.

    >>> import numpy as np
    >>> runs_of(np.array([0, 130, 132, 134, 7]))
    [0, 130, 2, 132, 2, 2, 7, 0, 1]
    """
    import numpy as np

    count = len(column)
    if not count:
        return []
    steps = np.diff(column)
    # Stretches of equal differences: a run takes one, and the difference behind it is lost.
    ends = np.append(np.flatnonzero(np.diff(steps)) + 1, len(steps)).tolist()
    found: list[int] = []
    start, stretch = 0, 0
    while start < count:
        while stretch < len(ends) and ends[stretch] <= start:
            stretch += 1
        if start == count - 1:
            found += [int(column[start]), 0, 1]
            break
        last = ends[stretch]
        found += [int(column[start]), int(steps[start]), last - start + 1]
        start = last + 1
    return found


def expanded(runs: list[int]) -> list[int]:
    """The column of some runs.

    >>> expanded([0, 130, 2, 132, 2, 2, 7, 0, 1])
    [0, 130, 132, 134, 7]
    """
    found: list[int] = []
    for first, difference, length in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
        found += [first + difference * k for k in range(length)]
    return found
