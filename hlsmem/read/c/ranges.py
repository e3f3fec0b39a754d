"""Between which bounds an integer lies that data decide: a subscript known at run time.

Bounds are piecewise quasi-affine in loop variables and parameters. They come from types, masks,
remainders, shifts, comparisons in front of `?`, and functions that return an expression of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.read.c import tree
from hlsmem.read.c.affine import NotAffineError, Reader
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.purity import is_pure_call, returned_expression
from hlsmem.read.c.symbols import Function, Scope, Variable
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.trees import fresh, is_assertion, rewrite
from hlsmem.read.c.types import scalar_type


@dataclass(frozen=True, slots=True)
class Range:
    """An integer of a C type between two PwAffs on the instances, both included."""

    least: Any
    greatest: Any
    type: Number


def range_of(node: Any, scope: Scope, domain: Any, reader: Reader) -> Range | None:
    """The bounds of an expression at the instances of `domain`; None where it is no integer.

    They hold whatever arrays and variables have; undefined overflow is taken not to happen.
    """
    return _Bounds(reader, scope, domain).of(node)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """`known` are bounds of expressions, by their text: where a condition holds."""

    reader: Reader
    scope: Scope
    domain: Any
    known: Mapping[str, tuple[Any | None, Any | None]] = field(default_factory=dict)

    def of(self, node: Any) -> Range | None:
        try:
            found = self.reader.integer(node, self.scope, self.domain)
            return Range(found.expression, found.expression, found.type)
        except NotAffineError:
            pass
        made = self.made(node)
        return None if made is None else self.narrowed(node, made)

    def narrowed(self, node: Any, found: Range) -> Range:
        low, high = self.known.get(text_of(node), (None, None))
        least = found.least if low is None else found.least.max(low)
        greatest = found.greatest if high is None else found.greatest.min(high)
        return Range(least, greatest, found.type)

    def made(self, node: Any) -> Range | None:
        match node:
            case tree.ID() | tree.ArrayRef() | tree.StructRef() | tree.UnaryOp(op="*"):
                return self.stored(node)
            case tree.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
                return self.between(0, 1, INT)
            case tree.BinaryOp():
                return self.binary(node)
            case tree.UnaryOp(op="!"):
                return self.between(0, 1, INT)
            case tree.UnaryOp(op="+" | "-"):
                inner = self.promoted(node.expr)
                if inner is None or node.op == "+":
                    return inner
                found = Range(inner.greatest.neg(), inner.least.neg(), inner.type)
                return self.fitting(found, inner.type)
            case tree.TernaryOp():
                return self.choice(node)
            case tree.Cast():
                inner = self.of(node.expr)
                kind = scalar_type(node.type)
                if not isinstance(kind, Number):
                    return None
                return self.whole(kind) if inner is None else self.fitting(inner, kind)
            case tree.FuncCall():
                return self.call(node)
            case tree.ExprList(exprs=[first, second]) if is_assertion(first):
                return self.of(second)
        return None

    # Leaves.

    def stored(self, node: Any) -> Range | None:
        """The range of the values that an element or a variable of its type can hold."""
        # The reader of accesses refuses what is no element here.
        base = node
        path: list[str] = []
        while not isinstance(base, tree.ID):
            if isinstance(base, tree.StructRef):
                path.insert(0, base.field)
            base = base.expr if isinstance(base, tree.UnaryOp) else base.name
            if isinstance(base, tree.BinaryOp):
                base = base.left
            if not isinstance(base, (tree.ID, tree.ArrayRef, tree.StructRef, tree.UnaryOp)):
                return None
        symbol = self.scope.find(base.name)
        if isinstance(symbol, Variable) and path:
            symbol = symbol.members.get(tuple(path))
        kind = symbol.shape.scalar if isinstance(symbol, Variable) else None
        return self.whole(kind) if isinstance(kind, Number) else None

    def between(self, least: int, greatest: int, kind: Number) -> Range:
        space = self.domain.space
        return Range(pw.constant(space, least), pw.constant(space, greatest), kind)

    def whole(self, kind: Number) -> Range:
        return self.between(kind.least, kind.greatest, kind)

    # Types.

    def keeps(self, value: Range, kind: Number) -> bool:
        """True if conversion to another type keeps a value."""
        space = self.domain.space
        low = value.least.ge_set(pw.constant(space, kind.least))
        high = value.greatest.le_set(pw.constant(space, kind.greatest))
        return self.reader.holds(self.domain, low.intersect(high))

    def fitting(self, value: Range, kind: Number) -> Range:
        """The value in another type, or as a result there: any where it may not fit."""
        if self.keeps(value, kind):
            return Range(value.least, value.greatest, kind)
        return self.whole(kind)

    def promoted(self, node: Any) -> Range | None:
        found = self.of(node)
        return None if found is None else Range(found.least, found.greatest, found.type.promoted())

    # Operators.

    def binary(self, node: Any) -> Range | None:
        left, right = self.promoted(node.left), self.promoted(node.right)
        if left is None or right is None:
            return None
        kind = left.type if node.op in ("<<", ">>") else left.type.common(right.type)
        if node.op not in ("<<", ">>"):
            left, right = self.fitting(left, kind), self.fitting(right, kind)
        exact = self.operator(node.op, left, right, kind)
        return self.whole(kind) if exact is None else self.fitting_sum(exact, kind)

    def fitting_sum(self, value: Range, kind: Number) -> Range:
        """A signed result does not overflow; an unsigned one may wrap."""
        if kind.signed and kind.bits >= INT.bits:
            limit = self.whole(kind)
            return Range(value.least.max(limit.least), value.greatest.min(limit.greatest), kind)
        return self.fitting(value, kind)

    def operator(self, op: str, left: Range, right: Range, kind: Number) -> Range | None:
        a, b, c, d = left.least, left.greatest, right.least, right.greatest
        number = self.constant(right)
        match op:
            case "+":
                return Range(a.add(c), b.add(d), kind)
            case "-":
                return Range(a.sub(d), b.sub(c), kind)
            case "&":
                return self.mask(left, right, kind)
        if op == "*":
            number = self.constant(left) if number is None else number
            a, b = (c, d) if self.constant(left) is not None else (a, b)
            if number is None:
                return None
            ends = [a.scale_val(Val(number)), b.scale_val(Val(number))]
            return Range(ends[number < 0], ends[number >= 0], kind)
        if number is None or not self.is_positive(left):
            return self.remainder(left, number, kind) if op == "%" and number else None
        match op:
            case "%" if number > 0:
                return self.remainder(left, number, kind)
            case "/" if number > 0:
                return Range(
                    a.scale_down_val(Val(number)).floor(),
                    b.scale_down_val(Val(number)).floor(),
                    kind,
                )
            case ">>" if 0 <= number < kind.bits:
                step = Val(1 << number)
                return Range(a.scale_down_val(step).floor(), b.scale_down_val(step).floor(), kind)
            case "<<" if 0 <= number < kind.bits:
                return Range(a.scale_val(Val(1 << number)), b.scale_val(Val(1 << number)), kind)
        return None

    def remainder(self, left: Range, number: int, kind: Number) -> Range:
        last = abs(number) - 1
        found = self.between(0 if self.is_positive(left) else -last, last, kind)
        if self.is_positive(left):
            return replace(found, greatest=found.greatest.min(left.greatest))
        return found

    def mask(self, left: Range, right: Range, kind: Number) -> Range | None:
        """Of two values the one that is not negative bounds what both have in common."""
        sides = [one.greatest for one in (left, right) if self.is_positive(one)]
        if not sides:
            return None
        greatest = sides[0] if len(sides) == 1 else sides[0].min(sides[1])
        return Range(pw.constant(self.domain.space, 0), greatest, kind)

    def constant(self, value: Range) -> int | None:
        least, greatest = (pw.constant_value(one) for one in (value.least, value.greatest))
        return least if least == greatest else None

    def is_positive(self, value: Range) -> bool:
        return self.reader.holds(self.domain, value.least.nonneg_set())

    # Choices.

    def choice(self, node: Any) -> Range | None:
        then = self.where(node.cond, holds=True).of(node.iftrue)
        otherwise = self.where(node.cond, holds=False).of(node.iffalse)
        if then is None or otherwise is None:
            return None
        kind = then.type.promoted().common(otherwise.type.promoted())
        then, otherwise = self.fitting(then, kind), self.fitting(otherwise, kind)
        return Range(then.least.min(otherwise.least), then.greatest.max(otherwise.greatest), kind)

    def where(self, condition: Any, *, holds: bool) -> _Bounds:
        """The bounds where a condition holds, or does not: comparisons of signed values."""
        match condition:
            case tree.UnaryOp(op="!"):
                return self.where(condition.expr, holds=not holds)
            case tree.BinaryOp(op="&&" | "||" as op):
                if holds == (op == "&&"):
                    return self.where(condition.left, holds=holds).where(
                        condition.right, holds=holds
                    )
            case tree.BinaryOp(op="<" | "<=" | ">" | ">=" as op):
                return self.compared(condition, op if holds else _NOT[op])
        return self

    def compared(self, condition: Any, op: str) -> _Bounds:
        left, right = self.promoted(condition.left), self.promoted(condition.right)
        if left is None or right is None:
            return self
        kind = left.type.common(right.type)
        if not all(self.keeps(one, kind) for one in (left, right)):
            return self
        known = dict(self.known)
        one = pw.constant(self.domain.space, 1)
        for node, other, way in ((condition.left, right, op), (condition.right, left, _TURNED[op])):
            low, high = known.get(text_of(node), (None, None))
            if way in ("<", "<="):
                bound = other.greatest.sub(one) if way == "<" else other.greatest
                high = bound if high is None else high.min(bound)
            else:
                bound = other.least.add(one) if way == ">" else other.least
                low = bound if low is None else low.max(bound)
            known[text_of(node)] = low, high
        return replace(self, known=known)

    def call(self, node: Any) -> Range | None:
        """A function that returns an expression, with its arguments put in; min, max and abs."""
        name = node.name
        arguments = node.args
        symbol = self.scope.find(name)
        if isinstance(symbol, Function) and symbol.definition is not None:
            return self.returned(node, symbol.definition, arguments)
        values = [self.promoted(one) for one in arguments]
        if name in ("min", "max") and len(values) == 2 and None not in values:
            left, right = values
            assert left is not None
            assert right is not None
            kind = left.type.common(right.type)
            left, right = self.fitting(left, kind), self.fitting(right, kind)
            if name == "min":
                return Range(left.least.min(right.least), left.greatest.min(right.greatest), kind)
            return Range(left.least.max(right.least), left.greatest.max(right.greatest), kind)
        if name == "abs" and len(values) == 1 and (one := values[0]) is not None:
            zero = pw.constant(self.domain.space, 0)
            return Range(zero, one.greatest.max(one.least.neg()), INT)
        return None

    def returned(self, node: Any, function: Any, arguments: Any) -> Range | None:
        expression, parameters = returned_expression(function), function.parameters
        if expression is None or not is_pure_call(node, self.scope):
            return None
        given: dict[str, Any] = {}
        for parameter, argument in zip(parameters, arguments, strict=True):
            given[parameter.name] = tree.Cast(argument, parameter.type, place=node.place)
        put = rewrite(
            expression,
            lambda part: (
                fresh(given[part.name], node.place)
                if isinstance(part, tree.ID) and part.name in given
                else None
            ),
        )
        found = self.of(put)
        kind = scalar_type(function.returns)
        if found is None or not isinstance(kind, Number):
            return None
        return self.fitting(found, kind)


_NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
