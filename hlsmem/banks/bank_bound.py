"""Lower bound on the number of banks of any distribution of elements.

A pattern of n accesses needs n banks of one port, and so do n elements of which any two are
accessed together in some cycle. If n banks do for n accesses everywhere, the copies of the
pattern at the elements of one bank cover every element exactly once: they tile the space.
Where the points beside one copy cannot all be covered by disjoint further copies, it takes
n + 1 banks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hlsmem.banks.pattern import Pattern
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.bounds import largest_clique
from hlsmem.polyhedra.lattices import Vector

# Copies that are placed in trying to fill the holes of a pattern, and the most points of it.
_NODES = 2000
_LARGEST = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastBanks:
    """No banks of any kind do with fewer than `banks`; `reason` says why."""

    banks: int
    reason: str


def least_banks(
    patterns: Sequence[Pattern], ports: int = 1, extents: Sequence[int] | None = None
) -> LeastBanks:
    """A lower bound for any way to distribute elements over banks of `ports` ports each.

    `extents` is the size of the array, None for one without end: copies of a pattern are only
    known to be disjoint where there is room around them.
    """
    number = max(len(pattern.offsets) for pattern in patterns)
    each = "one an access" if ports == 1 else f"each for {ports} of them"
    best = LeastBanks(banks=-(-number // ports), reason=f"{number} accesses a cycle, {each}")
    roomy = [pattern for pattern in patterns if _has_room(pattern, extents)]
    if ports > 1 or not roomy:
        return best
    clique = _clique(roomy)
    if clique > best.banks:
        reason = f"{clique} elements of which some cycle accesses any two"
        best = LeastBanks(banks=clique, reason=reason)
    for pattern in roomy:
        if best.banks == len(pattern.offsets):
            hole = unfillable_hole(pattern.offsets)
            if hole is not None:
                return LeastBanks(banks=best.banks + 1, reason=_no_tiling(best.banks, hole))
    return best


def _clique(patterns: Sequence[Pattern]) -> int:
    """Elements of which any two are accessed together by one of the patterns, at some base."""
    import numpy as np

    zero = (0,) * patterns[0].dimensions
    half = {z for pattern in patterns for z in pattern.differences()}
    both = sorted(half | {tuple(-entry for entry in z) for z in half} | {zero})
    clique = largest_clique(np.array(both, dtype=np.int64))
    return 1 if clique is None else len(clique)


def _has_room(pattern: Pattern, extents: Sequence[int] | None) -> bool:
    """True if the pattern occurs everywhere on twice its reach around some base."""
    if not pattern.is_everywhere or extents is None:
        return pattern.is_everywhere
    reaches = [max(entries) - min(entries) for entries in zip(*pattern.offsets, strict=True)]
    return all(size - reach >= 4 * reach + 1 for size, reach in zip(extents, reaches, strict=True))


def _no_tiling(number: int, hole: Vector) -> str:
    where = f"({', '.join(map(str, hole))})"
    return (
        f"in {number} banks copies of the pattern would tile the space, but none beside it"
        f" covers {where} and leaves the rest to others"
    )


def unfillable_hole(offsets: Sequence[Vector]) -> Vector | None:
    """A point near the pattern from which it is seen that copies of it do not tile the space.

    None where copies cover all points of the pattern's box, or `_NODES` tries did not tell.

    >>> unfillable_hole([(-1,), (1,), (3,), (4,)]), unfillable_hole([(0,), (2,)]) is None
    ((0,), True)
    """
    if len(offsets) > _LARGEST:
        return None
    grid = _Grid(offsets)
    hole = grid.hardest(grid.start)
    if hole is None:
        return None
    return None if grid.covers(grid.start, _NODES) is not False else grid.points[hole]


class _Grid:
    """The pattern's box and the reach of copies that meet it; sets of points are bit masks."""

    def __init__(self, offsets: Sequence[Vector]) -> None:
        size = range(len(offsets[0]))
        lower = [min(o[k] for o in offsets) for k in size]
        upper = [max(o[k] for o in offsets) for k in size]
        reach = [high - low for low, high in zip(lower, upper, strict=True)]
        box = [range(a, b + 1) for a, b in zip(lower, upper, strict=True)]
        wide = [range(a - r, b + r + 1) for a, b, r in zip(lower, upper, reach, strict=True)]
        self.points: list[Vector] = list(product(*wide))
        number = {point: index for index, point in enumerate(self.points)}
        self.start = sum(1 << number[tuple(offset)] for offset in offsets)
        self.copies: dict[int, list[int]] = {}
        for point in product(*box):
            if self.start >> number[point] & 1:
                continue
            masks = []
            for held in offsets:
                shift = [a - b for a, b in zip(point, held, strict=True)]
                moved = [tuple(a + b for a, b in zip(o, shift, strict=True)) for o in offsets]
                mask = sum(1 << number[one] for one in moved)
                if not mask & self.start:
                    masks.append(mask)
            self.copies[number[point]] = masks
        self.tried = 0

    def choices(self, taken: int) -> Iterator[tuple[int, list[int]]]:
        """Points of the box that are still free, with the copies that would cover them."""
        for point, masks in self.copies.items():
            if not taken >> point & 1:
                yield point, [mask for mask in masks if not mask & taken]

    def hardest(self, taken: int) -> int | None:
        """The free point of the box with the fewest copies; None where there is none."""
        found = min(self.choices(taken), key=lambda choice: len(choice[1]), default=None)
        return None if found is None else found[0]

    def covers(self, taken: int, nodes: int) -> bool | None:
        """True if disjoint copies cover the free points; None where `nodes` do not tell."""
        found = min(self.choices(taken), key=lambda choice: len(choice[1]), default=None)
        if found is None:
            return True
        for mask in found[1]:
            self.tried += 1
            if self.tried > nodes:
                return None
            answer = self.covers(taken | mask, nodes)
            if answer is not False:
                return answer
        return False
