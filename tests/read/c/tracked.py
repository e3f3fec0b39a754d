"""Regions pasted into C++ over arrays that record their accesses: an oracle for the reader."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.read.c.kernel import KernelReading

HEADER = Path(__file__).parent / "tracked.h"
COUNTERS = ("i", "j", "k", "t", "p", "q", "r", "s")

# One write with the reads before it: reads that happen, reads that may, the write.
Event = tuple[frozenset[str], frozenset[str], str]


@dataclass(frozen=True)
class Case:
    """A region as text, and the variables it uses by name."""

    name: str
    body: str
    parameters: tuple[str, ...]
    tracked: tuple[str, ...]


def build(folder: Path, cases: Sequence[Case], prologue: str = "") -> Path:
    """A program that runs one case by its number with the parameter values as arguments."""
    parts = [f'#include "{HEADER}"', prologue]
    for number, case in enumerate(cases):
        arguments = "".join(
            f"[[maybe_unused]] int {p} = std::atoi(argv[{k + 2}]);"
            for k, p in enumerate(case.parameters)
        )
        tracked = "".join(f"TRACKED({name});" for name in case.tracked)
        free = [name for name in COUNTERS if name not in case.parameters + case.tracked]
        counters = "".join(f"[[maybe_unused]] int {name};" for name in free)
        parts.append(f"static void run_{number}(char **argv) {{ {arguments}{counters}{tracked}")
        parts.append(f"{{\n{case.body}\n}} }}")
    calls = "".join(f"if (n == {n}) run_{n}(argv);" for n in range(len(cases)))
    parts.append(
        f"int main(int, char **argv) {{ int n = std::atoi(argv[1]); {calls} return 0; }}\n"
    )
    (folder / "tracked.cpp").write_text("\n".join(parts))
    program = folder / "tracked"
    command = ["g++", "-std=c++17", "-w", "-o", program, folder / "tracked.cpp"]
    subprocess.run(command, check=True)
    return program


def recorded(program: Path, number: int, values: Sequence[int]) -> list[tuple[set[str], str]]:
    """The writes of a run in order, each with the elements read since the last one."""
    command = [str(program), str(number), *map(str, values)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    events = []
    for line in output.splitlines():
        *reads, write = line.split()
        events.append(({read[1:] for read in reads}, write[1:]))
    return events


def predicted(
    reading: KernelReading, tracked: Sequence[str], values: Mapping[str, int]
) -> list[Event]:
    """The same from the sets of a reading; what is not tracked is left out."""
    found: list[tuple[tuple[int, ...], set[str], set[str], str]] = []
    for one in reading.statements:
        size = len(one.iterators)
        must: dict[tuple[int, ...], set[str]] = {}
        may: dict[tuple[int, ...], set[str]] = {}
        writes: dict[tuple[int, ...], str] = {}
        for access in one.reads:
            if access.array in tracked:
                for row in points(fix_parameters(access.relation, values)).tolist():
                    target = must if access.must else may
                    target.setdefault(tuple(row[:size]), set()).add(
                        _element(access.array, row, size)
                    )
        for row in points(fix_parameters(one.writes[0].relation, values)).tolist():
            writes[tuple(row[:size])] = _element(one.writes[0].array, row, size)
        is_tracked = one.writes[0].array in tracked
        for row in points(fix_parameters(one.schedule, values)).tolist():
            instance = tuple(row[:size])
            write = writes[instance] if is_tracked else ""
            certain, possible = must.get(instance, set()), may.get(instance, set())
            found.append((tuple(row[size:]), certain, possible, write))
    assert len({time for time, *_ in found}) == len(found), "two instances at one time"
    return _merged(sorted(found, key=lambda event: event[0]))


def _element(array: str, row: Sequence[int], size: int) -> str:
    return ",".join([array, *map(str, row[size:])])


def _merged(found: list[tuple[tuple[int, ...], set[str], set[str], str]]) -> list[Event]:
    """Reads of statements whose write is not tracked belong to the next tracked write."""
    events: list[Event] = []
    reads: set[str] = set()
    maybe: set[str] = set()
    for _, must, may, write in found:
        reads |= must
        maybe |= may
        if write:
            events.append((frozenset(reads), frozenset(maybe), write))
            reads, maybe = set(), set()
    return events


def agree(events: Sequence[Event], run: Sequence[tuple[set[str], str]]) -> bool:
    """Same writes in the same order; all certain reads, and no other than possible ones."""
    return len(events) == len(run) and all(
        write == recorded_write and must <= reads <= must | may
        for (must, may, write), (reads, recorded_write) in zip(events, run, strict=True)
    )
