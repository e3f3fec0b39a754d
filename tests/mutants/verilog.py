"""Faults planted in the Verilog of OUT: address generators, buffers, gates, the top, the
library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tests.faults.verilog import PlantedFault, planted_faults

Files = Mapping[str, str]

# (name, the files that it is for, pattern, replacement): the first place of each.
TOP = (
    ("start while busy", r"start & ~busy", "start"),
    ("never started", r"start & ~busy", "1'b0"),
    ("busy tied to tvalid", r"assign busy = (\w+);", r"assign busy = \1 | m_TVALID;"),
    ("never busy", r"assign busy = [^;]*;", "assign busy = 1'b0;"),
    ("reset is lost", r"\.rst\(rst\)", ".rst(1'b0)"),
    ("last beat everywhere", r"\.(s_\w+_tlast)\(\w+\)", r".\1(1'b1)"),
    ("ready without a buffer", r"\.(m_\w+_tready)\(\w+\)", r".\1(1'b1)"),
    ("valid without a beat", r"\.(s_\w+_tvalid)\(\w+\)", r".\1(1'b1)"),
    ("bytes swapped", r"\.(s_\w+_tdata)\((\w+)\)", r".\1({\2[7:0], \2[31:8]})"),
    ("assumed", r"endmodule", "    always @(*) assume (0);\nendmodule"),
    ("for Yosys alone", r"endmodule", "`ifdef YOSYS\n`endif\nendmodule"),
    ("a file is opened", r"endmodule", '    integer f = $fopen("/tmp/hlsmem-planted");\nendmodule'),
)
LIBRARY = (
    ("hlsmem_ram", "writes are dropped", r"if \(w_en\) cells", "if (w_en & w_addr[0]) cells"),
    ("hlsmem_ram", "reads are late", r"latch <= cells\[r_addr\]", "latch <= cells[w_addr]"),
    ("hlsmem_ram", "assumed", r"endmodule", "    always @(*) assume (0);\nendmodule"),
    ("hlsmem_ram_output", "a comment more", r"\n", "\n// harmless\n"),
    ("hlsmem_delay", "a cell is skipped", r"endmodule", "    wire unused = 1'b0;\nendmodule"),
    ("hlsmem_fifo", "a word is lost", r"DEPTH - 1", "DEPTH - 2"),
)


def rtl_faults(files: Files, *, library: bool) -> list[PlantedFault]:
    """One fault of each kind that has a place in the Verilog of a design; in that of the `library`,
    which all designs share, where that is asked for."""
    generated = {name: text for name, text in files.items() if not name.startswith("hlsmem_")}
    own = [
        PlantedFault(kind=one.kind, where=one.where, files={**files, **one.files})
        for one in planted_faults(generated, 1)
    ]
    return [*own, *_tops(files), *(_library(files) if library else ())]


def _tops(files: Files) -> Iterator[PlantedFault]:
    (name,) = [name for name in files if name.endswith("_mem.v")]
    valid = re.search(r"output wire (m_\w+_tvalid)", files[name])
    for kind, pattern, new in TOP:
        if "m_TVALID" in new:
            if valid is None:
                continue
            new = new.replace("m_TVALID", valid[1])
        yield from _edited(files, name, pattern, new, kind)


def _library(files: Files) -> Iterator[PlantedFault]:
    for module, kind, pattern, new in LIBRARY:
        for name in files:
            if re.fullmatch(rf"{module}_v[\d_]+\.v", name):
                yield from _edited(files, name, pattern, new, kind)


def _edited(files: Files, name: str, pattern: str, new: str, kind: str) -> Iterator[PlantedFault]:
    found = re.search(pattern, files[name])
    if found:
        text = files[name][: found.start()] + found.expand(new) + files[name][found.end() :]
        where = f"{name}:{files[name].count(chr(10), 0, found.start()) + 1}"
        yield PlantedFault(kind=kind, where=where, files={**files, name: text})
