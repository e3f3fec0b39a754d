"""Between isl's piecewise quasi-affine expressions over the parameters and quasi-polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import Floor, QuasiPolynomial
from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Val


@dataclass(frozen=True, slots=True)
class QuantityPiece:
    """A quasi-polynomial where the parameters satisfy `when` (isl text of a parameter set)."""

    when: str
    value: QuasiPolynomial


def quantity_of(value: Any, context: Any) -> QuasiPolynomial | None:
    """The quasi-polynomial equal to `value` (PwAff over the parameters) on all of `context`.

    None where no single piece of `value` holds on the whole context, or where `value` has
    no value on part of it. `context` is a parameter set that is not empty.
    """
    pieces = pieces_of(value, context)
    if len(pieces) == 1 and context.is_subset(value.domain()):
        return affine_quantity(pieces[0][1])
    for _, piece in pieces:
        everywhere = PwAff.from_aff(piece)
        if context.is_subset(everywhere.eq_set(value)):
            return affine_quantity(piece)
    return None


def quantity_pieces(value: Any, context: Any) -> tuple[QuantityPiece, ...]:
    """`value` (PwAff over the parameters) as quasi-polynomials with the conditions they hold under.

    The conditions are given within `context` and simplified by it.
    """
    return tuple(
        QuantityPiece(str(domain), affine_quantity(piece))
        for domain, piece in pieces_of(value, context)
    )


def affine_of(quantity: QuasiPolynomial, space: Any) -> Any:
    """The Aff over the parameters of `space` (a parameter space) that equals `quantity`.

    Raises ValueError where the quasi-polynomial has a product of parameters or a parameter that
    `space` does not have.
    """
    zero = Aff.zero_on_domain(space)
    result = zero
    for monomial, factor in quantity.terms:
        result = result.add(_atom(monomial, zero).scale_val(Val(str(factor))))
    return result


def maximum(points: Any, row: Sequence[int]) -> Any:
    """max of row . x over the integer points x of a set: a PwAff over the parameters.

    Exact on integers. It has no value for parameters at which the set is empty; raises
    PolyhedralError where the set is unbounded in that direction.
    """
    return form_values(points, row).dim_max(0)


def form_values(points: Any, row: Sequence[int]) -> Any:
    """The one-dimensional set of the values row . x over the points x of a set."""
    space = points.get_space()
    form = Aff.zero_on_domain(space)
    for position, factor in enumerate(row):
        form = form.set_coefficient_val(DimType.in_, position, Val(int(factor)))
    return points.apply(Map.from_aff(form))


def pieces_of(value: Any, context: Any) -> list[tuple[Any, Any]]:
    """The parameter sets on which a PwAff is one Aff, with these."""
    found: list[tuple[Any, Any]] = []
    reduced = value.intersect_params(context).coalesce().gist_params(context)
    reduced.foreach_piece(lambda domain, piece: found.append((domain, piece)))
    return [(domain.params(), piece) for domain, piece in found]


def affine_quantity(value: Any) -> QuasiPolynomial:
    """floor of an Aff: the Aff itself where it takes integer values.

    Its inputs, where it has some, are taken by their names as parameters are.
    """
    parameters = [
        value.get_domain_space().get_dim_name(DimType.param, i)
        for i in range(value.dim(DimType.param))
    ]
    terms = [(QuasiPolynomial.constant(1), value.get_constant_val())]
    for position, name in enumerate(parameters):
        factor = value.get_coefficient_val(DimType.param, position)
        terms.append((QuasiPolynomial.parameter(name), factor))
    for position in range(value.dim(DimType.in_)):
        factor = value.get_coefficient_val(DimType.in_, position)
        terms.append((QuasiPolynomial.parameter(value.get_dim_name(DimType.in_, position)), factor))
    for position in range(value.dim(DimType.div)):
        factor = value.get_coefficient_val(DimType.div, position)
        if not factor.is_zero():
            terms.append((affine_quantity(value.get_div(position)), factor))
    return _combine(terms)


def _combine(terms: list[tuple[QuasiPolynomial, Any]]) -> QuasiPolynomial:
    """floor of a sum with rational factors; exact where the sum is an integer."""
    divisor = lcm(*(factor.get_den_val().to_python() for _, factor in terms))
    total = QuasiPolynomial.constant(0)
    for quantity, factor in terms:
        total = total + quantity * factor.mul(Val(divisor)).to_python()
    return total.floor_divide(divisor)


def _atom(monomial: tuple[tuple[str | Floor, int], ...], zero: Any) -> Any:
    """An affine monomial (one parameter, one floor, or 1) as an Aff."""
    if not monomial:
        return zero.set_constant_val(Val(1))
    if len(monomial) > 1 or monomial[0][1] != 1:
        raise ValueError("a product of parameters is not affine")
    atom = monomial[0][0]
    if isinstance(atom, Floor):
        space = zero.get_domain_space()
        return affine_of(atom.numerator, space).scale_down_val(Val(atom.divisor)).floor()
    position = zero.get_domain_space().find_dim_by_name(DimType.param, atom)
    if position < 0:
        raise ValueError(f"{atom!r} is not a parameter")
    return zero.set_coefficient_val(DimType.param, position, Val(1))
