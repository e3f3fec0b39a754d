"""Numbers of C++ by their definition: integers and fractions of Python, cut as their types say."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from math import floor

ROUNDINGS = ("TRN", "TRN_ZERO", "RND", "RND_ZERO", "RND_MIN_INF", "RND_INF", "RND_CONV")
OVERFLOWS = ("WRAP", "SAT", "SAT_ZERO", "SAT_SYM")


@dataclass(frozen=True)
class Kind:
    """A type of numbers: `places` after the binary point, None for an integer class."""

    bits: int
    signed: bool
    places: int | None = None
    rounding: str = "TRN"
    overflow: str = "WRAP"
    algorithmic: bool = False

    @property
    def point(self) -> int:
        return self.places or 0

    @property
    def least(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def greatest(self) -> int:
        return (1 << self.bits - self.signed) - 1

    @property
    def text(self) -> str:
        """The type in C++."""
        sign = str(self.signed).lower()
        if self.places is None:
            name = f"ac_int<{self.bits}, {sign}>"
            return name if self.algorithmic else f"ap_{'' if self.signed else 'u'}int<{self.bits}>"
        whole = self.bits - self.places
        if self.algorithmic:
            modes = f"AC_{self.rounding}, AC_{self.overflow}"
            return f"ac_fixed<{self.bits}, {whole}, {sign}, {modes}>"
        modes = f"AP_{self.rounding}, AP_{self.overflow}"
        return f"ap_{'' if self.signed else 'u'}fixed<{self.bits}, {whole}, {modes}>"

    def cut(self, stored: int) -> int:
        """The last bits of an integer."""
        stored &= (1 << self.bits) - 1
        return stored - (1 << self.bits) if stored > self.greatest else stored

    def stored(self, value: Fraction | int) -> int:
        """The integer that stores a value after rounding and overflow."""
        scaled = Fraction(value) * Fraction(2) ** self.point
        of_amd = self.places is None and not self.algorithmic
        rounding = "TRN_ZERO" if of_amd else self.rounding
        whole = rounded(scaled, rounding)
        symmetric = self.overflow == "SAT_SYM" and self.signed
        least = -self.greatest if symmetric else self.least
        if self.overflow == "WRAP" or least <= whole <= self.greatest:
            return self.cut(whole)
        if self.overflow == "SAT_ZERO":
            return 0
        return least if whole < 0 else self.greatest

    def value(self, stored: int) -> Fraction:
        return Fraction(stored) / Fraction(2) ** self.point

    def number(self, value: Fraction | int) -> Number:
        return Number(self, self.stored(value))


@dataclass(frozen=True)
class Number:
    """A number as it is stored."""

    kind: Kind
    stored: int

    @property
    def value(self) -> Fraction:
        return self.kind.value(self.stored)

    @property
    def unsigned(self) -> int:
        """The bits as an integer that is not negative."""
        return self.stored & (1 << self.kind.bits) - 1

    def line(self, name: str) -> str:
        """The line that the program prints."""
        digits = (self.kind.bits + 3) // 4
        shown = f"{self.unsigned:0{digits}x}"
        return f"{name} {self.kind.bits} {self.kind.point} {int(self.kind.signed)} {shown}"


def rounded(value: Fraction, rounding: str) -> int:
    """The integer that a rounding mode takes, by AMD UG1399, "Quantization modes"."""
    down = floor(value)
    rest = value - down
    if rest == 0:
        return down
    half = Fraction(1, 2)
    match rounding:
        case "TRN":
            return down
        case "TRN_ZERO":
            return down + (value < 0)
    if rest != half:
        return down + (rest > half)
    match rounding:
        case "RND":
            return down + 1
        case "RND_ZERO":
            return down + (value < 0)
        case "RND_MIN_INF":
            return down
        case "RND_INF":
            return down + (value > 0)
        case "RND_CONV":
            return down + down % 2
    raise AssertionError(rounding)


def result(operator: str, a: Kind, b: Kind) -> Kind:
    """The type of a result, by AMD UG1399, which Algorithmic C shares."""
    f, f2 = a.point, b.point
    i, i2 = a.bits - f, b.bits - f2
    common = max(i + (b.signed and not a.signed), i2 + (a.signed and not b.signed))
    signed = a.signed or b.signed
    integers = a.places is None and b.places is None
    match operator:
        case "+" | "-":
            bits, places = common + 1 + max(f, f2), max(f, f2)
            signed = signed or operator == "-"
        case "*":
            bits, places = a.bits + b.bits, f + f2
        case "/":
            bits = a.bits + b.signed + max(f2, 0)
            places = bits - (i + b.signed + f2)
        case "%":
            bits, places = min(a.bits, b.bits + (a.signed and not b.signed)), 0
            signed = a.signed
        case _:
            bits, places = common + max(f, f2), max(f, f2)
    return Kind(bits, signed, None if integers else places, algorithmic=a.algorithmic)


def computed(operator: str, a: Number, b: Number) -> Number:
    """The value of an operator, exact but for quotients, which are cut towards zero."""
    kind = result(operator, a.kind, b.kind)
    match operator:
        case "+":
            value = a.value + b.value
        case "-":
            value = a.value - b.value
        case "*":
            value = a.value * b.value
        case "/" | "%":
            scaled = a.stored << max(b.kind.point, 0)
            quotient = rounded(Fraction(scaled, b.stored), "TRN_ZERO")
            made = quotient if operator == "/" else a.stored - quotient * b.stored
            return Number(kind, kind.cut(made))
        case _:
            x, y = (int(one.value * 2**kind.point) for one in (a, b))
            return Number(kind, kind.cut({"&": x & y, "|": x | y, "^": x ^ y}[operator]))
    made = value * 2**kind.point
    assert made == kind.cut(int(made)), (operator, a, b)
    return Number(kind, int(made))


def drawn(random_: random.Random, kind: Kind) -> Number:
    """A number, often one at an end of its range or small."""
    ends = [kind.least, kind.greatest, kind.least + 1, kind.greatest - 1, 0, 1, -1]
    some = random_.getrandbits(kind.bits + 1) >> random_.randrange(kind.bits + 1)
    return Number(kind, kind.cut(random_.choice([*ends, *[some] * 7])))
