"""Output of a read stream: the words it fetches, the signals beside them, its port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlsmem.verilog.verilog_ports import PortGroup, padded_bits
from hlsmem.verilog.verilog_text import concatenation, literal

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit


def port_group(memory: MemoryCircuit, stream: StreamCircuit) -> PortGroup:
    """The ports of a stream: operands padded to bytes; of a guarded one whether it runs."""
    size = len(stream.operands)
    has_user = not stream.is_write and any(operand.taken for operand in stream.operands)
    return PortGroup(
        name=stream.name,
        is_write=stream.is_write,
        data_bits=size * padded_bits(memory.bits),
        user_bits=size if has_user else int(stream.guarded),
    )


def fetched_words(memory: MemoryCircuit, stream: StreamCircuit) -> list[str]:
    """The words a read stream fetches, each once, in order."""
    names = (_word(memory, stream, k) for k in range(len(stream.operands)))
    return list(dict.fromkeys(name for name in names if name))


def _word(memory: MemoryCircuit, stream: StreamCircuit, operand: int) -> str:
    """Source of an operand's word; empty where it always comes by wire."""
    own = stream.operands[operand]
    if own.copy is None:
        return ""
    if own.copy not in memory.banked:
        return f"{memory.array}_{own.copy}_r_data"
    first = next(k for k, other in enumerate(stream.operands) if other is own)
    return f"{stream.name}_word_{first}"


def beside(memory: MemoryCircuit, stream: StreamCircuit) -> list[tuple[str, str]]:
    """Signals beside the data: (name, wire at issue), tlast first, in bit 0."""
    side = [("last", f"{stream.name}_last")]
    if port_group(memory, stream).user_bits:
        for k, operand in enumerate(stream.operands):
            text = f"{stream.name}_{operand.taken}" if operand.taken else "1'b1"
            side.append((f"taken_{k}", text))
    for name in dict.fromkeys(o.wired for o in stream.operands if o.wired):
        side.append((name, f"{stream.name}_{name}"))
    return side


def side_bit(memory: MemoryCircuit, stream: StreamCircuit, name: str) -> str:
    """The bit of one of those at the port."""
    names = [other for other, _ in beside(memory, stream)]
    return f"{stream.name}_side[{names.index(name)}]"


def data_text(memory: MemoryCircuit, stream: StreamCircuit) -> str:
    """tdata: the operands side by side, the first in the lowest bits; empty for writes."""
    if stream.is_write:
        return ""
    padding = padded_bits(memory.bits) - memory.bits
    fetched = fetched_words(memory, stream)
    parts = []
    for k, operand in enumerate(stream.operands):
        text = literal(0, memory.bits)
        if operand.copy is not None:
            low = fetched.index(_word(memory, stream, k)) * memory.bits
            text = f"{stream.name}_fetched[{low + memory.bits - 1}:{low}]"
        if operand.wire is not None:
            wire = f"{memory.array}_wire_{operand.wire}_data"
            text = (
                f"({side_bit(memory, stream, operand.wired)} ? {wire} : {text})"
                if operand.wired
                else wire
            )
        parts.append(f"{{{padding}'d0, {text}}}" if padding else text)
    plain = [
        f"{stream.name}_fetched[{k * memory.bits + memory.bits - 1}:{k * memory.bits}]"
        for k in range(len(fetched))
    ]
    return f"{stream.name}_fetched" if parts == plain else concatenation(reversed(parts))


def user_text(memory: MemoryCircuit, stream: StreamCircuit) -> str:
    """tuser: which operands there are; empty where there is none."""
    bits = port_group(memory, stream).user_bits
    if not bits or stream.is_write:
        return ""
    low = [name for name, _ in beside(memory, stream)].index("taken_0")
    return f"{stream.name}_side[{low + bits - 1}:{low}]"


def joined(memory: MemoryCircuit, stream: StreamCircuit) -> str:
    """High when all wires of the beat at the front have their value; empty if no wires."""
    position = memory.streams.index(stream)
    conditions = []
    for k, wire in enumerate(memory.wires):
        if wire.reader == position:
            valid = f"{memory.array}_wire_{k}_valid"
            wired = stream.operands[wire.operand].wired
            conditions.append(f"(~{side_bit(memory, stream, wired)} | {valid})" if wired else valid)
    return " & ".join(conditions)
