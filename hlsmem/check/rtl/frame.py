"""The frame a generated top is simulated in: handshakes in vectors, and a log of every access.

The log has a line for every cycle in which something is committed, issued, written or read:
the cycle of the run (-1 before its first) and all trace wires as one hexadecimal word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hlsmem.check.rtl.device import WRITE, Device, DeviceMemory, DeviceStream

TOP = "hlsmem_frame"
LOG = "accesses.log"


@dataclass(frozen=True, slots=True)
class TraceField:
    """A wire in a word of the log: a stream's fire, or a port of a copy of a memory.

    `kind`: fire, w_en, w_addr, r_en, r_addr. `copy` is -1 for streams.
    """

    kind: str
    name: str
    copy: int
    width: int


def trace_fields(device: Device) -> tuple[TraceField, ...]:
    """The fields of a word of the log, the first in the highest bits."""
    fields = [TraceField("fire", stream.name, -1, 1) for stream in device.streams]
    for memory in device.memories:
        for copy in range(memory.copies):
            for port in ("w", "r"):
                fields.append(TraceField(f"{port}_en", memory.array, copy, 1))
                if memory.address_bits:
                    fields.append(
                        TraceField(f"{port}_addr", memory.array, copy, memory.address_bits)
                    )
    return tuple(fields)


def frame_text(device: Device, log: str = LOG) -> str:
    """The Verilog of the frame, module `hlsmem_frame`; `log` is the file the log goes to."""
    inputs = [s for s in device.streams if s.direction == WRITE]
    outputs = [s for s in device.streams if s.direction != WRITE]
    ports = ["input wire clk", "input wire rst", "input wire start", "input wire mark"]
    ports += ["output wire busy"]
    ports += [f"input wire [{_top(inputs)}:0] s_tvalid", f"output wire [{_top(inputs)}:0] s_tready"]
    ports += [f"output wire [{_top(outputs)}:0] m_tvalid"]
    ports += [f"input wire [{_top(outputs)}:0] m_tready"]
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
    return "\n".join([*lines, *_log_lines(device, log), "endmodule", ""])


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
        f".{stream.name}_tlast({beat}[{last}])",
        f".{stream.name}_tvalid({side}_tvalid[{lane}])",
        f".{stream.name}_tready({side}_tready[{lane}])",
    ]
    if stream.user_bits:
        made.append(f".{stream.name}_tuser({beat}[{last - 1}:{stream.bits}])")
    return made


def _log_lines(device: Device, log: str) -> list[str]:
    events = [f"dut.{stream.path}.{stream.name}_fire" for stream in device.streams]
    words = list(events)
    for memory in device.memories:
        for copy in range(memory.copies):
            for port in ("w", "r"):
                enable = _wire(memory, copy, f"{port}_en")
                events.append(enable)
                words.append(enable)
                if memory.address_bits:
                    address = _wire(memory, copy, f"{port}_addr")
                    words.append(f"{address} & {{{memory.address_bits}{{{enable}}}}}")
    word = "\n            ".join(f"{word}," for word in words)[:-1]
    event = "\n            ".join(f"{event}," for event in events)[:-1]
    return [
        "    integer log;",
        "    integer cycle;",
        f"    wire [{len(events) - 1}:0] events = {{\n            {event}\n    }};",
        f'    initial log = $fopen("{log}", "w");',
        "    always @(posedge clk) begin",
        "        cycle <= busy ? cycle + 1 : 0;",
        '        if (mark) $fwrite(log, "run\\n");',
        "        if (!rst && |events !== 1'b0)",
        '            $fwrite(log, "%0d %h\\n", busy ? cycle : -1, {',
        f"            {word}",
        "            });",
        "    end",
    ]


def _wire(memory: DeviceMemory, copy: int, port: str) -> str:
    return f"dut.{memory.path}.{memory.array}_{copy}_{port}"
