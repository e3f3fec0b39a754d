"""Counting of loops: the variable of a header of `for`, its step, and the effect of the body."""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear
from hlsmem.read.c.operations import binary
from hlsmem.read.c.trees import block, inner_statements, integer, items_of, nodes_of


def counter_of(node: Any) -> str:
    """The only variable of a loop of `for` that sets, tests and steps it; "" where it is none."""
    match node.init:
        case tree.DeclList(decls=[tree.Decl(name=own) as one]) if one.init is not None:
            counter = str(own)
        case tree.Assignment(op="=", lvalue=tree.ID(name=own)):
            counter = str(own)
        case _:
            return ""
    if node.cond is None or step_in(node.next, counter) is None:
        return ""
    return "" if counter in names.assigned_names(node.stmt) else counter


def step_in(node: Any, counter: str) -> Linear | None:
    """By how much a statement steps a variable; None where it does not, or does more."""
    match node:
        case tree.UnaryOp(op="++" | "p++", expr=tree.ID(name=own)) if own == counter:
            return Linear({}, 1)
        case tree.UnaryOp(op="--" | "p--", expr=tree.ID(name=own)) if own == counter:
            return Linear({}, -1)
        case tree.Assignment(op="+=" | "-=" as op, lvalue=tree.ID(name=own)) if own == counter:
            return linear(node.rvalue).times(1 if op == "+=" else -1)
        case tree.Assignment(op="=", lvalue=tree.ID(name=own)) if own == counter:
            whole = linear(node.rvalue)
            return whole.without(own) if whole.factor(own) == 1 else None
    return None


def as_test(condition: Any, counter: str) -> Any:
    """The condition of a loop that runs while its variable is not 0, `while (n--)`, in full."""
    if isinstance(condition, tree.ID) and condition.name == counter:
        return binary("!=", condition, integer(0, condition.place), condition.place)
    return condition


def is_loose(node: Any) -> bool:
    """True if a loop is not one of `for`, or not of one variable."""
    if isinstance(node, tree.For):
        return not isinstance(node.init, (tree.DeclList, tree.Assignment)) or isinstance(
            node.next, tree.ExprList
        )
    return isinstance(node, (tree.While, tree.DoWhile))


@dataclass(frozen=True, slots=True)
class Effect:
    """The names that a statement assigns, declares and has, and whether it breaks a loop."""

    body: Any
    assigned: frozenset[str]
    declared: frozenset[str]
    used: frozenset[str]
    breaks: bool


def effect_of(body: Any) -> Effect:
    nodes = nodes_of(body)
    return Effect(
        body=body,
        assigned=frozenset(one.name for one in names.assignments_among(nodes)),
        declared=frozenset(one.name for one in nodes if isinstance(one, tree.Decl) and one.name),
        used=frozenset(one.name for one in nodes if isinstance(one, tree.ID)),
        breaks=breaks_out(body),
    )


class Facts:
    """What is asked of the same statements again and again, each found once."""

    def __init__(self) -> None:
        # Each keeps its statement, so that no other has its id.
        self._effects: dict[int, Effect] = {}
        self._counters: dict[int, tuple[Any, str]] = {}

    def effect(self, body: Any) -> Effect:
        """The effect of a statement."""
        found = self._effects.get(id(body))
        if found is None:
            found = self._effects[id(body)] = effect_of(body)
        return found

    def counter(self, node: Any) -> str:
        """The variable of a loop of `for`."""
        found = self._counters.get(id(node))
        if found is None:
            found = self._counters[id(node)] = (node, counter_of(node))
        return found[1]


def breaks_out(body: Any) -> bool:
    """True if a `break` leaves the loop of a body."""
    if isinstance(body, (tree.For, tree.While, tree.DoWhile, tree.Switch)):
        return False
    return isinstance(body, (tree.Break, tree.Return)) or any(
        map(breaks_out, inner_statements(body))
    )


def as_while(node: Any) -> Any:
    """A loop of `for` with several variables, or none, as one with `while`."""
    first = [] if node.init is None else [node.init]
    match node.init:
        case tree.DeclList():
            first = list(node.init.decls)
        case tree.ExprList():
            first = list(node.init.exprs)
    last = [] if node.next is None else [node.next]
    if isinstance(node.next, tree.ExprList):
        last = list(node.next.exprs)
    condition = node.cond if node.cond is not None else integer(1, node.place)
    body = block([*items_of(node.stmt), *last], node.place)
    return block([*first, tree.While(condition, body, node.place)], node.place)
