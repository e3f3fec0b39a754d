"""Reads that may be the last of their value: those that others surely follow left out.

Where every element is written once, a read at a constant distance from the write is followed
by one at a greater distance, if that reads all the elements it reads. Of stencils few reads
are left, and all that is said of the ends of values stays the same.
"""

from __future__ import annotations

from functools import reduce
from operator import itemgetter
from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.constraints import Row, plainly_within, rows
from hlsmem.polyhedra.relations import constant_point, maps_of, union_map

# No more pieces than that take less time than looking for those that are not needed.
_FEW = 4

Point = tuple[int, ...]


def last_reads(reads: Any, written: Any, times: Any) -> Any:
    """`reads` without those that other reads by the same statement surely follow.

    UnionMaps: `reads` R[j] -> A[x], `written` A[x] -> [event], one for each element, `times`
    R[j] -> [event]. Only reads after the write of their element are left out.
    """
    writes = maps_of(written)
    if len(writes) != 1:
        return reads
    read_at = {one.get_tuple_name(DimType.in_): one for one in maps_of(times)}
    return union_map(
        _unfollowed(one, writes[0], read_at[one.get_tuple_name(DimType.in_)])
        for one in maps_of(reads)
    )


def _unfollowed(reads: Any, write: Any, read_at: Any) -> Any:
    """The pieces of one statement's reads that no other piece surely follows."""
    pieces = [Map.from_basic_map(one) for one in reads.get_basic_maps()]
    if len(pieces) <= _FEW:
        return reads
    kept, known = [], []
    for piece in pieces:
        distance = _distance(piece, write, read_at)
        elements = piece.range().get_basic_sets()
        if distance is None or len(elements) != 1 or elements[0].dim(DimType.div):
            kept.append(piece)
        else:
            known.append((distance, rows(elements[0]), piece))
    later: list[tuple[Point, list[Row]]] = []
    for distance, elements, piece in sorted(known, key=itemgetter(0), reverse=True):
        is_after = distance > (0,) * len(distance)
        if is_after and any(
            distance < other and plainly_within(elements, wider) for other, wider in later
        ):
            continue
        later.append((distance, elements))
        kept.append(piece)
    return reduce(lambda left, right: left.union(right), kept)


def _distance(reads: Any, write: Any, read_at: Any) -> Point | None:
    """From the event of the write to that of the read, if that is a constant."""
    return constant_point(reads.reverse().apply_domain(write).apply_range(read_at).deltas())
