"""C integer expressions as piecewise quasi-affine functions of loop variables and params.

The values are those of C: division truncates, `%` takes the sign of the dividend, unsigned
types wrap. Where a value could wrap the expression is refused, so that what remains is plain
integer arithmetic. Signed overflow is undefined in C and taken not to happen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.control_flow.joined_conditions import joined
from hlsmem.read.c.purity import is_pure_call, named_values
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.symbols import (
    Bound,
    Function,
    IntegerConstant,
    Iterator,
    Parameter,
    Scope,
    Variable,
)
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.types import scalar_type

# The remedy where an integer parameter of the function has no value.
MISSING_PARAMETER = "plan with --param NAME=64, or add it to params of the design"


# Runs of bits in a constant that masks a value: each takes two remainders.
MOST_RUNS = 3


@dataclass(frozen=True, slots=True)
class Value:
    """A PwAff on the instances with the C type of the expression it came from."""

    expression: Any
    type: Number


class NotAffineError(Exception):
    """An expression that cannot be a bound, condition or subscript, as a problem."""

    def __init__(self, problem: Problem, refusal: Refusal | None) -> None:
        super().__init__(str(problem))
        self.problem, self.refusal = problem, refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads integer expressions of one function.

    `assumed` is the parameter set (context and ranges) under which wrap-around is disproved;
    `assigned` names the variables that are assigned after their declaration;
    `function` is the name for messages; `told` are pointers already reported. What is not so for
    all assumed parameters may be so at `values`: `needed` are the parameter sets where it is.
    """

    source: SourceMap
    parameters: tuple[str, ...]
    assumed: Any
    assigned: frozenset[str]
    function: str
    told: set[Variable] = field(default_factory=set, compare=False)
    values: Mapping[str, int] = field(default_factory=dict)
    needed: list[Any] = field(default_factory=list, compare=False)

    def integer(self, node: Any, scope: Scope, domain: Any, *, wraps: bool = False) -> Value:
        """The value of `node` at each instance of `domain` (an anonymous Set).

        With `wraps` the check for wrap-around is left out. Raises NotAffineError.
        """
        return _Evaluation(self, scope, wraps).integer(node, domain)

    def condition(self, node: Any, scope: Scope, domain: Any, *, wraps: bool = False) -> Any:
        """The part of `domain` where `node` is not 0. Raises NotAffineError."""
        holds: Any = _Evaluation(self, scope, wraps).condition(node, domain)
        return holds.intersect(domain).coalesce()

    def holds(self, domain: Any, inside: Any) -> bool:
        """True if the instances of `domain` lie in `inside` for all assumed parameters."""
        return bool(domain.intersect_params(self.assumed).is_subset(inside))

    def holds_as_given(self, domain: Any, inside: Any) -> bool:
        """True if the instances of `domain` lie in `inside`, at `values` if not for all.

        The parameters for which they do are noted then.
        """
        if self.holds(domain, inside):
            return True
        apart = domain.intersect_params(self.assumed).subtract(inside).params()
        if not self.values or not fix_parameters(apart, self.values).is_empty():
            return False
        self.needed.append(self.assumed.subtract(apart).gist(self.assumed).coalesce())
        return True

    def refuse(
        self, refusal: Refusal, node: Any, why: str, remedy: str | None = None
    ) -> NotAffineError:
        """The error for `node`; `why` continues a sentence about its text."""
        what = f"{refusal.value}: '{self.source.text(node)}' {why}"
        place = self.source.place(node)
        problem = Problem(what, remedy or refusal.remedy, place)
        return NotAffineError(problem, refusal)


@dataclass(frozen=True, slots=True)
class _Evaluation:
    reader: Reader
    scope: Scope
    wraps: bool

    def integer(self, node: Any, domain: Any) -> Value:
        match node:
            case tree.Constant():
                return self.literal(node, domain)
            case tree.ID():
                return self.named(node, domain)
            case tree.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
                return Value(self.condition(node, domain).indicator_function(), INT)
            case tree.BinaryOp():
                return self.binary(node, domain)
            case tree.UnaryOp(op="+" | "-"):
                value = self.converted(node.expr, domain)
                return (
                    self.checked(node, value.expression.neg(), value.type, domain)
                    if (node.op == "-")
                    else value
                )
            case tree.UnaryOp(op="!"):
                return Value(self.condition(node, domain).indicator_function(), INT)
            case tree.TernaryOp():
                return self.choice(node, domain)
            case tree.Cast():
                return self.cast(node, domain)
            case tree.FuncCall(name=name):
                return self.call(node, name, domain)
        raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, _why(node))

    # Leaves.

    def literal(self, node: Any, domain: Any) -> Value:
        found = integer_literal(node)
        if found is None:
            why = "is too large for any type" if "int" in node.type else "is not an integer"
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        return Value(pw.constant(domain.space, found[0]), found[1])

    def named(self, node: Any, domain: Any) -> Value:
        symbol = self.scope.find(node.name)
        match symbol:
            case Iterator():
                return Value(pw.dimension(domain.space, symbol.position), symbol.type)
            case Bound():
                return Value(symbol.expression, symbol.type)
            case Parameter():
                return Value(pw.parameter(domain.space, symbol.name), symbol.type)
            case IntegerConstant():
                return Value(pw.constant(domain.space, symbol.value), symbol.type)
            case Variable():
                return self.variable(node, symbol, domain)
            case None:
                raise self.undeclared(node)
        why = "is not a variable"
        raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)

    def undeclared(self, node: Any) -> NotAffineError:
        remedy = "declare it, or define it: -D in kernel.cflags, or its header by `--include DIR`"
        if node.name in self.reader.parameters:
            remedy = f"write #define {node.name} with its usual value in front"
        source_location = self.reader.source.place(node)
        return NotAffineError(
            Problem(f"'{node.name}' is not declared", remedy, source_location), None
        )

    def variable(self, node: Any, variable: Variable, domain: Any) -> Value:
        shape, reader = variable.shape, self.reader
        if shape.extents or not isinstance(shape.scalar, Number):
            why = "is an array" if shape.extents else "is not an integer"
            raise reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        if variable.name not in reader.assigned and variable.initial is not None:
            return self.alias(node, variable, shape.scalar, domain)
        if variable.scope == "parameter" and variable.name not in reader.assigned:
            what = f"'{node.name}' is a parameter of '{reader.function}' without a value"
            problem = Problem(what, MISSING_PARAMETER, reader.source.place(node))
            raise NotAffineError(problem, None)
        why = "is a variable whose value depends on the run"
        raise reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)

    def alias(self, node: Any, variable: Variable, type: Number, domain: Any) -> Value:
        """A variable that keeps its initial value stands for that expression."""
        home = variable.domain
        if home is None:
            home = Set.universe(domain.space.drop_dims(DimType.set, 0, domain.dim(DimType.set)))
        evaluation = _Evaluation(self.reader, variable.home, self.wraps)
        value = evaluation.integer(variable.initial, home)
        value = evaluation.convert(node, value, type, home)
        return Value(pw.lift(value.expression, domain.dim(DimType.set)), type)

    # Operators.

    def converted(self, node: Any, domain: Any) -> Value:
        """The operand after integer promotion; all values are kept."""
        value = self.integer(node, domain)
        return Value(value.expression, value.type.promoted())

    def binary(self, node: Any, domain: Any) -> Value:
        left, right = self.converted(node.left, domain), self.converted(node.right, domain)
        type = left.type if node.op in ("<<", ">>") else left.type.common(right.type)
        if node.op not in ("<<", ">>"):
            left = self.convert(node.left, left, type, domain)
            right = self.convert(node.right, right, type, domain)
        a, b = left.expression, right.expression
        match node.op:
            case "+":
                result = a.add(b)
            case "-":
                result = a.sub(b)
            case "*":
                if pw.constant_value(a) is None and pw.constant_value(b) is None:
                    raise self.product(node, a, b)
                result = a.mul(b)
            case "/" | "%":
                result = self.divide(node, a, b, domain)
            case "<<" | ">>" | "&" | "|" | "^":
                result = self.bits(node, a, b, domain)
            case _:
                why = f"uses '{node.op}'"
                raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        return self.checked(node, result, type, domain)

    def product(self, node: Any, a: Any, b: Any) -> NotAffineError:
        why = "multiplies two values that are no constants"
        varies = [value.involves_dims(DimType.in_, 0, value.dim(DimType.in_)) for value in (a, b)]
        remedy = None
        if varies.count(True) == 1:
            remedy = "give the array a dimension for each loop, or put a constant for one factor"
        return self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why, remedy)

    def divide(self, node: Any, a: Any, b: Any, domain: Any) -> Any:
        divisor = pw.constant_value(b)
        if divisor is None:
            why = "divides by a value that is no constant"
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        if divisor == 0:
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, "divides by zero")
        result = a.tdiv_q(b) if node.op == "/" else a.tdiv_r(b)
        # Both signs of the dividend are told apart; keep only the one that occurs.
        return result.gist(domain)

    def bits(self, node: Any, a: Any, b: Any, domain: Any) -> Any:
        """Shifts by constants, and masks with constants, of values that are not negative."""
        if node.op in ("&", "|", "^") and pw.constant_value(a) is not None:
            a, b = b, a
        amount = pw.constant_value(b)
        negative = not self.reader.holds(domain, a.nonneg_set())
        if amount is None or not 0 <= amount < 2**62 or (negative and not self.wraps):
            why = f"uses '{node.op}' on values that are no constants or may be negative"
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        if node.op in ("&", "|", "^"):
            return self.masked(node, a, amount)
        if amount > 62:
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, "shifts too far")
        factor = Val(1 << amount)
        return a.scale_val(factor) if node.op == "<<" else a.scale_down_val(factor).floor()

    def masked(self, node: Any, a: Any, mask: int) -> Any:
        """A value with a constant: `a | m` is a + m less the bits of `a & m`, `^` less them twice.

        A run of bits is the rest by the power above it, less that by its lowest.
        """
        runs = [(run.start(), run.end()) for run in re.finditer("1+", f"{mask:b}"[::-1])]
        if len(runs) > MOST_RUNS:
            why = f"masks more than {MOST_RUNS} runs of bits"
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, why)
        common = a.sub(a)
        for low, high in runs:
            common = common.add(a.mod_val(Val(1 << high)))
            common = common.sub(a.mod_val(Val(1 << low))) if low else common
        if node.op == "&":
            return common
        either = a.add_constant_val(Val(mask)).sub(common)
        return either if node.op == "|" else either.sub(common)

    def choice(self, node: Any, domain: Any) -> Value:
        holds = self.condition(node.cond, domain)
        then = self.converted(node.iftrue, domain.intersect(holds))
        otherwise = self.converted(node.iffalse, domain.subtract(holds))
        type = then.type.common(otherwise.type)
        then = self.convert(node.iftrue, then, type, domain.intersect(holds))
        otherwise = self.convert(node.iffalse, otherwise, type, domain.subtract(holds))
        result = holds.indicator_function().cond(then.expression, otherwise.expression)
        return Value(result.coalesce(), type)

    def cast(self, node: Any, domain: Any) -> Value:
        type = self.integer_type(node, node.type)
        return self.convert(node, self.integer(node.expr, domain), type, domain)

    def call(self, node: Any, name: str, domain: Any) -> Value:
        symbol = self.scope.find(name)
        if isinstance(symbol, Function) and symbol.definition is not None:
            return self.inlined(node, symbol.definition, domain)
        arguments = node.args
        if {"abs": 1, "min": 2, "max": 2}.get(name) != len(arguments):
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, _why(node))
        values = [self.converted(argument, domain) for argument in arguments]
        first = values[0].expression
        if name == "abs":
            return Value(first.max(first.neg()), INT)
        second = values[1].expression
        combined = first.min(second) if name == "min" else first.max(second)
        return Value(combined, values[0].type.common(values[1].type))

    def inlined(self, node: Any, function: Any, domain: Any) -> Value:
        """The value of a pure function that names values and returns an expression of them."""
        values, expression = named_values(function)
        if expression is None or not is_pure_call(node, self.scope):
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, _why(node))
        inside = self.scope.outermost().inner()
        for parameter, argument in zip(function.parameters, node.args, strict=True):
            type = self.integer_type(node, parameter.type)
            value = self.convert(argument, self.integer(argument, domain), type, domain)
            inside.names[parameter.name] = Bound(value.expression, type)
        type = self.integer_type(node, function.returns)
        body = _Evaluation(self.reader, inside, self.wraps)
        try:
            for own in values:
                kind = self.integer_type(node, own.type)
                value = body.convert(own.init, body.integer(own.init, domain), kind, domain)
                inside.names[own.name] = Bound(value.expression, kind)
            value = body.integer(joined(expression), domain)
        except NotAffineError:
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, _why(node)) from None
        return self.convert(node, value, type, domain)

    def integer_type(self, node: Any, type: Any) -> Number:
        scalar = scalar_type(type)
        if not isinstance(scalar, Number):
            raise self.reader.refuse(Refusal.NON_AFFINE_EXPRESSION, node, "is not an integer")
        return scalar

    # Conditions.

    def condition(self, node: Any, domain: Any) -> Any:
        match node:
            case tree.BinaryOp(op="&&"):
                left = self.condition(node.left, domain)
                return left.intersect(self.condition(node.right, domain.intersect(left)))
            case tree.BinaryOp(op="||"):
                left = self.condition(node.left, domain)
                return left.union(self.condition(node.right, domain.subtract(left)))
            case tree.UnaryOp(op="!"):
                return self.condition(node.expr, domain).complement()
            case tree.BinaryOp(op="<" | "<=" | ">" | ">=" | "==" | "!="):
                left, right = self.converted(node.left, domain), self.converted(node.right, domain)
                type = left.type.common(right.type)
                a = self.convert(node.left, left, type, domain).expression
                b = self.convert(node.right, right, type, domain).expression
                return _COMPARE[node.op](a, b)
        value = self.integer(node, domain).expression
        return value.ne_set(pw.constant(domain.space, 0))

    # Types.

    def checked(self, node: Any, result: Any, type: Number, domain: Any) -> Value:
        """The result of an operator in `type`; refused where an unsigned type would wrap."""
        if not type.signed and not self.wraps and not self.fits(result, type, domain):
            why = f"may wrap around in an unsigned type of {type.bits} bits"
            raise self.reader.refuse(Refusal.UNSIGNED_WRAP, node, why)
        return Value(result, type)

    def convert(self, node: Any, value: Value, type: Number, domain: Any) -> Value:
        """C99 6.3.1.3: `value` in `type`, refused where it may not be representable."""
        if value.type.least >= type.least and value.type.greatest <= type.greatest:
            return Value(value.expression, type)
        if type.is_bool:
            truth = value.expression.ne_set(pw.constant(domain.space, 0))
            return Value(truth.indicator_function(), type)
        if not self.wraps and not self.fits(value.expression, type, domain):
            kind = "a signed" if type.signed else "an unsigned"
            why = f"may not fit in {kind} type of {type.bits} bits"
            raise self.reader.refuse(Refusal.UNSIGNED_WRAP, node, why)
        return Value(value.expression, type)

    def fits(self, expression: Any, type: Number, domain: Any) -> bool:
        low = expression.ge_set(pw.constant(domain.space, type.least))
        high = expression.le_set(pw.constant(domain.space, type.greatest))
        return self.reader.holds_as_given(domain, low.intersect(high))


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a.lt_set(b),
    "<=": lambda a, b: a.le_set(b),
    ">": lambda a, b: a.gt_set(b),
    ">=": lambda a, b: a.ge_set(b),
    "==": lambda a, b: a.eq_set(b),
    "!=": lambda a, b: a.ne_set(b),
}


OF_ARRAY = "is an array element, known only when the program runs"


def _why(node: Any) -> str:
    match node:
        case tree.ArrayRef():
            return OF_ARRAY
        case tree.FuncCall():
            return "is the result of a call"
        case tree.UnaryOp(op="*"):
            return "is read through a pointer"
        case tree.Assignment() | tree.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return "changes a variable"
        case tree.StructRef():
            return "is a member of a struct"
    return "is no sum of loop variables, params and constants"


def in_ranges(parameters: tuple[str, ...], types: Mapping[str, Number]) -> Any:
    """The parameter set in which those with types have values of theirs, of 32 bits with a sign."""
    space = pw.instance_space(parameters, 0)
    inside = Set.universe(space)
    for name, type in types.items():
        value = pw.parameter(space, name)
        low = pw.constant(space, max(type.least, INT.least))
        high = pw.constant(space, min(type.greatest, INT.greatest))
        inside = inside.intersect(value.ge_set(low)).intersect(value.le_set(high))
    return inside.params()


def assumptions(parameters: tuple[str, ...], types: dict[str, Number], context: Any) -> Any:
    """The parameter set wrap-around is disproved under: the context, and 31-bit values.

    `types` bounds single parameters further, e.g. unsigned ones from below.
    """
    inside = in_ranges(parameters, {name: types.get(name, INT) for name in parameters})
    if context is None:
        return inside
    return inside.intersect(context if context.is_params() else context.params())
