"""Proofs of the memories themselves: of a cell, anyone, the last write is read.

All other proofs have a RAM of one followed cell in place of the real one; these show that the real
one is like it, with the parameters that Yosys finds it has in the design.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hlsmem.check.formal.circuits.library_proof import Use, added_text, with_parameters
from hlsmem.check.formal.module_text import with_lines

LEAVES = ("hlsmem_ram", "hlsmem_ram_output", "hlsmem_register")
_CELLS = "reg [WIDTH-1:0] cells [0:DEPTH-1];"
_WATCHED = "(* anyconst *) reg [ADDRESS-1:0] watched;"


def leaf_sources(use: Use, library: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The sources of the proof of a memory, and its top; `library` by file name.

    Raises KeyError where the library lacks it.
    """
    text = library[f"{use.module}.v"]
    parameters = dict(use.parameters)
    sources: dict[str, str] = {}
    match use.module:
        case "hlsmem_ram":
            text = text.replace(_CELLS, f"{_CELLS}\nwire [WIDTH-1:0] its_cell = cells[watched];")
            block = "no_collision" if parameters.get("COLLISION", "1") == "0" else "old_value"
            cell, latch, more = f"{block}.its_cell", "latch", [_WATCHED]
        case "hlsmem_ram_output":
            sources["hlsmem_ram.v"] = added_text("hlsmem_ram")
            cell, latch = "\\ram.content ", "latch"
            more = [
                "localparam OUTREG = 1, COLLISION = 0;",
                "(* hierconn *) wire [ADDRESS-1:0] \\ram.watched ;",
                "(* hierconn *) wire [WIDTH-1:0] \\ram.content ;",
                "wire [ADDRESS-1:0] watched = \\ram.watched ;",
            ]
        case _:
            cell, latch = "value", "latch[reader*WIDTH +: WIDTH]"
            more = [
                "localparam DEPTH = 1, COLLISION = 1;",
                "wire watched = 1'b0, w_addr = 1'b0, r_addr = 1'b0;",
                "(* anyconst *) reg [31:0] reader;",
                "always @* assume (reader < READERS);",
            ]
    added = re.sub(r"\bCELL\b", lambda _: cell, added_text("leaf"))
    added = re.sub(r"\bLATCH\b", latch, added.partition("reg proof_seen")[2])
    if use.module == "hlsmem_register":  # of one reader, anyone
        added = re.sub(r"\b([ro]_en)\b", r"\1[reader]", added)
        added = added.replace("r_data", "r_data[reader*WIDTH +: WIDTH]")
    lines = [*more, *f"reg proof_seen{added}".splitlines()]
    if use.module == "hlsmem_ram":  # in front of the blocks that look at it
        text = text.replace("reg [WIDTH-1:0] latch;", f"reg [WIDTH-1:0] latch;\n{_WATCHED}", 1)
        lines = lines[1:]
    sources["proof_module.v"] = with_parameters(with_lines(text, lines), parameters)
    return sources, use.module
