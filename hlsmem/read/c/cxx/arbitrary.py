"""The integers of ap_int.h: their types in C, and how wide what operators make of them is.

`a + b` of ap_int<8> is nine bits wide, a product sixteen; what is assigned is cut to its variable.
Source: AMD UG1399, Vitis High-Level Synthesis, "C++ arbitrary precision integer types".
"""

from __future__ import annotations

import re

from hlsmem.core.lazy_dataclass import dataclass

WIDEST = 64


@dataclass(frozen=True, slots=True)
class Width:
    """So many bits, with a sign or without; `arbitrary` if the type is one of ap_int.h."""

    bits: int
    signed: bool
    arbitrary: bool = True

    def holds(self, other: Width) -> bool:
        """True if every value of the other type is one of this.

        >>> Width(9, True).holds(Width(8, False)), Width(8, True).holds(Width(8, False))
        (True, False)
        """
        if self.signed:
            return other.bits + (not other.signed) <= self.bits
        return not other.signed and other.bits <= self.bits


def arbitrary_name(bits: int, *, signed: bool) -> str:
    """The name of a type in C."""
    return f"ap_{'' if signed else 'u'}int_{bits}"


def arbitrary(name: str) -> Width | None:
    """The type of that name; None where it is none of ap_int.h.

    >>> arbitrary("ap_uint_12")
    Width(bits=12, signed=False, arbitrary=True)
    """
    found = re.fullmatch(r"ap_(u?)int_([1-9]\d?)", name)
    return None if found is None else Width(int(found[2]), not found[1])


def stored_bits(bits: int) -> int:
    """The bits of the least type of C that stores so many."""
    return next(width for width in (8, 16, 32, 64) if width >= bits)


def stored_type(name: str) -> str:
    """The type of C that stores one of ap_int.h.

    >>> stored_type("ap_int_12"), stored_type("ap_uint_33")
    ('short', 'unsigned long')
    """
    width = arbitrary(name)
    assert width is not None
    base = {8: "char", 16: "short", 32: "int", 64: "long"}[stored_bits(width.bits)]
    if width.signed:
        return "signed char" if base == "char" else base
    return f"unsigned {base}"


def result(operator: str, left: Width, right: Width) -> Width:
    """The type of an expression of two integers, one of them arbitrary.

    >>> result("+", Width(8, True), Width(8, True)).bits
    9
    >>> result("*", Width(8, False), Width(8, True))
    Width(bits=16, signed=True, arbitrary=True)
    """
    either = left.signed or right.signed
    wide = max(
        left.bits + (right.signed and not left.signed),
        right.bits + (left.signed and not right.signed),
    )
    match operator:
        case "+":
            return Width(wide + 1, either)
        case "-":
            return Width(wide + 1, True)
        case "*":
            return Width(left.bits + right.bits, either)
        case "/":
            return Width(left.bits + right.signed, either)
        case "%":
            bits = min(left.bits, right.bits + (left.signed and not right.signed))
            return Width(bits, left.signed)
        case "&" | "|" | "^":
            return Width(wide, either)
        case "<<" | ">>":
            return left
    raise ValueError(operator)
