"""Values put in the place of variables: what expressions are, and what variables then hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.extents import UnknownExtentError, quantity
from hlsmem.read.c.normal.scalars.index_values import Environment, Pointer, Value, plain
from hlsmem.read.c.normal.scalars.integer_types import is_index
from hlsmem.read.c.normal.scalars.linear_sums import linear, simplified
from hlsmem.read.c.operations import binary, indexed, unary
from hlsmem.read.c.symbols import Scope, Shape, Variable
from hlsmem.read.c.tree import Node, Number
from hlsmem.read.c.trees import fresh, integer, rewrite
from hlsmem.read.c.types import scalar_type

_REPLACED = frozenset([tree.ID, tree.StructRef, tree.ArrayRef, tree.UnaryOp])


class Substitution:
    """Expressions with values put in, as the names of `scope` are understood.

    `failed` are the variables that are used where their value is not known.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.failed: set[str] = set()

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names declared inside are known there alone."""
        outer, self.scope = self.scope, self.scope.inner()
        yield
        self.scope = outer

    # Expressions.

    def expression(self, node: Any, environment: Environment) -> Any:
        """An expression, or the whole of a statement, with values put in."""

        def replaced(part: Any) -> Any | None:
            if type(part) not in _REPLACED:
                return None
            match part:
                case tree.ID():
                    return self.used(part, environment)
                case tree.StructRef(arrow=True):
                    pointer = self.pointer(part.name, environment)
                    if pointer is not None:
                        element = pointer.element(integer(0, part.place), part.place)
                        if element is not None:
                            return tree.StructRef(element, part.field, False, part.type, part.place)
                case tree.ArrayRef():
                    pointer = self.pointer(part.name, environment)
                    if pointer is not None:
                        subscript = rewrite(part.subscript, replaced)
                        return pointer.element(subscript, part.place) or part
                    if isinstance(part.subscript, Node):
                        new = rewrite(part.subscript, replaced)
                        whole = new if new is part.subscript else simplified(new)
                        base = rewrite(part.name, replaced)
                        same = whole is part.subscript and base is part.name
                        return part if same else indexed(base, whole, part.place)
                case tree.UnaryOp(op="*"):
                    pointer = self.pointer(part.expr, environment)
                    if pointer is not None:
                        return pointer.element(integer(0, part.place), part.place) or part
            return None

        return rewrite(node, replaced)

    def used(self, node: Any, environment: Environment) -> Any | None:
        if node.name not in environment:
            return None
        value = environment[node.name]
        if value is None:
            self.failed.add(node.name)
            return node
        if isinstance(value, Pointer):
            if not value.is_array:
                return unary("&", fresh(value.base, node.place), node.place)
            offset = linear(value.offset)
            base = fresh(value.base, node.place)
            if offset.is_constant() and not offset.constant:
                return base
            return binary("+", base, fresh(value.offset, node.place), node.place)
        return fresh(value, node.place)

    def pointer(self, node: Any, environment: Environment) -> Pointer | None:
        """The target of an expression made of a local pointer or an address."""
        match node:
            case tree.ID() if node.name in environment and self.is_pointer(node.name):
                found = environment[node.name]
                if isinstance(found, Pointer):
                    return found
                self.failed.add(node.name)
            case tree.UnaryOp(op="&"):
                return self.address(node.expr, environment)
            case tree.BinaryOp(op="+" | "-" as op):
                left = self.pointer(node.left, environment)
                other = node.right
                if left is None and op == "+":
                    left, other = self.pointer(node.right, environment), node.left
                if left is not None and left.is_array:
                    amount = self.expression(other, environment)
                    offset = binary(op, left.offset, amount, node.place)
                    return Pointer(left.base, simplified(offset))
        return None

    def address(self, node: Any, environment: Environment) -> Pointer | None:
        """The target of `&node`."""
        new = self.expression(node, environment)
        match new:
            case tree.ArrayRef():
                return Pointer(new.name, new.subscript)
            case tree.ID():
                symbol = self.scope.find(new.name)
                if isinstance(symbol, Variable) and not symbol.shape.extents:
                    return Pointer(new, integer(0), False)
        return None

    def is_pointer(self, own: str) -> bool:
        symbol = self.scope.find(own)
        return isinstance(symbol, Variable) and symbol.shape.pointer

    # Values of variables.

    def value_for(self, target: str, node: Any, environment: Environment) -> Value | None:
        """The value of an expression for a variable of its type; None where it is none to keep."""
        symbol = self.scope.find(target)
        if not isinstance(symbol, Variable):
            return None
        if symbol.shape.pointer:
            found = self.decayed(node, environment)
            if found is None or not self.fits(symbol.shape, found):
                return None
            return found
        new = self.expression(node, environment)
        if not is_index(new, self.scope) or not isinstance(symbol.shape.scalar, Number):
            return None
        if scalar_type(new.type) != symbol.shape.scalar:
            return tree.Cast(new, symbol.declaration.type, place=node.place)
        return simplified(new)

    def decayed(self, node: Any, environment: Environment) -> Pointer | None:
        """The pointer that an expression is, an array or a row being one to its beginning."""
        found = self.pointer(node, environment)
        if found is not None:
            return found
        match node:
            case tree.BinaryOp(op="+" | "-" as op):
                left, other = self.decayed(node.left, environment), node.right
                if left is None and op == "+":
                    left, other = self.decayed(node.right, environment), node.left
                if left is None or not left.is_array:
                    return None
                amount = self.expression(other, environment)
                offset = binary(op, left.offset, amount, node.place)
                return Pointer(left.base, simplified(offset))
            case tree.ID() | tree.ArrayRef() | tree.UnaryOp(op="*") | tree.StructRef():
                new = self.expression(node, environment)
                if self.pointee(new) is not None:
                    return Pointer(new, integer(0))
        return None

    def pointee(self, node: Any) -> tuple[Variable, int] | None:
        """The variable of an array or a row, and how many subscripts it has already."""
        count = 0
        while isinstance(node, tree.ArrayRef):
            node, count = node.name, count + 1
        symbol = self.scope.find(plain(node.name)) if isinstance(node, tree.ID) else None
        if not isinstance(symbol, Variable) or count >= len(symbol.shape.extents):
            return None
        return symbol, count

    def fits(self, shape: Shape, pointer: Pointer) -> bool:
        """True if a pointer may be used as its declared type says: same elements, same rows."""
        if not pointer.is_array:
            symbol = self.scope.find(pointer.base.name)
            assert isinstance(symbol, Variable)
            same = symbol.shape.scalar == shape.scalar and shape.scalar is not None
            return same and len(shape.extents) == 1
        found = self.pointee(pointer.base)
        if found is None:
            return False
        symbol, count = found
        rows = replace(symbol.shape, extents=symbol.shape.extents[count + 1 :])
        return _alike(rows, symbol.home, replace(shape, extents=shape.extents[1:]), self.scope)


def _alike(left: Shape, outer: Scope, right: Shape, inner: Scope) -> bool:
    """True if two shapes have the same numbers in the same places."""
    if left.scalar != right.scalar or len(left.extents) != len(right.extents):
        return False
    if [name for name, _ in left.members] != [name for name, _ in right.members]:
        return False
    pairs = zip(left.extents, right.extents, strict=True)
    members = zip(left.members, right.members, strict=True)
    return all(_equal(a, outer, b, inner) for a, b in pairs) and all(
        _alike(a, outer, b, inner) for (_, a), (_, b) in members
    )


def _equal(left: Any, outer: Scope, right: Any, inner: Scope) -> bool:
    if left is None or right is None:
        return False
    try:
        return bool(quantity(left, outer) == quantity(right, inner))
    except UnknownExtentError:
        return text_of(left) == text_of(right)
