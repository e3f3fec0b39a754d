"""Mappings of a form that the design asks for: powers of two, or few components.

A modulus above the width of its row never wraps, so a power of two above it is as good. A
modulus below the width that works says nothing of larger ones (conflicts at distances 1, 3
and 5 fit 2 and 4, not 3): every rounded modulus is tried against all differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import gcd, prod
from typing import TYPE_CHECKING

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, width_at
from hlsmem.mapping.finish import MOST_LISTED, least_moduli
from hlsmem.mapping.listed_conflicts import half_differences, is_admissible
from hlsmem.mapping.method import Proposal, proved
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.polyhedra.lattices import Matrix, Vector, combine

if TYPE_CHECKING:
    import numpy as np

# Small factors tried when two components become one, beside those that always work.
MOST_FACTOR = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeConstraint:
    """Constraint on every mapping: moduli all powers of two, at most so many components."""

    powers_of_two: bool = False
    components: int | None = None

    def is_free(self) -> bool:
        return not self.powers_of_two and self.components is None

    def admits(self, moduli: Sequence[int]) -> bool:
        """True if a mapping with these moduli has the form."""
        few = self.components is None or len(moduli) <= self.components
        return few and (not self.powers_of_two or all(map(is_power_of_two, moduli)))


ANY_SHAPE = ShapeConstraint()


def is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0


@dataclass(frozen=True, slots=True)
class _Shape:
    """x -> (rows x) mod moduli, at the plan's values."""

    rows: Matrix
    moduli: Vector

    def cells(self) -> int:
        return prod(self.moduli)


def unfolded_in_shape(
    mapping: StorageMapping, conflicts: Conflicts, shape_constraint: ShapeConstraint
) -> StorageMapping:
    """The array as declared in the form: row-major where components merge, and padded."""
    if _has_shape(mapping.pieces[0], conflicts, shape_constraint):
        return mapping
    rows = list(mapping.pieces[0].matrix_at(conflicts.values))
    moduli = list(mapping.pieces[0].modulus_at(conflicts.values))
    if shape_constraint.powers_of_two:
        moduli = [1 << (modulus - 1).bit_length() for modulus in moduli]
    while shape_constraint.components is not None and len(rows) > shape_constraint.components:
        row, modulus = rows.pop(), moduli.pop()
        rows[-1] = combine((modulus, 1), (rows[-1], row))
        moduli[-1] *= modulus
    proposal = Proposal(piece=_piece(_Shape(tuple(rows), tuple(moduli))), work=mapping.work)
    found = proved(proposal, conflicts, mapping.method)
    if isinstance(found, StorageMapping):
        return found
    raise AssertionError(f"elements of the array as declared share cells: {found.reason}")


def shaped(
    mapping: StorageMapping, conflicts: Conflicts, shape_constraint: ShapeConstraint, limit: int
) -> StorageMapping:
    """A mapping of the form made of `mapping`, with the fewest cells found, and its proof.

    The rows are kept, those before the moduli were lowered are tried too, and two are merged
    where there are too many. What is made anew has numbers for the plan's values; at most
    `limit` differences are listed.
    """
    if _has_shape(mapping.pieces[0], conflicts, shape_constraint):
        return mapping
    pieces = [mapping.pieces[0]]
    if mapping.unfinished is not None:
        pieces.append(mapping.unfinished.pieces[0])
    points = half_differences(conflicts.differences_at, min(limit, MOST_LISTED))
    shapes = [
        shape for piece in pieces for shape in _shapes(piece, conflicts, shape_constraint, points)
    ]
    for shape in sorted(shapes, key=_Shape.cells):
        proposal = Proposal(piece=_piece(shape), work=mapping.work)
        found = proved(proposal, conflicts, mapping.method)
        if isinstance(found, StorageMapping):
            return found
    raise AssertionError(f"moduli above all widths of method {mapping.method!r} separate nothing")


def _has_shape(piece: Piece, conflicts: Conflicts, shape_constraint: ShapeConstraint) -> bool:
    if shape_constraint.is_free():
        return True
    if shape_constraint.powers_of_two and any(
        modulus.constant_value() is None for modulus in piece.modulus
    ):
        return False
    return shape_constraint.admits(piece.modulus_at(conflicts.values))


def _shapes(
    piece: Piece, conflicts: Conflicts, shape_constraint: ShapeConstraint, points: np.ndarray | None
) -> Iterator[_Shape]:
    """Mappings of the form with the rows of `piece`; the last one surely separates."""
    shape = _Shape(piece.matrix_at(conflicts.values), piece.modulus_at(conflicts.values))
    while shape_constraint.components is not None and len(shape.rows) > shape_constraint.components:
        shape = min(_merged(shape, conflicts, points), key=_Shape.cells)
    if not shape_constraint.powers_of_two:
        yield shape
        return
    widths = [_width(row, conflicts, points) for row in shape.rows]
    above = tuple(1 << width.bit_length() for width in widths)
    if points is not None:
        yield _Shape(shape.rows, least_moduli(points, shape.rows, above, powers_of_two=True))
    else:
        yield _Shape(shape.rows, tuple(1 << (entry - 1).bit_length() for entry in shape.moduli))
        yield _Shape(shape.rows, above)


def _merged(shape: _Shape, conflicts: Conflicts, points: np.ndarray | None) -> Iterator[_Shape]:
    """Mappings in which one row does what two do, with as many cells or more."""
    for first, second in permutations(range(len(shape.rows)), 2):
        rest = [k for k in range(len(shape.rows)) if k not in (first, second)]
        others = _Shape(tuple(shape.rows[k] for k in rest), tuple(shape.moduli[k] for k in rest))
        one, two = shape.rows[first], shape.rows[second]
        b, c = shape.moduli[first], shape.moduli[second]
        if gcd(b, c) == 1:
            # By the Chinese remainder theorem: the same elements share cells.
            yield _with(others, combine((c, b), (one, two)), b * c)
        apart = _width(two, conflicts, points) + 1
        for factor in (apart, -apart):
            # 0 only where both are: the second row never makes up for the first.
            row = combine((factor, 1), (one, two))
            yield _lowered(_with(others, row, _width(row, conflicts, points) + 1), points)
        for factor in range(-MOST_FACTOR, MOST_FACTOR + 1) if points is not None else ():
            row = combine((factor, 1), (one, two))
            joined = _with(others, row, _width(row, conflicts, points) + 1)
            if points is not None and is_admissible(points, joined.rows, joined.moduli):
                yield _lowered(joined, points)


def _with(others: _Shape, row: Vector, modulus: int) -> _Shape:
    return _Shape((*others.rows, row), (*others.moduli, modulus))


def _lowered(shape: _Shape, points: np.ndarray | None) -> _Shape:
    if points is None:
        return shape
    return _Shape(shape.rows, least_moduli(points, shape.rows, shape.moduli))


def _width(row: Vector, conflicts: Conflicts, points: np.ndarray | None) -> int:
    if points is None:
        return width_at(conflicts.differences_at, row)
    import numpy as np

    return int(np.abs(points @ np.array(row, dtype=np.int64)).max(initial=0))


def _piece(shape: _Shape) -> Piece:
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in shape.rows),
        modulus=tuple(map(QuasiPolynomial.constant, shape.moduli)),
        offset=(QuasiPolynomial.constant(0),) * len(shape.moduli),
    )
