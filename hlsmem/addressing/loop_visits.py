"""Facts on the loops of a nest at fixed parameters, without those that never matter.

A guard that always holds, a bound that never binds, a loop that is never empty are left out of
the address generator. All of it is asked of the set of visits, whose points are listed only where
somebody wants them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hlsmem.addressing.loop_forms import (
    Affine,
    Choice,
    Condition,
    Every,
    Test,
    Value,
    combine,
    condition_of,
    decide,
    every,
    loop_form,
    replace_condition,
    value_of,
)
from hlsmem.addressing.nest_points import Points, Region
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """First value and condition to go on, without what never matters at these parameters."""

    depth: int
    first: Value
    goes_on: Condition  # about the iterator's value
    step: int
    may_be_empty: bool


@dataclass(frozen=True, slots=True)
class GuardFacts:
    """The condition of a guard; TRUE where it always holds."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class VisitFacts:
    """Loops around a visit that isl left out, as forms of the others."""

    loops: Mapping[int, Affine]


@dataclass(slots=True)
class Visits:
    """All visits as points of the loops; `facts` by path in the tree, and `reached`, the iterations
    of each loop and the points of each visit; loops that are not entered yet are 0."""

    region: Region
    facts: dict[Path, LoopFacts | GuardFacts | VisitFacts] = field(default_factory=dict)
    reached: dict[Path, Region] = field(default_factory=dict, compare=False, repr=False)
    _points: Any = field(default=None, compare=False, repr=False)

    @property
    def points(self) -> Any:
        """All visits listed in order, shape (visits, loops)."""
        if self._points is None:
            import numpy as np

            # Most looks are at one loop in all visits.
            self._points = np.asfortranarray(self.region.rows())
        return self._points

    def left_out(self, path: Path) -> Mapping[int, Affine]:
        """The loops around the first visit inside the node at `path` that isl left out."""
        for inner, facts in self.facts.items():
            if inner[: len(path)] == path and isinstance(facts, VisitFacts):
                return facts.loops
        return {}


def visits_of(node: Node, loops: tuple[str, ...]) -> Visits:
    """Every visit of `node`, whose iterators are `loops`, and the facts of its loops.

    The coordinates of a visit are the values of all loops, in order: isl leaves out loops
    that run once.

    Raises LimitError for a loop condition that is no upper bound.
    """
    entered = _Entered({name: depth for depth, name in enumerate(loops)})
    start = Region(Set(f"{{ [{', '.join('0' for _ in loops)}] }}"))
    first, *others = entered.visit(node, (), start)
    region = first
    for part in others:
        region = region.union(part)
    return Visits(Region(region.points.coalesce()), entered.facts, entered.reached)


class _Entered:
    """Goes through a nest with the region in which each node is reached."""

    def __init__(self, loops: Mapping[str, int]) -> None:
        self.loops = loops
        self.facts: dict[Path, LoopFacts | GuardFacts | VisitFacts] = {}
        self.reached: dict[Path, Region] = {}

    def visit(self, node: Node, path: Path, region: Region) -> list[Region]:
        match node:
            case Visit():
                return [self.completed(node, path, region)]
            case Block(nodes):
                parts = [self.visit(n, (*path, k), region) for k, n in enumerate(nodes)]
                return [part for found in parts for part in found]
            case Guard():
                return self.guard(node, path, region)
            case Loop():
                return self.loop(node, path, region)

    def completed(self, node: Visit, path: Path, region: Region) -> Region:
        """The region with the loops that isl left out, as the visit's coordinates give them."""
        outside = {self.loops[name] for name in self.entered(path)}
        forms: dict[int, Affine] = {}
        for depth, coordinate in enumerate(node.coordinates):
            if depth not in outside:
                value = simplified(value_of(coordinate, self.loops), region)
                if not isinstance(value, Affine):
                    raise LimitError(
                        Problem("a statement's time has cases within a loop", "split its domain")
                    )
                forms[depth] = value
        self.facts[path] = VisitFacts(forms)
        self.reached[path] = region.replaced(forms) if forms else region
        return self.reached[path]

    def entered(self, path: Path) -> list[str]:
        """The iterators of the loops around the node at `path`."""
        facts = (self.facts.get(path[:size]) for size in range(len(path)))
        depths = {fact.depth for fact in facts if isinstance(fact, LoopFacts)}
        return [name for name, depth in self.loops.items() if depth in depths]

    def guard(self, node: Guard, path: Path, region: Region) -> list[Region]:
        condition = simplified_condition(condition_of(node.condition, self.loops), region)
        self.facts[path] = GuardFacts(condition)
        then, otherwise = region.where(condition), region.without(condition)
        found = [] if then.is_empty else self.visit(node.then, (*path, 0), then)
        if node.otherwise is not None and not otherwise.is_empty:
            found = found + self.visit(node.otherwise, (*path, 1), otherwise)
        return found

    def loop(self, node: Loop, path: Path, region: Region) -> list[Region]:
        depth = self.loops[node.iterator]
        if node.last is None:
            raise LimitError(
                Problem(
                    f"the loop over {node.iterator} has a condition that is no upper bound",
                    "simplify the statement's domain or schedule",
                )
            )
        first = simplified(value_of(node.first, self.loops), region)
        last = value_of(node.last, self.loops)
        nothing = decide(combine([first, last], lambda a, b: a - b), lambda d: Test(d.plus(-1)))
        begun = combine([first], lambda form: loop_form(depth) - form)
        inside = [
            decide(begun, Test),
            decide(combine([last], lambda form: form - loop_form(depth)), Test),
        ]
        if node.step > 1:
            inside.append(decide(begun, lambda form: Test(form.modulo(node.step), True)))
        inner = region.freed(depth).where(every(inside))
        self.facts[path] = LoopFacts(
            depth=depth,
            first=first,
            goes_on=self.goes_on(node, depth, inner),
            step=node.step,
            may_be_empty=not region.where(nothing).is_empty,
        )
        self.reached[path] = inner
        return [] if inner.is_empty else self.visit(node.body, (*path, 0), inner)

    def goes_on(self, node: Loop, depth: int, inner: Region) -> Condition:
        condition = condition_of(node.condition, self.loops)
        if not isinstance(condition, Every):
            return condition
        following = {depth: loop_form(depth).plus(node.step)}

        def implies(one: Condition, other: Condition) -> bool:
            return inner.implies(
                replace_condition(one, following), replace_condition(other, following)
            )

        kept = list(condition.conditions)
        for part in condition.conditions:
            others = [c for c in kept if c != part]
            if implies(every(others), condition):
                kept = others
        return every(kept)


def simplified(value: Value, points: Points) -> Value:
    """The value without decisions and quotients that are the same at all points."""
    if isinstance(value, Affine):
        return without_constant_quotients(value, points)
    if points.always(value.condition):
        return simplified(value.then, points)
    holds = points.where(value.condition)
    if holds.is_empty:
        return simplified(value.otherwise, points)
    condition = simplified_condition(value.condition, points)
    return Choice(
        condition,
        simplified(value.then, holds),
        simplified(value.otherwise, points.without(value.condition)),
    )


def simplified_condition(condition: Condition, points: Points) -> Condition:
    """The condition without parts that always hold at the points."""
    if points.always(condition):
        return Every()
    if not isinstance(condition, Every):
        return condition
    kept = [part for part in condition.conditions if not points.always(part)]
    whole = every(kept)
    for part in tuple(kept):
        others = [c for c in kept if c != part]
        if points.implies(every(others), whole):
            kept = others
    return every(kept)


def following(facts: LoopFacts) -> Condition:
    """The condition that the loop has another iteration, about the present iterator."""
    step = loop_form(facts.depth).plus(facts.step)
    return replace_condition(facts.goes_on, {facts.depth: step})


def without_constant_quotients(form: Affine, points: Points) -> Affine:
    """The form with quotients that are the same at all points as constants."""
    if not form.quotients or points.is_empty:
        return form
    result = Affine(form.constant, form.factors)
    for factor, quotient in form.quotients:
        whole = Affine(0, (), ((1, quotient),))
        value = points.constant(whole)
        if value is None:
            result = result + whole.scaled(factor)
        else:
            result = result.plus(factor * value)
    return result
