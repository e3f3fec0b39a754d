"""The order in which C runs what the plan puts at one time, by its definition.

C runs one instance after the other: of one time, what departs of streams first and what arrives
last, the others as the source has them, and without another source as they stand in the text, a
statement's by its loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from hlsmem.check.rebuilt.rebuilt_flow import running
from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.program.model import Copy, Order, Program, Statement
from hlsmem.program.options import Design
from hlsmem.read.as_written import AS_WRITTEN
from hlsmem.read.design import changed
from hlsmem.read.filter_conditions import with_possible_writes


def in_the_order_of_c(given: Program, program: Program) -> Program:
    """The program in the order of generated C; itself where it is in that order.

    `program` is `given` arranged. C has unrolled loops as they are in its source, with filters an
    instance at a time.
    """
    if program.lanes:
        program = arranged(replace(given, unroll={}))
        if any(one.filters for one in program.statements):
            program = replace(program, order=Order.SEQUENTIAL)
    return one_after_the_other(program)


def texts_of_c(design: Design) -> Iterator[Program]:
    """The programs that C may run in the order of their text: what is planned, and what stands in
    the source; without copies of what is outside of C."""
    for settings in ((), AS_WRITTEN):
        given = (changed(design, settings) if settings else design).input
        if isinstance(given, Program):
            yield replace(with_possible_writes(given.source.in_c), order=Order.SEQUENTIAL)


def text_as_written(design: Design) -> Program:
    """The program in the order of the user's text, an instance at a time."""
    given = changed(design, AS_WRITTEN).input
    assert isinstance(given, Program)
    return replace(with_possible_writes(given.source), order=Order.SEQUENTIAL)


def one_after_the_other(program: Program) -> Program:
    """The program with a time for every instance; itself where no statement has two at one time,
    or in one step: there C has all it reads before it writes. With filters it has times for all,
    as what is written before another's read depends on what runs."""
    if program.order is Order.ITERATION:
        if all(_is_alone(one, program.step_dimensions) for one in _computing(program)):
            return program
        program = replace(program, order=Order.SEQUENTIAL)
    whole = program.time_dimensions
    if _are_apart(program):
        return program
    filtered = any(one.filters for one in program.statements)
    if not filtered and all(_is_alone(one, whole) for one in _computing(program)):
        return program
    source = program.source
    before = {} if source is program else {one.name: one.schedule for one in source.statements}
    depth = max(len(one.iterators) for one in program.statements)
    middle = source.time_dimensions if before else 0
    extra = 1 + middle + 1 + depth
    names = program.iterator_names
    return replace(
        program,
        time_dimensions=whole + extra,
        iterator_names=(*names, *(f"order{k}" for k in range(extra))) if names else (),
        statements=tuple(
            _ordered(one, number, before.get(one.name), middle, depth)
            for number, one in enumerate(program.statements)
        ),
    )


def _computing(program: Program) -> list[Statement]:
    return [one for one in program.statements if not isinstance(one.body, Copy)]


def _is_alone(statement: Statement, leading: int) -> bool:
    """True if no two instances agree in so many leading entries of the schedule."""
    times = running(statement)
    rest = times.dim(DimType.out) - 1 - leading
    return bool(times.project_out(DimType.out, 1 + leading, rest).is_injective())


def _are_apart(program: Program) -> bool:
    """True if all instances have times of their own."""
    times = [running(one).intersect_params(program.context) for one in program.statements]
    pairs = combinations([one.range() for one in times], 2)
    return all(one.is_injective() for one in times) and all(a.is_disjoint(b) for a, b in pairs)


def _ordered(statement: Statement, number: int, source: Any, middle: int, depth: int) -> Statement:
    """A statement at [time, phase, time in the source, number, loops], each of one length."""
    phase = 0
    if isinstance(statement.body, Copy):
        phase = 1 if statement.writes else -1
    loops = Map.identity(statement.domain.get_space().map_from_set())
    own = statement.schedule.intersect_domain(statement.domain)
    parts = (
        _constant(own, phase),
        _padded(own.domain(), source, middle),
        _constant(own, number),
        _padded(own.domain(), loops.reset_tuple_id(DimType.out), depth),
    )
    for part in parts:
        own = own.flat_range_product(part)
    return replace(statement, schedule=own)


def _constant(times: Any, value: int) -> Any:
    only = Set(f"{{ [{value}] }}").align_params(times.get_space())
    return Map.from_domain_and_range(times.domain(), only)


def _padded(instances: Any, entries: Any, size: int) -> Any:
    """{ instance -> entries }, as many as `size`, with zeros at the end; of None all zeros."""
    if entries is None:
        entries = Map.from_domain(instances)
    more = size - entries.dim(DimType.out)
    zeros = Set(f"{{ [{', '.join(['0'] * more)}] }}").align_params(instances.get_space())
    there = entries.intersect_domain(instances)
    return there.flat_range_product(Map.from_domain_and_range(instances, zeros))
