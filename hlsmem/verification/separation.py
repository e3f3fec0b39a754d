"""Proof that a modular map separates differences for all parameters of the context.

A difference d of two conflicting elements is unsafe when every component of M d is a multiple
of its modulus. Constant moduli become existentials; for a modulus that depends on parameters
the multiples are tried one after the other until the range of the component is used up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.quantity import Quantity
from hlsmem.values import dataclass
from hlsmem.verification.folding import Row

_MOST_CASES = 64


@dataclass(frozen=True, slots=True)
class Separated:
    """No difference but 0 is mapped to 0, whatever the parameters."""


@dataclass(frozen=True, slots=True)
class Collision:
    """Differences (with parameters) of conflicting elements that share a cell; not empty."""

    differences: Any = field(compare=False)


@dataclass(frozen=True, slots=True)
class Unproved:
    """This check has no proof; says what it cannot express."""

    reason: str


class _CannotExpress(Exception):
    pass


def separates(rows: Sequence[Row], differences: Any) -> Separated | Collision | Unproved:
    """Whether the rows' formulas separate `differences` (an anonymous set without 0)."""
    unsafe = differences
    try:
        for row in rows:
            if unsafe.is_empty():
                break
            unsafe = _multiples(unsafe, row)
    except _CannotExpress as reason:
        return Unproved(str(reason))
    return Separated() if unsafe.is_empty() else Collision(unsafe)


def nonpositive_modulus(rows: Sequence[Row], context: Any) -> str:
    """Says for which parameters a modulus is below 1; empty where there are none."""
    for row in rows:
        if not row.symbolic_modulus.is_affine():
            continue
        names = ", ".join(parameter_names(context))
        low = Set(f"[{names}] -> {{ : {row.symbolic_modulus} <= 0 }}").params()
        bad = context.params().intersect(low)
        if not bad.is_empty():
            point = bad.sample_point()
            at = ", ".join(
                f"{name}={point.get_coordinate_val(DimType.param, position).to_python()}"
                for position, name in enumerate(parameter_names(bad))
            )
            return f"the modulus {row.symbolic_modulus} is below 1 at {at}"
    return ""


def _multiples(differences: Any, row: Row) -> Any:
    """The differences whose component is a multiple of the modulus."""
    result = Set.empty(differences.get_space())
    for part, form in _forms(differences, row):
        result = result.union(_multiples_of(part, form, row.symbolic_modulus))
    return result


def _multiples_of(differences: Any, form: str, modulus: Quantity) -> Any:
    constant = modulus.constant_value()
    if constant is not None:
        (factor,) = dimension_names("k", 1, parameter_names(differences))
        multiple = f"exists {factor} : {form} = {constant}{factor}"
        return differences.intersect(_where(differences, multiple))
    if not modulus.is_affine():
        raise _CannotExpress(f"the modulus {modulus} is not affine in the parameters")
    found = differences.intersect(_where(differences, f"{form} = 0"))
    for times in range(1, _MOST_CASES):
        reach = str(modulus * times)
        above = differences.intersect(_where(differences, f"{form} >= {reach}"))
        below = differences.intersect(_where(differences, f"{form} <= -({reach})"))
        if above.is_empty() and below.is_empty():
            return found
        found = found.union(above.intersect(_where(above, f"{form} = {reach}")))
        found = found.union(below.intersect(_where(below, f"{form} = -({reach})")))
    raise _CannotExpress(f"the component exceeds {_MOST_CASES} times the modulus {modulus}")


def _forms(differences: Any, row: Row) -> list[tuple[Any, str]]:
    """The differences in parts on which the component is affine, each with its isl text.

    A coordinate whose coefficient has parameters must have a constant range: one part for
    each of its values.
    """
    parts: list[tuple[Any, list[str]]] = [(differences, [])]
    names = _names(differences)
    for position, coefficient in enumerate(row.symbolic_coefficients):
        constant = coefficient.constant_value()
        if constant is not None:
            parts = [(part, [*terms, f"{constant}{names[position]}"]) for part, terms in parts]
            continue
        parts = [
            (part.fix_val(DimType.set, position, value), [*terms, _term(coefficient, value)])
            for part, terms in parts
            for value in _constant_range(part, position, coefficient)
        ]
    return [(part, " + ".join(terms) or "0") for part, terms in parts if not part.is_empty()]


def _term(coefficient: Quantity, value: int) -> str:
    product = coefficient * value
    if not product.is_affine():
        raise _CannotExpress(f"the coefficient {coefficient} is not affine in the parameters")
    return f"({product})"


def _constant_range(differences: Any, position: int, coefficient: Quantity) -> range:
    if differences.is_empty():
        return range(0)
    everywhere = differences.project_out(
        DimType.param, 0, differences.dim(DimType.param)
    ).project_out(DimType.set, position + 1, differences.dim(DimType.set) - position - 1)
    line = everywhere.project_out(DimType.set, 0, position)
    # isl finds sets unbounded whose divisions are, so the ends themselves are asked for.
    ends = (line.dim_min_val(0), line.dim_max_val(0))
    if not all(one.is_int() for one in ends):
        raise _CannotExpress(f"coordinate {position} has no constant range for {coefficient}")
    first, last = (one.to_python() for one in ends)
    if last - first >= _MOST_CASES:
        raise _CannotExpress(f"coordinate {position} has a long range for {coefficient}")
    return range(first, last + 1)


def _where(differences: Any, condition: str) -> Any:
    """A set of differences by isl text, over their `_names` and parameters."""
    parameters, names = parameter_names(differences), _names(differences)
    return Set(f"[{', '.join(parameters)}] -> {{ [{', '.join(names)}] : {condition} }}")


def _names(differences: Any) -> list[str]:
    return dimension_names("d", differences.dim(DimType.set), parameter_names(differences))
