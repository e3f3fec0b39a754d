"""Folding and banks at once: a storage lattice inside a bank lattice, the fewest words.

Cells are the classes of a lattice Ls that meets the differences of conflicting elements in 0
only; a cell has one bank where Ls is a sublattice of the bank lattice Lb. Differences outside
of Lb are then no concern, and those inside, in coordinates of a basis of Lb, make a storage
problem of their own: one search serves both.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import BankedStorage, FoldedOffsets
from hlsmem.mapping.search.least import least_lattice
from hlsmem.polyhedra.lattices import Matrix

# Bank lattices of one index that are tried.
_MOST_LATTICES = 64


def fold_into_banks(
    lattices: Iterable[Matrix], differences: np.ndarray, *, least_cells: int, budget: int
) -> BankedStorage | None:
    """The storage of fewest words with banks from `lattices`; None where the budget ends.

    `differences` are one of each pair z, -z of differences of conflicting elements, without 0:
    int64 (differences, dimensions). No lattice has fewer than `least_cells` cells; a bank
    lattice that comes as close to that as whole banks can ends the search.
    """
    best: BankedStorage | None = None
    for number, basis in enumerate(lattices):
        if number == _MOST_LATTICES:
            break
        banks = LatticeBanks.of(basis)
        aim = -(-least_cells // banks.banks)
        storage = least_storage(banks, differences, start=aim, budget=budget)
        if storage is None:
            continue
        offsets = FoldedOffsets(storage=storage)
        if best is None or banks.banks * offsets.words < best.words:
            best = BankedStorage(banks=banks, offsets=offsets, elements=least_cells)
        if offsets.words == aim:
            break
    return best


def least_storage(
    banks: LatticeBanks, differences: np.ndarray, *, start: int, budget: int
) -> Matrix | None:
    """The least storage lattice in coordinates of the bank basis; None where the budget ends.

    No lattice of a determinant below `start` will do.
    """
    remainders, quotients = banks.split(differences)
    inside = quotients[(remainders == 0).all(axis=1)]
    if len(inside) == 0:
        size = len(banks.order)
        return tuple(tuple(int(row == column) for column in range(size)) for row in range(size))
    found = least_lattice(inside, start=start, budget=budget)
    return found.lattice
