"""Widths of what operators of ap_int make: AMD UG1399, "C++ arbitrary precision integer types"."""

from __future__ import annotations

from dataclasses import dataclass


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
