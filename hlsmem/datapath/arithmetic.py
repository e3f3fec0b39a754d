"""Exact operations on values: each makes a node with the interval of its results."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.datapath.values import (
    BIT,
    Add,
    And,
    Choose,
    Constant,
    Equal,
    Graph,
    Interval,
    Less,
    Lookup,
    Multiply,
    Operand,
    Or,
    ShiftBy,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Value,
    Wrap,
    Xor,
    of_bits,
)


def operand(graph: Graph, name: str, interval: Interval) -> Value:
    return graph.node(Operand(name), (), interval)


def constant(graph: Graph, value: int) -> Value:
    return graph.node(Constant(value), (), Interval(value, value))


def add(graph: Graph, one: Value, other: Value) -> Value:
    """Return the sum; operands in the order of their numbers, so that both orders are one node."""
    if one.constant == 0:
        return other
    if other.constant == 0:
        return one
    first, second = sorted((one, other), key=lambda own: own.number)
    a, b = first.interval, second.interval
    interval = Interval(a.least + b.least, a.greatest + b.greatest)
    return graph.node(Add(), (first, second), interval)


def subtract(graph: Graph, one: Value, other: Value) -> Value:
    if other.constant == 0:
        return one
    if one is other:
        return constant(graph, 0)
    a, b = one.interval, other.interval
    interval = Interval(a.least - b.greatest, a.greatest - b.least)
    return graph.node(Subtract(), (one, other), interval)


def negate(graph: Graph, one: Value) -> Value:
    return subtract(graph, constant(graph, 0), one)


def multiply(graph: Graph, one: Value, other: Value) -> Value:
    """Return the product; by a power of two it is a shift."""
    first, second = sorted((one, other), key=lambda own: own.number)
    if first.constant is not None and second.constant is None:
        first, second = second, first
    factor = second.constant
    if factor is not None:
        if factor < 0:
            return negate(graph, multiply(graph, first, constant(graph, -factor)))
        if factor and not factor & (factor - 1):
            return shift_left(graph, first, factor.bit_length() - 1)
    a, b = first.interval, second.interval
    ends = [x * y for x in (a.least, a.greatest) for y in (b.least, b.greatest)]
    if first is second:  # a square is never negative
        ends = [
            a.least * a.least,
            a.greatest * a.greatest,
            *([0] if a.least <= 0 <= a.greatest else []),
        ]
    return graph.node(Multiply(), (first, second), Interval(min(ends), max(ends)))


def shift_left(graph: Graph, one: Value, places: int) -> Value:
    if places == 0:
        return one
    interval = Interval(one.interval.least << places, one.interval.greatest << places)
    return graph.node(ShiftLeft(places), (one,), interval)


def shift_right(graph: Graph, one: Value, places: int) -> Value:
    """Return the quotient by 2**places, rounded down."""
    if places == 0:
        return one
    interval = Interval(one.interval.least >> places, one.interval.greatest >> places)
    return graph.node(ShiftRight(places), (one,), interval)


def shift_by(graph: Graph, one: Value, amount: Value, *, is_left: bool) -> Value:
    """Return a value shifted by another, which is not negative."""
    if amount.constant is not None:
        return (shift_left if is_left else shift_right)(graph, one, amount.constant)
    a, by = one.interval, amount.interval
    ends = [
        x << n if is_left else x >> n
        for x in (a.least, a.greatest)
        for n in (by.least, by.greatest)
    ]
    return graph.node(ShiftBy(is_left), (one, amount), Interval(min(ends), max(ends)))


def divide(graph: Graph, one: Value, divisor: int) -> Value:
    """Return the quotient by a number that is not 0, rounded towards zero.

    Source: Granlund, Montgomery, "Division by invariant integers using multiplication" (PLDI 1994):
    m = ceil(2**s / d) with top * (m * d - 2**s) < 2**s gives floor(x / d) = x * m >> s.
    """
    if divisor < 0:
        return negate(graph, divide(graph, one, -divisor))
    if divisor == 1:
        return one
    is_negative = less(graph, one, constant(graph, 0))
    if not divisor & (divisor - 1):
        places = divisor.bit_length() - 1
        rest = constant(graph, divisor - 1)
        bias = choose(graph, is_negative, rest, constant(graph, 0))
        quotient = shift_right(graph, add(graph, one, bias), places)
    else:
        factor, places = _reciprocal(
            divisor, max(abs(one.interval.least), abs(one.interval.greatest))
        )
        scaled = multiply(graph, one, constant(graph, factor))
        quotient = add(graph, shift_right(graph, scaled, places), is_negative)
    ends = [_towards_zero(own, divisor) for own in (one.interval.least, one.interval.greatest)]
    return within(graph, quotient, Interval(min(ends), max(ends)))


def _towards_zero(number: int, divisor: int) -> int:
    return number // divisor if number >= 0 else -(-number // divisor)


def _reciprocal(divisor: int, top: int) -> tuple[int, int]:
    """The factor and the places of the least shift that are right up to `top`."""
    places = 0
    while True:
        factor = -(-(1 << places) // divisor)
        if top * (factor * divisor - (1 << places)) < 1 << places:
            return factor, places
        places += 1


def remainder(graph: Graph, one: Value, divisor: int) -> Value:
    """Return the remainder of a division that rounds towards zero: it has the dividend's sign."""
    size = abs(divisor)
    if one.interval.least >= 0 and not size & (size - 1):
        return wrap(graph, one, size.bit_length() - 1, signed=False)
    quotient = divide(graph, one, size)
    rest = subtract(graph, one, multiply(graph, quotient, constant(graph, size)))
    least = max(1 - size, min(one.interval.least, 0))
    return within(graph, rest, Interval(least, min(size - 1, max(one.interval.greatest, 0))))


def within(graph: Graph, one: Value, interval: Interval) -> Value:
    """Return a value whose results are known to lie in an interval, too."""
    least = max(one.interval.least, interval.least)
    greatest = min(one.interval.greatest, interval.greatest)
    if one.constant is not None or Interval(least, greatest) == one.interval:
        return one
    return graph.node(one.operation, one.operands, Interval(least, greatest))


def less(graph: Graph, one: Value, other: Value) -> Value:
    """Return 1 where the first is less, else 0."""
    a, b = one.interval, other.interval
    if a.greatest < b.least:
        return constant(graph, 1)
    if one is other or a.least >= b.greatest:
        return constant(graph, 0)
    return graph.node(Less(), (one, other), BIT)


def equal(graph: Graph, one: Value, other: Value) -> Value:
    a, b = one.interval, other.interval
    if one is other:
        return constant(graph, 1)
    if a.greatest < b.least or b.greatest < a.least:
        return constant(graph, 0)
    first, second = sorted((one, other), key=lambda own: own.number)
    if second.constant is None and first.constant is not None:
        first, second = second, first
    if first.interval == BIT and second.constant == 1:
        return first
    return graph.node(Equal(), (first, second), BIT)


def invert(graph: Graph, condition: Value) -> Value:
    """Return 1 for 0 and 0 for 1."""
    return equal(graph, condition, constant(graph, 0))


def choose(graph: Graph, condition: Value, one: Value, other: Value) -> Value:
    """Return `one` where a condition is 1, else `other`.

    Where the condition compares with a constant, an arm that is what it compares is cut there:
    clamps and absolute values have the interval that they have.
    """
    if condition.constant is not None:
        return one if condition.constant else other
    if one is other:
        return one
    if one.constant == 1 and other.constant == 0:
        return condition
    match condition.operation, condition.operands:
        case Equal(), (inner, zero) if zero.constant == 0 and inner.interval == BIT:
            return choose(graph, inner, other, one)
    hull = _arm(condition, one, holds=True).hull(_arm(condition, other, holds=False))
    return graph.node(Choose(), (condition, one, other), hull)


def _arm(condition: Value, arm: Value, *, holds: bool) -> Interval:
    """The interval of an arm where its condition holds, or does not."""
    if not isinstance(condition.operation, Less):
        return arm.interval
    first, second = condition.operands
    least, greatest = None, None
    if second.constant is not None:
        compared = first
        least, greatest = (None, second.constant - 1) if holds else (second.constant, None)
    elif first.constant is not None:
        compared = second
        least, greatest = (first.constant + 1, None) if holds else (None, first.constant)
    else:
        return arm.interval
    own = compared.interval
    cut = Interval(
        own.least if least is None else max(own.least, least),
        own.greatest if greatest is None else min(own.greatest, greatest),
    )
    if arm is compared:
        return cut
    match arm.operation, arm.operands:
        case Add(), (a, b) if b is compared and a.constant is not None:
            return Interval(cut.least + a.constant, cut.greatest + a.constant)
        case Add(), (a, b) if a is compared and b.constant is not None:
            return Interval(cut.least + b.constant, cut.greatest + b.constant)
        case Subtract(), (a, b) if b is compared and a.constant is not None:
            return Interval(a.constant - cut.greatest, a.constant - cut.least)
        case Subtract(), (a, b) if a is compared and b.constant is not None:
            return Interval(cut.least - b.constant, cut.greatest - b.constant)
    return arm.interval


def bit_and(graph: Graph, one: Value, other: Value) -> Value:
    """Return the bits that both have; with 2**k - 1 they are the low bits."""
    for own, mask in ((one, other), (other, one)):
        low = mask.constant
        if low is not None and low >= 0 and not low & (low + 1):
            return wrap(graph, own, low.bit_length(), signed=False)
    a, b = one.interval, other.interval
    if a.is_signed and b.is_signed:
        interval = of_bits(max(a.bits, b.bits), signed=True)
    else:
        interval = Interval(0, min(own.greatest for own in (a, b) if not own.is_signed))
    return graph.node(And(), _by_number(one, other), interval)


def bit_or(graph: Graph, one: Value, other: Value) -> Value:
    if one.constant == 0:
        return other
    if other.constant == 0:
        return one
    return graph.node(Or(), _by_number(one, other), _hull_of_bits(one, other))


def bit_xor(graph: Graph, one: Value, other: Value) -> Value:
    return graph.node(Xor(), _by_number(one, other), _hull_of_bits(one, other))


def _by_number(one: Value, other: Value) -> tuple[Value, Value]:
    return (one, other) if one.number <= other.number else (other, one)


def _hull_of_bits(one: Value, other: Value) -> Interval:
    signed = one.interval.is_signed or other.interval.is_signed
    widths = [own.interval.bits + (signed and not own.interval.is_signed) for own in (one, other)]
    return of_bits(max(widths), signed=signed)


def wrap(graph: Graph, one: Value, bits: int, *, signed: bool) -> Value:
    """Return what a type of so many bits keeps of a value; the value itself where all of it."""
    if bits == 0:
        return constant(graph, 0)
    kept = of_bits(bits, signed=signed)
    if one.interval.is_within(kept):
        return one
    if one.constant is not None:
        low = one.constant & ((1 << bits) - 1)
        return constant(graph, low - (1 << bits) if signed and low >> (bits - 1) else low)
    match one.operation:
        case Wrap(inner) if inner >= bits:  # what is cut twice is cut once
            return wrap(graph, one.operands[0], bits, signed=signed)
    return graph.node(Wrap(bits, signed), (one,), kept)


def look_up(graph: Graph, name: str, words: Sequence[int], index: Value) -> Value:
    """Return the word of a table at a subscript that does not leave it."""
    at = index.interval
    reached = words[at.least : at.greatest + 1]
    if index.constant is not None:
        return constant(graph, words[index.constant])
    return graph.node(Lookup(name, tuple(words)), (index,), Interval(min(reached), max(reached)))


def is_true(graph: Graph, one: Value) -> Value:
    """Return 1 where a value is not 0."""
    if one.interval.is_within(BIT):
        return one
    return invert(graph, equal(graph, one, constant(graph, 0)))
