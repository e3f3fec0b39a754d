"""The places of a walk: its beats, and the iterations of loops that visit nothing, from isl.

At such a place the loops further in have the values that they had before: those of the last place
that has some for them. `tests/addressing/listing.py` goes from place to place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from hlsmem.addressing.loop_visits import LoopFacts, Path, Visits
from hlsmem.addressing.nest_points import Region
from hlsmem.addressing.state_changes import StepPlan
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.relations import rearrangement


def places_of(visits: Visits) -> Region:
    """All places from the first beat to the last; the beats alone where none is idle."""
    idle = idle_places(visits)
    if not idle:
        return visits.region
    return Region(reduce(Set.union, idle.values(), visits.region.points).coalesce())


def places_of_states(visits: Visits, steps: StepPlan) -> tuple[Region, ...]:
    """The places at which a walk is in each of its states."""
    idle, nowhere = idle_places(visits), Set.empty(visits.region.points.get_space())
    return tuple(
        visits.reached.get(path, Region(nowhere))
        if is_beat
        else Region(idle.get(path[:-1], nowhere))
        for path, is_beat in zip(steps.paths, steps.is_beat, strict=True)
    )


def idle_places(visits: Visits) -> Mapping[Path, Any]:
    """The places without a beat by the path of the loop that visits nothing there."""
    found: dict[Path, Any] = {}
    places = visits.region.points
    iterations = _idle(visits)
    for depth in sorted({depth for depth, _ in iterations.values()}, reverse=True):
        own = {
            path: _with_loops_inside(idle, places, depth).coalesce()
            for path, (other, idle) in iterations.items()
            if other == depth
        }
        places = reduce(Set.union, own.values(), places)
        found |= own
    return found


def _idle(visits: Visits) -> Mapping[Path, tuple[int, Any]]:
    """By the path of a loop its depth, and its iterations that visit nothing: values of the loops
    up to it."""
    region = visits.region
    found: dict[Path, tuple[int, Any]] = {}
    for path, facts in visits.facts.items():
        if not isinstance(facts, LoopFacts) or path not in visits.reached:
            continue
        depth = facts.depth
        inside = [inner for inner in visits.reached if inner[: len(path)] == path and inner != path]
        idle = _up_to(visits, path, depth)
        for inner in inside:
            idle = idle.subtract(_up_to(visits, inner, depth))
        idle = _between(idle, region.first()[: depth + 1], region.last()[: depth + 1]).coalesce()
        if not idle.is_empty():
            found[path] = depth, idle
    return found


def _up_to(visits: Visits, path: Path, depth: int) -> Any:
    """The values of the loops up to a depth at which the node at `path` is reached."""
    reached = visits.reached[path]
    left_out = {loop: form for loop, form in visits.left_out(path).items() if loop <= depth}
    points = reached.replaced(left_out).points if left_out else reached.points
    return points.project_out(DimType.set, depth + 1, points.dim(DimType.set) - depth - 1)


def _between(points: Any, first: Iterable[int], last: Iterable[int]) -> Any:
    """The points after the first one and before the last."""
    ends = [_only(points, end) for end in (first, last)]
    space = points.get_space()
    points = points.intersect(ends[0].apply(Map.lex_lt(space)))
    return points.intersect(ends[1].apply(Map.lex_gt(space)))


def _only(like: Any, point: Iterable[int]) -> Any:
    """The set of one point."""
    found = type(like).universe(like.get_space())
    for loop, value in enumerate(point):
        found = found.fix_val(DimType.set, loop, Val(value))
    return found


def _with_loops_inside(idle: Any, places: Any, depth: int) -> Any:
    """Values of the loops up to a depth, with those inside as at the last place before."""
    loops = places.dim(DimType.set)
    if depth == loops - 1:
        return idle
    outer, inner = range(depth + 1), range(depth + 1, loops)
    before = Map.lex_gt(idle.get_space()).intersect_domain(idle)
    before = before.apply_range(rearrangement(loops, outer).intersect_domain(places).reverse())
    last = lexmax(before).apply_range(rearrangement(loops, inner))
    own = Map.identity(idle.get_space().map_from_set()).intersect_domain(idle)
    return own.flat_range_product(last).range()
