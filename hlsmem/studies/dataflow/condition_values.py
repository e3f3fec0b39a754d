"""Tokens of conditions, equal where two read the same value, and the origins of these values.

An element that is written once, before anything looks at it, is its own token. Else tokens are
the writes that conditions get their values from, where these need no parameters. What then is
left is a token of the instance itself, which no other has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap, UnionSet
from hlsmem.polyhedra.relations import dimension_names, union_map
from hlsmem.program.model import Access, Program, Statement
from hlsmem.studies.dataflow.condition import Condition, Fact, unconditional
from hlsmem.studies.dataflow.last_writes import Reader, Writer
from hlsmem.studies.dataflow.nest import Nest
from hlsmem.studies.dataflow.sources import Flow
from hlsmem.timing.events import Events, full_events


@dataclass(frozen=True, slots=True)
class Entry:
    """The place of an entry of a filter: statement, which of its filters, which entry."""

    statement: str
    filter: int
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """The sources of an entry, of every element that it looks at.

    Those who look are { S[loops, .., element] }; `sinks` maps an instance of the nest to those of
    its elements, `elements` them to the element.
    """

    at: Entry
    access: Access
    flow: Flow
    sinks: Any = field(compare=False)
    elements: Any = field(compare=False)


Analyse = Callable[[Entry, Reader, list[Writer]], Flow]


class Conditions:
    """The conditions of a program's statements; `analyse` finds sources of what they look at."""

    def __init__(self, program: Program, nests: dict[str, Nest], analyse: Analyse) -> None:
        self.program, self.nests, self.analyse = program, nests, analyse
        self.statements = {one.name: one for one in program.statements if one.name in nests}
        self.looked = dict[Entry, Looked]()
        self._known = dict[str, Condition]()
        self._pending = set[str]()
        self._boxes = dict[str, Any]()
        self._settled = dict[str, bool]()
        self._full: Events | None = None

    def of(self, name: str) -> Condition:
        """The condition of a statement, over the instances of its nest."""
        if name not in self._known:
            if name in self._pending:
                return self._condition(name, self._opaque)
            self._pending.add(name)
            self._known[name] = self._condition(name, self._tokens)
            self._pending.discard(name)
        return self._known[name]

    def writers(self, array: str) -> list[Writer]:
        """The writers of an array with their conditions."""
        found = []
        for name, statement in self.statements.items():
            written = [one for one in statement.writes if one.array == array]
            if not written:
                continue
            write = self.lifted(
                name, reduce(lambda a, b: a.union(b), (one.relation for one in written))
            )
            must = all(one.must for one in written)
            nest, condition = self.nests[name], self.of(name)
            found.append(Writer(nest=nest, write=write, condition=condition, must=must))
        return found

    def lifted(self, name: str, relation: Any) -> Any:
        """A relation of a statement's instances as one of its nest's."""
        return relation.apply_domain(self.nests[name].instances).coalesce()

    def _condition(
        self, name: str, tokens: Callable[[Entry, Access, list[Fact]], Any]
    ) -> Condition:
        statement, nest = self.statements[name], self.nests[name]
        if not statement.filters:
            return unconditional(nest.domain)
        facts = list[Fact]()
        for number, one in enumerate(statement.filters):
            values = self.lifted(name, one.value)
            found = list[Any]()
            for at, access in enumerate(one.accesses):
                before = [_first_entries(tuple(found), values)] if found else []
                token = tokens(Entry(name, number, at), access, before)
                found.append(token.intersect_domain(UnionSet.from_set(values.domain())))
            facts.append(Fact(tokens=tuple(found), values=values))
        loops = [nest.depth if one.loops is None else one.loops for one in statement.filters]
        return Condition(
            domain=nest.domain,
            filters=tuple(facts),
            bounds=self._bounds(statement),
            loops=max(loops),
        )

    def _bounds(self, statement: Statement) -> Any:
        """The values that the entries of all its filters can have, one after the other."""
        if statement.name not in self._boxes:
            self._boxes[statement.name] = self._box(statement)
        return self._boxes[statement.name]

    def _box(self, statement: Statement) -> Any:
        accesses = [access for one in statement.filters for access in one.accesses]
        names = dimension_names("v", len(accesses), self.program.parameters)
        ranges = [self.program.arrays[access.array].value_range for access in accesses]
        inside = [
            f"{low} <= {name} <= {high}" for name, (low, high) in zip(names, ranges, strict=True)
        ]
        parameters = ", ".join(self.program.parameters)
        found = Set(f"[{parameters}] -> {{ [{', '.join(names)}] : {' and '.join(inside)} }}")
        return found.intersect_params(self.program.context)

    def _opaque(self, at: Entry, _access: Access, _before: list[Fact]) -> Any:
        """A token of the instance's own."""
        own = self.nests[at.statement].domain.identity()
        return UnionMap.from_map(_named(own, f"{at.statement}'{at.filter}'{at.entry}"))

    def _tokens(self, at: Entry, access: Access, before: list[Fact]) -> Any:
        found = self.look(at, access, before)
        relation = self.lifted(at.statement, access.relation)
        if self._is_settled(access.array):
            return UnionMap.from_map(relation)
        if found.flow.parameters or not found.flow.exact:
            return self._opaque(at, access, before)
        parts = [
            _named(found.sinks.apply_range(one.relation), f"{access.array}'{one.statement}")
            for one in found.flow.sources
        ]
        initial = found.sinks.intersect_range(found.flow.no_source).apply_range(found.elements)
        return union_map(one for one in [*parts, initial] if not one.is_empty())

    def look(self, at: Entry, access: Access, before: list[Fact]) -> Looked:
        """The sources of an entry; the entries before it say what those are that it is asked."""
        if at in self.looked:
            return self.looked[at]
        name = at.statement
        nest = self.nests[name]
        values = self.statements[name].filters[at.filter].value
        relation = self.lifted(name, access.relation.intersect_domain(values.domain()))
        flat = relation.wrap().flatten().set_tuple_name(name)
        size, rank = relation.dim(DimType.in_), relation.dim(DimType.out)
        first = Map.identity(flat.get_space().map_from_set()).intersect_domain(flat)
        own = first.project_out(DimType.out, size, rank).set_tuple_name(DimType.out, name)
        element = first.project_out(DimType.out, 0, size).set_tuple_name(DimType.out, access.array)
        condition = unconditional(flat)
        if before:
            bounds = self._bounds(self.statements[name])
            offset = sum(len(one.accesses) for one in self.statements[name].filters[: at.filter])
            condition = Condition(
                domain=flat,
                filters=tuple(_before(one, own) for one in before),
                bounds=_entries(bounds, offset, at.entry),
                loops=nest.depth,
            )
        reader = Reader(nest=replace(nest, domain=flat), read=element, condition=condition)
        flow = self.analyse(at, reader, self.writers(access.array))
        found = Looked(at=at, access=access, flow=flow, sinks=own.reverse(), elements=element)
        self.looked[at] = found
        return found

    def _is_settled(self, array: str) -> bool:
        """True if an element is written once at most, and not after a condition read it."""
        if array not in self._settled:
            self._settled[array] = self._stays(array)
        return self._settled[array]

    def _stays(self, array: str) -> bool:
        writes = union_map(
            one.relation
            for statement in self.statements.values()
            for one in statement.writes
            if one.array == array
        )
        if writes.is_empty():
            return True
        if not writes.reverse().is_single_valued():
            return False
        reads = union_map(
            access.relation
            for statement in self.statements.values()
            for one in statement.filters
            for access in one.accesses
            if access.array == array
        )
        if self._full is None:
            self._full = full_events(self.program)
        pairs = reads.apply_range(writes.reverse())  # R[k] -> W[j]
        times = pairs.apply_domain(self._full.reads).apply_range(self._full.writes)
        if times.is_empty():
            return True
        relation = Map.from_union_map(times)
        return bool(relation.is_disjoint(Map.lex_le(relation.domain().get_space())))


def _before(fact: Fact, own: Any) -> Fact:
    """A fact on the instances of a nest as one on those of a read of it."""
    lifted = UnionMap.from_map(own)
    return Fact(
        tokens=tuple(lifted.apply_range(token) for token in fact.tokens),
        values=own.apply_range(fact.values),
    )


def _first_entries(tokens: tuple[Any, ...], values: Any) -> Fact:
    size = values.dim(DimType.out)
    kept = values.project_out(DimType.out, len(tokens), size - len(tokens))
    return Fact(tokens=tokens, values=kept)


def _entries(values: Any, first: int, count: int) -> Any:
    size = values.dim(DimType.set)
    values = values.project_out(DimType.set, first + count, size - first - count)
    return values.project_out(DimType.set, 0, first)


def _named(relation: Any, name: str) -> Any:
    return relation.set_tuple_name(DimType.out, name)
