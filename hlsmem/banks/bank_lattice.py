"""Banks as the classes of a lattice: every sublattice of an index, and the admissible ones.

A lattice Lb of index N gives N banks: two elements share one where their difference is in Lb.
Linear banks, (a.x) mod N, are those with a cyclic quotient, cyclic banks per dimension those
with a diagonal basis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, prod

import numpy as np

from hlsmem.banks.pattern import Pattern
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.search.least import divisors
from hlsmem.polyhedra.lattices import Matrix, Vector, hermite, smith

# Lattices that are looked at together, and sorted keys of them in one array.
_TOGETHER = 1 << 14
_KEYS = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeBanks:
    """Banks that are the classes of the lattice with this basis.

    Row k of `basis` has its pivot, which is positive, in dimension `order`[k], and zeros in
    the dimensions order[j], j < k: a Hermite form of the dimensions in that order.
    """

    basis: Matrix
    order: tuple[int, ...]

    @staticmethod
    def of(basis: Sequence[Sequence[int]], order: Sequence[int] | None = None) -> LatticeBanks:
        """The banks of a lattice given by generators, its basis taken in an order of dimensions.

        >>> LatticeBanks.of([(2, -1), (1, 2)]).basis
        ((1, 2), (0, 5))
        """
        size = len(basis[0])
        order = tuple(range(size)) if order is None else tuple(order)
        permuted = hermite([[row[k] for k in order] for row in basis])
        places = [order.index(k) for k in range(size)]
        rows = tuple(tuple(row[place] for place in places) for row in permuted)
        return LatticeBanks(basis=rows, order=order)

    @staticmethod
    def linear(
        vector: Sequence[int], banks: int, order: Sequence[int] | None = None
    ) -> LatticeBanks:
        """The banks (vector . x) mod `banks`, as far as they are in use.

        >>> LatticeBanks.linear((1, 2), 5).basis
        ((1, 2), (0, 5))
        """
        return LatticeBanks.of(_kernel(vector, banks), order)

    @property
    def pivots(self) -> Vector:
        """Number of elements in a row of one bank's box, dimension by dimension of the array."""
        pivots = {self.order[k]: row[self.order[k]] for k, row in enumerate(self.basis)}
        return tuple(pivots[k] for k in range(len(self.order)))

    @property
    def banks(self) -> int:
        return prod(self.pivots)

    def split(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(remainders, quotients): points = remainders + quotients . basis, row by row.

        Remainders are in array order, 0 <= remainder < pivot; quotients in order of the rows.
        """
        rest = np.array(points, dtype=np.int64)
        quotients = np.empty_like(rest)
        for k, row in enumerate(self.basis):
            pivot = self.order[k]
            quotients[:, k] = rest[:, pivot] // row[pivot]
            rest -= quotients[:, k, None] * np.array(row, dtype=np.int64)
        return rest, quotients

    def bank(self, points: np.ndarray) -> np.ndarray:
        """The bank of every point: its remainder, flattened row by row."""
        remainders, _ = self.split(points)
        number = np.zeros(len(remainders), dtype=np.int64)
        for k in range(len(self.basis)):
            number = number * self.basis[k][self.order[k]] + remainders[:, self.order[k]]
        return number

    def vector(self) -> Vector | None:
        """A vector a with banks (a.x) mod N, the least one; None where no single one does."""
        return linear_form(self.basis)


def linear_form(basis: Sequence[Sequence[int]]) -> Vector | None:
    """The least a >= 0 such that a lattice is { x : a.x = 0 mod N }; None where none is.

    >>> linear_form(((1, 2), (0, 5))), linear_form(((3, 0), (0, 3)))
    ((1, 2), None)
    """
    factors, transform = smith(tuple(map(tuple, basis)))
    if prod(factors[:-1]) != 1:
        return None
    index = factors[-1]
    form = [row[-1] for row in transform]
    units = (unit for unit in range(1, index + 1) if gcd(unit, index) == 1)
    forms = (tuple(unit * entry % index for entry in form) for unit in units)
    return min(forms)


def _kernel(vector: Sequence[int], modulus: int) -> Matrix:
    """A basis of { x : vector . x = 0 mod modulus }."""
    rows: list[Vector] = []
    size = len(vector)
    # In the columns of x, the combinations of (vector[k], e_k) and (modulus, 0) with first
    # entry 0.
    generators = [(entry, *(int(j == k) for j in range(size))) for k, entry in enumerate(vector)]
    generators.append((modulus, *(0,) * size))
    for row in hermite(generators):
        if row[0] == 0:
            rows.append(row[1:])
    return tuple(rows)


def lattices_of_index(index: int, size: int) -> Iterator[tuple[Vector, np.ndarray]]:
    """All sublattices of Z^size of an index, in batches: (pivots, entries above the pivots).

    Entries have shape (lattices, size, size): upper triangular Hermite forms with those pivots.
    """
    for pivots in _factorisations(index, size):
        free = [(row, column) for column in range(size) for row in range(column)]
        counts = [pivots[column] for _, column in free]
        total = prod(counts)
        for begin in range(0, total, _TOGETHER):
            number = np.arange(begin, min(total, begin + _TOGETHER), dtype=np.int64)
            entries = np.zeros((len(number), size, size), dtype=np.int64)
            for (row, column), count in zip(free, counts, strict=True):
                entries[:, row, column] = number % count
                number = number // count
            entries[:, range(size), range(size)] = pivots
            yield pivots, entries


def count_of_index(index: int, size: int) -> int:
    """Number of sublattices of Z^size that have an index.

    >>> count_of_index(9, 2), count_of_index(5, 3)
    (13, 31)
    """
    return sum(
        prod(pivot**column for column, pivot in enumerate(pivots))
        for pivots in _factorisations(index, size)
    )


def _factorisations(index: int, size: int) -> Iterator[Vector]:
    if size == 1:
        yield (index,)
        return
    for first in divisors(index):
        for rest in _factorisations(index // first, size - 1):
            yield (first, *rest)


def admissible(
    patterns: Sequence[Pattern], pivots: Vector, entries: np.ndarray, ports: int
) -> np.ndarray:
    """Mask of lattices of a batch with at most `ports` accesses of every pattern in one class."""
    right = np.ones(len(entries), dtype=bool)
    for pattern in patterns:
        offsets = np.array(pattern.offsets, dtype=np.int64)
        if len(offsets) <= ports:
            continue
        part = max(1, _KEYS // len(offsets))
        for begin in range(0, len(entries), part):
            some = np.flatnonzero(right[begin : begin + part]) + begin
            keys = np.sort(_classes(offsets, pivots, entries[some]), axis=1)
            right[some] = (keys[:, ports:] != keys[:, : keys.shape[1] - ports]).all(axis=1)
    return right


def _classes(offsets: np.ndarray, pivots: Vector, entries: np.ndarray) -> np.ndarray:
    """The class of every offset in every lattice: shape (lattices, offsets)."""
    rest = np.broadcast_to(offsets, (len(entries), *offsets.shape)).copy()
    keys = np.zeros(rest.shape[:2], dtype=np.int64)
    for k, pivot in enumerate(pivots):
        quotients = rest[:, :, k] // pivot
        rest -= quotients[:, :, None] * entries[:, None, k, :]
        keys = keys * pivot + rest[:, :, k]
    return keys


def admissible_lattices(patterns: Sequence[Pattern], index: int, ports: int) -> Iterator[Matrix]:
    """The lattices of an index that serve the patterns, as Hermite bases in index order."""
    for pivots, entries in lattices_of_index(index, patterns[0].dimensions):
        for basis in entries[admissible(patterns, pivots, entries, ports)]:
            yield tuple(tuple(int(entry) for entry in row) for row in basis)


def cyclic_per_dimension(patterns: Sequence[Pattern], ports: int) -> Vector:
    """The least numbers of banks, dimension by dimension, whose product serves the patterns."""
    size = patterns[0].dimensions
    reach = [
        max(o[k] for p in patterns for o in p.offsets)
        - min(o[k] for p in patterns for o in p.offsets)
        for k in range(size)
    ]
    choices = product(*(range(1, r + 2) for r in reach))
    for counts in sorted(choices, key=lambda c: (prod(c), c)):
        basis = np.zeros((1, size, size), dtype=np.int64)
        basis[0, range(size), range(size)] = counts
        if admissible(patterns, counts, basis, ports)[0]:
            return counts
    raise AssertionError("as many banks as the patterns are wide serve every access alone")
