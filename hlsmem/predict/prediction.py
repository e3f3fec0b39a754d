"""Predictions: cycles, interval, and what holds the longest stream back.

Simulation must give the same number of cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hlsmem.gates.circuit import MemoryCircuit, circuits
from hlsmem.plan import Plan
from hlsmem.predict.machine import Machine
from hlsmem.predict.parts import Stream
from hlsmem.program import Program

# Registers between the last beat and the fall of busy.
_ENDING_CYCLES = 2
# Above this many cycles a beat the prediction says why.
_FULL_INTERVAL = 1.05


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
    """`cycles` with busy; `interval` is cycles per beat of the longest stream.

    `reason` says in one line what most often held beats back, or which write port is always
    busy; None where the longest stream has a beat in nearly every cycle.
    """

    cycles: int
    interval: float
    reason: str | None
    streams: tuple[StreamPrediction, ...]


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


def latencies(program: Program) -> dict[str, int]:
    """Cycles of every statement's datapath."""
    return {statement.name: statement.latency for statement in program.statements}


def predict_circuits(memories: Sequence[MemoryCircuit], latency: Mapping[str, int]) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    machine = Machine(memories, latency)
    cycles = machine.run() + _ENDING_CYCLES
    streams = tuple(_of_stream(stream) for stream in machine.streams)
    longest = max((s.beats + s.idle for s in streams), default=0)
    interval = round(cycles / max(1, longest), 2)
    reason = None
    if interval > _FULL_INTERVAL:
        reason = _busy_port(memories, cycles) or machine.reason()
    return Prediction(cycles=cycles, interval=interval, reason=reason, streams=streams)


def _busy_port(memories: Sequence[MemoryCircuit], cycles: int) -> str | None:
    """The write port that has a beat in nearly every cycle, if there is one."""
    for memory in memories:
        beats = sum(stream.beats for stream in memory.streams if stream.is_write)
        if cycles <= _FULL_INTERVAL * beats:
            return f"{beats} beats go through the write port of {memory.array}, one a cycle"
    return None


def _of_stream(stream: Stream) -> StreamPrediction:
    return StreamPrediction(
        name=stream.circuit.name,
        beats=stream.total,
        idle=stream.circuit.walker.idle,
        first_cycle=stream.first_cycle,
        last_cycle=stream.last_cycle,
    )
