"""Branches that data decide: a value chosen by `?`, or assignments that a condition guards.

`if (c) x = a; else x = b;` is `x = c ? a : b` where both are the same place, also through several
`else if`. Where branches set local numbers alone, each is `x = c ? a : x`. Of other branches each
assignment gets an `if` of its own, and loops inside of them run in any case. What is tested is the
condition itself where it is on elements that stay as they are up to the last assignment; else a
statement T0 writes into a variable T0 whether it holds. A loop that a `break` on data ends runs on:
a variable says in each of its iterations whether it goes on, and keeps saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import takewhile
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.normal.control_flow.chosen_scalars import ChosenScalars, chosen_assignment
from hlsmem.read.c.normal.control_flow.unread_conditions import without_unread
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Condition, Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names, holds_data
from hlsmem.read.c.operations import assigned, binary, conditional, sequence
from hlsmem.read.c.symbols import Scope, Variable
from hlsmem.read.c.tree import BOOL, Array, Pointer, element_of
from hlsmem.read.c.trees import (
    block,
    both,
    changed,
    declaration,
    fresh,
    inner_statements,
    integer,
    is_assertion,
    items_of,
    name,
    negation,
    nodes_of,
    nodes_of_body,
    used_names,
)


def guard_assignments(unit: Unit) -> Unit:
    """The unit whose branches on data are values or guards of one assignment each."""
    state = _State(unit)
    if not any(map(state.is_concern, nodes_of_body(unit.function))):
        return unit
    found = with_statements(unit, state.replaced)
    return without_unread(replace(found, conditions=tuple(state.conditions)))


def place_of(condition: Any) -> str:
    """The key of a condition in a text: it is the same in another reading."""
    return f"{condition.place} {text_of(condition)}"


class _NotGuardedError(Exception):
    """A statement that cannot be guarded, such as a jump."""


@dataclass(slots=True)
class _Ends:
    """A variable that says of each iteration of a loop whether it goes on, and the value it has
    then."""

    variable: str
    goes_on: bool
    passed: bool = False

    def test(self, place: Any) -> Any:
        variable = name(self.variable, BOOL, place)
        return variable if self.goes_on else negation(variable)


@dataclass(slots=True)
class _Loop:
    """A loop that data end: `first` holds in its first iteration, `ends` stand for each `break`."""

    first: Any
    ends: list[_Ends]

    def tests(self, place: Any) -> Iterator[Any]:
        """Predicates that the loop has not ended, in this iteration or, of the statements behind,
        in the last one."""
        passed = [one.test(place) for one in self.ends if one.passed]
        before = [one.test(place) for one in self.ends if not one.passed]
        if before:
            yield binary("||", fresh(self.first), reduce(both, before), place)
        yield from passed


_Guards = tuple["Any | _Loop", ...]


class _State:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        known = {*names.identifiers(unit.function), *unit.parameters}
        known |= {one.name for one in nodes_of(unit.function) if isinstance(one, tree.Label)}
        self.taken = {one.casefold() for one in known}
        self.data = data_names(unit.function) | set(unit.ranges)
        self.loops: list[_Loop] = []
        self.conditions: list[Condition] = []
        self.chosen = ChosenScalars(unit.function, self.data)
        self.chooses = False
        self.seen = set[str]()  # elements that are read in any case

    def is_concern(self, node: Any) -> bool:
        """True if `replaced` has to rewrite the statements around a node."""
        return isinstance(node, tree.Break) or (
            isinstance(node, tree.If) and self.is_data(node.cond)
        )

    def replaced(self, node: Any, scope: Scope) -> list[Any] | None:
        if isinstance(node, tree.For) and _breaks(node.stmt):
            return self.tried(lambda: self.ended(node, ()), node)
        if not isinstance(node, tree.If) or not self.is_data(node.cond):
            return None
        merged = self.merged(node, scope)
        if merged is not None:
            return [merged]
        if not self.loops and self.chosen.are_all(node):
            return self.of_numbers(node)
        if _is_alone(node) and self.is_filter(node.cond):
            return None
        return self.tried(lambda: self.guarded_branch(node, ()), node)

    def of_numbers(self, node: Any) -> list[Any]:
        """A branch that sets local numbers alone: what tests it are numbers as well."""
        before, self.chooses = len(self.conditions), True
        self.seen = set()
        try:
            return [block(self.guarded_branch(node, ()), node.place)]
        finally:
            self.chooses = False
            del self.conditions[before:]

    def tried(self, write: Callable[[], list[Any]], node: Any) -> list[Any] | None:
        before = len(self.conditions)
        try:
            return [block(write(), node.place)]
        except _NotGuardedError:
            del self.conditions[before:]
            return None

    def is_data(self, node: Any) -> bool:
        return holds_data(node, self.data)

    def is_filter(self, condition: Any) -> bool:
        """True if a condition may be one on elements, whose values a filter can name."""
        made = any(isinstance(part, _COMPUTED) for part in nodes_of(condition))
        return not made and place_of(condition) not in self.unit.tested

    def is_kept(self, node: Any) -> bool:
        """True if no branch of `node` writes what its condition reads."""
        branches = [node.iftrue, *([node.iffalse] if node.iffalse is not None else [])]
        parts = (part for one in branches for part in nodes_of(one))
        written = {_target(part) for part in parts if _is_any_assignment(part)}
        return written.isdisjoint(used_names(node.cond))

    # Loops.

    def ended(self, node: Any, guards: _Guards) -> list[Any]:
        """A loop that data may end: it runs on, and does nothing any more."""
        if not isinstance(node.init, tree.DeclList) or self.is_data(node.cond or integer(1)):
            raise _NotGuardedError
        (counter,) = node.init.decls if len(node.init.decls) == 1 else (None,)
        if counter is None or counter.init is None:
            raise _NotGuardedError
        first = binary(
            "==", name(counter.name, counter.type, node.place), fresh(counter.init), node.place
        )
        ends = [_Ends(self.condition(ends=True), goes_on) for goes_on in _ways_out(node.stmt, True)]
        loop = _Loop(first, ends)
        self.loops.append(loop)
        try:
            inside = block(self.guarded(node.stmt, (*guards, loop)), node.place)
        finally:
            self.loops.pop()
        begins = [self.declared(one.variable, node.place) for one in ends]
        return [*begins, changed(node, stmt=inside)]

    def left(self, node: Any, guards: _Guards) -> list[Any]:
        """`break`: the statement that says whether the loop goes on."""
        loop = self.loops[-1]
        at = next(k for k, one in enumerate(guards) if one is loop)
        end = next(one for one in loop.ends if not one.passed)
        why = _conjunction(guards[at + 1 :], node.place) or integer(1, node.place)
        value = _truth(negation(why) if end.goes_on else why)
        found = self.tested(end.variable, value, guards[: at + 1], node.place)
        end.passed = True
        return found

    # Branches.

    def merged(self, node: Any, scope: Scope) -> Any | None:
        """One assignment of a value that is chosen, in the type of its place."""
        then, otherwise = (self.assigning(one, scope) for one in (node.iftrue, node.iffalse))
        if then is None or otherwise is None:
            return None
        if text_of(then.lvalue) != text_of(otherwise.lvalue):
            return None
        base = then.lvalue
        while isinstance(base, tree.ArrayRef):
            base = base.name
        symbol = scope.find(base.name) if isinstance(base, tree.ID) else None
        if not isinstance(symbol, Variable) or symbol.shape.scalar is None:
            return None
        kind = element_of(symbol.declaration.type)
        first, second = (tree.Cast(one.rvalue, kind, place=node.place) for one in (then, otherwise))
        chosen = conditional(node.cond, first, second, node.place)
        return assigned("=", then.lvalue, chosen, then.place)

    def assigning(self, branch: Any, scope: Scope) -> Any | None:
        """The one assignment that a branch is; None where it is another one."""
        one = _only(branch)
        if isinstance(one, tree.If) and self.is_data(one.cond):
            one = self.merged(one, scope)
        is_one = isinstance(one, tree.Assignment) and one.op == "="
        return one if is_one and not isinstance(one.rvalue, tree.Assignment) else None

    def guarded_branch(self, node: Any, guards: _Guards) -> list[Any]:
        """The statements of a branch, each under guards of its own, behind those around it."""
        if _is_break(node.iffalse):
            node = changed(node, cond=negation(node.cond), iftrue=node.iffalse, iffalse=node.iftrue)
        found, test = [], node.cond
        if _is_break(node.iftrue):  # that the loop goes on says that the test fails
            found = self.guarded(node.iftrue, (*guards, test))
            return found if node.iffalse is None else found + self.guarded(node.iffalse, guards)
        is_bound = not used_names(test).isdisjoint(self.unit.ranges)
        is_simple = not _breaks(node) and (is_bound or not _has_loops(node))
        alike = (is_simple and self.is_kept(node)) or _is_alone(node)
        if self.is_data(test) and not (alike and self.is_filter(test)):
            variable = self.condition()
            parts = [*_conjuncts(test)]
            first = [*takewhile(lambda one: not self.is_data(one), parts)]  # in C as well
            known = [one for one in parts if not self.is_data(one)]
            decided = reduce(both, (one for one in parts if self.is_data(one)))
            around, among = self.apart(guards) if self.chooses else (guards, ())
            decided = reduce(both, (*map(fresh, among), decided))
            if self.chooses and not (around or first):
                self.seen |= self.chosen.elements_of(decided)
            tested = self.tested(variable, _truth(decided), around, node.place)
            inside = [_guarded(one, tuple(first)) for one in tested]
            found = [self.declared(variable, node.place), *inside]
            test = reduce(both, [*map(fresh, known), name(variable, BOOL, node.place)])
        found += self.guarded(node.iftrue, (*guards, test))
        if node.iffalse is not None:
            found += self.guarded(node.iffalse, (*guards, negation(test)))
        return found

    def apart(self, guards: _Guards) -> tuple[_Guards, _Guards]:
        """The conditions on loops that guards have, and those on data."""
        parts = [part for one in guards for part in _conjuncts(one)]
        known = tuple(one for one in parts if not self.is_data(one))
        return known, tuple(one for one in parts if self.is_data(one))

    def guarded(self, node: Any, guards: _Guards) -> list[Any]:
        match node:
            case tree.Compound():
                inner = [one for item in items_of(node) for one in self.guarded(item, guards)]
                return [changed(node, block_items=inner)]
            case tree.Decl() if node.init is not None:
                if isinstance(node.type, (Array, Pointer)):
                    raise _NotGuardedError
                then = assigned("=", name(node.name, node.type, node.place), node.init, node.place)
                return [changed(node, init=None), *self.guarded(then, guards)]
            case tree.Decl() | tree.EmptyStatement() | tree.Pragma():
                return [node]
            case tree.Label():
                inner = self.guarded(node.stmt, guards)
                one = inner[0] if len(inner) == 1 else block(inner, node.place)
                return [changed(node, stmt=one)]
            case tree.Break() if self.loops and any(one is self.loops[-1] for one in guards):
                return self.left(node, guards)
            case tree.FuncCall() if self.loops and is_assertion(node):
                variable = self.condition()
                failed = sequence((node, integer(0, node.place)), node.place)
                begins = self.declared(variable, node.place)
                return [begins, *self.tested(variable, failed, guards, node.place)]
            case tree.For():
                if self.is_data(node.cond or integer(1)):
                    raise _NotGuardedError
                if _breaks(node.stmt):
                    return [block(self.ended(node, guards), node.place)]
                return [changed(node, stmt=block(self.guarded(node.stmt, guards), node.place))]
            case tree.If() if self.is_data(node.cond) or _breaks(node):
                return [block(self.guarded_branch(node, guards), node.place)]
            case tree.If():
                then = block(self.guarded(node.iftrue, guards), node.place)
                otherwise = node.iffalse
                if otherwise is not None:
                    otherwise = block(self.guarded(otherwise, guards), node.place)
                return [changed(node, iftrue=then, iffalse=otherwise)]
            case _ if _is_assignment(node) and self.chooses:
                around, among = self.apart(guards)
                if self.chosen.elements_of(node) <= self.seen:
                    around, among = (), guards
                return [_guarded(chosen_assignment(node, _conjunction(among, node.place)), around)]
            case _ if _is_assignment(node):
                return [_guarded(node, guards)]
        raise _NotGuardedError

    # Variables that say whether conditions hold.

    def condition(self, *, ends: bool = False) -> str:
        """A new name, T0, T1, ..: of a variable, and of the statement that writes it."""
        number = len(self.conditions)
        while f"t{number}" in self.taken:
            number += 1
        self.taken.add(f"t{number}")
        self.data |= {f"T{number}"}
        self.conditions.append(Condition(name=f"T{number}", ends=ends))
        return f"T{number}"

    def declared(self, variable: str, place: Any) -> Any:
        return declaration(BOOL, variable, None, place)

    def tested(self, variable: str, value: Any, guards: _Guards, place: Any) -> list[Any]:
        """`T0: T0 = value;` where the guards hold."""
        statement = assigned("=", name(variable, BOOL, place), value, place)
        return [tree.Label(variable, _guarded(statement, guards), place)]


_COMPUTED = (tree.FuncCall, tree.TernaryOp, tree.Assignment, tree.ExprList)
_LOOPS = (tree.For, tree.While, tree.DoWhile)


def _guarded(node: Any, guards: _Guards) -> Any:
    test = _conjunction(guards, node.place)
    return node if test is None else tree.If(test, node, None, node.place)


def _conjunction(guards: _Guards, place: Any) -> Any | None:
    """All guards in one condition; None where there are none."""
    found: list[Any] = []
    for one in guards:
        found += one.tests(place) if isinstance(one, _Loop) else [fresh(one)]
    return reduce(both, found) if found else None


def _conjuncts(node: Any) -> Iterator[Any]:
    """The conditions that hold together where one does."""
    if isinstance(node, tree.BinaryOp) and node.op == "&&":
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _is_alone(node: Any) -> bool:
    """True if a branch guards one assignment alone."""
    return node.iffalse is None and _is_assignment(_only(node.iftrue))


def _is_break(node: Any) -> bool:
    """True if a branch only leaves its loop."""
    return isinstance(_only(node), tree.Break)


def _has_loops(node: Any) -> bool:
    return any(isinstance(part, _LOOPS) for part in nodes_of(node))


def _ways_out(node: Any, outermost: bool) -> Iterator[bool]:
    """For each `break` of a loop's body, in order, whether what is tested is that it goes on."""
    match node:
        case tree.For() | tree.While() | tree.DoWhile() | tree.Switch():
            return
        case tree.Break():
            yield False
        case tree.If() if outermost and _is_break(node.iftrue):
            yield isinstance(node.cond, tree.UnaryOp) and node.cond.op == "!"
            if node.iffalse is not None:
                yield from _ways_out(node.iffalse, outermost)
        case tree.If() if outermost and _is_break(node.iffalse):
            yield not (isinstance(node.cond, tree.UnaryOp) and node.cond.op == "!")
            yield from _ways_out(node.iftrue, outermost)
        case tree.Compound():
            for one in items_of(node):
                yield from _ways_out(one, outermost)
        case _:
            for one in node:
                yield from _ways_out(one, False)


def _breaks(node: Any) -> bool:
    """True if a `break` in a loop's body leaves that loop."""
    if isinstance(node, (tree.For, tree.While, tree.DoWhile, tree.Switch)):
        return False
    return isinstance(node, tree.Break) or any(map(_breaks, inner_statements(node)))


def _truth(node: Any) -> Any:
    """A condition as 0 or 1."""
    if isinstance(node, tree.BinaryOp) and node.op in _TRUTHS:
        return node
    if isinstance(node, tree.UnaryOp) and node.op == "!":
        return node
    return binary("!=", node, integer(0, node.place), node.place)


_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")


def _is_assignment(node: Any) -> bool:
    return _is_any_assignment(node) and not (
        isinstance(node, tree.Assignment) and isinstance(node.rvalue, tree.Assignment)
    )


def _is_any_assignment(node: Any) -> bool:
    if isinstance(node, tree.UnaryOp):
        return node.op in ("++", "--", "p++", "p--")
    return isinstance(node, tree.Assignment)


def _target(node: Any) -> str | None:
    """The variable that an assignment or a step writes, all of it or an element."""
    place = node.lvalue if isinstance(node, tree.Assignment) else node.expr
    return next((one.name for one in nodes_of(place) if isinstance(one, tree.ID)), None)


def _only(node: Any) -> Any:
    """The only statement of a block, itself of one."""
    while isinstance(node, tree.Compound) and len(items_of(node)) == 1:
        node = items_of(node)[0]
    return node
