"""Expressions and statements of C on integers as text of Python that computes the same.

What wraps or is cut in C does so here. Overflow of signed types is undefined and taken not to be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.symbols import IntegerConstant, Scope
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.types import scalar_type

_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_PLAIN = ("+", "-", "*", "&", "|", "^")


FAILURES = (TypeError, ZeroDivisionError, NameError, SyntaxError, RecursionError, MemoryError)
"""Errors of text that reads a variable without value, divides by 0 or is too deep for Python."""


class Unknown(Exception):
    """An expression that is not computed of known integers alone."""


class Open:
    """The value of a variable that has none yet: whatever computes with it raises TypeError."""

    def __bool__(self) -> bool:
        raise TypeError

    def __eq__(self, other: object) -> bool:
        raise TypeError

    __hash__ = None  # type: ignore[assignment]


def quotient(left: int, right: int) -> int:
    """Return left / right as C has it: cut towards 0."""
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def remainder(left: int, right: int) -> int:
    """Return left % right as C has it: with the sign of `left`."""
    return left - right * quotient(left, right)


def signed(number: int, bits: int) -> int:
    """Return the signed number of so many bits that has the last bits of another."""
    half = 1 << (bits - 1)
    return (number + half) % (half << 1) - half


NAMES: Mapping[str, Any] = {"quotient": quotient, "remainder": remainder, "signed": signed}
"""The functions that the text calls."""


def as_type(text: str, own: Number, to: Number) -> str:
    """Return the text of a value in another type."""
    if to.is_bool:
        return text if own.is_bool else f"int({text} != 0)"
    if to.least <= own.least and own.greatest <= to.greatest:
        return text
    return f"signed({text}, {to.bits})" if to.signed else f"({text} & {to.greatest})"


class Expressions:
    """Expressions over variables of known `types`, which Python has under names of `shown`."""

    def __init__(
        self, scope: Scope, types: Mapping[str, Number], shown: Callable[[str], str]
    ) -> None:
        self.scope, self.types, self.shown = scope, types, shown

    def value(self, node: Any, to: Number | None = None) -> str:
        """Return the text of an expression, in a type if one is given. Raises Unknown."""
        text, own = self._typed(node)
        return text if to is None else as_type(text, own, to)

    def _typed(self, node: Any) -> tuple[str, Number]:
        match node:
            case tree.Constant():
                found = integer_literal(node)
                if found is not None:
                    return str(found[0]), found[1]
            case tree.ID():
                return self._name(node.name)
            case tree.BinaryOp(op="&&" | "||" as op):
                word = "and" if op == "&&" else "or"
                left, right = self.value(node.left), self.value(node.right)
                return f"int(({left}) != 0 {word} ({right}) != 0)", INT
            case tree.BinaryOp(op="<<" | ">>"):
                return self._shift(node)
            case tree.BinaryOp():
                return self._binary(node)
            case tree.UnaryOp(op="!"):
                return f"int(({self.value(node.expr)}) == 0)", INT
            case tree.UnaryOp(op="-" | "~" | "+" as op):
                text, kind = self._typed(node.expr)
                return self._cut(f"({op}{text})", kind.promoted()), kind.promoted()
            case tree.TernaryOp():
                then, otherwise = self._typed(node.iftrue), self._typed(node.iffalse)
                kind = then[1].common(otherwise[1])
                ways = (as_type(*then, kind), as_type(*otherwise, kind))
                return f"({ways[0]} if ({self.value(node.cond)}) != 0 else {ways[1]})", kind
            case tree.Cast():
                to = scalar_type(node.type)
                if isinstance(to, Number):
                    return self.value(node.expr, to), to
        raise Unknown

    def _name(self, name: str) -> tuple[str, Number]:
        kind = self.types.get(name)
        if kind is not None:
            return self.shown(name), kind
        symbol = self.scope.find(name)
        if isinstance(symbol, IntegerConstant):
            return str(symbol.value), symbol.type
        raise Unknown

    def _binary(self, node: Any) -> tuple[str, Number]:
        left, right = self._typed(node.left), self._typed(node.right)
        kind = left[1].common(right[1])
        a, b = as_type(*left, kind), as_type(*right, kind)
        if node.op in _COMPARED:
            return f"int({a} {node.op} {b})", INT
        if node.op in _PLAIN:
            return self._cut(f"({a} {node.op} {b})", kind), kind
        return f"{'quotient' if node.op == '/' else 'remainder'}({a}, {b})", kind

    def _shift(self, node: Any) -> tuple[str, Number]:
        text, kind = self._typed(node.left)
        kind = kind.promoted()
        return self._cut(f"({text} {node.op} {self.value(node.right)})", kind), kind

    def _cut(self, text: str, kind: Number) -> str:
        return text if kind.signed else f"({text} & {kind.greatest})"
