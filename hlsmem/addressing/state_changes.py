"""The states of a walk and what leads out of each, as forms of the loops.

A step moves one loop on and enters the loops inside it; it says what every loop variable
becomes as a form of the old ones. Places where an outer loop has gone on and everything
inside is empty are states of their own: idle visits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from hlsmem.addressing.loop_forms import (
    FALSE,
    TRUE,
    Affine,
    Choice,
    Condition,
    Value,
    holds_at,
    loop_form,
    replace_condition,
    value_at,
)
from hlsmem.addressing.loop_visits import GuardFacts, LoopFacts, Path, VisitFacts, Visits, following
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.generated_loops import Block, Guard, Loop, Node, Visit


@dataclass(frozen=True, slots=True)
class Jump:
    """Go to a state: `loops` gives new loop values as forms of the old ones."""

    state: int
    loops: Mapping[int, Affine]
    moved: int | None  # the loop that goes on, by `by`
    by: int


@dataclass(frozen=True, slots=True)
class Fork:
    condition: Condition
    then: Plan
    otherwise: Plan


@dataclass(frozen=True, slots=True)
class Stop:
    """The loops are over."""


Plan = Jump | Fork | Stop


@dataclass(frozen=True, slots=True)
class StepPlan:
    """`plans[k]` leads out of state k, which is a beat where `is_beat[k]`: then `paths[k]` is that
    of a visit, else of the body of a loop in which nothing is visited."""

    plans: tuple[Plan, ...]
    is_beat: tuple[bool, ...]
    paths: tuple[Path, ...]


def plan_steps(node: Node, visits: Visits) -> StepPlan:
    """States and what leads out of each: visits first, then places where loops visit nothing."""
    planner = _Planner(node, visits)
    leaves = list(_leaves(node, ()))
    for path in leaves:
        planner.state(path)
    plans: list[Plan] = []
    while len(plans) < len(planner.paths):
        path = planner.paths[len(plans)]
        plans.append(planner.after(path, _Place({}, None, 0)))
    is_beat = tuple(k < len(leaves) for k in range(len(plans)))
    return StepPlan(tuple(plans), is_beat, tuple(planner.paths))


@dataclass(frozen=True, slots=True)
class _Place:
    """Progress of a step: new loop values so far, the loop that was moved, and by how much."""

    loops: Mapping[int, Affine]
    moved: int | None
    by: int

    def with_loop(self, depth: int, form: Affine) -> _Place:
        return _Place({**self.loops, depth: form}, self.moved, self.by)


class _Planner:
    def __init__(self, root: Node, visits: Visits) -> None:
        self.root, self.visits, self.facts = root, visits, visits.facts
        self.paths: list[Path] = []

    def state(self, path: Path) -> int:
        if path not in self.paths:
            self.paths.append(path)
        return self.paths.index(path)

    def jump(self, path: Path, place: _Place) -> Jump:
        return Jump(self.state(path), place.loops, place.moved, place.by)

    def after(self, path: Path, place: _Place) -> Plan:
        """The plan after the node at `path` is over."""
        if not path:
            return Stop()
        above, child = path[:-1], path[-1]
        parent = _at(self.root, above)
        if isinstance(parent, Block):
            return self.siblings(parent, above, child + 1, place)
        if isinstance(parent, Guard):
            return self.after(above, place)
        facts = self.loop_facts(above)
        if place.moved is not None:
            return self.jump((*above, 0), place)
        moved = loop_form(facts.depth).plus(facts.step)
        onward = _Place({**place.loops, facts.depth: moved}, facts.depth, facts.step)
        goes_on = replace_condition(following(facts), place.loops)
        skip: Callable[[], Plan] = lambda: self.jump((*above, 0), onward)  # noqa: E731
        inside = self.enter((*above, 0), onward, skip)
        return _fork(goes_on, inside, self.after(above, place))

    def siblings(self, block: Block, path: Path, child: int, place: _Place) -> Plan:
        if child == len(block.nodes):
            return self.after(path, place)
        return self.enter(
            (*path, child), place, lambda: self.siblings(block, path, child + 1, place)
        )

    def enter(self, path: Path, place: _Place, skip: Callable[[], Plan]) -> Plan:
        """The way to the first visit inside the node at `path`; `skip` if there is none."""
        node = _at(self.root, path)
        match node:
            case Visit():
                return self.arrive(path, place)
            case Block(nodes):
                return self.enter_block(nodes, path, 0, place, skip)
            case Guard():
                facts = self.facts.get(path)
                if not isinstance(facts, GuardFacts):
                    return skip()
                condition = replace_condition(facts.condition, place.loops)
                then = self.enter((*path, 0), place, skip)
                if condition == TRUE:
                    return then
                otherwise = node.otherwise is not None
                other = self.enter((*path, 1), place, skip) if otherwise else skip()
                return _fork(condition, then, other)
            case Loop():
                return self.enter_loop(path, place, skip)

    def arrive(self, path: Path, place: _Place) -> Plan:
        facts = self.facts[path]
        assert isinstance(facts, VisitFacts)
        for loop, form in facts.loops.items():
            place = place.with_loop(loop, form.replaced(place.loops))
        return self.jump(path, place)

    def enter_block(
        self,
        nodes: Sequence[Node],
        path: Path,
        child: int,
        place: _Place,
        skip: Callable[[], Plan],
    ) -> Plan:
        if child == len(nodes):
            return skip()
        return self.enter(
            (*path, child),
            place,
            lambda: self.enter_block(nodes, path, child + 1, place, skip),
        )

    def enter_loop(self, path: Path, place: _Place, skip: Callable[[], Plan]) -> Plan:
        if path not in self.facts:  # never reached
            return skip()
        facts = self.loop_facts(path)

        def begin(first: Value) -> Plan:
            if isinstance(first, Choice):
                condition = replace_condition(first.condition, place.loops)
                return _fork(condition, begin(first.then), begin(first.otherwise))
            inside = place.with_loop(facts.depth, first.replaced(place.loops))
            body = self.enter((*path, 0), inside, lambda: self.idle((*path, 0), inside))
            if not facts.may_be_empty:
                return body
            return _fork(replace_condition(facts.goes_on, inside.loops), body, skip())

        return begin(facts.first)

    def idle(self, path: Path, place: _Place) -> Jump:
        """The jump to the first iteration of a loop, at whose body `path` nothing is visited.

        Loops further out that isl left out have the values of the visits in it: those of before
        may be later ones.
        """
        depth = self.loop_facts(path[:-1]).depth
        for loop, form in self.visits.left_out(path).items():
            if loop < depth:
                place = place.with_loop(loop, form.replaced(place.loops))
        return self.jump(path, place)

    def loop_facts(self, path: Path) -> LoopFacts:
        facts = self.facts[path]
        assert isinstance(facts, LoopFacts)
        return facts


def _fork(condition: Condition, then: Plan, otherwise: Plan) -> Plan:
    if condition == TRUE or then == otherwise:
        return then
    return otherwise if condition == FALSE else Fork(condition, then, otherwise)


def _at(node: Node, path: Path) -> Node:
    for child in path:
        match node:
            case Block(nodes):
                node = nodes[child]
            case Guard(_, then, otherwise):
                node = then if child == 0 or otherwise is None else otherwise
            case Loop():
                node = node.body
    return node


def _leaves(node: Node, path: Path) -> Iterator[Path]:
    match node:
        case Visit():
            yield path
        case Block(nodes):
            for child, inner in enumerate(nodes):
                yield from _leaves(inner, (*path, child))
        case Guard(_, then, otherwise):
            yield from _leaves(then, (*path, 0))
            if otherwise is not None:
                yield from _leaves(otherwise, (*path, 1))
        case Loop():
            yield from _leaves(node.body, (*path, 0))


def state_of(node: Node, visits: Visits, beat: tuple[int, ...]) -> int:
    """The leaf whose loops reach a beat."""
    leaves = list(_leaves(node, ()))
    return next(state for state, path in enumerate(leaves) if _reaches(visits, path, beat))


def _reaches(visits: Visits, path: Path, point: tuple[int, ...]) -> bool:
    """True if the loops and guards on the way to the visit at `path` admit the point."""
    if path not in visits.facts:
        return False
    for size in range(len(path) + 1):
        match visits.facts.get(path[:size]):
            case LoopFacts(depth, start, goes_on, step, _):
                offset = point[depth] - value_at(start, point)
                if offset < 0 or offset % step or not holds_at(goes_on, point):
                    return False
            case GuardFacts(condition):
                if holds_at(condition, point) != (path[size] == 0):
                    return False
            case VisitFacts(loops):
                if any(form.at(point) != point[loop] for loop, form in loops.items()):
                    return False
    return True


def jump_shift(jump: Jump) -> Mapping[int, Affine]:
    """The moved loop replaced by its next value."""
    return {} if jump.moved is None else {jump.moved: loop_form(jump.moved).plus(jump.by)}


def unmoved(jump: Jump) -> Mapping[int, Affine]:
    """New loop values as if the moved loop had its next value already."""
    if jump.moved is None:
        return jump.loops
    back = {jump.moved: loop_form(jump.moved).plus(-jump.by)}
    return {loop: form.replaced(back) for loop, form in jump.loops.items()}
