"""Programs of which memories are planned although some instances may not run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.polyhedra import UnionMap, UnionSet
from hlsmem.polyhedra.relations import sets_of
from hlsmem.program.conditional_writes import is_written_once
from hlsmem.program.model import Access, Array, Filter, Order, Program, Statement, Storage
from hlsmem.program.predicate_reads import PREDICATE
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.texts import Texts


def under_conditions(keys: DesignKeys, program: Program, texts: Texts, *, skips: bool) -> Program:
    """The program with what statements with filters write as writes that may not happen.

    Such a write ends no value; what it would hide may still be read. Its streams pass over
    instances that do not run where it `skips`. What cannot be planned under conditions goes to the
    problems of `texts`.
    """
    if not program.has_conditions:
        return program
    _check(keys, program, texts)
    if skips:
        program = replace(program, skips=True, live_in=_arriving(keys, program))
    return with_possible_writes(program)


def with_possible_writes(program: Program) -> Program:
    """The program in which a statement writes perhaps what its filters guard."""
    return replace(program, statements=tuple(_possible(one) for one in program.statements))


def _arriving(keys: DesignKeys, program: Program) -> Any:
    """Live-in, of conditions from outside only the elements that some filter reads."""
    found = program.live_in
    for name, array in program.arrays.items():
        asked = keys.arrays[name].storage if name in keys.arrays else None
        seen = [a.relation.range() for s in program.statements for a in s.sees if a.array == name]
        if array.storage is Storage.STREAM and asked != "stream":
            whole = [one for one in sets_of(found) if one.get_tuple_name() == name]
            for elements in whole:
                found = found.subtract(UnionSet.from_set(elements))
                for one in seen:
                    found = found.union(UnionSet.from_set(elements.intersect(one)))
    return found.coalesce()


def with_inputs(arrays: Mapping[str, Array], statements: Sequence[Statement]) -> dict[str, Array]:
    """The arrays with external ones that filters look at as streams: what decides whether instances
    run has to come to the address generators that pass over them.
    """
    outside = _looked_at_outside(arrays, statements)
    streams = {name: replace(arrays[name], storage=Storage.STREAM) for name in outside}
    return {**arrays, **streams}


def unskippable(
    keys: DesignKeys, arrays: Mapping[str, Array], statements: Sequence[Statement]
) -> Iterator[Problem]:
    """Why streams cannot pass over instances that do not run, as far as the design tells."""
    first = next(one for one in statements if one.filters)
    if keys.plan.capacity != "schedule":
        what = f"{first.name!r} has a filter, and plan.capacity: {keys.plan.capacity}"
        what += " counts beats of instances that surely run"
        yield Problem(what, PREDICATE, first.filters[0].source_location)
    if keys.plan.slack:
        what = f"{first.name!r} has a filter, and slack counts beats of instances that surely run"
        yield Problem(what, PREDICATE, first.filters[0].source_location)
    if keys.order == "iteration":
        lanes = any(factor > 1 for factor in keys.pipeline.unroll.values())
        why = "lanes of unrolled loops share beats" if lanes else "order: iteration reads ahead"
        what = f"{first.name!r} has a filter, and {why}, whether an instance runs or not"
        yield Problem(what, PREDICATE, first.filters[0].source_location)
    written = {one.array for statement in statements for one in statement.writes}
    for name, access in _looked_at_outside(arrays, statements).items():
        if name in written:
            what = f"a filter looks at {name!r}, which statements write outside of the chip"
            remedy = f"set arrays.{name}.storage: memory, or plan.control: predicate"
            yield Problem(what, remedy, access.source_location)


def beats_for_all(why: Problem) -> Problem:
    """The remark where a design leaves the control to the plan and streams cannot skip."""
    what = f"streams have a beat for every instance (plan.control: predicate): {why.what}"
    return Problem(what, why.remedy, why.source_location, why.notes)


def first_filter(statements: Sequence[Statement]) -> Filter:
    """The first filter of statements that have any."""
    return next(one.filters[0] for one in statements if one.filters)


def _looked_at_outside(
    arrays: Mapping[str, Array], statements: Sequence[Statement]
) -> dict[str, Access]:
    """The external arrays that filters look at, each with the last place that does."""
    looked = {one.array: one for statement in statements for one in statement.looked}
    outside = {name for name, one in arrays.items() if one.storage is Storage.EXTERNAL}
    return {name: access for name, access in looked.items() if name in outside}


def _possible(statement: Statement) -> Statement:
    if not statement.filters:
        return statement
    return replace(statement, writes=tuple(replace(one, must=False) for one in statement.writes))


def _check(keys: DesignKeys, program: Program, texts: Texts) -> None:
    first = next(one for one in program.statements if one.filters)
    found = [(first, *one) for one in _unplanned(keys, program)]
    if program.order is Order.ITERATION:
        found += list(_written_again(program))
    for statement, what, remedy in found:
        what = f"{statement.name!r} has a filter, and {what}"
        texts.problems.add(what, remedy, statement.filters[0].source_location)


def _unplanned(keys: DesignKeys, program: Program) -> Iterator[tuple[str, str]]:
    """Settings that need instances that surely run, and the remedies."""
    if not _has_own_times(program):
        what = "two instances run at one time, where one may decide for the other"
        yield what, "give every instance a time of its own, such as [i, 0] and [i, 1]"
    if keys.plan.schedules != "given":
        yield f"plan.schedules: {keys.plan.schedules} needs every order", "leave it out"
    if keys.plan.tile is not None:
        yield "a tile is planned for instances that surely run", "leave plan.tile out"


def _written_again(program: Program) -> Iterator[tuple[Statement, str, str]]:
    """Guarded writes of arrays whose elements have several values: a step has no cell for them."""
    planned = {array.name for array in program.planned_arrays()}
    again = {name for name in planned if not is_written_once(program, name)}
    for statement in (one for one in program.statements if one.filters):
        for name in dict.fromkeys(one.array for one in statement.writes if one.array in again):
            what = f"order: iteration passes on within a step what is made of {name!r}, whose"
            what += " elements have several values"
            yield statement, what, "use order: sequential, or write each once (c ? a : b)"


def _has_own_times(program: Program) -> bool:
    times = UnionMap("{ }")
    for one in program.statements:
        times = times.union(UnionMap.from_map(one.schedule.intersect_domain(one.domain)))
    return bool(times.intersect_params(program.context).is_injective())
