"""The frame a generated top is simulated in: handshakes in vectors, and a log of every access.

The log has a line for every cycle in which something is committed, issued, written or read:
the cycle of the run (-1 before its first) and all trace wires as one hexadecimal word. A line
"run" ends a run, "reset" one that was broken off. Lines of the monitor name a stream that breaks
the rules of AXI-Stream: "dropped" takes back a beat it has offered, "changed" offers another one
in its place, "unknown" has x in its handshake or in what it offers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceMemory, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass

TOP = "hlsmem_frame"
LOG = "accesses.log"


@dataclass(frozen=True, slots=True)
class TraceField:
    """A wire in a word of the log: a stream's fire, or a port of a copy of a memory.

    `kind`: fire, at, w_en, w_addr, r_en, r_addr. `copy` is -1 for streams, and for `at`, the bank
    of an operand, its position. `bank` is -1 where there are none. `wire` is the wire's path, and
    `enable` that of the wire without which it means nothing ("" where it always does).
    """

    kind: str
    name: str
    copy: int
    bank: int
    width: int
    wire: str
    enable: str = ""


def trace_fields(device: Device) -> tuple[TraceField, ...]:
    """The fields of a word of the log, the first in the highest bits."""
    fields = []
    for stream in device.traced:
        path = f"dut.{stream.path}"
        fire = f"{path}.{stream.accesses}"
        fields.append(TraceField("fire", stream.name, -1, -1, 1, fire))
        memory = device.memory_of(stream.array)
        for operand, wire in enumerate(stream.banks):
            if wire is not None and memory is not None:
                width = _bits(memory.banks)
                fields.append(
                    TraceField("at", stream.name, operand, -1, width, f"{path}.{wire}", fire)
                )
    for memory in device.memories:
        for copy in range(memory.copies):
            fields += _ports(memory, copy)
    return tuple(fields)


def _bits(values: int) -> int:
    return max(1, (values - 1).bit_length())


def _ports(memory: DeviceMemory, copy: int) -> Iterator[TraceField]:
    """The ports of a copy, or of each of its banks."""
    name = f"dut.{memory.path}.{memory.array}_{copy}"
    parts, width = [(-1, name)], memory.address_bits
    if copy in memory.banked:
        parts = [(bank, f"{name}_b{bank}") for bank in range(memory.banks)]
        width = _bits(memory.bank_words)
    for bank, part in parts:
        for port in ("w", "r"):
            enable = f"{part}_{port}_en"
            yield TraceField(f"{port}_en", memory.array, copy, bank, 1, enable)
            if width:
                wire = f"{part}_{port}_addr"
                kind = f"{port}_addr"
                yield TraceField(kind, memory.array, copy, bank, width, wire, enable)


def frame_text(device: Device, free: Collection[str] = ()) -> str:
    """The Verilog of the frame, module `hlsmem_frame`, with its log in the folder it runs in."""
    inputs = [s for s in device.streams if s.direction == WRITE]
    outputs = [s for s in device.streams if s.direction != WRITE]
    ports = ["input wire clk", "input wire rst", "input wire start", "input wire mark"]
    ports += ["output wire busy"]
    ports += [f"input wire [{_top(inputs)}:0] s_tvalid", f"output wire [{_top(inputs)}:0] s_tready"]
    ports += [f"output wire [{_top(outputs)}:0] m_tvalid"]
    ports += [f"input wire [{_top(outputs)}:0] m_tready"]
    ports += [f"output wire [{_top(device.streams)}:0] tdone"]
    connections = [f".{port}({port})" for port in ("clk", "rst", "start", "busy")]
    for number, stream in enumerate(device.streams):
        kind = "input" if stream.direction == WRITE else "output"
        ports.append(f"{kind} wire [{stream.bits + stream.user_bits}:0] {_beat(number, stream)}")
        lane = (inputs if stream.direction == WRITE else outputs).index(stream)
        connections += _connections(number, stream, lane)
    lines = [f"module {TOP} (", "    " + ",\n    ".join(ports), ");"]
    lines += [f"    {device.top} dut (", "        " + ",\n        ".join(connections), "    );"]
    if not inputs:
        lines.append("    assign s_tready = 1'b0;")
    if not outputs:
        lines.append("    assign m_tvalid = 1'b0;")
    for number, stream in enumerate(device.streams):
        if not stream.squashes:
            lines.append(f"    assign tdone[{number}] = 1'b0;")
        elif stream.direction != WRITE:
            last = stream.bits + stream.user_bits
            lines.append(f"    assign {_beat(number, stream)}[{last}] = 1'b0;")
    if not device.streams:
        lines.append("    assign tdone = 1'b0;")
    lines += _log_lines(device)
    for number, stream in enumerate(device.streams):
        lane = (inputs if stream.direction == WRITE else outputs).index(stream)
        lines += _monitor_lines(number, stream, lane, is_free=stream.name in free)
    return "\n".join([*lines, "endmodule", ""])


def _top(streams: Sequence[DeviceStream]) -> int:
    return max(len(streams), 1) - 1


def _beat(number: int, stream: DeviceStream) -> str:
    return f"{'s' if stream.direction == WRITE else 'm'}{number}_beat"


def _connections(number: int, stream: DeviceStream, lane: int) -> list[str]:
    side = "s" if stream.direction == WRITE else "m"
    beat = _beat(number, stream)
    last = stream.bits + stream.user_bits
    made = [
        f".{stream.name}_tdata({beat}[{stream.bits - 1}:0])",
        f".{stream.name}_tdone(tdone[{number}])"
        if stream.squashes
        else f".{stream.name}_tlast({beat}[{last}])",
        f".{stream.name}_tvalid({side}_tvalid[{lane}])",
        f".{stream.name}_tready({side}_tready[{lane}])",
    ]
    if stream.user_bits:
        made.append(f".{stream.name}_tuser({beat}[{last - 1}:{stream.bits}])")
    return made


def _monitor_lines(
    number: int, stream: DeviceStream, lane: int, *, is_free: bool = False
) -> list[str]:
    """The rules of a stream: a beat that is offered stays as it is until taken, and has no x.

    What an operand that is not there has in its lane is free, but stays; of a stream that
    `is_free` all of tdata may be x, as what an instance that does not run reads means nothing. The
    inputs are the bench's own: what it offers is held to the same.
    """
    side = "s" if stream.direction == WRITE else "m"
    valid, ready = f"{side}_tvalid[{lane}]", f"{side}_tready[{lane}]"
    beat = _beat(number, stream)
    last = stream.bits + stream.user_bits
    known = f"{beat}[{last}:{stream.bits}]" if is_free else beat
    if stream.user_bits and stream.direction != WRITE and not is_free:
        width = stream.bits // stream.user_bits
        there = (f"{{{width}{{{beat}[{stream.bits + k}]}}}}" for k in range(stream.user_bits))
        mask = ", ".join(reversed([*there]))
        known = f"{beat} & {{{{{stream.user_bits + 1}{{1'b1}}}}, {mask}}}"
    name = f"{stream.name} %0d\\n"
    return [
        f"    reg waiting_{number} = 1'b0;",
        f"    reg [{last}:0] waits_{number};",
        "    always @(posedge clk) begin",
        f"        waiting_{number} <= !rst && {valid} === 1'b1 && {ready} === 1'b0;",
        f"        waits_{number} <= {beat};",
        f"        if (!rst && ((^{{{valid}, {ready}}} === 1'bx)",
        f"                || ({valid} === 1'b1 && ^({known}) === 1'bx)))",
        f'            $fwrite(log, "unknown {name}", busy ? cycle : -1);',
        f"        if (!rst && waiting_{number} && {valid} !== 1'b1)",
        f'            $fwrite(log, "dropped {name}", busy ? cycle : -1);',
        f"        else if (!rst && waiting_{number} && {beat} !== waits_{number})",
        f'            $fwrite(log, "changed {name}", busy ? cycle : -1);',
        "    end",
    ]


def _log_lines(device: Device) -> list[str]:
    fields = trace_fields(device)
    events = [field.wire for field in fields if not field.enable]
    words = [
        f"{field.wire} & {{{field.width}{{{field.enable}}}}}" if field.enable else field.wire
        for field in fields
    ]
    word = "\n            ".join(f"{word}," for word in words)[:-1]
    event = "\n            ".join(f"{event}," for event in events)[:-1]
    return [
        "    integer log;",
        "    integer cycle;",
        f"    wire [{len(events) - 1}:0] events = {{\n            {event}\n    }};",
        f'    initial log = $fopen("{LOG}", "w");',
        "    always @(posedge clk) begin",
        "        cycle <= busy ? cycle + 1 : 0;",
        '        if (mark && rst) $fwrite(log, "reset\\n");',
        '        else if (mark) $fwrite(log, "run\\n");',
        "        if (!rst && |events !== 1'b0)",
        '            $fwrite(log, "%0d %h\\n", busy ? cycle : -1, {',
        f"            {word}",
        "            });",
        "    end",
    ]
