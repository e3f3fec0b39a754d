"""Values of expressions: C for a number of arbitrary precision, its type in C++, its range."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.operator_ranges import range_in_c
from hlsmem.read.c.clang.types_in_c import holds, is_function, literal_number


@dataclass(frozen=True, slots=True)
class Value:
    """An expression in C, its type in C++, and the range of the integer that stores it.

    The range of a floating-point number is not known.
    """

    node: tree.Expression
    type: tree.Number | tree.Float
    least: int = 0
    greatest: int = 0

    @property
    def number(self) -> tree.Number:
        """Its type, of what is no floating-point number."""
        if isinstance(self.type, tree.Float):
            raise TypeError(self.type)
        return self.type

    @property
    def constant(self) -> int | None:
        """The stored integer of a literal; None of others."""
        return literal_number(self.node)

    @property
    def range(self) -> tuple[int, int]:
        return self.least, self.greatest


class NotExact(Exception):
    """An operation that is not exact in C: what it does, and what to write in place of it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one expression of its parameters."""

    parameters: tuple[tree.ID, ...]
    returns: tree.Number | tree.Float
    value: tree.Expression


def value_of(node: tree.Expression, declared: tree.Number | tree.Float | None = None) -> Value:
    """Return the value of an expression by its type, and by its digits where it is a literal.

    `declared` is the type of an expression in C++ that converts one to another without any C.

    >>> at = tree.SourceRange("k.cpp", 1, 1)
    >>> one = value_of(tree.ID("x", tree.Number(4, True, exact=True), at))
    >>> one.least, one.greatest
    (-8, 7)
    >>> value_of(tree.Constant("0x1ful", tree.UNSIGNED_LONG, at)).constant
    31
    """
    match node.type:
        case tree.Float() as kind:
            return Value(node, kind)
        case tree.Number() as kind:
            found = range_in_c(node)
            if isinstance(declared, tree.Number) and declared.point == kind.point:
                kind = declared if holds(declared, *found) else kind
            return Value(node, kind, *found)
        case _:
            raise TypeError(node.type)


def as_typed(value: Value) -> Value:
    """Return a value whose node says its type in C++, as far as C may see another type there."""
    node, kind = value.node, value.type
    match node:
        case (
            tree.Constant()
            | tree.UnaryOp(op="-" | "~" | "!" | "+")
            | tree.BinaryOp()
            | tree.TernaryOp()
        ):
            return replace(value, node=replace(node, type=kind))
        case tree.FuncCall() if is_function(node.name):
            return replace(value, node=replace(node, type=kind))
        case tree.Cast(type=tree.Number() as of_c) if isinstance(kind, tree.Number):
            if (of_c.bits, of_c.signed) == (kind.bits, kind.signed):
                return replace(value, node=replace(node, type=kind))
    points = [one.point if isinstance(one, tree.Number) else 0 for one in (kind, node.type)]
    if points[0] == points[1]:
        return value
    return replace(value, node=tree.UnaryOp("+", node, kind, node.place))
