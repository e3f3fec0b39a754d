"""Event times at which instances read and write, compared lexicographically.

An event time is [phase, .., rank, ..]. Phase -1 is before the program, 1 after it. Rank tells
reads (0) from writes (1) and, where a cell may not be read and overwritten at one time, from
ends of live intervals (2): "all reads come before all writes" is then plain lexicographic order.

    sequential  [0, full time, rank]
    iteration   [0, step, rank, rest of the time]: reads first, writes in textual order last
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, UnionMap, UnionSet
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.relations import dimension_names, named, rearrangement, union_map
from hlsmem.program.model import Order, Program

# Statements that write what is live before the program and read what is live after it. A
# prime is legal in isl and in no programming language: they never clash with a user's name.
LIVE_IN = "live_in'"
LIVE_OUT = "live_out'"

_READ, _WRITE, _END = 0, 1, 2
# Events that are kept: those of a program in two orders, and some to spare.
_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """Event times of all instances, LIVE_IN and LIVE_OUT among them; UnionMaps.

    `ends` says when a live interval ends whose last read the instance makes: just before writes
    of that event time may overwrite the cell. `handovers` is a Map from events of ends to those
    of writes before which nothing else is written: there a cell passes on to the next value.
    `ends_are_reads` says that a value surely ends before its element is written again.
    """

    reads: Any = field(compare=False)
    writes: Any = field(compare=False)
    ends: Any = field(compare=False)
    handovers: Any = field(compare=False)
    dimensions: int
    ends_are_reads: bool = True


def events(program: Program, *, strict: bool = False) -> Events:
    """The events of `program` in its own order.

    `strict` forbids to read and to overwrite a cell at the same time.
    """
    size = program.time_dimensions
    leading = size if program.order is Order.SEQUENTIAL else program.step_dimensions
    return _events(instance_times(program), size, leading, strict)


@kept(_KEPT)
def _events(times: Any, size: int, leading: int, strict: bool) -> Events:
    """The events of instances at `times`; programs that differ in accesses alone share them."""
    ranks = (_READ, _WRITE, _END if strict else _READ)
    read, write, end = (_event_of_time(size, leading, rank) for rank in ranks)
    before = _outside(LIVE_IN, -1, size + 2)
    after = _outside(LIVE_OUT, 1, size + 2)
    return Events(
        reads=times.apply_range(read).union(after),
        writes=times.apply_range(write).union(before),
        ends=times.apply_range(end).union(after),
        handovers=_handovers(size + 2, leading=leading + 1, alone=leading == size),
        dimensions=size + 2,
        ends_are_reads=not strict,
    )


def full_events(program: Program) -> Events:
    """The events in full sequential order, which alone decides which write a read sees."""
    return events(replace(program, order=Order.SEQUENTIAL))


def instance_times(program: Program) -> Any:
    """UnionMap from the instances of all statements, within the context, to their times."""
    times = (s.schedule.intersect_domain(s.domain).coalesce() for s in program.statements)
    return union_map(times).intersect_params(program.context)


def same_step(program: Program) -> Any:
    """UnionMap between instances of one step: { S[i] -> T[j] } with equal step entries."""
    size = program.time_dimensions
    step = UnionMap.from_map(rearrangement(size, range(program.step_dimensions)))
    steps = instance_times(program).apply_range(step)
    return steps.apply_range(steps.reverse())


def _event_of_time(size: int, leading: int, rank: int) -> Any:
    """{ [time] -> [event] }: the rank stands behind `leading` entries of the time.

    Reads and ends of a step happen together: their rest of the time is 0.
    """
    rest = range(leading, size) if rank == _WRITE else ["0"] * (size - leading)
    return UnionMap.from_map(rearrangement(size, ["0", *range(leading), str(rank), *rest]))


def _handovers(dimensions: int, *, leading: int, alone: bool) -> Any:
    """{ [.., read, ..] -> [.., write, ..] } at one time; empty where others write in between."""
    names = dimension_names("t", dimensions)
    read, write = list(names), list(names)
    read[leading], write[leading] = str(_READ), str(_WRITE)
    text = f"[{', '.join(read)}] -> [{', '.join(write)}]"
    return Map(f"{{ {text} : {'true' if alone else 'false'} }}")


def _outside(name: str, phase: int, dimensions: int) -> Any:
    return UnionMap(f"{{ {name}[] -> [{phase}{', 0' * (dimensions - 1)}] }}")


def live_before(program: Program, array: str) -> Any:
    """{ live_in'[] -> A[x] }: the elements of `array` that are live before the program."""
    return _virtual(LIVE_IN, program.live_in, array, program)


def live_after(program: Program, array: str) -> Any:
    """{ live_out'[] -> A[x] }: the elements of `array` that are live after the program."""
    return _virtual(LIVE_OUT, program.live_out, array, program)


def _virtual(name: str, live: Any, array: str, program: Program) -> Any:
    elements = named(live, array).intersect_params(program.context)
    return UnionMap.from_domain_and_range(UnionSet(f"{{ {name}[] }}"), elements)
