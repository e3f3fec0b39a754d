"""What the program of `numbers.cpp` should print, by integers and fractions of Python."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tests.hls.number_programs import Line, Set
from tests.hls.numbers import Kind, Number, computed, rounded

INT, UNSIGNED, LONG = Kind(32, True), Kind(32, False), Kind(64, True)


def expected(one: Set, line: Line) -> list[str]:
    """The lines for one set of types and one line of input."""
    if one.only_modes:
        return list(_modes(one, line))
    made = [*_arithmetic(one, line)]
    if one.a.places is None:
        made += _integers(line)
    if one.a.algorithmic:
        return [*made, *_algorithmic(line)]
    made += _amd(line)
    return [*made, *(_amd_integers(line) if one.a.places is None else _amd_fixed(line))]


def float_of(value: Fraction) -> float:
    """The float of 32 bits next to a number, ties to even."""
    if not value:
        return 0.0
    exponent = -24
    while abs(value) / Fraction(2) ** exponent >= 1 << 24:
        exponent += 1
    while abs(value) / Fraction(2) ** exponent < 1 << 23:
        exponent -= 1
    return float(rounded(value / Fraction(2) ** exponent, "RND_CONV") * Fraction(2) ** exponent)


def _integer(name: str, value: int) -> str:
    return f"{name} 64 0 1 {value & (1 << 64) - 1:x}"


def _real(name: str, value: float) -> str:
    return f"{name} {value.hex()}"


def _shifted(x: Number, by: int) -> Number:
    return Number(x.kind, x.kind.cut(x.stored << by if by >= 0 else x.stored >> -by))


def _minus(x: Number) -> Number:
    kind = x.kind
    of_amd = kind.places is None and not kind.algorithmic
    bits = max(kind.bits, 1 + kind.signed) if of_amd else kind.bits
    return Number(Kind(bits + 1, True, kind.places, algorithmic=kind.algorithmic), -x.stored)


def _inverted(x: Number) -> Number:
    kind = x.kind
    wider = kind.algorithmic and not kind.signed
    made = Kind(kind.bits + wider, wider or kind.signed, kind.places, algorithmic=kind.algorithmic)
    return Number(made, made.cut(~x.stored))


def _whole(x: Number) -> int:
    """What to_int() and its like cut: Algorithmic C takes the floor, AMD what is nearer to zero."""
    return rounded(x.value, "TRN" if x.kind.algorithmic else "TRN_ZERO")


def _stepped(t: Number, by: int) -> Number:
    """++ and --, of one, or with Algorithmic C of the last place."""
    return t.kind.number(t.value + (t.kind.value(by) if t.kind.algorithmic else by))


def _with_bits(x: Number, high: int, low: int, bits: int) -> Number:
    mask = (1 << high - low + 1) - 1
    return Number(x.kind, x.kind.cut(x.unsigned & ~(mask << low) | (bits & mask) << low))


def _arithmetic(one: Set, line: Line) -> Iterator[str]:
    a, b, n = line.a, line.b, line.n
    for operator in "+-*/&|^":
        if operator != "/" or b.stored:
            yield computed(operator, a, b).line(operator)
    x, y = a.value, b.value
    truths = (x < y, x <= y, x > y, x >= y, x == y, x != y)
    yield _integer("compare", sum(truth << i for i, truth in enumerate(truths)))
    yield _shifted(a, line.shift).line("<<")
    yield _shifted(a, -line.shift).line(">>")
    yield _minus(a).line("minus")
    yield _inverted(a).line("~")
    yield _integer("!", not a.stored)
    t = one.t.number
    yield t(x).line("from a")
    yield t(y).line("from b")
    yield t(x * y).line("from a * b")
    yield t(x - y).line("from a - b")
    yield t(Fraction(line.d)).line("from double")
    yield t(n).line("from n")
    yield _integer("to_int", INT.cut(_whole(a)))
    yield _integer("to_uint", UNSIGNED.cut(_whole(a)))
    yield _integer("to_int64", LONG.cut(_whole(a)))
    yield _real("to_double", float(x))
    yield from _assigned(one, line)
    yield computed("+", a, INT.number(n)).line("a + int")
    yield computed("-", Number(Kind(8, True), Kind(8, True).cut(n)), a).line("char - a")
    yield computed("*", a, Kind(1, False).number(n > 0)).line("a * bool")
    yield computed("*", LONG.number(n), a).line("long * a")
    yield computed("&", a, UNSIGNED.number(n)).line("a & unsigned")
    yield _integer("a < short", x < Kind(16, True).cut(n))
    yield _integer("unsigned == a", x == UNSIGNED.cut(n))
    i = line.low % one.t.bits
    yield _with_bits(t(x), i, i, n).line("t[i] = n")
    yield _integer("a[i]", a.unsigned >> line.low & 1)
    yield _integer("length", a.kind.bits)


def _assigned(one: Set, line: Line) -> Iterator[str]:
    number, x, y = one.t.number, line.a.value, line.b.value
    t = number(number(x).value + y)
    yield t.line("+=")
    t = number(t.value - x)
    yield t.line("-=")
    yield number(t.value * y).line("*=")
    t = number(y)
    yield t.line("x++")
    t = _stepped(t, 1)
    yield t.line("++")
    t = _stepped(_stepped(t, -1), -1)
    yield t.line("--")
    yield _shifted(t, line.shift).line("<<=")


def _integers(line: Line) -> Iterator[str]:
    a, b = line.a, line.b
    if b.stored:
        yield computed("%", a, b).line("%")
    yield computed("-", b, a).line("b - a")
    yield _shifted(a, b.kind.cut(b.stored & 31)).line("a << b")
    yield _inverted(computed("|", a, b)).line("~(a | b)")


def _amd(line: Line) -> Iterator[str]:
    a, high, low = line.a, line.high, line.low
    unsigned = Kind(a.kind.bits, False)
    part = a.unsigned >> low & (1 << high - low + 1) - 1
    yield Number(unsigned, part).line("range")
    yield Number(unsigned, part).line("(,)")
    x = _with_bits(a, high, low, line.b.unsigned)
    yield x.line("range =")
    yield _with_bits(x, high, low, line.n & (1 << 40) - 1).line("(,) =")
    yield x.line("(,) = (,)")
    taken = x.unsigned >> low & (1 << high - low + 1) - 1
    yield _integer("slice to_int", INT.cut(taken))
    yield _integer("is_zero", not a.stored)
    bits = a.unsigned ^ 1 << low
    yield Number(unsigned, bits).line("invert")
    bits = (bits | 1 << high) & ~(1 << low)
    yield Number(unsigned, bits).line("set clear")
    yield _integer("test", bits >> high & 1)
    w = a.kind.bits
    bits = int(f"{bits:0{w}b}"[::-1], 2)
    yield Number(unsigned, bits).line("reverse")
    each = (bits == unsigned.greatest, bits != 0, bits.bit_count() % 2 == 1)
    yield _integer("reduce", sum(t << i for i, t in enumerate([*each, *(not t for t in each)])))
    yield _integer("zeros", w - bits.bit_length())
    yield Number(unsigned, unsigned.cut(bits << low | bits >> w - low)).line("lrotate")


def _amd_integers(line: Line) -> Iterator[str]:
    a, b = line.a, line.b
    w, w2 = a.kind.bits, b.kind.bits
    both = Kind(w + w2, False)
    joined = Number(both, a.unsigned << w2 | b.unsigned)
    yield joined.line("(a, b)")
    yield joined.line("concat")
    yield Number(both, b.unsigned << w | a.unsigned).line("(b(,), a)")
    length = line.high - line.low + 1
    part = a.unsigned >> line.low & (1 << length) - 1
    yield Number(both, b.unsigned << length | part).line("(b(,), a(,))")
    three = Kind(2 * w + w2, False)
    bit = a.unsigned >> line.low & 1
    value = (b.unsigned << length | part) << 1 | bit
    yield Number(three, value).line("(b, (a(,), a(,)))")
    yield Kind(w + w2 + 3, True).number(part + b.stored).line("x(,) + b")
    yield _integer("to native", a.stored)
    yield _real("a * 1.5", float(a.value) * line.d)
    yield _real("2.5f - a", float_of(Fraction(2.5) - Fraction(float_of(a.value))))
    yield _integer("a < d", (float(a.value) < line.d) | (float(a.value) == line.d) << 1)
    i = line.n & 3
    sum_ = (2, 3, 5, 7)[i] + 10 * (i != 0) + 20 * (a.stored != 0 and b.stored != 0)
    yield _integer("table", sum_)


def _amd_fixed(line: Line) -> Iterator[str]:
    a = line.a
    yield Kind(16, True).number(a.value).line("to ap_int")
    yield _integer("to int", INT.cut(_whole(a)))
    yield _real("to float", float_of(a.value))
    yield _integer("to bool", a.stored != 0)
    yield _integer("a < d", (float(a.value) < line.d) | (float(a.value) >= line.d) << 1)


def _algorithmic(line: Line) -> Iterator[str]:
    a = line.a
    w, signed = a.kind.bits, a.kind.signed
    low = line.low % (w - 3 if w > 3 else 1)
    slc = Kind(3, signed, algorithmic=True)
    yield Number(slc, slc.cut(a.unsigned >> low)).line("slc")
    low = line.low % (w - 2 if w > 2 else 1)
    yield _with_bits(a, low + 1, low, line.n).line("set_slc")


def _modes(one: Set, line: Line) -> Iterator[str]:
    number, x, y = one.t.number, line.a.value, line.b.value
    yield number(x).line("from a")
    yield number(y).line("from b")
    yield number(x + y).line("from a + b")
    yield number(Fraction(line.d)).line("from double")
    yield number(Fraction(float_of(Fraction(line.d)))).line("from float")
    yield number(line.n).line("from long")
    t = number(number(y).value + x)
    yield t.line("+=")
    t = _stepped(t, -1)
    yield t.line("--")
    yield number(t.value * y).line("*=")
