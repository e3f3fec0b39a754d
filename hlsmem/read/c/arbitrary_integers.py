"""The integers of few bits of C++ as types of C: their names, and what stores them."""

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


def stored_bits(bits: int) -> int:
    """The bits of the least type of C that stores so many."""
    return next(width for width in (8, 16, 32, 64) if width >= bits)


def stored_type(name: str) -> str:
    """The type of C that stores one of C++.

    >>> stored_type("ap_int_12"), stored_type("ap_uint_33")
    ('short', 'unsigned long')
    """
    width = arbitrary(name)
    assert width is not None
    base = {8: "char", 16: "short", 32: "int", 64: "long"}[stored_bits(width.bits)]
    if width.signed:
        return "signed char" if base == "char" else base
    return f"unsigned {base}"
