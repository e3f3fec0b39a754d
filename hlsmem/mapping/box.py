"""The box of an array as declared, or, where nothing declares it, around its elements."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, covering
from hlsmem.polyhedra.lattices import Vector, unit
from hlsmem.polyhedra.quantities import maximum
from hlsmem.polyhedra.sets import fix_parameters


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
