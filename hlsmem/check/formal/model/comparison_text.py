"""Verilog texts of comparisons."""

from __future__ import annotations

from collections.abc import Sequence


def before(left: Sequence[str], right: Sequence[str]) -> str:
    """Whether `left` is lexicographically before `right`."""
    if not left:
        return "1'b0"
    rest = before(left[1:], right[1:])
    return f"({left[0]} < {right[0]} || ({left[0]} == {right[0]} && {rest}))"


def at_most(left: Sequence[str], right: Sequence[str]) -> str:
    return f"!{before(right, left)}"
