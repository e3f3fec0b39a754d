"""Predicate reads of streams, as statements of their own (`plan.control: skip`).

A stream of a statement with filters passes over instances that do not run. Which ones these are it
learns from the elements that the filters look at: a statement with the name of the stream reads
them at the times of the instances, and its read streams end at the address generator of that
stream. To all that plans and judges storage they are reads like others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.program.model import Access, Filter, Program, Statement

PREDICATE = "use plan.control: predicate"


@dataclass(frozen=True, slots=True)
class Newest:
    """Of an entry that looks at several elements, the one that the instance before did not.

    Those before were looked at by then, but for the instances in `restart`, which look at one.
    """

    relation: Any = field(compare=False)
    restart: Any = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredicateRead:
    """An entry of a filter: operand `number` of its array that the statement of a stream reads."""

    filter: int
    entry: int
    array: str
    number: int


def with_predicate_reads(program: Program) -> Program:
    """The program with a statement for each stream whose instances may not run, in front of the
    statement itself; as it is where no stream skips."""
    if not program.skips or not program.has_conditions or any(_apart(program)):
        return program
    arrays = _with_streams(program)
    statements: list[Statement] = []
    for one in program.statements:
        names = skipping(one, arrays) if one.filters else ()
        own = [_predicate_reading(program, one, name) for name in names]
        statements += [*own, replace(one, looks_apart=bool(one.filters))]
    return replace(program, statements=tuple(statements))


def skipping(statement: Statement, arrays: frozenset[str]) -> Iterator[str]:
    """The names of the streams that a statement has of `arrays`."""
    for prefix, accesses in (("m", statement.reads), ("s", statement.writes)):
        for array in dict.fromkeys(one.array for one in accesses):
            if array in arrays:
                yield f"{prefix}_{array}_{statement.name}"


def predicate_reading(program: Program) -> frozenset[str]:
    """The names of the statements that look for streams, which are the names of these."""
    arrays = _with_streams(program)
    return frozenset(name for one in _apart(program) for name in skipping(one, arrays))


def predicate_reads_of(statement: Statement) -> tuple[PredicateRead, ...]:
    """The entries of its filters, as the statements of its streams read them."""
    found: list[PredicateRead] = []
    for at, one in enumerate(statement.filters):
        for entry, access in enumerate(one.accesses):
            number = sum(look.array == access.array for look in found)
            found.append(PredicateRead(filter=at, entry=entry, array=access.array, number=number))
    return tuple(found)


def _apart(program: Program) -> Iterator[Statement]:
    return (one for one in program.statements if one.looks_apart)


def _with_streams(program: Program) -> frozenset[str]:
    planned = program.planned_arrays()
    unknown = {one.name for one in planned if program.is_state(one.name) and one.first is None}
    return frozenset({one.name for one in planned} - unknown - set(program.decided_by_data()))


def newest(
    program: Program, statement: Statement, own: Filter, access: Access, instances: Any
) -> Newest | None:
    """Elements that are new to each of some instances; None where each reads one at most.

    Raises InputError where an instance looks at more than one that is new.
    """
    asked = instances.intersect(own.value.domain()).intersect_params(program.context)
    relation = access.relation.intersect_domain(asked)
    if relation.is_single_valued():
        return None
    times = statement.schedule.intersect_domain(asked)
    earlier = Map.lex_gt(times.range().get_space()).intersect_domain(times.range())
    last = lexmax(earlier.intersect_range(times.range()))
    before = times.apply_range(last).apply_range(times.reverse()).apply_range(relation)
    follows = times.apply_range(last).domain().subtract(before.subtract(relation).domain())
    found = relation.subtract(before.intersect_domain(follows)).coalesce()
    if not found.is_single_valued() or not asked.is_subset(found.domain()):
        what = f"the filter of {statement.name!r} looks at several elements of {access.array!r},"
        what += " and not at those of the instance before and one more"
        raise InputError(Problem(what, PREDICATE, access.source_location))
    return Newest(found, asked.subtract(follows).coalesce())


def beats_of(statement: Statement, name: str) -> Any:
    """The instances of a statement that have a beat on a stream of it."""
    whole = statement.domain.subtract(statement.domain)
    for prefix, accesses in (("m", statement.reads), ("s", statement.writes)):
        for one in accesses:
            if name == f"{prefix}_{one.array}_{statement.name}":
                whole = whole.union(one.relation.intersect_domain(statement.domain).domain())
    return whole.coalesce()


def _predicate_reading(program: Program, statement: Statement, name: str) -> Statement:
    instances = beats_of(statement, name)

    def seen(own: Filter, one: Access) -> Access:
        found = newest(program, statement, own, one, instances)
        relation = one.relation if found is None else found.relation
        asked = relation.intersect_domain(own.value.domain()).intersect_domain(instances)
        return replace(one, relation=asked.set_tuple_name(DimType.in_, name))

    return Statement(
        name=name,
        process=statement.process,
        domain=instances.set_tuple_name(name),
        schedule=statement.schedule.set_tuple_name(DimType.in_, name),
        reads=tuple(seen(own, one) for own in statement.filters for one in own.accesses),
        writes=(),
        body=statement.body,
        iterators=statement.iterators,
        latency=0,
        source_location=statement.source_location,
        tasks=statement.tasks,
    )
