"""The plain search over all lattices in Hermite form: nothing shared with the one under test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

Lattice = tuple[tuple[int, ...], ...]


def lattices(size: int, determinant: int) -> Iterator[Lattice]:
    """All sublattices of Z^size with the determinant, as lower triangular Hermite rows."""
    if size == 0:
        if determinant == 1:
            yield ()
        return
    for pivot in range(1, determinant + 1):
        if determinant % pivot:
            continue
        for smaller in lattices(size - 1, determinant // pivot):
            ranges = [range(smaller[k][k]) for k in range(size - 1)]
            for offsets in product(*ranges):
                yield (*((*row, 0) for row in smaller), (*offsets, pivot))


def contains(lattice: Lattice, point: tuple[int, ...]) -> bool:
    rest = list(point)
    for row in range(len(lattice) - 1, -1, -1):
        factor, remainder = divmod(rest[row], lattice[row][row])
        if remainder:
            return False
        rest = [entry - factor * own for entry, own in zip(rest, lattice[row], strict=True)]
    return True


def is_admissible(lattice: Lattice, differences: set[tuple[int, ...]]) -> bool:
    return not any(any(point) and contains(lattice, point) for point in differences)


def least_determinant(differences: set[tuple[int, ...]], size: int) -> int:
    determinant = 1
    while not any(is_admissible(found, differences) for found in lattices(size, determinant)):
        determinant += 1
    return determinant
