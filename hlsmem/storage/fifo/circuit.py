"""FIFOs: every value of an array is read once, in the order in which the values were written.

The pointers of a FIFO are its addresses and its gates in one, and each of its two streams goes
at its own pace. Its RAM has the cells that the plan found: a beat goes in when the one so many
before it has left them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from hlsmem.gates.beats import BeatStream, array_streams
from hlsmem.gates.requirements import clock_of, dependences
from hlsmem.gates.streams import Instances, PlainStream, plain_operands
from hlsmem.plan import Plan
from hlsmem.program import Array, Order, Program


@dataclass(frozen=True, slots=True, kw_only=True)
class FifoCircuit:
    """One array in a FIFO with `words` of `bits` in its RAM.

    A beat of the reader shows its element in each of the reader's operands.
    """

    array: str
    bits: int
    words: int
    writer: PlainStream
    reader: PlainStream
    output_register: bool
    step_entries: int
    style: str = "auto"

    @property
    def beats(self) -> int:
        return self.writer.beats


@dataclass(frozen=True, slots=True)
class NoFifo:
    """Why no FIFO holds an array."""

    reason: str


def find_fifo(
    program: Program, plan: Plan, array: Array, *, output_register: bool = False
) -> FifoCircuit | NoFifo:
    """The FIFO that holds an array, or why there is none; compared are all beats.

    The reads of one statement see what one other wrote, all of it, once, in its order. No beat
    waits for a read of a later step, so the deadlock argument of memories holds.
    """
    several = _several_accesses(program, array)
    if several is not None:
        return several
    streams = array_streams(program, plan, array)
    if any(stream.phase for stream in streams):
        return NoFifo("elements are live before or after the program")
    if [stream.is_write for stream in streams] not in ([True, False], [False, True]):
        return NoFifo("it is not written and read")
    number = next(k for k, stream in enumerate(streams) if not stream.is_write)
    reader, writer = streams[number], streams[1 - number]
    if any(operand.same_as for operand in reader.operands):
        return NoFifo("a beat reads several of its elements")
    if not reader.operands[0].taken.all() or not writer.operands[0].taken.all():
        return NoFifo("some beats have no element of it")
    trouble = _out_of_order(dependences(program, streams).wire_beat[number][0], writer)
    if trouble is not None:
        return trouble
    memory = plan.memories[plan.arrays[array.name].place.memory]
    words = plan.arrays[array.name].mapping.cells
    if not _leaves_in_time(program, writer, reader, words):
        return NoFifo("a beat would wait for reads of later steps")
    entries = program.time_dimensions + max(len(s.iterators) for s in program.statements)
    return FifoCircuit(
        array=array.name,
        bits=plan.arrays[array.name].bits,
        words=words,
        writer=_plain(writer, entries),
        reader=_plain(reader, entries),
        output_register=output_register,
        step_entries=program.step_dimensions,
        style=memory.style,
    )


def _several_accesses(program: Program, array: Array) -> NoFifo | None:
    """What accesses alone tell, before their beats are listed."""
    if program.lanes:
        return NoFifo("its loops are unrolled")
    for verb, kind in (("write", "writes"), ("read", "reads")):
        found = [
            statement.name
            for statement in program.statements
            if any(access.array == array.name for access in getattr(statement, kind))
        ]
        if len(found) > 1:
            return NoFifo(f"{len(found)} statements {verb} it")
    return None


def _out_of_order(sources: np.ndarray, writer: BeatStream) -> NoFifo | None:
    """Whether beat k of the reader sees what beat k of the writer brought."""
    if len(sources) == writer.beats and (sources == np.arange(writer.beats)).all():
        return None
    times = np.bincount(sources, minlength=writer.beats)
    if (times > 1).any():
        several = writer.element_text(0, int((times > 1).argmax()))
        return NoFifo(f"{several} is read more than once")
    if (times == 0).any():
        return NoFifo(f"{writer.element_text(0, int((times == 0).argmax()))} is never read")
    late = int((sources != np.arange(len(sources))).argmax())
    return NoFifo(f"{writer.element_text(0, late)} is not read in the order of the writes")


def _leaves_in_time(program: Program, writer: BeatStream, reader: BeatStream, words: int) -> bool:
    """Whether the beat that a written one waits for is read in its step, or earlier."""
    if words >= writer.beats:
        return True
    clock = clock_of(program, (writer, reader))
    step = clock.step if program.order is Order.ITERATION else clock.code
    return bool((step(reader.times)[:-words] <= step(writer.times)[words:]).all())


def _plain(stream: BeatStream, entries: int) -> PlainStream:
    return PlainStream(
        name=stream.name,
        statement=stream.statement,
        is_write=stream.is_write,
        latency=stream.latency,
        operands=plain_operands(operand.place for operand in stream.operands),
        instances=Instances.listed(stream.times[:, 1 : 1 + entries]),
    )


def fifo_circuit(
    program: Program, plan: Plan, array: Array, *, output_register: bool = False
) -> FifoCircuit | None:
    """The circuit of a FIFO; None where the array is none."""
    found = find_fifo(program, plan, array, output_register=output_register)
    return found if isinstance(found, FifoCircuit) else None


def possible_fifos(program: Program, plan: Plan) -> tuple[str, ...]:
    """The planned arrays of several cells that a FIFO could hold."""
    return tuple(
        array.name
        for array in program.planned_arrays()
        if array.name in plan.arrays
        and plan.memories[plan.arrays[array.name].place.memory].kind == "ram"
        and fifo_circuit(program, plan, array) is not None
    )


def with_fifos(plan: Plan, arrays: Collection[str]) -> Plan:
    """The plan with these arrays in FIFOs, where they are not in chains."""
    chosen = {plan.arrays[array].place.memory for array in arrays}
    return replace(
        plan,
        memories={
            name: replace(memory, kind="fifo", copies=1)
            if name in chosen and memory.kind == "ram"
            else memory
            for name, memory in plan.memories.items()
        },
    )
