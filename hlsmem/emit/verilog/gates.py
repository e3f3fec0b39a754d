"""What the buffer template prints of gates: counters, and comparisons of keys."""

from __future__ import annotations

from dataclasses import dataclass

from hlsmem.emit.verilog.text import concatenation, output_range, resized
from hlsmem.gates.circuit import CompareGate, CountGate, MemoryCircuit, StreamCircuit
from hlsmem.walk.model import bits_for


@dataclass(frozen=True, slots=True, kw_only=True)
class GateView:
    """A gate of a stream, counter or comparison (`vectors` not empty)."""

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
    vectors: tuple[str, ...] = ()
    progress: str = ""
    sign: str = ""


def entry_width(
    memory: MemoryCircuit, stream: StreamCircuit, gate: CompareGate, loop: int
) -> tuple[int, bool]:
    """Bits and sign that hold an entry of the gate's vectors and of the other's key."""
    outputs = dict(stream.walker.outputs)
    walker = memory.streams[gate.other].walker
    register = walker.registers[walker.loop_registers[loop]]
    least, greatest = register.least, register.greatest
    for row in gate.vectors:
        low, high = output_range(outputs[row[loop]], stream.walker.registers)
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
    return _compare_gate(memory, stream, gate, other, name, what, done)


def _compare_gate(
    memory: MemoryCircuit,
    stream: StreamCircuit,
    gate: CompareGate,
    other: StreamCircuit,
    name: str,
    what: str,
    done: str,
) -> GateView:
    walker = other.walker
    widths = [entry_width(memory, stream, gate, loop) for loop in range(len(walker.loops))]

    def key(prefix: str) -> str:
        entries = []
        for loop, (bits, _) in enumerate(widths):
            register = walker.registers[walker.loop_registers[loop]]
            wire = f"{other.name}_{prefix}_{loop}"
            entries.append(resized(wire, register.bits, bits, register.is_signed))
        return concatenation(entries)

    progress = key("key")
    if gate.bypass:
        progress = f"{other.name}_fire ? {key('next_key')} : {progress}"
    bits = sum(width for width, _ in widths)
    vectors = [concatenation(f"{stream.name}_{n}" for n in row) for row in gate.vectors]
    sign = "".join(("1" if signed else "0") + "0" * (width - 1) for width, signed in widths)
    return GateView(
        name=name,
        other=other.name,
        text=f"{what}: the key of its next beat",
        is_count=False,
        bits=bits,
        done=done,
        vectors=tuple(vectors),
        progress=progress,
        sign=f"{bits}'b{sign}",
    )
