"""Numbers of beats: how many beats of a stream come before one, as a quasi-affine function.

Times that are nested boxes have a mixed radix: each entry takes equally many values, at equal
distances, whatever the entries before it are; where these values begin may depend on them. Others
may be nested boxes from one value of the outermost entry to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hlsmem.addressing.nest_points import Region
from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Set, Val
from hlsmem.polyhedra.extremes import first_image, last_image
from hlsmem.polyhedra.sets import count, entry_range, points

# Values of the outermost entry at which rows may change.
_MOST_UNLIKE = 64


def rank_of(times: Any) -> Any:
    """The number of times before each one of a set, as a PwAff; None where they are no boxes, nor
    a few of them one after the other.

    >>> from hlsmem.polyhedra import Set
    >>> str(rank_of(Set("{ [y, x] : 0 <= y < 2160 and 0 <= x < 3840 }")))
    '{ [y, x] -> [(3840y + x)] : 0 <= y <= 2159 and 0 <= x <= 3839 }'
    >>> rank_of(Set("{ [y, x] : 0 <= x <= y < 999 }")) is None
    True
    """
    rank = _nested_rank(times)
    return _rank_by_ranges(times) if rank is None else rank


def _rank_by_ranges(times: Any) -> Any:
    """The rank of times that are nested boxes between some values of the outermost entry."""
    entries = ((e, *entry_range(times, e)) for e in range(times.dim(DimType.set)))
    entry, low, high = next(one for one in entries if one[1] < one[2])
    unlike = unlike_rows([times], entry, 1)
    if unlike is None:
        return None
    rank: Any = None
    before = 0
    for first, end in pairwise(sorted({low, *unlike, high + 1})):
        rows = times.lower_bound_val(DimType.set, entry, Val(first))
        rows = rows.upper_bound_val(DimType.set, entry, Val(end - 1)).coalesce()
        if rows.is_empty():
            continue
        own = _nested_rank(rows)
        if own is None:
            return None
        own = own.add_constant_val(Val(before))
        rank = own if rank is None else rank.union_add(own)
        before += count(rows)
    return rank.coalesce()


def unlike_rows(times: Sequence[Any], entry: int, period: int) -> list[int] | None:
    """The values of an entry whose times are not those of the value a period before, in any of
    the sets, in order; the first period left out. None where they are many.

    >>> from hlsmem.polyhedra import Set
    >>> unlike_rows([Set("{ [y, x] : 0 <= y < 999 and 0 <= x < 5 and (y < 7 or x > 1) }")], 0, 1)
    [7]
    """
    found: Any = None
    for given in times:
        # isl rewrites what it subtracts, and has been seen to find another lexmax from then on.
        one = Set(str(given))
        moved = _moved(one, entry, period)
        apart = one.subtract(moved).union(moved.subtract(one))
        size = one.dim(DimType.set)
        row = apart.project_out(DimType.set, entry + 1, size - entry - 1)
        row = row.project_out(DimType.set, 0, entry)
        found = row if found is None else found.union(row)
    low = min(entry_range(one, entry)[0] for one in times) + period
    high = max(entry_range(one, entry)[1] for one in times)
    found = found.intersect(Set(f"{{ [y] : {low} <= y <= {high} }}")).coalesce()
    if count(found) > _MOST_UNLIKE:
        return None
    return [int(value) for (value,) in points(found).tolist()]


def _moved(times: Any, entry: int, by: int) -> Any:
    """The set with a constant added to an entry."""
    names = [f"t{k}" for k in range(times.dim(DimType.set))]
    ends = [f"{name} + {by}" if k == entry else name for k, name in enumerate(names)]
    return times.apply(Map(f"{{ [{', '.join(names)}] -> [{', '.join(ends)}] }}"))


def _nested_rank(times: Any) -> Any:
    """`rank_of` for nested boxes."""
    size = times.dim(DimType.set)
    rank = PwAff.from_aff(Aff.zero_on_domain_space(times.get_space())).intersect_domain(times)
    weight, within = 1, count(times)
    for entry in reversed(range(size)):
        outside = count(times.project_out(DimType.set, entry, size - entry)) if entry else 1
        values, left = divmod(within, outside)
        within = outside
        if left:
            return None
        if values == 1:
            continue
        digit = _digit(times, entry, values)
        if digit is None:
            return None
        rank = rank.add(digit.scale_val(Val(weight)))
        weight *= values
    return rank.coalesce()


def _digit(times: Any, entry: int, values: int) -> Any:
    """The number of an entry's value among so many; None where they are not as many everywhere."""
    alike = Map.identity(times.get_space().map_from_set())
    alike = alike.eliminate(DimType.out, entry, times.dim(DimType.set) - entry)
    alike = alike.intersect_domain(times).intersect_range(times)
    first = first_image(alike).get_pw_aff(entry)
    last = last_image(alike).get_pw_aff(entry)
    least, spread = extremes(last.sub(first))
    if entry and least != spread:
        return None
    own = PwAff.from_aff(Aff.var_on_domain(_local(times), DimType.set, entry))
    behind = own.sub(first)
    stride = Region(Map.from_pw_aff(behind).range().coalesce()).stride(0)
    if spread != stride * (values - 1):
        return None
    return behind.scale_down_val(Val(stride)).floor() if stride > 1 else behind


def _local(times: Any) -> Any:
    return Aff.zero_on_domain_space(times.get_space()).get_domain_local_space()


def extremes(value: Any) -> tuple[int, int]:
    """The least and the greatest value of a PwAff with integer values, somewhere defined."""
    # isl refuses to minimise x/2 itself, even where x is even.
    return entry_range(Map.from_pw_aff(value).range(), 0)
