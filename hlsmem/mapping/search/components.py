"""Modular maps with a given kernel: by Smith's normal form, and of small rows where they do.

Source of the first: Darte, Schreiber, Villard, "Lattice-based memory allocation"
(IEEE TC 2005), the mapping of an integer lattice; Alias, Baray, Darte, "Bee+Cl@k"
(LCTES 2007), step 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import gcd, prod

import numpy as np

from hlsmem.polyhedra.lattices import Matrix, Vector, dot, hermite, transpose, unit
from hlsmem.polyhedra.primitive import small_vectors
from hlsmem.polyhedra.smith import smith

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
        """What makes an address dear: moduli that are no powers of two, entries, components."""
        entries = [entry for row in self.rows for entry in row]
        return (
            sum(modulus & (modulus - 1) != 0 for modulus in self.moduli),
            sum(map(bool, entries)),
            sum(map(abs, entries)),
            len(self.moduli),
        )


def cheapest_components(lattice: Matrix) -> Components:
    """The cheapest map found whose kernel is the lattice with these generators, a square matrix."""
    return min([_by_smith(lattice), *_of_small_rows(lattice)], key=Components.cost)


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


def _of_small_rows(lattice: Matrix) -> Iterator[Components]:
    size, determinant = len(lattice), prod(lattice[k][k] for k in range(len(lattice)))
    reach = _REACH.get(size, 0)
    # The greatest modulus for which a row is 0 on the lattice.
    sized = [
        (row, modulus)
        for row in small_vectors(size, reach)
        if (modulus := gcd(*(dot(row, vector) for vector in lattice))) > 1
    ]
    for count in range(1, min(size, _MOST_COMPONENTS) + 1):
        for chosen in combinations(sized, count):
            moduli = tuple(modulus for _, modulus in chosen)
            rows = tuple(row for row, _ in chosen)
            if prod(moduli) == determinant and _reaches_all(rows, moduli):
                yield Components(rows, moduli)


def _reaches_all(rows: Matrix, moduli: Vector) -> bool:
    """Whether every vector of remainders is the image of a point."""
    count = len(moduli)
    multiples = [tuple(moduli[k] * entry for entry in unit(count, k)) for k in range(count)]
    reached = hermite([*transpose(rows), *multiples])
    return all(reached[k][k] == 1 for k in range(count))
