"""Liveness of self-timed processes with the words of the plan: all come to their end.

Each process fires its instances in their order, as soon as every value that it takes from a FIFO is
there and, once those are gone, every FIFO that it writes has room. A read from a window waits for
its write, a write for all reads of what had its cell before. Such a network is confluent (Kahn,
"The semantics of a simple language for parallel programming", 1974): one run decides. Accesses of
other memories keep the order of the schedule, which is more than hardware asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field

import numpy as np

from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.check.plans.plan_parts import Divided, Part
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program.model import Access, Program, Statement

MOST_ACCESSES = 400_000

Time = tuple[int, ...]
Key = tuple[str, Time]


@dataclass(slots=True)
class _Instance:
    """An instance: FIFOs that it takes from and writes to, and firings that it waits for."""

    statement: str
    time: Time
    takes: set[str] = field(default_factory=set)
    puts: list[str] = field(default_factory=list)
    after: dict[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.statement} at {list(self.time)}"


class TooLongError(Exception):
    """There are too many accesses to fire one by one."""


def turns(divided: Divided) -> dict[Key, int] | None:
    """By statement and time the turns of instances where processes run by themselves; None where
    they are stuck. Raises TooLongError."""
    run = _run(divided)
    return None if run.stuck else run.turns


def _fifos(divided: Divided) -> dict[str, int]:
    """The words of all FIFOs, by part."""
    return {
        one.name: int(divided.document["memories"][one.entry["memory"]]["words"])
        for one in divided.parts
        if not one.has_addresses and one.entry["taps"] is None
    }


def _rows(program: Program, statement: Statement, access: Access) -> list[tuple[Time, Time]]:
    """(time of the instance, element) of every access, by the order of isl's points."""
    domain = fix_parameters(statement.domain, program.values)
    schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
    relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
    rows = distinct_points(relation)
    depth = relation.domain_tuple_dim()
    times = evaluate(schedule, rows[:, :depth])
    return [
        (tuple(time), tuple(row[depth:]))
        for time, row in zip(times.tolist(), rows.tolist(), strict=True)
    ]


def _instances(divided: Divided, fifos: set[str]) -> dict[str, list[_Instance]]:
    """The instances of each process, in their order, with what they wait for."""
    program = divided.program
    windows = {one.name for one in divided.parts if one.is_window}
    made: dict[Key, _Instance] = {}
    process_of: dict[Key, str] = {}
    number_of: dict[Key, int] = {}
    reads, writes = defaultdict[Key, set[str]](set), defaultdict[Key, set[str]](set)
    for statement in program.statements:
        process = program.selftimed_process(statement)
        domain = fix_parameters(statement.domain, program.values)
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        for row in distinct_points(schedule.range()).tolist():
            key = (statement.name, tuple(row))
            made[key] = _Instance(*key)
            process_of[key] = process
        for into, accesses in ((reads, statement.reads), (writes, statement.writes)):
            for access in accesses:
                for time, _ in _rows(program, statement, access):
                    into[statement.name, time].add(access.array)
    processes = defaultdict[str, list[_Instance]](list)
    last_read: dict[str, dict[str, int]] = defaultdict(dict)
    last_write: dict[str, dict[str, int]] = defaultdict(dict)
    for key in sorted(made, key=lambda one: one[1]):
        one, process = made[key], process_of[key]
        number = len(processes[process])
        processes[process].append(one)
        number_of[key] = number
        for array in reads[key] - windows:
            if array in fifos:
                one.takes.add(array)
                continue
            _wait(one, last_write[array])
            last_read[array][process] = number
        for array in writes[key] - windows:
            if array in fifos:
                one.puts.append(array)
                continue
            _wait(one, last_read[array])
            last_write[array][process] = number
        one.after.pop(process, None)
    for part in divided.parts:
        if part.is_window:
            for waiting, other in _waits_of_window(divided, part):
                own = process_of[waiting] == process_of[other]
                if not own or number_of[other] > number_of[waiting]:
                    _wait(made[waiting], {process_of[other]: number_of[other]})
    return processes


def _waits_of_window(divided: Divided, part: Part) -> Iterator[tuple[Key, Key]]:
    """(instance, instance that it waits for): a read and its write, a write and the reads of what
    had its cell before."""
    program = divided.program
    folding = read_folding(part.name, part.entry)
    written: dict[Time, Key] = {}
    readers = defaultdict[Time, list[Key]](list)
    for statement in program.statements:
        for into, accesses in ((True, statement.writes), (False, statement.reads)):
            for access in accesses:
                if access.array != part.name:
                    continue
                for time, element in _rows(program, statement, access):
                    if into:
                        written[element] = (statement.name, time)
                    else:
                        readers[element].append((statement.name, time))
    elements = sorted(written, key=lambda one: written[one][1])
    cells = addresses(folding, np.array(elements, dtype=np.int64), program.values).tolist()
    before: dict[int, Time] = {}
    for element, cell in zip(elements, cells, strict=True):
        if cell in before:
            yield from ((written[element], reader) for reader in readers[before[cell]])
        before[cell] = element
        yield from ((reader, written[element]) for reader in readers[element])


def _wait(one: _Instance, firings: dict[str, int]) -> None:
    for process, number in firings.items():
        one.after[process] = max(one.after.get(process, -1), number)


@dataclass(frozen=True, slots=True)
class _Run:
    """The wait at the end as text, "" where all have fired, and the turn of each instance."""

    stuck: str
    turns: dict[Key, int]


def _run(divided: Divided) -> _Run:
    """The run of all processes. Raises TooLongError."""
    program = divided.program
    accesses = [(s, a) for s in program.statements for a in (*s.reads, *s.writes)]
    size = sum(
        count(fix_parameters(a.relation.intersect_domain(s.domain), program.values))
        for s, a in accesses
    )
    if size > MOST_ACCESSES:
        what = f"{size} accesses are too many to fire one by one; ask at smaller parameters"
        raise TooLongError(what)
    words = _fifos(divided)
    return _played(_instances(divided, set(words)), words)


def _played(processes: dict[str, list[_Instance]], words: Mapping[str, int]) -> _Run:
    done = dict.fromkeys(processes, 0)
    held = dict.fromkeys(words, 0)
    found = dict[Key, int]()
    moved = True
    while moved:
        moved = False
        for process, instances in processes.items():
            while done[process] < len(instances):
                one = instances[done[process]]
                if _reason(one, done, held, words):
                    break
                for fifo in one.takes:
                    held[fifo] -= 1
                for fifo in one.puts:
                    held[fifo] += 1
                done[process] += 1
                found[one.statement, one.time] = len(found)
                moved = True
    left = [
        f"{instances[done[process]].label} waits for "
        f"{_reason(instances[done[process]], done, held, words)}"
        for process, instances in processes.items()
        if done[process] < len(instances)
    ]
    return _Run("; ".join(left), found)


def _reason(
    one: _Instance, done: dict[str, int], held: dict[str, int], words: Mapping[str, int]
) -> str:
    """Reason why an instance waits, as text; "" where it may fire."""
    for fifo in one.takes:
        if held[fifo] < 1:
            return f"a value in {fifo}"
    for process, number in one.after.items():
        if done[process] <= number:
            return f"{process}, which has fired {done[process]} of {number + 1} instances before it"
    for fifo in one.puts:
        if held[fifo] - (fifo in one.takes) >= words[fifo]:
            return f"room in {fifo}"
    return ""
