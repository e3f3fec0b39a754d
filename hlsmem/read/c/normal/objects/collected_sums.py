"""Sums: an element that a loop only adds to is collected by a scalar, and stored behind the loop.

`t[i] = 0; for (..) t[i] += f;` is `T r = 0; for (..) r += f; t[i] = r;`. Between the first and the
last instance of the sum no other instance touches the element, so that all reads elsewhere see the
same values; nothing is reassociated, floats stay bit-equal. As an element of a memory each addition
waits until the one before is written and read again. So is a scalar that another nest reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.normal.control_flow.loop_headers import counter_of, step_in
from hlsmem.read.c.normal.functions.outlining import NoFunctionError, element_kind
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.unrolling.pipelined_loops import ends_by_data, says_how_loops_run
from hlsmem.read.c.operations import assigned, binary
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.rewritten_text import moved
from hlsmem.read.c.symbols import Parameter, Scope, Variable, constant_integer, declare
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import (
    base_of,
    block,
    changed,
    declaration,
    fresh,
    items_of,
    name,
    nodes_of,
    rewrite,
    used_names,
)
from hlsmem.read.design_names import free_name

_CHANGING = ("&", "++", "--", "p++", "p--", "*")
_STATEMENTS = (tree.While, tree.DoWhile, tree.Return)


def collect_sums(unit: Unit) -> Unit:
    """The unit with its sums collected."""
    if not unit.pipelines_loops:
        return unit
    work = _Sums(unit)

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        if not isinstance(node, tree.For):
            return None
        if says_how_loops_run(node, unit):
            return [node]
        return [work.inside(node, scope.inner())]

    scope = _around(unit)

    def collected(items: list[Any]) -> list[Any]:
        for one in items:
            declare(one, scope, "region")
        return work.items(items, scope, is_top=True)

    found = unit.with_region(collected)
    found = with_statements(found, replaced)
    return (
        found
        if found is unit
        else replace(found, collected=frozenset(work.collected_of), summing=unit.function)
    )


def _around(unit: Unit) -> Scope:
    """The names that are known where the region begins."""
    scope = unit.file_scope().inner()
    for node in unit.function.parameters:
        declare(node, scope, "parameter")
    region = find_region(unit.function, unit.source)
    for around in region.enclosing:
        items = items_of(around)
        end = region.start if around is region.parent else len(items)
        for one in items[:end]:
            if isinstance(one, tree.Decl):
                declare(one, scope, "local")
    return scope


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sums of a unit; `taken` are the names that there are, `collected_of` what they are of."""

    unit: Unit
    taken: set[str] = field(default_factory=set)
    collected_of: set[str] = field(default_factory=set)

    def inside(self, node: Any, scope: Scope) -> Any:
        """A statement with the sums below it collected, those of outer loops first."""
        match node:
            case tree.Compound():
                own = scope.inner()
                items = items_of(node)
                for one in items:
                    declare(one, own, "region")
                new = [self.inside(one, own) for one in self.items(items, own)]
                return changed(node, block_items=new)
            case tree.For():
                own = scope.inner()
                for one in node.init.decls if isinstance(node.init, tree.DeclList) else ():
                    declare(one, own, "region")
                body = node.stmt
                if isinstance(body, tree.For):
                    body = _single(self.items([body], own))
                body = self.inside(body, own)
                return node if body is node.stmt else changed(node, stmt=body)
            case tree.If():
                parts = {
                    key: self.inside(part, scope)
                    for key, part in (("iftrue", node.iftrue), ("iffalse", node.iffalse))
                    if part is not None
                }
                return changed(node, **parts)
        return node

    def items(self, items: list[Any], scope: Scope, *, is_top: bool = False) -> list[Any]:
        """Statements that follow each other, with the sums of loops among them collected."""
        found: list[Any] = []
        for position, one in enumerate(items):
            if not isinstance(one, tree.For) or says_how_loops_run(one, self.unit):
                found.append(one)
                continue
            before = found[-1] if found else None
            made = self.sum(before, one, scope, items, position, is_top=is_top)
            if made is None:
                found.append(one)
            else:
                found = [*(found[:-1] if made.takes_first else found), *made.items]
        return found

    def sum(
        self,
        before: Any,
        loop: Any,
        scope: Scope,
        items: list[Any],
        position: int,
        *,
        is_top: bool,
    ) -> _Collected | None:
        """A loop with its sum in a scalar; None where it has none."""
        for place in _added_to(loop):
            base = base_of(place)
            if not isinstance(base, tree.ID) or not _is_sum(place, loop, scope):
                continue
            first = _begins(before, place)
            if isinstance(place, tree.ID):
                # What the nest alone has, the datapath keeps.
                others = [one for k, one in enumerate(items) if k != position and one is not before]
                if (
                    not is_top
                    or first is None
                    or not any(place.name in used_names(one) for one in others)
                ):
                    continue
            elif first is None and not self.runs(loop, place):
                continue
            try:
                kind = element_kind(base.name, scope)
            except NoFunctionError:
                continue
            items = [self.collected(place, kind, before, first, loop)]
            if isinstance(before, tree.Decl) and first is not None:
                items.insert(0, changed(before, init=None))
            return _Collected(items, first is not None)
        return None

    def collected(self, target: Any, kind: Any, before: Any, first: Any, loop: Any) -> Any:
        """A block: the scalar, the loop that adds to it, the store."""
        if not self.taken:
            self.taken.update(names.identifiers(self.unit.tree))
        base = base_of(target).name
        own = free_name(f"{base}_sum", self.taken)
        self.collected_of.add(base)
        text = text_of(target)

        def replaced(node: Any) -> Any | None:
            if isinstance(node, (tree.ArrayRef, tree.ID)) and text_of(node) == text:
                return name(own, kind, node.place)
            return None

        start = fresh(target) if first is None else first
        place = target.place if before is None or first is None else before.place
        return block(
            [
                declaration(kind, own, None, place),
                assigned("=", name(own, kind, place), start, place),
                rewrite(loop, replaced),
                moved(assigned("=", target, name(own, kind, target.place), target.place), loop),
            ],
            loop.place,
        )

    def runs(self, loop: Any, place: Any) -> bool:
        """True if the sum surely has a term, so that its element is read in any case."""
        node = loop
        while True:
            if not self.has_turn(node):
                return False
            inner = items_of(node.stmt)
            if any(_adds_to(one, place) for one in inner):
                return True
            loops = [one for one in inner if isinstance(one, tree.For)]
            node = next((one for one in loops if place in _added_to(one)), None)
            if node is None:
                return False

    def has_turn(self, loop: Any) -> bool:
        """True if a loop surely runs: from a number up to a greater one, or to a parameter."""
        counter = counter_of(loop)
        match loop.init:
            case tree.DeclList(decls=[tree.Decl(init=low)]):
                pass
            case tree.Assignment(rvalue=low):
                pass
            case _:
                return False
        step = step_in(loop.next, counter) if counter else None
        if step is None or not step.is_constant() or step.constant <= 0:
            return False
        scope = self.unit.file_scope()
        first = constant_integer(low, scope)
        match loop.cond:
            case tree.BinaryOp(op="<" | "<=" as op, left=tree.ID(name=own), right=high):
                if own != counter or first is None:
                    return False
            case _:
                return False
        last = constant_integer(high, scope)
        if last is None and isinstance(high, tree.ID):
            is_parameter = isinstance(scope.find(high.name), Parameter)
            last = self.unit.least.get(high.name) if is_parameter else None
        return last is not None and (first < last or (op == "<=" and first == last))


@dataclass(frozen=True, slots=True)
class _Collected:
    """The text in place of a loop, and of the statement in front of it where it `takes_first`."""

    items: list[Any]
    takes_first: bool


def _single(items: list[Any]) -> Any:
    return items[0] if len(items) == 1 else block(items)


def _added_to(loop: Any) -> list[Any]:
    """The elements and variables that a loop adds to, in the order of the text."""
    return [
        one.lvalue
        for one in nodes_of(loop.stmt)
        if isinstance(one, tree.Assignment)
        and isinstance(one.lvalue, (tree.ArrayRef, tree.ID))
        and (one.op != "=" or text_of(one.lvalue) in map(text_of, _places(one.rvalue)))
    ]


def _places(node: Any) -> Iterator[Any]:
    return (one for one in nodes_of(node) if isinstance(one, (tree.ArrayRef, tree.ID)))


def _adds_to(node: Any, place: Any) -> bool:
    return isinstance(node, tree.Assignment) and node.lvalue is place


def _is_sum(place: Any, loop: Any, scope: Scope) -> bool:
    """True if an element is the same for the whole loop, which touches its array there alone, and
    stores it in one place."""
    own = base_of(place).name
    variable = scope.find(own)
    if not isinstance(variable, Variable) or variable.shape.scalar is None:
        return False
    if len(_subscripts(place)) != len(variable.shape.extents):
        return False
    nodes = nodes_of(loop)
    if any(isinstance(one, _STATEMENTS) for one in nodes):
        return False
    if any(ends_by_data(one) for one in nodes if isinstance(one, tree.For)):
        return False
    declared = frozenset(one.name for one in nodes if isinstance(one, tree.Decl) and one.name)
    moving = names.assigned_names(loop) | declared
    outer = frozenset[str]().union(*map(used_names, _subscripts(place)))
    if own in declared or outer & moving or _loads(place):
        return False
    text = text_of(place)
    stores = 0
    for one in nodes:
        if isinstance(one, tree.FuncCall) and not is_pure_call(one, scope):
            return False
        changes = isinstance(one, tree.UnaryOp) and one.op in _CHANGING
        if changes and own in used_names(one.expr):
            return False
        if isinstance(one, tree.Assignment) and own in used_names(base_of(one.lvalue)):
            stores += 1
    if stores != 1:
        return False
    whole = sum(isinstance(one, tree.ID) and one.name == own for one in nodes)
    same = sum(text_of(one) == text for one in _places(loop))
    return bool(whole == same)


def _subscripts(place: Any) -> list[Any]:
    found = []
    while isinstance(place, tree.ArrayRef):
        found.append(place.subscript)
        place = place.name
    return found


def _loads(place: Any) -> bool:
    """True if a subscript is itself an element, or computed by a call."""
    return any(
        isinstance(below, (tree.ArrayRef, tree.FuncCall, tree.Assignment))
        for one in _subscripts(place)
        for below in nodes_of(one)
    )


def _begins(before: Any, place: Any) -> Any | None:
    """The value that the statement in front of the loop gives the element; None without one."""
    match before:
        case tree.Assignment() if text_of(before.lvalue) == text_of(place):
            if before.op == "=":
                return before.rvalue
            return binary(before.op[:-1], before.lvalue, before.rvalue, before.place)
        case tree.Decl() if isinstance(place, tree.ID) and before.name == place.name:
            return before.init
    return None
