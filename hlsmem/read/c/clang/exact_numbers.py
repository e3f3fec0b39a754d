"""Arithmetic of arbitrary precision as exact C: operators, and conversions that cut and round.

The types of results are those that C++ states; fixed-point numbers are the integers that store
them. Expressions are exact until a conversion, and an operator whose type has fewer bits than its
value, such as a shift, is cut to that type. What C cannot do exactly raises `NotExact`.
"""

from __future__ import annotations

from dataclasses import replace

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    in_common_type,
    in_one_type,
    in_type_for,
    literal_value,
    multiplied,
    operation,
)
from hlsmem.read.c.clang.conversions import aligned, converted, fitted, truth
from hlsmem.read.c.clang.exact_values import NotExact, Value, as_typed, value_of
from hlsmem.read.c.clang.linear_indices import is_pure
from hlsmem.read.c.clang.numeric_functions import helpers
from hlsmem.read.c.clang.operator_ranges import range_of
from hlsmem.read.c.clang.shifts import shifted
from hlsmem.read.c.clang.slices import (
    concatenated,
    slice_assignments,
    slice_value,
)
from hlsmem.read.c.clang.types_in_c import COMPARED, LOGICAL, c_type, is_wide, limbs_in
from hlsmem.read.c.clang.wide_words import (
    aligned_word,
    as_integer,
    bitwise,
    chosen,
    complement,
    equality,
    is_word,
)
from hlsmem.read.c.clang.word_slices import word_assignments
from hlsmem.read.c.tree import BOOL, INT, Float, Number, SourceRange

__all__ = [
    "NotExact",
    "Value",
    "binary",
    "concatenated",
    "conditional",
    "converted",
    "helpers",
    "is_wide",
    "limbs_in",
    "result_of",
    "slice_assignments",
    "slice_value",
    "truth",
    "unary",
    "value_of",
    "word_assignments",
]

_DIVISIONS = ("/", "%")


def binary(
    op: str, left: Value, right: Value, result: Number | Float, place: SourceRange | None = None
) -> Value:
    """Return an operator on two numbers; `result` is its type in C++."""
    return as_typed(_binary(op, left, right, result, place or left.node.place))


def _binary(
    op: str, left: Value, right: Value, result: Number | Float, place: SourceRange
) -> Value:
    if is_word(left) or is_word(right):
        found = _of_words(op, left, right, result, place)
        if found is not None:
            return found
        left = left if op in ("<<", ">>") else as_integer(left)
        right = as_integer(right)
    if op in LOGICAL:
        return Value(tree.BinaryOp(op, left.node, right.node, INT, place), result, 0, 1)
    if isinstance(left.type, Float) or isinstance(right.type, Float):
        return _of_floats(op, left, right, result, place)
    if isinstance(result, Float):
        raise TypeError(result)
    if op in ("<<", ">>"):
        return shifted(op, left, right, result, place)
    if op == "*":
        point = left.number.point + right.number.point
    elif op == "/":  # the places of the dividend are left
        places = max(right.number.point, 0)
        point = left.number.point - right.number.point + places
        left = multiplied(left, places)
    else:
        point = max(left.number.point, right.number.point)
        if op == "%" and (left.number.point or right.number.point):
            remedy = "divide, and subtract what the quotient gives: x - q * y"
            raise NotExact(f"takes '{op}' of a fixed-point number", remedy)
        left, right = aligned(left, point), aligned(right, point)
    if op in COMPARED:
        sides = in_one_type(left, right)[:2]
        return Value(tree.BinaryOp(op, *sides, INT, place), result, 0, 1)
    least, greatest = range_of(op, left.range, right.range)
    room = (least, greatest)
    if op in _DIVISIONS:  # the least integer by -1 has no quotient in its own type
        room = range_of("/", left.range, right.range)
    node = operation(op, *in_common_type(left, right, *room)[:2], place)
    bits = max(1, greatest.bit_length(), (~least).bit_length()) + 1
    return fitted(Value(node, Number(bits, True, point, exact=True), least, greatest), result)


def _of_words(
    op: str, left: Value, right: Value, result: Number | Float, place: SourceRange
) -> Value | None:
    """Return an operator on words; None for one that takes numbers that `__int128` holds."""
    if op in LOGICAL:
        return _binary(op, truth(left), truth(right), result, place)
    is_bitwise = op in ("&", "|", "^")
    if not (is_bitwise or op in ("==", "!=")) or isinstance(result, Float):
        return None
    if isinstance(left.type, Float) or isinstance(right.type, Float):
        return None
    point = max(left.type.point, right.type.point)
    left, right = aligned_word(left, point), aligned_word(right, point)
    return (bitwise if is_bitwise else equality)(op, left, right, result, place)


def _of_floats(
    op: str, left: Value, right: Value, result: Number | Float, place: SourceRange
) -> Value:
    """Return an operator of which one operand is a floating-point number."""
    kind = result
    if not isinstance(kind, Float):
        bits = [one.type.bits for one in (left, right) if isinstance(one.type, Float)]
        kind = Float(max(bits))
    first, second = converted(left, kind), converted(right, kind)
    of_c: tree.Type = INT if op in COMPARED else kind
    node = tree.BinaryOp(op, first.node, second.node, of_c, place)
    return Value(node, result, 0, 1) if op in COMPARED else Value(node, result)


def unary(
    op: str, operand: Value, result: Number | Float, place: SourceRange | None = None
) -> Value:
    """Return an operator on one number; `result` is its type in C++."""
    return as_typed(_unary(op, operand, result, place or operand.node.place))


def _unary(op: str, operand: Value, result: Number | Float, place: SourceRange) -> Value:
    if is_word(operand):
        if op == "!":
            operand = truth(operand)
        elif op == "~" and isinstance(result, Number):
            return complement(operand, result, place)
        else:
            operand = as_integer(operand) if op == "-" else converted(operand, result)
    if op == "!":
        return Value(tree.UnaryOp("!", operand.node, INT, place), result, 0, 1)
    if isinstance(result, Float) or isinstance(operand.type, Float):
        inner = converted(operand, result)
        return Value(tree.UnaryOp(op, inner.node, inner.node.type, place), result)
    if op == "+":
        return operand if is_word(operand) else fitted(operand, result)
    kind = operand.number
    if op == "-":
        least, greatest = -operand.greatest, -operand.least
    else:
        least, greatest = ~operand.greatest, ~operand.least
    exact = Number(kind.bits + 1, True, kind.point, exact=True)
    if operand.constant is not None:
        return fitted(literal_value(least, exact, place), result)
    # The complement has the last bits that it should have in any type.
    has_bits = op == "~" and result.bits <= c_type(operand.node).bits
    node = operand.node if has_bits else in_type_for(operand, least, greatest)
    found = tree.UnaryOp(op, node, c_type(node), place)
    if has_bits and not c_type(node).signed:
        least, greatest = c_type(node).least, c_type(node).greatest
    return fitted(Value(found, exact, least, greatest), result)


def conditional(
    cond: tree.Expression,
    then: Value,
    otherwise: Value,
    result: Number | Float,
    place: SourceRange | None = None,
) -> Value:
    """Return one of two numbers; `result` is the type of the whole in C++."""
    place = place or cond.place
    then, otherwise = converted(then, result), converted(otherwise, result)
    if isinstance(result, Float):
        return Value(tree.TernaryOp(cond, then.node, otherwise.node, result, place), result)
    if is_word(then) or is_word(otherwise):
        if not is_pure(cond):
            raise NotExact("chooses a wide word by a call", "write the condition to a variable")
        return chosen(cond, then, otherwise, result, place)
    least = min(then.least, otherwise.least)
    greatest = max(then.greatest, otherwise.greatest)
    first, second = in_one_type(then, otherwise)[:2]
    return Value(tree.TernaryOp(cond, first, second, result, place), result, least, greatest)


def result_of(op: str, left: Number | Float, right: Number | Float) -> Number | Float:
    """Return the type of an operator's exact result: the widths of AMD UG1399.

    >>> eight = Number(8, True, exact=True)
    >>> result_of("+", eight, eight).bits, result_of("*", eight, eight).bits
    (9, 16)
    """
    if op in COMPARED or op in LOGICAL:
        return BOOL
    if isinstance(left, Float) or isinstance(right, Float):
        return Float(max(one.bits for one in (left, right) if isinstance(one, Float)))
    either = left.signed or right.signed
    match op:
        case "<<" | ">>":
            return replace(left, exact=True)
        case "*":
            point = left.point + right.point
            return Number(left.bits + right.bits, either, point, exact=True)
        case "/":
            places = max(right.point, 0)
            point, bits = left.point - right.point + places, left.bits + places + right.signed
            return Number(bits, either, point, exact=True)
        case "%":
            bits = min(left.bits, right.bits + (left.signed and not right.signed))
            return Number(bits, left.signed, left.point, exact=True)
    point = max(left.point, right.point)
    before = max(
        left.bits - left.point + (right.signed and not left.signed),
        right.bits - right.point + (left.signed and not right.signed),
    )
    if op in ("+", "-"):
        return Number(before + point + 1, either or op == "-", point, exact=True)
    return Number(before + point, either, point, exact=True)
