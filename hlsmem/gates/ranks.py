"""Numbers of beats: how many beats of a stream come before one, as a quasi-affine function.

Times that are nested boxes have a mixed radix: each entry takes equally many values, at equal
distances, whatever the entries before it are; where these values begin may depend on them.
"""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Val
from hlsmem.polyhedra.sets import count
from hlsmem.walk.region import Region


def rank_of(times: Any) -> Any:
    """The number of times before each one of a set, as a PwAff; None where they are no boxes.

    >>> from hlsmem.polyhedra import Set
    >>> str(rank_of(Set("{ [y, x] : 0 <= y < 2160 and 0 <= x < 3840 }")))
    '{ [y, x] -> [(3840y + x)] : 0 <= y <= 2159 and 0 <= x <= 3839 }'
    >>> rank_of(Set("{ [y, x] : 0 <= x <= y < 9 }")) is None
    True
    """
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
    first = alike.lexmin_pw_multi_aff().get_pw_aff(entry)
    last = alike.lexmax_pw_multi_aff().get_pw_aff(entry)
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
    values = Map.from_pw_aff(value).range()
    return int(values.dim_min_val(0).to_python()), int(values.dim_max_val(0).to_python())
