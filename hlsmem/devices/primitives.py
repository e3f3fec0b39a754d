"""Primitives of FPGA families: RAM cells, LUTs, the devices that are sold, and their tools.

The values only; the tables are in `families`, what synthesis makes of them in `inference`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from hlsmem.core.lazy_dataclass import dataclass


class Style(StrEnum):
    """Style of a memory's implementation; AUTO leaves it to synthesis."""

    AUTO = "auto"
    REGISTERS = "registers"
    DISTRIBUTED = "distributed"
    BLOCK = "block"
    LARGE = "large"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cost in hardware: block RAMs (the family's smallest), large RAMs, LUTs, flip-flops.

    Of the LUTs, `lut_ram` hold words, of the flip-flops `registers`.
    """

    blocks: int = 0
    large: int = 0
    luts: int = 0
    lut_ram: int = 0
    flip_flops: int = 0
    registers: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            blocks=self.blocks + other.blocks,
            large=self.large + other.large,
            luts=self.luts + other.luts,
            lut_ram=self.lut_ram + other.lut_ram,
            flip_flops=self.flip_flops + other.flip_flops,
            registers=self.registers + other.registers,
        )

    def __mul__(self, times: int) -> Cost:
        return Cost(
            blocks=self.blocks * times,
            large=self.large * times,
            luts=self.luts * times,
            lut_ram=self.lut_ram * times,
            flip_flops=self.flip_flops * times,
            registers=self.registers * times,
        )


class Resource(StrEnum):
    """Resources counted in devices, by their names in `Cost` and `Device`."""

    BLOCKS = "blocks"
    LARGE = "large"
    LUTS = "luts"
    FLIP_FLOPS = "flip_flops"


Budget = Mapping[Resource, int]
"""The most of each resource; one that is not named is not bounded."""


def excess(cost: Cost, budget: Budget) -> dict[Resource, int]:
    """Excess of a cost over a budget, for each resource that is not enough."""
    more = {one: getattr(cost, one) - most for one, most in budget.items()}
    return {one: number for one, number in more.items() if number > 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class RamCell:
    """One way to use a RAM cell, as synthesis sees it.

    Word widths `widths` in bits, from narrow to wide; the cell has 2^address_bits words of the
    narrowest and half as many of each next. `cost` is what synthesis weighs it with, of which
    unused bits give back the part `scale`. Writes work in bytes of `byte` bits (0: whole
    words), with words from `least_write` to `most_write` bits. `sees_old`: a read that meets a
    write of its word gets the old value without further logic. `ports` is the number of
    accesses of one kind a cycle: 1 beside a write port, or 2 where both ports do either.
    A cell takes `blocks` of the family's smallest block RAMs, or `luts` LUTs and `luts_a_bit`
    for each bit in use.
    """

    name: str
    style: Style
    address_bits: int
    widths: tuple[int, ...]
    cost: int
    scale: int = 0
    byte: int = 0
    least_write: int = 0
    most_write: int = 0
    sees_old: bool = False
    ports: tuple[int, ...] = (1,)
    blocks: int = 0
    luts: int = 0
    luts_a_bit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """LUTs that choose one of several ways, measured: `rows` of (ways, LUTs a bit, LUTs once).

    Between the rows it is linear, behind the last it goes on with the last row's share a way.
    """

    rows: tuple[tuple[int, float, float], ...]

    def luts(self, ways: int, bits: int) -> int:
        """LUTs of a multiplexer of `ways` words of `bits` bits, write enables included.

        >>> Choosing(rows=((2, 1.0, 2.0), (4, 3.0, 4.0))).luts(3, 10)
        23
        """
        if ways < 2:
            return 0
        lower, upper = self._around(ways)
        share = (ways - lower[0]) / (upper[0] - lower[0]) if upper[0] > lower[0] else 0.0
        a_bit = lower[1] + share * (upper[1] - lower[1])
        once = lower[2] + share * (upper[2] - lower[2])
        return round(a_bit * bits + once)

    def _around(self, ways: int) -> tuple[tuple[int, float, float], tuple[int, float, float]]:
        for lower, upper in pairwise(self.rows):
            if ways <= upper[0]:
                return lower, upper
        last = self.rows[-1]
        scale = ways / last[0]
        beyond = (ways, last[1] * scale, last[2] * scale)
        return beyond, beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device that is sold: how many blocks (the family's smallest), large RAMs, LUTs, FFs."""

    name: str
    blocks: int
    luts: int
    flip_flops: int
    large: int = 0

    @property
    def budget(self) -> Budget:
        """All that it has."""
        return {one: getattr(self, one) for one in Resource}


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """Yosys for a family: `command` without `-top`, and how the cells count that come out.

    Cells are named by patterns. `luts` gives LUTs per cell, LUT RAM included; `free` are cells
    that take nothing that is counted: carry chains, wide multiplexers, constants. Block RAMs
    and large ones are the `cells` of the family.
    """

    command: str
    luts: tuple[tuple[str, int], ...]
    flip_flops: str
    multipliers: str
    free: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """nextpnr for a family: it is called nextpnr-`name`, with `arguments` for the chip `part`."""

    name: str
    part: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family: its cells, its devices, what logic around memories costs, and tools that take it.

    `title` is the vendor's name for it, `vendor_tool` the vendor's program.
    `block` and `block_bits` name and size the smallest block RAM, in which blocks are counted.
    `choosing_lut_ram` differs from `choosing` where LUT RAM is slow to read; `turning` is that of
    words out of banks that `hlsmem_rotator` brings to as many operands. `collision` is
    (LUTs a bit, LUTs an address bit, LUTs once) of the logic that returns the old value where
    a block RAM does not. `wide_lines`: lines of a window that share an address go into one
    wide RAM rather than into a RAM each. `luts_a_block` is the rate at which synthesis trades
    LUT RAM for block RAM, `rate` the LUTs that a plan gives for a block: a quarter of those that
    the middle one of the devices has for each. `output_leaf` is the file of rtl/ that takes the
    place of hlsmem_ram_output.v, with the register of the block RAM itself, which makes a faster
    clock; empty where synthesis needs none or the family has none. `synthesis` and `router` are
    None where there is no open one that hlsmem calls.
    """

    name: str
    title: str
    vendor_tool: str
    block: str
    block_bits: int
    cells: tuple[RamCell, ...]
    devices: tuple[Device, ...]
    choosing: Choosing
    turning: Choosing
    choosing_lut_ram: Choosing | None = None
    collision: tuple[int, int, int] = (0, 0, 0)
    wide_lines: bool = True
    luts_a_block: int = 128
    rate: int
    output_leaf: str = ""
    synthesis: Synthesis | None = None
    router: Router | None = None

    @property
    def output_register(self) -> bool:
        """True if block RAMs have an output register that makes a faster clock."""
        return bool(self.output_leaf)

    def styles(self, ports: int = 1) -> tuple[Style, ...]:
        """The styles that the family has for memories of so many ports of a kind."""
        found = [Style.REGISTERS] if ports == 1 else []
        return (*found, *dict.fromkeys(c.style for c in self.cells if ports in c.ports))

    def rank(self, cost: Cost) -> tuple[int, int]:
        """The order in which costs are preferred: memory first, then logic.

        Memory is block RAM, where LUT RAM counts at the rate at which synthesis takes either, a
        register as a LUT of it, and a large RAM as the 16 blocks that it holds.
        """
        blocks = cost.blocks + 16 * cost.large
        memory = blocks * self.luts_a_block + cost.lut_ram + cost.registers
        return (memory, cost.luts + cost.flip_flops)

    def noun(self, resource: Resource) -> str:
        """A resource in the family's words."""
        if resource is Resource.BLOCKS:
            return self.block
        if resource is Resource.LARGE:
            return next((one.name for one in self.cells if one.style is Style.LARGE), "large RAMs")
        return "LUTs" if resource is Resource.LUTS else "flip-flops"

    def most_ports(self) -> int:
        return max(ports for cell in self.cells for ports in cell.ports)


def names(devices: Sequence[Device]) -> str:
    """The names of devices for a message."""
    return ", ".join(device.name for device in devices)
