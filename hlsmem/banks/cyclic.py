"""Block-cyclic banks: v = (a.x) mod (N B), bank = v div B.

Unlike the classes of a lattice they depend on where a pattern stands; where accesses keep a
distance (every second row, bases that are multiples of 16) they can do with fewer banks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hlsmem.banks.pattern import Pattern
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import Vector, hermite, identity

# Vectors a looked at together, and the numbers in one array.
_KEYS = 1 << 21

# Blocks of up to so many elements are tried.
MOST_BLOCK = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockCyclicBanks:
    """Bank ((vector . x) mod (banks * block)) div block."""

    vector: Vector
    banks: int
    block: int

    def value(self, points: np.ndarray) -> np.ndarray:
        """(vector . x) mod (banks * block) of every point."""
        return (points @ np.array(self.vector, dtype=np.int64)) % (self.banks * self.block)

    def bank(self, points: np.ndarray) -> np.ndarray:
        return self.value(points) // self.block


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The block-cyclic banks of some numbers of banks and blocks, and the work they took."""

    found: tuple[BlockCyclicBanks, ...]
    work: int


def block_cyclic(
    patterns: Sequence[Pattern], banks: int, block: int, ports: int, budget: int
) -> Tried:
    """All block-cyclic banks of this shape that serve the patterns, vectors in order.

    None, without a search, where none can be; or where the vectors times the accesses are
    beyond `budget` (then `work` is 0).
    """
    size, modulus = patterns[0].dimensions, banks * block
    accesses = sum(len(pattern.offsets) for pattern in patterns)
    if _is_tight(patterns, banks, ports) or modulus**size * accesses > budget:
        return Tried(found=(), work=0)
    found = []
    for vectors in _vectors(modulus, size):
        right = np.ones(len(vectors), dtype=bool)
        for pattern in patterns:
            right[right] = _serves(pattern, vectors[right], banks, block, ports)
        found += [
            BlockCyclicBanks(vector=tuple(map(int, vector)), banks=banks, block=block)
            for vector in vectors[right]
        ]
    return Tried(found=tuple(found), work=modulus**size * accesses)


def _is_tight(patterns: Sequence[Pattern], banks: int, ports: int) -> bool:
    """True if a full circle leaves no room, so that blocks of one element would do as well.

    With n accesses and n banks of one port the accesses of a pattern that stands everywhere
    are a block apart: a.z is a multiple of the block for every difference z. Where the
    differences generate all of Z^n, so is a, and a / B gives linear banks.
    """
    for pattern in patterns:
        if ports == 1 and pattern.is_everywhere and len(pattern.offsets) == banks:
            lattice = hermite(pattern.differences()) if banks > 1 else ()
            if lattice == identity(pattern.dimensions):
                return True
    return False


def _vectors(modulus: int, size: int) -> Iterator[np.ndarray]:
    total = modulus**size
    together = 1 << 15
    for begin in range(0, total, together):
        number = np.arange(begin, min(total, begin + together), dtype=np.int64)
        columns = []
        for _ in range(size):
            columns.append(number % modulus)
            number = number // modulus
        yield np.column_stack(columns[::-1])


def _serves(
    pattern: Pattern, vectors: np.ndarray, banks: int, block: int, ports: int
) -> np.ndarray:
    """Mask of vectors with at most `ports` accesses of the pattern in a bank, at every base."""
    modulus = banks * block
    if len(pattern.offsets) <= ports:
        return np.ones(len(vectors), dtype=bool)
    values = np.sort(vectors @ np.array(pattern.offsets, dtype=np.int64).T % modulus, axis=1)
    right = np.ones(len(vectors), dtype=bool)
    strides = _strides(pattern, vectors, modulus)
    anywhere = strides == 1
    # Where a pattern's first value may be any, `ports` + 1 accesses closer than a block meet.
    behind = np.concatenate([values[anywhere], values[anywhere][:, :ports] + modulus], axis=1)
    right[anywhere] = (behind[:, ports:] - values[anywhere] >= block).all(axis=1)
    values += (vectors @ np.array(pattern.origin, dtype=np.int64))[:, None]
    for stride in np.unique(strides[~anywhere]).tolist():
        some = np.flatnonzero(strides == stride)
        right[some] = False
        right[_apart_at(values, some, np.arange(0, modulus, stride), modulus, block, ports)] = True
    return right


def _apart_at(
    values: np.ndarray,
    rows: np.ndarray,
    residues: np.ndarray,
    modulus: int,
    block: int,
    ports: int,
) -> np.ndarray:
    """The rows whose values, moved on by each of the residues, are at most `ports` to a bank."""
    width, begin, together = values.shape[1], 0, 1
    while begin < len(residues) and len(rows):
        # Most rows fall at the first residues: later ones are tried more at a time.
        moved = residues[None, begin : begin + together, None]
        begin, together = begin + together, 4 * together
        parts = np.array_split(rows, 1 + len(rows) * moved.size * width // _KEYS)
        kept = []
        for part in parts:
            keys = np.sort((values[part][:, None, :] + moved) % modulus // block, axis=2)
            kept.append(part[(keys[..., ports:] != keys[..., : width - ports]).all(axis=(1, 2))])
        rows = np.concatenate(kept)
    return rows


def _strides(pattern: Pattern, vectors: np.ndarray, modulus: int) -> np.ndarray:
    """For every vector a, the g such that a.base takes the residues a.origin + multiples of g."""
    steps = np.array(pattern.steps, dtype=np.int64).reshape(-1, pattern.dimensions)
    whole = np.full((len(vectors), 1), modulus, dtype=np.int64)
    return np.asarray(np.gcd.reduce(np.concatenate([vectors @ steps.T, whole], axis=1), axis=1))
