"""From the loops of a stream to its address generator.

The loops become states and steps (`steps`). Then every form somebody looks at becomes a
register, and with it the forms that a register is loaded from when an outer loop moves: one
register per (loop, form).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    AllOf,
    Amount,
    AnyOf,
    Branch,
    Finish,
    Guard,
    Move,
    Output,
    Register,
    Select,
    Sign,
    Step,
    Term,
    Update,
    Wrap,
)
from hlsmem.addressing.loop_forms import (
    Affine,
    Choice,
    Condition,
    Every,
    Quotient,
    Some,
    Test,
    Value,
    every,
    loop_form,
)
from hlsmem.addressing.loop_states import places_of, places_of_states
from hlsmem.addressing.loop_visits import (
    Visits,
    simplified,
    simplified_condition,
    visits_of,
    without_constant_quotients,
)
from hlsmem.addressing.nest_points import Point, Points, Region
from hlsmem.addressing.point_boxes import box_condition, single_loops
from hlsmem.addressing.state_changes import (
    Fork,
    Jump,
    Plan,
    StepPlan,
    Stop,
    jump_shift,
    plan_steps,
    state_of,
    unmoved,
)
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.generated_loops import Node

# Boxes that a condition on several loops at once may be made of instead.
_MOST_BOXES = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Recipe:
    """Recipe of an address generator: the arguments of `compile_generator`.

    It is made when it is first asked for: of circuits that are compared, those that are chosen
    alone are printed, and making address generators takes most of the time.
    """

    node: Node
    loops: Sequence[str]
    outputs: Mapping[str, Value]
    conditions: Mapping[str, Condition]
    visits: Visits
    kept: Collection[str] = ()

    @property
    def places(self) -> tuple[Region, ...]:
        """Those at which the address generator is in each of its states."""
        return places_of_states(self.visits, plan_steps(self.node, self.visits))

    @cached_property
    def generator(self) -> AddressGenerator:
        """The address generator."""
        return compile_generator(
            self.node, self.loops, self.outputs, self.conditions, self.visits, self.kept
        )


def compile_generator(
    node: Node,
    loops: Sequence[str],
    outputs: Mapping[str, Value],
    conditions: Mapping[str, Condition],
    visits: Visits | None = None,
    kept: Collection[str] = (),
) -> AddressGenerator:
    """The address generator of the loops `node`, whose iterators are `loops`, outermost first.

    `outputs` and `conditions` are forms of the loops, valid on beats. `visits` is
    `visits_of(node, loops)` where it is at hand. Outputs in `kept` are registers as they are,
    where others may be a constant away from one.
    """
    visits = visits or visits_of(node, tuple(loops))
    region = visits.region
    steps = plan_steps(node, visits)
    beats = len(region)
    first_state = state_of(node, visits, region.first()) if len(steps.plans) > 1 else 0
    places = region if all(steps.is_beat) else places_of(visits)
    wanted = {name: simplified(value, region) for name, value in outputs.items()}
    tests = {name: simplified_condition(c, region) for name, c in conditions.items()}
    registers = _Registers(loops, steps, places, region.first(), kept)
    ending = only_at(region, region.last())
    idle = 0 if places is region else len(places) - beats
    return registers.generator(wanted, tests, ending, first_state, beats, idle)


def only_at(points: Points, there: Point) -> Condition:
    """The condition that only one of the points meets, with the fewest loops."""
    kept = list(range(points.loops))
    for loop in range(points.loops):
        others = [other for other in kept if other != loop]
        alike = points.where(_at(there, others))
        if alike.first() == alike.last():
            kept = others
    return _at(there, kept)


def _at(point: Point, loops: Sequence[int]) -> Condition:
    return every(Test(loop_form(loop).plus(-point[loop]), True) for loop in loops)


class _Registers:
    """Registers by the form they hold; forms are asked for until no new one turns up."""

    def __init__(
        self,
        loops: Sequence[str],
        steps: StepPlan,
        places: Points,
        first: Point,
        kept: Collection[str],
    ) -> None:
        self.kept = kept
        self.loops, self.steps, self.first = tuple(loops), steps, first
        self.places = places
        # The places a step leads out of; with several states it is not known which one does.
        every_loop = range(places.loops)
        several = len(steps.plans) > 1
        self.leaving = None if several else places.without(_at(places.last(), every_loop))
        self.forms: dict[Affine, int] = {}
        self.names: list[str] = []

    def generator(
        self,
        outputs: Mapping[str, Value],
        conditions: Mapping[str, Condition],
        last: Condition,
        first_state: int,
        beats: int,
        idle: int,
    ) -> AddressGenerator:
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
            moves = [self.step(plan, self.leaving) for plan in self.steps.plans]
        return AddressGenerator(
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
        return Register(
            name=name,
            form=form,
            first=int(form.at(self.first)),
            least=self.places.least(form),
            greatest=self.places.greatest(form),
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
        if name in self.kept and value.depth:
            return Term(self.register(value, name), 1, 0)
        return self.term(value, name)

    def guard(self, condition: Condition) -> Guard:
        match condition:
            case Test(form, equal):
                return Sign(self.tested(form), equal)
            case Every(conditions):
                return AllOf(tuple(self.guard(part) for part in conditions))
            case Some(conditions):
                return AnyOf(tuple(self.guard(part) for part in conditions))

    def tested(self, form: Affine) -> Term:
        """The term of a form that is compared: a remainder has one register, however far off."""
        if not form.quotients:
            return self.term(form)
        least = self.places.least(form)
        return Term(self.register(form.plus(-least)), 1, least)

    def step(self, plan: Plan, leaving: Points | None) -> Step:
        """The step for a plan; `leaving` are the places it leads out of, where that is known."""
        match plan:
            case Stop():
                return Finish()
            case Fork(condition, then, otherwise):
                if leaving is None:
                    return Branch(
                        self.guard(condition), self.step(then, None), self.step(otherwise, None)
                    )
                there = leaving.where(condition)
                elsewhere = leaving.minus(there)
                if there.is_empty != elsewhere.is_empty:
                    return self.step(otherwise if there.is_empty else then, leaving)
                return Branch(
                    self.guard(self.by_loops(condition, leaving, there)),
                    self.step(then, there),
                    self.step(otherwise, elsewhere),
                )
            case Jump():
                updates = (self.update(form, plan, leaving) for form in tuple(self.forms))
                return Move(plan.state, tuple(u for u in updates if u is not None))

    def by_loops(self, condition: Condition, places: Points, there: Points) -> Condition:
        """The condition as few bounds on loops, which have registers, if it can be."""
        if single_loops(condition):
            return condition
        return box_condition(places, there, _MOST_BOXES) or condition

    def update(self, form: Affine, jump: Jump, leaving: Points | None) -> Update | None:
        """The register of `form` after the jump; None where it keeps its value."""
        target = self.forms[form]
        entered = form.replaced(unmoved(jump))
        if entered != form:
            # What a register is loaded from is looked at in places of the walk only.
            entered = without_constant_quotients(entered, self.places)
        moved = entered.replaced(jump_shift(jump))
        if moved == form:
            return None
        if moved.depth == 0:
            return Update(target, Term(None, 1, moved.constant), 0)
        if entered != form and leaving is not None and not leaving.is_empty:
            amount = self.moved_on(form, target, jump, leaving)
            if amount is not None:
                return Update(target, Term(target, 1, 0), amount) if amount else None
        source = self.term(entered)
        if entered.depth == 0:
            source = Term(None, 1, entered.constant)
        if jump.moved is None or jump.moved >= entered.depth:
            return Update(target, source, 0)
        return Update(target, source, self.increment(entered, jump.moved, jump.by))

    def moved_on(self, form: Affine, target: int, jump: Jump, leaving: Points) -> Amount | None:
        """Growth of the register of a form in a jump out of any of these places.

        A number, or one that is less by some modulus where the register would come to it; None
        where it is neither.
        """
        growth = form.replaced(jump.loops) - form
        wraps, steps = leaving.least(growth), leaving.greatest(growth)
        if wraps == steps:
            return wraps
        if [factor for factor, _ in form.quotients] != [wraps - steps]:
            return None
        wrapping = leaving.where(Test(growth.plus(-wraps), True))
        stepping = leaving.where(Test(growth.plus(-steps), True))
        if not leaving.minus(wrapping).minus(stepping).is_empty:
            return None
        threshold = wrapping.least(form)
        if stepping.greatest(form) >= threshold:
            return None
        return Wrap(target, threshold, wraps, steps)

    def increment(self, form: Affine, loop: int, by: int) -> Amount:
        """Growth of a form when a loop moves by `by`: a constant, more where parts wrap."""
        amount: Amount = form.factor(loop) * by
        for factor, quotient in form.quotients:
            if quotient.inner.depth > loop:
                inner = self.increment(quotient.inner, loop, by)
                amount = _added(amount, self.carried(inner, quotient, factor))
        return amount

    def carried(self, inner: Amount, quotient: Quotient, factor: int) -> Amount:
        """Growth of a quotient times `factor` when its inner form grows by `inner`."""
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
        if self.places.greatest(remainder_form) < threshold:
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


def _canonical(form: Affine) -> tuple[Affine, int, int]:
    """(base, sign, constant) with form = sign * base + constant; quotients keep theirs."""
    if form.quotients:
        return form, 1, 0
    sign = 1 if next(f for f in form.factors if f) > 0 else -1
    return Affine(0, form.scaled(sign).factors), sign, form.constant
