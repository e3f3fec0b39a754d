"""The order that C has of its own, as plan.json states it: times, and what they have to keep.

C computes what the program does if of two instances that touch one element, one of them writing,
the same one is first. That is asked of isl for all parameters, on relations made here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.samples import first_point
from hlsmem.program import Access, Copy, Order, Program, Statement, Storage

Document = Mapping[str, Any]


class NoTimes(Exception):
    """The times cannot be an order of the program; says why."""


def stated_times(document: Document) -> Mapping[str, str] | None:
    """The times of statements in plan.json, None where C has the plan's."""
    host = document["orders"]["host"]
    return (host["times"] or None) if host is not None else None


def without_streamed(program: Program) -> Program:
    """The program without what passes by streams, of which C has none."""
    names = program.outside_of_c

    def passes(one: Statement) -> bool:
        arrays = {access.array for access in (*one.reads, *one.writes)}
        return isinstance(one.body, Copy) and not arrays.isdisjoint(names)

    kept = tuple(one for one in program.statements if not passes(one))
    return replace(program, statements=kept)


def with_own_times(program: Program, document: Document) -> Program:
    """The program in C's order, which is its own where plan.json states times.

    Raises NoTimes where these are no time for each instance.
    """
    texts = stated_times(document)
    if texts is None:
        return program
    if set(texts) != {one.name for one in program.statements}:
        raise NoTimes("its times are not those of the statements")
    found = []
    for one in program.statements:
        try:
            times = Map(texts[one.name])
        except Exception as error:
            raise NoTimes(f"the times of {one.name} are no map of isl") from error
        times = times.align_params(one.domain.get_space())
        if times.get_tuple_name(DimType.in_) != one.name or not times.is_single_valued():
            raise NoTimes(f"{one.name} has no one time for each instance")
        if not one.domain.intersect_params(program.context).is_subset(times.domain()):
            raise NoTimes(f"{one.name} has instances without a time")
        found.append(replace(one, schedule=times))
    sizes = {one.schedule.dim(DimType.out) for one in found}
    if len(sizes) != 1:
        raise NoTimes("its times have several lengths")
    (size,) = sizes
    return replace(
        program,
        statements=tuple(found),
        order=Order.SEQUENTIAL,
        time_dimensions=size,
        step_dimensions=size,
        iterator_names=(),
    )


def times_fault(given: Program, own: Program) -> str:
    """Which two instances change places that may not; "" where none do."""
    moved = {one.name: one for one in own.statements}
    for name, array in given.arrays.items():
        if array.storage is Storage.ROM:
            continue
        touching = list(_touching(given, name))
        for first, left in touching:
            for second, right in touching:
                if left in first.writes or right in second.writes:
                    pairs = _met(given, (first, left), (second, right))
                    pairs = pairs.intersect(_ordered(first, second, "lex_lt"))
                    lost = _ordered(moved[first.name], moved[second.name], "lex_ge")
                    pairs = pairs.intersect(lost)
                    if not pairs.is_empty():
                        return _text(given, name, first, second, pairs)
    return ""


def _touching(program: Program, array: str) -> Iterator[tuple[Statement, Access]]:
    for one in program.statements:
        for access in (*one.reads, *one.writes):
            if access.array == array:
                yield one, access


def _met(program: Program, left: tuple[Statement, Access], right: tuple[Statement, Access]) -> Any:
    """{ S[i] -> T[j] : both touch one element }."""
    ends = [
        access.relation.intersect_domain(statement.domain).intersect_params(program.context)
        for statement, access in (left, right)
    ]
    return ends[0].apply_range(ends[1].reverse())


def _ordered(first: Statement, second: Statement, how: str) -> Any:
    """{ S[i] -> T[j] : the time of the one is so to that of the other }."""
    space = Set.universe(first.schedule.range().get_space()).get_space()
    order = getattr(Map, how)(space)
    return first.schedule.apply_range(order).apply_range(second.schedule.reverse())


def _text(program: Program, array: str, first: Statement, second: Statement, pairs: Any) -> str:
    point = first_point(pairs.wrap(), program.values)
    depth = first.domain.dim(DimType.set)
    ends = point.coordinates[:depth], point.coordinates[depth:]
    one, other = (
        f"{statement.name}[{', '.join(map(str, at))}]"
        for statement, at in zip((first, second), ends, strict=True)
    )
    return f"{other} runs before {one} in C's order, and both touch an element of {array!r}"
