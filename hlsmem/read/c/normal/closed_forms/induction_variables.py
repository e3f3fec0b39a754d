"""Closed forms: what a variable holds in each iteration of a loop that steps it, and behind the
loop."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.control_flow.condition_splitting import cut_of, is_clipped, is_fixed
from hlsmem.read.c.normal.scalars.index_values import (
    MARK,
    Cut,
    Cyclic,
    Pointer,
    Value,
    names_in,
    same_value,
)
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear
from hlsmem.read.c.operations import binary, conditional
from hlsmem.read.c.trees import integer


def step_between(
    one: str, old: Value | None, new: Value | None, varying: Set[str], counter: str
) -> Linear | Cyclic | Cut | None:
    """By how much an iteration of a loop steps a variable from `old` on; None where that varies.

    What steps it may ask for the variable `counter` of the loop, which varies as well.
    """
    if new is None:
        return None
    if same_value(new, old) and not names_in(new) & varying:
        return Linear({}, 0)  # set again to what it was before the loop
    if not isinstance(new, Pointer) and (cycle := _cycle(new, MARK + one)) is not None:
        return cycle
    if isinstance(new, Pointer):
        if not isinstance(old, Pointer) or not same_value(new.base, old.base):
            return None
        new = new.offset
    cut = cut_of(new, MARK + one)
    if cut is not None:
        is_known = is_fixed(cut, varying - {counter}) and counter not in cut.step.names()
        return cut if is_known else None
    whole = linear(new)
    if whole.factor(MARK + one) != 1:
        return None
    step = whole.without(MARK + one)
    free = step.names()
    if any(used.startswith(MARK) for used in free) or free & varying:
        return None
    return step


def _cycle(new: Any, mark: str) -> Cyclic | None:
    """`(v + 1) % 3`, and `v == 2 ? 0 : v + 1` with its other spellings, as a cycle from 0 on.

    What turns 0 and 1 round, `1 - v`, `v ^ 1` or `!v`, is one of two.
    """
    turned = linear(new)
    if turned.factor(mark) == -1 and turned.without(mark) == Linear({}, 1):
        return Cyclic(1, 2)
    match new:
        case tree.UnaryOp(op="!", expr=tree.ID(name=own)) if own == mark:
            return Cyclic(1, 2)
        case tree.BinaryOp(op="^", left=left, right=right):
            sides = linear(left), linear(right)
            if Linear({}, 1) in sides and any(one == linear(tree.ID(mark)) for one in sides):
                return Cyclic(1, 2)
        case tree.BinaryOp(op="%", left=left, right=right):
            whole, modulus = linear(left), linear(right)
            step = whole.without(mark)
            known = step.is_constant() and modulus.is_constant() and whole.factor(mark) == 1
            if known and step.constant >= 0 and modulus.constant > 0:
                return Cyclic(step.constant, modulus.constant)
        case tree.TernaryOp(
            cond=tree.BinaryOp(op="==" | "!=" | ">=" | "<" | ">" | "<=" as op) as test
        ):
            left, right = test.left, test.right
            again, on = linear(new.iftrue), linear(new.iffalse)
            if op in ("<", "<=", "!="):
                again, on = on, again
            limit = linear(right).plus(linear(left).without(mark), -1)
            first = Linear({}, 0)
            goes = on.factor(mark) == 1 and on.without(mark) == Linear({}, 1)
            tests = linear(left).factor(mark) == 1 and limit.is_constant()
            if again == first and goes and tests:
                last = limit.constant + (op in (">", "<="))
                return Cyclic(1, last + 1) if last >= 0 else None
    return None


def turns_so_far(counter: Any, start: Any, amount: Linear) -> Any | None:
    """Number of iterations so far of a loop whose variable goes from `start` by `amount`."""
    if not amount.is_constant() or not amount.constant:
        return None
    distance = linear(counter).plus(linear(start), -1)
    size = abs(amount.constant)
    distance = distance.times(1 if amount.constant > 0 else -1)
    turns = distance.node(counter.place)
    if size == 1:
        return turns
    return binary("/", turns, integer(size, counter.place), counter.place)


def end_of(
    condition: Any, counter: str, start: Any, amount: Linear, positive: Set[str]
) -> Any | None:
    """The value of a loop's variable when its condition first fails."""
    if not amount.is_constant() or not isinstance(condition, tree.BinaryOp):
        return None
    step = amount.constant
    operator, left, right = condition.op, linear(condition.left), linear(condition.right)
    if left.factor(counter) == 0:
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
        operator, left, right = turned.get(operator, ""), right, left
    if left.factor(counter) != 1 or right.factor(counter):
        return None
    limit = right.plus(left.without(counter), -1)
    if counter in limit.names():
        return None
    if operator in ("<=", ">="):
        limit = limit.plus(Linear({}, 1 if operator == "<=" else -1))
    upward = operator in ("<", "<=") and step > 0
    downward = operator in (">", ">=") and step < 0
    if not (upward or downward or (operator == "!=" and abs(step) == 1)):
        return None
    first = linear(start)
    distance = limit.plus(first, -1).times(1 if step > 0 else -1)
    if distance.is_constant():
        turns = max(0, -(-distance.constant // abs(step)))
        return first.plus(Linear({}, turns * step)).node(condition.place)
    if abs(step) != 1:
        return None
    if operator == "!=" or _never_negative(distance, positive):
        return limit.node(condition.place)
    end, begin = limit.node(condition.place), first.node(condition.place)
    test = binary(">", distance.node(condition.place), integer(0), condition.place)
    return conditional(test, end, begin, condition.place)


def _never_negative(value: Linear, positive: Set[str]) -> bool:
    """True if a sum is at least 0, with parameters of at least 1 and `a > 0 ? a : 0` of 0."""
    least = value.constant
    for factor, term in value.terms.values():
        if factor < 0:
            return False
        if not is_clipped(term):
            if not isinstance(term, tree.ID) or term.name not in positive:
                return False
            least += factor
    return least >= 0
