"""Index variables and pointers: what they hold, put where they are used.

A walk over the region knows the value of every such variable at every place, as an expression
over loop variables and parameters; a pointer is an array and the number of elements behind its
beginning. In a loop that steps a variable by the same amount in each iteration its value is a
closed form (an induction variable, as in Aho, Lam, Sethi, Ullman, section 9.1). A loop whose
condition is on an induction variable becomes one with `for`. Variables that have no such value
somewhere stay as they are, all of their text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.closed_forms.induction_variables import end_of, step_between, turns_so_far
from hlsmem.read.c.normal.closed_forms.loop_formulas import with_formulas
from hlsmem.read.c.normal.control_flow.condition_splitting import (
    Known,
    assumed,
    settled,
    without_implied,
)
from hlsmem.read.c.normal.control_flow.decided_branches import Test, decided
from hlsmem.read.c.normal.control_flow.loop_headers import (
    Facts,
    as_test,
    as_while,
    is_loose,
    step_in,
)
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.index_values import GIVEN, MARK, Cut, Cyclic, Environment, Pointer
from hlsmem.read.c.normal.scalars.index_variables import index_variables, stepped_parameters
from hlsmem.read.c.normal.scalars.integer_types import is_index
from hlsmem.read.c.normal.scalars.linear_sums import Linear, linear
from hlsmem.read.c.normal.scalars.scalar_environments import (
    behind,
    forget,
    in_turn,
    lose,
    merged,
    stepped_within,
)
from hlsmem.read.c.normal.scalars.substitution import Substitution
from hlsmem.read.c.operations import assigned, binary
from hlsmem.read.c.symbols import Variable, declare
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import UNTYPED, Number
from hlsmem.read.c.trees import (
    block,
    changed,
    declaration,
    fresh,
    integer,
    items_of,
    name,
    nodes_of,
    nodes_of_body,
    rewrite,
    used_names,
)
from hlsmem.read.c.types import scalar_type


def replace_indices(unit: Unit) -> Unit:
    """The unit without index variables, induction variables and local pointers."""
    tracked = index_variables(unit)
    is_tried = is_reduced = False
    facts = Facts()
    while True:
        if not tracked and not any(map(is_loose, nodes_of_body(unit.function))):
            return unit
        walk = _Walk(unit, frozenset(tracked), facts)
        found = unit.with_region(walk.region)
        if not walk.into.failed:
            new = _without_declarations(found, tracked)
            is_counted = is_reduced and _loose_loops(new) < _loose_loops(unit)
            return replace_indices(new) if is_counted else new
        made = unit if is_tried else with_formulas(unit, walk.into.failed)
        is_tried = True
        if made is not unit:
            unit, tracked = made, index_variables(made)
        else:
            is_reduced = True
            tracked = _still_tracked(unit, tracked, walk.into.failed, facts)


def _loose_loops(unit: Unit) -> int:
    return sum(map(is_loose, nodes_of_body(unit.function)))


def _still_tracked(
    unit: Unit, tracked: set[str], failed: Collection[str], facts: Facts
) -> set[str]:
    """The variables that did not fail, and those of the others that fail beside others alone."""
    kept = tracked - set(failed)
    for one in sorted(failed) if len(failed) > 1 else ():
        walk = _Walk(unit, frozenset({*kept, one}), facts, ends_early=True)
        with suppress(_Failed):
            unit.with_region(walk.region)
            kept |= {one} - walk.into.failed
    return kept


def _without_declarations(unit: Unit, tracked: set[str]) -> Unit:
    """The unit without the declarations of variables that nothing uses any more."""
    gone = tracked - used_names(unit.function.body, free=True)

    def replaced(node: Any) -> Any | None:
        match node:
            case tree.For():
                parts = {
                    key: rewrite(getattr(node, key), renamed)
                    for key in ("init", "cond", "next")
                    if getattr(node, key) is not None
                }
                return changed(node, stmt=rewrite(node.stmt, replaced), **parts)
            case tree.Decl() if node.name in gone:
                return []
        return renamed(node)

    def renamed(node: Any) -> Any | None:
        if isinstance(node, tree.ID) and node.name.startswith(GIVEN):
            return name(node.name.removeprefix(GIVEN), node.type, node.place)
        return None

    return unit.with_function(changed(unit.function, body=rewrite(unit.function.body, replaced)))


class _Failed(Exception):
    """A variable is used where its value is not known."""


class _Walk:
    """Statements with the values of `tracked` variables put in.

    An environment has the tracked variables that are known where it holds. While `trying`, only
    the effect of statements is looked for, and what they become is not. One that `ends_early`
    raises _Failed at the first variable that fails, and what its statements become is of no use.
    """

    def __init__(
        self, unit: Unit, tracked: frozenset[str], facts: Facts, *, ends_early: bool = False
    ) -> None:
        self.ends_early = ends_early
        self.unit = unit
        self.tracked = tracked
        self.into = Substitution(unit.file_scope().inner())
        self.least = {**unit.least, **{GIVEN + one: least for one, least in unit.least.items()}}
        self.known = Known(self.least)
        self.first: dict[str, int] = {}  # the least values of counters around a place
        self.trying = False
        self.effect = facts.effect
        self.counter = facts.counter
        self.given = stepped_parameters(unit, tracked)

    def region(self, items: list[Any]) -> list[Any]:
        function, scope = self.unit.function, self.into.scope
        region = find_region(function, self.unit.source)
        in_front = {n.name for n in names.outside(region) if isinstance(n, tree.Decl)}
        environment: Environment = dict.fromkeys(sorted(in_front & self.tracked))
        for node in function.parameters:
            declare(node, scope, "parameter")
            if node.name in self.tracked:
                given = tree.ID(GIVEN + node.name, node.type, node.place)
                is_array = isinstance(node.type, (tree.Pointer, tree.Array))
                environment[node.name] = Pointer(given, integer(0)) if is_array else given
        inside = set(map(id, items))
        for node in function.body.block_items:
            if id(node) in inside:
                break
            if isinstance(node, tree.Decl):
                declare(node, scope, "local")
                if node.name in self.tracked:
                    self.take(environment, node.name, node.init)
        found, _ = self.block(items, environment)
        return found

    # Statements. An environment of None is that of a place that is never reached.

    def block(
        self, items: Sequence[Any], environment: Environment | None
    ) -> tuple[list[Any], Environment | None]:
        found: list[Any] = []
        hidden = set(environment or ())
        with self.into.block():
            for item in items:
                if environment is None:
                    break
                new, environment = self.statement(item, environment)
                if self.ends_early and self.into.failed and not self.trying:
                    raise _Failed
                found += new
        if environment is not None:
            forget(environment, {one.name for one in items if isinstance(one, tree.Decl)})
            for item in items:
                if isinstance(item, tree.Decl) and item.name in environment:
                    environment[item.name] = None
                    if item.name not in hidden:
                        del environment[item.name]
        return found, environment

    def statement(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        if (self.trying or self.ends_early) and self.is_idle(node):
            effect = self.effect(node)
            known_alone = () if isinstance(node, tree.If) else effect.declared
            forget(environment, effect.assigned.union(known_alone))
            return [node], environment
        match node:
            case tree.Compound():
                new, after = self.block(items_of(node), environment)
                return [changed(node, block_items=new)], after
            case tree.If():
                return self.branch(node, environment)
            case tree.For():
                return self.loop(node, environment)
            case tree.While() | tree.DoWhile():
                return self.loose_loop(node, environment)
            case tree.Label():
                new, after = self.statement(node.stmt, environment)
                if len(new) == 1:
                    return [node if new[0] is node.stmt else changed(node, stmt=new[0])], after
                if not new:
                    return [], after
                return [changed(node, stmt=block(new, node.place))], after
            case tree.Break():
                return [node], None
            case tree.Decl():
                return self.declared(node, environment), environment
        target, value = self.step_of(node)
        if target in self.tracked:
            self.take(environment, target, value)
            return [], environment
        new = self.into.expression(node, environment)
        forget(environment, self.effect(node).assigned)
        return [new], environment

    def is_idle(self, node: Any) -> bool:
        """True if a statement is nothing to a walk that does not ask what statements become."""
        effect = self.effect(node)
        if effect.breaks or isinstance(node, tree.Decl):
            return False
        touched = (effect.assigned, effect.declared, () if self.trying else effect.used)
        return all(map(self.tracked.isdisjoint, touched))

    def declared(self, node: Any, environment: Environment) -> list[Any]:
        kept = node
        if node.name not in self.tracked:
            is_asked = not self.trying and node.init is not None
            if is_asked and not isinstance(node.init, tree.InitList):
                value = self.into.expression(node.init, environment)
                kept = node if value is node.init else changed(node, init=value)
            kind = self.into.expression(kept.type, environment)
            kept = kept if kind is kept.type else changed(kept, type=kind)
        declare(kept, self.into.scope, "region")
        self.first = {one: least for one, least in self.first.items() if one != node.name}
        forget(environment, [node.name])
        if node.name not in self.tracked:
            return [kept]
        self.take(environment, node.name, node.init)
        return []

    def step_of(self, node: Any) -> tuple[str, Any]:
        """The variable that a statement sets and its new value, as an expression."""
        match node:
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" as op, expr=tree.ID(own, kind)):
                sign = "+" if "+" in op else "-"
                value = binary(
                    sign, name(own, kind, node.place), integer(1, node.place), node.place
                )
                return own, value
            case tree.Assignment(op=op, lvalue=tree.ID(own, kind)):
                if op == "=":
                    return own, node.rvalue
                value = binary(op[:-1], name(own, kind, node.place), node.rvalue, node.place)
                return own, value
        return "", None

    def take(self, environment: Environment, target: str, value: Any) -> None:
        """Note the new value of a tracked variable.

        What is not known and goes on from itself is not known; that is no matter before it is used.
        """
        is_lost = target in environment and environment[target] is None
        if value is None or (is_lost and target in used_names(value)):
            environment[target] = None
        else:
            found = self.into.value_for(target, value, environment)
            environment[target] = settled(found, self.known)

    def branch(
        self, node: Any, environment: Environment, before: tuple[Test, ...] = ()
    ) -> tuple[list[Any], Environment | None]:
        """A branch behind tests of which it is the `else`."""
        condition = self.into.expression(node.cond, environment)
        known = self.known
        holds = assumed(environment, condition, True, known)
        fails = assumed(environment, condition, False, known)
        then, first = self.inner(node.iftrue, dict(holds))
        if isinstance(node.iffalse, tree.If):
            found, second = self.branch(node.iffalse, dict(fails), (*before, (condition, False)))
            otherwise = found[0] if len(found) == 1 else block(found, node.iffalse.place)
        else:
            otherwise, second = self.inner(node.iffalse, dict(fails))
        way = decided(condition, before, self.is_positive)
        first, second = None if way is False else first, None if way else second
        new = changed(node, cond=condition, iftrue=then, iffalse=otherwise)
        after = merged(condition, first, second, self.into.scope)
        if after is not None and first is not None and second is not None:
            untouched = dict(environment)  # what both sides leave is no choice between them
            lose(untouched, self.effect(node).assigned)
            after |= {one: value for one, value in untouched.items() if value is not None}
        is_idle = new is not node and not items_of(then) and not items_of(otherwise)
        if is_idle and is_index(condition, self.into.scope):
            return [], after
        return [new], after

    def is_positive(self, node: Any) -> bool:
        """True if a number is surely none below 0."""
        kind = scalar_type(node.type)
        if isinstance(kind, Number) and not kind.signed:
            return True
        return Known({**self.least, **self.first}).implies(linear(node))

    def inner(self, node: Any, environment: Environment) -> tuple[Any, Environment | None]:
        """A statement where only one may stand."""
        if node is None:
            return None, environment
        found, after = self.statement(node, environment)
        return (found[0] if len(found) == 1 else block(found, node.place)), after

    # Loops.

    def loop(self, node: Any, environment: Environment) -> tuple[list[Any], Environment | None]:
        counter = self.counter(node)
        if not counter or counter in self.given:
            return self.loose_for(node, environment)
        given = isinstance(node.init, tree.DeclList)
        first = node.init.decls[0].init if given else node.init.rvalue
        start = self.into.expression(first, environment)
        step = step_in(node.next, counter)
        assert step is not None
        amount = linear(self.into.expression(step.node(node.place), environment))
        forget(environment, [counter])
        before = dict(environment)
        with self.into.block(), self.counting(counter, start, amount):
            kind = node.init.decls[0] if given else self._declaration_of(counter)
            if kind is not None:
                own = declaration(kind.type, counter, None, node.place)
                declare(own, self.into.scope, "region")
            variable = name(counter, UNTYPED if kind is None else kind.type, node.place)
            inside = self.into_loop(environment, node.stmt, variable, start, amount, counter)
            condition = as_test(self.into.expression(node.cond, inside), counter)
            condition = self.needed(condition, counter, start, amount)
            body = self.turn(node.stmt, inside)
        end = end_of(condition, counter, start, amount, self.least.keys())
        after = behind(before, inside, self.effect(node.stmt), counter, end, self.known)
        init = node.init
        if start is not first:
            init = (
                changed(init, decls=[changed(init.decls[0], init=start)])
                if given
                else changed(init, rvalue=start)
            )
        if counter in self.tracked and not given:
            assert kind is not None
            init = tree.DeclList((declaration(kind.type, counter, start, node.place),), node.place)
        following = node.next
        if self.names_tracked(following, counter):
            following = assigned("+=", variable, amount.node(node.place), node.place)
        return [changed(node, init=init, cond=condition, next=following, stmt=body)], after

    @contextmanager
    def counting(self, counter: str, start: Any, amount: Linear) -> Iterator[None]:
        """What a loop counts up to is at least what it begins with."""
        before, begin = self.first, linear(start)
        self.first = {one: least for one, least in before.items() if one != counter}
        if begin.is_constant() and amount.is_constant() and amount.constant > 0:
            self.first[counter] = begin.constant
        yield
        self.first = before

    def needed(self, condition: Any, counter: str, start: Any, amount: Linear) -> Any:
        """A loop's condition without the parts that the others imply."""
        condition = settled(condition, self.known)
        if not amount.is_constant() or amount.constant < 0:
            return condition
        return without_implied(condition, self.known, counter, start)

    def names_tracked(self, node: Any, counter: str) -> bool:
        return bool((used_names(node) - {counter}) & self.tracked)

    def _declaration_of(self, own: str) -> Any:
        symbol = self.into.scope.find(own)
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
        """The environment at the beginning of an iteration.

        `amount` is by how much the loop's variable `counter` goes on from `start` in an iteration.
        """
        steps = self.steps(body, environment, own)
        within = partial(
            stepped_within, counter=counter, start=start, amount=amount, known=self.known
        )
        inside = in_turn(environment, steps, turns_so_far(counter, start, amount), within)
        if own in self.tracked:
            inside[own] = counter
        effect = self.effect(body)
        forget(inside, (effect.assigned - self.tracked) | effect.declared)
        return inside

    def steps(
        self, body: Any, environment: Environment, own: str
    ) -> dict[str, Linear | Cyclic | Cut | None]:
        """By how much each iteration of a loop steps the variables that its body sets.

        None where that varies. `own` is the variable of the loop itself.
        """
        effect = self.effect(body)
        stepped = [one for one in environment if one in effect.assigned and one != own]
        if not stepped:
            return {}
        marks = dict(environment)
        for one in stepped:
            declared = self._declaration_of(one)
            mark = tree.ID(MARK + one, UNTYPED if declared is None else declared.type)
            value = environment[one]
            marks[one] = mark
            if isinstance(value, Pointer):
                marks[one] = Pointer(value.base, mark, value.is_array)
        trying, failed = self.trying, set(self.into.failed)
        self.trying = True
        _, after = self.inner(body, marks)
        self.trying, self.into.failed = trying, failed
        varying = (effect.assigned - self.tracked) | {own} | effect.declared
        return {
            one: None
            if after is None
            else step_between(one, environment[one], after[one], varying, own)
            for one in stepped
        }

    def turn(self, body: Any, inside: Environment) -> Any:
        """The body of a loop, in which each iteration begins with the environment `inside`."""
        return body if self.trying else self.inner(body, dict(inside))[0]

    def loose_loop(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        """A loop of `while` or `do` as one of `for` over an induction variable."""
        found = self.variable_of(node, environment, self.steps(node.stmt, environment, ""))
        if found is None:
            effect = self.effect(node.stmt)
            lose(environment, effect.assigned | effect.declared)
            condition = self.into.expression(node.cond, environment)
            body = self.turn(node.stmt, environment)
            return [changed(node, cond=condition, stmt=body)], environment
        counter, kind, amount = found
        start = environment[counter]
        before = dict(environment)
        forget(environment, [counter])
        variable = name(self.given.get(counter, counter), kind, node.place)
        with self.into.block():
            declare(declaration(kind, variable.name, None, node.place), self.into.scope, "region")
            inside = self.into_loop(environment, node.stmt, variable, start, amount, "")
            inside[counter] = variable
            whole = as_test(self.into.expression(node.cond, inside), variable.name)
            whole = self.needed(whole, variable.name, start, amount)
            if isinstance(node, tree.DoWhile):
                first = binary("==", variable, fresh(start, node.place), node.place)
                whole = binary("||", first, whole, node.place)
            body = self.turn(node.stmt, inside)
        end = end_of(whole, variable.name, start, amount, self.least.keys())
        after = behind(before, inside, self.effect(node.stmt), variable.name, end, self.known)
        first_value = declaration(kind, variable.name, fresh(start, node.place), node.place)
        new = tree.For(
            tree.DeclList((first_value,), node.place),
            whole,
            assigned("+=", variable, amount.node(node.place), node.place),
            body,
            node.place,
        )
        return [new], after

    def loose_for(
        self, node: Any, environment: Environment
    ) -> tuple[list[Any], Environment | None]:
        """A loop of `for` with several variables, or none: one with `while`, if that counts."""
        failed = set(self.into.failed)
        found, after = self.statement(as_while(node), dict(environment))
        if not any(isinstance(p, tree.While) and p.place is node.place for p in nodes_of(found[0])):
            return found, after
        effect = self.effect(node)
        self.into.failed |= failed | (effect.assigned & self.tracked)
        lose(environment, effect.assigned | effect.declared)
        body = self.turn(node.stmt, environment)
        return [node if body is node.stmt else changed(node, stmt=body)], environment

    def variable_of(
        self, node: Any, environment: Environment, steps: dict[str, Linear | Cyclic | Cut | None]
    ) -> tuple[str, Any, Linear] | None:
        """The induction variable that counts a loop, its type and its step."""
        tested = used_names(node.cond)
        ordered = sorted(environment, key=lambda one: (one not in tested, one))
        for one in ordered:
            step, value = steps.get(one), environment[one]
            symbol = self.into.scope.find(one)
            if not isinstance(step, Linear) or value is None or isinstance(value, Pointer):
                continue
            if not step.is_constant() or not step.constant or not isinstance(symbol, Variable):
                continue
            if one not in tested and not self.effect(node.stmt).breaks:
                continue
            return one, symbol.declaration.type, step
        return None
