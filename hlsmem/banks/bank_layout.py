"""Offsets inside a bank: every element has a place of its own, and the words that takes.

Arrays as declared are cut into boxes that hold each bank once (or `inner` times, for blocks);
the offset is the number of the box. Folded arrays reduce the coordinates of an element in
the basis of the banks by a storage lattice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations
from math import gcd, prod

import numpy as np

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.cyclic import BlockCyclicBanks
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import Matrix, Vector

# Orders of dimensions in which boxes are cut at most: all of six. Eight have 40,320.
_MOST_ORDERS = 720


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Offset: the number of the box that an element is in, row by row, times `inner`.

    Box coordinates are floor((x - lower) / sides); `counts` is how many boxes there are, the
    array padded to whole ones. Inside a box each bank has `inner` elements.
    """

    lower: Vector
    sides: Vector
    counts: Vector
    inner: int = 1

    @property
    def words(self) -> int:
        """Words of one bank."""
        return prod(self.counts) * self.inner

    def number(self, points: np.ndarray) -> np.ndarray:
        """The box of every point."""
        boxes = (points - np.array(self.lower, dtype=np.int64)) // np.array(self.sides)
        number = np.zeros(len(points), dtype=np.int64)
        for k, count in enumerate(self.counts):
            number = number * count + boxes[:, k]
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedOffsets:
    """Offset: bank coordinates reduced by `storage`, a Hermite basis, and flattened row by row.

    In array coordinates the storage lattice is storage . bank basis, a sublattice of that of
    the banks: a cell has one bank.
    """

    storage: Matrix

    @property
    def words(self) -> int:
        """Words of one bank."""
        return prod(row[k] for k, row in enumerate(self.storage))

    def offset(self, quotients: np.ndarray) -> np.ndarray:
        size = len(self.storage)
        lattice = LatticeBanks(basis=self.storage, order=tuple(range(size)))
        return lattice.bank(quotients)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBanks:
    """Banks by a table over one period, in row-major order.

    `table`[number of (x - lower) mod period] is (bank, rank among the elements of that bank in
    the period).
    """

    lower: Vector
    period: Vector
    table: tuple[tuple[int, int], ...]
    banks: int

    @property
    def inner(self) -> int:
        """Elements of a bank in one period, at most."""
        return 1 + max(rank for _, rank in self.table)

    def entries(self, points: np.ndarray) -> np.ndarray:
        """(bank, rank) of every point."""
        number = np.zeros(len(points), dtype=np.int64)
        for k, size in enumerate(self.period):
            number = number * size + (points[:, k] - self.lower[k]) % size
        entries: np.ndarray = np.array(self.table, dtype=np.int64)[number]
        return entries


Banks = LatticeBanks | BlockCyclicBanks | TableBanks


@dataclass(frozen=True, slots=True, kw_only=True)
class BankedStorage:
    """An array in banks: which bank, and which offset in it."""

    banks: Banks
    offsets: Boxes | FoldedOffsets

    @property
    def words_per_bank(self) -> int:
        return self.offsets.words

    @property
    def words(self) -> int:
        return self.banks.banks * self.offsets.words

    def bank(self, points: np.ndarray) -> np.ndarray:
        """The bank of every point (points, dimensions)."""
        if isinstance(self.banks, TableBanks):
            return self.banks.entries(points)[:, 0]
        return self.banks.bank(points)

    def offset(self, points: np.ndarray) -> np.ndarray:
        """The offset of every point inside its bank."""
        if isinstance(self.offsets, FoldedOffsets):
            if not isinstance(self.banks, LatticeBanks):
                raise TypeError("folded storage is banked by a lattice")
            return self.offsets.offset(self.banks.split(points)[1])
        number: np.ndarray = self.offsets.number(points)
        inner: np.ndarray
        match self.banks:
            case LatticeBanks():
                return number
            case BlockCyclicBanks():
                inner = self.banks.value(points) % self.banks.block
            case TableBanks():
                inner = self.banks.entries(points)[:, 1]
        return np.asarray(number * self.offsets.inner + inner)


def boxed(
    banks: LatticeBanks | BlockCyclicBanks, lower: Sequence[int], upper: Sequence[int]
) -> BankedStorage:
    """The array lower..upper (inclusive) in these banks, the order of dimensions of least waste.

    Of orders that waste the same it is the one with long boxes in the last dimensions: the
    innermost loops stay in a box longest. In more than six dimensions the first 720 orders are
    looked at.
    """
    size = len(lower)
    best: BankedStorage | None = None
    for order in islice(permutations(range(size)), _MOST_ORDERS):
        if isinstance(banks, LatticeBanks):
            turned = LatticeBanks.of(banks.basis, order)
            found: Banks = turned
            sides, inner = turned.pivots, 1
        else:
            found, inner = banks, banks.block
            sides = box_sides(banks.vector, banks.banks * banks.block, order[::-1])
        counts = tuple(
            -(-(high - low + 1) // side)
            for low, high, side in zip(lower, upper, sides, strict=True)
        )
        storage = BankedStorage(
            banks=found,
            offsets=Boxes(lower=tuple(lower), sides=sides, counts=counts, inner=inner),
        )
        if best is None or storage.words < best.words:
            best = storage
    assert best is not None
    return best


def box_sides(vector: Sequence[int], modulus: int, order: Sequence[int]) -> Vector:
    """The sides of a box in which vector . x takes every value modulo `modulus` once.

    Dimension by dimension in `order`, a side goes on until the values come again (values that
    vector . x never takes have no element).

    >>> box_sides((1, 2), 4, (0, 1)), box_sides((1, 2), 4, (1, 0))
    ((4, 1), (2, 2))
    """
    sides = [1] * len(vector)
    rest = modulus
    for k in order:
        step = gcd(rest, vector[k])
        sides[k] = rest // step
        rest = step
    return tuple(sides)
