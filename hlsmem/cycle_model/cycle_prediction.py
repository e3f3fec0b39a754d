"""Predictions: cycles, initiation interval, and what holds the longest stream back.

Simulation must give the same number of cycles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import Machine, Outcome, longest, row_codes
from hlsmem.cycle_model.datapaths import Datapaths
from hlsmem.cycle_model.repeated_rows import Rows, run_of_rows
from hlsmem.cycle_model.stream_models import Hold, Stream, StreamModels
from hlsmem.cycle_model.stream_simulation import Simulation
from hlsmem.cycle_model.wait_reasons import Wait
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.enumeration import distinct
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.sets import count

# Registers between the last beat and the fall of busy.
ENDING_CYCLES = 2
# Above this many cycles a step the prediction says why.
FULL_INTERVAL = 1.05


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPrediction:
    """Beats of a stream, its idle visits, and the cycles of its first and last beat."""

    name: str
    beats: int
    idle: int
    first_cycle: int
    last_cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """`cycles` with busy; `interval` is cycles per step in the second half of a run.

    A step is what the pipeline starts at once: `pipeline.level` says how many loops deep, by
    default an iteration of the innermost one. Those of the longest stream's loops are counted,
    from half of its beats on, so that filling does not count. `wait` is what most often held that
    stream back and `reason` tells it; both are None where a step starts in nearly every cycle.
    Where a run is too long to be followed, `cycles` and `interval` are None and `reason` says so.
    `lookups` is the work of a simulation: one a stream in each cycle that was simulated.
    """

    cycles: int | None
    interval: float | None
    reason: str | None
    wait: Wait | None
    streams: tuple[StreamPrediction, ...]
    lookups: int = field(default=0, compare=False)


def predict_players(
    players: Sequence[StreamModels],
    step_entries: int,
    datapaths: Datapaths,
    forks: Sequence[tuple[str, ...]] = (),
    outcome: Outcome | None = None,
) -> Prediction:
    """The prediction for what runs together, with these datapaths.

    `step_entries` is the number of time entries that make a step of the program. `forks` are write
    streams that bring the same beats to several storages: the next one comes when all have it.
    With an `outcome` the instances in it do not run, without all run.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    machine = Machine(players, datapaths, forks, outcome)
    simulation = Simulation(machine)
    last = simulation.run()
    if last is None:
        what = f"more than {simulation.simulated} cycles are unlike those before them"
        told = f"cycles are not predicted: {what}"
        return Prediction(
            cycles=None,
            interval=None,
            reason=told,
            wait=None,
            streams=(),
            lookups=simulation.lookups,
        )
    steps = _steps(step_entries, machine)
    return _concluded(
        machine,
        lookups=simulation.lookups,
        last=last,
        half_cycle=simulation.half_cycle,
        waits=simulation.waits,
        steps=steps,
        streams=tuple(_of_stream(stream) for stream in machine.streams),
        most_beats=_most_beats(step_entries, machine),
    )


def predict_rows(
    rows: Rows,
    whole: Sequence[PlainStream],
    machine_of: Callable[[int], Machine | None],
    step_entries: int,
) -> Prediction | None:
    """The prediction for a run in which rows are alike, from simulations with few of them.

    `whole` are all its streams, `machine_of` gives the machine with so many periods kept, None
    where it cannot. None where no state repeats.
    """
    inner = [stream for stream in whole if not (stream.is_fill or stream.is_drain)]
    watched = longest(inner)
    assert watched is not None

    def watching(kept: int) -> Machine | None:
        machine = machine_of(kept)
        if machine is None:
            return None
        machine.watched = next(s for s in machine.streams if s.circuit.name == watched.name)
        machine.half = max(1, machine.watched.total // 2)
        return machine

    half = max(1, watched.beats // 2)
    run = run_of_rows(rows, whole, half, watching)
    if run is None:
        return None
    machine, beats = run.machine, {stream.name: stream.beats for stream in whole}
    times = [stream.instances.times for stream in inner]
    own = watched.instances.times
    middle = Set(f"{{ [{', '.join(map(str, run.middle[: own.dim(DimType.set)]))}] }}")
    return _concluded(
        machine,
        lookups=run.lookups,
        last=run.last,
        half_cycle=run.half_cycle,
        waits=run.waits,
        steps=steps_behind(own, times, middle, step_entries),
        streams=tuple(
            StreamPrediction(
                name=stream.circuit.name,
                beats=beats[stream.circuit.name],
                idle=0,
                first_cycle=run.cycle(stream.first_cycle),
                last_cycle=run.cycle(stream.last_cycle),
            )
            for stream in machine.streams
        ),
        most_beats=_most_beats(step_entries, machine),
    )


def _concluded(
    machine: Machine,
    *,
    lookups: int,
    last: int,
    half_cycle: int,
    waits: Counter[Wait],
    steps: int,
    streams: tuple[StreamPrediction, ...],
    most_beats: int,
) -> Prediction:
    """The prediction from what a run came to after so many `lookups`.

    `last` is the cycle of its last event; `half_cycle`, `waits` and `steps` are of the watched
    stream, the latter two behind that cycle; `most_beats` it has in one step.
    """
    interval, wait, reason = 1.0, None, None
    watched = machine.watched
    if watched is not None:
        own = next(one for one in streams if one.name == watched.circuit.name)
        if steps:
            interval = (own.last_cycle - half_cycle) / steps
        if interval > FULL_INTERVAL:
            wait = _main_wait(waits)
            if own.beats - max(1, own.beats // 2) - steps > waits.total():
                wait = Wait(stream=own.name, hold=Hold.STEP, step_beats=most_beats)
            reason = _reason(watched, wait)
    return Prediction(
        cycles=last + ENDING_CYCLES,
        interval=round(interval, 2),
        reason=reason,
        wait=wait,
        streams=streams,
        lookups=lookups,
    )


def _steps(entries: int, machine: Machine) -> int:
    """The steps after the first half of the longest stream's beats.

    Steps in which other statements alone have beats count if they are of the same loops: where
    the longest stream's time has a constant, theirs has the same.
    """
    if machine.watched is None:
        return 0
    streams = [s.circuit for s in machine.streams if not (s.circuit.is_fill or s.circuit.is_drain)]
    times = [stream.instances.rows[:, :entries] for stream in streams]
    own = times[streams.index(machine.watched.circuit)]
    slots = (own == own[0]).all(axis=0)
    codes = row_codes([own, *(t for t in times if (t[:, slots] == own[0, slots]).all())])
    start, end = codes[0][machine.half - 1], codes[0][-1]
    within = np.concatenate([code[(code > start) & (code <= end)] for code in codes])
    return len(distinct(within, runs=True))


def _most_beats(entries: int, machine: Machine) -> int:
    """The most beats that the longest stream has in a step."""
    if machine.watched is None:
        return 0
    (codes,) = row_codes([machine.watched.circuit.instances.rows[:, :entries]])
    firsts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    return int(np.diff(np.append(firsts, len(codes))).max())


def _main_wait(waits: Counter[Wait]) -> Wait | None:
    """The most frequent wait; a value that is under way is no reason of its own.

    Of what was waited for as often the longest round, then by names, in whatever order they came.
    """
    reasons = [wait for wait in waits if not wait.is_under_way]
    return max(
        reasons or waits,
        key=lambda wait: (waits[wait], wait.round_cycles, wait.stream, str(wait.other)),
        default=None,
    )


def _reason(watched: Stream, wait: Wait | None) -> str | None:
    """Why the interval is not 1, in one line."""
    name = watched.circuit.name
    if wait is None or name in (wait.stream, wait.other):
        return wait.text() if wait else None
    return f"{name} is held back, as {wait.text()}"


def _of_stream(stream: Stream) -> StreamPrediction:
    return StreamPrediction(
        name=stream.circuit.name,
        beats=stream.total,
        idle=stream.circuit.idle,
        first_cycle=stream.first_cycle,
        last_cycle=stream.last_cycle,
    )


def steps_behind(times: Any, others: Sequence[Any], middle: Any, entries: int) -> int:
    """The steps behind that of one of some times, up to their end.

    Steps in which others alone have beats count if they are of the same loops: where `times` have
    a constant, theirs have the same.
    """
    own = _first_entries(times, entries)
    slots = Set.universe(own.get_space())
    for entry in range(entries):
        low, high = own.dim_min_val(entry), own.dim_max_val(entry)
        if low.eq(high):
            slots = slots.fix_val(DimType.set, entry, low)
    steps = own
    for one in others:
        other = _first_entries(one, entries)
        if other.is_subset(slots):
            steps = steps.union(other)
    space = own.get_space()
    after = _first_entries(middle, entries).apply(Map.lex_lt(space))
    until = lexmax(own).apply(Map.lex_ge(space))
    return count(steps.intersect(after).intersect(until).coalesce())


def _first_entries(times: Any, entries: int) -> Any:
    """The steps of times: so many entries of each."""
    return times.project_out(DimType.set, entries, times.dim(DimType.set) - entries)
