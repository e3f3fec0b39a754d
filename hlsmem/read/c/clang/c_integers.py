"""Integers of C: the types that operators compute in, literals, casts, and cuts to few bits.

Operands get the least casts that let C compute an exact result: in the type that C takes by its own
rules where that holds all values, else in the least of int, long, unsigned long and `__int128`.
"""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.exact_values import NotExact, Value
from hlsmem.read.c.clang.types_in_c import INT128, c_type, holds, literal_number
from hlsmem.read.c.tree import INT, LONG, UNSIGNED, UNSIGNED_LONG, Number, SourceRange, stored_bits

_COMPUTED = (INT, LONG, UNSIGNED_LONG, INT128)
_NARROWER = "convert an operand to a narrower type first, such as ap_int<32>(x)"


def least_type(least: int, greatest: int) -> Number:
    """Return the least type to compute in that holds the numbers from `least` to `greatest`.

    >>> least_type(-1, 1 << 31) == LONG
    True
    """
    for kind in _COMPUTED:
        if holds(kind, least, greatest):
            return kind
    bits = max(greatest.bit_length() + (least < 0), (~least).bit_length() + 1)
    raise NotExact(f"needs {bits} bits, and at most 128 are read", _NARROWER)


def literal(
    number: int, kind: Number, place: SourceRange, *, is_mask: bool = False
) -> tree.Expression:
    """Return a number as a literal of a type that operators see."""
    if number < LONG.least:
        return tree.UnaryOp("-", literal(-number, INT128, place), INT128, place)
    if number > UNSIGNED_LONG.greatest:  # nor for more than a word
        high, low = divmod(number, 1 << 64)
        upper = tree.Cast(literal(high, LONG, place), INT128, place)
        moved = operation("<<", upper, literal(64, INT, place), place)
        return operation("+", moved, literal(low, UNSIGNED_LONG, place), place) if low else moved
    suffix = ("" if kind.signed else "u") + ("l" if kind.bits == 64 else "")
    if number == LONG.least:  # C has no literal for its size
        size = literal(LONG.greatest, LONG, place)
        one = literal(1, INT, place)
        return tree.BinaryOp("-", tree.UnaryOp("-", size, LONG, place), one, LONG, place)
    digits = hex(abs(number)) if is_mask and number > 9 else str(abs(number))
    found = tree.Constant(f"{digits}{suffix}", kind, place)
    return tree.UnaryOp("-", found, kind, place) if number < 0 else found


def literal_value(number: int, kind: Number, place: SourceRange) -> Value:
    """Return a literal, of the least type of C that has it, as a value of `kind`."""
    return Value(literal(number, least_type(number, number), place), kind, number, number)


def cast(value: Value, kind: Number) -> tree.Expression:
    """Return an operand in a type of C that has its values."""
    number, place = value.constant, value.node.place
    if number is not None and kind.bits <= 64 and holds(kind, number, number):
        return literal(number, kind, place)
    if c_type(value.node) == kind:
        return value.node
    return tree.Cast(value.node, kind, place)


def in_common_type(
    left: Value, right: Value, least: int, greatest: int
) -> tuple[tree.Expression, tree.Expression, Number]:
    """Return two operands in a type that C computes in, which has their values and the result's."""
    least = min(least, left.least, right.least)
    greatest = max(greatest, left.greatest, right.greatest)
    kinds = c_type(left.node), c_type(right.node)
    if holds(kinds[0].common(kinds[1]), least, greatest):
        return left.node, right.node, kinds[0].common(kinds[1])
    kind = least_type(least, greatest)
    can_left, can_right = kind.common(kinds[1]) == kind, kinds[0].common(kind) == kind
    if can_right and (right.constant is not None or not can_left) and kind.bits <= 64:
        return left.node, cast(right, kind), kind
    return cast(left, kind), right.node if can_left else cast(right, kind), kind


def in_one_type(left: Value, right: Value) -> tuple[tree.Expression, tree.Expression, Number]:
    """Return two numbers to compare, or to choose from, without a change of sign to warn of."""
    first, second, kind = in_common_type(left, right, left.least, left.greatest)
    if not kind.signed:
        first, second = _unsigned(left, first, kind), _unsigned(right, second, kind)
    return first, second, kind


def _unsigned(value: Value, node: tree.Expression, kind: Number) -> tree.Expression:
    """Return an operand, none of which is negative, as one of an unsigned type."""
    is_name = isinstance(node, (tree.ID, tree.ArrayRef, tree.StructRef))
    if not c_type(node).signed or (is_name and not value.number.signed):
        return node
    if value.constant is not None:
        return node
    return tree.Cast(node, kind, node.place)


def in_type_for(value: Value, least: int, greatest: int) -> tree.Expression:
    """Return one operand in a type that has its values and the result's."""
    least, greatest = min(least, value.least), max(greatest, value.greatest)
    if holds(c_type(value.node), least, greatest):
        return value.node
    return cast(value, least_type(least, greatest))


def operation(
    op: str, left: tree.Expression, right: tree.Expression, place: SourceRange
) -> tree.BinaryOp:
    """Return an operator on operands that fit together, in the type that C gives it."""
    kind = c_type(left) if op in ("<<", ">>") else c_type(left).common(c_type(right))
    return tree.BinaryOp(op, left, right, kind, place)


def multiplied(value: Value, places: int) -> Value:
    """Return a value times 2**places, exact, with its point where it was."""
    if not places:
        return value
    place, kind = value.node.place, value.number
    least, greatest = value.least << places, value.greatest << places
    if least == greatest:
        return literal_value(least, kind, place)
    if value.least >= 0:
        node = in_type_for(value, least, greatest)
        count = literal(places, INT, place)
        return Value(operation("<<", node, count, place), kind, least, greatest)
    by = literal_value(1 << places, INT, place)
    sides = in_common_type(value, by, least, greatest)[:2]
    return Value(operation("*", *sides, place), kind, least, greatest)


# Cuts.


def cut(value: Value, to: Number) -> Value:
    """Return the last bits of a stored integer as a number of that type of 1 to 64 bits."""
    place = value.node.place
    number = value.constant
    if holds(to, value.least, value.greatest):
        return Value(value.node, to, value.least, value.greatest)
    if number is not None:
        return literal_value(wrapped(number, to), to, place)
    node = low_word(value.node)
    if stored_bits(to.bits) == to.bits:
        kind = Number(to.bits, to.signed)
        if not (kind.bits >= 32 and c_type(node) == kind):
            node = tree.Cast(node, kind, place)
    elif to.signed:
        wide, word = (INT, UNSIGNED) if to.bits < 32 else (LONG, UNSIGNED_LONG)
        count = literal(wide.bits - to.bits, INT, place)
        bits = node if c_type(node) == word else tree.Cast(node, word, place)
        moved = tree.Cast(operation("<<", bits, count, place), wide, place)
        node = operation(">>", moved, count, place)
    else:
        node = masked(node, to.bits)
    return Value(node, to, to.least, to.greatest)


def masked(node: tree.Expression, bits: int) -> tree.Expression:
    """Return the last bits of a number; 64 are those of a word."""
    if bits == 64:
        return as_word(node)
    mask = (1 << bits) - 1
    kind = least_type(mask, mask)
    return operation("&", node, literal(mask, kind, node.place, is_mask=True), node.place)


def as_word(node: tree.Expression) -> tree.Expression:
    """Return a number as an unsigned one of 64 bits."""
    return node if c_type(node) == UNSIGNED_LONG else tree.Cast(node, UNSIGNED_LONG, node.place)


def wrapped(number: int, to: Number) -> int:
    """Return the number of the type with the same last bits.

    >>> wrapped(130, Number(8, True)), wrapped(-1, Number(4, False))
    (-126, 15)
    """
    last = number & ((1 << to.bits) - 1)
    return last - (1 << to.bits) if last > to.greatest else last


def low_word(node: tree.Expression) -> tree.Expression:
    """Return an expression of at most 64 bits with the last 64 bits of one of 128.

    >>> at = SourceRange("k.cpp", 1, 1)
    >>> a = tree.ID("a", LONG, at)
    >>> total = tree.BinaryOp("+", tree.Cast(a, INT128, at), a, INT128, at)
    >>> low_word(total).type == UNSIGNED_LONG, low_word(total).right is a
    (True, True)
    """
    if c_type(node).bits < INT128.bits:
        return node
    place = node.place
    match node:
        case tree.Cast(expr) if isinstance(expr.type, Number):
            return low_word(expr)
        case tree.UnaryOp(op="+"):
            return low_word(node.expr)
        case tree.BinaryOp(op="+" | "-" | "*" | "&" | "|" | "^"):
            left, right = low_word(node.left), low_word(node.right)
            if node.op == "|" and literal_number(left) == 0:
                return right
            if c_type(left).common(c_type(right)) != UNSIGNED_LONG:
                left = as_word(left)
            return operation(node.op, left, right, place)
        case tree.BinaryOp(op="<<", right=tree.Constant(value)):
            if int(value) >= 64:
                return literal(0, UNSIGNED_LONG, place)
            return operation("<<", as_word(low_word(node.left)), node.right, place)
        case tree.UnaryOp(op="-" | "~"):
            inner = as_word(low_word(node.expr))
            return tree.UnaryOp(node.op, inner, UNSIGNED_LONG, place)
    return as_word(node)


def moved_left(value: Value, places: int, to: Number) -> Value:
    """Return the last bits of a stored integer times 2**places as a number of that type."""
    place = value.node.place
    if not places:
        return cut(value, to)
    if places >= to.bits:
        return literal_value(0, to, place)
    least, greatest = value.least << places, value.greatest << places
    if least >= LONG.least and greatest <= (UNSIGNED_LONG if least >= 0 else LONG).greatest:
        return cut(multiplied(value, places), to)
    bits = as_word(low_word(value.node))
    node = operation("<<", bits, literal(places, INT, place), place)
    return cut(Value(node, to, 0, UNSIGNED_LONG.greatest), to)
