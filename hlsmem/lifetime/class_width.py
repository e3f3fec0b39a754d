"""The width of a class of orders: the fewest cells of any mapping that is right for all of them.

Value a comes before value b where every order writes b after a and all uses of a. That is a
strict partial order, so its width, the largest set of values of which no two are in that order,
is the fewest chains that cover all values, one a cell. Sources: Dilworth, "A decomposition
theorem for partially ordered sets" (1950); chains by bipartite matching: Fulkerson (1956);
Koenig's theorem gives the antichain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.class_conflicts import ClassConflicts
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.enumeration import bounding_box, distinct_points, last_intervals
from hlsmem.polyhedra.relations import maps_of, sets_of
from hlsmem.polyhedra.sets import fix_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

# Values that are matched one by one.
MOST_VALUES = 20_000
# From so many on counts are kept in bytes: fewer than 128 pieces may then overlap.
_WIDE = 12_000


def width_bound(found: ClassConflicts, values: Mapping[str, int]) -> Bound | None:
    """The width at the plan's values as a bound; None above `MOST_VALUES` values."""
    listed = _listed(fix_parameters(found.values, values))
    count = sum(len(one.points) for one in listed)
    if count == 0 or count > MOST_VALUES:
        return None
    rows = _rows(dead_before(found, values), listed, count)
    antichain = largest_antichain(rows)
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    elements = tuple(sorted(_element(listed, number) for number in antichain))
    return Bound(
        kind="width",
        cells=len(antichain),
        expr=None,
        status=f"counted at {at}" if at else "counted",
        witness=elements,
    )


def dead_before(found: ClassConflicts, values: Mapping[str, int]) -> Any:
    """{ a -> b : in every order a is dead when b is written } at the plan's values.

    It is made of fewer pieces than what it is the complement of, and has fewer pairs.
    """
    every = fix_parameters(found.values, values)
    pairs = UnionMap.from_domain_and_range(every, every)
    return pairs.subtract(fix_parameters(found.not_dead_before, values)).coalesce()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """The values of one writer, [A[x] -> W[i]], numbered from `first` in lexicographic order.

    Of their coordinates `kept` are those of W, where they say which element it is, else all.
    """

    spaces: tuple[str, str]
    points: np.ndarray = field(compare=False)
    kept: slice
    first: int
    low: Sequence[int]
    strides: Sequence[int]
    codes: np.ndarray = field(compare=False)
    elements: np.ndarray = field(compare=False)


def _listed(values: Any) -> list[_Listed]:
    import numpy as np

    found, first = list[_Listed](), 0
    for one in sorted(sets_of(values), key=lambda one: _spaces(one.unwrap())):
        if one.is_empty():
            continue
        relation = one.unwrap()
        elements, size = relation.dim(DimType.in_), one.dim(DimType.set)
        # An instance that writes one element names its value alone.
        by_instance = size > elements and relation.reverse().is_single_valued()
        kept = slice(elements, size) if by_instance else slice(0, size)
        points = distinct_points(one)
        points = points[np.lexsort(points[:, kept].T[::-1])] if size else points
        box = bounding_box(one)[kept]
        strides = np.cumprod([1, *(high - low + 1 for low, high in box[:0:-1])])[::-1]
        low = [low for low, _ in box]
        codes = (points[:, kept] - np.array(low, dtype=np.int64)) @ np.array(
            strides[: len(low)], dtype=np.int64
        )
        found.append(
            _Listed(
                spaces=_spaces(relation),
                points=points,
                kept=kept,
                first=first,
                low=low,
                strides=[int(stride) for stride in strides[: len(low)]],
                codes=codes,
                elements=points[:, :elements],
            )
        )
        first += len(points)
    return found


def _spaces(relation: Any) -> tuple[str, str]:
    return relation.get_tuple_name(DimType.in_), relation.get_tuple_name(DimType.out)


def _element(listed: Sequence[_Listed], number: int) -> tuple[int, ...]:
    for one in listed:
        if one.first <= number < one.first + len(one.points):
            return tuple(int(entry) for entry in one.elements[number - one.first])
    raise IndexError(number)


def _rows(dead: Any, listed: Sequence[_Listed], count: int) -> list[int]:
    """For each value the values it is dead before, as the bits of an integer."""
    import numpy as np

    by_spaces = {one.spaces: one for one in listed}
    # Where the values that a row is dead before begin (+1) and end (-1).
    change = np.zeros(count * (count + 1), dtype=np.int16 if count < _WIDE else np.int8)
    for relation in maps_of(dead):
        if relation.is_empty():
            continue
        for source, first, end in _intervals(relation, by_spaces):
            np.add.at(change, source * (count + 1) + first, 1)
            np.add.at(change, source * (count + 1) + end, -1)
    rows = list[int]()
    for row in change.reshape(count, count + 1):
        inside = np.cumsum(row, dtype=np.int16)[:count] != 0
        packed = np.packbits(inside, bitorder="little")
        rows.append(int.from_bytes(packed.tobytes(), "little"))
    return rows


def _intervals(
    relation: Any, by_spaces: Mapping[tuple[str, str], _Listed]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(source, first target, end of targets) of all pairs of a map between values."""
    import numpy as np

    pair = relation.domain().unwrap(), relation.range().unwrap()
    left, right = (by_spaces[_spaces(one)] for one in pair)
    flat = relation.wrap().flatten()
    for one, offset in ((right, relation.dim(DimType.in_)), (left, 0)):
        gone = one.kept.start
        if gone:
            flat = flat.project_out(DimType.set, offset, gone)
    depth = len(left.low)
    for columns, low, high in last_intervals(flat.coalesce()):
        table = [*columns, low]
        source, start = _codes(left, table[:depth]), _codes(right, table[depth:])
        last = start + (high - low) if right.low else start
        number = np.searchsorted(left.codes, source)
        first = np.searchsorted(right.codes, start, side="left")
        end = np.searchsorted(right.codes, last, side="right")
        yield number + left.first, first + right.first, end + right.first


def _codes(listed: _Listed, columns: Sequence[np.ndarray]) -> Any:
    import numpy as np

    found = np.zeros(len(columns[0]) if columns else 1, dtype=np.int64)
    for column, low, stride in zip(columns, listed.low, listed.strides, strict=True):
        found = found + (column - low) * stride
    return found


def largest_antichain(rows: Sequence[int]) -> list[int]:
    """The most elements of a strict partial order of which no two are in it.

    Bit b of `rows[a]` says that a is before b. By Hopcroft and Karp's idea: in each round one
    breadth-first forest from all unmatched elements, and a path augmented in each of its trees.

    >>> largest_antichain([0b100, 0b100, 0])  # 0 and 1 before 2
    [0, 1]
    """
    matched_to, matched_by = _greedy(rows)
    while True:
        seen, reached, grown = _forest(rows, matched_to, matched_by)
        if not grown:
            break
    # Koenig: left elements that were reached, whose right side was not.
    found = [a for a in range(len(rows)) if reached >> a & 1 and not seen >> a & 1]
    chosen = sum(1 << a for a in found)
    if any(rows[a] & chosen for a in found):
        raise AssertionError("an antichain with an ordered pair")
    return found


def _greedy(rows: Sequence[int]) -> tuple[list[int], list[int]]:
    """Matched successor and predecessor of each element, -1 where there is none."""
    matched_to, matched_by = [-1] * len(rows), [-1] * len(rows)
    free = (1 << len(rows)) - 1
    for a in sorted(range(len(rows)), key=lambda a: rows[a].bit_count()):
        open_ = rows[a] & free
        if open_:
            low = open_ & -open_
            b = low.bit_length() - 1
            matched_to[a], matched_by[b] = b, a
            free ^= low
    return matched_to, matched_by


def _forest(
    rows: Sequence[int], matched_to: list[int], matched_by: list[int]
) -> tuple[int, int, bool]:
    """Grow alternating trees from all unmatched elements and augment where one ends.

    Returns the right and left elements that were reached, and whether anything was augmented.
    """
    size = len(rows)
    roots = [a for a in range(size) if matched_to[a] < 0]
    root_of = dict(zip(roots, roots, strict=True))
    done = set[int]()
    parent = dict[int, int]()
    free, seen, reached = _unmatched(matched_by), 0, _unmatched(matched_to)
    frontier, grown = roots, False
    while frontier:
        following = list[int]()
        for a in frontier:
            if root_of[a] in done:
                continue
            open_ = rows[a] & ~seen
            ending = open_ & free
            if ending:
                low = ending & -ending
                b = low.bit_length() - 1
                parent[b] = a
                seen |= low
                _augment(b, parent, matched_to, matched_by)
                done.add(root_of[a])
                free ^= low
                grown = True
                continue
            seen |= open_
            while open_:
                low = open_ & -open_
                b = low.bit_length() - 1
                open_ ^= low
                parent[b] = a
                further = matched_by[b]
                root_of[further] = root_of[a]
                reached |= 1 << further
                following.append(further)
        frontier = following
    return seen, reached, grown


def _unmatched(partners: Sequence[int]) -> int:
    """The elements without a partner, as bits."""
    import numpy as np

    free = np.packbits(np.array(partners, dtype=np.int64) < 0, bitorder="little")
    return int.from_bytes(free.tobytes(), "little")


def _augment(
    b: int, parent: Mapping[int, int], matched_to: list[int], matched_by: list[int]
) -> None:
    while True:
        a = parent[b]
        before = matched_to[a]
        matched_to[a], matched_by[b] = b, a
        if before < 0:
            return
        b = before
