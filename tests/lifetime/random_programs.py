"""Random small programs, as plain numbers and as isl text, and their meaning by enumeration.

The meaning is worked out from the rules alone, in plain Python: no isl, and nothing of
hlsmem's. Everything is over one array A of one or two dimensions and one parameter N.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as some

Point = tuple[int, ...]
Time = tuple[int, ...]

BEFORE, AFTER = (-1,), (1,)  # live-in writes and live-out reads, around (0, *time)


@dataclass(frozen=True)
class Form:
    """constant + i * factor + j * factor"""

    i: int
    j: int
    constant: int

    def at(self, i: int, j: int) -> int:
        return self.i * i + self.j * j + self.constant

    def __str__(self) -> str:
        return f"{self.i}*i + {self.j}*j + {self.constant}"


@dataclass(frozen=True)
class Guard:
    """Which iterations of the box 0 <= i, j < N happen: all, a triangle, a stride, a half."""

    kind: str
    number: int

    def holds(self, i: int, j: int, n: int) -> bool:
        return {
            "all": True,
            "triangle": j <= i + self.number,
            "stride": (i + j) % 2 == self.number % 2,
            "late": i >= self.number,
            "line": j == 0,
            "short": i + j < n - self.number,
        }[self.kind]

    def __str__(self) -> str:
        return {
            "all": "true",
            "triangle": f"j <= i + {self.number}",
            "stride": f"(i + j) mod 2 = {self.number % 2}",
            "late": f"i >= {self.number}",
            "line": "j = 0",
            "short": f"i + j < N - {self.number}",
        }[self.kind]


@dataclass(frozen=True)
class Part:
    """A statement: its guard, its time (template and entries), its accesses to A."""

    guard: Guard
    time: str
    slot: int
    reads: tuple[tuple[Form, ...], ...]
    writes: tuple[tuple[Form, ...], ...]

    def when(self, i: int, j: int) -> Time:
        return {
            "nest": (0, i, j, self.slot),
            "after": (self.slot, i, j, 0),
            "rows": (0, i, self.slot, j),
            "reverse": (0, i, -j, self.slot),
            "parallel": (0, i, 0, self.slot),
        }[self.time]

    def when_text(self) -> str:
        return {
            "nest": f"[0, i, j, {self.slot}]",
            "after": f"[{self.slot}, i, j, 0]",
            "rows": f"[0, i, {self.slot}, j]",
            "reverse": f"[0, i, -j, {self.slot}]",
            "parallel": f"[0, i, 0, {self.slot}]",
        }[self.time]


@dataclass(frozen=True)
class Random:
    """A random program at a value of N, and which elements are live around it."""

    n: int
    dimensions: int
    parts: tuple[Part, ...]
    live_in: int | None  # elements whose first index is at least this
    live_out: int | None

    def texts(self) -> dict[str, list[str]]:
        """The arguments of tests.programs.make_program."""
        reads, writes = [], []
        for name, part in self._named():
            reads += [self._access(name, forms) for forms in part.reads]
            writes += [self._access(name, forms) for forms in part.writes]
        return {
            "domains": [
                f"[N] -> {{ {name}[i, j] : 0 <= i, j < N and {part.guard} }}"
                for name, part in self._named()
            ],
            "schedules": [
                f"[N] -> {{ {name}[i, j] -> {part.when_text()} }}" for name, part in self._named()
            ],
            "reads": reads,
            "writes": writes,
            "live_in": self._live(self.live_in),
            "live_out": self._live(self.live_out),
        }

    def _named(self) -> Iterator[tuple[str, Part]]:
        return ((f"S{k}", part) for k, part in enumerate(self.parts))

    def _access(self, name: str, forms: tuple[Form, ...]) -> str:
        return f"[N] -> {{ {name}[i, j] -> A[{', '.join(str(form) for form in forms)}] }}"

    def _live(self, least: int | None) -> list[str]:
        if least is None:
            return []
        rest = ", y" if self.dimensions == 2 else ""
        return [f"[N] -> {{ A[x{rest}] : {least} <= x < N{' and 0 <= y < N' if rest else ''} }}"]

    def elements(self, least: int | None) -> set[Point]:
        if least is None:
            return set()
        return {
            point for point in product(range(self.n), repeat=self.dimensions) if point[0] >= least
        }

    def instances(self) -> Iterator[tuple[Time, str, list[Point], list[Point]]]:
        """Time, name, elements read, elements written, of every instance."""
        for name, part in self._named():
            for i, j in product(range(self.n), repeat=2):
                if part.guard.holds(i, j, self.n):
                    reads = [tuple(f.at(i, j) for f in forms) for forms in part.reads]
                    writes = [tuple(f.at(i, j) for f in forms) for forms in part.writes]
                    yield part.when(i, j), f"{name}[{i},{j}]", reads, writes


@dataclass
class Value:
    """One value: its element, the time of its write, the times of the reads that see it."""

    element: Point
    written: Time
    reads: list[Time]


@dataclass(frozen=True)
class Meaning:
    """What enumeration finds; `clash` says that two instances write one element at once."""

    conflicts: frozenset[tuple[Point, Point]]
    elements: frozenset[Point]
    max_live: int
    clash: bool


def meaning(program: Random, *, step: int | None, strict: bool) -> Meaning:
    """Conflicts, elements and max-live by running the program.

    `step`: by iterations whose first `step` time entries agree, None: in sequential order.
    """
    values, clash = run(program)
    kept = [_Kept(value, step, strict) for value in values]
    live_at = [{k.value.element for k in kept if k.alive(v.written)} for v in values]
    conflicts = {
        (first, second)
        for alive, value in zip(live_at, values, strict=True)
        for element in alive
        if element != value.element
        for first, second in ((element, value.element), (value.element, element))
    }
    return Meaning(
        conflicts=frozenset(conflicts),
        elements=frozenset(value.element for value in values),
        max_live=max((len(alive) for alive in live_at), default=0),
        clash=clash,
    )


@dataclass(frozen=True)
class _Kept:
    """A value and the rule of when it must stay in its cell."""

    value: Value
    step: int | None
    strict: bool

    def alive(self, program_point: Time) -> bool:
        """Whether the value is in its cell when something is written at `program_point`."""
        if program_point == self.value.written:
            return True
        return program_point > self.value.written and any(
            self._overwrites_too_early(program_point, read) for read in self.value.reads
        )

    def _overwrites_too_early(self, program_point: Time, read: Time) -> bool:
        if self.step is None:
            return program_point < read or (self.strict and program_point == read)
        # The step of (0, *time) is 0 and its first entries; outside it is all there is.
        own, now, then = (t[: self.step + 1] for t in (self.value.written, program_point, read))
        if own == then:
            return False  # a wire
        return now < then or (self.strict and now == then)


def run(program: Random) -> tuple[list[Value], bool]:
    """The values of a program: at one time all reads come before all writes."""
    holds = {e: Value(e, BEFORE, []) for e in program.elements(program.live_in)}
    values: list[Value] = []
    given = list(holds.values())
    clash = False
    instances = list(program.instances())
    for time in sorted({instance[0] for instance in instances}):
        now = [instance for instance in instances if instance[0] == time]
        for _, _, reads, _ in now:
            for element in reads:
                if element in holds:
                    holds[element].reads.append((0, *time))
        writers: dict[Point, str] = {}
        for _, name, _, writes in now:
            for element in writes:
                clash |= writers.setdefault(element, name) != name
                if holds.get(element) is None or holds[element].written != (0, *time):
                    holds[element] = Value(element, (0, *time), [])
                    values.append(holds[element])
    for element in program.elements(program.live_out):
        if element in holds:
            holds[element].reads.append(AFTER)
    return [value for value in given if value.reads] + values, clash


# Mostly what programs have; a form such as 2i + j over one index makes hundreds of pieces.
_FACTORS = [(1, 0), (0, 1)] * 4 + [(1, 1), (1, -1), (0, -1), (0, 0), (2, 0), (2, 1)]
_FORM = some.builds(
    lambda factors, constant: Form(*factors, constant),
    some.sampled_from(_FACTORS),
    some.integers(-1, 2),
)
_GUARD = some.builds(
    Guard,
    some.sampled_from(["all", "all", "triangle", "stride", "late", "line", "short"]),
    some.integers(0, 2),
)
_TIME = some.sampled_from(["nest", "nest", "after", "rows", "reverse", "parallel"])


@some.composite
def random_programs(draw: some.DrawFn) -> Random:
    """Programs of one to three statements: several writes an element, guards, triangles."""
    dimensions = draw(some.integers(1, 2))
    element = some.tuples(*[_FORM] * dimensions)
    count = draw(some.integers(1, 3))
    parts = tuple(
        Part(
            guard=draw(_GUARD),
            time=draw(_TIME),
            slot=slot,
            reads=tuple(draw(some.lists(element, max_size=2))),
            writes=tuple(draw(some.lists(element, min_size=int(slot == 0), max_size=1))),
        )
        for slot in range(count)
    )
    live = some.one_of(some.none(), some.integers(0, 2))
    return Random(draw(some.integers(2, 4)), dimensions, parts, draw(live), draw(live))
