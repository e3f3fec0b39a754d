"""Proofs that a mapping separates all conflicting elements, for all parameters where possible.

A mapping is valid iff its kernel meets the differences of conflicting elements in 0 only.
The proof cuts the differences with one row of the mapping after another: what is left after
the last row has to be 0. A row bounded below its modulus leaves its zeros; else every
multiple of the modulus within the row's range is kept, or an unknown multiple where the
modulus is constant. Row-major rows, whose strides are products of parameters, have an
argument of their own (`hlsmem.mapping.row_major`).

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016), theorem 1;
Darte, Schreiber, Villard, "Lattice-based memory allocation" (2005).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.conflict_differences import Conflicts, conflicts_of
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.row_major import separates_row_major
from hlsmem.mapping.storage_mapping import Certificate, Piece
from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Set, Val
from hlsmem.polyhedra.lattices import Vector, unit
from hlsmem.polyhedra.quantities import affine_of, maximum
from hlsmem.polyhedra.sets import has_divisions
from hlsmem.polyhedra.signs import is_never_negative
from hlsmem.polyhedra.star_closure import origin

if TYPE_CHECKING:
    import numpy as np

# Differences that are looked at one by one at the plan's values.
MOST_LISTED = 1 << 18

# Multiples of a modulus, and values of a difference, that are enumerated one by one.
MOST_MULTIPLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """Two elements this far apart conflict, and the mapping gives them one cell."""

    difference: tuple[int, ...]
    values: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.values)
        where = f" at {values}" if values else ""
        return f"difference {self.difference}{where} shares a cell"


def prove(piece: Piece, problem: StorageProblem) -> Certificate | Counterexample:
    """The certificate of `piece` for `problem`, or a conflict it does not separate.

    For all parameters of the context where the proof succeeds, else at the plan's values;
    a counterexample is one at the plan's values. `piece` maps the whole array.
    """
    return prove_within(conflicts_of(problem), piece)


def prove_within(conflicts: Conflicts, piece: Piece) -> Certificate | Counterexample:
    """As `prove`, for conflicts already prepared."""
    found = everywhere(piece, conflicts)
    return found if isinstance(found, Certificate) else at_values(piece, conflicts)


def everywhere(piece: Piece, conflicts: Conflicts) -> Certificate | Counterexample | None:
    """A proof for all parameters, a counterexample at some, or None where neither is found."""
    if not conflicts.values:
        return at_values(piece, conflicts)
    if not all(is_never_negative(modulus - 1, conflicts.promised) for modulus in piece.modulus):
        return None  # where no element exists a width may be anything
    whole = conflicts.differences
    try:
        return _verdict(_cut(whole, piece, conflicts.context), _for_all_parameters("widths"))
    except _OutOfReach:
        if separates_row_major(piece, conflicts):
            return _for_all_parameters("row-major order")
    elsewhere = _at_other_values(piece, conflicts)
    if elsewhere is not None:
        return elsewhere
    try:
        remaining = _cut(whole, piece, conflicts.context, multiples=True)
    except _OutOfReach:
        return None
    return _verdict(remaining, _for_all_parameters("multiples"))


def at_values(piece: Piece, conflicts: Conflicts) -> Certificate | Counterexample:
    """A proof at the plan's values, or a counterexample there.

    By widths; where multiples of a modulus are reached, by looking at all differences if
    they are few enough to be listed, else by isl. Raises ValueError where a modulus is not
    positive: there is no such mapping.
    """
    moduli = piece.modulus_at(conflicts.values)
    if any(entry < 1 for entry in moduli):
        raise ValueError(f"moduli have to be positive, not {moduli}")
    values = tuple(conflicts.values.items())
    fixed = piece.constant_at(conflicts.values)
    differences = conflicts.differences_at
    try:
        remaining, argument = _cut(differences, fixed, differences.params()), "widths"
    except _OutOfReach:
        points = half_differences(differences, MOST_LISTED)
        if points is not None:
            shared = _first_in_kernel(points, piece.matrix_at(conflicts.values), moduli)
            if shared is not None:
                return Counterexample(difference=shared, values=values)
            return Certificate(scope="at", by="differences", at=values)
        remaining = _cut(differences, fixed, differences.params(), multiples=True)
        argument = "multiples"
    found = _verdict(remaining, Certificate(scope="at", by=argument, at=values))
    if isinstance(found, Counterexample):
        return Counterexample(difference=found.difference, values=values)
    return found


def _for_all_parameters(argument: str) -> Certificate:
    return Certificate(scope="all-parameters", by=argument)


def _first_in_kernel(
    points: np.ndarray, matrix: Sequence[Vector], moduli: Sequence[int]
) -> Vector | None:
    import numpy as np

    left = points
    for row, modulus in zip(matrix, moduli, strict=True):
        left = left[left @ np.array(row, dtype=np.int64) % modulus == 0]
    return tuple(int(entry) for entry in left[0]) if len(left) else None


def _at_other_values(piece: Piece, conflicts: Conflicts) -> Counterexample | None:
    """A counterexample at larger parameters: what fits one size, or its parity, fails there.

    It spares a proof that would have to look for unknown multiples for all parameters.
    """
    for more in (0, 1):
        values = {name: 2 * value + more for name, value in conflicts.values.items()}
        other = conflicts.at(values)
        if other is None or any(entry < 1 for entry in piece.modulus_at(values)):
            continue
        found = at_values(piece, other)
        if isinstance(found, Counterexample):
            return found
    return None


class _OutOfReach(Exception):
    """The argument does not apply: products of parameters, or too many multiples."""


def _cut(points: Any, piece: Piece, context: Any, *, multiples: bool = False) -> Any:
    """The differences in the kernel of the mapping.

    With `multiples`, rows may reach multiples of their modulus other than 0.
    """
    for row, modulus in zip(piece.matrix, piece.modulus, strict=True):
        if points.is_empty():
            break
        kept = Set.empty(points.get_space())
        is_symmetric = all(entry.constant_value() is not None for entry in row)
        for part, form in _forms(points, row):
            lines = _lines(part, form, modulus, context, multiples, is_symmetric)
            kept = kept.union(part.intersect(lines))
        points = kept.coalesce()
    return points


def _verdict(remaining: Any, certificate: Certificate) -> Certificate | Counterexample:
    rest = remaining.subtract(origin(remaining.get_space()))
    if rest.is_empty():
        return certificate
    point = rest.sample_point()
    entries = point.get_multi_val()
    space = point.get_space()
    return Counterexample(
        difference=tuple(entries.get_val(k).to_python() for k in range(space.dim(DimType.set))),
        values=tuple(
            (
                space.get_dim_name(DimType.param, k),
                point.get_coordinate_val(DimType.param, k).to_python(),
            )
            for k in range(space.dim(DimType.param))
        ),
    )


def _forms(points: Any, row: Sequence[QuasiPolynomial]) -> Iterator[tuple[Any, Any]]:
    """(part of the points, affine form equal to `row` there), covering all points.

    Entries that depend on parameters are multiplied out: their coordinates must have a few
    constant values.
    """
    space = points.get_space()
    form = Aff.zero_on_domain(space)
    symbolic: list[int] = []
    for position, entry in enumerate(row):
        constant = entry.constant_value()
        if constant is None:
            symbolic.append(position)
        else:
            form = form.set_coefficient_val(DimType.in_, position, Val(constant))
    ranges = [_few_values(points, position, len(row)) for position in symbolic]
    for choice in product(*ranges):
        part, rest = points, form
        for position, value in zip(symbolic, choice, strict=True):
            part = part.fix_val(DimType.set, position, Val(value))
            rest = rest.add(_affine(row[position] * value, space))
        if not part.is_empty():
            yield part, rest


def _few_values(points: Any, position: int, size: int) -> range:
    most = maximum(points, unit(size, position)).max_val()
    least = maximum(points, tuple(-entry for entry in unit(size, position))).max_val()
    if not (most.is_int() and least.is_int()):
        raise _OutOfReach
    found = range(-least.to_python(), most.to_python() + 1)
    if len(found) > 2 * MOST_MULTIPLES + 1:
        raise _OutOfReach
    return found


def _lines(
    points: Any,
    form: Any,
    modulus: QuasiPolynomial,
    context: Any,
    multiples: bool,
    is_symmetric: bool,
) -> Any:
    """A superset of the points where `form` is a multiple of `modulus`, exact on `points`.

    Of symmetric points the opposite ones need no look.
    """
    size = PwAff.from_aff(_affine(modulus, context.get_space()))
    if not context.is_subset(size.pos_set()):
        raise _OutOfReach
    constant = modulus.constant_value()
    if multiples and constant is not None and has_divisions(points):
        # To find the reach of points that already are multiples of something takes long.
        return _zeros(form.mod_val(Val(constant)))
    values = points.apply(Map.from_aff(form))
    if not is_symmetric:
        values = values.union(values.neg())
    reach = values.dim_max(0)
    if reach.domain().is_subset(reach.lt_set(size)):
        return _zeros(form)
    if not multiples:
        raise _OutOfReach
    if constant is not None:
        return _zeros(form.mod_val(Val(constant)))
    return _few_multiples(reach, form, modulus, size)


def _few_multiples(reach: Any, form: Any, modulus: QuasiPolynomial, size: Any) -> Any:
    """{form = k * modulus for some |k| <= count}, the count being all that `reach` allows."""
    for count in range(1, MOST_MULTIPLES + 1):
        if reach.domain().is_subset(reach.lt_set(size.scale_val(Val(count + 1)))):
            step = _affine(modulus, form.get_domain_space())
            lines = _zeros(form)
            for k in range(1, count + 1):
                lines = lines.union(_zeros(form.sub(step.scale_val(Val(k)))))
                lines = lines.union(_zeros(form.add(step.scale_val(Val(k)))))
            return lines
    raise _OutOfReach


def _zeros(form: Any) -> Any:
    return Set.from_basic_set(form.zero_basic_set())


def _affine(quantity: QuasiPolynomial, space: Any) -> Any:
    try:
        return affine_of(quantity, space)
    except ValueError:
        raise _OutOfReach from None
