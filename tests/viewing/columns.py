"""Columns of numbers from the runs that a page has of them."""

from __future__ import annotations


def expanded(runs: list[int]) -> list[int]:
    """The column of some runs: first value, difference and length of each."""
    found: list[int] = []
    for first, difference, length in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
        found += [first + difference * k for k in range(length)]
    return found
