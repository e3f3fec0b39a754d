"""Number of live elements of an array while the program runs: a curve to be drawn.

Time is counted in steps: the distinct times at which anything runs, in the order of the
schedule. Where these are too many, the leading entries of the times are counted alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from math import ceil
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.max_live import Block, code_of, events_of, in_step
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.codes import Code
from hlsmem.polyhedra.enumeration import distinct, distinct_points, ordered_columns
from hlsmem.polyhedra.relations import dimension_names, fixed_entries, rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Order, Program
from hlsmem.timing.instance_text import instance_text

if TYPE_CHECKING:
    import numpy as np

# Steps that are told apart, and beginnings and ends of life that are looked at: a second.
_STEPS = 1 << 19
_CHANGES = 1 << 22
_CHUNK = 1 << 16
# Points of a curve, and ticks on its axis, at most.
_POINTS = 640
_TICKS = 6


@dataclass(frozen=True, slots=True)
class Tick:
    """A step with a name: its position, and what runs then."""

    step: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeCurve:
    """Live elements of an array over the steps of a program.

    `alive[k]` is the most at any of the steps k * width .. (k + 1) * width - 1, of `steps` in
    all; `before` and `after` are alive around the program. `ticks` are some round steps; `peak`
    is the first with the most alive, None where that is before the start. `loops` are the
    entries of the times that are counted; empty where all are.
    """

    array: str
    alive: tuple[int, ...]
    width: int
    steps: int
    before: int
    after: int
    ticks: tuple[Tick, ...]
    peak: Tick | None
    loops: tuple[str, ...] = ()

    def most(self) -> int:
        return max(self.before, *self.alive)


def life_curves(program: Program, problems: Iterable[StorageProblem]) -> dict[str, LifeCurve]:
    """The curves of arrays at the plan's values, by name.

    Without those where there is too much to look at.
    """
    steps = _steps(program)
    if steps is None:
        return {}
    found = ((one.array.name, _life_curve(program, one, steps)) for one in problems)
    return {name: curve for name, curve in found if curve is not None}


def _life_curve(program: Program, problem: StorageProblem, steps: _Steps) -> LifeCurve | None:
    occupied = problem.occupied
    if occupied is None:
        return None
    full = rearrangement(occupied.dimensions, occupied.pattern)
    begins, ends = (
        events_of(fix_parameters(relation, program.values).apply_range(full))
        for relation in (occupied.begins, occupied.ends)
    )
    inner = len(occupied.pattern) - 1 - steps.entries
    code = code_of([begins, ends, _padded(steps.times, inner)], len(occupied.pattern))
    if code is None:
        return None
    return _drawn(program, problem.array.name, steps, _Streams(begins, ends, steps.times, code))


@dataclass(frozen=True, slots=True)
class _Steps:
    """The times that are steps: [0, the first `entries` of a time], `count` of them."""

    times: Any
    entries: int
    count: int
    is_complete: bool


def _steps(program: Program) -> _Steps | None:
    """As many entries of the times as give no more than _STEPS steps; None where none do."""
    times = [
        fix_parameters(one.schedule.intersect_domain(one.domain), program.values).range()
        for one in program.statements
    ]
    size = program.time_dimensions
    depth = size if program.order is Order.SEQUENTIAL else program.step_dimensions
    found = None
    for entries in range(1, depth + 1):
        leading = rearrangement(size, ["0", *range(entries)])
        together = reduce(lambda a, b: a.union(b), [one.apply(leading) for one in times])
        number = count(together)
        if not 0 < number <= _STEPS:
            break
        found = _Steps(together.coalesce(), entries, number, entries == depth)
    return found


def _padded(times: Any, inner: int) -> Any:
    """The steps as events, with zeros behind them."""
    for _ in range(inner):
        times = times.add_dims(DimType.set, 1)
        times = times.fix_val(DimType.set, times.dim(DimType.set) - 1, Val(0))
    return times


@dataclass(frozen=True, slots=True)
class _Streams:
    """Sets of events at which life begins and ends, and of steps; `code` orders all three."""

    begins: Any
    ends: Any
    times: Any
    code: Code

    def in_step(self, entries: int) -> Iterator[list[np.ndarray]]:
        """Codes of beginnings, ends and steps, block after block; steps come first."""
        lowest = [int(low) for low in self.code.low[1 + entries :]]

        def steps(columns: Sequence[np.ndarray]) -> np.ndarray:
            import numpy as np

            rest = [np.full(len(columns[0]), low) for low in lowest]
            return self.code.encode([*columns, *rest])

        yield from in_step(
            [
                [map(self.code.encode, stream) for stream in ordered_columns(self.begins, _CHUNK)],
                [map(self.code.encode, stream) for stream in ordered_columns(self.ends, _CHUNK)],
                [map(steps, stream) for stream in ordered_columns(self.times, _CHUNK)],
            ]
        )


def _drawn(program: Program, array: str, steps: _Steps, streams: _Streams) -> LifeCurve | None:
    drawing = _Drawing(steps.count)
    for begins, ends, times in streams.in_step(steps.entries):
        if not drawing.add(Block(begins, ends, drawing.lives), times):
            return None
    names = _Names(program, steps, streams.code)
    return LifeCurve(
        array=array,
        alive=tuple(drawing.alive.tolist()),
        width=drawing.width,
        steps=steps.count,
        before=drawing.before,
        after=_remaining(streams.ends),
        ticks=tuple(Tick(step, names.text(code)) for step, code in drawing.ticks),
        peak=None if drawing.peak < 0 else Tick(drawing.peak, names.text(drawing.peak_code)),
        loops=() if steps.is_complete else names.varying(),
    )


class _Drawing:
    """A curve that grows block by block. `peak` is a step, -1 before the start."""

    def __init__(self, steps: int) -> None:
        import numpy as np

        self.width = ceil(steps / _POINTS)
        self.alive = np.zeros(ceil(steps / self.width), dtype=np.int64)
        self.ticks: list[tuple[int, int]] = []
        self.before, self.lives = 0, 0
        self.peak, self.peak_code = -1, 0
        self._wanted = np.arange(0, steps, _round(steps / _TICKS))
        self._most = self._done = self._seen = 0

    def add(self, block: Block, times: np.ndarray) -> bool:
        """Add a block; True if there was room. `times` are the codes of the steps of the block."""
        import numpy as np

        self._seen += len(block.begins) + len(block.ends)
        if self._seen > _CHANGES:
            return False
        times = distinct(times)
        self._add_steps(block, times)
        codes, alive = block.alive()
        steps = self._done + np.searchsorted(times, codes, side="right") - 1
        inside = steps >= 0
        self.before = max(self.before, int(alive[~inside].max(initial=0)))
        np.maximum.at(self.alive, steps[inside] // self.width, alive[inside])
        if alive.max(initial=0) > self._most:
            top = int(np.argmax(alive))
            self._most, self.peak, self.peak_code = (
                int(alive[top]),
                int(steps[top]),
                int(codes[top]),
            )
        self.lives += len(block.begins) - len(block.ends)
        self._done += len(times)
        return True

    def _add_steps(self, block: Block, times: np.ndarray) -> None:
        """Record the number of live elements as each step begins, whether it writes or not."""
        import numpy as np

        begun, ended = np.searchsorted(block.begins, times), np.searchsorted(block.ends, times)
        steps = self._done + np.arange(len(times))
        np.maximum.at(self.alive, steps // self.width, self.lives + begun - ended)
        for step in self._wanted[(self._wanted >= self._done)].tolist():
            if step - self._done < len(times):
                self.ticks.append((step, int(times[step - self._done])))


def _remaining(ends: Any) -> int:
    """Number of lives that end after the program."""
    return count(ends.lower_bound_val(DimType.set, 0, Val(1)))


def _round(step: float) -> int:
    """The least of 1, 2, 5, 10, 20, .. that is not less."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if size * factor >= step:
                return size * factor
        size *= 10


@dataclass(frozen=True, slots=True)
class _Names:
    """Texts for steps: the first statement that runs, or the loops that are counted."""

    program: Program
    steps: _Steps
    code: Code

    def text(self, code: int) -> str:
        """Instance or iteration that runs at the step of a code, as text."""
        time = self.code.decode(code)[1 : 1 + self.steps.entries].tolist()
        if not self.steps.is_complete or self.program.order is not Order.SEQUENTIAL:
            return self._loops(time)
        for statement in self.program.statements:
            here = fix_parameters(
                statement.schedule.intersect_domain(statement.domain), self.program.values
            )
            for position, entry in enumerate(time):
                here = here.fix_val(DimType.out, position, Val(entry))
            if not here.is_empty():
                return instance_text(statement, distinct_points(here.domain())[0].tolist())
        raise AssertionError(f"nothing runs at {time}")

    def varying(self) -> tuple[str, ...]:
        """The names of the counted entries that are not the same at all steps."""
        return tuple(name for _, name in self._entries())

    def _loops(self, time: Sequence[int]) -> str:
        return ", ".join(f"{name}={time[position]}" for position, name in self._entries())

    def _entries(self) -> list[tuple[int, str]]:
        size = self.program.time_dimensions
        names = self.program.iterator_names or dimension_names("t", size)
        fixed = fixed_entries(self.steps.times)
        return [(k, names[k]) for k in range(self.steps.entries) if k + 1 not in fixed]
