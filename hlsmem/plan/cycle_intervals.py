"""Cycles per step as plan.json has them: an integer, or a fraction as text; no floats."""

from __future__ import annotations

from fractions import Fraction


def interval_of(value: float | None) -> int | str | None:
    """
    >>> interval_of(1.0), interval_of(3.07), interval_of(None)
    (1, '307/100', None)
    """
    if value is None:
        return None
    exact = Fraction(str(value))
    return exact.numerator if exact.denominator == 1 else str(exact)


def interval_value(written: int | str | None) -> float | None:
    """The number again.

    >>> interval_value("307/100")
    3.07
    """
    if written is None:
        return None
    return float(Fraction(written))
