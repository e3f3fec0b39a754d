from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.viewing.instance_columns import runs_of
from tests.viewing.columns import expanded


def greedy(column: list[int]) -> list[int]:
    """The definition: each run takes as much as it can; a run of one has difference 0."""
    found: list[int] = []
    start = 0
    while start < len(column):
        end = start + 1
        step = column[end] - column[start] if end < len(column) else 0
        while end < len(column) and column[end] - column[end - 1] == step:
            end += 1
        found += [column[start], step, end - start]
        start = end
    return found


@given(st.lists(st.integers(-2, 3), max_size=30))
def test_runs_are_greedy_and_give_the_column_back(column: list[int]) -> None:
    runs = runs_of(np.array(column, dtype=np.int64))
    assert runs == greedy(column)
    assert expanded(runs) == column


def test_the_steps_of_the_blur() -> None:
    steps = [*range(129), *range(130, 8064, 2)]
    assert runs_of(np.array(steps)) == [0, 1, 129, 130, 2, 3967]
