"""Statement instances seen as parameters: what a relation says inside the loops around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.relations import fixed_entries, with_names
from hlsmem.polyhedra.sets import count, fix_parameters


def bind(value: Any, names: Sequence[str]) -> Any:
    """A set, or the domain of a map, with its dimensions turned into parameters `names`.

    A set becomes a parameter set, a map the set of its images. The names must not be
    parameters yet.
    """
    is_map = hasattr(value, "range")
    kind = DimType.in_ if is_map else DimType.set
    value = with_names(value, kind, names)
    if is_map:
        moved = value.move_dims(DimType.param, value.dim(DimType.param), kind, 0, len(names))
        return moved.range()
    # Dimensions cannot move out of a set itself: go through a map from it to nothing.
    return bind(value.identity(), names).params()


def images(relation: Any, names: Sequence[str]) -> list[Any]:
    """The components of a single-valued map, as PwAffs over the parameters and `names`."""
    bound = bind(relation, names)
    return [bound.dim_min(position) for position in range(bound.dim(DimType.set))]


def within(schedule: Any, names: Sequence[str]) -> Any:
    """A map to times, seen where the first times have the values of parameters `names`.

    The images are the remaining times. The names must not be parameters yet.
    """
    first = schedule.dim(DimType.param)
    schedule = schedule.add_dims(DimType.param, len(names))
    for position, name in enumerate(names):
        schedule = schedule.set_dim_name(DimType.param, first + position, name)
        schedule = schedule.equate(DimType.param, first + position, DimType.out, position)
    return schedule.project_out(DimType.out, 0, len(names))


def leading(schedule: Any, count: int) -> Any:
    """The set of the first `count` times of a map to times, with an anonymous tuple."""
    times = schedule.range()
    return times.project_out(DimType.set, count, times.dim(DimType.set) - count)


def in_one_piece(relation: Any, context: Any) -> Any:
    """A map in the context, as one polyhedron where it is one: each piece has a loop of its own.

    >>> from hlsmem.polyhedra import Map, Set
    >>> ends = Map("[N] -> { S[x] -> [x] : 0 <= x < N and (x >= 2 or x <= N - 3) }")
    >>> in_one_piece(ends, Set("[N] -> { : N >= 4 }"))
    Map("[N] -> { S[x] -> [x] : N >= 4 and 0 <= x < N }")
    """
    if relation.n_basic_map() < 2:
        return relation
    hull = relation.simple_hull().to_map().intersect_params(context)
    return hull.coalesce() if hull.is_subset(relation) else relation


def plain_parts(sets: Sequence[Any], values: Mapping[str, int]) -> list[Any]:
    """Sets that hold all of `sets`, each made of few convex pieces, to be scanned by loops.

    Sets that agree in the dimensions that are constant in all of them share a hull, unless
    that has more than twice their points at the parameter `values`.
    """
    fixed = [set(fixed_entries(one)) for one in sets]
    shared = sorted(set.intersection(*fixed)) if fixed else []
    groups: dict[tuple[int, ...], Any] = {}
    for one in sets:
        key = tuple(one.plain_get_val_if_fixed(DimType.set, entry).to_python() for entry in shared)
        groups[key] = groups[key].union(one) if key in groups else one
    return [_plain(group.coalesce(), values) for group in groups.values()]


def _plain(points: Any, values: Mapping[str, int]) -> Any:
    hull = Set.from_basic_set(points.simple_hull())
    here = fix_parameters(hull, values)
    if not here.is_bounded() or count(here) > 2 * count(fix_parameters(points, values)):
        return points
    return hull
