"""Outcomes of a proof, and the limits of its work."""

from __future__ import annotations

from typing import Any

# What anybody's file may have.
MOST_BYTES, DEEPEST, DIGITS, MOST_TEXT = 16 << 20, 24, 18, 64 << 10


MOST_FORMULA, LARGEST_EXPONENT, MOST_TERMS = 4096, 8, 400


MOST_TIME, MOST_INDEX = 32, 8


# Work: multiples of a modulus, points that are listed, lattices, regions of a count, rays and
# sides of a cone, rounds of squaring; writes that are swept, pairs of elements of a play, and
# residue classes.
MOST_MULTIPLES, MOST_SMALL, MOST_POINTS, MOST_LATTICES, MOST_REGIONS = 8, 4, 1 << 20, 400_000, 600


MOST_RAYS, MOST_SIDES, MOST_SQUARES, MOST_VALUES = 64, 400, 16, 8


MOST_SWEPT, MOST_PAIRS = 1 << 18, 4 << 20


MOST_CLASSES = 256


MOST_PIECES = 64  # of a relation between times


MOST_FILES = 4096  # of Verilog, and headers


class Refused(Exception):
    """Not a plan: what is wrong with the file (exit 2), and what to do."""

    def __init__(self, what: str, remedy: str = "run `hlsmem plan` again") -> None:
        super().__init__(what)
        self.remedy = remedy


class False_(Exception):
    """A claim that does not hold, with the reason."""


class Unknown(Exception):
    """A claim that no lemma here proves, with the reason."""


def must_be(what: str, stated: Any, found: Any) -> None:
    if stated != found:
        raise False_(f"{what} is {str(stated)[:60]}, not {str(found)[:60]}")
