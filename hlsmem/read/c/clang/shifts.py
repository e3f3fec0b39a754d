"""Shifts of stored integers, by constants and by variables; a negative variable shifts back."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    as_word,
    cut,
    literal,
    literal_value,
    low_word,
    moved_left,
    operation,
)
from hlsmem.read.c.clang.exact_values import Function, NotExact, Value
from hlsmem.read.c.clang.rounding import shifted_down
from hlsmem.read.c.clang.types_in_c import INT128, PREFIX, UNSIGNED_END, WIDEST, c_type, holds
from hlsmem.read.c.clang.wide_words import bits_from, is_word
from hlsmem.read.c.tree import INT, LONG, UNSIGNED, UNSIGNED_LONG, Number, SourceRange

_LEFT, _RIGHT = "shift_left", "shift_right"
_FAR = "_far"
"""The end of the names of shifts whose amount is an unsigned long."""


def shifted(op: str, value: Value, amount: Value, result: Number, place: SourceRange) -> Value:
    """Return a number shifted within the bits of its type; what leaves them is lost."""
    if amount.number.point:
        raise NotExact("shifts by a fixed-point number", "convert it to int first")
    places = amount.constant
    if places is None and (is_word(value) or result.bits > WIDEST):
        what = f"shifts a number of {result.bits} bits by a variable"
        raise NotExact(what, f"shift by a constant, or convert it to {WIDEST} bits first")
    if places is None:
        return _by_variable(op, value, amount, result, place)
    if places < 0:
        other = "<<" if op == ">>" else ">>"
        raise NotExact("shifts by a negative constant", f"write '{other} {-places}'")
    if is_word(value) or (result.bits > WIDEST and op == "<<"):
        return bits_from(value, places if op == ">>" else -places, result)
    if op == "<<":
        return moved_left(value, places, result)
    least, greatest = value.least >> places, value.greatest >> places
    if value.constant is not None:
        return cut(literal_value(least, result, place), result)
    return cut(Value(shifted_down(value, places), result, least, greatest), result)


def _by_variable(op: str, value: Value, amount: Value, result: Number, place: SourceRange) -> Value:
    most = amount.greatest
    if amount.least < 0 or most >= (WIDEST if op == "<<" else c_type(value.node).bits):
        return cut(_called(op, value, amount, place), result)
    if op == ">>":
        down = operation(">>", value.node, amount.node, place)
        ends = (value.least, value.least >> most, value.greatest, value.greatest >> most)
        return cut(Value(down, result, min(ends), max(ends)), result)
    ends = (value.least, value.least << most, value.greatest, value.greatest << most)
    least, greatest = min(ends), max(ends)
    node: tree.Expression = low_word(value.node)
    if least < 0 or not holds(c_type(node), least, greatest) or most >= c_type(node).bits:
        if result.bits <= UNSIGNED.bits and most < UNSIGNED.bits:
            node = node if c_type(node) == UNSIGNED else tree.Cast(node, UNSIGNED, place)
        else:
            node = as_word(node)
        least, greatest = c_type(node).least, c_type(node).greatest
    return cut(Value(operation("<<", node, amount.node, place), result, least, greatest), result)


def _called(op: str, value: Value, amount: Value, place: SourceRange) -> Value:
    """Return a call of a shift by any amount."""
    is_signed = value.least < 0
    kind = LONG if is_signed else UNSIGNED_LONG
    if not holds(kind, value.least, value.greatest):
        raise NotExact("shifts more than 64 bits by a variable", "convert the number first")
    name = PREFIX + (_LEFT if op == "<<" else _RIGHT)
    if not holds(LONG, *amount.range):
        name += _FAR
    if not is_signed:
        name += UNSIGNED_END
    node = tree.FuncCall(name, (value.node, amount.node), kind, place)
    return Value(node, kind, kind.least, kind.greatest)


def function_of(name: str, place: SourceRange) -> Function | None:
    """Return a function of this module by its name."""
    kind = UNSIGNED_LONG if name.endswith(UNSIGNED_END) else LONG
    words = name.removeprefix(PREFIX).removesuffix(UNSIGNED_END)
    amount = INT128 if words.endswith(_FAR) else LONG
    words = words.removesuffix(_FAR)
    if words not in (_LEFT, _RIGHT):
        return None
    x, n = tree.ID("x", kind, place), tree.ID("n", amount, place)

    def right(is_far: tree.Expression, by: tree.Expression) -> tree.Expression:
        if kind.signed:
            by = tree.TernaryOp(is_far, literal(63, INT, place), by, amount, place)
            return operation(">>", x, by, place)
        moved = operation(">>", x, by, place)
        return tree.TernaryOp(is_far, literal(0, INT, place), moved, kind, place)

    def left(is_far: tree.Expression, by: tree.Expression) -> tree.Expression:
        moved: tree.Expression = operation("<<", as_word(x), by, place)
        if kind.signed:
            moved = tree.Cast(moved, kind, place)
        return tree.TernaryOp(is_far, literal(0, INT, place), moved, kind, place)

    ahead, back = (left, right) if words == _LEFT else (right, left)
    minus = tree.UnaryOp("-", n, amount, place)
    turned = back(_compared(n, "<", -63), minus)
    found = tree.TernaryOp(
        _compared(n, "<", 0), turned, ahead(_compared(n, ">", 63), n), kind, place
    )
    return Function((x, n), kind, found)


def _compared(amount: tree.Expression, op: str, number: int) -> tree.Expression:
    place = amount.place
    return tree.BinaryOp(op, amount, literal(number, INT, place), INT, place)
