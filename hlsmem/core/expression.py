"""Integer expressions over loop iterators and parameters: what bounds, guards and addresses are.

Trees, not text: `emit/expression.py` prints them for C and Verilog and alone knows precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import reduce

from hlsmem.core.lazy_dataclass import dataclass


class Operator(Enum):
    """Operators; conditions are 1 or 0. FLOOR_DIVIDE and MODULO round towards minus infinity.

    EXACT_DIVIDE promises no remainder; SELECT is condition, then, otherwise. QUOTIENT and
    REMAINDER are the division of C and Verilog, which rounds towards zero.
    """

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    EXACT_DIVIDE = "exact /"
    FLOOR_DIVIDE = "floor /"
    MODULO = "mod"
    QUOTIENT = "/"
    REMAINDER = "%"
    MINIMUM = "min"
    MAXIMUM = "max"
    SELECT = "?:"
    EQUAL = "=="
    LESS_EQUAL = "<="
    LESS = "<"
    GREATER_EQUAL = ">="
    GREATER = ">"
    AND = "and"
    OR = "or"


@dataclass(frozen=True, slots=True)
class Integer:
    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """An iterator or a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    operator: Operator
    arguments: tuple[Expression, ...]


Expression = Integer | Name | Operation

_EVALUATE: dict[Operator, Callable[..., int]] = {
    Operator.ADD: lambda *a: sum(a),
    Operator.SUBTRACT: lambda a, b: a - b,
    Operator.MULTIPLY: lambda *a: reduce(lambda x, y: x * y, a),
    Operator.EXACT_DIVIDE: lambda a, b: a // b,
    Operator.FLOOR_DIVIDE: lambda a, b: a // b,
    Operator.MODULO: lambda a, b: a % b,
    Operator.QUOTIENT: lambda a, b: _quotient(a, b),
    Operator.REMAINDER: lambda a, b: a - b * _quotient(a, b),
    Operator.MINIMUM: min,
    Operator.MAXIMUM: max,
    Operator.SELECT: lambda c, a, b: a if c else b,
    Operator.EQUAL: lambda a, b: int(a == b),
    Operator.LESS_EQUAL: lambda a, b: int(a <= b),
    Operator.LESS: lambda a, b: int(a < b),
    Operator.GREATER_EQUAL: lambda a, b: int(a >= b),
    Operator.GREATER: lambda a, b: int(a > b),
    Operator.AND: lambda *a: int(all(a)),
    Operator.OR: lambda *a: int(any(a)),
}


def evaluate(expression: Expression, values: Mapping[str, int]) -> int:
    """The value of an expression; KeyError names what `values` lacks.

    >>> evaluate(Operation(Operator.MODULO, (Name("i"), Integer(3))), {"i": -1})
    2
    """
    match expression:
        case Integer(value):
            return value
        case Name(name):
            return values[name]
        case Operation(operator, arguments):
            return _EVALUATE[operator](*(evaluate(argument, values) for argument in arguments))


def substituted(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with others in place of names."""
    match expression:
        case Name(name):
            return values.get(name, expression)
        case Operation(operator, arguments):
            return Operation(operator, tuple(substituted(a, values) for a in arguments))
    return expression


def names_in(expression: Expression) -> frozenset[str]:
    """The names that an expression mentions."""
    match expression:
        case Name(name):
            return frozenset({name})
        case Operation(_, arguments):
            return frozenset().union(*(names_in(argument) for argument in arguments))
    return frozenset()


def _quotient(dividend: int, divisor: int) -> int:
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient
