"""Types of C."""

from __future__ import annotations

from hlsmem.read.c.types import BOOL, FloatType, IntegerType, element_type, stored_bytes


def test_types_are_stored_as_the_elements_of_arrays_are() -> None:
    """Also of widths that C has not: what is laid behind them stays aligned."""
    scalars = [IntegerType(bits, signed) for bits in range(1, 65) for signed in (False, True)]
    for one in (*scalars, FloatType(32), FloatType(64), BOOL):
        assert stored_bytes(one) == element_type(one).cell_bytes
