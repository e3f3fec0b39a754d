"""Scalars that keep loops where they are: what an element for each iteration would let move.

`s = 0; for k: s += a[i][k] * b[k][j]; c[i][j] = s` writes one cell in every iteration of i and j,
so neither can move inside of k. Where no value goes from one such iteration to another, an element
for each of them keeps all values, and nothing waits for the cell to be free. Source: Allen and
Kennedy, "Optimizing compilers for modern architectures" (2001), section 5.3, scalar expansion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.relations import maps_of, rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Array, Program, Statement
from hlsmem.schedule_search.distribution import distributed
from hlsmem.schedule_search.loop_times import Times, may_move
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.value_flow import dataflow

_UNROLLED = 25
"""gcc and clang unroll the loops of a 3 x 3 window and make its outer loop a vector, which is three
times as fast as a sum in memory; measured. The sum of 32 is six times as fast there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The scalars that keep loops from moving, and how many times as long these take as they would
    with an element for each iteration, by the figure that orders of C are chosen by."""

    names: tuple[str, ...]
    times: float


def kept_by_scalars(program: Program, operations: int) -> Kept | None:
    """Scalars of a program that keep loops from moving; None where none do.

    It is for programs that `distributed` finds no other order for. Raises WorkLimitError where isl
    needs more than so many operations to tell.
    """
    if not may_move(program):
        return None
    entries = within(operations, lambda _: _entries(program))
    if not entries:
        return None
    freed = replace(
        program, statements=tuple(_with_elements(one, entries) for one in program.statements)
    )
    try:
        moved = distributed(freed, operations)
    except WorkLimitError as limit:
        if limit.step is None:
            raise
        moved = limit.step
    if moved is None:
        return None
    times = Times.of(freed)
    schedules = {name: Map(text) for name, text in moved.items()}
    ratio = times.figure() / replace(times, schedules=schedules).figure()
    return Kept(names=tuple(entries), times=ratio)


def _entries(program: Program) -> dict[str, tuple[int, ...]]:
    """The entries of times that tell apart the iterations between which no value of a scalar goes,
    by the scalars that have such."""
    times = Times.of(program)
    scalars = [array for array in program.planned_arrays() if not array.index]
    found = {array.name: _iterations(program, times, array) for array in scalars}
    return {name: entries for name, entries in found.items() if entries}


def _iterations(program: Program, times: Times, array: Array) -> tuple[int, ...]:
    touching = [
        one
        for one in program.statements
        if any(access.array == array.name for access in (*one.reads, *one.writes))
    ]
    names = {one.name for one in touching}
    shared = [loop.entry for loop in times.loops() if names <= set(loop.names)]
    pairs = []
    for use in maps_of(dataflow(program, array.name).uses):  # [A[x] -> W[i]] -> R[j]
        ends = use.domain().unwrap().get_tuple_name(DimType.out), use.get_tuple_name(DimType.out)
        if LIVE_IN in ends or LIVE_OUT in ends:
            return ()
        first, second = (times.schedules[name] for name in ends)
        pairs.append(use.curry().range().unwrap().apply_domain(first).apply_range(second))
    while shared and not all(_stays(pair, shared) for pair in pairs):
        shared.pop()
    return tuple(shared) if any(_is_long(one, times, shared) for one in touching) else ()


def _is_long(statement: Statement, times: Times, entries: Sequence[int]) -> bool:
    """True if an iteration has more instances of a statement than compilers unroll."""
    values = times.program.values
    own = times.at(statement).range()
    iterations = own.apply(rearrangement(times.size, entries))
    found, parts = (count(fix_parameters(one, values)) for one in (own, iterations))
    return found > _UNROLLED * parts


def _stays(pair: Any, entries: Iterable[int]) -> bool:
    """True if two times always have the same entries."""
    same = Map.universe(pair.get_space())
    for entry in entries:
        same = same.equate(DimType.in_, entry, DimType.out, entry)
    return bool(pair.is_subset(same))


def _with_elements(statement: Statement, entries: Mapping[str, tuple[int, ...]]) -> Statement:
    def moved(accesses: Iterable[Access]) -> tuple[Access, ...]:
        return tuple(
            replace(one, relation=_element(statement, one, entries[one.array]))
            if one.array in entries
            else one
            for one in accesses
        )

    return replace(statement, reads=moved(statement.reads), writes=moved(statement.writes))


def _element(statement: Statement, access: Access, entries: tuple[int, ...]) -> Any:
    """{ instance -> element } by its iteration."""
    own = statement.schedule.intersect_domain(access.relation.domain())
    found = own.apply_range(rearrangement(own.dim(DimType.out), entries))
    return found.set_tuple_name(DimType.out, access.array).gist_domain(statement.domain)
