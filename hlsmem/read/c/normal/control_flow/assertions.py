"""`assert` on variables that data decide: what it says of subscripts, put into them.

`assert(k < N); h[k] += 1;` is

    h[k < N ? k : (assert(!"k < N"), 0)] += 1;

from where it stands to the end of its block, as long as nothing writes what it reads: the
subscript has its bounds, and a run that breaks the promise still ends. Of what an assertion says
of no subscript nothing is left. One that reads elements is refused where subscripts depend on data:
what elements hold may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.names import assigned_names
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names
from hlsmem.read.c.operations import binary, conditional, sequence, unary
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.tree import Float, Number
from hlsmem.read.c.trees import (
    assertion,
    changed,
    fresh,
    inner_statements,
    integer,
    items_of,
    nodes_of,
    rewrite,
    rewrite_statements,
    used_names,
)

_COMPARISONS = ("<", "<=", ">", ">=")
_MORE = "asserts more than comparisons of variables"
_COPY = "copy what it reads to a variable, assert that of it, and use it in its place"


@dataclass(frozen=True, slots=True)
class _Fact:
    """A comparison that holds, and the variables that it reads."""

    condition: Any
    names: frozenset[str]


_Facts = tuple[_Fact, ...]


def use_assertions(unit: Unit) -> Unit:
    """The unit whose region has no assertions on variables, but subscripts that keep to them."""
    if not any(_asserted(node) is not None for node in nodes_of(unit.function.body)):
        return unit
    return unit.with_region(_Writer(unit).items)


def _asserted(node: Any) -> Any | None:
    """The condition that a statement asserts; None if it is no assertion.

    All are the user's: what rewrites assert stands inside expressions, or is made by later ones.
    """
    match node:
        case tree.FuncCall("assert", [condition]):
            return condition
    return None


class _Writer:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = data_names(unit.function)
        self.follows_data = any(
            isinstance(node, tree.ArrayRef) and self.is_data(node.subscript)
            for node in nodes_of(unit.function.body)
        )

    def is_data(self, node: Any) -> bool:
        """True for an expression that reads elements, or variables that data decide."""
        own = nodes_of(node)
        return any(isinstance(one, tree.ArrayRef) for one in own) or bool(
            used_names(node) & self.data
        )

    def items(self, items: Sequence[Any], facts: _Facts = ()) -> list[Any]:
        """The statements of a block in which these facts hold at first."""
        found: list[Any] = []
        for node in items:
            condition = _asserted(node)
            if condition is not None:
                if not _compares(condition, with_elements=not self.follows_data):
                    self.unit.refuse(Refusal.FUNCTION_CALL, node, _MORE, _COPY)
                facts += tuple(self.facts_of(condition))
                continue
            found.append(self.statement(node, facts))
            facts = _without(facts, _written(node))
        return found

    def facts_of(self, condition: Any) -> list[_Fact]:
        """The comparisons that have to hold, of those on data."""
        match condition:
            case tree.BinaryOp(op="&&"):
                return [*self.facts_of(condition.left), *self.facts_of(condition.right)]
            case tree.UnaryOp(op="!", expr=tree.BinaryOp(op="||") as either):
                sides = (unary("!", one, one.place) for one in (either.left, either.right))
                return [fact for one in sides for fact in self.facts_of(one)]
            case tree.UnaryOp(op="!", expr=tree.UnaryOp(op="!", expr=inner)):
                return self.facts_of(inner)
            case tree.UnaryOp(op="!", expr=tree.BinaryOp(op=op)) if op in _COMPARISONS:
                pass
            case tree.BinaryOp(op=op) if op in _COMPARISONS:
                pass
            case _:
                return []
        names = used_names(condition)
        return [_Fact(condition, names)] if names & self.data else []

    def statement(self, node: Any, facts: _Facts) -> Any:
        match node:
            case tree.Compound():
                return changed(node, block_items=self.items(items_of(node), facts))
            case tree.Label():
                return changed(node, stmt=self.statement(node.stmt, facts))
            case tree.For() | tree.While() | tree.DoWhile():
                # An iteration begins with what no iteration changes.
                inside = _without(facts, _written(node))
                return changed(node, stmt=self.inner(node.stmt, inside))
            case tree.If():
                if facts:
                    test = rewrite(node.cond, lambda part: self.subscripted(part, facts))
                    node = changed(node, cond=test)
                node = changed(node, iftrue=self.inner(node.iftrue, facts))
                return changed(node, iffalse=self.inner(node.iffalse, facts))
            case tree.Switch() | tree.Case() | tree.Default():
                return rewrite_statements(
                    node,
                    lambda part: (
                        changed(part, block_items=self.items(items_of(part)))
                        if isinstance(part, tree.Compound) and part is not node
                        else None
                    ),
                )
        if not facts or isinstance(node, tree.Pragma):
            return node
        return rewrite(node, lambda part: self.subscripted(part, facts))

    def inner(self, node: Any, facts: _Facts) -> Any:
        if node is None or isinstance(node, tree.Compound):
            return None if node is None else self.statement(node, facts)
        found = self.items([node], facts)
        return found[0] if len(found) == 1 else tree.EmptyStatement(node.place)

    def subscripted(self, node: Any, facts: _Facts) -> Any | None:
        """An element whose subscript keeps to the facts on the data in it."""
        if not isinstance(node, tree.ArrayRef):
            return None
        base = rewrite(node.name, lambda part: self.subscripted(part, facts))
        inside = rewrite(node.subscript, lambda part: self.subscripted(part, facts))
        own = used_names(node.subscript) & self.data
        told = [one.condition for one in facts if one.names & own]
        if told:
            place = node.subscript.place
            condition = told[0]
            for one in told[1:]:
                condition = binary("&&", condition, one, place)
            says = text_of(condition).replace('"', "'")
            failed = sequence((assertion(says, place), integer(0, place)), place)
            inside = conditional(fresh(condition, place), inside, failed, place)
        node = changed(node, name=base)
        return changed(node, subscript=inside)


def _compares(condition: Any, *, with_elements: bool) -> bool:
    """True if a condition reads variables alone, or elements too, and calls nothing."""
    for part in nodes_of(condition):
        match part:
            case tree.ID() | tree.Constant() | tree.BinaryOp() | tree.Cast():
                pass
            case tree.UnaryOp(op="!" | "-" | "+"):
                pass
            case tree.ArrayRef() if with_elements:
                pass
            case _ if isinstance(part, (Number, Float)):
                pass
            case _:
                return False
    return True


def _written(node: Any) -> frozenset[str]:
    """The variables that a statement writes, or names anew."""
    found = set(assigned_names(node))
    if isinstance(node, tree.Decl):
        found.add(node.name)
    if isinstance(node, tree.For) or inner_statements(node):
        found |= {one.name for one in nodes_of(node) if isinstance(one, tree.Decl) and one.name}
    return frozenset(found)


def _without(facts: _Facts, written: frozenset[str]) -> _Facts:
    return tuple(one for one in facts if one.names.isdisjoint(written))
