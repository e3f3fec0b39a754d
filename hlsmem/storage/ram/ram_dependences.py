"""View of gates and write arbiters for the buffer template: counters, and comparisons of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.earliest_release import CompareGate, CountGate, WriteArbiter
from hlsmem.verilog.verilog_text import concatenation, output_range, resized

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A wire that is high when the key of the other stream's next beat is after `vector`."""

    name: str
    vector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateView:
    """A gate of a stream: a counter, or comparisons that are all to hold."""

    name: str
    other: str
    text: str
    is_count: bool
    start: str = ""
    bits: int = 0
    bypass: int = 0
    up: str = ""
    down: str = ""
    done: str = ""
    comparisons: tuple[ComparisonView, ...] = ()
    progress: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteArbiterView:
    """A comparison that says whether a write stream goes before another."""

    name: str
    text: str
    bits: int
    sign: str
    vector: str
    progress: str
    done: str


def entry_width(
    stream: StreamCircuit, vectors: Sequence[Sequence[str]], other: StreamCircuit, loop: int
) -> tuple[int, bool]:
    """Bits and sign that hold an entry of the stream's vectors and of the other's key."""
    outputs = dict(stream.generator.outputs)
    generator = other.generator
    register = generator.registers[generator.loop_registers[loop]]
    least, greatest = register.least, register.greatest
    for row in vectors:
        low, high = output_range(outputs[row[loop]], stream.generator.registers)
        least, greatest = min(least, low), max(greatest, high)
    return bits_for(least, greatest), least < 0


def gate_view(memory: MemoryCircuit, position: int, number: int) -> GateView:
    """The view of a gate of the stream at `position`."""
    stream = memory.streams[position]
    gate = stream.gates[number]
    other = memory.streams[gate.other]
    name = f"{stream.name}_after_{other.name}"
    done = f"{other.name}_done"
    if gate.bypass:
        done = f"{done} | ({other.name}_fire & {other.name}_last)"
    what = f"{stream.name} after {other.name}"
    if isinstance(gate, CountGate):
        return GateView(
            name=name,
            other=other.name,
            text=f"{what}: beats ahead",
            is_count=True,
            start=str(gate.start),
            bits=gate.bits,
            bypass=int(gate.bypass),
            up=f"{other.name}_fire",
            down=f"{stream.name}_fire",
            done=done,
        )
    return _compare_gate(stream, gate, other, name, what, done)


def _compare_gate(
    stream: StreamCircuit,
    gate: CompareGate,
    other: StreamCircuit,
    name: str,
    what: str,
    done: str,
) -> GateView:
    widths = _widths(stream, gate.vectors, other)
    progress = _key(other, "key", widths)
    if gate.bypass:
        progress = f"{other.name}_fire ? {_key(other, 'key_next', widths)} : {progress}"
    return GateView(
        name=name,
        other=other.name,
        text=f"{what}: the key of its next beat",
        is_count=False,
        bits=sum(width for width, _ in widths),
        done=done,
        comparisons=tuple(
            ComparisonView(
                name=name if len(gate.vectors) == 1 else f"{stream.name}_after_{k}_{other.name}",
                vector=_vector(stream, row),
            )
            for k, row in enumerate(gate.vectors)
        ),
        progress=progress,
        sign=_sign(widths),
    )


def arbiter_view(memory: MemoryCircuit, arbiter: WriteArbiter) -> WriteArbiterView | None:
    """The view of a write arbiter; None where the order never changes."""
    if not arbiter.vector:
        return None
    first, second = memory.streams[arbiter.first], memory.streams[arbiter.second]
    widths = _widths(first, [arbiter.vector], second)
    return WriteArbiterView(
        name=arbiter_name(memory, arbiter),
        text=f"{first.name} goes before {second.name} where its beat is earlier in time",
        bits=sum(width for width, _ in widths),
        sign=_sign(widths),
        vector=_vector(first, arbiter.vector),
        progress=_key(second, "key", widths),
        done=f"{second.name}_done",
    )


def arbiter_name(memory: MemoryCircuit, arbiter: WriteArbiter) -> str:
    """The wire that is high when the first stream of a write arbiter goes before the second."""
    return f"{memory.streams[arbiter.first].name}_before_{memory.streams[arbiter.second].name}"


def _widths(
    stream: StreamCircuit, vectors: Sequence[Sequence[str]], other: StreamCircuit
) -> list[tuple[int, bool]]:
    return [entry_width(stream, vectors, other, k) for k in range(len(other.generator.loops))]


def _key(other: StreamCircuit, prefix: str, widths: Sequence[tuple[int, bool]]) -> str:
    """The present or next key of a stream, each entry in its width."""
    generator = other.generator
    entries = []
    for loop, (bits, _) in enumerate(widths):
        register = generator.registers[generator.loop_registers[loop]]
        wire = f"{other.name}_{prefix}_{loop}"
        entries.append(resized(wire, register.bits, bits, register.is_signed))
    return concatenation(entries)


def _vector(stream: StreamCircuit, names: Sequence[str]) -> str:
    return concatenation(f"{stream.name}_{name}" for name in names)


def _sign(widths: Sequence[tuple[int, bool]]) -> str:
    """The literal with a 1 at the sign of every signed entry."""
    bits = "".join(("1" if signed else "0") + "0" * (width - 1) for width, signed in widths)
    return f"{len(bits)}'b{bits}"
