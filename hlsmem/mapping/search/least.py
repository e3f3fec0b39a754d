"""The least determinant of an admissible lattice, with all smaller determinants excluded.

A lattice of Z^n in Hermite form is built level by level: its section with x_(m+1) = .. = 0
is a lattice of Z^m with pivots e_1 .. e_m, admissible for the section of the differences.
So the optima of the sections bound the products of the first pivots from below, and a new
generator is tried only with lattices that are admissible so far. The direction in which the
differences are thinnest comes last.

Source: section "an optimal lattice" of Darte, Schreiber, Villard, "Lattice-based memory
allocation" (IEEE TC 2005) enumerates Hermite forms; levels and runs are our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import field
from itertools import chain, permutations, repeat
from math import isqrt

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.bounds import growing_cliques
from hlsmem.mapping.search.difference_runs import Level, Levels, levels_of
from hlsmem.mapping.search.extension import (
    Batch,
    admissible_extensions,
    all_extensions,
    cyclic,
    upright_extension,
)
from hlsmem.polyhedra.lattices import (
    Matrix,
    combine,
    completion,
    hermite,
    identity,
    inverse,
    small_vectors,
)

# Classes of all lattices of a batch that are looked at together.
_TOGETHER = 1 << 20

# Offsets that count as one step of work.
_A_STEP = 64

# Largest entries of the vectors tried in one round, by the dimensions that are left.
_REACH = {2: 3, 3: 1, 4: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Result of a search.

    `lattice` (Hermite rows) is admissible; None where the budget ended before. No admissible
    lattice has a determinant below `least`: those from `known` on were excluded by search,
    smaller ones by the bounds given, or by a section. `nodes` counts pairs of a lattice and
    a pivot of the next dimension that were tried, `pruned` those that were not, since a
    section has no lattice so small; `work` the steps spent: one a node, and one for every 64
    offsets tried.
    """

    lattice: Matrix | None
    least: int
    known: int
    nodes: int
    pruned: int
    work: int


def least_lattice(
    points: np.ndarray, *, start: int = 1, bounds: Iterable[int] = (), budget: int
) -> Found:
    """The admissible lattice of least determinant for a symmetric set of differences.

    `points` are one of each pair z, -z without 0: int64 (points, dimensions >= 1). No lattice
    with a determinant below `start`, or below any of `bounds`, is admissible; a bound is
    asked for only after the determinant at the last one was excluded. Without bounds the
    proof rests on the search alone.
    """
    basis = thin_last(points)
    flat = points @ np.array(basis, dtype=np.int64).T
    search = _Search(levels_of(flat), budget)
    with suppress(_BudgetEnded):
        search.run(flat, start, bounds)
    lattice = search.lattice
    return Found(
        lattice=None if lattice is None else _turned_back(lattice, basis),
        least=max(search.least, start),
        known=max(search.known, start),
        nodes=search.nodes,
        pruned=search.pruned,
        work=search.work,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AllLeast:
    """All admissible lattices of least determinant (Hermite rows), or the first, and the work.

    No lattice at all where the budget ended before the last was found.
    """

    lattices: tuple[Matrix, ...]
    work: int


def least_lattices(
    points: np.ndarray, *, bounds: Iterable[int] = (), budget: int, most: int
) -> AllLeast:
    """The admissible lattices of least determinant, `most` of them; else as `least_lattice`."""
    basis = thin_last(points)
    flat = points @ np.array(basis, dtype=np.int64).T
    search = _Search(levels_of(flat), budget)
    found: list[Matrix] = []
    try:
        search.run(flat, 1, bounds)
        for batch in search.admissible(search.least, points.shape[1], every=True):
            found += [batch.rows(k) for k in range(min(len(batch), most - len(found)))]
            if len(found) == most:
                break
    except _BudgetEnded:
        found = []
    lattices = tuple(_turned_back(lattice, basis) for lattice in found)
    return AllLeast(lattices=lattices, work=search.work)


def _turned_back(lattice: Matrix, basis: Matrix) -> Matrix:
    """The lattice in the coordinates x for one in coordinates basis . x."""
    back = np.array(inverse(basis), dtype=np.int64)
    return hermite((np.array(lattice, dtype=np.int64) @ back.T).tolist())


class _BudgetEnded(Exception):
    """The steps are spent."""


@dataclass(slots=True)
class _Search:
    """One search: what it established so far, and the steps it took."""

    levels: Levels
    budget: int
    minima: list[int] = field(default_factory=list)
    lattice: Matrix | None = None
    known: int = 1
    least: int = 1
    nodes: int = 0
    pruned: int = 0
    work: int = 0

    def run(self, points: np.ndarray, start: int, bounds: Iterable[int]) -> None:
        """The optimum of every section in turn, the whole set last."""
        size = self.levels.dimensions
        for dimensions in range(1, size):
            self._optimum(dimensions, 1, _cliques(points, dimensions))
        self.lattice = self._optimum(size, start, bounds)

    def _optimum(self, dimensions: int, start: int, bounds: Iterable[int]) -> Matrix:
        """The best lattice of a section; a bound is asked for where the last one is no optimum."""
        self.least = self.known = max(start, self.minima[-1] if self.minima else 1)
        for bound in chain((0,), bounds, repeat(0)):
            if bound > self.known:
                self.known = bound
                self.least = max(self.least, bound)
            found = self._of_determinant(self.least, dimensions)
            if found is not None:
                self.minima.append(self.least)
                return found
            self.least += 1
        raise AssertionError("bounds are followed by others without end")

    def _of_determinant(self, determinant: int, dimensions: int) -> Matrix | None:
        batch = next(self.admissible(determinant, dimensions, every=False), None)
        return None if batch is None else batch.rows(0)

    def admissible(self, determinant: int, dimensions: int, *, every: bool) -> Iterator[Batch]:
        """Batches of admissible lattices of a section; if not `every`, one at least if any."""
        for pivot in divisors(determinant) if dimensions > 1 else (determinant,):
            if dimensions > 1 and pivot < self.minima[0]:
                self.pruned += 1
                continue
            self._count(1, 0)
            if self.levels.has_multiple(pivot):
                continue
            if dimensions == 1:
                yield cyclic(pivot)
            else:
                rest = determinant // pivot
                yield from self._extended(cyclic(pivot), rest, dimensions, every)

    def _extended(self, batch: Batch, rest: int, dimensions: int, every: bool) -> Iterator[Batch]:
        """Admissible lattices whose first generators are those of one of the batch."""
        number = len(batch.pivots)
        level = self.levels.above[number - 1]
        last = number + 1 == dimensions
        for pivot in (rest,) if last else divisors(rest):
            if not last and batch.index * pivot < self.minima[number]:
                self.pruned += len(batch)
                continue
            for part in _parts(batch):
                larger = self._step(part, pivot, level, one_is_enough=last and not every)
                if not last:
                    yield from self._extended(larger, rest // pivot, dimensions, every)
                elif len(larger):
                    yield larger

    def _step(self, batch: Batch, pivot: int, level: Level, *, one_is_enough: bool) -> Batch:
        if pivot > level.height and one_is_enough:
            # Nothing is to be missed: the offset 0 will do.
            self._count(1, 0)
            return upright_extension(batch, pivot)
        self._count(len(batch), 0)
        if pivot > level.height:
            return all_extensions(batch, pivot)
        extensions = admissible_extensions(batch, pivot, level)
        self._count(0, extensions.looked_at)
        return extensions.found

    def _count(self, nodes: int, offsets: int) -> None:
        self.nodes += nodes
        self.work += nodes + offsets // _A_STEP
        if self.work > self.budget:
            raise _BudgetEnded


def _parts(batch: Batch) -> Iterator[Batch]:
    count = max(1, _TOGETHER // batch.index)
    for begin in range(0, len(batch), count):
        yield batch.part(slice(begin, begin + count))


def _cliques(points: np.ndarray, dimensions: int) -> Iterator[int]:
    """Sizes of cliques of the differences whose last entries are 0."""
    section = points[(points[:, dimensions:] == 0).all(axis=1), :dimensions]
    return clique_sizes(section)


def clique_sizes(half: np.ndarray) -> Iterator[int]:
    """Sizes of cliques of the differences of which `half` is one of each pair, without 0."""
    return map(len, cliques_of_half(half))


def cliques_of_half(half: np.ndarray) -> Iterator[np.ndarray]:
    """These cliques, one point a row."""
    zero = np.zeros((1, half.shape[1]), dtype=np.int64)
    return growing_cliques(np.concatenate([half, -half, zero]))


def divisors(number: int) -> list[int]:
    """All positive divisors in ascending order.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    small = [k for k in range(1, isqrt(number) + 1) if number % k == 0]
    return small + [number // k for k in reversed(small) if k * k != number]


def thin_last(points: np.ndarray) -> Matrix:
    """A unimodular matrix: the last row is narrow on `points`, the one before on its zeros, etc.

    Rows are those of the identity where nothing is gained. A row is made narrower by small
    combinations with the others until none helps, as in basis reduction.
    """
    rows = identity(points.shape[1])
    chosen: list[tuple[int, ...]] = []
    while len(rows) > 1:
        values = points @ np.array(rows, dtype=np.int64).T
        factors, rest = _narrowest(values)
        chosen.append(combine(factors, rows))
        points = points[values @ np.array(factors, dtype=np.int64) == 0]
        rows = tuple(combine(other, rows) for other in rest)
    return (*rows, *reversed(chosen))


def _narrowest(values: np.ndarray) -> tuple[tuple[int, ...], Matrix]:
    """(factors of a narrow form, vectors that complete them to a basis)."""
    size = values.shape[1]
    # From unit vectors on, small steps may all lead through wider forms.
    found = [_descended(values, start) for start in (identity(size), _short_forms(values))]
    return min(found, key=lambda choice: int(np.abs(values @ np.array(choice[0])).max(initial=0)))


def _descended(values: np.ndarray, basis: Matrix) -> tuple[tuple[int, ...], Matrix]:
    """The narrowest form that small combinations of a basis lead to, and the rest of a basis."""
    size = len(basis)
    while True:
        coordinates = values @ np.array(basis, dtype=np.int64).T
        tried = small_vectors(size, _REACH.get(size, 0))
        widths = np.abs(coordinates @ np.array(tried, dtype=np.int64).T).max(axis=0, initial=0)
        best = int(np.argmin(widths))
        # The last round confirms that one of the basis is as narrow as any.
        own = np.abs(coordinates).max(axis=0, initial=0)
        if widths[best] >= own.min():
            position = int(np.argmin(own[::-1]))
            last = size - 1 - position
            return basis[last], (*basis[:last], *basis[last + 1 :])
        others = completion([tried[best]], size)
        basis = (*(combine(other, basis) for other in others), combine(tried[best], basis))


def _short_forms(values: np.ndarray) -> Matrix:
    """A basis of forms with small sums of squares: each reduced by each other, as by Lagrange."""
    coordinates = values.astype(float)
    products = coordinates.T @ coordinates
    size = len(products)
    basis = np.eye(size, dtype=np.int64)
    changed = True
    while changed:
        changed = False
        for one, other in permutations(range(size), 2):
            square = products[other, other]
            factor = round(products[one, other] / square) if square else 0
            # A gain that may be rounding is none.
            if factor and factor * (2 * products[one, other] - factor * square) > 1e-9 * square:
                basis[one] -= factor * basis[other]
                products[one] -= factor * products[other]
                products[:, one] -= factor * products[:, other]
                changed = True
    return tuple(tuple(int(entry) for entry in row) for row in basis)
