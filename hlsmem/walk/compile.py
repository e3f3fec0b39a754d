"""From the loops of a stream to its walker.

First the loops become states and steps (`plan_steps`): a step moves one loop on and enters the
loops inside it, and says what every loop variable becomes as a form of the old ones. Then every
form somebody looks at becomes a register (`_Registers`), and with it the forms that a register is
loaded from when an outer loop moves: one register per (loop, form).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlsmem.polyhedra.loops import Block, Guard, Loop, Node, Visit
from hlsmem.walk.affine import (
    FALSE,
    TRUE,
    Affine,
    Choice,
    Condition,
    Every,
    Quotient,
    Some,
    Test,
    Value,
    every,
    holds_at,
    loop_form,
    replace_condition,
    value_at,
)
from hlsmem.walk.model import (
    AllOf,
    Amount,
    AnyOf,
    Branch,
    Finish,
    Move,
    Output,
    Register,
    Select,
    Sign,
    Step,
    Term,
    Update,
    Walker,
    Wrap,
)
from hlsmem.walk.model import Guard as SignGuard
from hlsmem.walk.visits import (
    GuardFacts,
    LoopFacts,
    Path,
    VisitFacts,
    Visits,
    following,
    list_visits,
    simplified,
    simplified_condition,
    without_constant_quotients,
)


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
    """`plans[k]` leads out of state k, which is a beat where `is_beat[k]`."""

    plans: tuple[Plan, ...]
    is_beat: tuple[bool, ...]


def compile_walker(
    node: Node,
    loops: Sequence[str],
    outputs: Mapping[str, Value],
    conditions: Mapping[str, Condition],
    visits: Visits | None = None,
) -> Walker:
    """The walker of the loops `node`, whose iterators are `loops`, outermost first.

    `outputs` and `conditions` are forms of the loops, valid on beats. `visits` is
    `list_visits(node, loops)` where it is at hand.
    """
    visits = visits or list_visits(node, tuple(loops))
    points = visits.points
    steps = plan_steps(node, visits)
    positions, idle = points, 0
    first = tuple(int(value) for value in points[0])
    first_state, places = _walk_states(steps, first, len(points), node, visits)
    if places is not None:
        positions, idle = places, len(places) - len(points)
    wanted = {name: simplified(value, points) for name, value in outputs.items()}
    tests = {name: simplified_condition(c, points) for name, c in conditions.items()}
    registers = _Registers(loops, steps, positions, first)
    return registers.walker(wanted, tests, _last(points), first_state, len(points), idle)


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
    return StepPlan(tuple(plans), tuple(k < len(leaves) for k in range(len(plans))))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a step has come: new loop values so far, and the loop that was moved."""

    loops: Mapping[int, Affine]
    moved: int | None
    by: int

    def with_loop(self, depth: int, form: Affine) -> _Place:
        return _Place({**self.loops, depth: form}, self.moved, self.by)


class _Planner:
    def __init__(self, root: Node, visits: Visits) -> None:
        self.root, self.facts = root, visits.facts
        self.paths: list[Path] = []

    def state(self, path: Path) -> int:
        if path not in self.paths:
            self.paths.append(path)
        return self.paths.index(path)

    def jump(self, path: Path, place: _Place) -> Jump:
        return Jump(self.state(path), place.loops, place.moved, place.by)

    def after(self, path: Path, place: _Place) -> Plan:
        """What follows when the node at `path` is over."""
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
            body = self.enter((*path, 0), inside, lambda: self.jump((*path, 0), inside))
            if not facts.may_be_empty:
                return body
            return _fork(replace_condition(facts.goes_on, inside.loops), body, skip())

        return begin(facts.first)

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


def _leaves(node: Node, path: Path) -> Any:
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


def _walk_states(
    steps: StepPlan, first: tuple[int, ...], beats: int, node: Node, visits: Visits
) -> tuple[int, Any]:
    """The state of the first beat, and all positions where some are idle (else None)."""
    if len(steps.plans) == 1:
        return 0, None
    start = _first_state(node, visits, first)
    state, point, seen, places = start, list(first), 1, [first]
    while seen < beats:
        jump = _follow(steps.plans[state], point)
        values = {loop: int(form.at(point)) for loop, form in jump.loops.items()}
        for loop, value in values.items():
            point[loop] = value
        state = jump.state
        seen += steps.is_beat[state]
        places.append(tuple(point))
    return start, np.array(places, dtype=np.int64)


def _follow(plan: Plan, point: Sequence[int]) -> Jump:
    while isinstance(plan, Fork):
        plan = plan.then if holds_at(plan.condition, point) else plan.otherwise
    assert isinstance(plan, Jump), "the walk ends before its last beat"
    return plan


def _first_state(node: Node, visits: Visits, first: tuple[int, ...]) -> int:
    """The leaf whose loops reach the first beat."""
    leaves = list(_leaves(node, ()))
    return next(state for state, path in enumerate(leaves) if _reaches(visits, path, first))


def _reaches(visits: Visits, path: Path, point: tuple[int, ...]) -> bool:
    """Whether the loops and guards on the way to the visit at `path` admit the point."""
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


def _last(points: Any) -> Condition:
    """The condition that only the last beat meets, with the fewest loops."""
    last = points[-1]
    kept = list(range(points.shape[1]))
    for loop in range(points.shape[1]):
        others = [other for other in kept if other != loop]
        if (points[:, others] == last[others]).all(axis=1).sum() == 1:
            kept = others
    return every(Test(loop_form(loop).plus(-int(last[loop])), True) for loop in kept)


class _Registers:
    """Registers by the form they hold; forms are asked for until no new one turns up."""

    def __init__(
        self, loops: Sequence[str], steps: StepPlan, positions: Any, first: Sequence[int]
    ) -> None:
        self.loops, self.steps, self.first = tuple(loops), steps, first
        self.positions, self.columns = positions, positions.T
        self.forms: dict[Affine, int] = {}
        self.names: list[str] = []

    def walker(
        self,
        outputs: Mapping[str, Value],
        conditions: Mapping[str, Condition],
        last: Condition,
        first_state: int,
        beats: int,
        idle: int,
    ) -> Walker:
        loop_registers = tuple(
            self.loop_register(loop, name) for loop, name in enumerate(self.loops)
        )
        named_outputs = tuple((n, self.output(v, n)) for n, v in outputs.items())
        named_conditions = tuple((n, self.guard(c)) for n, c in conditions.items())
        ending = self.guard(last)
        moves: list[Step] = []
        settled = -1
        while settled != len(self.forms):  # steps ask for further registers
            settled = len(self.forms)
            moves = [self.step(plan) for plan in self.steps.plans]
        return Walker(
            loops=self.loops,
            registers=tuple(
                self.described(form, name)
                for form, name in zip(self.forms, self.names, strict=True)
            ),
            loop_registers=loop_registers,
            first_state=first_state,
            is_beat=self.steps.is_beat,
            steps=tuple(moves),
            outputs=named_outputs,
            conditions=named_conditions,
            last=ending,
            beats=beats,
            idle=idle,
        )

    def described(self, form: Affine, name: str) -> Register:
        values = np.broadcast_to(np.asarray(form.at(self.columns)), (self.columns.shape[1],))
        return Register(
            name=name,
            form=form,
            first=int(form.at(self.first)),
            least=int(values.min()),
            greatest=int(values.max()),
        )

    def register(self, form: Affine, name: str | None = None) -> int:
        if form not in self.forms:
            self.forms[form] = len(self.forms)
            self.names.append(self.unused(f"{name}_now" if name else self.described_name(form)))
        return self.forms[form]

    def loop_register(self, loop: int, name: str) -> int:
        self.forms[loop_form(loop)] = len(self.forms)
        self.names.append(name)
        return loop

    def described_name(self, form: Affine) -> str:
        inner = [self.loops[loop] for loop in range(form.depth)]
        kind = "cell" if form.quotients else "sum"
        return "_".join([kind, *inner[-1:]]) if inner else kind

    def unused(self, name: str) -> str:
        taken, number, result = set(self.names), 2, name
        while result in taken:
            result, number = f"{name}_{number}", number + 1
        return result

    def term(self, form: Affine, name: str | None = None) -> Term:
        if form.depth == 0:
            return Term(None, 1, form.constant)
        base, sign, constant = _canonical(form)
        return Term(self.register(base, name), sign, constant)

    def output(self, value: Value, name: str | None = None) -> Output:
        if isinstance(value, Choice):
            return Select(
                self.guard(value.condition),
                self.output(value.then, name),
                self.output(value.otherwise, name),
            )
        return self.term(value, name)

    def guard(self, condition: Condition) -> SignGuard:
        match condition:
            case Test(form, equal):
                return Sign(self.term(form), equal)
            case Every(conditions):
                return AllOf(tuple(self.guard(part) for part in conditions))
            case Some(conditions):
                return AnyOf(tuple(self.guard(part) for part in conditions))

    def step(self, plan: Plan) -> Step:
        match plan:
            case Stop():
                return Finish()
            case Fork(condition, then, otherwise):
                return Branch(self.guard(condition), self.step(then), self.step(otherwise))
            case Jump():
                updates = (self.update(form, plan) for form in tuple(self.forms))
                return Move(plan.state, tuple(u for u in updates if u is not None))

    def update(self, form: Affine, jump: Jump) -> Update | None:
        """The register of `form` after the jump; None where it keeps its value."""
        target = self.forms[form]
        entered = form.replaced(_unmoved(jump))
        if entered != form:
            # What a register is loaded from is looked at in places of the walk only.
            entered = without_constant_quotients(entered, self.positions)
        moved = entered.replaced(jump_shift(jump))
        if moved == form:
            return None
        if moved.depth == 0:
            return Update(target, Term(None, 1, moved.constant), 0)
        source = self.term(entered)
        if entered.depth == 0:
            source = Term(None, 1, entered.constant)
        if jump.moved is None or jump.moved >= entered.depth:
            return Update(target, source, 0)
        return Update(target, source, self.increment(entered, jump.moved, jump.by))

    def increment(self, form: Affine, loop: int, by: int) -> Amount:
        """What a loop adds to a form when it moves by `by`: a constant, more where parts wrap."""
        amount: Amount = form.factor(loop) * by
        for factor, quotient in form.quotients:
            if quotient.inner.depth > loop:
                inner = self.increment(quotient.inner, loop, by)
                amount = _added(amount, self.carried(inner, quotient, factor))
        return amount

    def carried(self, inner: Amount, quotient: Quotient, factor: int) -> Amount:
        """What a quotient times `factor` grows by when its inner form grows by `inner`."""
        if isinstance(inner, Wrap):
            then = self.carried(inner.then, quotient, factor)
            otherwise = self.carried(inner.otherwise, quotient, factor)
            if then == otherwise:
                return then
            return Wrap(inner.register, inner.threshold, then, otherwise)
        whole, part = divmod(inner, quotient.divisor)
        if not part:
            return factor * whole
        remainder_form = quotient.inner.modulo(quotient.divisor)
        threshold = quotient.divisor - part
        values = np.asarray(remainder_form.at(self.columns))
        if (values < threshold).all():
            return factor * whole
        remainder = self.register(remainder_form)
        return Wrap(remainder, threshold, factor * (whole + 1), factor * whole)


def _added(left: Amount, right: Amount) -> Amount:
    """The sum of two amounts; what one wrap decides is decided once."""
    if isinstance(left, Wrap):
        return Wrap(
            left.register,
            left.threshold,
            _added(left.then, _decided(right, left, True)),
            _added(left.otherwise, _decided(right, left, False)),
        )
    if isinstance(right, Wrap):
        return Wrap(
            right.register,
            right.threshold,
            _added(left, right.then),
            _added(left, right.otherwise),
        )
    return left + right


def _decided(amount: Amount, wrap: Wrap, wraps: bool) -> Amount:
    if not isinstance(amount, Wrap):
        return amount
    if (amount.register, amount.threshold) == (wrap.register, wrap.threshold):
        return _decided(amount.then if wraps else amount.otherwise, wrap, wraps)
    return Wrap(
        amount.register,
        amount.threshold,
        _decided(amount.then, wrap, wraps),
        _decided(amount.otherwise, wrap, wraps),
    )


def jump_shift(jump: Jump) -> Mapping[int, Affine]:
    """The moved loop replaced by its next value."""
    return {} if jump.moved is None else {jump.moved: loop_form(jump.moved).plus(jump.by)}


def _unmoved(jump: Jump) -> Mapping[int, Affine]:
    """New loop values as if the moved loop had its next value already."""
    if jump.moved is None:
        return jump.loops
    back = {jump.moved: loop_form(jump.moved).plus(-jump.by)}
    return {loop: form.replaced(back) for loop, form in jump.loops.items()}


def _canonical(form: Affine) -> tuple[Affine, int, int]:
    """(base, sign, constant) with form = sign * base + constant; quotients keep theirs."""
    if form.quotients:
        return form, 1, 0
    sign = 1 if next(f for f in form.factors if f) > 0 else -1
    return Affine(0, form.scaled(sign).factors), sign, form.constant


__all__ = ["compile_walker", "plan_steps"]
