"""Variables in place of pointers to them that bodies of functions left behind.

A pointer to a number that never moves and is only looked through is the number. Counters of streams
have a type of their own, and become int here; one that nothing uses is gone.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.tree import INT, Counter, Float, Number, Pointer, Type
from hlsmem.read.c.trees import changed, items_of, name, nodes_of, nodes_of_body, rewrite

_NUMBERS = (Number, Float, Counter)


def name_pointees(unit: Unit) -> Unit:
    """Return the unit without pointers that stand for one variable."""
    declared = [node for node in nodes_of_body(unit.function) if isinstance(node, tree.Decl)]
    if not any(_target(one) for one in declared) and not any(map(_is_marked, declared)):
        return unit
    scope = _Scope({}, {}, set())
    body = scope.block(unit.function.body)
    made = unit.with_function(changed(unit.function, body=_with_counters(body)))
    return replace(made, pointees=True) if scope.gone else made


@dataclass(frozen=True, slots=True)
class _Scope:
    """The pointers that stand for variables, and the types of the numbers, where a block begins.

    `gone` are all such pointers but those to counters of streams.
    """

    pointees: dict[str, str]
    numbers: dict[str, Type]
    gone: set[str]

    def block(self, node: Any) -> Any:
        inner = _Scope(dict(self.pointees), dict(self.numbers), self.gone)
        items = items_of(node)
        found: list[Any] = []
        for position, one in enumerate(items):
            if isinstance(one, tree.Decl) and inner.takes(one, items[position + 1 :]):
                continue
            found.append(inner.replaced(one))
        return changed(node, block_items=found)

    def takes(self, declared: Any, behind: Sequence[Any]) -> bool:
        """True for a pointer that is gone: it stands for a variable in all that is behind it."""
        own = declared.name
        self.pointees.pop(own, None)
        self.numbers.pop(own, None)
        if isinstance(declared.type, _NUMBERS):
            self.numbers[own] = declared.type
        variable = _target(declared)
        variable = self.pointees.get(variable, variable)
        if variable not in self.numbers or self.numbers[variable] != declared.type.element:
            return False
        nodes = [below for one in behind for below in nodes_of(one)]
        again = {below.name for below in nodes if isinstance(below, tree.Decl)}
        if variable in again or own in again or not _is_looked_through(own, nodes):
            return False
        self.pointees[own] = variable
        if not _is_marked(declared):
            self.gone.add(own)
        return True

    def replaced(self, node: Any) -> Any:
        def once(part: Any) -> Any | None:
            match part:
                case tree.Compound():
                    return self.block(part)
                case tree.UnaryOp(op="*", expr=tree.ID(name=own)) if own in self.pointees:
                    return name(self.pointees[own], part.type, part.place)
            return None

        return rewrite(node, once)


def _target(declared: Any) -> str:
    """The pointee of a declared pointer: a variable, or that of another pointer; or nothing."""
    if isinstance(declared.type, Pointer):
        match declared.init:
            case tree.UnaryOp(op="&", expr=tree.ID(name=own)) | tree.ID(name=own):
                return str(own)
    return ""


def _is_looked_through(pointer: str, nodes: Sequence[Any]) -> bool:
    """True if a pointer, and those that it is given to, are used to look through them alone."""
    used = Counts(node.name for node in nodes if isinstance(node, tree.ID))
    looked = Counts(
        node.expr.name
        for node in nodes
        if isinstance(node, tree.UnaryOp) and node.op == "*" and isinstance(node.expr, tree.ID)
    )
    pending = [pointer]
    seen = set[str]()
    while pending:
        own = pending.pop()
        seen.add(own)
        given = [
            node.name
            for node in nodes
            if isinstance(node, tree.Decl)
            and isinstance(node.type, Pointer)
            and isinstance(node.init, tree.ID)
            and node.init.name == own
        ]
        if used[own] != looked[own] + len(given):
            return False
        pending += [one for one in given if one not in seen]
    return True


def _with_counters(body: Any) -> Any:
    """Counters that something uses as int, and no others."""
    nodes = list(nodes_of(body))
    marked = [node for node in nodes if isinstance(node, tree.Decl) and _is_marked(node)]
    counters = {node.name for node in marked}
    used = _names(nodes)
    for node in marked:
        used -= _names(nodes_of(node))
    for node in nodes:  # what a counter is set to from itself is no use of it
        if isinstance(node, tree.Assignment) and _set(node) in counters:
            used[_set(node)] -= _names(nodes_of(node))[_set(node)]

    def replaced(node: Any) -> Any | None:
        match node:
            case tree.Decl(name=own) if _is_marked(node) and not used[own]:
                return []
            case tree.Decl(type=Counter()):
                return changed(node, type=INT)
            case tree.Assignment() if (own := _set(node)) in counters and not used[own]:
                return []
        return None

    return rewrite(body, replaced)


def _names(nodes: Iterable[Any]) -> Counts[str]:
    return Counts(node.name for node in nodes if isinstance(node, tree.ID))


def _set(assigned: Any) -> str:
    """The variable that an assignment sets; empty for others."""
    target = assigned.lvalue
    return str(target.name) if isinstance(target, tree.ID) else ""


def _is_marked(node: Any) -> bool:
    """True for a counter of a stream, and for a pointer to one."""
    return isinstance(node.type, Counter) or node.type == Pointer(Counter())
