"""The transitive closure of a dependence relation, exact by proof.

isl's closure may be larger than the closure; a larger one would let elements share a cell that
some order keeps alive together. So it is used where isl says that it is exact, or where the
induction test holds: C is within R or R after C, and dependences have no infinite chains, so
every pair of C is reached in finitely many steps of R.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.generators import cone_facets
from hlsmem.polyhedra.relations import maps_of, sets_of
from hlsmem.polyhedra.sets import fix_parameters, points

# Squarings at the plan's values: paths of up to 2**ROUNDS dependences.
_ROUNDS = 16
# Distances that are listed, at most, to make a cone of.
_DISTANCES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """`relation` { x -> y }: y is reached from x. `by` names the proof.

    `is_fixed`: at the plan's values alone.
    """

    relation: Any = field(compare=False)
    by: str
    is_fixed: bool = False


def closure(relation: Any, domain: Any, values: Mapping[str, int]) -> Closure | None:
    """The transitive closure of `relation`, whose instances are in `domain` (UnionSet).

    None where no proof was found, nor a fixed point at the plan's values.
    """
    if relation.is_empty():
        return Closure(relation=relation, by="no dependences")
    for found, exact in _by_isl(relation):
        if exact:
            return Closure(relation=found, by="isl's exact closure")
        if is_reached(found, relation):
            return Closure(relation=found, by="induction over isl's closure")
    cone = cone_order(relation, domain, values)
    if cone is not None and is_reached(cone, relation):
        return Closure(relation=cone, by="induction over the cone of the distances")
    squared = _squared(fix_parameters(relation, values))
    if squared is None:
        return None
    return Closure(relation=squared, by="squaring at the plan's values", is_fixed=True)


def is_reached(found: Any, relation: Any) -> bool:
    """The induction test: each pair of `found` is a dependence, or one and then a pair.

    True proves that `found` is within the closure of `relation`.
    """
    return bool(found.is_subset(relation.union(relation.apply_range(found))))


def _by_isl(relation: Any) -> Iterator[tuple[Any, bool]]:
    maps = maps_of(relation)
    if len(maps) == 1 and _is_within_one_statement(maps[0]):
        found, exact = maps[0].transitive_closure()
        yield UnionMap.from_map(found), bool(exact)
        return
    found, exact = relation.transitive_closure()
    yield found, bool(exact)


def _is_within_one_statement(relation: Any) -> bool:
    return bool(relation.domain().get_space().is_equal(relation.range().get_space()))


def cone_order(relation: Any, domain: Any, values: Mapping[str, int]) -> Any | None:
    """{ x -> y : y - x in the cone of all distances, x != y }, for one statement; else None."""
    maps, sets = maps_of(relation), sets_of(domain)
    if len(maps) != 1 or len(sets) != 1 or not _is_within_one_statement(maps[0]):
        return None
    distances = uniform_distances(maps[0], values)
    if distances is None:
        return None
    space = sets[0].get_space()
    size = len(distances[0])
    apart = Set.universe(space)
    names = [f"x{k}" for k in range(size)]
    rows = [
        " + ".join(f"{entry}*{name}" for entry, name in zip(facet, names, strict=True)) + " >= 0"
        for facet in cone_facets(distances)
    ]
    text = f"{{ [{', '.join(names)}] : {' and '.join(rows) or 'true'} }}"
    inside = Set(text).align_params(space)
    if space.has_tuple_name(DimType.set):
        inside = inside.set_tuple_name(space.get_tuple_name(DimType.set))
    apart = apart.intersect(inside)
    everywhere = Map.universe(space.map_from_set()).deltas_map()
    pairs = everywhere.intersect_range(apart).domain().unwrap()
    pairs = pairs.subtract(Map.identity(pairs.get_space()))
    return UnionMap.from_map(pairs.intersect_domain(sets[0]).intersect_range(sets[0]))


def uniform_distances(relation: Any, values: Mapping[str, int]) -> Sequence[tuple[int, ...]] | None:
    """The distances of one map where they are few and depend on nothing; else None."""
    apart = fix_parameters(relation, values).deltas()
    if apart.is_empty() or not apart.is_bounded():
        return None
    listed = points(apart)
    if len(listed) > _DISTANCES:
        return None
    return [tuple(int(entry) for entry in row) for row in listed]


def _squared(relation: Any) -> Any | None:
    found = relation
    for _ in range(_ROUNDS):
        further = found.union(found.apply_range(found)).coalesce()
        if further.is_subset(found):
            return found
        found = further
    return None
