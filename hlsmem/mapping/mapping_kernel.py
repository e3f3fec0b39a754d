"""Proof that a lattice with affine generators meets the differences in 0 only.

A difference in the lattice is an integer combination of the generators. The factors of
constant generators are unknowns; those of the generators with parameters are enumerated,
since forms that are 0 on all constant generators bound them. For a given choice of them all
is affine, and isl decides for which parameters there is such a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.polyhedra import PwAff, Set, Val
from hlsmem.polyhedra.lattices import Matrix, annihilators
from hlsmem.polyhedra.quantities import (
    affine_of,
    form_values,
    maximum,
    quantity_pieces,
)
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.polyhedra.signs import is_never_negative
from hlsmem.polyhedra.star_closure import origin

Generators = tuple[tuple[QuasiPolynomial, ...], ...]

# Factors of a generator with parameters are enumerated up to this.
MOST_FACTORS = 6

Rows = Sequence[Sequence[QuasiPolynomial]]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The generators with constant entries, those with parameters, and what bounds the latter.

    The forms are a basis of those that are 0 on the constant generators.
    """

    constant: Matrix
    parametric: Generators
    forms: Matrix


def colliding_parameters(generators: Generators, conflicts: Conflicts) -> Any | None:
    """The parameters of the context at which the lattice meets a difference other than 0.

    Those at which the generators are dependent count, and, where a single generator has
    parameters, those at which the determinant has another sign than for large parameters.
    None where the factors of the generators cannot be bounded: then nothing is known.
    """
    parts = _parts(generators)
    if parts is None:
        return None
    colliding = conflicts.context.subtract(conflicts.context)
    context, differences = conflicts.context, conflicts.differences
    if len(parts.parametric) == 1:
        flat = _nonpositive(_images(parts)[0][0], context)
        if flat is None:
            return None
        colliding, context = flat, context.subtract(flat)
        differences = differences.intersect_params(context)
    limits = _limits(parts, differences, context)
    if limits is None:
        return None
    for factors in _half(limits):
        shared = differences.intersect(_combinations(parts, factors, differences))
        shared = shared.subtract(origin(shared.get_space()))
        colliding = colliding.union(shared.params())
    return colliding.coalesce()


def meets_at(generators: Generators, values: Mapping[str, int], differences: Any) -> bool:
    """True if the lattice at these values contains a difference other than 0; the differences have
    no parameters."""
    rows = tuple(tuple(one.evaluate(values) for one in generator) for generator in generators)
    shared = differences.intersect(_combinations(_Parts(rows, (), ()), (), differences))
    return not shared.subtract(origin(shared.get_space())).is_empty()


def _parts(generators: Generators) -> _Parts | None:
    constant: list[tuple[int, ...]] = []
    parametric = []
    for generator in generators:
        entries = [entry.constant_value() for entry in generator]
        known = tuple(entry for entry in entries if entry is not None)
        if len(known) == len(entries):
            constant.append(known)
        else:
            parametric.append(generator)
    try:
        forms = annihilators(constant, len(generators[0]))
    except ValueError:
        return None
    if len(parametric) == 1:
        (image,) = [product_of(forms[0], parametric[0])]
        # With one form left its sign is free: positive for large parameters.
        if _leading_factor(image) < 0:
            forms = (tuple(-entry for entry in forms[0]),)
    return _Parts(tuple(constant), tuple(parametric), forms)


def _leading_factor(quantity: QuasiPolynomial) -> int:
    return quantity.terms[0][1] if quantity.terms else 0


def _images(parts: _Parts) -> list[list[QuasiPolynomial]]:
    """The forms on the parametric generators: one row a generator."""
    return [[product_of(form, generator) for form in parts.forms] for generator in parts.parametric]


def _nonpositive(quantity: QuasiPolynomial, context: Any) -> Any | None:
    """The parameters at which an affine quasi-polynomial is not positive."""
    try:
        form = PwAff.from_aff(affine_of(quantity, context.get_space()))
    except ValueError:
        return None
    return context.subtract(form.pos_set())


def _limits(parts: _Parts, differences: Any, context: Any) -> list[int] | None:
    """The greatest absolute factor of each parametric generator in a difference, or more."""
    images = _images(parts)
    if not images:
        return []
    if len(images) == 1:
        limit = _limit_of_one(parts.forms[0], images[0][0], differences)
        return None if limit is None else [limit]
    total = determinant(images)
    inverse = adjugate(images)
    limits = [0] * len(images)
    for widths, when in _widths(parts.forms, differences, context):
        size = _absolute(total, when)
        columns = [[_absolute(row[k], when) for row in inverse] for k in range(len(images))]
        for position, column in enumerate(columns):
            if size is None or any(entry is None for entry in column):
                return None
            reach = product_of([entry for entry in column if entry is not None], widths)
            limit = _quotient(reach, size, when)
            if limit is None:
                return None
            limits[position] = max(limits[position], limit)
    return limits


def _limit_of_one(form: Sequence[int], image: QuasiPolynomial, differences: Any) -> int | None:
    """Number of times that `image`, positive and affine, fits into the form's reach."""
    reach = form_values(differences, form).dim_max(0)
    step = PwAff.from_aff(affine_of(image, differences.get_space().params()))
    for limit in range(MOST_FACTORS + 1):
        more = step.scale_val(Val(limit + 1))
        if reach.domain().is_subset(reach.lt_set(more)):
            return limit
    return None


def _widths(
    forms: Matrix, differences: Any, context: Any
) -> Iterator[tuple[list[QuasiPolynomial], Any]]:
    """The greatest values of the forms, with the parameters they hold for."""
    pieces = [quantity_pieces(maximum(differences, form), context) for form in forms]
    for choice in product(*pieces):
        when = context
        for piece in choice:
            when = when.intersect(Set(piece.when))
        if not when.is_empty():
            yield [piece.value for piece in choice], when


def _absolute(quantity: QuasiPolynomial, when: Any) -> QuasiPolynomial | None:
    if is_never_negative(quantity, when):
        return quantity
    return -quantity if is_never_negative(-quantity, when) else None


def _quotient(reach: QuasiPolynomial, size: QuasiPolynomial, when: Any) -> int | None:
    """The least limit with reach < (limit + 1) size everywhere."""
    for limit in range(MOST_FACTORS + 1):
        if is_never_negative(size * (limit + 1) - reach - 1, when):
            return limit
    return None


def _half(limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All choices within the limits, one of each pair of opposite ones."""
    for factors in product(*(range(-limit, limit + 1) for limit in limits)):
        if next((factor for factor in factors if factor), 1) > 0:
            yield factors


def _combinations(parts: _Parts, factors: Sequence[int], differences: Any) -> Any:
    """The lattice points with these factors of the parametric generators."""
    parameters = parameter_names(differences)
    free = dimension_names("a", len(parts.constant), parameters)
    names = dimension_names("z", len(parts.constant) + len(parts.parametric), parameters)
    conditions = []
    for position, name in enumerate(names):
        known = product_of(factors, [generator[position] for generator in parts.parametric])
        terms = [f"{row[position]}{a}" for a, row in zip(free, parts.constant, strict=True)]
        conditions.append(f"{name} = {' + '.join([f'({known})', *terms])}")
    unknown = f"exists {', '.join(free)} : " if free else ""
    text = f"[{', '.join(names)}] : {unknown}{' and '.join(conditions)}"
    return Set(f"[{', '.join(parameters)}] -> {{ {text} }}")


def determinant(rows: Rows) -> QuasiPolynomial:
    """The determinant by expansion along the first row; 1 for no rows."""
    if not rows:
        return QuasiPolynomial.constant(1)
    total = QuasiPolynomial.constant(0)
    for column, entry in enumerate(rows[0]):
        if entry.terms:
            total += entry * cofactor(rows, 0, column)
    return total


def cofactor(rows: Rows, row: int, column: int) -> QuasiPolynomial:
    """The signed determinant of what is left without a row and a column."""
    minor = [
        [entry for k, entry in enumerate(other) if k != column]
        for position, other in enumerate(rows)
        if position != row
    ]
    return determinant(minor) * (-1 if (row + column) % 2 else 1)


def adjugate(rows: Rows) -> tuple[tuple[QuasiPolynomial, ...], ...]:
    """The matrix whose product with a square matrix is the determinant times the identity."""
    size = range(len(rows))
    return tuple(tuple(cofactor(rows, column, row) for column in size) for row in size)


def product_of(
    row: Sequence[QuasiPolynomial | int], column: Sequence[QuasiPolynomial]
) -> QuasiPolynomial:
    """The sum of the products of entries."""
    total = QuasiPolynomial.constant(0)
    for left, right in zip(row, column, strict=True):
        total += right * left
    return total
