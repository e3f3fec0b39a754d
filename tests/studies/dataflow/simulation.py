"""Runs of random programs, and what parameters are in a run by their meaning: no isl, no hlsmem.

beta of a writer is 1 iff one of its instances ran that wrote the element before the read, with at
least `level` equal outer loops; lambda is the last of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from tests.studies.dataflow.programs import Index, Line

Instance = tuple[str, tuple[int, ...]]
Element = tuple[str, tuple[int, ...]]


@dataclass
class Run:
    """What happened: `sources` of the reads that ran, None for what was there before.

    A read is (statement, iteration, operand). `ran` are the instances that ran, `writes` those
    that write an element, whether they ran or not, in the order of time.
    """

    sources: dict[tuple[str, tuple[int, ...], int], Instance | None] = field(default_factory=dict)
    ran: set[Instance] = field(default_factory=set)


def instances(lines: Sequence[Line], n: int) -> list[tuple[Line, tuple[int, ...]]]:
    """All instances in the order of time."""
    found = []
    for line in lines:
        for point in product(range(n), repeat=len(line.loops)):
            time = [line.slots[0]]
            for value, slot in zip(point, line.slots[1:], strict=True):
                time += [value, slot]
            found.append((time, line, point))
    found.sort(key=lambda one: one[0])
    return [(line, point) for _, line, point in found]


def element(array: str, index: Index, line: Line, point: Sequence[int], n: int) -> Element:
    """The element that an index means at an iteration."""
    values = dict(zip(line.loops, point, strict=True))
    return array, tuple(_value(one, values, n) for one in index)


def _value(text: str, values: Mapping[str, int], n: int) -> int:
    if text.startswith("n-1-"):
        return n - 1 - values[text[4:]]
    loop, _, less = text.partition("-")
    return values[loop] - int(less or 0)


def run(lines: Sequence[Line], n: int, chance: random.Random, bias: float = 0.5) -> Run:
    """A run in which every condition has a value by chance."""
    done = Run()
    values: dict[Element, int] = {}
    last: dict[Element, Instance] = {}

    def look(array: str, index: Index, line: Line, point: Sequence[int]) -> int:
        return values.setdefault(element(array, index, line, point, n), int(chance.random() < bias))

    for line, point in instances(lines, n):
        if not all(
            look(one.array, one.index, line, point) == one.value for one in line.predicate_reads
        ):
            continue
        done.ran.add((line.name, point))
        for operand, (array, index) in enumerate(line.reads):
            source = last.get(element(array, index, line, point, n))
            done.sources[line.name, point, operand] = source
        for array, index in line.writes:
            where = element(array, index, line, point, n)
            last[where] = line.name, point
            values.pop(where, None)  # a condition is drawn anew when it is looked at
    return done


@dataclass
class Meaning:
    """Values of the parameters in a run."""

    lines: Sequence[Line]
    n: int
    run: Run

    def __post_init__(self) -> None:
        self.order = instances(self.lines, self.n)
        self.by_name = {line.name: line for line in self.lines}

    def last(
        self, writer: str, level: int, reader: str, point: tuple[int, ...], operand: int
    ) -> tuple[int, ...] | None:
        """The last iteration of `writer` that ran and wrote what the operand reads, before it."""
        line = self.by_name[reader]
        array, index = line.reads[operand]
        wanted = element(array, index, line, point, self.n)
        result = None
        for other, where in self._before(line, point):
            if other.name == writer and (writer, where) in self.run.ran:
                writes = {element(a, i, other, where, self.n) for a, i in other.writes}
                if wanted in writes and _equal_loops(line, point, other, where) >= level:
                    result = where
        return result

    def _before(self, line: Line, point: tuple[int, ...]) -> Iterator[tuple[Line, tuple[int, ...]]]:
        for other, where in self.order:
            if other is line and where == point:
                return
            yield other, where


def _equal_loops(line: Line, point: Sequence[int], other: Line, where: Sequence[int]) -> int:
    """How many outer loops both stand in, at the same iteration."""
    count = 0
    for at in range(min(len(line.loops), len(other.loops))):
        if line.slots[at] != other.slots[at] or point[at] != where[at]:
            break
        count += 1
    return count
