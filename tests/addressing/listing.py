"""All visits of a loop nest listed in numpy, and what they show of its loops: the oracle of
`hlsmem.addressing.loop_visits` and `hlsmem.addressing.loop_states`, which ask isl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import (
    Affine,
    Condition,
    Every,
    condition_of,
    every,
    holds_at,
    value_at,
    value_of,
)
from hlsmem.addressing.loop_visits import (
    GuardFacts,
    LoopFacts,
    Path,
    VisitFacts,
    Visits,
    simplified,
    simplified_condition,
)
from hlsmem.addressing.nest_points import Listed
from hlsmem.addressing.state_changes import Fork, Jump, plan_steps, state_of
from hlsmem.core.errors import LimitError, Problem
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit


def list_visits(node: Node, loops: tuple[str, ...]) -> tuple[Any, dict[Path, Any]]:
    """Every visit of `node`, whose iterators are `loops`, and the facts of its loops.

    The coordinates of a visit are the values of all loops, in order: isl leaves out loops
    that run once.

    Raises LimitError for a loop condition that is no upper bound.
    """
    lister = _Lister({name: depth for depth, name in enumerate(loops)})
    start = np.zeros((1, len(loops)), dtype=np.int64)
    found = lister.visit(node, (), start)
    points = np.concatenate(found) if found else np.zeros((0, len(loops)), dtype=np.int64)
    if len(found) > 1:
        points = points[np.lexsort(points.T[::-1])]
    return points, lister.facts


class _Lister:
    def __init__(self, loops: Mapping[str, int]) -> None:
        self.loops = loops
        self.facts: dict[Path, LoopFacts | GuardFacts | VisitFacts] = {}

    def visit(self, node: Node, path: Path, rows: Any) -> list[Any]:
        match node:
            case Visit():
                return [self.completed(node, path, rows)]
            case Block(nodes):
                parts = [self.visit(n, (*path, k), rows) for k, n in enumerate(nodes)]
                return [part for found in parts for part in found]
            case Guard():
                return self.guard(node, path, rows)
            case Loop():
                return self.loop(node, path, rows)

    def completed(self, node: Visit, path: Path, rows: Any) -> Any:
        """The rows with the loops that isl left out, as the visit's coordinates give them."""
        outside = {self.loops[name] for name in self.entered(path)}
        forms: dict[int, Affine] = {}
        filled = rows.copy()
        for depth, coordinate in enumerate(node.coordinates):
            if depth not in outside:
                value = simplified(value_of(coordinate, self.loops), Listed(rows))
                if not isinstance(value, Affine):
                    raise LimitError(
                        Problem("a statement's time has cases within a loop", "split its domain")
                    )
                forms[depth] = value
                filled[:, depth] = _array(value.at(rows.T), len(rows))
        self.facts[path] = VisitFacts(forms)
        return filled

    def entered(self, path: Path) -> list[str]:
        """The iterators of the loops around the node at `path`."""
        facts = (self.facts.get(path[:size]) for size in range(len(path)))
        depths = {fact.depth for fact in facts if isinstance(fact, LoopFacts)}
        return [name for name, depth in self.loops.items() if depth in depths]

    def guard(self, node: Guard, path: Path, rows: Any) -> list[Any]:
        condition = simplified_condition(condition_of(node.condition, self.loops), Listed(rows))
        self.facts[path] = GuardFacts(condition)
        holds = _array(holds_at(condition, rows.T), len(rows))
        found = self.visit(node.then, (*path, 0), rows[holds]) if holds.any() else []
        if node.otherwise is not None and not holds.all():
            found = found + self.visit(node.otherwise, (*path, 1), rows[~holds])
        return found

    def loop(self, node: Loop, path: Path, rows: Any) -> list[Any]:
        depth = self.loops[node.iterator]
        if node.last is None:
            raise LimitError(
                Problem(
                    f"the loop over {node.iterator} has a condition that is no upper bound",
                    "simplify the statement's domain or schedule",
                )
            )
        first = simplified(value_of(node.first, self.loops), Listed(rows))
        last = value_of(node.last, self.loops)
        start = _array(value_at(first, rows.T), len(rows))
        stop = _array(value_at(last, rows.T), len(rows))
        counts = np.maximum((stop - start) // node.step + 1, 0)
        inner = np.repeat(rows, counts, axis=0)
        offsets = np.arange(len(inner)) - np.repeat(np.cumsum(counts) - counts, counts)
        inner[:, depth] = np.repeat(start, counts) + node.step * offsets
        self.facts[path] = LoopFacts(
            depth=depth,
            first=first,
            goes_on=self.goes_on(node, depth, inner),
            step=node.step,
            may_be_empty=bool((counts == 0).any()),
        )
        return self.visit(node.body, (*path, 0), inner) if len(inner) else []

    def goes_on(self, node: Loop, depth: int, inner: Any) -> Condition:
        condition = condition_of(node.condition, self.loops)
        if not isinstance(condition, Every):
            return condition
        following = inner.copy()
        following[:, depth] += node.step
        wanted = _array(holds_at(condition, following.T), len(inner))
        kept = list(condition.conditions)
        for part in condition.conditions:
            others = every(c for c in kept if c != part)
            if (_array(holds_at(others, following.T), len(inner)) == wanted).all():
                kept = [c for c in kept if c != part]
        return every(kept)


def list_places(node: Node, visits: Visits) -> Any:
    """All places of a walk, step by step: the oracle of `hlsmem.addressing.loop_states`."""
    steps = plan_steps(node, visits)
    first = visits.region.first()
    state, point, seen, places = state_of(node, visits, first), list(first), 1, [first]
    while seen < len(visits.region):
        plan = steps.plans[state]
        while isinstance(plan, Fork):
            plan = plan.then if holds_at(plan.condition, point) else plan.otherwise
        assert isinstance(plan, Jump), "the walk ends before its last beat"
        for loop, value in {k: int(form.at(point)) for k, form in plan.loops.items()}.items():
            point[loop] = value
        state = plan.state
        seen += steps.is_beat[state]
        places.append(tuple(point))
    return np.array(places, dtype=np.int64)


def _array(value: Any, size: int) -> Any:
    return np.broadcast_to(np.asarray(value), (size,))
