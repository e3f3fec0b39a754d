"""Expression trees as text: the one printer that knows precedence, for C and for Verilog.

Both languages share the precedences of the operators used here. What neither can say with an
operator (floor division, minimum, ..) is a call of a helper function that the syntax names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import IntEnum

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass


class Binding(IntEnum):
    """Precedence of an operator; every operator here groups from the left."""

    SELECT = 1
    OR = 2
    AND = 3
    EQUALITY = 4
    RELATION = 5
    SUM = 6
    PRODUCT = 7
    UNARY = 8
    ATOM = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """A target language: names of helper functions, and how integer literals are written."""

    helpers: Mapping[Operator, str] = field(default_factory=dict)
    integer: Callable[[int], str] = str


_INFIX: dict[Operator, tuple[str, Binding]] = {
    Operator.MULTIPLY: ("*", Binding.PRODUCT),
    Operator.EXACT_DIVIDE: ("/", Binding.PRODUCT),
    Operator.QUOTIENT: ("/", Binding.PRODUCT),
    Operator.REMAINDER: ("%", Binding.PRODUCT),
    Operator.EQUAL: ("==", Binding.EQUALITY),
    Operator.LESS_EQUAL: ("<=", Binding.RELATION),
    Operator.LESS: ("<", Binding.RELATION),
    Operator.GREATER_EQUAL: (">=", Binding.RELATION),
    Operator.GREATER: (">", Binding.RELATION),
    Operator.AND: ("&&", Binding.AND),
    Operator.OR: ("||", Binding.OR),
}


def print_expression(
    expression: Expression, syntax: Syntax, names: Mapping[str, str] | None = None
) -> str:
    """The text of an expression, with the fewest parentheses that readers and gcc's
    -Wparentheses like.

    `names` replaces names by other atoms (identifiers, casts of them, or text in
    parentheses). Raises ValueError for an operator that the syntax has no helper for.

    >>> two = Operation(Operator.REMAINDER, (Name("i"), Integer(2)))
    >>> print_expression(Operation(Operator.MULTIPLY, (Integer(5), two)), Syntax())
    '5 * (i % 2)'
    """
    return _Printer(syntax, names or {}).text(expression)[0]


def print_atom(
    expression: Expression, syntax: Syntax, names: Mapping[str, str] | None = None
) -> str:
    """As `print_expression`, in parentheses unless it is a single token or a call."""
    text, binding = _Printer(syntax, names or {}).text(expression)
    return text if binding is Binding.ATOM else f"({text})"


@dataclass(frozen=True, slots=True)
class _Printer:
    syntax: Syntax
    names: Mapping[str, str]

    def text(self, expression: Expression) -> tuple[str, Binding]:
        match expression:
            case Integer(value):
                return self.syntax.integer(value), Binding.ATOM if value >= 0 else Binding.UNARY
            case Name(name):
                return self.names.get(name, name), Binding.ATOM
            case Operation(Operator.ADD | Operator.SUBTRACT, _):
                return self.sum(expression)
            case Operation(Operator.MULTIPLY, (Integer(-1), _)):
                return self.sum(expression)
            case Operation(operator, arguments) if operator in self.syntax.helpers:
                return self.call(self.syntax.helpers[operator], arguments)
            case Operation(Operator.SELECT, (condition, then, otherwise)):
                parts = [self.within(e, Binding.OR) for e in (condition, then, otherwise)]
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", Binding.SELECT
            case Operation(operator, arguments) if operator in _INFIX:
                return self.infix(operator, arguments)
        raise ValueError(f"no way to write {expression.operator.value!r} in this language")

    def within(self, expression: Expression, least: Binding) -> str:
        """The text, in parentheses if it binds less than `least`."""
        text, binding = self.text(expression)
        return text if binding >= least else f"({text})"

    def infix(self, operator: Operator, arguments: tuple[Expression, ...]) -> tuple[str, Binding]:
        token, binding = _INFIX[operator]
        if len(arguments) == 1:
            return self.text(arguments[0])
        stronger = Binding(binding + 1)
        first = stronger
        if binding is Binding.PRODUCT:
            # 2 * N * i reads well; a mixture such as i % 2 * 5 does not.
            same = _is(arguments[0], Operator.MULTIPLY) and operator is Operator.MULTIPLY
            first = binding if same else stronger
        elif binding in (Binding.OR, Binding.AND, Binding.EQUALITY, Binding.RELATION):
            # gcc warns of && within || and of comparisons within comparisons.
            stronger = first = _LEAST_WITHIN[binding]
        parts = [self.within(arguments[0], first)]
        parts += [self.within(argument, stronger) for argument in arguments[1:]]
        return f" {token} ".join(parts), binding

    def sum(self, expression: Expression) -> tuple[str, Binding]:
        terms = list(_terms(expression, positive=True))
        if len(terms) > 1 and not terms[0][0]:
            # y - 2 * x rather than -2 * x + y
            leader = next((i for i, (positive, _) in enumerate(terms) if positive), 0)
            terms.insert(0, terms.pop(leader))
        if len(terms) == 1:
            return self.term(*terms[0])
        text, binding = self.term(*terms[0])
        text = text if binding >= Binding.PRODUCT else f"({text})"
        for positive, term in terms[1:]:
            text += f" {'+' if positive else '-'} {self.within(term, Binding.PRODUCT)}"
        return text, Binding.SUM

    def term(self, positive: bool, term: Expression) -> tuple[str, Binding]:
        """The first term of a sum, with its sign."""
        if positive:
            return self.text(term)
        if _is(term, Operator.MULTIPLY):
            return f"-{self.text(term)[0]}", Binding.PRODUCT
        return f"-{self.within(term, Binding.UNARY)}", Binding.UNARY

    def call(self, helper: str, arguments: tuple[Expression, ...]) -> tuple[str, Binding]:
        """Helpers take two arguments; longer lists nest."""
        text = self.text(arguments[0])[0]
        for argument in arguments[1:]:
            text = f"{helper}({text}, {self.text(argument)[0]})"
        return text, Binding.ATOM


_LEAST_WITHIN = {
    Binding.OR: Binding.EQUALITY,
    Binding.AND: Binding.EQUALITY,
    Binding.EQUALITY: Binding.SUM,
    Binding.RELATION: Binding.SUM,
}


def _is(expression: Expression, operator: Operator) -> bool:
    return isinstance(expression, Operation) and expression.operator is operator


def _terms(expression: Expression, *, positive: bool) -> list[tuple[bool, Expression]]:
    """A sum as (is added, term) with integer zeros dropped and signs pulled to the front."""
    match expression:
        case Operation(Operator.ADD, arguments):
            return _nonempty([t for a in arguments for t in _terms(a, positive=positive)])
        case Operation(Operator.SUBTRACT, (left, right)):
            terms = _terms(left, positive=positive) + _terms(right, positive=not positive)
            return _nonempty(terms)
        case Integer(value) if value < 0:
            return [(not positive, Integer(-value))]
        case Operation(Operator.MULTIPLY, (Integer(value), *rest)) if value < 0 and rest:
            if value == -1:
                product = rest[0] if len(rest) == 1 else Operation(Operator.MULTIPLY, tuple(rest))
                return _terms(product, positive=not positive)
            return [(not positive, Operation(Operator.MULTIPLY, (Integer(-value), *rest)))]
    return [(positive, expression)]


def _nonempty(terms: list[tuple[bool, Expression]]) -> list[tuple[bool, Expression]]:
    return [term for term in terms if term[1] != Integer(0)] or [(True, Integer(0))]
