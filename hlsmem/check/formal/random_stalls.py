"""A run from reset under random stalls: which streams move in which cycle.

It tells a gate that opens too early from one that induction cannot see. Simulated with Icarus;
where there is none, nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from hlsmem.check.formal.model.beat_order import Bound
from hlsmem.check.formal.model.icarus import printed
from hlsmem.check.formal.module_text import ports_of

_TOP = "stalls_top"
_RUNS = 8


def moves_of(
    buffer: str, top: str, library: Mapping[str, str], streams: Sequence[str], cycles: int
) -> list[np.ndarray]:
    """Moves of each stream: per run bool of shape (cycles, streams).

    Some streams rest for a while, others hurry, so that each has to wait for each. There are a
    few runs one after the other, of so many cycles each at most; none where nothing is known.
    """
    sources = dict(library)
    shown = ", ".join(f"{name}_fire" for name in reversed(streams))
    sources["buffer.v"] = _with_display(buffer, shown)
    sources["stalls.v"] = _bench(buffer, top, cycles)
    output = printed(sources, _TOP)
    if output is None:
        return []
    runs = [re.findall(r"^moves ([01]+)$", one, re.M) for one in output.split("again\n")]
    return [
        np.array([[digit == "1" for digit in row[::-1]] for row in rows], dtype=bool)
        for rows in runs
        if rows
    ]


def first_early(
    needed: Sequence[Bound], streams: Sequence[str], moves: np.ndarray
) -> tuple[Bound, int, int] | None:
    """(need, beat, cycle) of a beat that went before what it needs had gone, the first found."""
    position = {name: k for k, name in enumerate(streams)}
    gone = np.cumsum(moves, axis=0)
    found: tuple[Bound, int, int] | None = None
    for one in needed:
        if one.waiting not in position or one.other not in position:
            continue
        mine, theirs = position[one.waiting], position[one.other]
        cycles = np.flatnonzero(moves[:, mine])[: len(one.least)]
        by = gone[cycles, theirs] - (0 if one.shared else moves[cycles, theirs])
        early = np.flatnonzero(by < one.least[: len(cycles)])
        if len(early) and (found is None or cycles[early[0]] < found[2]):
            found = one, int(early[0]), int(cycles[early[0]])
    return found


def _with_display(buffer: str, shown: str) -> str:
    """The buffer with what moves shown before every edge, and where a run ends."""
    body = (
        "always @(negedge clk) if (!rst) begin\n"
        f'    if (load) $display("again"); else $display("moves %b", {{{shown}}});\nend\n'
    )
    return buffer.rpartition("endmodule")[0] + body + "endmodule\n"


def _bench(buffer: str, top: str, cycles: int) -> str:
    """Every 16 cycles each stream is told to rest, to go one time in four, or to go always."""
    lines = [f"module {_TOP};", "reg clk = 1'b0;", "reg rst = 1'b1;", "reg [3:0] cycle = 0;"]
    lines.append(f"initial begin repeat ({2 * _RUNS * cycles}) #1 clk = ~clk; $finish; end")
    lines.append("always @(posedge clk) begin rst <= 1'b0; cycle <= cycle + 1; end")
    ports = [port for port in ports_of(buffer) if port.name not in ("clk", "rst")]
    for port in ports:
        name = port.name
        if port.is_input and name.endswith(("_tvalid", "_tready")):
            lines += [
                f"reg [1:0] {name}_mood = 2;",
                f"reg {name} = 0;",
                f"always @(posedge clk) if (&cycle) {name}_mood <= $random;",
                f"always @(posedge clk) {name} <= {name}_mood[1]"
                f" | ({name}_mood[0] & (($random & 3) == 0));",
            ]
        else:
            given = " = ~0" if name == "start" else " = 0" if port.is_input else ""
            lines.append(f"wire {port.range}{name}{given};")
    connections = ["clk", "rst", *(port.name for port in ports)]
    lines.append(f"{top} buffer ({', '.join(f'.{name}({name})' for name in connections)});")
    return "\n".join([*lines, "endmodule", ""])
