"""Choice of the loops to pipeline where `kernel.loops: pipelined` leaves it to the reader.

Of each nest that is the outermost loop whose inner ones have constant iterations, at most 64
together (from which on AMD's tool pipelines a loop by itself: UG1399, "Automatic Loop Pipelining"),
and store nothing by their variables, as so many stores a step would wait at one write port; nor
choose one of elements that come once, as the greatest of a row: written out, each choice waits for
the one before, and no element comes earlier. Else it is the innermost one. It is read as if
`#pragma HLS PIPELINE` stood in it. Loops that data end are never written out, nor is a loop around
them pipelined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.normal.control_flow.loop_headers import breaks_out
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.unrolling.pipelined_unrolling import MARK
from hlsmem.read.c.normal.unrolling.unrolling import turns_in
from hlsmem.read.c.symbols import Scope
from hlsmem.read.c.tree import Array
from hlsmem.read.c.trees import (
    base_of,
    block,
    changed,
    inner_statements,
    items_of,
    nodes_of,
    rewrite_statements,
    used_names,
)

_MOST_TURNS = 64
_CHOICES = 8
"""Turns up to which choices that wait for each other are written out."""
# What says in a nest how its loops run.
_OF_LOOPS = ("PIPELINE", "UNROLL", "LOOP_FLATTEN", "LOOP_MERGE")


def mark_steps(unit: Unit) -> Unit:
    """The unit with a pragma in each loop that is pipelined without one of the user's."""
    if not unit.pipelines_loops:
        return unit
    written_out: set[str] = set()

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        if not isinstance(node, tree.For):
            return None
        if says_how_loops_run(node, unit):
            return [node]
        chosen = list(_Nest(node, scope, unit.sized, _private(unit, node)).steps(node))
        written_out.update(str(one.place) for step in chosen for one in _loops(step.stmt))
        return [_marked(node, chosen)]

    found = with_statements(unit, replaced)
    return found if found is unit else replace(found, written_out=frozenset(written_out))


def says_how_loops_run(nest: Any, unit: Unit) -> bool:
    """True if a nest has a pragma on loops (PIPELINE, UNROLL ..), and the unit follows pragmas."""
    return unit.follows_pragmas and any(map(_is_of_loops, nodes_of(nest)))


def _is_of_loops(node: Any) -> bool:
    if not isinstance(node, tree.Pragma):
        return False
    words = node.string.upper().split()
    return words[:1] == ["HLS"] and words[1:2] != [] and words[1] in _OF_LOOPS


def _marked(nest: Any, chosen: list[Any]) -> Any:
    def replaced(node: Any) -> Any | None:
        if not any(node is one for one in chosen):
            return None
        body = block([tree.Pragma(MARK, node.place), *items_of(node.stmt)], node.stmt.place)
        return changed(node, stmt=body)

    return rewrite_statements(nest, replaced) if chosen else nest


def _private(unit: Unit, nest: Any) -> frozenset[str]:
    """The local arrays that no other loop touches: registers, once subscripts are numbers."""
    declared = {
        one.name
        for one in nodes_of(unit.function.body)
        if isinstance(one, tree.Decl) and isinstance(one.type, Array) and not one.storage
    }
    return frozenset(declared).difference(*map(used_names, _other_loops(unit.function.body, nest)))


def _other_loops(node: Any, nest: Any) -> Iterator[Any]:
    """The outermost loops below a statement but one."""
    if node is nest:
        return
    if isinstance(node, (tree.For, tree.While, tree.DoWhile)):
        yield node
        return
    for one in inner_statements(node):
        yield from _other_loops(one, nest)


@dataclass(frozen=True, slots=True)
class _Nest:
    """A nest; loops at the places `sized` run to sizes of arrays, whatever the numbers are.

    `private` are local arrays that the nest alone touches.
    """

    nest: Any
    scope: Scope
    sized: frozenset[str]
    private: frozenset[str]

    def steps(self, node: Any) -> Iterator[Any]:
        """The loops at a statement, and below it, whose iterations are steps."""
        if isinstance(node, tree.For) and self.is_step(node):
            yield node
            return
        for one in inner_statements(node):
            yield from self.steps(one)

    def is_step(self, node: Any) -> bool:
        body = nodes_of(node.stmt)
        if any(isinstance(one, (tree.While, tree.DoWhile)) for one in body):
            return False
        inner = _loops(node.stmt)
        if any(map(ends_by_data, (node, *inner))):
            return False
        turns = self.turns(node.stmt)
        if turns is None or turns > _MOST_TURNS:
            return False
        counters = frozenset[str]().union(*map(_declared, inner))
        if any(map(_chooses, inner)) and turns > _CHOICES:
            own = _declared(node) - counters
            if _comes_once(node.stmt, own, counters):
                return False
        return not any(self.stores_by_its_variable(one, counters) for one in inner)

    def turns(self, node: Any) -> int | None:
        """The iterations of the innermost loops of a statement together; None where one is not
        known."""
        total = 0
        for one in inner_statements(node):
            inside = self.turns(one)
            if inside is None:
                return None
            total += inside
        if not isinstance(node, tree.For):
            return total
        if str(node.place) in self.sized:
            return None
        own = turns_in(node, self.scope, _MOST_TURNS)
        return None if own is None else own * max(1, total)

    def stores_by_its_variable(self, loop: Any, counters: frozenset[str]) -> bool:
        """True if a loop stores elements by its counter, or by a variable that it steps.

        `counters` are those of all loops that would be written out with it.
        """
        moving = names.assigned_names(loop) | _declared(loop)
        for one in nodes_of(loop.stmt):
            match one:
                case tree.Assignment(lvalue=tree.ArrayRef() as place):
                    moves = used_names(place.subscript) & moving or _steps(place)
                    if moves and not self.is_register(place, counters):
                        return True
                case tree.ArrayRef() if _steps(one):
                    return True
                case tree.UnaryOp(op="p++" | "p--" | "++" | "--", expr=tree.ArrayRef() as place):
                    if used_names(place.subscript) & moving:
                        return True
        return False

    def is_register(self, place: Any, counters: frozenset[str]) -> bool:
        """True if the element is of a private array with numbers for `counters` in all places."""
        base = base_of(place)
        if not isinstance(base, tree.ID) or base.name not in self.private:
            return False
        own = (
            one
            for one in nodes_of(self.nest)
            if isinstance(one, tree.ArrayRef) and used_names(base_of(one)) == {base.name}
        )
        return all(used_names(one.subscript) <= counters for one in own)


def _steps(place: Any) -> bool:
    """True if a subscript changes a variable."""
    return any(
        isinstance(one, tree.Assignment)
        or (isinstance(one, tree.UnaryOp) and one.op in ("++", "--", "p++", "p--"))
        for one in nodes_of(place)
    )


def _chooses(loop: Any) -> bool:
    """True if a loop sets a variable that it did not declare by a choice that looks at it."""
    body = nodes_of(loop.stmt)
    inside = {one.name for one in body if isinstance(one, tree.Decl)}
    for one in body:
        match one:
            case tree.If(cond=test):
                carried = names.assigned_names(one) - inside
                if carried & used_names(test):
                    return True
            case tree.Assignment(lvalue=tree.ID(name), rvalue=tree.TernaryOp() as choice):
                if name not in inside and name in used_names(choice):
                    return True
    return False


def _comes_once(node: Any, own: frozenset[str], counters: frozenset[str]) -> bool:
    """True if each element that is read by a counter is read in one turn of all loops alone: its
    subscripts are counters, those of the loop itself (`own`) among them."""
    found = False
    for one in nodes_of(node):
        if isinstance(one, tree.ArrayRef):
            subscripts = [*_subscripts(one)]
            used = {n for text in subscripts for n in used_names(text)}
            if not used & counters or not isinstance(base_of(one), tree.ID):
                continue
            if not own <= used or not all(isinstance(s, tree.ID) for s in subscripts):
                return False
            found = True
    return found


def _subscripts(place: Any) -> Iterator[Any]:
    while isinstance(place, tree.ArrayRef):
        yield place.subscript
        place = place.name


def _declared(loop: Any) -> frozenset[str]:
    """The variables that a loop, and loops inside, declare to count."""
    return frozenset(
        own.name
        for one in (loop, *_loops(loop.stmt))
        if isinstance(one.init, tree.DeclList)
        for own in one.init.decls
    )


def _loops(node: Any) -> list[Any]:
    return [one for one in nodes_of(node) if isinstance(one, tree.For)]


def ends_by_data(loop: Any) -> bool:
    """True if elements, calls, or values of its own body decide the trip count of a loop."""
    if breaks_out(loop.stmt):
        return True
    header = [part for part in (loop.init, loop.cond) if part is not None]
    parts = [one for part in header for one in nodes_of(part)]
    if loop.cond is None or any(isinstance(o, (tree.ArrayRef, tree.FuncCall)) for o in parts):
        return True
    return bool(used_names(loop.cond) & names.assigned_names(loop.stmt))
