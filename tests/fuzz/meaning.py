"""What a run means for storage, by counting: values, conflicts, max-live, and legality of orders.

The rules are those of the design: at one time all reads come before all writes; a value lives
from its write to its last read, at least during the instant of its write; by iterations, values
read in the step that made them need no cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.fuzz.language import Element, Instance, Time

BEFORE, AFTER = (-1,), (1,)  # live content is written before and read after (0, *time)
ProgramPoint = tuple[int, ...]


@dataclass(slots=True)
class Value:
    """One value: its element, who wrote it and when, when it is read."""

    element: Element
    writer: int | None
    written: ProgramPoint
    reads: list[ProgramPoint] = field(default_factory=list)


@dataclass(slots=True)
class Flow:
    """All values of a run by array; `sources`: which value every read of an instance sees.

    `unprovided` are the instances that read what no value provides, `clash` says that two instances
    write one element at one time.
    """

    values: dict[str, list[Value]]
    sources: list[tuple[int | None, ...]]
    last: dict[tuple[str, Element], int | None]
    unprovided: set[int]
    clash: bool

    def needed(self, outside: Iterable[int]) -> list[int]:
        """The instances that stay: of those that read what no value provides, and of all that their
        values reach, those alone that some `outside` needs, or a reader after the end."""
        readers: dict[int, set[int]] = {}
        for reader, seen in enumerate(self.sources):
            for writer in seen:
                if writer is not None:
                    readers.setdefault(writer, set()).add(reader)
        left = {writer for writer in self.last.values() if writer is not None}
        live = _reached({*outside, *left}, dict(enumerate(self.sources)))
        gone = _reached(self.unprovided - live, readers)
        return [number for number in range(len(self.sources)) if number not in gone]


def _reached(first: Iterable[int], further: Mapping[int, Iterable[int | None]]) -> set[int]:
    """Instances, and those that `further` leads to from them, step by step."""
    found, left = set(first), [*first]
    while left:
        others = {one for one in further.get(left.pop(), ()) if one is not None} - found
        found |= others
        left += others
    return found


def flow(
    instances: Sequence[Instance],
    times: Sequence[Time],
    live_in: Mapping[str, Iterable[Element]],
    live_out: Mapping[str, Iterable[Element]],
) -> Flow:
    """Who reads what where instance k runs at `times[k]`."""
    holds: dict[tuple[str, Element], Value] = {}
    given: list[tuple[str, Value]] = []
    for array, elements in live_in.items():
        for element in elements:
            value = Value(element, None, BEFORE)
            holds[array, element] = value
            given.append((array, value))
    values: dict[str, list[Value]] = {}
    sources: list[tuple[int | None, ...]] = [()] * len(instances)
    unprovided: set[int] = set()
    clash = False
    groups: dict[Time, list[int]] = {}
    for number, time in enumerate(times):
        groups.setdefault(time, []).append(number)
    for time in sorted(groups):
        moment = (0, *time)
        for number in groups[time]:
            seen = []
            for place in instances[number].reads:
                value = holds.get(place)
                if value is None:
                    unprovided.add(number)
                    continue
                value.reads.append(moment)
                seen.append(value.writer)
            sources[number] = tuple(seen)
        for number in groups[time]:
            array, element = instances[number].write
            old = holds.get((array, element))
            clash |= old is not None and old.written == moment
            value = Value(element, number, moment)
            holds[array, element] = value
            values.setdefault(array, []).append(value)
    last = {}
    for array, elements in live_out.items():
        for element in elements:
            found = holds.get((array, element))
            if found is not None:
                found.reads.append(AFTER)
                last[array, element] = found.writer
    for array, value in given:
        if value.reads:
            values.setdefault(array, []).insert(0, value)
    return Flow(values, sources, last, unprovided, clash)


def same_flow(one: Flow, other: Flow) -> bool:
    """Whether every read, and every reader after the end, sees the same write."""
    return one.sources == other.sources and one.last == other.last


@dataclass(frozen=True, slots=True)
class Lives:
    """`conflicts` are pairs of different elements that need different cells, both ways round."""

    conflicts: frozenset[tuple[Element, Element]]
    elements: frozenset[Element]
    max_live: int


def lives(values: Sequence[Value], *, step: int | None, strict: bool) -> Lives:
    """Conflicts and max-live of the values of one array.

    `step`: by iterations whose first `step` time entries agree; None: every instance alone.
    """
    needs = [(value, _needed(value, step)) for value in values]
    conflicts: set[tuple[Element, Element]] = set()
    most = 0
    for written in values:
        moment = written.written
        alive = {
            value.element
            for value, ends in needs
            if value.written == moment
            or (value.written < moment and _lasts(moment, ends, step, strict))
        }
        most = max(most, len(alive))
        for element in alive:
            if element != written.element:
                conflicts.add((element, written.element))
                conflicts.add((written.element, element))
    return Lives(frozenset(conflicts), frozenset(v.element for v in values), most)


def _needed(value: Value, step: int | None) -> list[ProgramPoint]:
    """The reads that find a value in its cell: those of its own step are wires."""
    if step is None:
        return value.reads
    own = value.written[: step + 1]
    return [read for read in value.reads if read[: step + 1] != own]


def _lasts(moment: ProgramPoint, ends: list[ProgramPoint], step: int | None, strict: bool) -> bool:
    """Whether a write at `moment` would overwrite a value that is read at `ends`."""
    if not ends:
        return False
    last = max(ends)
    if step is not None:
        moment, last = moment[: step + 1], last[: step + 1]
    return moment < last or (strict and moment == last)
