"""Whether processes that run by themselves come to their end, with the words of the plan's FIFOs.

Each process fires its instances in their order, as soon as every value that it takes from a FIFO is
there and, once those are gone, every FIFO that it writes has room. Such a network is confluent
(Kahn, "The semantics of a simple language for parallel programming", 1974): one run decides.
Accesses of other memories keep the order of the schedule, which is more than hardware asks.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program import Access, Program, Statement
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.parts import Divided, Part

MOST_ACCESSES = 400_000

Time = tuple[int, ...]


@dataclass(slots=True)
class _Instance:
    """An instance: FIFOs that it takes from and writes to, and firings that it waits for."""

    time: Time
    label: str
    takes: set[str] = field(default_factory=set)
    puts: list[str] = field(default_factory=list)
    after: dict[str, int] = field(default_factory=dict)


def selftimed_verdicts(divided: Divided) -> tuple[Verdict, ...]:
    """The verdict on the run of all processes; none where the plan has no FIFO."""
    program, document = divided.program, divided.document
    fifos = {
        one.name: int(document["memories"][one.entry["memory"]]["words"])
        for one in divided.parts
        if _is_fifo(one)
    }
    if not fifos:
        return ()  # other memories keep the order of the schedule, which comes to its end
    names = ", ".join(f"{name} {words}" for name, words in fifos.items())
    accesses = [(s, a) for s in program.statements for a in (*s.reads, *s.writes)]
    size = sum(
        count(fix_parameters(a.relation.intersect_domain(s.domain), program.values))
        for s, a in accesses
    )
    if size > MOST_ACCESSES:
        detail = f"{size} accesses are too many to fire one by one; ask at smaller parameters"
        return (_verdict(program, Status.SKIPPED, detail),)
    fault = _stuck(_instances(divided, set(fifos)), fifos)
    if fault:
        return (_verdict(program, Status.FAIL, f"with FIFOs of {names} words: {fault}"),)
    detail = f"processes that run by themselves come to their end with FIFOs of {names} words"
    return (_verdict(program, Status.PASS, detail),)


def _is_fifo(part: Part) -> bool:
    return not part.has_addresses and part.entry["taps"] is None


def _verdict(program: Program, status: Status, detail: str) -> Verdict:
    return Verdict(check="exact", subject=program.name, status=status, detail=detail)


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
    single = program.kernel is not None
    made: dict[tuple[str, Time], _Instance] = {}
    process_of: dict[tuple[str, Time], str] = {}
    reads, writes = (
        defaultdict[tuple[str, Time], set[str]](set),
        defaultdict[tuple[str, Time], set[str]](set),
    )
    for statement in program.statements:
        process = statement.name if single else statement.process
        domain = fix_parameters(statement.domain, program.values)
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        for row in distinct_points(schedule.range()).tolist():
            key = (statement.name, tuple(row))
            made[key] = _Instance(tuple(row), f"{statement.name} at {row}")
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
        for array in reads[key]:
            if array in fifos:
                one.takes.add(array)
                continue
            _wait(one, last_write[array])
            last_read[array][process] = number
        for array in writes[key]:
            if array in fifos:
                one.puts.append(array)
                continue
            _wait(one, last_read[array])
            last_write[array][process] = number
        one.after.pop(process, None)
    return processes


def _wait(one: _Instance, firings: dict[str, int]) -> None:
    for process, number in firings.items():
        one.after[process] = max(one.after.get(process, -1), number)


def _stuck(processes: dict[str, list[_Instance]], words: dict[str, int]) -> str:
    """Who waits for what at the end of the run; "" where all have fired."""
    done = dict.fromkeys(processes, 0)
    held = dict.fromkeys(words, 0)
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
                moved = True
    left = [
        f"{instances[done[process]].label} waits for "
        f"{_reason(instances[done[process]], done, held, words)}"
        for process, instances in processes.items()
        if done[process] < len(instances)
    ]
    return "; ".join(left)


def _reason(
    one: _Instance, done: dict[str, int], held: dict[str, int], words: dict[str, int]
) -> str:
    """What an instance waits for; "" where it may fire."""
    for fifo in one.takes:
        if held[fifo] < 1:
            return f"a value in {fifo}"
    for process, number in one.after.items():
        if done[process] <= number:
            return f"{process}"
    for fifo in one.puts:
        if held[fifo] - (fifo in one.takes) >= words[fifo]:
            return f"room in {fifo}"
    return ""
