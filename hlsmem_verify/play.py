"""A second way: the program is played at values of its parameters, access by access."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from hlsmem_verify.algebra import Values
from hlsmem_verify.isl_values import DIM, Point, at_values, count, images, listed
from hlsmem_verify.outcomes import MOST_PAIRS, MOST_POINTS, False_, Refused, Unknown
from hlsmem_verify.program import READS, Program


@dataclass
class Value:
    """A value of an element: when it was written, who reads it, and its last reading step.

    `uses` are (time, stream, number), `stored` those in a later step; `until` is (-1,) where there
    are none.
    """

    element: Point
    born: Point
    uses: list[tuple[Point, str, int]]
    stored: list[tuple[Point, str, int]]
    until: Point = (-1,)


# The values written at a time, all that lie in cells just then by number, and of how many elements.
Moment = tuple[list[Value], dict[int, Value], int]


class Play:
    """The program at values of its parameters, access by access; isl lists points, no more."""

    def __init__(self, program: Program, values: Values, planned: Iterable[str]):
        self.program, self.values, self.planned = program, values, set(planned)
        self.known: dict[str, tuple[list[tuple[Point, Point]], list[dict[Point, list[Point]]]]] = {}
        if program.context.is_disjoint(program.point(values)):
            raise Refused("--at is outside of the context")

    def instances(self, name: str) -> Any:
        """(time, instance) of a statement in order, and the images of each access."""
        if name not in self.known:
            one = self.program.statements[name]
            if count(at_values(one["domain"], self.values)) > MOST_POINTS:
                raise Unknown(f"more than {MOST_POINTS} instances")
            times = images(at_values(one["times"], self.values))
            relations = (at_values(access["relation"], self.values) for access in one["accesses"])
            ordered = sorted((time, x) for x, (time,) in times.items())
            self.known[name] = (ordered, list(map(images, relations)))
        return self.known[name]

    def lives(
        self,
        array: str,
        *,
        order: str | None = None,
        slack: int | None = None,
        operands: Iterable[tuple[str, int]] | None = None,
        takes: Any = None,
    ) -> list[Value]:
        """The values of an array in the order of their writes, as `Lives` has them."""
        rules, wanted = self.program.rules, None if operands is None else set(operands)
        kept = 1 + rules["step" if (order or rules["order"]) == "iteration" else "time"]
        taken = None if takes is None else set(listed(at_values(takes, self.values)))
        start, end = ((phase, *[0] * rules["time"]) for phase in (0, 2))
        found = [Value(element, start, [], []) for element in self._live("live_in", array)]
        now = {one.element: [one] for one in found}  # what a read of an element may see
        beats: dict[str, list[Point]] = {}
        for time, group in groupby(self.events(array), key=lambda one: one[0]):
            events = list(group)
            for _, kind, stream, number, element in events:
                counts = wanted is None or (stream, number) in wanted
                if "write" in kind or not counts:
                    continue
                for value in now.get(element, []):
                    value.uses.append((time, stream, number))
                beats.setdefault(stream, []).append(time)
                if kind != "may-read" and element not in now and array in self.planned:
                    raise False_(f"{array}{list(element)} is read, and nothing has written it")
            for _, kind, _, _, element in events:
                if "write" in kind and (taken is None or element in taken):
                    found.append(Value(element, time, [], []))
                    earlier = now.get(element, []) if kind == "may-write" else []
                    now[element] = [*earlier, found[-1]]
        drain = (f"m_{array}_drain", 0)
        if wanted is None or drain in wanted:
            for element in self._live("live_out", array):
                for value in now.get(element, []):
                    value.uses.append((end, *drain))
        far = rules["slack"] if slack is None else slack
        ordered = {stream: sorted(set(own)) for stream, own in beats.items()}
        for value in found:
            value.stored = [use for use in value.uses if use[0][:kept] > value.born[:kept]]
            for time, stream, _ in value.stored:
                if far and time != end:
                    own = ordered[stream]
                    place = bisect_right(own, time) + far - 1
                    time = own[place] if place < len(own) else end
                value.until = max(value.until, time[:kept])
        return [one for one in found if one.born != start or one.uses]

    def _live(self, key: str, array: str) -> list[Point]:
        elements = self.program.live(key, array)
        return [] if elements is None else listed(at_values(elements, self.values))

    def events(self, array: str) -> list[tuple[Point, str, str, int, Point]]:
        """(time, kind, stream, number, element) of all accesses of an array, in order of time."""
        found = []
        for name, one in self.program.statements.items():
            own = [k for k, access in enumerate(one["accesses"]) if access["array"] == array]
            if not own:
                continue
            instances, relations = self.instances(name)
            first = 1 + self.program.rules["step"]
            ends = [time[first : first + len(self.program.rules["lanes"])] for time, _ in instances]
            lanes = {end: k for k, end in enumerate(sorted(set(ends)))}
            many = sum(one["accesses"][k]["kind"] in READS for k in own)
            for (time, x), end in zip(instances, ends, strict=True):
                for k in own:
                    access = one["accesses"][k]
                    number = (access["operand"] or 0) + many * lanes[end]
                    if access["kind"] == "look":
                        number = -1
                    for element in relations[k].get(x, ()):
                        found.append((time, access["kind"], f"m_{array}_{name}", number, element))
        found.sort(key=lambda one: one[0])
        return found

    def moments(self, values: list[Value], strict: bool = False) -> Iterator[Moment]:
        """Contents of cells, write after write; strict: until a read is over."""
        alive: dict[int, Value] = {}
        held: Counter[Point] = Counter()
        ends: list[tuple[Point, int]] = []
        number = 0
        for time, group in groupby(values, key=lambda one: one.born):
            while ends and ends[0][0] <= (now := time[: len(ends[0][0])]):
                if strict and ends[0][0] == now:
                    break
                element = alive.pop(heapq.heappop(ends)[1]).element
                held[element] -= 1
                if not held[element]:
                    del held[element]
            born = list(group)
            for value in born:
                alive[number] = value
                held[value.element] += 1
                heapq.heappush(ends, (value.until, number))
                number += 1
            yield born, alive, len(held)

    def meetings(self, values: list[Value], strict: bool = False) -> set[tuple[Point, Point]]:
        """Elements one of which is written while the other lies in its cell."""
        found: set[tuple[Point, Point]] = set()
        for born, alive, _ in self.moments(values, strict):
            if len(found) + len(alive) > MOST_PAIRS:
                raise Unknown(f"more than {MOST_PAIRS} conflicts")
            found |= {(a.element, b.element) for b in born for a in alive.values()}
        return {pair for pair in found if pair[0] != pair[1]}

    # -- classes of orders

    def kept_by(self, stated: dict[str, Any]) -> Callable[[Point, Point], bool]:
        """Return the test whether every order of a class runs one time's instance before
        another's."""
        names = list(self.program.statements)
        if stated["schedules"] in ("sequential", "tiled"):
            rows = [
                (band["kind"] == "tiled", self._by_time(band["maps"])) for band in stated["bands"]
            ]
            return lambda x, y: _in_bands(rows, x, y)
        if stated["schedules"] == "affine":
            raise Unknown("affine schedules are not enumerated")
        after: dict[Point, set[Point]] = {}
        if stated["schedules"] == "before":
            for text in stated["before"]:
                relation = self.program.map(text, "class.before")
                x, y = (relation.get_tuple_name(kind) for kind in (DIM.in_, DIM.out))
                times = [{p: t for t, p in self.instances(one)[0]} for one in (x, y)]
                for point, to in images(at_values(relation, self.values)).items():
                    if point in times[0]:
                        own = after.setdefault(times[0][point], set())
                        own |= {times[1][one] for one in to if one in times[1]} - {times[0][point]}
            return lambda x, y: y in after.get(x, ())
        for x, y in self._needed():
            after.setdefault(x, set()).add(y)
        every = sorted(time for name in names for time, _ in self.instances(name)[0])
        if len(every) ** 2 > MOST_PAIRS:
            raise Unknown(f"more than {MOST_PAIRS} pairs of instances")
        for time in reversed(every):
            own = after.setdefault(time, set())
            own |= set().union(*(after[one] for one in own))
        return lambda x, y: y in after.get(x, ())

    def _by_time(self, maps: dict[str, str]) -> dict[Point, Point]:
        """The rows of a band, by the time of the instance."""
        found: dict[Point, Point] = {}
        for name in self.program.statements:
            rows = images(at_values(self.program.map(maps[name], "a band"), self.values))
            found |= {time: rows[x][0] for time, x in self.instances(name)[0]}
        return found

    def _needed(self) -> Iterator[tuple[Point, Point]]:
        """Dependences: values of all arrays, and what is overwritten, where that is kept."""
        arrays = {a["array"] for one in self.program.statements.values() for a in one["accesses"]}
        for array in arrays:
            values = self.lives(array)
            yield from (
                (one.born, time)
                for one in values
                for time, _, _ in one.uses
                if one.born[0] == time[0]
            )
            if array in self.planned and len({one.element for one in values}) == len(values):
                continue
            touched: dict[Point, list[tuple[Point, bool]]] = {}
            for time, kind, _, _, element in self.events(array):
                touched.setdefault(element, []).append((time, "write" not in kind))
            for own in touched.values():
                writes = sorted({time for time, is_read in own if not is_read})
                for time, _ in own:
                    yield from ((time, one) for one in writes[bisect_right(writes, time) :])

    def class_meetings(
        self, values: list[Value], before: Callable[[Point, Point], bool], strict: bool
    ) -> set[tuple[Point, Point]]:
        """Elements that some order of a class keeps in their cells at once."""
        if len(values) ** 2 > MOST_PAIRS:
            raise Unknown(f"more than {MOST_PAIRS} pairs of values")

        def precedes(x: Point, y: Point) -> bool:
            return x[0] < y[0] or (x[0] == y[0] == 1 and before(x, y))

        def is_free(a: Value, b: Value) -> bool:
            """True if b is written after a and all its uses, in every order."""
            uses = (time for time, _, _ in a.stored)
            return precedes(a.born, b.born) and all(
                precedes(time, b.born) or (time == b.born and not strict) for time in uses
            )

        return {
            pair
            for a, b in product(values, repeat=2)
            if a.element != b.element and not is_free(a, b) and not precedes(b.born, a.born)
            for pair in ((a.element, b.element), (b.element, a.element))
        }


def _in_bands(bands: list[tuple[bool, dict[Point, Point]]], x: Point, y: Point) -> bool:
    for is_tiled, rows in bands:
        if rows[x] != rows[y]:
            one, other = rows[x], rows[y]
            return all(a <= b for a, b in zip(one, other, strict=True)) if is_tiled else one < other
    return x < y


def in_turn(values: list[Value]) -> None:
    """Lemma *FIFO*, its order: a beat reads each value, in however many operands; beats in the
    order of writes, some in the step that writes it."""
    if any(len({(time, stream) for time, stream, _ in one.uses}) != 1 for one in values):
        raise False_("values are not read once each")
    reads = [one.uses[0][0] for one in values]
    if reads != sorted(reads) or len(set(reads)) < len(reads):
        raise False_("values are not read in the order of writes")


def by_rank(values: list[Value], taps: dict[tuple[str, int], int], cut: int) -> None:
    """Lemma *rank*: what an operand reads was written so many writes before the newest.

    `cut` entries of a time make a beat, whose lanes are there at once; 0: of other kinds of loops.
    """
    born = [one.born[:cut] if cut else one.born for one in values]
    for number, value in enumerate(values):
        for time, stream, k in value.uses:
            newest = (bisect_right(born, time[:cut]) if cut else bisect_left(born, time)) - 1
            if newest - number != taps[stream, k]:
                raise False_(f"{stream}.{k} is {newest - number} behind the newest at {time}")


def together(pairs: Iterable[tuple[Point, Point]], cell: Callable[[Point], Any]) -> None:
    """Raises False_ where two of a pair have one cell."""
    for x, y in pairs:
        if cell(x) == cell(y):
            raise False_(f"{list(x)} and {list(y)} conflict and share a cell")
