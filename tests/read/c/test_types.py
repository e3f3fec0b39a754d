"""Types of C."""

from __future__ import annotations

from hlsmem.read.c.tree import BOOL, Float, Number
from hlsmem.read.c.types import ScalarType, stored_bytes

WIDTHS = {1: range(1, 9), 2: range(9, 17), 4: range(17, 33), 8: range(33, 65)}
SIZES: dict[ScalarType, int] = {
    Number(bits, signed): size
    for size, widths in WIDTHS.items()
    for bits in widths
    for signed in (False, True)
}
SIZES |= {BOOL: 1, Float(32): 4, Float(64): 8}


def test_widths_that_c_has_not_are_stored_in_the_next() -> None:
    """What is laid behind them stays aligned."""
    assert {one: stored_bytes(one) for one in SIZES} == SIZES
