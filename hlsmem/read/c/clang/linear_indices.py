"""Indices of bits as linear forms: what the width of a slice is proved on."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.read.c import tree
from hlsmem.read.c.clang.exact_values import NotExact
from hlsmem.read.c.clang.lowered_types import text_in_c
from hlsmem.read.c.clang.operator_ranges import range_in_c
from hlsmem.read.c.clang.types_in_c import holds, is_function, literal_number
from hlsmem.read.c.tree import Number

Index = tree.Expression | int
Form = Mapping[str, int]
"""Coefficients of names, and of other terms by their text; that of "" is the constant."""


def width_of(high: Index, low: Index) -> int:
    """Return the bits from index `low` to `high`, where they are equally many always.

    >>> i = tree.ID("i", tree.INT, tree.SourceRange("k.cpp", 1, 1))
    >>> eight = tree.Constant("8", tree.INT, i.place)
    >>> low = tree.BinaryOp("*", i, eight, tree.INT, i.place)
    >>> width_of(tree.BinaryOp("+", low, eight, tree.INT, i.place), low)
    9
    """
    rest = _plus(linear_form(high), linear_form(low), -1)
    constant = rest.get("", 0)
    if any(factor for name, factor in rest.items() if name):
        what = "has a width that is not known to be constant"
        raise NotExact(what, "write both ends as one index plus constants: x.range(i + 7, i)")
    if constant < 0:
        raise NotExact("names its bits in reverse", "write x.range(high, low)")
    return constant + 1


def constant_of(index: Index) -> int | None:
    """Return the number that an index is whatever its names stand for; None for others."""
    form = linear_form(index)
    return None if any(factor for name, factor in form.items() if name) else form.get("", 0)


def linear_form(index: Index) -> Form:
    """Return an index as a linear form; what is not linear is a term of its own."""
    if isinstance(index, int):
        return {"": index}
    number = literal_number(index)
    if number is not None:
        return {"": number}
    match index:
        case tree.UnaryOp(op="-"):
            return _times(linear_form(index.expr), -1)
        case tree.UnaryOp(op="+"):
            return linear_form(index.expr)
        case tree.BinaryOp(op="+" | "-"):
            sign = 1 if index.op == "+" else -1
            return _plus(linear_form(index.left), linear_form(index.right), sign)
        case tree.BinaryOp(op="*"):
            left, right = linear_form(index.left), linear_form(index.right)
            for one, other in ((left, right), (right, left)):
                if not any(one[name] for name in one if name):
                    return _times(other, one.get("", 0))
        case tree.BinaryOp(op="<<"):
            places = literal_number(index.right)
            if places is not None and 0 <= places < 32:
                return _times(linear_form(index.left), 1 << places)
        case tree.Cast(expr, Number() as kind) if isinstance(expr.type, Number):
            # A conversion between words keeps indices: those of bits are far below 2**31.
            is_word = 32 <= kind.bits == getattr(expr.type, "bits", 0) and not kind.exact
            if is_word or holds(kind, *range_in_c(expr)):
                return linear_form(expr)
    if not is_pure(index):
        raise NotExact("has an effect in the index of a bit", "write it in a statement before")
    return {text_in_c(index): 1}


def constant_index(index: Index) -> int | None:
    """Return an index that is a constant; None for others."""
    form = linear_form(index)
    return None if any(form[name] for name in form if name) else form.get("", 0)


def is_pure(node: tree.Expression) -> bool:
    """Return True if an expression may be computed twice: without effects, and without calls."""
    match node:
        case tree.ID() | tree.Constant():
            return True
        case tree.UnaryOp():
            return node.op in ("-", "~", "!", "+", "*", "&") and is_pure(node.expr)
        case tree.BinaryOp():
            return is_pure(node.left) and is_pure(node.right)
        case tree.TernaryOp():
            return all(is_pure(one) for one in (node.cond, node.iftrue, node.iffalse))
        case tree.ArrayRef():
            return is_pure(node.name) and is_pure(node.subscript)
        case tree.StructRef():
            return is_pure(node.name)
        case tree.Cast():
            return is_pure(node.expr)
        case tree.FuncCall():
            return is_function(node.name) and all(is_pure(one) for one in node.args)
    return False


def _plus(left: Form, right: Form, factor: int) -> Form:
    names = [*left, *(name for name in right if name not in left)]
    return {name: left.get(name, 0) + factor * right.get(name, 0) for name in names}


def _times(form: Form, factor: int) -> Form:
    return {name: factor * own for name, own in form.items()}
