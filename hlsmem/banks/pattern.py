"""Accesses of one cycle: the offsets of a pattern, and the bases at which it stands.

A request for banks is a set of patterns that share ports of one kind: in every cycle one of
them is accessed, at one of its bases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import Matrix, Vector, hermite, identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Elements base + offset, one for each of the distinct `offsets`, accessed in one cycle.

    Bases are `origin` plus integer combinations of `steps` (Hermite rows; none: the origin
    alone). `names` are the accesses for messages, as many as offsets, or none.
    """

    offsets: tuple[Vector, ...]
    origin: Vector
    steps: Matrix
    names: tuple[str, ...] = ()

    @staticmethod
    def everywhere(offsets: Iterable[Sequence[int]], names: Sequence[str] = ()) -> Pattern:
        """The pattern at every base; `names` are those of the offsets as given.

        >>> Pattern.everywhere([(0, 1), (0, 0), (0, 1)]).offsets
        ((0, 0), (0, 1))
        """
        given = [tuple(offset) for offset in offsets]
        distinct = tuple(sorted(set(given)))
        size = len(distinct[0])
        named = tuple(names[given.index(offset)] for offset in distinct) if names else ()
        return Pattern(offsets=distinct, origin=(0,) * size, steps=identity(size), names=named)

    @staticmethod
    def at(
        offsets: Iterable[Sequence[int]], origin: Sequence[int], steps: Sequence[Sequence[int]]
    ) -> Pattern:
        """The pattern at the origin and the combinations of `steps` from there."""
        distinct = tuple(sorted({tuple(offset) for offset in offsets}))
        return Pattern(offsets=distinct, origin=tuple(origin), steps=hermite(steps))

    @property
    def dimensions(self) -> int:
        return len(self.origin)

    @property
    def is_everywhere(self) -> bool:
        return self.steps == identity(self.dimensions)

    def name(self, index: int) -> str:
        """Name in messages of the access with offset number `index`."""
        if self.names:
            return self.names[index]
        return f"({', '.join(map(str, self.offsets[index]))})"

    def differences(self) -> tuple[Vector, ...]:
        """Differences of two accesses, one of each pair z, -z."""
        return tuple(
            tuple(b - a for a, b in zip(left, right, strict=True))
            for left, right in combinations(self.offsets, 2)
        )
