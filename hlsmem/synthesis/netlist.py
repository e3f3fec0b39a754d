"""Cost of a netlist: the cells Yosys counts, as LUTs, flip-flops, RAMs and DSPs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field

from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices.primitives import Cost, Family, RamCell, Style, Synthesis


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Cells of a netlist: `blocks` are block and large RAMs by primitive name.

    Of the LUTs, `lut_ram` hold words. `others` are cells that the family does not know; there
    should be none.
    """

    luts: int
    flip_flops: int
    multipliers: int
    lut_ram: int = 0
    blocks: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)

    @property
    def block_count(self) -> int:
        return sum(self.blocks.values())


def area(statistics: str, family: Family) -> Area:
    """The area in the text that `stat -json` prints; raises ToolError where it is none."""
    try:
        cells = json.loads(statistics)["design"]["num_cells_by_type"]
    except (json.JSONDecodeError, KeyError, TypeError):
        raise ToolError(
            Problem("Yosys printed no statistics", "use another version of Yosys")
        ) from None
    return area_of({kind: int(number) for kind, number in cells.items()}, family)


def area_of(cells: Mapping[str, int], family: Family) -> Area:
    """The area of cells by their types; raises ToolError for a family that Yosys does not take."""
    counting = synthesis_of(family)
    rams = _rams(family)
    known = [pattern for pattern, _ in counting.luts]
    known += [counting.flip_flops, counting.multipliers, counting.free, r"\$scopeinfo"]
    anything = "|".join(known)
    holding = {cell.name for cell in family.cells if cell.style is Style.DISTRIBUTED}
    words = {kind: number for kind, number in cells.items() if kind in holding}
    return Area(
        luts=_luts(cells, counting),
        lut_ram=_luts(words, counting),
        flip_flops=_count(cells, counting.flip_flops),
        multipliers=_count(cells, counting.multipliers),
        blocks={kind: number for kind, number in sorted(cells.items()) if kind in rams},
        others={
            kind: number
            for kind, number in sorted(cells.items())
            if kind not in rams and not re.fullmatch(anything, kind)
        },
    )


def cost_of(area: Area, family: Family) -> Cost:
    """Cost of an area in the resources that plans count."""
    cells = _rams(family)
    return Cost(
        blocks=sum(cells[kind].blocks * number for kind, number in area.blocks.items()),
        large=sum(
            number for kind, number in area.blocks.items() if cells[kind].style is Style.LARGE
        ),
        luts=area.luts,
        lut_ram=area.lut_ram,
        flip_flops=area.flip_flops,
    )


def synthesis_of(family: Family) -> Synthesis:
    """Yosys' synthesis for a family; raises ToolError for one that it does not take."""
    if family.synthesis is None:
        raise ToolError(
            Problem(
                f"no synthesis for {family.name}: hlsmem calls Yosys, which has none for"
                f" {family.title}",
                f"use {family.vendor_tool} on the files that rtl/files.f names",
            )
        )
    return family.synthesis


def _rams(family: Family) -> dict[str, RamCell]:
    """The cells that are block RAMs or large ones, by name."""
    return {cell.name: cell for cell in family.cells if cell.style in (Style.BLOCK, Style.LARGE)}


def _luts(cells: Mapping[str, int], counting: Synthesis) -> int:
    return sum(weight * _count(cells, pattern) for pattern, weight in counting.luts)


def _count(cells: Mapping[str, int], pattern: str) -> int:
    return sum(number for kind, number in cells.items() if re.fullmatch(pattern, kind))
