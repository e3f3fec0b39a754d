"""The circuit around a module that is timed: a flip-flop on every input and output.

Inputs come out of a shift register and outputs go into another one, so that a module of any
width needs five pins, and paths from inputs to outputs count as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass

WRAPPER = "hlsmem_timed"


@dataclass(frozen=True, slots=True)
class Port:
    direction: str
    name: str
    bits: int


def ports_of(netlist: Mapping[str, Any], module: str) -> tuple[Port, ...]:
    """The ports of a module in a netlist that Yosys wrote as JSON."""
    return tuple(
        Port(port["direction"], name, len(port["bits"]))
        for name, port in netlist["modules"][module]["ports"].items()
    )


def wrapper_text(module: str, ports: Sequence[Port]) -> str:
    """Verilog of the wrapper around `module`."""
    inputs = [p for p in ports if p.direction == "input" and p.name != "clk"]
    outputs = [p for p in ports if p.direction == "output"]
    into, out = sum(p.bits for p in inputs), sum(p.bits for p in outputs)
    lines = [
        f"module {WRAPPER} (input wire clk, input wire serial_in, input wire shift,",
        "                     output wire serial_out);",
        f"    (* keep *) reg [{into - 1}:0] drive;",
        f"    always @(posedge clk) drive <= {{drive[{max(into - 2, 0)}:0], serial_in}};",
        f"    wire [{out - 1}:0] result;",
        f"    (* keep *) reg [{out - 1}:0] sample;",
        f"    reg [{out - 1}:0] collect;",
        "    always @(posedge clk) begin",
        "        sample <= result;",
        f"        collect <= shift ? {{collect[{max(out - 2, 0)}:0], 1'b0}} : sample;",
        "    end",
        f"    assign serial_out = collect[{out - 1}];",
        f"    {module} timed (",
    ]
    connections = ["        .clk(clk)"]
    for bus, own in (("drive", inputs), ("result", outputs)):
        low = 0
        for port in own:
            connections.append(f"        .{port.name}({bus}[{low + port.bits - 1}:{low}])")
            low += port.bits
    return "\n".join([*lines, ",\n".join(connections), "    );", "endmodule", ""])
