"""The names that integers of few bits of C++ have as types of C."""

from __future__ import annotations

import re

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Width:
    """So many bits, with a sign or without."""

    bits: int
    signed: bool


def arbitrary(name: str) -> Width | None:
    """The type of that name; None where it is none of C++.

    >>> arbitrary("ap_uint_12")
    Width(bits=12, signed=False)
    """
    found = re.fullmatch(r"ap_(u?)int_([1-9]\d?)", name)
    return None if found is None else Width(int(found[2]), not found[1])
