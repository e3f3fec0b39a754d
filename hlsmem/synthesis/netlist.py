"""What a netlist costs: the cells Yosys counts, as LUTs, flip-flops, blocks and DSPs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hlsmem.errors import Problem, ToolError


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """How a family's netlist is made and counted.

    `synthesis` is the Yosys command without `-top`; `luts` gives LUTs per cell, by a pattern
    of cell types; `nextpnr` names its placer and router, None where there is no open one.
    """

    name: str
    synthesis: str
    luts: tuple[tuple[str, int], ...]
    flip_flops: str
    blocks: str
    multipliers: str
    nextpnr: str | None = None
    chip: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Cells of a netlist: `blocks` by primitive name, `others` what the family does not count."""

    luts: int
    flip_flops: int
    multipliers: int
    blocks: Mapping[str, int] = field(default_factory=dict)

    @property
    def block_count(self) -> int:
        return sum(self.blocks.values())


FAMILIES = {
    family.name: family
    for family in (
        Family(
            name="ecp5",
            synthesis="synth_lattice -family ecp5",
            # Two LUTs are a carry cell, four a distributed RAM of 16 x 4; wide muxes are free.
            luts=(("LUT4", 1), ("CCU2C", 2), ("TRELLIS_DPR16X4", 4)),
            flip_flops="TRELLIS_FF",
            blocks="DP16KD|PDPW16KD",
            multipliers="MULT18X18D|ALU54B",
            nextpnr="ecp5",
            part="LFE5U-25F",
            chip=(
                "--25k",
                "--package",
                "CABGA381",
                "--speed",
                "6",
                "--freq",
                "300",
                "--lpf-allow-unconstrained",
            ),
        ),
        Family(
            name="ice40",
            synthesis="synth_ice40",
            luts=(("SB_LUT4", 1),),
            flip_flops="SB_DFF.*",
            blocks="SB_RAM40_4K.*|SB_SPRAM256KA",
            multipliers="SB_MAC16",
            nextpnr="ice40",
            part="iCE40-HX8K",
            chip=("--hx8k", "--package", "ct256", "--freq", "200", "--pcf-allow-unconstrained"),
        ),
        Family(
            name="xc7",
            synthesis="synth_xilinx -family xc7 -noiopad -noclkbuf",
            luts=(("LUT[1-6]|SRL16E|SRLC32E|RAM32X1S|RAM64X1S", 1), ("RAM(32|64)(X1D|M)", 4)),
            flip_flops="FD.E",
            blocks="RAMB(18|36)E1",
            multipliers="DSP48E1",
        ),
        Family(
            name="xcup",
            synthesis="synth_xilinx -family xcup -noiopad -noclkbuf",
            luts=(("LUT[1-6]|SRL16E|SRLC32E|RAM32X1S|RAM64X1S", 1), ("RAM(32|64)M16", 8)),
            flip_flops="FD.E",
            blocks="RAMB(18|36)E2|URAM288",
            multipliers="DSP48E2",
        ),
    )
}


def area(statistics: str, family: Family) -> Area:
    """The area in the text that `stat -json` prints; raises ToolError where it is none."""
    try:
        cells = json.loads(statistics)["design"]["num_cells_by_type"]
    except (json.JSONDecodeError, KeyError, TypeError):
        raise ToolError(
            Problem("Yosys printed no statistics", "use another version of Yosys")
        ) from None
    return Area(
        luts=sum(weight * _count(cells, pattern) for pattern, weight in family.luts),
        flip_flops=_count(cells, family.flip_flops),
        multipliers=_count(cells, family.multipliers),
        blocks={
            kind: int(number)
            for kind, number in sorted(cells.items())
            if re.fullmatch(family.blocks, kind)
        },
    )


def _count(cells: Mapping[str, int], pattern: str) -> int:
    return sum(int(number) for kind, number in cells.items() if re.fullmatch(pattern, kind))
