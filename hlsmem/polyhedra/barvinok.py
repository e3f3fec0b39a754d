"""Numbers of points by barvinok, where islpy was built with it (PyPI: islpy-barvinok, GPL).

Source: Verdoolaege et al., "Counting integer points in parametric polytopes using Barvinok's
rational functions" (Algorithmica 2007).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra.quantities import affine_quantity
from hlsmem.polyhedra.sets import fix_parameters


def is_at_hand() -> bool:
    return hasattr(Set, "card")


def number_of_points(points: Any, values: Mapping[str, int]) -> tuple[QuasiPolynomial, Any] | None:
    """The formula for the points of a bounded set at `values`, and the parameters it holds for.

    None without barvinok.
    """
    return piece_at(points.card(), values) if is_at_hand() else None


def piece_at(formula: Any, values: Mapping[str, int]) -> tuple[QuasiPolynomial, Any]:
    """The piece of a piecewise quasi-polynomial over parameters that holds at `values`.

    Where there is none, it is 0.
    """
    for domain, piece in formula.get_pieces():
        if not fix_parameters(domain, values).is_empty():
            return _quantity(piece), domain
    return QuasiPolynomial.constant(0), formula.domain().complement()


def _quantity(piece: Any) -> QuasiPolynomial:
    """A quasi-polynomial, which takes whole numbers, as a quasi-polynomial."""
    terms: list[tuple[QuasiPolynomial, Any]] = []
    piece.foreach_term(
        lambda term: terms.append((_monomial(term, piece), term.get_coefficient_val()))
    )
    divisor = lcm(*(factor.get_den_val().to_python() for _, factor in terms))
    total = QuasiPolynomial.constant(0)
    for monomial, factor in terms:
        total += monomial * factor.mul(Val(divisor)).to_python()
    return total.floor_divide(divisor)


def _monomial(term: Any, piece: Any) -> QuasiPolynomial:
    space = piece.get_domain_space()
    factors = []
    for position in range(term.dim(DimType.param)):
        name = space.get_dim_name(DimType.param, position)
        factors += [QuasiPolynomial.parameter(name)] * term.get_exp(DimType.param, position)
    for position in range(term.dim(DimType.div)):
        power = term.get_exp(DimType.div, position)
        if power:
            factors += [affine_quantity(term.get_div(position))] * power
    return QuasiPolynomial.product(factors)
