"""The range of what an operator makes of two integers, and of an expression in C."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.types_in_c import (
    COMPARED,
    LOGICAL,
    c_type,
    holds,
    literal_number,
    word_type,
)
from hlsmem.read.c.tree import Number

Range = tuple[int, int]

_DEPTH = 3
"""Depth in operators to which a range is looked for; an expression has no more of its own."""


def range_in_c(node: tree.Expression, depth: int = _DEPTH) -> Range:
    """Return the least and the greatest integer that an expression has in C.

    >>> at = tree.SourceRange("k.cpp", 1, 1)
    >>> x, seven = tree.ID("x", tree.INT, at), tree.Constant("7", tree.INT, at)
    >>> range_in_c(tree.BinaryOp("&", x, seven, tree.INT, at))
    (0, 7)
    """
    number = literal_number(node)
    if number is not None:
        return number, number
    kind = node.type
    if not isinstance(kind, Number):
        raise TypeError(kind)
    if word_type(node) is not None:
        return kind.least, kind.greatest
    own = c_type(node)
    found = _of_operator(node, depth - 1) if depth else None
    if found is None or not holds(own, *found):
        found = own.least, own.greatest
    return max(found[0], kind.least), min(found[1], kind.greatest)


def _of_operator(node: tree.Expression, depth: int) -> Range | None:
    """Return the range of an operator's exact result; None where nothing is known of it."""
    match node:
        case tree.UnaryOp(op="!"):
            return 0, 1
        case tree.UnaryOp(op="-"):
            least, greatest = range_in_c(node.expr, depth)
            return -greatest, -least
        case tree.BinaryOp(op) if op in COMPARED or op in LOGICAL:
            return 0, 1
        case tree.BinaryOp(op="<<" | ">>", right=tree.Constant()):
            least, greatest = range_in_c(node.left, depth)
            places = literal_number(node.right) or 0
            if node.op == "<<":
                return least << places, greatest << places
            return least >> places, greatest >> places
        case tree.BinaryOp(op="+" | "-" | "*" | "/" | "%" | "&" | "|" | "^"):
            sides = range_in_c(node.left, depth), range_in_c(node.right, depth)
            if not all(holds(c_type(node), *one) for one in sides):
                return None
            return range_of(node.op, *sides)
        case tree.TernaryOp():
            one, other = range_in_c(node.iftrue, depth), range_in_c(node.iffalse, depth)
            return min(one[0], other[0]), max(one[1], other[1])
        case tree.Cast() if isinstance(node.expr.type, Number):
            inner = range_in_c(node.expr, depth)
            return inner if isinstance(node.type, Number) and holds(node.type, *inner) else None
    return None


def range_of(op: str, left: Range, right: Range) -> Range:
    """Return the least and the greatest result of an operator on integers, exact."""
    match op:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            found = [a * b for a in left for b in right]
            return min(found), max(found)
        case "/":
            return _quotient(left, right)
        case "%":
            return _remainder(left, right)
        case "&" | "|" | "^":
            return _bitwise(op, left, right)
    raise ValueError(op)


def _quotient(left: Range, right: Range) -> Range:
    most = max(abs(left[0]), abs(left[1]))
    if left[0] >= 0 and right[0] >= 0:
        return left[0] // max(1, right[1]), left[1] // max(1, right[0])
    if right[0] >= 0:
        return min(left[0], 0), max(left[1], 0)
    return -most, most


def _remainder(left: Range, right: Range) -> Range:
    most = max(abs(right[0]), abs(right[1]), 1) - 1
    return -min(most, max(0, -left[0])), min(most, max(0, left[1]))


def _bitwise(op: str, left: Range, right: Range) -> Range:
    if op == "&" and (left[0] >= 0 or right[0] >= 0):
        return 0, min(one[1] for one in (left, right) if one[0] >= 0)
    ends = (*left, *right)
    bits = max(end.bit_length() if end >= 0 else (~end).bit_length() for end in ends)
    return (-(1 << bits) if min(ends) < 0 else 0), (1 << bits) - 1
