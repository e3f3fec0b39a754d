"""The loops over times at which instances run, and what instances are there."""

from __future__ import annotations

from typing import Any

from hlsmem.addressing.loop_forms import Condition, Value, condition_of, value_of
from hlsmem.addressing.loop_visits import Visits, visits_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.generated_loops import Node, condition, expression_of, generate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimeWalk:
    """A loop for each entry of times, outermost first, and their visits.

    `inside` are the times, `instances` the instance at each, both over the loops as parameters.
    """

    loops: tuple[str, ...]
    node: Node
    visits: Visits
    inside: Any
    instances: Any

    def iterator(self, position: int) -> Value:
        """Return an iterator of the instance as a form of the loops."""
        return value_of(expression_of(self.instances.dim_min(position), self.inside), self._numbers)

    def is_at(self, times: Any) -> Condition:
        """Return the condition on the loops that holds at some of the times."""
        return condition_of(condition(bind(times, self.loops), self.inside), self._numbers)

    @property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.loops)}


def time_walk(instances: Any) -> TimeWalk:
    """Return the walk over the times of { [time] -> S[i] }, without parameters and not empty."""
    times = instances.domain().coalesce()
    loops = tuple(f"t{entry}" for entry in range(times.dim(DimType.set)))
    order = Map.identity(times.space.map_from_set()).intersect_domain(times)
    named = UnionMap.from_map(order.set_tuple_name(DimType.in_, "at"))
    node = generate(named, Set("{ : }"), loops)
    assert node is not None, "there is no walk over no times"
    return TimeWalk(
        loops=loops,
        node=node,
        visits=visits_of(node, loops),
        inside=bind(times, loops),
        instances=bind(instances, loops),
    )
