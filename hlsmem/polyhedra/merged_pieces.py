"""Sets and maps that were listed point by point, as few polyhedra.

isl joins pieces two at a time, and never finds the tile behind its points. Here directions
with entries -1, 0 and 1 bound a polyhedron, and it is used where it holds the listed points
and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlsmem.polyhedra import DimType, Set, UnionMap, UnionSet
from hlsmem.polyhedra.enumeration import box_volume, distinct_points
from hlsmem.polyhedra.lattices import Vector, small_vectors, unit
from hlsmem.polyhedra.relations import maps_of, sets_of
from hlsmem.polyhedra.star_closure import Inequality, polyhedron

if TYPE_CHECKING:
    import numpy as np

# Up to so many pieces nothing is done, and more polyhedra are not looked for.
FEW = 16

# Points that are listed, and points of a box around them, at most.
_MOST_POINTS, _MOST_IN_BOX = 1 << 12, 1 << 16

# Coordinates of a set, or of the domain of a map, at most.
_MOST_DIMENSIONS = 4


def merged(value: Any) -> Any:
    """The same set or map (or union of them), of few polyhedra where it was given as many.

    What has few pieces, depends on parameters, is unbounded, or is no union of few polyhedra
    comes back as it is.

    >>> triangle = "; ".join(f"[{i},{j}]" for i in range(8) for j in range(i, 8))
    >>> merged(Set("{ " + triangle + " }"))
    Set("{ [i0, i1] : i0 >= 0 and i0 <= i1 <= 7 }")
    """
    if isinstance(value, UnionSet):
        return _joined(value, sets_of(value))
    if isinstance(value, UnionMap):
        return _joined(value, maps_of(value))
    pieces = value.n_basic_set() if isinstance(value, Set) else value.n_basic_map()
    if pieces <= FEW:
        return value
    subject = value if isinstance(value, Set) else value.wrap()
    if subject.involves_dims(DimType.param, 0, subject.dim(DimType.param)):
        return value
    inputs = subject.dim(DimType.set) if subject is value else value.dim(DimType.in_)
    if not 1 <= inputs <= _MOST_DIMENSIONS or box_volume(subject) > _MOST_POINTS:
        return value
    parts = _polyhedra(distinct_points(subject), inputs)
    if parts is None:
        return value
    found = Set.empty(subject.get_space())
    for constraints in parts:
        found = found.union(polyhedron(subject.get_space(), constraints))
    found = found.coalesce()
    return found if subject is value else found.unwrap()


def _joined(union: Any, members: list[Any]) -> Any:
    found = union.subtract(union)
    for member in members:
        found = found.union(merged(member))
    return found


def _polyhedra(points: np.ndarray, inputs: int) -> list[list[Inequality]] | None:
    """Constraints of a few polyhedra that hold the points alone; the largest first."""
    found: list[list[Inequality]] = []
    while len(points):
        if len(found) == FEW:
            return None
        constraints = _hull(points, inputs)
        if constraints is not None:
            return [*found, constraints]
        peeled = _largest_side(points, inputs)
        if peeled is None:
            return None
        constraints, inside = peeled
        found.append(constraints)
        points = points[~inside]
    return found


def _largest_side(points: np.ndarray, inputs: int) -> tuple[list[Inequality], np.ndarray] | None:
    """Of the points on one side of a hyperplane, most that are those of a polyhedron."""
    import numpy as np

    sides: list[np.ndarray] = []
    for direction in small_vectors(inputs, 1):
        values = points[:, :inputs] @ np.array(direction, dtype=np.int64)
        for value in np.unique(values)[:-1]:
            sides += [values <= value, values > value]
    for inside in sorted(sides, key=lambda side: -int(side.sum())):
        constraints = _hull(points[inside], inputs)
        if constraints is not None:
            return constraints, inside
    return None


def _hull(points: np.ndarray, inputs: int) -> list[Inequality] | None:
    """Constraints that the points satisfy and no others; None where these do not suffice.

    The coordinates after the first `inputs` have to be affine in those.
    """
    images = _images(points, inputs)
    if images is None:
        return None
    bounds = _bounds(points[:, :inputs])
    if bounds is None:
        return None
    size = points.shape[1]
    rest = (0,) * (size - inputs)
    found = [((*row, *rest), constant) for row, constant in bounds]
    for position, (row, constant) in enumerate(images, start=inputs):
        minus = unit(size, position)
        form = tuple(a - b for a, b in zip((*row, *rest), minus, strict=True))
        found += [(form, constant), (tuple(-entry for entry in form), -constant)]
    return found


def _images(points: np.ndarray, inputs: int) -> list[tuple[Vector, int]] | None:
    """Each coordinate after the inputs as (factors of the inputs, constant)."""
    import numpy as np

    ones = np.ones((len(points), 1), dtype=np.int64)
    known = np.concatenate([points[:, :inputs], ones], axis=1)
    found: list[tuple[Vector, int]] = []
    for column in points[:, inputs:].T:
        factors = np.rint(np.linalg.lstsq(known, column, rcond=None)[0]).astype(np.int64)
        if not (known @ factors == column).all():
            return None
        found.append((tuple(int(entry) for entry in factors[:-1]), int(factors[-1])))
    return found


def _bounds(points: np.ndarray) -> list[Inequality] | None:
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    if np.prod(high - low + 1) > _MOST_IN_BOX:
        return None
    axes = [np.arange(least, most + 1) for least, most in zip(low, high, strict=True)]
    inside = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    found: list[Inequality] = []
    for direction in small_vectors(points.shape[1], 1):
        factors = np.array(direction, dtype=np.int64)
        values, box = points @ factors, inside @ factors
        least, most = int(values.min()), int(values.max())
        inside = inside[(box >= least) & (box <= most)]
        found += [(direction, -least), (tuple(-entry for entry in direction), most)]
    return found if len(inside) == len(points) else None
