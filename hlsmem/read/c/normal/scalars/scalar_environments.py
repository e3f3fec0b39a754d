"""Known values of variables at a place, and their change by statements, branches and loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.control_flow.condition_splitting import Known, bounds_of, chosen, settled
from hlsmem.read.c.normal.control_flow.loop_headers import Effect
from hlsmem.read.c.normal.scalars.index_values import (
    Cut,
    Cyclic,
    Environment,
    Pointer,
    Value,
    names_in,
    same_value,
)
from hlsmem.read.c.normal.scalars.integer_types import is_index
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear, simplified
from hlsmem.read.c.operations import binary, conditional
from hlsmem.read.c.symbols import Scope
from hlsmem.read.c.trees import fresh, rewrite


def forget(environment: Environment, changed_names: Collection[str]) -> None:
    """Values that are made of a variable are not known once it changes."""
    if not changed_names:
        return
    for one, value in environment.items():
        if value is not None and not names_in(value).isdisjoint(changed_names):
            environment[one] = None


def lose(environment: Environment, changed_names: Collection[str]) -> None:
    """The same of variables that hold what is not known from here on."""
    forget(environment, changed_names)
    for one in environment.keys() & changed_names:
        environment[one] = None


def merged(
    condition: Any, first: Environment | None, second: Environment | None, scope: Scope
) -> Environment | None:
    """The environment behind a branch: a choice where both sides and the condition are known.

    Of what one side alone has, such as a loop's variable that it changes, nothing is.
    """
    if first is None or second is None:
        return second if first is None else first
    found: Environment = {}
    for one in {**first, **second}:
        a, b = first.get(one), second.get(one)
        if one in first and one in second and same_value(a, b):
            found[one] = a
        elif is_index(condition, scope) and a is not None and b is not None:
            found[one] = _choice(condition, a, b)
        else:
            found[one] = None
    return found


def in_turn(
    environment: Environment,
    steps: Mapping[str, Linear | Cyclic | Cut | None],
    turns: Any | None,
    within: Callable[[Value, Cut], Value | None],
) -> Environment:
    """The environment at the beginning of an iteration, behind `turns` iterations that each made
    `steps`.

    `within` says what a value is that only some iterations step.
    """
    inside: Environment = {}
    for one, value in environment.items():
        moved = steps.get(one)
        if one not in steps:
            inside[one] = value
        elif moved is None or value is None or turns is None:
            inside[one] = None
        elif isinstance(moved, Cyclic):
            inside[one] = moved.value(value, turns)
        elif isinstance(moved, Cut):
            inside[one] = within(value, moved)
        else:
            inside[one] = _stepped(value, moved, turns)
    return inside


def stepped_within(
    value: Value, cut: Cut, counter: Any, start: Any, amount: Linear, known: Known
) -> Value | None:
    """A value at the beginning of an iteration, behind iterations of which some stepped it.

    `amount` is by how much the loop's variable `counter` goes on from `start` in an iteration.
    """
    if amount != Linear({}, 1) or not isinstance(counter, tree.ID):
        return None
    found = bounds_of(cut, counter.name, linear(start), known)
    if found is None:
        return None
    others, first, end = found
    place = counter.place
    inside = _stepped(value, cut.step, linear(counter).plus(first, -1).node(place))
    outside = value
    if end is not None:
        count = end.plus(first, -1)
        if not known.implies(count):
            return None
        past = linear(counter).plus(end, -1)
        all_steps = _stepped(value, cut.step, count.node(place))
        outside = chosen((*others, past), all_steps, value, place)
    return chosen(cut.holds, inside, outside, place)


def behind(
    before: Environment,
    inside: Environment,
    effect: Effect,
    counter: str,
    end: Any | None,
    known: Known,
) -> Environment:
    """The environment behind a loop: the values at the iteration in which its condition fails."""
    after: Environment = {}
    if effect.breaks:
        end = None
    for one, value in before.items():
        if one == counter:
            after[one] = end
        elif one not in effect.assigned:
            after[one] = value
        elif end is None or inside[one] is None:
            after[one] = None
        else:
            after[one] = settled(_at_end(inside[one], counter, end), known)
    forget(after, effect.assigned | effect.declared)
    return after


def _choice(condition: Any, left: Value, right: Value) -> Value | None:
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        if not isinstance(left, Pointer) or not isinstance(right, Pointer):
            return None
        if not same_value(left.base, right.base) or not left.is_array:
            return None
        offset = conditional(condition, left.offset, right.offset, condition.place)
        return Pointer(left.base, offset)
    return conditional(condition, left, right, condition.place)


def _stepped(value: Value, step: Linear, turns: Any) -> Value:
    """A value that was stepped in every iteration of a loop so far."""
    if isinstance(value, Pointer):
        return Pointer(value.base, _stepped(value.offset, step, turns), value.is_array)
    if step.is_constant():
        return linear(value).plus(linear(turns), step.constant).node(value.place)
    product = binary("*", step.node(value.place), turns, value.place)
    return linear(value).plus(linear(product)).node(value.place)


def _at_end(value: Value, counter: str, end: Any) -> Value:
    """A value with the variable of a loop at its end."""
    if isinstance(value, Pointer):
        return Pointer(
            _at_end(value.base, counter, end),
            _at_end(value.offset, counter, end),
            value.is_array,
        )

    def replaced(node: Any) -> Any | None:
        return fresh(end) if isinstance(node, tree.ID) and node.name == counter else None

    return simplified(rewrite(value, replaced))
