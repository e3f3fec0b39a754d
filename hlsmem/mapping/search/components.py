"""Modular maps with a given kernel: by Smith's normal form, and of small rows where they do.

Source of the first: Darte, Schreiber, Villard, "Lattice-based memory allocation"
(IEEE TC 2005), the mapping of an integer lattice; Alias, Baray, Darte, "Bee+Cl@k"
(LCTES 2007), step 4.
"""

from __future__ import annotations

from itertools import combinations
from math import gcd, prod

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import (
    Matrix,
    Vector,
    dot,
    hermite,
    small_vectors,
    smith,
    transpose,
    unit,
)

# Largest entries of the small rows tried, by the dimensions of the array.
_REACH = {1: 1, 2: 6, 3: 2, 4: 1}

# Components of one map of small rows, at most.
_MOST_COMPONENTS = 3


@dataclass(frozen=True, slots=True)
class Components:
    """x -> (rows x) mod moduli, component-wise."""

    rows: Matrix
    moduli: Vector

    def cost(self) -> tuple[int, int, int, int]:
        """Cost of an address: moduli that are no powers of two, entries, components."""
        entries = [entry for row in self.rows for entry in row]
        return (
            sum(modulus & (modulus - 1) != 0 for modulus in self.moduli),
            sum(map(bool, entries)),
            sum(map(abs, entries)),
            len(self.moduli),
        )

    def reaches_all(self) -> bool:
        """True if every vector of remainders is the image of a point."""
        count = len(self.moduli)
        multiples = [tuple(self.moduli[k] * e for e in unit(count, k)) for k in range(count)]
        reached = hermite([*transpose(self.rows), *multiples])
        return all(reached[k][k] == 1 for k in range(count))


def cheapest_components(lattice: Matrix) -> Components:
    """The cheapest map found whose kernel is the lattice with these generators, a square matrix."""
    by_smith = _by_smith(lattice)
    small = next((found for found in _of_small_rows(lattice) if found.reaches_all()), by_smith)
    return min(small, by_smith, key=Components.cost)


def _by_smith(lattice: Matrix) -> Components:
    diagonal, transform = smith(lattice)
    rows = transpose(transform)
    kept = [(row, size) for row, size in zip(rows, diagonal, strict=True) if size > 1]
    return Components(
        tuple(_least_multiple(row, size) for row, size in kept), tuple(size for _, size in kept)
    )


def _least_multiple(row: Vector, modulus: int) -> Vector:
    """The row times the unit of the modulus that leaves the fewest, smallest entries."""
    units = np.arange(1, modulus // 2 + 1)
    units = units[np.gcd(units, modulus) == 1] if len(units) else np.ones(1, dtype=np.int64)
    entries = units[:, None] * (np.array(row, dtype=np.int64) % modulus) % modulus
    entries = np.where(2 * entries > modulus, entries - modulus, entries)
    best = np.lexsort((np.abs(entries).sum(axis=1), (entries != 0).sum(axis=1)))[0]
    return tuple(int(entry) for entry in entries[best])


def _of_small_rows(lattice: Matrix) -> list[Components]:
    """Maps of small rows with as many cells as the lattice has classes, cheapest first.

    The lattice is part of their kernel, and all of it where every cell is reached.
    """
    size, determinant = len(lattice), prod(lattice[k][k] for k in range(len(lattice)))
    # The greatest modulus for which a row is 0 on the lattice.
    sized = [
        (row, modulus)
        for row in small_vectors(size, _REACH.get(size, 0))
        if (modulus := gcd(*(dot(row, vector) for vector in lattice))) > 1
    ]
    found = [
        Components(tuple(row for row, _ in chosen), tuple(modulus for _, modulus in chosen))
        for count in range(1, min(size, _MOST_COMPONENTS) + 1)
        for chosen in combinations(sized, count)
        if prod(modulus for _, modulus in chosen) == determinant
    ]
    return sorted(found, key=Components.cost)
