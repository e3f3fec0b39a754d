"""Index variables and pointers: what they hold, put where they are used.

A walk over the region knows the value of every such variable at every place, as an expression
over loop variables and parameters; a pointer is an array and the number of elements behind its
beginning. In a loop that steps a variable by the same amount in each turn its value is a closed
form (an induction variable, as in Aho, Lam, Sethi, Ullman, section 9.1). A loop whose condition
is on an induction variable becomes one with `for`. Variables that have no such value somewhere
stay as they are, all of their text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from hlsmem.read.c import names
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.extents import UnknownExtentError, quantity
from hlsmem.read.c.normal.data import data_names, holds_data
from hlsmem.read.c.normal.linear import Linear, linear, simplified
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import (
    IntegerConstant,
    Parameter,
    Scope,
    Shape,
    Variable,
    declare,
    shape_of,
)
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import (
    block,
    changed,
    declaration,
    fresh,
    integer,
    items_of,
    name,
    nodes_of,
    rewrite,
    text_of,
    used_names,
)
from hlsmem.read.c.types import INT, FloatType, IntegerType


@dataclass(frozen=True, slots=True)
class Pointer:
    """The elements from `offset` on of the array, row or variable `base`.

    A variable whose address is taken is no array: its only element is 0.
    """

    base: Any
    offset: Any
    is_array: bool = True

    def element(self, subscript: Any, coord: Any) -> Any | None:
        """The element `subscript` behind it; None where there is none."""
        place = simplified(_sum(self.offset, subscript, coord))
        if self.is_array:
            return c_ast.ArrayRef(fresh(self.base, coord), fresh(place, coord), coord)
        whole = linear(place)
        return fresh(self.base, coord) if whole.is_constant() and not whole.constant else None


@dataclass(frozen=True, slots=True)
class Cyclic:
    """A variable that goes on by `step` in each turn, modulo `modulus`."""

    step: int
    modulus: int

    def value(self, start: Any, turns: Any) -> Any | None:
        """What it holds after some turns; None where it does not start in its range."""
        first = linear(start)
        if not first.is_constant() or not 0 <= first.constant < self.modulus:
            return None
        whole = first.plus(linear(turns), self.step).node(turns.coord)
        return c_ast.BinaryOp("%", whole, integer(self.modulus, turns.coord), turns.coord)


Value = Any  # an expression of a number, or a Pointer
Environment = dict[str, Value | None]


def replace_indices(unit: Unit) -> Unit:
    """The unit without index variables, induction variables and local pointers."""
    tracked = _wanted(unit)
    while True:
        walk = _Walk(unit=unit, tracked=frozenset(tracked))
        if not tracked and not any(_is_loose(node) for node in nodes_of(unit.function.body)):
            return unit
        found = unit.with_region(walk.region)
        if not walk.failed:
            return walk.without_declarations(found)
        tracked = tracked - walk.failed


def _is_loose(node: Any) -> bool:
    """Whether a loop is not one of `for`, or not of one variable."""
    if isinstance(node, c_ast.For):
        return not isinstance(node.init, (c_ast.DeclList, c_ast.Assignment)) or isinstance(
            node.next, c_ast.ExprList
        )
    return isinstance(node, (c_ast.While, c_ast.DoWhile))


# Which variables.


def _wanted(unit: Unit) -> set[str]:
    """Names of variables that subscripts, bounds or conditions need, and of local pointers.

    Variables that only count loops of `for` are not among them, nor those in front of the region
    that keep one value.
    """
    function = unit.function
    declared: dict[str, list[Any]] = {}
    own = function.decl.type.args.params if function.decl.type.args else []
    for node in [*own, *nodes_of(function.body)]:
        if isinstance(node, c_ast.Decl) and node.name:
            declared.setdefault(node.name, []).append(node)
    taken = {
        node.expr.name
        for node in nodes_of(function.body)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID)
    }
    counted = {id(target) for target in _counters(function.body)}
    assigned = {
        target.name for target in names.assignments(function.body) if id(target) not in counted
    }
    used_late = _used_behind_loops(function.body)
    headed = {
        node.name
        for loop in nodes_of(function.body)
        if isinstance(loop, c_ast.For) and isinstance(loop.init, c_ast.DeclList)
        for node in loop.init.decls
    }
    region = find_region(function, unit.source)
    outside = frozenset(n.name for n in names.outside(region) if isinstance(n, c_ast.ID))
    in_front = {n.name for n in names.outside(region) if isinstance(n, c_ast.Decl)}
    parameters = {node.name for node in own if isinstance(node, c_ast.Decl)}
    data = data_names(function)

    def is_candidate(one: str) -> bool:
        nodes = declared.get(one, [])
        if not nodes or one in unit.parameters or one in outside:
            return False
        if one in parameters and one not in assigned:
            return False
        if any("static" in node.storage for node in nodes):
            return False
        if any(isinstance(node.type, c_ast.PtrDecl) for node in nodes):
            return True
        if one in taken:
            return False
        if any(isinstance(node.type, c_ast.ArrayDecl) for node in nodes):
            return one in parameters and one in assigned
        if one in assigned or one in unit.arguments or one in used_late:
            return True
        # A value that nothing changes, as in `int below = y + 1`; in front the reader knows it.
        inside = one not in headed and one not in in_front
        return inside and any(
            node.init is not None and not _is_test(node.init, data) for node in nodes
        )

    candidates = {one for one in declared if is_candidate(one)}
    pointers = {
        one
        for one in candidates
        if any(isinstance(node.type, (c_ast.PtrDecl, c_ast.ArrayDecl)) for node in declared[one])
    }
    wanted = {one for one in candidates if one in unit.arguments} | pointers
    for node in nodes_of(function.body):
        wanted |= candidates & _index_names(node)
    while True:
        more: set[str] = set()
        for node in nodes_of(function.body):
            target, value = _assigned(node)
            if target in wanted and value is not None:
                more |= candidates & used_names(value)
        if more <= wanted:
            return wanted
        wanted |= more


def _is_test(node: Any, data: frozenset[str]) -> bool:
    """Whether an expression says what data decide: that is kept, and not asked again."""
    is_truth = isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||")
    return is_truth and holds_data(node, data)


def _counters(body: Any) -> list[Any]:
    """The IDs that headers of `for` loops set and step, where they are the only variable."""
    found = []
    for node in nodes_of(body):
        if isinstance(node, c_ast.For) and (counter := _counter(node)):
            for part in (node.init, node.next):
                found += [t for t in names.assignments(part) if t.name == counter]
    return found


def _used_behind_loops(body: Any) -> set[str]:
    """Variables that a `for` loop counts and that are used outside of such loops."""
    counted: set[str] = set()
    loose: set[str] = set()

    def visit(node: Any, inside: frozenset[str]) -> None:
        if isinstance(node, c_ast.For) and isinstance(node.init, c_ast.Assignment):
            counter = _counter(node)
            if counter:
                counted.add(counter)
                inside = inside | {counter}
                visit(node.init.rvalue, inside - {counter})
                for part in (node.cond, node.next, node.stmt):
                    if part is not None:
                        visit(part, inside)
                return
        if isinstance(node, c_ast.ID) and node.name not in inside:
            loose.add(node.name)
        for child in node:
            visit(child, inside)

    visit(body, frozenset())
    return counted & loose


def _index_names(node: Any) -> frozenset[str]:
    """The names in what a node needs to be an index, bound or condition."""
    match node:
        case c_ast.ArrayRef():
            return used_names(node.subscript)
        case c_ast.For():
            parts = [p for p in (node.init, node.cond, node.next) if p is not None]
            own = _counter(node)
            found = frozenset().union(*map(used_names, parts))
            return found - {own} if own else found
        case c_ast.While() | c_ast.DoWhile() | c_ast.If():
            return used_names(node.cond)
        case c_ast.UnaryOp(op="*"):
            return used_names(node.expr)
    return frozenset()


def _assigned(node: Any) -> tuple[str, Any]:
    match node:
        case c_ast.Assignment(lvalue=c_ast.ID(name=target)):
            return target, node.rvalue
        case c_ast.Decl() if node.name:
            return node.name, node.init
    return "", None


def _counter(node: Any) -> str:
    """The only variable of a loop of `for` that sets, tests and steps it; "" where it is none."""
    match node.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=own) as one]) if one.init is not None:
            counter = str(own)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=own)):
            counter = str(own)
        case _:
            return ""
    step = _step(node.next, counter)
    inside = names.assigned_names(node.stmt)
    return counter if step is not None and counter not in inside and node.cond is not None else ""


def _step(node: Any, counter: str) -> Linear | None:
    """By how much a statement steps a variable; None where it does not, or does more."""
    match node:
        case c_ast.UnaryOp(op="++" | "p++", expr=c_ast.ID(name=own)) if own == counter:
            return Linear({}, 1)
        case c_ast.UnaryOp(op="--" | "p--", expr=c_ast.ID(name=own)) if own == counter:
            return Linear({}, -1)
        case c_ast.Assignment(op="+=" | "-=" as op, lvalue=c_ast.ID(name=own)) if own == counter:
            return linear(node.rvalue).times(1 if op == "+=" else -1)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=own)) if own == counter:
            whole = linear(node.rvalue)
            return whole.without(own) if whole.factor(own) == 1 else None
    return None


def _sum(left: Any, right: Any, coord: Any) -> Any:
    if isinstance(left, c_ast.Constant) and left.value == "0":
        return right
    return c_ast.BinaryOp("+", left, right, coord)


# The walk.


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Statements with the values of `tracked` variables put in.

    `failed` are those that are used where their value is not known. `trying` is on while only
    the effect of a loop's body is looked for.
    """

    unit: Unit
    tracked: frozenset[str]
    failed: set[str] = field(default_factory=set)
    trying: int = 0
    scope: Scope = field(default_factory=Scope)

    def region(self, items: list[Any]) -> list[Any]:
        function = self.unit.function
        self.scope = self.unit.file_scope().inner()
        environment: Environment = dict.fromkeys(self.tracked)
        own = function.decl.type.args.params if function.decl.type.args else []
        for node in own:
            if isinstance(node, c_ast.Decl):
                declare(node, self.scope, "parameter")
                if node.name in self.tracked:
                    given = c_ast.ID(_GIVEN + node.name, node.coord)
                    is_array = isinstance(node.type, (c_ast.PtrDecl, c_ast.ArrayDecl))
                    environment[node.name] = Pointer(given, integer(0)) if is_array else given
        inside = set(map(id, items))
        for node in function.body.block_items or []:
            if id(node) in inside:
                break
            if isinstance(node, c_ast.Decl):
                declare(node, self.scope, "local")
                if node.name in self.tracked:
                    self.take(environment, node.name, node.init)
            elif isinstance(node, c_ast.Typedef):
                declare(node, self.scope, "local")
        found, _ = self.block(items, environment)
        return found

    def without_declarations(self, unit: Unit) -> Unit:
        """The unit without the declarations of variables that nothing uses any more."""
        gone = self.tracked - used_names(unit.function.body)

        def replaced(node: Any) -> Any | None:
            match node:
                case c_ast.For():
                    parts = {
                        key: rewrite(getattr(node, key), renamed)
                        for key in ("init", "cond", "next")
                        if getattr(node, key) is not None
                    }
                    return changed(node, stmt=rewrite(node.stmt, replaced), **parts)
                case c_ast.Decl() if node.name in gone:
                    return []
            return renamed(node)

        def renamed(node: Any) -> Any | None:
            if isinstance(node, c_ast.ID) and node.name.startswith(_GIVEN):
                return name(node.name.removeprefix(_GIVEN), node.coord)
            return None

        return unit.with_function(
            changed(unit.function, body=rewrite(unit.function.body, replaced))
        )

    # Statements. An environment of None is that of a place that is never reached.

    def block(
        self, items: Sequence[Any], environment: Environment | None
    ) -> tuple[list[Any], Environment | None]:
        outer, self.scope = self.scope, self.scope.inner()
        found: list[Any] = []
        for item in items:
            if environment is None:
                break
            new, environment = self.statement(item, environment)
            found += new
        self.scope = outer
        return found, environment

    def statement(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        match node:
            case c_ast.Compound():
                old = items_of(node)
                new, after = self.block(old, environment)
                same = len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
                return [node if same else changed(node, block_items=new)], after
            case c_ast.If():
                return self.branch(node, environment)
            case c_ast.For():
                return self.loop(node, environment)
            case c_ast.While() | c_ast.DoWhile():
                return self.loose_loop(node, environment)
            case c_ast.Label():
                new, after = self.statement(node.stmt, environment)
                if len(new) == 1:
                    return [node if new[0] is node.stmt else changed(node, stmt=new[0])], after
                if not new:
                    return [], after
                return [changed(node, stmt=block(new, node.coord))], after
            case c_ast.Break():
                return [node], None
            case c_ast.Decl():
                return self.declared(node, environment), environment
            case c_ast.Typedef():
                declare(node, self.scope, "region")
                return [node], environment
        target, value = self.step_of(node)
        if target in self.tracked:
            self.take(environment, target, value)
            return [], environment
        new = self.expression(node, environment)
        for changed_name in names.assigned_names(node):
            self.forget(environment, changed_name)
        return [new], environment

    def declared(self, node: Any, environment: Environment) -> list[Any]:
        kept = node
        if node.name not in self.tracked:
            if node.init is not None and not isinstance(node.init, c_ast.InitList):
                value = self.expression(node.init, environment)
                kept = node if value is node.init else changed(node, init=value)
            kind = self.expression(kept.type, environment)
            kept = kept if kind is kept.type else changed(kept, type=kind)
        declare(kept, self.scope, "region")
        self.forget(environment, node.name)
        if node.name not in self.tracked:
            return [kept]
        self.take(environment, node.name, node.init)
        return []

    def step_of(self, node: Any) -> tuple[str, Any]:
        """The variable that a statement sets and its new value, as an expression."""
        match node:
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" as op, expr=c_ast.ID(name=own)):
                sign = "+" if "+" in op else "-"
                value = c_ast.BinaryOp(
                    sign, name(own, node.coord), integer(1, node.coord), node.coord
                )
                return own, value
            case c_ast.Assignment(op=op, lvalue=c_ast.ID(name=own)):
                if op == "=":
                    return own, node.rvalue
                value = c_ast.BinaryOp(op[:-1], name(own, node.coord), node.rvalue, node.coord)
                return own, value
        return "", None

    def take(self, environment: Environment, target: str, value: Any) -> None:
        """Note the new value of a tracked variable."""
        found = None if value is None else self.value_for(target, value, environment)
        environment[target] = found

    def forget(self, environment: Environment, changed_name: str) -> None:
        """Values that are made of a variable are not known once it changes."""
        for one, value in environment.items():
            if value is not None and changed_name in _names_in(value):
                environment[one] = None

    def branch(self, node: Any, environment: Environment) -> tuple[list[Any], Environment | None]:
        condition = self.expression(node.cond, environment)
        then, first = self.inner(node.iftrue, dict(environment))
        otherwise, second = self.inner(node.iffalse, dict(environment))
        same = condition is node.cond and then is node.iftrue and otherwise is node.iffalse
        new = node if same else changed(node, cond=condition, iftrue=then, iffalse=otherwise)
        return [new], self.merged(condition, first, second)

    def inner(self, node: Any, environment: Environment) -> tuple[Any, Environment | None]:
        """A statement where only one may stand."""
        if node is None:
            return None, environment
        outer, self.scope = self.scope, self.scope.inner()
        found, after = self.statement(node, environment)
        self.scope = outer
        return (found[0] if len(found) == 1 else block(found, node.coord)), after

    def merged(
        self, condition: Any, first: Environment | None, second: Environment | None
    ) -> Environment | None:
        """What is known behind a branch: a choice where both sides know, and the condition too."""
        if first is None or second is None:
            return second if first is None else first
        found: Environment = {}
        for one in first:
            a, b = first[one], second[one]
            if _same(a, b):
                found[one] = a
            elif self.is_index(condition) and a is not None and b is not None:
                found[one] = _choice(condition, a, b)
            else:
                found[one] = None
        return found

    # Loops.

    def loop(self, node: Any, environment: Environment) -> tuple[list[Any], Environment | None]:
        counter = _counter(node)
        if not counter:
            return self.loose_for(node, environment)
        given = isinstance(node.init, c_ast.DeclList)
        first = node.init.decls[0].init if given else node.init.rvalue
        start = self.expression(first, environment)
        step = _step(node.next, counter)
        assert step is not None
        amount = linear(self.expression(step.node(node.coord), environment))
        self.forget(environment, counter)
        before = dict(environment)
        outer, self.scope = self.scope, self.scope.inner()
        kind = node.init.decls[0] if given else self._declaration_of(counter)
        if kind is not None:
            declare(declaration(kind.type, counter, None, node.coord), self.scope, "region")
        inside = self.into_loop(
            environment, node.stmt, c_ast.ID(counter, node.coord), start, amount, counter
        )
        condition = self.expression(node.cond, inside)
        body, _ = self.inner(node.stmt, dict(inside))
        self.scope = outer
        end = self.end_of(condition, counter, start, amount)
        after = self.behind(before, inside, node.stmt, counter, end)
        init = node.init
        if start is not first:
            init = (
                changed(init, decls=[changed(init.decls[0], init=start)])
                if given
                else changed(init, rvalue=start)
            )
        if counter in self.tracked and not given:
            assert kind is not None
            init = c_ast.DeclList([declaration(kind.type, counter, start, node.coord)], node.coord)
        following = node.next
        if self.names_tracked(following, counter):
            following = c_ast.Assignment(
                "+=", name(counter, node.coord), amount.node(node.coord), node.coord
            )
        parts = {"init": init, "cond": condition, "next": following, "stmt": body}
        same = all(getattr(node, key) is value for key, value in parts.items())
        return [node if same else changed(node, **parts)], after

    def names_tracked(self, node: Any, counter: str) -> bool:
        return bool((used_names(node) - {counter}) & self.tracked)

    def _declaration_of(self, own: str) -> Any:
        symbol = self.scope.find(own)
        return symbol.declaration if isinstance(symbol, Variable) else None

    def into_loop(
        self,
        environment: Environment,
        body: Any,
        counter: Any,
        start: Any,
        amount: Linear,
        own: str,
    ) -> Environment:
        """The environment at the beginning of a turn.

        `amount` is by how much the loop's variable `counter` goes on from `start` in a turn.
        """
        turns = None
        if amount.is_constant() and amount.constant:
            distance = linear(counter).plus(linear(start), -1)
            size = abs(amount.constant)
            distance = distance.times(1 if amount.constant > 0 else -1)
            turns = distance.node(counter.coord)
            if size > 1:
                turns = c_ast.BinaryOp("/", turns, integer(size, counter.coord), counter.coord)
        steps = self.steps(body, environment, own)
        inside: Environment = {}
        for one, value in environment.items():
            moved = steps.get(one)
            if moved is _UNCHANGED or one == own:
                inside[one] = value
            elif moved is None or value is None or turns is None:
                inside[one] = None
            elif isinstance(moved, Cyclic):
                inside[one] = moved.value(value, turns)
            else:
                inside[one] = _moved(value, moved, turns)
        if own in self.tracked:
            inside[own] = counter
        varying = names.assigned_names(body) - self.tracked
        for one in varying | _declared_in(body):
            self.forget(inside, one)
        return inside

    def steps(self, body: Any, environment: Environment, own: str) -> dict[str, Any]:
        """By how much each turn of a loop steps a tracked variable, where that never varies."""
        marks: Environment = {}
        assigned = names.assigned_names(body)
        for one, value in environment.items():
            if one == own or one not in assigned:
                marks[one] = value
            else:
                mark = c_ast.ID(_MARK + one)
                marks[one] = mark
                if isinstance(value, Pointer):
                    marks[one] = Pointer(value.base, mark, value.is_array)
        varying = assigned - self.tracked
        self.trying += 1
        failed = set(self.failed)
        _, after = self.inner(body, marks)
        self.failed = failed
        self.trying -= 1
        found: dict[str, Any] = {}
        for one, value in environment.items():
            if one not in assigned or one == own:
                found[one] = _UNCHANGED
                continue
            new = None if after is None else after[one]
            found[one] = self.step_between(one, value, new, varying | {own} | _declared_in(body))
        return found

    def step_between(
        self, one: str, old: Value | None, new: Value | None, varying: frozenset[str]
    ) -> Linear | Cyclic | None:
        if new is None:
            return None
        if _same(new, old) and not _names_in(new) & varying:
            return Linear({}, 0)  # set again to what it was before the loop
        if not isinstance(new, Pointer) and (cycle := _cycle(new, _MARK + one)) is not None:
            return cycle
        if isinstance(new, Pointer):
            if not isinstance(old, Pointer) or not _same(new.base, old.base):
                return None
            new = new.offset
        whole = linear(new)
        if whole.factor(_MARK + one) != 1:
            return None
        step = whole.without(_MARK + one)
        free = step.names()
        if any(used.startswith(_MARK) for used in free) or free & varying:
            return None
        return step

    def behind(
        self, before: Environment, inside: Environment, body: Any, counter: str, end: Any | None
    ) -> Environment:
        """What is known behind a loop: the values at the turn in which its condition fails."""
        after: Environment = {}
        assigned = names.assigned_names(body)
        if _breaks(body):
            end = None
        for one, value in before.items():
            if one == counter and one in self.tracked:
                after[one] = end
            elif one not in assigned:
                after[one] = value
            elif end is None or inside[one] is None:
                after[one] = None
            else:
                after[one] = _with_counter(inside[one], counter, end)
        for one in assigned | _declared_in(body):
            self.forget(after, one)
        return after

    def end_of(self, condition: Any, counter: str, start: Any, amount: Linear) -> Any | None:
        """The value of a loop's variable when its condition first fails."""
        if not amount.is_constant() or not isinstance(condition, c_ast.BinaryOp):
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
            return first.plus(Linear({}, turns * step)).node(condition.coord)
        if abs(step) != 1:
            return None
        if operator == "!=" or self.never_negative(distance):
            return limit.node(condition.coord)
        end, begin = limit.node(condition.coord), first.node(condition.coord)
        test = c_ast.BinaryOp(">", distance.node(condition.coord), integer(0), condition.coord)
        return c_ast.TernaryOp(test, end, begin, condition.coord)

    def never_negative(self, value: Linear) -> bool:
        """Whether a sum of parameters, each at least 1 by its context, is none below 0."""
        least = value.constant
        for factor, term in value.terms.values():
            if factor < 0 or not isinstance(term, c_ast.ID):
                return False
            if term.name not in self.unit.positive:
                return False
            least += factor
        return least >= 0

    def loose_loop(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        """A loop of `while` or `do` as one of `for` over an induction variable."""
        found = self.variable_of(node, environment, self.steps(node.stmt, environment, ""))
        if found is None:
            for one in names.assigned_names(node.stmt) | _declared_in(node.stmt):
                self.forget(environment, one)
                if one in environment:
                    environment[one] = None
            condition = self.expression(node.cond, environment)
            body, _ = self.inner(node.stmt, dict(environment))
            same = condition is node.cond and body is node.stmt
            return [node if same else changed(node, cond=condition, stmt=body)], environment
        counter, kind, amount = found
        start = environment[counter]
        before = dict(environment)
        outer, self.scope = self.scope, self.scope.inner()
        self.forget(environment, counter)
        variable = c_ast.ID(counter, node.coord)
        declare(declaration(kind, counter, None, node.coord), self.scope, "region")
        inside = self.into_loop(environment, node.stmt, variable, start, amount, "")
        inside[counter] = variable
        condition = self.expression(node.cond, inside)
        if isinstance(node, c_ast.DoWhile):
            first = c_ast.BinaryOp("==", variable, fresh(start, node.coord), node.coord)
            whole = c_ast.BinaryOp("||", first, condition, node.coord)
        else:
            whole = condition
        body, _ = self.inner(node.stmt, dict(inside))
        self.scope = outer
        end = self.end_of(whole, counter, start, amount)
        after = self.behind(before, inside, node.stmt, counter, end)
        first_value = declaration(kind, counter, fresh(start, node.coord), node.coord)
        new = c_ast.For(
            c_ast.DeclList([first_value], node.coord),
            whole,
            c_ast.Assignment("+=", variable, amount.node(node.coord), node.coord),
            body,
            node.coord,
        )
        return [new], after

    def loose_for(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        """A loop of `for` with several variables, or none: one with `while`, if that counts."""
        failed = set(self.failed)
        found, after = self.statement(_as_while(node), dict(environment))
        if not any(
            isinstance(p, c_ast.While) and p.coord is node.coord for p in nodes_of(found[0])
        ):
            return found, after
        self.failed |= failed | (names.assigned_names(node) & self.tracked)
        for one in names.assigned_names(node) | _declared_in(node):
            self.forget(environment, one)
            if one in environment:
                environment[one] = None
        body, _ = self.inner(node.stmt, dict(environment))
        return [node if body is node.stmt else changed(node, stmt=body)], environment

    def variable_of(
        self, node: Any, environment: Environment, steps: dict[str, Any]
    ) -> tuple[str, Any, Linear] | None:
        """The induction variable that counts a loop, its type and its step."""
        tested = used_names(node.cond)
        ordered = sorted(environment, key=lambda one: (one not in tested, one))
        for one in ordered:
            step, value = steps[one], environment[one]
            symbol = self.scope.find(one)
            if not isinstance(step, Linear) or value is None or isinstance(value, Pointer):
                continue
            if not step.is_constant() or not step.constant or not isinstance(symbol, Variable):
                continue
            if one not in tested and not _breaks(node.stmt):
                continue
            return one, symbol.declaration.type, step
        return None

    # Expressions.

    def expression(self, node: Any, environment: Environment) -> Any:
        """An expression, or the whole of a statement, with values put in."""

        def replaced(part: Any) -> Any | None:
            match part:
                case c_ast.ID():
                    return self.used(part, environment)
                case c_ast.StructRef(type="->"):
                    pointer = self.pointer(part.name, environment)
                    if pointer is not None:
                        element = pointer.element(integer(0, part.coord), part.coord)
                        if element is not None:
                            return c_ast.StructRef(element, ".", part.field, part.coord)
                    return changed(part, name=rewrite(part.name, replaced))
                case c_ast.StructRef():
                    new = rewrite(part.name, replaced)
                    return part if new is part.name else changed(part, name=new)
                case c_ast.ArrayRef():
                    pointer = self.pointer(part.name, environment)
                    if pointer is not None:
                        subscript = rewrite(part.subscript, replaced)
                        return pointer.element(subscript, part.coord) or part
                    if isinstance(part.subscript, c_ast.Node):
                        new = rewrite(part.subscript, replaced)
                        whole = new if new is part.subscript else simplified(new)
                        base = rewrite(part.name, replaced)
                        same = whole is part.subscript and base is part.name
                        return part if same else c_ast.ArrayRef(base, whole, part.coord)
                case c_ast.UnaryOp(op="*"):
                    pointer = self.pointer(part.expr, environment)
                    if pointer is not None:
                        return pointer.element(integer(0, part.coord), part.coord) or part
            return None

        return rewrite(node, replaced)

    def used(self, node: Any, environment: Environment) -> Any | None:
        if node.name not in environment:
            return None
        value = environment[node.name]
        if value is None:
            self.failed.add(node.name)
            return node
        if isinstance(value, Pointer):
            if not value.is_array:
                return c_ast.UnaryOp("&", fresh(value.base, node.coord), node.coord)
            offset = linear(value.offset)
            base = fresh(value.base, node.coord)
            if offset.is_constant() and not offset.constant:
                return base
            return c_ast.BinaryOp("+", base, fresh(value.offset, node.coord), node.coord)
        return fresh(value, node.coord)

    def pointer(self, node: Any, environment: Environment) -> Pointer | None:
        """What an expression points to where it is made of a local pointer or an address."""
        match node:
            case c_ast.ID() if node.name in environment and self.is_pointer(node.name):
                found = environment[node.name]
                if isinstance(found, Pointer):
                    return found
                self.failed.add(node.name)
            case c_ast.UnaryOp(op="&"):
                return self.address(node.expr, environment)
            case c_ast.BinaryOp(op="+" | "-" as op):
                left = self.pointer(node.left, environment)
                other = node.right
                if left is None and op == "+":
                    left, other = self.pointer(node.right, environment), node.left
                if left is not None and left.is_array:
                    amount = self.expression(other, environment)
                    offset = c_ast.BinaryOp(op, left.offset, amount, node.coord)
                    return Pointer(left.base, simplified(offset))
        return None

    def address(self, node: Any, environment: Environment) -> Pointer | None:
        """What `&node` points to."""
        new = self.expression(node, environment)
        match new:
            case c_ast.ArrayRef():
                return Pointer(new.name, new.subscript)
            case c_ast.ID():
                symbol = self.scope.find(new.name)
                if isinstance(symbol, Variable) and not symbol.shape.extents:
                    return Pointer(new, integer(0), False)
        return None

    def is_pointer(self, own: str) -> bool:
        symbol = self.scope.find(own)
        return isinstance(symbol, Variable) and symbol.shape.pointer

    # Values of variables.

    def value_for(self, target: str, node: Any, environment: Environment) -> Value | None:
        """The value of an expression for a variable of its type; None where it is none to keep."""
        symbol = self.scope.find(target)
        if not isinstance(symbol, Variable):
            return None
        if symbol.shape.pointer:
            found = self.decayed(node, environment)
            if found is None or not self.fits(symbol.shape, found):
                return None
            return found
        new = self.expression(node, environment)
        if not self.is_index(new) or not isinstance(symbol.shape.scalar, IntegerType):
            return None
        if symbol.shape.volatile:
            return None
        kind = self.type_of(new)
        if kind != symbol.shape.scalar:
            plain = symbol.declaration.type
            typename = c_ast.Typename(
                name=None,
                quals=[],
                align=None,
                type=c_ast.TypeDecl(declname=None, quals=[], align=None, type=plain.type),
            )
            return c_ast.Cast(typename, new, node.coord)
        return simplified(new)

    def decayed(self, node: Any, environment: Environment) -> Pointer | None:
        """The pointer that an expression is, an array or a row being one to its beginning."""
        found = self.pointer(node, environment)
        if found is not None:
            return found
        match node:
            case c_ast.BinaryOp(op="+" | "-" as op):
                left, other = self.decayed(node.left, environment), node.right
                if left is None and op == "+":
                    left, other = self.decayed(node.right, environment), node.left
                if left is None or not left.is_array:
                    return None
                amount = self.expression(other, environment)
                offset = c_ast.BinaryOp(op, left.offset, amount, node.coord)
                return Pointer(left.base, simplified(offset))
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*") | c_ast.StructRef():
                new = self.expression(node, environment)
                if self.pointee(new) is not None:
                    return Pointer(new, integer(0))
        return None

    def pointee(self, node: Any) -> tuple[Variable, int] | None:
        """The variable of an array or a row, and how many subscripts it has already."""
        count = 0
        while isinstance(node, c_ast.ArrayRef):
            node, count = node.name, count + 1
        symbol = self.scope.find(_plain(node.name)) if isinstance(node, c_ast.ID) else None
        if not isinstance(symbol, Variable) or count >= len(symbol.shape.extents):
            return None
        return symbol, count

    def fits(self, shape: Shape, pointer: Pointer) -> bool:
        """Whether a pointer may be used as its declared type says: same elements, same rows."""
        if not pointer.is_array:
            symbol = self.scope.find(pointer.base.name)
            assert isinstance(symbol, Variable)
            same = symbol.shape.scalar == shape.scalar and shape.scalar is not None
            return same and len(shape.extents) == 1
        found = self.pointee(pointer.base)
        if found is None:
            return False
        symbol, count = found
        if (symbol.shape.scalar, symbol.shape.members) != (shape.scalar, shape.members):
            return False
        rows, own = symbol.shape.extents[count + 1 :], shape.extents[1:]
        if len(rows) != len(own):
            return False
        pairs = zip(rows, own, strict=True)
        return all(self.equal(a, symbol.home, b, self.scope) for a, b in pairs)

    def equal(self, left: Any, outer: Scope, right: Any, inner: Scope) -> bool:
        if left is None or right is None:
            return False
        try:
            return bool(quantity(left, outer) == quantity(right, inner))
        except UnknownExtentError:
            return text_of(left) == text_of(right)

    def is_index(self, node: Any) -> bool:
        """Whether an expression is computed of names and constants alone, all of them stable."""
        match node:
            case c_ast.Constant():
                return integer_literal(node) is not None
            case c_ast.ID():
                return self.is_stable(node.name)
            case c_ast.BinaryOp():
                return self.is_index(node.left) and self.is_index(node.right)
            case c_ast.UnaryOp(op="+" | "-" | "~" | "!"):
                return self.is_index(node.expr)
            case c_ast.TernaryOp():
                return all(map(self.is_index, (node.cond, node.iftrue, node.iffalse)))
            case c_ast.Cast():
                kind = shape_of(node.to_type.type, self.scope)
                return isinstance(kind.scalar, IntegerType) and self.is_index(node.expr)
            case c_ast.FuncCall():
                arguments = node.args.exprs if node.args else []
                return is_pure_call(node, self.scope) and all(map(self.is_index, arguments))
        return False

    def is_stable(self, own: str) -> bool:
        if own.startswith(_MARK):
            return True
        symbol = self.scope.find(_plain(own))
        if isinstance(symbol, (Parameter, IntegerConstant)):
            return True
        return (
            isinstance(symbol, Variable)
            and isinstance(symbol.shape.scalar, IntegerType)
            and (not symbol.shape.extents and not symbol.shape.volatile and symbol.scope != "file")
        )

    def type_of(self, node: Any) -> IntegerType | None:
        """The C type of an integer expression; None where it is not known."""
        match node:
            case c_ast.Constant():
                found = integer_literal(node)
                return found[1] if found else None
            case c_ast.ID():
                symbol = self.scope.find(_plain(node.name))
                match symbol:
                    case Parameter() | IntegerConstant():
                        return symbol.type
                    case Variable(shape=Shape(scalar=IntegerType() as kind)):
                        return kind
                return None
            case c_ast.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
                return INT
            case c_ast.BinaryOp(op=op):
                left, right = self.type_of(node.left), self.type_of(node.right)
                if left is None or right is None:
                    return None
                return left.promoted() if op in ("<<", ">>") else left.common(right)
            case c_ast.UnaryOp(op="!"):
                return INT
            case c_ast.UnaryOp():
                inner = self.type_of(node.expr)
                return None if inner is None else inner.promoted()
            case c_ast.TernaryOp():
                left, right = self.type_of(node.iftrue), self.type_of(node.iffalse)
                return None if left is None or right is None else left.common(right)
            case c_ast.Cast():
                target = shape_of(node.to_type.type, self.scope).scalar
                return None if isinstance(target, FloatType) else target
        return None


# Nodes and values.

_MARK = "at the start of the turn: "
_GIVEN = "as given: "  # what a parameter of the function is before it is stepped
_UNCHANGED = object()


def _plain(own: str) -> str:
    return own.removeprefix(_MARK).removeprefix(_GIVEN)


def _names_in(value: Value) -> frozenset[str]:
    if isinstance(value, Pointer):
        return used_names(value.base) | used_names(value.offset)
    return used_names(value)


def _same(left: Value | None, right: Value | None) -> bool:
    if left is None or right is None:
        return left is right
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        if not isinstance(left, Pointer) or not isinstance(right, Pointer):
            return False
        return _same(left.base, right.base) and _same(left.offset, right.offset)
    return text_of(left) == text_of(right)


def _choice(condition: Any, left: Value, right: Value) -> Value | None:
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        if not isinstance(left, Pointer) or not isinstance(right, Pointer):
            return None
        if not _same(left.base, right.base) or not left.is_array:
            return None
        offset = c_ast.TernaryOp(condition, left.offset, right.offset, condition.coord)
        return Pointer(left.base, offset)
    return c_ast.TernaryOp(condition, left, right, condition.coord)


def _moved(value: Value, step: Linear, turns: Any) -> Value:
    """A value that was stepped in every turn of a loop so far."""
    if isinstance(value, Pointer):
        return Pointer(value.base, _moved(value.offset, step, turns), value.is_array)
    if step.is_constant():
        return linear(value).plus(linear(turns), step.constant).node(value.coord)
    product = c_ast.BinaryOp("*", step.node(value.coord), turns, value.coord)
    return linear(value).plus(linear(product)).node(value.coord)


def _cycle(new: Any, mark: str) -> Cyclic | None:
    """`(v + 1) % 3`, and `v == 2 ? 0 : v + 1` with its other spellings, as a cycle from 0 on."""
    match new:
        case c_ast.BinaryOp(op="%", left=left, right=right):
            whole, modulus = linear(left), linear(right)
            step = whole.without(mark)
            known = step.is_constant() and modulus.is_constant() and whole.factor(mark) == 1
            if known and step.constant >= 0 and modulus.constant > 0:
                return Cyclic(step.constant, modulus.constant)
        case c_ast.TernaryOp(
            cond=c_ast.BinaryOp(op="==" | "!=" | ">=" | "<" | ">" | "<=" as op) as test
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


def _with_counter(value: Value, counter: str, end: Any) -> Value:
    """A value with the variable of a loop at its end."""
    if isinstance(value, Pointer):
        return Pointer(
            _with_counter(value.base, counter, end),
            _with_counter(value.offset, counter, end),
            value.is_array,
        )

    def replaced(node: Any) -> Any | None:
        return fresh(end) if isinstance(node, c_ast.ID) and node.name == counter else None

    return simplified(rewrite(value, replaced))


def _declared_in(body: Any) -> frozenset[str]:
    return frozenset(n.name for n in nodes_of(body) if isinstance(n, c_ast.Decl) and n.name)


def _breaks(body: Any) -> bool:
    """Whether a `break` leaves the loop of a body."""
    if isinstance(body, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch)):
        return False
    return isinstance(body, (c_ast.Break, c_ast.Return)) or any(map(_breaks, body))


def _as_while(node: Any) -> Any:
    """A loop of `for` with several variables, or none, as one with `while`."""
    first = [] if node.init is None else [node.init]
    match node.init:
        case c_ast.DeclList():
            first = list(node.init.decls)
        case c_ast.ExprList():
            first = list(node.init.exprs)
    last = [] if node.next is None else [node.next]
    if isinstance(node.next, c_ast.ExprList):
        last = list(node.next.exprs)
    condition = node.cond if node.cond is not None else integer(1, node.coord)
    body = block([*items_of(node.stmt), *last], node.coord)
    return block([*first, c_ast.While(condition, body, node.coord)], node.coord)
