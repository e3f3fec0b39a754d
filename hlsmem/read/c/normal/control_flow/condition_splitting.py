"""Steps under conditions on the variable of a loop: `if (x >= 2) p++` counts from x = 2 on.

Conditions are sums of which each is none below 0. Those on the loop's variable cut its range; what
a variable holds in an iteration is then a closed form where they hold, and one number elsewhere.
Choices between the two are made as soon as it is known which holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import is_same_text
from hlsmem.read.c.normal.scalars.index_values import MARK, Cut, Environment, Pointer, Value
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear
from hlsmem.read.c.operations import binary, conditional
from hlsmem.read.c.trees import nodes_of, rewrite, used_names


@dataclass(frozen=True, slots=True)
class Known:
    """Facts that hold at a place: sums of at least 0, and the `least` values of parameters."""

    least: Mapping[str, int]
    facts: tuple[Linear, ...] = ()

    def implies(self, whole: Linear) -> bool:
        """True if a sum is surely at least 0."""
        for one in self.facts:
            if one.constant <= whole.constant and one.factors() == whole.factors():
                return True
        least = whole.constant
        for factor, term in whole.terms.values():
            if factor < 0 or not isinstance(term, tree.ID) or term.name not in self.least:
                return False
            least += factor * self.least[term.name]
        return least >= 0


def sums_of(condition: Any, negated: bool = False) -> tuple[Linear, ...] | None:
    """The sums that all are none below 0 exactly where a condition holds; None: no such sums."""
    match condition:
        case tree.UnaryOp(op="!"):
            return sums_of(condition.expr, not negated)
        case tree.BinaryOp(op="&&" | "||" as op):
            if (op == "&&") is negated:
                return None
            left, right = (sums_of(one, negated) for one in (condition.left, condition.right))
            return None if left is None or right is None else left + right
        case tree.BinaryOp(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op):
            apart = linear(condition.left).plus(linear(condition.right), -1)
            opposite = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
            one = Linear({}, 1)
            below = apart.times(-1)
            match opposite[op] if negated else str(op):
                case "<":
                    return (below.plus(one, -1),)
                case "<=":
                    return (below,)
                case ">":
                    return (apart.plus(one, -1),)
                case ">=":
                    return (apart,)
                case "==":
                    return (apart, below)
    return None


def negation(whole: Linear) -> Linear:
    """The sum that is none below 0 where another one is below 0."""
    return whole.times(-1).plus(Linear({}, 1), -1)


def assumed(environment: Environment, condition: Any, holds: bool, known: Known) -> Environment:
    """Return the environment where a condition holds, or fails."""
    sums = sums_of(condition, not holds)
    if not sums:
        return environment
    inside = Known(known.least, sums)
    return {one: settled(value, inside) for one, value in environment.items()}


def settled(value: Value | None, known: Known) -> Value | None:
    """A value without the choices of which it is known how they are made."""
    if value is None:
        return None
    if isinstance(value, Pointer):
        return Pointer(value.base, settled(value.offset, known), value.is_array)

    def replaced(node: Any) -> Any | None:
        if not isinstance(node, tree.TernaryOp):
            return None
        if is_clipped(node) and is_clipped(node.iftrue):
            return rewrite(node.iftrue, replaced)
        sums = sums_of(node.cond)
        if sums is None:
            return None
        if any(known.implies(negation(one)) for one in sums):
            return rewrite(node.iffalse, replaced)
        open_ = tuple(one for one in sums if not known.implies(one))
        then, otherwise = rewrite(node.iftrue, replaced), rewrite(node.iffalse, replaced)
        if not open_ or is_same_text(then, otherwise):
            return then
        test = node.cond if len(open_) == len(sums) else _condition(open_, node.place)
        return conditional(test, then, otherwise, node.place)

    return rewrite(value, replaced)


def without_implied(condition: Any, known: Known, counter: str, start: Any) -> Any:
    """A condition of a loop without the parts that the others imply where `counter` has grown.

    Choices on the counter are made either way: (i < 50 ? 0 : i - 50) < n follows from i < n.
    """
    if not isinstance(condition, tree.BinaryOp) or condition.op != "&&":
        return condition
    left = without_implied(condition.left, known, counter, start)
    right = without_implied(condition.right, known, counter, start)
    grown = linear(tree.ID(counter)).plus(linear(start), -1)
    for one, other in ((left, right), (right, left)):
        sums = sums_of(other)
        if sums is None:
            continue
        least = tuple(whole.plus(grown) for whole in sums if whole.factor(counter) < 0)
        facts = (*known.facts, *sums, *least, grown)
        if _follows(one, Known(known.least, facts), counter):
            return other
    return binary("&&", left, right, condition.place)


def _follows(condition: Any, known: Known, counter: str) -> bool:
    """True if a condition surely holds."""
    split = next((one for one in nodes_of(condition) if _is_on(one, counter)), None)
    if split is None:
        sums = sums_of(condition)
        return sums is not None and all(known.implies(one) for one in sums)
    for holds, branch in ((True, split.iftrue), (False, split.iffalse)):
        sums = sums_of(split.cond, negated=not holds)
        if sums is None:
            return False
        inside = Known(known.least, (*known.facts, *sums))
        if not _follows(_with_branch(condition, split, branch), inside, counter):
            return False
    return True


def _with_branch(condition: Any, split: Any, branch: Any) -> Any:
    return rewrite(condition, lambda node: branch if node is split else None)


def _is_on(node: Any, counter: str) -> bool:
    return isinstance(node, tree.TernaryOp) and counter in used_names(node.cond)


def is_clipped(node: Any) -> bool:
    """Return True for `a > 0 ? a : 0`."""
    match node:
        case tree.TernaryOp(
            cond=tree.BinaryOp(op=">", left=tested, right=tree.Constant(value="0")),
            iftrue=own,
            iffalse=tree.Constant(value="0"),
        ):
            return is_same_text(tested, own)
    return False


def cut_of(new: Any, mark: str) -> Cut | None:
    """The step that a value is which is chosen between what it was, `mark`, and more."""
    holds: tuple[Linear, ...] = ()
    before = Linear({mark: (1, tree.ID(mark))})
    while isinstance(new, tree.TernaryOp):
        stays_otherwise = _is(new.iffalse, before)
        if not stays_otherwise and not _is(new.iftrue, before):
            return None
        sums = sums_of(new.cond, negated=not stays_otherwise)
        if sums is None:
            return None
        holds += tuple(one for one in sums if one not in holds)
        new = new.iftrue if stays_otherwise else new.iffalse
    whole = linear(new)
    return Cut(holds, whole.without(mark)) if holds and whole.factor(mark) == 1 else None


def _is(node: Any, whole: Linear) -> bool:
    found = linear(node)
    return found.constant == whole.constant and found.factors() == whole.factors()


def bounds_of(cut: Cut, counter: str, start: Linear, known: Known) -> tuple[Any, Any, Any] | None:
    """The range in which the variable of a loop, from `start` on by 1, makes a conditional step.

    These are the sums that do not name it, its first such value, and the one behind the last,
    None where that is the loop's end. None where that is no range that is known.
    """
    others: list[Linear] = []
    first: Linear | None = start
    end: Linear | None = None
    for one in cut.holds:
        rest = one.without(counter)
        if counter in rest.names() or abs(one.factor(counter)) > 1:
            return None
        if one.factor(counter) == 0:
            others.append(one)
        elif one.factor(counter) == 1:
            first = _greatest(first, rest.times(-1), known)
            if first is None:
                return None
        else:
            upper = rest.plus(Linear({}, 1))
            if end is not None:
                least = _greatest(end.times(-1), upper.times(-1), known)
                if least is None:
                    return None
                upper = least.times(-1)
            end = upper
    return tuple(others), first, end


def _greatest(one: Linear | None, other: Linear, known: Known) -> Linear | None:
    if one is None:
        return None
    distance = other.plus(one, -1)
    if known.implies(distance):
        return other
    return one if known.implies(distance.times(-1)) else None


def chosen(holds: Iterable[Linear], then: Value, otherwise: Value, place: Any) -> Value:
    """One value where all sums are none below 0, and another one elsewhere."""
    sums = tuple(holds)
    if not sums:
        return then
    if isinstance(then, Pointer):
        offset = chosen(sums, then.offset, otherwise.offset, place)
        return Pointer(then.base, offset, then.is_array)
    return conditional(_condition(sums, place), then, otherwise, place)


def _condition(sums: tuple[Linear, ...], place: Any) -> Any:
    def test(whole: Linear) -> Any:
        more = {text: term for text, term in whole.terms.items() if term[0] > 0}
        less = {text: (-factor, node) for text, (factor, node) in whole.terms.items() if factor < 0}
        left = Linear(more, max(whole.constant, 0)).node(place)
        right = Linear(less, max(-whole.constant, 0)).node(place)
        return binary(">=", left, right, place)

    return reduce(lambda a, b: binary("&&", a, b, place), map(test, sums))


def names_of(cut: Cut) -> frozenset[str]:
    """The names that a cut is made of."""
    return frozenset().union(cut.step.names(), *(one.names() for one in cut.holds))


def is_fixed(cut: Cut, varying: Iterable[str]) -> bool:
    """True if a cut is the same in all iterations, but for the loop's own variable."""
    used = names_of(cut)
    return not any(one.startswith(MARK) for one in used) and used.isdisjoint(varying)
