"""Streams as statements: when their elements arrive and depart, guessed at one size and proved.

The times are those of docs/decisions: those of the instances that need them, where each element
has one and they come in its order; else indices aligned with loops of the times, moved by the
constant that puts every element as late (early, where it departs) as the instances that it meets
allow, where half of them are met there; or, without such a constant, just before (behind) them in
row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from hlsmem.check.rebuilt.rebuilt_flow import (
    AFTER,
    BEFORE,
    RUNNING,
    access_times,
    element_space,
    elements_of,
    flow_of,
    without_elements,
)
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.extremes import first_point, lexmax, lexmin
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Array, Copy, Program, Statement, Storage


@dataclass(frozen=True, slots=True)
class _Side:
    """`sign` is -1 where elements pass before the instances that they meet."""

    suffix: str
    sign: int
    passing: str


_ARRIVAL, _DEPARTURE = _Side("in", -1, "arrives"), _Side("out", 1, "departs")


def with_passages(program: Program) -> Program:
    """The program with a statement for what arrives of each stream, and for what departs.

    Raises InputError where what is given for that contradicts the program.
    """
    for array in program.arrays.values():
        if array.storage is Storage.STREAM:
            for side in (_ARRIVAL, _DEPARTURE):
                program = _with_passage(program, array.name, side)
    return program


def _with_passage(program: Program, name: str, side: _Side) -> Program:
    array = program.arrays[name]
    elements, met = _passing(program, array, side)
    if not elements.is_empty():
        label = f"{name}_{side.suffix}"
        if any(one.name == label for one in program.statements):
            what = f"a statement is called {label!r}, as what {side.passing} of {name!r}"
            raise InputError(Problem(what, "rename the statement", array.source_location))
        times, more = _times(program, array, elements, met, side)
        program = _longer(program, more)
        passage = _statement(array, label, elements, times, side)
        first, last = ((passage,), ()) if side is _ARRIVAL else ((), (passage,))
        program = replace(program, statements=(*first, *program.statements, *last))
    if side is _ARRIVAL:
        return replace(program, live_in=without_elements(program.live_in, name))
    return replace(program, live_out=without_elements(program.live_out, name))


def _passing(program: Program, array: Array, side: _Side) -> tuple[Any, Any]:
    """The elements that pass, and { element -> time } of the instances that they meet."""
    seen = flow_of(program, array.name).values  # { [element -> write time] -> read time }
    if side is _ARRIVAL:
        written = _with_phase(seen.domain().unwrap(), BEFORE)
        outside, met = written.domain(), seen.intersect_domain(written.wrap())
        met = met.domain_factor_domain()
    else:
        met = _with_phase(seen, AFTER).domain().unwrap()
        outside = met.domain()
    if side is _ARRIVAL and not outside.is_empty():
        space = element_space(program.context, array)
        idle = elements_of(program.live_in, space).intersect_params(program.context)
        for written in access_times(program, array.name, lambda one: one.writes):
            idle = idle.subtract(written.domain())
        outside = outside.union(idle)
    running = _with_phase(met, RUNNING).project_out(DimType.out, 0, 1)
    return outside.coalesce(), running.coalesce()


def _with_phase(times: Any, phase: int) -> Any:
    return times.fix_val(DimType.out, 0, Val(phase))


def _times(program: Program, array: Array, elements: Any, met: Any, side: _Side) -> tuple[Any, int]:
    """{ element -> time } of the passage, and how many entries it has beyond the program's."""
    given = array.arrival if side is _ARRIVAL else array.departure
    size, rank = program.time_dimensions, len(array.index)
    if given is not None:
        _check_given(program, array, given, met, side)
        return given, 0
    names = [f"x{k}" for k in range(rank)]
    behind = Map(
        f"{{ {array.name}[{', '.join(names)}] -> [{', '.join([str(side.sign), *names])}] }}"
    )
    if met.is_empty():
        zeros = ", ".join(["0"] * size)
        start = Map(f"{{ {array.name}[{', '.join(names)}] -> [{zeros}] }}")
        return start.flat_range_product(behind), 1 + rank
    closest = _closest(elements, met, side)
    is_slot = closest.is_injective() and _is_constant(closest.range(), size - 1)
    # In their order, each at the one instance that needs it: no constant is nearer.
    if is_slot and closest.is_equal((lexmin if side is _ARRIVAL else lexmax)(met)):
        return _beside(closest, size, side), 0
    loops = [k for k in range(size) if not _is_constant(met.range(), k)]
    for positions in combinations(loops, rank):
        moved = _moved(program, array, met, positions, side)
        if moved is None or not _goes_along(program, array, met, positions, moved):
            continue
        if positions[-1:] != (size - 1,):
            return _aligned(array, positions, [*moved[:-1], moved[-1] + side.sign]), 0
        # The last entry tells elements apart: one more tells before from after.
        return _aligned(array, positions, [*moved, side.sign]), 1
    if is_slot:
        return _beside(closest, size, side), 0
    return closest.flat_range_product(behind), 1 + rank


def _beside(times: Any, size: int, side: _Side) -> Any:
    """Times just before (behind) others."""
    entries = [f"t{k}" for k in range(size)]
    slot = [*entries[:-1], f"{entries[-1]} + {side.sign}"]
    return times.apply_range(Map(f"{{ [{', '.join(entries)}] -> [{', '.join(slot)}] }}"))


def _is_constant(times: Any, entry: int) -> bool:
    low, high = times.dim_min_val(entry), times.dim_max_val(entry)
    return bool(low.is_int() and low.eq(high))


def _aligned(array: Array, positions: Sequence[int], moved: Sequence[int]) -> Any:
    """{ element -> time }: the indices at some entries of times, all moved by constants."""
    names = [f"x{k}" for k in range(len(array.index))]
    entries = list(map(str, moved))
    for name, position in zip(names, positions, strict=True):
        entries[position] = f"{name} + {moved[position]}"
    return Map(f"{{ {array.name}[{', '.join(names)}] -> [{', '.join(entries)}] }}")


def _moved(
    program: Program, array: Array, met: Any, positions: Sequence[int], side: _Side
) -> list[int] | None:
    """The constant between aligned indices and the instance met next; None where it is none.

    That of the plan's values is tried: no instance may be nearer, and one has to be so near
    for all parameters that there are any.
    """
    size = program.time_dimensions
    start = _aligned(array, positions, [0] * size)
    apart = start.reverse().apply_range(met).align_params(program.context.get_space())
    gaps = apart.deltas()
    extreme = lexmin if side is _ARRIVAL else lexmax
    nearest = extreme(gaps.intersect_params(_at(program)))
    if nearest.is_empty():
        nearest = extreme(gaps)
    constant = list(first_point(nearest, program.values).coordinates)
    only = Set(f"{{ [{', '.join(map(str, constant))}] }}").align_params(gaps.get_space())
    order = Map.lex_lt(gaps.get_space()) if side is _ARRIVAL else Map.lex_gt(gaps.get_space())
    nearer = order.intersect_range(only).domain()
    if not gaps.is_disjoint(nearer):
        return None
    return constant if gaps.params().is_subset(gaps.intersect(only).params()) else None


def _goes_along(
    program: Program, array: Array, met: Any, positions: Sequence[int], moved: Sequence[int]
) -> bool:
    """True if at most as many elements are touched elsewhere as where the loops at `positions` are.

    Of an index that several loops count, each goes with a few elements alone.
    """
    own = fix_parameters(met, program.values)
    for entry in reversed(range(own.dim(DimType.out))):
        if entry not in positions:
            own = own.project_out(DimType.out, entry, 1)
    names = [f"x{k}" for k in range(len(array.index))]
    places = [f"{name} + {moved[k]}" for name, k in zip(names, positions, strict=True)]
    there = Map(f"{{ {array.name}[{', '.join(names)}] -> [{', '.join(places)}] }}")
    near = own.intersect(there.align_params(own.get_space())).domain()
    return count(own.domain().subtract(near)) <= count(near)


def _at(program: Program) -> Any:
    """The plan's values, as a set of parameters."""
    names = ", ".join(program.values)
    values = " and ".join(f"{name} = {value}" for name, value in program.values.items())
    found = Set(f"[{names}] -> {{ : {values or 'true'} }}").params()
    return found.align_params(program.context.get_space())


def _closest(elements: Any, met: Any, side: _Side) -> Any:
    """{ element -> time } of the first instance that meets it or one behind it in row-major order.

    Of the last that meets it or one before it, where elements depart. Those that nothing of the
    kind meets pass with the last (first) instance of all.
    """
    space = elements.get_space()
    further = Map.lex_le(space) if side is _ARRIVAL else Map.lex_ge(space)
    own = further.intersect_domain(elements).apply_range(met)
    first, last = (lexmin, lexmax) if side is _ARRIVAL else (lexmax, lexmin)
    rest = Map.from_domain_and_range(elements.subtract(own.domain()), last(met.range()))
    return first(own).union(rest).coalesce()


def _check_given(program: Program, array: Array, given: Any, met: Any, side: _Side) -> None:
    """Refuse times of a stream that are not before (after) the instances that its elements meet."""
    size = program.time_dimensions
    if given.dim(DimType.out) != size:
        what = (
            f"what {side.passing} of {array.name!r} has times of {given.dim(DimType.out)} entries"
        )
        raise InputError(Problem(what, f"give {size} of them", array.source_location))
    pairs = given.reverse().apply_range(met)
    space = pairs.range().get_space()
    wrong = Map.lex_ge(space) if side is _ARRIVAL else Map.lex_le(space)
    if not pairs.intersect(wrong).is_empty():
        what = f"an element of {array.name!r} {side.passing} on the wrong side of its use"
        raise InputError(Problem(what, "shift its times", array.source_location))


def _statement(array: Array, label: str, elements: Any, times: Any, side: _Side) -> Statement:
    itself = Map.identity(elements.get_space().map_from_set()).intersect_domain(elements)
    access = Access(
        array=array.name,
        relation=itself.set_tuple_name(DimType.in_, label),
        source_location=array.source_location,
    )
    return Statement(
        name=label,
        process=label,
        domain=elements.set_tuple_name(label),
        schedule=times.intersect_domain(elements).set_tuple_name(DimType.in_, label),
        reads=() if side is _ARRIVAL else (access,),
        writes=(access,) if side is _ARRIVAL else (),
        body=Copy(),
        iterators=array.index,
        source_location=array.source_location,
    )


def _longer(program: Program, more: int) -> Program:
    """The program with so many zeros behind all its times."""
    if not more:
        return program

    def longer(times: Any) -> Any:
        size = times.dim(DimType.out)
        times = times.add_dims(DimType.out, more)
        for k in range(size, size + more):
            times = times.fix_val(DimType.out, k, Val(0))
        return times

    names = program.iterator_names
    return replace(
        program,
        time_dimensions=program.time_dimensions + more,
        iterator_names=(*names, *(f"order{k}" for k in range(more))) if names else (),
        statements=tuple(replace(one, schedule=longer(one.schedule)) for one in program.statements),
        arrays={
            name: replace(
                one,
                arrival=None if one.arrival is None else longer(one.arrival),
                departure=None if one.departure is None else longer(one.departure),
            )
            for name, one in program.arrays.items()
        },
    )
