"""Boundary splitting: elements at a border that live longer than the others, apart from them.

Source: algorithm 1 of the work on quasi-universal occupancy vectors, in element space and with
connected components of borders (docs/decisions/0016-schedule-classes.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import Pairs, StorageProblem
from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import differences, fix_parameters, without_name
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.value_flow import Dataflow

Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """Elements that one statement writes and one reads at one distance in rows of the class.

    All elements within the equalities that those have are meant, whether or not they are read so.
    """

    elements: Any = field(compare=False)
    vector: Vector | None
    is_thin: bool


def boundary_parts(flow: Dataflow, rows: Any) -> list[Any]:
    """The parts that the elements of an array fall into: borders, and the rest last.

    `rows` is a UnionMap of instances to the vectors that distances are measured in. A border is
    a set of elements within an equality that not all elements of the array have, which are used
    at a distance that the others do not have. Borders that overlap are one part. One part
    alone, or none, where there are no borders.
    """
    uses = _uses(flow, rows)
    broad = [one.vector for one in uses if not one.is_thin and one.vector is not None]
    most = tuple(map(max, zip(*broad, strict=True))) if broad else None
    borders = [
        one.elements
        for one in uses
        if one.is_thin and one.vector not in broad and not _is_within(one.vector, most)
    ]
    every = _only(flow.values.domain())
    parts: list[Any] = []
    for border in borders:
        touching = [one for one in parts if not one.is_disjoint(border)]
        apart = [one for one in parts if one.is_disjoint(border)]
        parts = [*apart, reduce(lambda a, b: a.union(b), touching, border).coalesce()]
    rest = reduce(lambda left, part: left.subtract(part), parts, every).coalesce()
    return [*parts, *([] if rest.is_empty() else [rest])]


def _only(elements: Any) -> Any:
    """The one set of a UnionSet."""
    found = elements.get_set_list()
    return found.get_at(0)


def _is_within(vector: Vector | None, most: Vector | None) -> bool:
    if vector is None or most is None:
        return False
    return all(a <= b for a, b in zip(vector, most, strict=True))


def _uses(flow: Dataflow, rows: Any) -> list[_Use]:
    """All uses of values by other instances, one for each convex piece."""
    found = []
    every = _only(flow.values.domain())
    for use in maps_of(flow.uses):  # [A[x] -> W[i]] -> R[j]
        writer = use.domain().unwrap().get_tuple_name(DimType.out)
        if writer == LIVE_IN or use.get_tuple_name(DimType.out) == LIVE_OUT:
            continue
        for basic in use.coalesce().get_basic_maps():
            pairs = type(use).from_basic_map(basic)
            hull = pairs.domain().unwrap().domain().affine_hull()
            between = pairs.domain().unwrap().range_map()  # [A[x] -> W[i]] -> W[i]
            steps = between.reverse().apply_range(pairs)
            vector = _constant(rows, steps)
            is_thin = not every.affine_hull().is_subset(hull)
            found.append(_Use(elements=every.intersect(hull), vector=vector, is_thin=is_thin))
    return found


def _constant(rows: Any, steps: Any) -> Vector | None:
    """The one distance in rows of a map between instances; None where there are several."""
    union = UnionMap.from_map(steps)
    apart = _only(rows.reverse().apply_range(union).apply_range(rows).deltas())
    point = [apart.plain_get_val_if_fixed(DimType.set, k) for k in range(apart.dim(DimType.set))]
    if not all(value.is_int() for value in point):
        return None
    return tuple(value.to_python() for value in point)


def part_problem(problem: StorageProblem, part: Any) -> StorageProblem:
    """The storage problem of some elements of an array alone, without bounds."""
    assert problem.pairs is not None
    if problem.orders is not None and problem.orders.is_fixed:
        part = fix_parameters(part, problem.values)
    pairs = problem.pairs.relation.intersect_domain(part).intersect_range(part).coalesce()
    return replace(
        problem,
        pairs=Pairs(pairs, is_symmetric=problem.pairs.is_symmetric),
        differences=without_name(differences(pairs, problem.context)),
        elements=None if problem.elements is None else problem.elements.intersect(part).coalesce(),
        bounds=(),
    )


def domains_of(parts: Sequence[Any], problem: StorageProblem) -> list[str]:
    """The parts as isl text over the names of the index, as short as they tell them apart."""
    assert problem.elements is not None
    found = []
    for part in parts:
        short = part.gist(problem.elements).coalesce().reset_tuple_id()
        for k, name in enumerate(problem.array.index):
            short = short.set_dim_name(DimType.set, k, name)
        found.append(str(short))
    return found
