"""Branches that set local numbers alone: in each a value is chosen, the new one or the old.

In C `c ? a : x` computes `a` where c holds alone, as the branch does. To all that plans, the
elements in `a` are read in any case: only such are that are there in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.normal.scalars.data_variables import holds_data
from hlsmem.read.c.operations import assigned, binary, conditional
from hlsmem.read.c.tree import Number
from hlsmem.read.c.trees import fresh, integer, items_of, nodes_of, used_names

_LOOPS = (tree.For, tree.While, tree.DoWhile)
_STEPS = ("++", "--", "p++", "p--")


class ChosenScalars:
    """The local numbers of a function, and what their values may be of; `data` are names of what
    data decide."""

    def __init__(self, function: Any, data: Collection[str]) -> None:
        self.data = data
        parts = [*nodes_of(function.body)]
        conditions = {one.name for one in parts if isinstance(one, tree.Label)}
        self.numbers = {
            one.name
            for one in parts
            if isinstance(one, tree.Decl) and isinstance(one.type, Number) and not one.storage
            if one.name not in conditions
        }
        self.numbers -= set(self._without_value(function))
        inside = [part for one in parts if isinstance(one, tree.If) for part in nodes_of(one)]
        self.unsure = {
            str(_base(one.lvalue))
            for one in inside
            if isinstance(one, tree.Assignment) and isinstance(one.lvalue, tree.ArrayRef)
        }
        self.unsure -= {one.name for one in function.parameters}

    def _without_value(self, function: Any) -> Iterator[str]:
        """The numbers that have no value where the first branch sets them: those that are declared
        in an iteration without one, and that data alone may set."""
        loops = [one for one in nodes_of(function.body) if isinstance(one, _LOOPS)]
        for region in (function.body, *(one.stmt for one in loops)):
            inner = {
                id(part)
                for one in nodes_of(region)
                if isinstance(one, _LOOPS)
                for part in nodes_of(one.stmt)
            }
            own = [one for one in nodes_of(region) if id(one) not in inner]
            bare = {one.name for one in own if isinstance(one, tree.Decl) and one.init is None}
            among = {
                id(part)
                for one in own
                if isinstance(one, tree.If) and holds_data(one.cond, set(self.data))
                for part in nodes_of(one)
            }
            first: dict[str, bool] = {}
            for one in nodes_of(region):
                target = _set_by(one)
                if target is not None:
                    first.setdefault(target, id(one) in among)
            yield from (name for name in bare if first.get(name))

    def are_all(self, node: Any) -> bool:
        """True if a branch does nothing but set numbers to values that may be chosen."""
        match node:
            case None | tree.EmptyStatement():
                return True
            case tree.Compound():
                return all(map(self.are_all, items_of(node)))
            case tree.If():
                arms = self.are_all(node.iftrue) and self.are_all(node.iffalse)
                return arms and self.is_safe(node.cond)
            case tree.UnaryOp() if node.op in _STEPS:
                return self.is_number(node.expr)
            case tree.Assignment():
                return self.is_number(node.lvalue) and self.is_safe(node.rvalue)
        return False

    def is_number(self, node: Any) -> bool:
        return isinstance(node, tree.ID) and node.name in self.numbers

    def is_safe(self, value: Any) -> bool:
        """True if a value has no effects, and elements at subscripts that no data decide, of arrays
        that all of is written."""
        for one in nodes_of(value):
            if isinstance(one, (tree.Assignment, tree.ExprList)):
                return False
            if isinstance(one, tree.UnaryOp) and one.op in (*_STEPS, "*", "&"):
                return False
            if isinstance(one, tree.ArrayRef):
                names = used_names(one.subscript)
                if any(isinstance(part, tree.ArrayRef) for part in nodes_of(one.subscript)):
                    return False
                if not names.isdisjoint(self.data) or _base(one) in self.unsure:
                    return False
        return True

    def elements_of(self, node: Any) -> set[str]:
        """The elements that are read in a statement or a condition, as texts."""
        return {text_of(one) for one in nodes_of(node) if isinstance(one, tree.ArrayRef)}


def chosen_assignment(node: Any, test: Any | None) -> Any:
    """An assignment to a number where a test holds, as one in any case; `x += a` among them."""
    if test is None:
        return node
    if isinstance(node, tree.UnaryOp):
        target, op, value = node.expr, node.op[-1], integer(1, node.place)
    else:
        target, op, value = node.lvalue, node.op[:-1], node.rvalue
    if op:
        value = binary(op, fresh(target), value, node.place)
    new = tree.Cast(value, target.type, place=node.place)
    chosen = conditional(test, new, fresh(target), node.place)
    return assigned("=", target, chosen, node.place)


def _set_by(node: Any) -> str | None:
    """The name that an assignment or a step sets."""
    match node:
        case tree.Assignment(lvalue=tree.ID(name=target)):
            return target
        case tree.UnaryOp(op=op, expr=tree.ID(name=target)) if op in _STEPS:
            return target
    return None


def _base(node: Any) -> str | None:
    while isinstance(node, tree.ArrayRef):
        node = node.name
    return node.name if isinstance(node, tree.ID) else None
