"""Loops that data end as loops that count to a most number of iterations, and `break` before.

`while (c) S` of at most T iterations is

    for (int turn = 0; turn <= T; turn++) { if (!c) break; if (turn == T) assert(..); else S }

so the assertion fails exactly where the loop would go on. A loop of `for` keeps its variable. No
number is asked for where the condition begins with one on indices: that stays the loop's own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c import names, tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names, holds_data
from hlsmem.read.c.normal.scalars.linear_sums import linear
from hlsmem.read.c.operations import binary, unary
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import INT
from hlsmem.read.c.trees import (
    assertion,
    block,
    changed,
    declaration,
    formula,
    fresh,
    integer,
    items_of,
    name,
    negation,
    rewrite_statements,
)
from hlsmem.read.design_names import free_name


def bound_loops(unit: Unit) -> Unit:
    """The unit whose loops that data end count, where it is known how far."""
    region = find_region(unit.function, unit.source)
    inside = block(region.statements)
    given = unit.trips.of(inside, unit.source, unit.problems)
    state = _State(unit, given)
    return unit.with_region(
        lambda items: [rewrite_statements(one, state.replaced) for one in items]
    )


class _State:
    def __init__(self, unit: Unit, given: dict[int, QuasiPolynomial]) -> None:
        self.unit = unit
        self.given = given
        self.data = data_names(unit.function)

    @cached_property
    def taken(self) -> set[str]:
        """Names that are no longer free."""
        return set(names.identifiers(self.unit.function))

    def replaced(self, node: Any) -> Any | None:
        most = self.given.get(id(node))
        match node:
            case tree.For():
                return self.counted(node, most)
            case tree.While() | tree.DoWhile() if most is not None:
                body = rewrite_statements(node.stmt, self.replaced)
                return self.turns(node, items_of(body), most)
        return None

    def counted(self, node: Any, most: QuasiPolynomial | None) -> Any | None:
        """A loop of `for`: with the part of its condition that is on indices, if there is one."""
        condition = node.cond
        if condition is not None and not holds_data(condition, self.data):
            return None
        body = items_of(rewrite_statements(node.stmt, self.replaced))
        own, rest = self.parted(condition)
        if own is not None and self.counts(node):
            leave = [tree.If(negation(rest), tree.Break(node.place), None, node.place)]
            return changed(node, cond=own, stmt=block([*leave, *body], node.place))
        if most is None:
            return None
        end = self.last(node, most)
        if end is not None:
            return changed(node, cond=end[0], stmt=self.tested(node, condition, body, end[1], most))
        following = [node.next] if node.next is not None else []
        loop = tree.While(condition or integer(1), node.stmt, node.place)
        first = items_of(node.init) if not isinstance(node.init, tree.DeclList) else [node.init]
        return block([*first, self.turns(loop, [*body, *following], most)], node.place)

    def parted(self, condition: Any) -> tuple[Any | None, Any | None]:
        """The conditions on indices that come first, and the others."""
        match condition:
            case tree.BinaryOp(op="&&", left=left, right=right):
                own, rest = self.parted(left)
                if own is None:
                    return None, condition
                if rest is not None:
                    return own, changed(condition, left=rest)
                if holds_data(right, self.data):
                    return own, right
                return condition, None
            case None:
                return None, None
        return (None, condition) if holds_data(condition, self.data) else (condition, None)

    def counts(self, node: Any) -> bool:
        """True if a loop has a variable of its own, which nothing else changes."""
        match node.init:
            case tree.DeclList(decls=[tree.Decl(name=own)]):
                assert isinstance(own, str)
                return own not in names.assigned_names(node.stmt) and self.step(node, own) != 0
        return False

    def step(self, node: Any, own: str) -> int:
        match node.next:
            case tree.UnaryOp(op="++" | "p++", expr=tree.ID(name=found)) if found == own:
                return 1
            case tree.UnaryOp(op="--" | "p--", expr=tree.ID(name=found)) if found == own:
                return -1
            case tree.Assignment(op="+=" | "-=" as op, lvalue=tree.ID(name=found)):
                amount = node.next.rvalue
                literal = integer_literal(amount) if isinstance(amount, tree.Constant) else None
                if found == own and literal is not None:
                    return literal[0] if op == "+=" else -literal[0]
        return 0

    def last(self, node: Any, most: QuasiPolynomial) -> tuple[Any, Any] | None:
        """The condition of so many iterations, and that of the iteration behind them."""
        if not self.counts(node):
            return None
        own = node.init.decls[0]
        step, first = self.step(node, own.name), own.init
        if first is None or holds_data(first, self.data):
            return None
        distance = linear(formula(most, node.place, self.unit.type_of))
        end = linear(fresh(first)).plus(distance, step).node(node.place)
        variable = name(own.name, own.type, node.place)
        within = binary("<=" if step > 0 else ">=", variable, end, node.place)
        return within, binary("==", variable, fresh(end), node.place)

    def turns(self, node: Any, body: list[Any], most: QuasiPolynomial) -> Any:
        """A loop of `while` or `do` over a new variable."""
        turn = free_name("turn", self.taken)
        begins = declaration(INT, turn, integer(0, node.place), node.place)
        variable = name(turn, INT, node.place)
        ends = formula(most, node.place, self.unit.type_of)
        behind = binary("==", variable, ends, node.place)
        return tree.For(
            tree.DeclList((begins,), node.place),
            binary("<=", variable, ends, node.place),
            unary("p++", variable, node.place),
            self.tested(node, node.cond, body, behind, most),
            node.place,
        )

    def tested(
        self, node: Any, condition: Any, body: list[Any], behind: Any, most: QuasiPolynomial
    ) -> Any:
        """The body, with `break` where data end the loop, and an assertion in the iteration
        behind."""
        leave = []
        always = condition is None or isinstance(condition, tree.Constant)
        if not always:
            leave = [tree.If(negation(condition), tree.Break(node.place), None, node.place)]
        source_location = self.unit.source.place(node)
        where = f"line {source_location.line}" if source_location is not None else "it"
        fails = assertion(f"the loop of {where} runs more than {most} times", node.place)
        at_end = isinstance(node, tree.DoWhile)
        inner = [*body, *(leave if at_end else [])]
        rest = tree.If(behind, block([fails], node.place), block(inner, node.place), node.place)
        return block([rest] if at_end else [*leave, rest], node.place)
