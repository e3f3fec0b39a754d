"""The operators of C on values: an exact operation, and what the type of the result keeps of it.

Promotions and conversions are those of C99 6.3.1; signed overflow wraps, as under `-fwrapv`, and
`>>` of negative numbers rounds down, as gcc and clang have it. Floats are their bits.
"""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath import arithmetic, floats
from hlsmem.datapath.values import Graph, Interval, Value, of_bits
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.read.c.operations import common
from hlsmem.read.c.tree import INT, Float, Number
from hlsmem.read.c.types import ScalarType, element_type

Modules = Mapping[str, ForeignModule]
"""The user's modules, by the functions and the operators that they compute."""
NONE: Modules = {}


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """A value with its type in C, whose range holds its interval."""

    value: Value
    type: ScalarType


_QUOTIENTS = "divide by a constant, or in a function with a module in accelerator.functions"


class UndefinedError(Exception):
    """C does not define the result, or no circuit is made for it; `str` says why, `remedy` what to
    do."""

    def __init__(self, why: str, remedy: str = "compute with integers of up to 64 bits") -> None:
        super().__init__(why)
        self.remedy = remedy


def number(graph: Graph, value: int, kind: Number = INT) -> Typed:
    return Typed(arithmetic.constant(graph, value), kind)


def whole_range(kind: ScalarType) -> Interval:
    """Return what values of a type may be; of floats their bits."""
    return of_bits(kind.bits, signed=isinstance(kind, Number) and kind.signed)


def converted(graph: Graph, one: Typed, kind: ScalarType, modules: Modules = NONE) -> Typed:
    """Return a value in another type; in _Bool it is whether it is not 0 (C99 6.3.1.2).

    Floats that are no constants are converted by one of the modules; raises NoModuleError where
    there is none.
    """
    if isinstance(kind, Float) or (isinstance(one.type, Float) and not kind.is_bool):
        return _of_float(graph, one, kind, modules)
    if kind.is_bool:
        return Typed(is_true(graph, one), kind)
    return Typed(arithmetic.wrap(graph, one.value, kind.bits, signed=kind.signed), kind)


def _of_float(graph: Graph, one: Typed, kind: ScalarType, modules: Modules) -> Typed:
    """A float in another type, or a number as a float; by way of int where a type is narrower."""
    if one.type == kind:
        return one
    given: float | None = one.value.constant
    if isinstance(one.type, Float):
        given = floats.number_of(one.value, one.type.bits)
    if given is not None and isinstance(kind, Float):
        return Typed(floats.constant(graph, given, kind.bits), kind)
    begin, end = (own if isinstance(own, Float) else own.promoted() for own in (one.type, kind))
    name = f"{element_type(end).name}({element_type(begin).name})"
    if name not in modules:
        raise floats.NoModuleError(f"it converts floats, and no module is named for '{name}'")
    result = floats.called(graph, modules[name], (one.value,), whole_range(end))
    return converted(graph, Typed(result, end), kind)


def is_true(graph: Graph, one: Typed) -> Value:
    """Return 1 where a condition holds, else 0."""
    if isinstance(one.type, Float):
        return floats.is_true(graph, one.value, one.type.bits)
    return arithmetic.is_true(graph, one.value)


def chosen(
    graph: Graph, condition: Value, one: Typed, other: Typed, modules: Modules = NONE
) -> Typed:
    """Return a conditional value: both arms have their common type (C99 6.5.15)."""
    kind = _common(one, other)
    first, second = (converted(graph, own, kind, modules).value for own in (one, other))
    return Typed(arithmetic.choose(graph, condition, first, second), kind)


def unary(graph: Graph, sign: str, one: Typed) -> Typed:
    """Return the result of an operator with one operand; UndefinedError where there is none."""
    if sign == "!":
        return Typed(arithmetic.invert(graph, is_true(graph, one)), INT)
    if isinstance(one.type, Float):
        if sign == "~":
            raise UndefinedError("the bits of floats have no operators")
        bits = one.type.bits
        return one if sign == "+" else Typed(floats.negate(graph, one.value, bits), one.type)
    kind = one.type.promoted()
    promoted = converted(graph, one, kind)
    match sign:
        case "+":
            return promoted
        case "-":
            return converted(graph, Typed(arithmetic.negate(graph, promoted.value), kind), kind)
        case "~":
            inverse = arithmetic.subtract(graph, arithmetic.constant(graph, -1), promoted.value)
            return converted(graph, Typed(inverse, kind), kind)
    raise UndefinedError(f"the operator {sign!r} has no circuit")


_EXACT = {
    "+": arithmetic.add,
    "-": arithmetic.subtract,
    "*": arithmetic.multiply,
    "&": arithmetic.bit_and,
    "|": arithmetic.bit_or,
    "^": arithmetic.bit_xor,
}
_ARITHMETIC = ("+", "-", "*", "/")
_DIVISIONS = {"/": arithmetic.divide, "%": arithmetic.remainder}


def binary(graph: Graph, sign: str, left: Typed, right: Typed, modules: Modules = NONE) -> Typed:
    """Return the result of an operator with two operands; that of floats is of one of the modules.

    Both sides of && and || are computed: they have no effects. Raises UndefinedError for division
    by what is no constant or 0, for a shift by a constant that the type does not have, and
    NoModuleError for an operator of floats that has no module.
    """
    if sign in ("&&", "||"):
        a, b = is_true(graph, left), is_true(graph, right)
        zero, one = (arithmetic.constant(graph, own) for own in (0, 1))
        arms = (b, zero) if sign == "&&" else (one, b)
        return Typed(arithmetic.choose(graph, a, *arms), INT)
    if sign in ("<<", ">>"):
        return _shifted(graph, sign, left, right)
    kind = _common(left, right)
    if isinstance(kind, Float):
        floats.check_module(modules, sign, kind.bits)
    first, second = (converted(graph, own, kind, modules).value for own in (left, right))
    if isinstance(kind, Float):
        result = floats.computed(graph, modules, sign, first, second, kind.bits)
        return Typed(result, kind if sign in _ARITHMETIC else INT)
    if sign in _EXACT:
        return converted(graph, Typed(_EXACT[sign](graph, first, second), kind), kind)
    if sign in _DIVISIONS:
        divisor = second.constant
        if divisor is None:
            why = "a division by what is no constant has no circuit of one beat"
            raise UndefinedError(why, _QUOTIENTS)
        if divisor == 0:
            raise UndefinedError("a division by 0 has no result", "divide by another number")
        return converted(graph, Typed(_DIVISIONS[sign](graph, first, divisor), kind), kind)
    return Typed(_compared(graph, sign, first, second), INT)


def _common(one: Typed, other: Typed) -> ScalarType:
    """The type that C converts both to."""
    if isinstance(one.type, Float) or isinstance(other.type, Float):
        kind = common(one.type, other.type)
        assert isinstance(kind, Float)
        return kind
    return one.type.common(other.type)


def _compared(graph: Graph, sign: str, one: Value, other: Value) -> Value:
    match sign:
        case "<":
            return arithmetic.less(graph, one, other)
        case ">":
            return arithmetic.less(graph, other, one)
        case "<=":
            return arithmetic.invert(graph, arithmetic.less(graph, other, one))
        case ">=":
            return arithmetic.invert(graph, arithmetic.less(graph, one, other))
        case "==":
            return arithmetic.equal(graph, one, other)
        case "!=":
            return arithmetic.invert(graph, arithmetic.equal(graph, one, other))
    raise UndefinedError(f"the operator {sign!r} has no circuit")


def _shifted(graph: Graph, sign: str, left: Typed, right: Typed) -> Typed:
    """A shift; the amount of a variable one is taken modulo the width, as processors do."""
    if isinstance(left.type, Float) or isinstance(right.type, Float):
        raise UndefinedError("floats are not shifted")
    kind = left.type.promoted()
    shifted = converted(graph, left, kind).value
    amount = right.value
    if amount.constant is not None and not 0 <= amount.constant < kind.bits:
        why = f"a shift by {amount.constant} of {kind.bits} bits has no result"
        raise UndefinedError(why, f"shift by 0 to {kind.bits - 1}")
    if amount.constant is None:
        amount = arithmetic.wrap(graph, amount, kind.bits.bit_length() - 1, signed=False)
    result = arithmetic.shift_by(graph, shifted, amount, is_left=sign == "<<")
    return converted(graph, Typed(result, kind), kind)


def absolute(graph: Graph, one: Typed, kind: Number) -> Typed:
    """Return `abs` or `labs`, whose argument and result have a type."""
    given = converted(graph, one, kind).value
    is_negative = arithmetic.less(graph, given, arithmetic.constant(graph, 0))
    size = arithmetic.choose(graph, is_negative, arithmetic.negate(graph, given), given)
    return converted(graph, Typed(size, kind), kind)
