"""Row-major linearisations of an array's box: strides, longest distances, a proof.

The box is as declared, or, where nothing declares it, around the elements; strides are products of
its extents. With |z_a| < extent_a on every axis a but the slowest, the form of a difference z is 0
for z = 0 only, and the form is greatest on the slice where the slowest coordinate is greatest or
one less: further slices lose more than the faster axes can add. So the longest distance is
found axis by axis although it has products of parameters.

Source of the method: De Greef, Catthoor, De Man, "Memory size reduction through storage order
optimization for embedded parallel multimedia applications" (1997).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, covering
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import DimType, PwAff, Set, Val
from hlsmem.polyhedra.lattices import Vector, unit
from hlsmem.polyhedra.quantities import affine_of, maximum, quantity_pieces
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.signs import is_never_negative


@dataclass(frozen=True, slots=True)
class Box:
    """`extents` elements along each index, the first at `lower`."""

    extents: tuple[QuasiPolynomial, ...]
    lower: tuple[QuasiPolynomial, ...]


def declared_box(conflicts: Conflicts) -> Box | None:
    """The declared box, else the bounding box of the elements, else None."""
    extents = conflicts.array.extents
    if extents is not None:
        return Box(extents, (QuasiPolynomial.constant(0),) * len(extents))
    elements = conflicts.elements
    if elements is None or not elements.is_bounded():
        return None
    if fix_parameters(elements, conflicts.values).is_empty():
        return None
    size = conflicts.dimensions
    upper = [_maximum(conflicts, unit(size, axis)) for axis in range(size)]
    lower = [-_maximum(conflicts, _negative(unit(size, axis))) for axis in range(size)]
    sides = tuple(high - low + 1 for low, high in zip(lower, upper, strict=True))
    return Box(sides, tuple(lower))


def _maximum(conflicts: Conflicts, row: Vector) -> QuasiPolynomial:
    return covering(maximum(conflicts.elements, row), conflicts)


def _negative(row: Vector) -> Vector:
    return tuple(-entry for entry in row)


@dataclass(frozen=True, slots=True)
class Axis:
    """An index of the array, counted up (sign 1) or down (sign -1)."""

    position: int
    sign: int


def strides(
    extents: Sequence[QuasiPolynomial], axes: Sequence[Axis]
) -> tuple[QuasiPolynomial, ...]:
    """The factors of the indices in the address, the axes given from the slowest on."""
    factors = [QuasiPolynomial.constant(0)] * len(extents)
    stride = QuasiPolynomial.constant(1)
    for axis in reversed(axes):
        factors[axis.position] = stride * axis.sign
        stride *= extents[axis.position]
    return tuple(factors)


@dataclass(frozen=True, slots=True)
class Distance:
    """A difference of addresses that is greatest for some parameters in `when`."""

    when: Any
    value: QuasiPolynomial


def longest_distances(conflicts: Conflicts, box: Box, axes: Sequence[Axis]) -> list[Distance]:
    """Distances of which, for all parameters of the context, one is the longest.

    The axes are given from the slowest on. Empty where the differences do not stay within
    the box.
    """
    if not _inside(conflicts, box, axes[1:]):
        return []
    factors = strides(box.extents, axes)
    return _distances(conflicts.differences, conflicts.context, axes, factors)


def separates_row_major(piece: Piece, conflicts: Conflicts) -> bool:
    """Decide whether `piece` is one row-major form of the declared box that never wraps.

    True is a proof for all parameters; False says nothing.
    """
    box = declared_box(conflicts)
    if len(piece.matrix) != 1 or box is None:
        return False
    axes = _axes_of(piece.matrix[0], box)
    if axes is None:
        return False
    distances = longest_distances(conflicts, box, axes)
    return bool(distances) and all(
        is_never_negative(piece.modulus[0] - 1 - distance.value, distance.when)
        for distance in distances
    )


def _distances(
    points: Any, context: Any, axes: Sequence[Axis], factors: Sequence[QuasiPolynomial]
) -> list[Distance]:
    """The distances on the two furthest slices of the slowest axis, recursively."""
    if not axes:
        return [Distance(context, QuasiPolynomial.constant(0))]
    axis, *faster = axes
    row = tuple(axis.sign * entry for entry in unit(len(factors), axis.position))
    found: list[Distance] = []
    for piece in quantity_pieces(maximum(points, row), context):
        when = Set(piece.when).intersect(context)
        # The fastest axis has no others that could make up for a step back.
        for step in (0, 1) if faster else (0,):
            coordinate = (piece.value - step) * axis.sign
            part = _slice(points.intersect_params(when), axis.position, coordinate)
            if part.is_empty():
                continue
            found += [
                Distance(rest.when, factors[axis.position] * coordinate + rest.value)
                for rest in _distances(part, when.intersect(part.params()), faster, factors)
            ]
    return found


def _slice(points: Any, position: int, coordinate: QuasiPolynomial) -> Any:
    space = points.get_space()
    form = affine_of(coordinate, space).set_coefficient_val(DimType.in_, position, Val(-1))
    return points.intersect(Set.from_basic_set(form.zero_basic_set()))


def _inside(conflicts: Conflicts, box: Box, axes: Sequence[Axis]) -> bool:
    """True if every difference is below the extent along each of the axes."""
    for axis in axes:
        value = maximum(conflicts.differences, unit(len(box.extents), axis.position))
        try:
            extent = affine_of(box.extents[axis.position], conflicts.context.get_space())
        except ValueError:
            return False
        if not conflicts.context.is_subset(value.lt_set(PwAff.from_aff(extent))):
            return False
    return True


def _axes_of(row: Sequence[QuasiPolynomial], box: Box) -> list[Axis] | None:
    """The order and signs of the axes that make `row` the strides of the box, or None."""
    for order in permutations(range(len(row))):
        plain = strides(box.extents, [Axis(position, 1) for position in order])
        if all(entry in (stride, -stride) for entry, stride in zip(row, plain, strict=True)):
            return [Axis(k, 1 if row[k] == plain[k] else -1) for k in order]
    return None
