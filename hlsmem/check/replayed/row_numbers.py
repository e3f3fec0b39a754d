"""Numbers for the rows of an integer array, so that equal rows can be found fast."""

from __future__ import annotations

import numpy as np


def row_numbers(rows: np.ndarray) -> tuple[np.ndarray, int]:
    """A number from 0 for each row, equal exactly for equal rows, and how many there are.

    >>> row_numbers(np.array([[2, 5], [0, 0], [2, 5]]))
    (array([1, 0, 1]), 2)
    """
    if len(rows) == 0:
        return np.zeros(0, dtype=np.int64), 0
    key = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        # Renumbered after each column, keys stay below the number of rows squared.
        values, digit = np.unique(column, return_inverse=True)
        _, key = np.unique(key * len(values) + digit, return_inverse=True)
    return key.astype(np.int64), int(key.max()) + 1
