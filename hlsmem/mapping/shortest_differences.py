"""Integer vectors by length, evenness and lexicographic order.

Source: Thies, Vivien, Amarasinghe (TOPLAS 2007), section 5.2: the length is the sum of the
absolute entries; of equally long ones those whose entries differ least are preferred.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hlsmem.polyhedra.lattices import Vector


def length(vector: Vector) -> int:
    """The sum of the absolute entries."""
    return sum(abs(entry) for entry in vector)


def unevenness(vector: Vector) -> int:
    """Sum of the distances between absolute entries, over all pairs.

    >>> unevenness((2, 1)), unevenness((3, 0))
    (1, 3)
    """
    return sum(abs(abs(a) - abs(b)) for a, b in combinations(vector, 2))


def order(vector: Vector) -> tuple[int, int, Vector]:
    """The key by which vectors are listed."""
    return length(vector), unevenness(vector), vector


def vectors_of_length(size: int, total: int) -> Iterator[Vector]:
    """All integer vectors of a length, lexicographically.

    >>> list(vectors_of_length(2, 1))
    [(-1, 0), (0, -1), (0, 1), (1, 0)]
    """
    if size == 1:
        yield from ((-total,), (total,)) if total else ((0,),)
        return
    for first in range(-total, total + 1):
        for rest in vectors_of_length(size - 1, total - abs(first)):
            yield first, *rest


def even_ones(vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """The most even of equally long vectors."""
    least = min((unevenness(one) for one in vectors), default=0)
    return tuple(one for one in vectors if unevenness(one) == least)
