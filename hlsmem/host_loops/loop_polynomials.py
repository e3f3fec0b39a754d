"""Expressions in loop variables as polynomials, and what they gain from one iteration to the next.

A loop variable is an atom of a quasi-polynomial as a parameter is: 2*N*y + x is a quasi-polynomial
in N, y and x.
"""

from __future__ import annotations

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.quasi_polynomial import Floor, QuasiPolynomial


def polynomial(expression: Expression) -> QuasiPolynomial | None:
    """The expression as a polynomial in its names; None where it has another operator.

    >>> x = Name("x")
    >>> str(polynomial(Operation(Operator.SUBTRACT, (x, Integer(2)))))
    'x - 2'
    >>> polynomial(Operation(Operator.MINIMUM, (x, Integer(2)))) is None
    True
    """
    match expression:
        case Integer(value):
            return QuasiPolynomial.constant(value)
        case Name(name):
            return QuasiPolynomial.parameter(name)
        case Operation(operator, arguments):
            parts = [polynomial(argument) for argument in arguments]
            known = [part for part in parts if part is not None]
            return _combined(operator, known) if len(known) == len(parts) else None


def _combined(operator: Operator, parts: list[QuasiPolynomial]) -> QuasiPolynomial | None:
    match operator:
        case Operator.ADD:
            return sum(parts, QuasiPolynomial.constant(0))
        case Operator.SUBTRACT:
            first, *rest = parts
            return first - sum(rest, QuasiPolynomial.constant(0)) if rest else -first
        case Operator.MULTIPLY:
            return QuasiPolynomial.product(parts)
    return None


def slope(form: QuasiPolynomial, name: str) -> QuasiPolynomial | None:
    """Growth of the form where `name` grows by 1; None where that depends on `name`.

    >>> n, x = QuasiPolynomial.parameter("N"), QuasiPolynomial.parameter("x")
    >>> str(slope(2 * n * x + x - n, "x"))
    '2*N + 1'
    >>> slope(x * x, "x") is None
    True
    """
    gained = QuasiPolynomial.constant(0)
    for monomial, factor in form.terms:
        powers = [power for atom, power in monomial if atom == name]
        floors = (atom for atom, _ in monomial if isinstance(atom, Floor))
        if any(name in floor.numerator.parameters() for floor in floors):
            return None
        if not powers:
            continue
        if powers != [1]:
            return None
        rest = tuple(pair for pair in monomial if pair[0] != name)
        gained = gained + QuasiPolynomial(((rest, factor),))
    return gained
