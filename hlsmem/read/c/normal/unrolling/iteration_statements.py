"""The statements of an iteration, whose values are computed by functions where they need be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.normal.functions.outlining import (
    NoFunctionError,
    Outline,
    element_kind,
    loads_of,
)
from hlsmem.read.c.normal.scalars.integer_types import is_index
from hlsmem.read.c.normal.scalars.iteration_scalars import Own
from hlsmem.read.c.normal.scalars.ssa import element_of
from hlsmem.read.c.normal.unrolling.scalar_forwarding import stores, written_names
from hlsmem.read.c.rewritten_text import moved
from hlsmem.read.c.symbols import declare
from hlsmem.read.c.tree import INT, LONG, UNSIGNED, UNSIGNED_LONG, Float, Type
from hlsmem.read.c.trees import (
    array_of,
    base_of,
    block,
    changed,
    declaration,
    items_of,
    name,
    nodes_of,
    rewrite,
    used_names,
)
from hlsmem.read.c.types import scalar_type
from hlsmem.read.design_names import free_name


class StaysError(Exception):
    """Variables cannot be those of a function."""

    def __init__(self, own: Iterable[str]) -> None:
        super().__init__()
        self.own = frozenset(own)


@dataclass(frozen=True, slots=True)
class _Place:
    """A position in the outermost list, so many branches deep; it `is_certain` that what stands
    there runs unless conditions on loops say otherwise."""

    at: int
    depth: int = 0
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class _Before:
    """A statement in front of another one; where it `is_own`, it only sets variables."""

    node: Any
    place: _Place
    is_own: bool


@dataclass(slots=True)
class Notes:
    """Products of an iteration: `functions`, and the names that are `taken` then.

    It `keeps_loads` where each is made once, in its place; it `has_moved` statements into a branch.
    """

    taken: set[str]
    keeps_loads: bool
    has_moved: bool = False
    functions: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Iteration:
    """The statements of one iteration, of which those on `own` variables are put into functions.

    `written` are all names that it writes; it `has_elements` where variables were elements of
    arrays. `settled` are values that several functions need, and the position behind which they
    stay as they are; `shared` are variables for loads that several need, by the nodes of these.
    `needs` counts the functions that need a variable, `handed` what takes a settled value, `loads`
    how often each load is made.
    """

    function: str
    own: Own
    written: frozenset[str]
    has_elements: bool
    notes: Notes
    settled: dict[str, int] = field(default_factory=dict)
    shared: dict[int, Any] = field(default_factory=dict)
    needs: Counter[str] = field(default_factory=Counter)
    handed: Counter[str] = field(default_factory=Counter)
    loads: Counter[int] = field(default_factory=Counter)

    def inside(self, items: list[Any]) -> list[Any]:
        """Statements, in the branch that alone needs what they load where there is one.

        A branch on data stays as it is: loads in it would be made or not as data decide.
        Raises StaysError.
        """
        for at, node in enumerate(items):
            if isinstance(node, tree.If) and not self.own.has(node) and self.is_certain(node.cond):
                way, ahead = self.own.of_one_branch(items, at)
                if way:
                    return self.moved(items, at, way, ahead)
        return self.with_functions(items)

    def moved(self, items: list[Any], at: int, way: str, ahead: list[int]) -> list[Any]:
        """Statements of which those `ahead` are in the branch at a position."""
        for k in ahead:
            between = [items[j] for j in range(k, at) if j not in ahead]
            self.check_same(items[k], between)
            if any(self.own.used(items[k]) & self.own.targets(one) for one in between):
                raise StaysError(self.own.names(items[k]))
        self.notes.has_moved, self.notes.keeps_loads = True, False
        pinned = self.own.pinned(items, at)
        inner, outer = (
            Iteration(
                self.function,
                replace(self.own, variables=variables),
                self.written,
                self.has_elements,
                self.notes,
            )
            for variables in (self.own.variables - pinned, pinned)
        )
        part = getattr(items[at], way)
        inside = [moved(items[k], items[at]) for k in ahead]
        branch = inner.inside([*inside, *items_of(part)])
        made = changed(items[at], **{way: block(branch, part.place)})
        rest = [made if k == at else one for k, one in enumerate(items) if k not in ahead]
        return outer.inside(rest)

    def with_functions(self, items: list[Any]) -> list[Any]:
        """Statements with functions, where something is set several times."""
        sets = Counter(one for item in items for one in self.own.sets(item))
        if not self.has_elements and max(sets.values(), default=0) < 2:
            return items
        self.tried(items)
        own = [self.own.has(item) for item in items]
        last = {
            name: at for at, item in enumerate(items) if own[at] for name in self.own.sets(item)
        }
        # What a branch declares is its own; what one sets that does more, it does not leave behind.
        here = {one.name for one in items if isinstance(one, tree.Decl)}
        here -= {
            name for at, item in enumerate(items) if not own[at] for name in self.own.sets(item)
        }
        several = {name for name in here if self.needs[name] > 1}
        while several != set(self.settled):
            self.settled = {name: last[name] for name in several if name in last}
            self.tried(items)
            several = {name for name in self.settled if self.handed[name] > 1}
        ahead = [item for item, is_own in zip(items, own, strict=True) if is_own]
        for one in (load for item in ahead for load in loads_of(item, certain=True)):
            if self.loads[id(one)] > 1:
                self.shared[id(one)] = self.temporary(one)
        self.loads.clear()
        made = self.written_out(items)
        parts = [part for item in items if (part := self.own.part(item)) is not None]
        if any(self.loads[id(one)] != 1 for part in parts for one in loads_of(part)):
            self.notes.keeps_loads = False
        return made

    def tried(self, items: list[Any]) -> None:
        """Write all out to see what is needed how often."""
        notes = self.notes
        for found in (self.needs, self.handed, self.loads):
            found.clear()
        self.notes = Notes(taken=set(notes.taken), keeps_loads=True)
        self.written_out(items)
        self.notes = notes

    def written_out(self, items: list[Any]) -> list[Any]:
        found: list[Any] = []
        before: list[_Before] = []
        for at, item in enumerate(items):
            place = _Place(at)
            if not self.own.has(item):
                found += self.statement(item, before, place)
                before += self.entries(item, place)
                continue
            for one in loads_of(item, certain=True):
                if id(one) in self.shared:
                    found.append(changed(self.shared[id(one)], init=one))
                    self.loads[id(one)] = 1
            before.append(_Before(item, place, True))
            for own in sorted(one for one, last in self.settled.items() if last == at):
                found.append(self.set_once(own, item, before, place))
        return found

    def statement(self, node: Any, before: list[_Before], place: _Place) -> list[Any]:
        """A statement that stays, its values by functions."""
        used = self.own.used(node)
        if not used:
            return [node]
        match node:
            case tree.If():
                is_certain = place.is_certain and self.is_certain(node.cond)
                inner = _Place(place.at, place.depth + 1, is_certain)
                parts = {
                    key: block(self.branch(part, before, inner), part.place)
                    for key in ("iftrue", "iffalse")
                    if (part := getattr(node, key)) is not None
                }
                test = self.value(node.cond, INT, "test", before, place)
                if test is node.cond:
                    self.loads.update(map(id, loads_of(test)))
                return [changed(node, cond=test, **parts)]
            case tree.Assignment() if not self.own.used(node.lvalue):
                base = array_of(node.lvalue)
                if not isinstance(base, tree.ID) or scalar_type(node.lvalue.type) is None:
                    raise StaysError(used)
                try:
                    kind = self.kind(base.name) if node.op == "=" else self.kind_of(node.rvalue)
                except NoFunctionError:
                    raise StaysError(used) from None
                return [
                    changed(node, rvalue=self.value(node.rvalue, kind, base.name, before, place))
                ]
        raise StaysError(used)

    def branch(self, node: Any, before: list[_Before], place: _Place) -> list[Any]:
        ahead, found = list(before), list[Any]()
        for one in items_of(node):
            if self.own.has(one):
                ahead.append(_Before(one, place, True))
            else:
                found += self.statement(one, ahead, place)
                ahead += self.entries(one, place)
        return found

    def entries(self, node: Any, place: _Place) -> list[_Before]:
        """A statement that stays for those behind it, and what it does to variables."""
        part = self.own.part(node)
        own = [] if part is None else [_Before(part, place, True)]
        return [*own, _Before(node, place, False)]

    def set_once(self, own: str, item: Any, before: list[_Before], place: _Place) -> Any:
        """The declaration of a value that several statements use."""
        try:
            kind = self.kind(own)
        except NoFunctionError:
            raise StaysError({own}) from None
        value = _read_by(item)
        if value is item or own in used_names(value) or self.needed(value, place):
            value = self.value(name(own, kind, item.place), kind, own, before, place)
        else:
            self.loads.update(map(id, loads_of(value)))
            value = self.in_place(value)
        return declaration(kind, own, value, item.place)

    def in_place(self, value: Any) -> Any:
        """An expression with the variables for loads that are shared."""

        def replaced(node: Any) -> Any | None:
            found = self.shared.get(id(node))
            return None if found is None else name(found.name, found.type, node.place)

        return rewrite(value, replaced)

    def needed(self, value: Any, place: _Place) -> frozenset[str]:
        """The variables in an expression that are not settled at its place."""
        found = self.own.used(value)
        return frozenset(own for own in found if self.settled.get(own, place.at) >= place.at)

    def value(
        self, node: Any, kind: Any, wanted: str, before: Sequence[_Before], place: _Place
    ) -> Any:
        """An expression by a function, itself where it needs none."""
        # A value that is needed under a condition on data is set ahead of it.
        times = 1 if place.is_certain else 2
        if not self.needed(node, place):
            self.handed.update([*self.own.used(node)] * times)
            return node
        kept, settled = self.sliced(node, before, place)
        nodes = [made for _, made in kept]
        own = self.own.used(node).union(*map(self.own.names, nodes)) - settled
        self.needs.update([*own] * times)
        self.handed.update([*settled] * times)
        for position, made in kept:
            behind = [later.node for later in before[position + 1 :] if not later.is_own]
            self.check_same(made, behind)
            if before[position].place.depth < place.depth and self.moves_loads(made):
                self.notes.keeps_loads = False
        outline = Outline(self.own.scope, own, self.written, self.shared)
        called = free_name(f"{self.function}_{wanted}", self.notes.taken)
        try:
            made, call = outline.call(called, kind, nodes, node)
        except NoFunctionError:
            raise StaysError(own) from None
        self.notes.functions.append(made)
        self.loads.update(map(id, outline.made))
        return call

    def sliced(
        self,
        node: Any,
        before: Sequence[_Before],
        place: _Place,
        without: frozenset[str] = frozenset(),
    ) -> tuple[list[tuple[int, Any]], frozenset[str]]:
        """The statements that an expression needs, by their position in `before` and as far as it
        does, and the settled values that it takes.

        Those `without` are taken as they are set here.
        """
        ever, settled = set[str](), set[str]()

        def take(part: Any, place: _Place) -> set[str]:
            found = set(self.needed(part, place) | (self.own.used(part) & without))
            ever.update(found)
            settled.update(self.own.used(part) - found)
            return found

        live = take(node, place)
        kept: list[tuple[int, Any]] = []
        for position, one in reversed(list(enumerate(before))):
            if one.is_own:
                made = self.own.needed_of(one.node, live, partial(take, place=one.place))
                kept += [] if made is None else [(position, made)]
        if ever & settled:
            return self.sliced(node, before, place, without | (ever & settled))
        return kept[::-1], frozenset(settled)

    def check_same(self, node: Any, between: Sequence[Any]) -> None:
        """Raise StaysError where some statements write what a statement moved past them reads."""
        read = used_names(node) - self.own.names(node)
        for one in between:
            for array in written_names(one) & read:
                if self.are_same(array, one, node):
                    raise StaysError(self.own.names(node))
        if self.moves_loads(node) and any(map(stores, between)):
            self.notes.keeps_loads = False

    def are_same(self, array: str, writer: Any, reader: Any) -> bool:
        """True if an element may be written and read; constant subscripts tell elements apart."""
        if not isinstance(writer, tree.Assignment) or not self.own.is_quiet(writer.rvalue):
            return True
        loads = loads_of(reader)
        if array in used_names(writer.lvalue) - used_names(base_of(writer.lvalue)):
            return True
        inside = [below for one in loads for below in nodes_of(one) if below is not base_of(one)]
        if any(isinstance(one, tree.ID) and one.name == array for one in inside):
            return True
        read = [one for one in loads if array in used_names(base_of(one))]
        places = [element_of(one, self.own.scope) for one in (writer.lvalue, *read)]
        return not read or any(None in one for one in places) or places[0] in places[1:]

    def moves_loads(self, node: Any) -> bool:
        """True if a statement moved elsewhere would load an element that no variable holds."""
        return any(id(one) not in self.shared for one in loads_of(node))

    def is_certain(self, condition: Any) -> bool:
        """True if a condition is on loops and parameters alone."""
        moving = self.own.variables | self.written
        return not used_names(condition) & moving and is_index(condition, self.own.scope)

    def kind(self, own: str) -> Any:
        return element_kind(own, self.own.scope)

    def kind_of(self, node: Any) -> Any:
        """The type of an expression."""
        kind = _KINDS.get(scalar_type(node.type))
        if kind is None:
            raise NoFunctionError
        return kind

    def temporary(self, load: Any) -> Any:
        """The declaration of a variable for a load."""
        base = base_of(load).name
        own = free_name(f"{base}_0", self.notes.taken)
        made = declaration(self.kind(base), own, None, load.place)
        declare(made, self.own.scope, "region")
        return made


def _read_by(node: Any) -> Any:
    """The expression that a statement on variables reads, or all of it."""
    match node:
        case tree.Decl():
            return node.init
        case tree.Assignment(op="="):
            return node.rvalue
    return node


_KINDS: dict[Any, Type] = {
    scalar_type(one): one for one in (INT, UNSIGNED, LONG, UNSIGNED_LONG, Float(32), Float(64))
}
