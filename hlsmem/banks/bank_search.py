"""The search for banks: every scheme's best answer for what one cycle accesses.

Least banks first, then least words. A lattice search is exhaustive for its number of banks,
so the answer says whether it is optimal, or the least of all lattices.

Folding and banks at once put a storage lattice inside a bank lattice. Cells are the classes of a
lattice Ls that meets the differences of conflicting elements in 0 only; a cell has one bank where
Ls is a sublattice of the bank lattice Lb. Differences outside of Lb are then no concern, and those
inside, in coordinates of a basis of Lb, make a storage problem of their own: one search serves
both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import count, islice
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hlsmem.banks.bank_bound import LeastBanks, least_banks
from hlsmem.banks.bank_lattice import (
    LatticeBanks,
    admissible_lattices,
    count_of_index,
    cyclic_per_dimension,
    lattices_of_index,
    linear_form,
)
from hlsmem.banks.bank_layout import BankedStorage, Boxes, FoldedOffsets, boxed
from hlsmem.banks.cyclic import MOST_BLOCK, block_cyclic
from hlsmem.banks.pattern import Pattern
from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.search.least import least_lattice
from hlsmem.polyhedra.lattices import Matrix, Vector

if TYPE_CHECKING:
    import numpy as np

# Work in lattices, or in vectors times accesses, that a search takes at most by default.
BUDGET = 20_000_000

# Lattices of the least number of banks among which the one of least waste is chosen.
_MOST_LATTICES = 256

# Bank lattices of one index that are tried.
_MOST_FOLDED = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class BankRequest:
    """Request for banks of an array lower..upper (inclusive).

    `patterns` share ports of one kind, of which every bank has `ports`. `differences` are
    those of conflicting elements, one of each pair z, -z without 0, where the array is
    folded, and `least_cells` what no lattice can go below for them; else None.
    """

    array: str
    patterns: tuple[Pattern, ...]
    lower: Vector
    upper: Vector
    ports: int = 1
    differences: np.ndarray | None = field(default=None, compare=False)
    least_cells: int = 1
    max_banks: int | None = None
    budget: int = BUDGET

    @property
    def extents(self) -> Vector:
        return tuple(high - low + 1 for low, high in zip(self.lower, self.upper, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class BankOption:
    """One scheme's answer: linear, lattice, cyclic, block-cyclic or table.

    `standing`: optimal, or what it is the least among.
    """

    scheme: str
    storage: BankedStorage
    standing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankSearch:
    """All answers, the fewest banks first, then the fewest words; and the lower bound."""

    options: tuple[BankOption, ...]
    bound: LeastBanks

    @property
    def best(self) -> BankOption:
        return self.options[0]


def find_banks(request: BankRequest) -> BankSearch:
    """The banks of every scheme that serve a request.

    Raises InputError, with accesses that collide and the number of banks that would do, where
    `max_banks` are too few; LimitError where the budget ends before any were found.
    """
    bound = least_banks(request.patterns, request.ports, request.extents)
    options = list(_options(request, bound))
    if not options:
        raise LimitError(
            Problem(
                f"no banks for {request.array!r} were found within the budget of {request.budget}",
                "raise plan.budget",
            )
        )
    options.sort(key=lambda option: (option.storage.banks.banks, option.storage.words))
    most = request.max_banks
    within = [o for o in options if most is None or o.storage.banks.banks <= most]
    if not within:
        assert most is not None
        raise InputError(_too_few(request, options[0], bound, most))
    return BankSearch(options=tuple(within), bound=bound)


def _options(request: BankRequest, bound: LeastBanks) -> Iterator[BankOption]:
    lattice = _least_lattice(request, bound)
    if lattice is not None:
        yield lattice
        yield from _per_dimension(request, lattice.storage.banks.banks, bound)
    if request.differences is None:
        ceiling = None if lattice is None else lattice.storage.banks.banks
        for option in _block_cyclic(request, bound, ceiling):
            yield option
            ceiling = option.storage.banks.banks
        yield from _table(request, bound, ceiling)


def _least_lattice(request: BankRequest, bound: LeastBanks) -> BankOption | None:
    """The bank lattice of least index, and of its kind that of the fewest words."""
    size, work = len(request.lower), 0
    accesses = sum(len(pattern.offsets) for pattern in request.patterns)
    for banks in count(bound.banks):
        work += count_of_index(banks, size) * accesses
        if work > request.budget:
            return None
        lattices = admissible_lattices(request.patterns, banks, request.ports)
        storage = _fewest_words(request, lattices)
        if storage is not None:
            basis = storage.banks.basis if isinstance(storage.banks, LatticeBanks) else ()
            return BankOption(
                scheme="lattice" if linear_form(basis) is None else "linear",
                storage=storage,
                standing="optimal" if banks == bound.banks else "least of all lattices",
            )
    return None


def _fewest_words(request: BankRequest, lattices: Iterable[Matrix]) -> BankedStorage | None:
    """The best storage in banks of one of the lattices; linear ones win ties, small vectors."""
    lattices = tuple(islice(lattices, _MOST_LATTICES))
    best: tuple[tuple[int, bool, Vector], BankedStorage] | None = None
    for basis in lattices:
        storage = boxed(LatticeBanks.of(basis), request.lower, request.upper)
        form = linear_form(basis)
        rank = (storage.words, form is None, form or ())
        if best is None or rank < best[0]:
            best = (rank, storage)
    if request.differences is not None:
        folded = fold_into_banks(
            lattices,
            request.differences,
            least_cells=request.least_cells,
            budget=request.budget,
        )
        # Boxes are numbered without a modulo: they win ties.
        if best is None or folded is None or folded.words < best[1].words:
            return folded
    return None if best is None else best[1]


def _per_dimension(request: BankRequest, least: int, bound: LeastBanks) -> Iterator[BankOption]:
    """Cyclic banks per dimension, which need no sum; where they are no more than the others."""
    counts = cyclic_per_dimension(request.patterns, request.ports)
    if request.differences is not None and prod(counts) != least:
        return
    size = len(counts)
    basis = tuple(tuple(counts[k] * (k == j) for j in range(size)) for k in range(size))
    storage = _fewest_words(request, [basis])
    if storage is not None:
        standing = "optimal" if prod(counts) == bound.banks else "least per dimension"
        yield BankOption(scheme="cyclic", storage=storage, standing=standing)


def _block_cyclic(
    request: BankRequest, bound: LeastBanks, ceiling: int | None
) -> Iterator[BankOption]:
    """Block-cyclic banks where they take fewer than `ceiling`; with a 1 in the vector as well.

    All numbers of banks and blocks share the budget: where none serve, most of them are tried.
    """
    found: list[tuple[tuple[int, Vector], BankedStorage]] = []
    left = request.budget
    for banks in range(bound.banks, bound.banks + 1 if ceiling is None else ceiling):
        for block in range(2, MOST_BLOCK + 1):
            tried = block_cyclic(request.patterns, banks, block, request.ports, left)
            left -= tried.work
            for one in tried.found[:_MOST_LATTICES]:
                storage = boxed(one, request.lower, request.upper)
                found.append(((storage.words, one.vector), storage))
            if not found:
                continue
            standing = "optimal" if banks == bound.banks else "least of those tried"
            ranked = dict(sorted(found, key=lambda each: each[0]))
            least = next(iter(ranked))
            simple = next((rank for rank in ranked if 1 in rank[1]), least)
            for rank in dict.fromkeys((least, simple)):
                yield BankOption(scheme="block-cyclic", storage=ranked[rank], standing=standing)
            return


def _table(request: BankRequest, bound: LeastBanks, ceiling: int | None) -> Iterator[BankOption]:
    """A table over a period of the array or all of it, where it takes fewer banks."""
    from hlsmem.banks.colouring import periodic_table, whole_table

    fewer = range(bound.banks, bound.banks if ceiling is None else ceiling)
    lower, upper = request.lower, request.upper
    found = periodic_table(request.patterns, fewer, request.ports, lower, upper)
    if found is None and (ceiling is None or not all(p.steps for p in request.patterns)):
        found = whole_table(request.patterns, request.ports, lower, upper)
    if found is None or (ceiling is not None and found.banks >= ceiling):
        return
    counts = tuple(
        -(-size // side) for size, side in zip(request.extents, found.period, strict=True)
    )
    offsets = Boxes(lower=found.lower, sides=found.period, counts=counts, inner=found.inner)
    yield BankOption(
        scheme="table",
        storage=BankedStorage(banks=found, offsets=offsets),
        standing="optimal" if found.banks == bound.banks else "found by colouring",
    )


def _too_few(request: BankRequest, least: BankOption, bound: LeastBanks, most: int) -> Problem:
    """Why `most` banks are too few: accesses that would share a bank, and what would do."""
    pattern = max(request.patterns, key=lambda p: len(p.offsets))
    needed = least.storage.banks.banks
    names = collision(request, most)
    known = "no fewer can do" if needed == bound.banks else f"at least {bound.banks} are needed"
    return Problem(
        f"{request.array!r} has {len(pattern.offsets)} accesses a cycle, which {most}"
        f" {'bank' if most == 1 else 'banks'} cannot serve: {' and '.join(names)} would"
        " share one",
        f"{needed} {'bank' if needed == 1 else 'banks'} would do ({known});"
        f" raise max_banks of {request.array!r}, or set its reads to copies",
    )


def collision(request: BankRequest, banks: int) -> Sequence[str]:
    """Names of the accesses of a cycle that meet in one of so many banks, as few as can be seen."""
    import numpy as np

    best: list[str] | None = None
    for lattice in _some_lattices(banks, len(request.lower)):
        for pattern in request.patterns:
            classes = lattice.bank(np.array(pattern.offsets, dtype=np.int64))
            for number in np.unique(classes):
                members = [pattern.name(int(k)) for k in np.flatnonzero(classes == number)]
                if len(members) > request.ports and (best is None or len(members) < len(best)):
                    best = members
    return best or ()


def _some_lattices(index: int, size: int) -> Iterator[LatticeBanks]:
    """Lattices of an index, the first of those with each choice of pivots."""
    for _, entries in lattices_of_index(index, size):
        for basis in entries[:_MOST_LATTICES]:
            yield LatticeBanks.of([[int(entry) for entry in row] for row in basis])


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
        if number == _MOST_FOLDED:
            break
        banks = LatticeBanks.of(basis)
        aim = -(-least_cells // banks.banks)
        storage = least_storage(banks, differences, start=aim, budget=budget)
        if storage is None:
            continue
        offsets = FoldedOffsets(storage=storage)
        if best is None or banks.banks * offsets.words < best.words:
            best = BankedStorage(banks=banks, offsets=offsets)
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
