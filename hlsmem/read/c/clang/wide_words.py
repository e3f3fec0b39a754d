"""Numbers of 65 to 1024 bits: arrays of limbs of 64 bits, the lowest first, in C.

A word is a name of such an array, or a list of expressions of its limbs. The last limb is filled
with zeros, or with the sign. Words are copied, cut, combined bit by bit and shifted by constants;
arithmetic takes those that `__int128` holds.
"""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    as_word,
    cut,
    literal,
    low_word,
    masked,
    operation,
)
from hlsmem.read.c.clang.exact_values import NotExact, Value, as_typed
from hlsmem.read.c.clang.operator_ranges import range_in_c
from hlsmem.read.c.clang.types_in_c import (
    INT128,
    LIMB,
    WIDEST,
    c_type,
    holds,
    limbs_in,
    literal_number,
    word_type,
)
from hlsmem.read.c.tree import INT, LONG, UNSIGNED_LONG, Number, SourceRange

_UNSIGNED_128 = Number(128, False)


def is_word(value: Value) -> bool:
    """Return True for a value that is an array of limbs; others are one integer of C."""
    return word_type(value.node) is not None


def limb(value: Value, position: int) -> tree.Expression:
    """Return a limb of a value, whose bits go on without end; those below the first are 0."""
    place = value.node.place
    if position < 0:
        return _zero(place)
    number = value.constant
    if number is not None:
        bits = (number >> (LIMB * position)) & UNSIGNED_LONG.greatest
        return literal(bits, UNSIGNED_LONG, place)
    kind = word_type(value.node)
    if kind is not None:
        count = limbs_in(kind)
        if position < count:
            return _limb_of(value.node, position)
        top = _limb_of(value.node, count - 1)
        return _sign_of(tree.Cast(top, LONG, place)) if kind.signed else _zero(place)
    node = value.node
    if c_type(node).bits == INT128.bits:
        if position == 0:
            return as_word(low_word(node))
        if position == 1:
            return as_word(operation(">>", node, literal(LIMB, INT, place), place))
    elif position == 0:
        return as_word(node)
    return _zero(place) if value.least >= 0 else _sign_of(node)


def _limb_of(node: tree.Expression, position: int) -> tree.Expression:
    if isinstance(node, tree.InitList):
        return node.exprs[position]
    index = literal(position, INT, node.place)
    return tree.ArrayRef(node, index, UNSIGNED_LONG, node.place)


def _zero(place: SourceRange) -> tree.Expression:
    return literal(0, UNSIGNED_LONG, place)


def _sign_of(node: tree.Expression) -> tree.Expression:
    """Return a limb of copies of the sign of an integer."""
    last = literal(c_type(node).bits - 1, INT, node.place)
    return as_word(operation(">>", node, last, node.place))


def limb_from(value: Value, start: int, bits: int = LIMB) -> tree.Expression:
    """Return the 64 bits of a value from bit `start` on, which may be negative.

    Those above `bits` may be others.
    """
    place = value.node.place
    position, places = divmod(start, LIMB)
    low = limb(value, position)
    if not places:
        return low
    parts = [_moved(low, ">>", places)]
    if places + bits > LIMB:
        parts.append(_moved(limb(value, position + 1), "<<", LIMB - places))
    return either(parts, place)


def _moved(node: tree.Expression, op: str, places: int) -> tree.Expression:
    number, place = literal_number(node), node.place
    if number is None:
        return operation(op, node, literal(places, INT, place), place)
    moved = number << places if op == "<<" else number >> places
    return literal(moved & UNSIGNED_LONG.greatest, UNSIGNED_LONG, place)


def either(parts: list[tree.Expression], place: SourceRange) -> tree.Expression:
    """Return the bits of several limbs together; those that are 0 are left out."""
    used = [one for one in parts if literal_number(one) != 0]
    if not used:
        return _zero(place)
    found = used[0]
    for one in used[1:]:
        found = operation("|", found, one, place)
    return found


def bits_from(value: Value, start: int, to: Number) -> Value:
    """Return the bits of a value from bit `start` on as a number of a type, cut to it."""
    place = value.node.place
    if to.bits <= WIDEST:
        node = limb_from(value, start, to.bits)
        return as_typed(cut(Value(node, UNSIGNED_LONG, *range_in_c(node)), to))
    limbs = [limb_from(value, start + LIMB * k) for k in range(limbs_in(to))]
    ends = [one >> start if start >= 0 else one << -start for one in value.range]
    if not holds(to, *ends):
        limbs[-1] = _filled(limbs[-1], to)
    return word(limbs, to, place)


def word(limbs: list[tree.Expression], kind: Number, place: SourceRange) -> Value:
    """Return a list of limbs as a value."""
    node = tree.InitList(tuple(limbs), kind, place)
    return Value(node, kind, kind.least, kind.greatest)


def _filled(last: tree.Expression, kind: Number) -> tree.Expression:
    """Return the last limb of a number, filled with zeros or with the sign."""
    bits = kind.bits - LIMB * (limbs_in(kind) - 1)
    if bits == LIMB:
        return last
    if not kind.signed:
        return masked(last, bits)
    number = Value(last, UNSIGNED_LONG, 0, UNSIGNED_LONG.greatest)
    return as_word(cut(number, Number(bits, True)).node)


def as_integer(value: Value) -> Value:
    """Return a word that `__int128` holds as one integer, others as they are."""
    kind, place = word_type(value.node), value.node.place
    if kind is None:
        return value
    if not holds(INT128, kind.least, kind.greatest):
        what = f"computes with {kind.bits} bits, and at most 127 are read"
        raise NotExact(what, "take slices of at most 64 bits, such as x.range(31, 0)")
    upper = tree.Cast(limb(value, 1), _UNSIGNED_128, place)
    moved = operation("<<", upper, literal(LIMB, INT, place), place)
    whole = operation("|", moved, limb(value, 0), place)
    return Value(tree.Cast(whole, INT128, place), kind, *value.range)


# Operators.


def aligned_word(value: Value, point: int) -> Value:
    """Return a value with more binary places, as a word."""
    kind = value.number
    places = point - kind.point
    if not places:
        return value
    to = Number(kind.bits + places, kind.signed, point, exact=True)
    return bits_from(value, -places, to)


def bitwise(op: str, left: Value, right: Value, result: Number, place: SourceRange) -> Value:
    """Return and, or, exclusive or of two values with their points at one place."""
    limbs: list[tree.Expression] = []
    for k in range(limbs_in(result)):
        sides = limb(left, k), limb(right, k)
        zeros = [literal_number(one) == 0 for one in sides]
        if op == "&" and any(zeros):
            limbs.append(_zero(place))
        elif any(zeros):
            limbs.append(sides[0] if zeros[1] else sides[1])
        else:
            limbs.append(operation(op, *sides, place))
    return word(limbs, result, place)


def equality(op: str, left: Value, right: Value, result: Number, place: SourceRange) -> Value:
    """Return whether two values are the same, or are not."""
    count = max(limbs_in(left.number), limbs_in(right.number))
    count += left.number.signed != right.number.signed  # the sign of one is a bit of the other
    pairs = [(limb(left, k), limb(right, k)) for k in range(count)]
    pairs = [
        one
        for one in pairs
        if literal_number(one[0]) is None or literal_number(one[0]) != literal_number(one[1])
    ]
    if not pairs:
        return Value(literal(int(op == "=="), INT, place), result, 0, 1)
    found: tree.Expression = tree.BinaryOp(op, *pairs[0], INT, place)
    for one in pairs[1:]:
        test = tree.BinaryOp(op, *one, INT, place)
        found = tree.BinaryOp("&&" if op == "==" else "||", found, test, INT, place)
    return Value(found, result, 0, 1)


def truth_of_word(value: Value) -> tree.Expression:
    """Return whether a word is not zero."""
    place = value.node.place
    whole = either([limb(value, k) for k in range(limbs_in(value.number))], place)
    return tree.BinaryOp("!=", whole, literal(0, INT, place), INT, place)


def complement(value: Value, result: Number, place: SourceRange) -> Value:
    """Return the complement of a word, cut to a type."""
    limbs: list[tree.Expression] = [
        tree.UnaryOp("~", limb(value, k), UNSIGNED_LONG, place) for k in range(limbs_in(result))
    ]
    if not (value.number.signed and result.signed):
        limbs[-1] = _filled(limbs[-1], result)
    return word(limbs, result, place)


def chosen(
    cond: tree.Expression, then: Value, otherwise: Value, kind: Number, place: SourceRange
) -> Value:
    """Return one of two values of a type, limb by limb."""
    limbs: list[tree.Expression] = [
        tree.TernaryOp(cond, limb(then, k), limb(otherwise, k), UNSIGNED_LONG, place)
        for k in range(limbs_in(kind))
    ]
    return word(limbs, kind, place)
