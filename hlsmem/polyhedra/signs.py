"""Proof that a quasi-polynomial is never negative where the parameters satisfy the context."""

from __future__ import annotations

from typing import Any

from hlsmem.core.quasi_polynomial import Floor, QuasiPolynomial
from hlsmem.polyhedra import DimType, PwAff
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.polyhedra.sets import parameter_names


def is_never_negative(quantity: QuasiPolynomial, context: Any) -> bool:
    """True only if `quantity` >= 0 for all parameters in `context` (a parameter set).

    Exact for affine quasi-polynomials. For products of parameters it is sufficient, not necessary:
    every coefficient has to be non-negative once the parameters count from their lower bounds.
    """
    try:
        form = affine_of(quantity, context.get_space())
    except ValueError:
        shifted = _counted_from_lower_bounds(quantity, context)
        return shifted is not None and all(factor >= 0 for _, factor in shifted.terms)
    return bool(context.is_subset(PwAff.from_aff(form).nonneg_set()))


def _counted_from_lower_bounds(quantity: QuasiPolynomial, context: Any) -> QuasiPolynomial | None:
    """The quasi-polynomial with each parameter p replaced by p + its least value, or None."""
    names = parameter_names(context)
    total = QuasiPolynomial.constant(0)
    for monomial, factor in quantity.terms:
        product = QuasiPolynomial.constant(factor)
        for atom, power in monomial:
            if isinstance(atom, Floor) or atom not in names:
                return None
            least = least_value(context, atom)
            if least is None:
                return None
            product *= QuasiPolynomial.product([QuasiPolynomial.parameter(atom) + least] * power)
        total += product
    return total


def least_value(context: Any, name: str) -> int | None:
    """The least value of a parameter in a set of parameters that is not empty; None: no least."""
    position = context.find_dim_by_name(DimType.param, name)
    values = context.move_dims(DimType.set, 0, DimType.param, position, 1)
    least = values.project_out(DimType.param, 0, values.dim(DimType.param)).dim_min_val(0)
    return int(least.to_python()) if least.is_int() else None
