"""Quasi-affine forms over the loops of an address generator, and the decisions between them.

A form is constant + sum of factor * loop + sum of factor * floor(inner / divisor). Loops are
numbered from the outermost; a modulo is a form too: e mod d = e - d * floor(e / d).
Everything else (minimum, maximum, pieces) is a decision tree with forms at its leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import lcm
from typing import Any

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Quotient:
    """floor(inner / divisor); factors and constant of `inner` lie in [0, divisor)."""

    inner: Affine
    divisor: int


@dataclass(frozen=True, slots=True)
class Affine:
    """constant + factors . loops + sum of factor * quotient; no trailing zeros, no zero terms."""

    constant: int = 0
    factors: tuple[int, ...] = ()
    quotients: tuple[tuple[int, Quotient], ...] = ()

    @property
    def depth(self) -> int:
        """Number of leading loops the form depends on at most."""
        inner = (quotient.inner.depth for _, quotient in self.quotients)
        return max(len(self.factors), *inner, 0)

    def factor(self, loop: int) -> int:
        """The factor of a loop outside the quotients."""
        return self.factors[loop] if loop < len(self.factors) else 0

    def __add__(self, other: Affine) -> Affine:
        size = max(len(self.factors), len(other.factors))
        factors = [self.factor(loop) + other.factor(loop) for loop in range(size)]
        return _form(
            self.constant + other.constant, factors, list(self.quotients + other.quotients)
        )

    def scaled(self, by: int) -> Affine:
        quotients = [(by * factor, quotient) for factor, quotient in self.quotients]
        return _form(by * self.constant, [by * factor for factor in self.factors], quotients)

    def __sub__(self, other: Affine) -> Affine:
        return self + other.scaled(-1)

    def plus(self, constant: int) -> Affine:
        return Affine(self.constant + constant, self.factors, self.quotients)

    def floor_divide(self, divisor: int) -> Affine:
        """floor(self / divisor) for a positive divisor, multiples of it taken out."""
        outside = _form(
            self.constant // divisor,
            [factor // divisor for factor in self.factors],
            [(factor // divisor, quotient) for factor, quotient in self.quotients],
        )
        inside = self - outside.scaled(divisor)
        if inside.depth == 0:
            return outside
        return outside + Affine(0, (), ((1, Quotient(inside, divisor)),))

    def modulo(self, divisor: int) -> Affine:
        """self mod divisor, in [0, divisor)."""
        return self - self.floor_divide(divisor).scaled(divisor)

    def at(self, point: Sequence[Any]) -> Any:
        """The value at loop values: integers, or arrays of one shape."""
        value = self.constant
        for factor, coordinate in zip(self.factors, point, strict=False):
            if factor:
                value = value + factor * coordinate
        for factor, quotient in self.quotients:
            value = value + factor * (quotient.inner.at(point) // quotient.divisor)
        return value

    def replaced(self, loops: Mapping[int, Affine]) -> Affine:
        """The form with some loops replaced by forms."""
        if not any(loop < self.depth for loop in loops):
            return self
        value = Affine(self.constant)
        for loop, factor in enumerate(self.factors):
            if factor:
                value = value + loops.get(loop, loop_form(loop)).scaled(factor)
        for factor, quotient in self.quotients:
            inner = quotient.inner.replaced(loops)
            value = value + inner.floor_divide(quotient.divisor).scaled(factor)
        return value

    def period(self, loop: int) -> int | None:
        """So many values of a loop further the form is the same everywhere; None if there are none.

        >>> loop_form(0).modulo(6).period(0)
        6
        """
        period = self._span
        later = self.replaced({loop: loop_form(loop).plus(period)})
        return period if later - self == Affine() else None

    @property
    def _span(self) -> int:
        """A multiple of the divisors of all quotients, nested ones multiplied."""
        return lcm(*(quotient.divisor * quotient.inner._span for _, quotient in self.quotients))


def loop_form(loop: int) -> Affine:
    """The form that is the loop itself."""
    return Affine(0, (0,) * loop + (1,))


def _form(
    constant: int, factors: Sequence[int], quotients: Sequence[tuple[int, Quotient]]
) -> Affine:
    size = len(factors)
    while size and factors[size - 1] == 0:
        size -= 1
    sums: dict[Quotient, int] = {}
    for factor, quotient in quotients:
        sums[quotient] = sums.get(quotient, 0) + factor
    kept = [(factor, quotient) for quotient, factor in sums.items() if factor]
    if len(kept) > 1:
        kept.sort(key=lambda pair: _text(pair[1]))
    return Affine(constant, tuple(factors[:size]), tuple(kept))


@lru_cache(10_000)
def _text(quotient: Quotient) -> str:
    """Sort key of quotients; forms are added over and over."""
    return repr(quotient)


@dataclass(frozen=True, slots=True)
class Test:
    """form >= 0, or form == 0 where `equal`."""

    form: Affine
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """All conditions hold; true where there is none."""

    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """At least one condition holds; false where there is none."""

    conditions: tuple[Condition, ...] = ()


Condition = Test | Every | Some

TRUE, FALSE = Every(), Some()


@dataclass(frozen=True, slots=True)
class Choice:
    """`then` where the condition holds, else `otherwise`."""

    condition: Condition
    then: Value
    otherwise: Value


Value = Affine | Choice


def value_at(value: Value, point: Sequence[Any]) -> Any:
    """The value at loop values: integers or arrays."""
    if isinstance(value, Affine):
        return value.at(point)
    holds = holds_at(value.condition, point)
    then, otherwise = value_at(value.then, point), value_at(value.otherwise, point)
    if isinstance(holds, bool):
        return then if holds else otherwise
    import numpy as np

    return np.where(holds, then, otherwise)


def holds_at(condition: Condition, point: Sequence[Any]) -> Any:
    """Truth of a condition: a bool, or an array of bool."""
    match condition:
        case Test(form, equal):
            value = form.at(point)
            return value == 0 if equal else value >= 0
        case Every(conditions):
            result: Any = True
            for part in conditions:
                result = result & holds_at(part, point)
            return result
        case Some(conditions):
            result = False
            for part in conditions:
                result = result | holds_at(part, point)
            return result


def replace_condition(condition: Condition, loops: Mapping[int, Affine]) -> Condition:
    """The condition with loops replaced, simplified."""
    match condition:
        case Test(form, equal):
            return _test(form.replaced(loops), equal)
        case Every(conditions):
            return every(replace_condition(part, loops) for part in conditions)
        case Some(conditions):
            return some(replace_condition(part, loops) for part in conditions)


def every(conditions: Any) -> Condition:
    """Conjunction, simplified."""
    kept = [c for c in dict.fromkeys(conditions) if c != TRUE]
    if FALSE in kept:
        return FALSE
    return kept[0] if len(kept) == 1 else Every(tuple(kept))


def some(conditions: Any) -> Condition:
    """Disjunction, simplified."""
    kept = [c for c in dict.fromkeys(conditions) if c != FALSE]
    if TRUE in kept:
        return TRUE
    return kept[0] if len(kept) == 1 else Some(tuple(kept))


def choose(condition: Condition, then: Value, otherwise: Value) -> Value:
    """A decision, simplified where it decides nothing."""
    if condition == TRUE or then == otherwise:
        return then
    return otherwise if condition == FALSE else Choice(condition, then, otherwise)


def _test(form: Affine, equal: bool) -> Condition:
    if form.depth:
        return Test(form, equal)
    holds = form.constant == 0 if equal else form.constant >= 0
    return TRUE if holds else FALSE


def combine(values: Sequence[Value], operation: Callable[..., Value]) -> Value:
    """An operation on forms, applied at all leaves of the decisions."""
    for position, value in enumerate(values):
        if isinstance(value, Choice):
            before, after = list(values[:position]), list(values[position + 1 :])
            return choose(
                value.condition,
                combine([*before, value.then, *after], operation),
                combine([*before, value.otherwise, *after], operation),
            )
    return operation(*values)


def value_of(expression: Expression, loops: Mapping[str, int]) -> Value:
    """The expression over named loops as forms; ValueError for a product of two loops."""
    match expression:
        case Integer(number):
            return Affine(number)
        case Name(name):
            return loop_form(loops[name])
        case Operation(Operator.SELECT, (condition, then, otherwise)):
            return choose(
                condition_of(condition, loops), value_of(then, loops), value_of(otherwise, loops)
            )
        case Operation(operator, arguments):
            if operator in _COMPARISONS or operator in (Operator.AND, Operator.OR):
                return choose(condition_of(expression, loops), Affine(1), Affine(0))
            values = [value_of(argument, loops) for argument in arguments]
            result = values[0]
            for value in values[1:]:
                result = combine([result, value], _OPERATIONS[operator])
            return result


def condition_of(expression: Expression, loops: Mapping[str, int]) -> Condition:
    """A condition over named loops as tests of forms."""
    match expression:
        case Operation(Operator.AND, arguments):
            return every(condition_of(argument, loops) for argument in arguments)
        case Operation(Operator.OR, arguments):
            return some(condition_of(argument, loops) for argument in arguments)
        case Operation(operator, (left, right)) if operator in _COMPARISONS:
            difference = combine(
                [value_of(left, loops), value_of(right, loops)], lambda a, b: a - b
            )
            return decide(difference, _COMPARISONS[operator])
    return decide(value_of(expression, loops), lambda form: _nonzero(form))


def decide(value: Value, test: Callable[[Affine], Condition]) -> Condition:
    """The condition that a test holds of a value."""
    if isinstance(value, Affine):
        return test(value)
    then, otherwise = decide(value.then, test), decide(value.otherwise, test)
    opposite = negated(value.condition)
    return some([every([value.condition, then]), every([opposite, otherwise])])


def negated(condition: Condition) -> Condition:
    """The opposite condition."""
    match condition:
        case Test(form, True):
            return _nonzero(form)
        case Test(form, _):
            return _test(form.scaled(-1).plus(-1), False)
        case Every(conditions):
            return some(negated(part) for part in conditions)
        case Some(conditions):
            return every(negated(part) for part in conditions)


def _nonzero(form: Affine) -> Condition:
    return some([_test(form.plus(-1), False), _test(form.scaled(-1).plus(-1), False)])


_COMPARISONS: dict[Operator, Callable[[Affine], Condition]] = {
    Operator.EQUAL: lambda d: _test(d, True),
    Operator.GREATER_EQUAL: lambda d: _test(d, False),
    Operator.GREATER: lambda d: _test(d.plus(-1), False),
    Operator.LESS_EQUAL: lambda d: _test(d.scaled(-1), False),
    Operator.LESS: lambda d: _test(d.scaled(-1).plus(-1), False),
}


def _product(left: Affine, right: Affine) -> Affine:
    if left.depth and right.depth:
        raise ValueError("a product of two loops is not affine")
    return right.scaled(left.constant) if left.depth == 0 else left.scaled(right.constant)


def _divisor(form: Affine) -> int:
    if form.depth or form.constant <= 0:
        raise ValueError("a divisor must be a positive constant")
    return form.constant


_OPERATIONS: dict[Operator, Callable[..., Value]] = {
    Operator.ADD: lambda a, b: a + b,
    Operator.SUBTRACT: lambda a, b: a - b,
    Operator.MULTIPLY: _product,
    Operator.EXACT_DIVIDE: lambda a, b: a.floor_divide(_divisor(b)),
    Operator.FLOOR_DIVIDE: lambda a, b: a.floor_divide(_divisor(b)),
    Operator.MODULO: lambda a, b: a.modulo(_divisor(b)),
    # These two promise a dividend that is not negative: rounding down is the same.
    Operator.QUOTIENT: lambda a, b: a.floor_divide(_divisor(b)),
    Operator.REMAINDER: lambda a, b: a.modulo(_divisor(b)),
    Operator.MINIMUM: lambda a, b: choose(_test(b - a, False), a, b),
    Operator.MAXIMUM: lambda a, b: choose(_test(a - b, False), a, b),
}
