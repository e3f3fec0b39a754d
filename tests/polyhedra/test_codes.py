"""Codes of rows keep their order, and give the rows back."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.polyhedra.codes import code_of_rows, code_within
from hlsmem.polyhedra.enumeration import distinct_rows

ROWS = st.integers(0, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-(10**6), 10**6), min_size=width, max_size=width),
        min_size=1,
        max_size=30,
    )
)


@given(ROWS)
def test_codes_keep_the_order_and_give_the_rows_back(listed: list[list[int]]) -> None:
    rows = np.array(listed, dtype=np.int64)
    code = code_of_rows([rows])
    if code is None:  # four entries of two millions each
        return
    keys = code.of_rows(rows)
    assert [listed[k] for k in np.argsort(keys, kind="stable")] == sorted(listed)
    assert code.decode(keys).tolist() == listed


def test_a_box_beyond_64_bits_has_none() -> None:
    assert code_within([0, 0], [2**31, 2**31]) is None


@given(ROWS, st.sampled_from([1, 2**40]))
def test_distinct_rows_are_those_of_a_set(listed: list[list[int]], scale: int) -> None:
    rows = np.array(listed, dtype=np.int64) * scale
    assert distinct_rows(rows).tolist() == [list(row) for row in sorted(set(map(tuple, rows)))]


def test_the_one_row_of_no_columns_has_a_code() -> None:
    code = code_within([], [])
    assert code is not None
    assert code.encode([]).tolist() == [0]
