"""The least moduli for the rows of a mapping: the last step of every search.

A width is only what makes the argument simple: a smaller modulus is as good when the row
takes none of its multiples on a difference that the other rows map to 0. Source: De Greef's
window against the least modulus, in Darte, Schreiber, Villard, "Lattice-based memory
allocation" (2005); Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.certificate import everywhere
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.storage_mapping import Certificate, Piece
from hlsmem.polyhedra.lattices import Vector

if TYPE_CHECKING:
    import numpy as np

# Differences that are listed, at most.
MOST_LISTED = 1 << 18

# The greatest value of which a flag is kept: a byte each.
MOST_APART = 1 << 28

# Components whose moduli are lowered in every order; more of them only first to last.
MOST_ORDERED = 4


def finished(piece: Piece, conflicts: Conflicts, limit: int) -> Piece:
    """`piece` with the least moduli at the plan's values, lowered one after another.

    The best order of the components is used. The moduli keep their formulas, less a constant,
    where that is proved for all parameters; else they are numbers. The piece itself comes
    back where nothing is gained or too many differences (`limit`) would be listed.
    """
    points = half_differences(conflicts.differences_at, min(limit, MOST_LISTED))
    if points is None or not piece.matrix:
        return piece
    moduli = piece.modulus_at(conflicts.values)
    least = least_moduli(points, piece.matrix_at(conflicts.values), moduli)
    if prod(least) >= prod(moduli):
        return piece
    shifted = replace(
        piece,
        modulus=tuple(
            formula - (before - after)
            for formula, before, after in zip(piece.modulus, moduli, least, strict=True)
        ),
    )
    if isinstance(everywhere(shifted, conflicts), Certificate):
        return shifted
    return replace(piece, modulus=tuple(map(QuasiPolynomial.constant, least)))


def least_moduli(
    points: np.ndarray,
    rows: Sequence[Vector],
    moduli: Sequence[int],
    *,
    powers_of_two: bool = False,
) -> tuple[int, ...]:
    """Moduli that separate the points too, lowered one after another in the best order.

    `points` is half of a symmetric set; the mapping that is given separates them.
    """
    import numpy as np

    values = points @ np.array(rows, dtype=np.int64).T
    size = len(moduli)
    orders = permutations(range(size)) if size <= MOST_ORDERED else [tuple(range(size))]
    return min((_lowered(values, moduli, order, powers_of_two) for order in orders), key=prod)


def _lowered(
    values: np.ndarray, moduli: Sequence[int], order: Sequence[int], powers_of_two: bool
) -> tuple[int, ...]:
    """The moduli after each, in the given order, was made as small as the others allow."""
    import numpy as np

    found = np.array(moduli, dtype=np.int64)
    for component in order:
        others = np.delete(np.arange(len(found)), component)
        together = (values[:, others] % found[others] == 0).all(axis=1)
        left, modulus = values[together, component], int(found[component])
        found[component] = _least_modulus(left, modulus, powers_of_two)
    return tuple(int(entry) for entry in found)


def _least_modulus(values: np.ndarray, modulus: int, powers_of_two: bool) -> int:
    """The least modulus of which no value is a multiple, knowing that `modulus` is one such.

    Values that are too far apart to be listed leave it as it is.
    """
    import numpy as np

    if max(int(np.abs(values).max(initial=0)), modulus) > MOST_APART:
        return modulus
    taken = np.zeros(max(int(np.abs(values).max(initial=0)) + 1, modulus), dtype=bool)
    taken[np.abs(values)] = True
    # A modulus that is a value itself is no candidate: of an interval hardly any are left.
    candidates = np.flatnonzero(~taken[1:modulus]) + 1
    if powers_of_two:
        candidates = candidates[candidates & (candidates - 1) == 0]
    return next((int(b) for b in candidates if not taken[b::b].any()), modulus)
