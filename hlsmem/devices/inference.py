"""Inference of a memory by synthesis: kind and number of its cells, and the logic around them.

This is the choice that Yosys 0.70 makes (pass memory_libmap): for every cell and width the
memory is cut into ways of words and cells of bits; a way costs multiplexers and write enables
beside its cells, and the cheapest cut wins. LUTs are those of the cut plus measured
multiplexers (`Choosing`).
"""

from __future__ import annotations

from dataclasses import replace

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost, Family, RamCell, Style

# Weights of memory_libmap: a bit of a read multiplexer, a write enable, a point of emulation.
_MUX, _DEMUX, _EMULATION = 0.5, 0.5, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """A memory in primitives: `count` cells `cell`, `blocks` in the family's smallest block RAM.

    `ways` is the number of cells one behind the other in depth. `words` and `bits` are those of
    the memory, `cell_words` and `cell_bits` the shape in which a cell is used. Of the `luts`,
    `luts_of_cells` are RAM or write masks; the rest chooses among ways.
    """

    style: Style
    cell: str
    count: int
    words: int
    bits: int
    cell_words: int
    cell_bits: int
    ways: int
    blocks: int = 0
    large: int = 0
    luts: int = 0
    flip_flops: int = 0
    luts_of_cells: int = 0

    @property
    def cost(self) -> Cost:
        is_lut_ram = self.style is Style.DISTRIBUTED
        return Cost(
            blocks=self.blocks,
            large=self.large,
            luts=self.luts,
            lut_ram=self.luts_of_cells if is_lut_ram else 0,
            flip_flops=self.flip_flops,
            registers=self.count if self.style is Style.REGISTERS else 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A memory cut into cells: `weight` is what synthesis compares."""

    cell: RamCell
    width: int
    ways: int
    count: int
    weight: float


def implement(
    device: str,
    words: int,
    bits: int,
    *,
    style: Style = Style.AUTO,
    collision: bool = True,
    ports: int = 1,
) -> Implementation:
    """A memory of `words` words of `bits` bits, as synthesis for `device` makes it.

    `ports` is the number of reads a cycle: 1 beside a write port, 2 where each of two ports
    reads or writes. `collision`: a read may meet a write of its word and must see the old
    value. Raises InputError for a device, style or number of ports that does not exist.
    """
    family = family_of(device)
    if words < 1 or bits < 1:
        raise InputError(
            Problem(f"a memory of {words} words of {bits} bits has no bits", "give it one or more")
        )
    _require(family, style, ports)
    cuts = [
        cut
        for cell in family.cells
        if ports in cell.ports and style in (cell.style, *_chosen_unasked(cell))
        for cut in _cuts(cell, words, bits, ports, collision)
    ]
    best = min(cuts, key=lambda cut: cut.weight, default=None)
    logic = style is Style.REGISTERS or (style is Style.AUTO and ports == 1)
    if best is None or (logic and words * bits <= best.weight):
        return _registers(family, words, bits)
    return _cells(family, best, words, bits, collision, ports)


def blocks(device: str, words: int, bits: int, *, style: Style = Style.AUTO) -> int:
    """Block RAMs of a memory with one write and one read port, in the family's smallest block.

    >>> blocks("ecp5", 1024, 32), blocks("xc7", 1024, 32), blocks("ice40", 1024, 16)
    (2, 2, 4)
    """
    return implement(device, words, bits, style=style, collision=False).blocks


def _chosen_unasked(cell: RamCell) -> tuple[Style, ...]:
    """Large RAMs are used only where the style asks for them."""
    return () if cell.style is Style.LARGE else (Style.AUTO,)


def _require(family: Family, style: Style, ports: int) -> None:
    most = family.most_ports()
    if not 1 <= ports <= most:
        raise InputError(
            Problem(
                f"{family.name} has no memory with {ports} ports of a kind",
                f"use {'1 port' if most == 1 else f'1 to {most} ports'}, and copies or banks"
                " for more accesses a cycle",
            )
        )
    has = family.styles(ports)
    if style is not Style.AUTO and style not in has:
        many = f" with {ports} ports of a kind" if ports > 1 else ""
        raise InputError(
            Problem(
                f"{family.name} has no memory of style {style}{many}",
                f"use {', '.join((Style.AUTO, *has))}",
            )
        )


def _cuts(cell: RamCell, words: int, bits: int, ports: int, collision: bool) -> list[_Cut]:
    """The ways to use a cell, one a width; a write of a whole word narrower than the least one
    that the cell writes needs bytes, which split the least one."""
    emulation = 1.0
    if collision and not cell.sees_old:
        emulation += 6
    if ports == 2:
        emulation = 0.0
    cuts: list[_Cut] = []
    for level, width in enumerate(cell.widths):
        unit = min(width, cell.most_write or width)
        if unit != width and cuts:
            break
        if width < cell.least_write and width < cell.byte:
            continue
        byte = cell.byte if 0 < cell.byte <= unit else unit
        ways = -(-words // 2 ** (cell.address_bits - level))
        count = -(-ways * (-(-bits // byte) * byte) // unit)
        weight = (cell.cost - cell.scale) * count + cell.scale * ways * bits / unit
        weight += _MUX * (ways - 1) * bits * ports + _EMULATION * emulation
        weight += _DEMUX * (ways if ways > 1 else 0) * ports
        cuts.append(_Cut(cell=cell, width=unit, ways=ways, count=count, weight=weight))
    return cuts


def _registers(family: Family, words: int, bits: int) -> Implementation:
    return Implementation(
        style=Style.REGISTERS,
        cell="flip-flops",
        count=words * bits,
        words=words,
        bits=bits,
        cell_words=1,
        cell_bits=bits,
        ways=words,
        luts=family.choosing.luts(words, bits),
        flip_flops=(words + 1) * bits,
    )


def _cells(
    family: Family, cut: _Cut, words: int, bits: int, collision: bool, ports: int
) -> Implementation:
    cell, ways = cut.cell, cut.ways
    choosing = family.choosing
    if cell.style is Style.DISTRIBUTED and family.choosing_lut_ram is not None:
        choosing = family.choosing_lut_ram
    luts_of_cells = cell.luts * cut.count + cell.luts_a_bit * ways * bits
    luts_of_cells += _write_masks(cut, ways)
    luts = luts_of_cells + choosing.luts(ways, bits) * ports
    flip_flops = (ways - 1).bit_length() * ports
    if cell.style is Style.DISTRIBUTED:
        flip_flops = bits
    elif collision and not cell.sees_old:
        address = address_bits(words)
        a_bit, an_address_bit, once = family.collision
        luts += a_bit * bits + an_address_bit * address + once
        flip_flops += 2 * bits + address + 2
    return Implementation(
        style=cell.style,
        cell=cell.name,
        count=cut.count,
        words=words,
        bits=bits,
        cell_words=2**cell.address_bits * cell.widths[0] // cut.width,
        cell_bits=cut.width,
        ways=ways,
        blocks=cell.blocks * cut.count,
        large=cut.count if cell.style is Style.LARGE else 0,
        luts=luts,
        flip_flops=flip_flops,
        luts_of_cells=luts_of_cells,
    )


def _write_masks(cut: _Cut, ways: int) -> int:
    """LUTs of write enables, where a cell writes single bits under a mask of a wide word."""
    if cut.cell.byte != 1:
        return 0
    narrow = cut.cell.least_write // cut.width
    return narrow * ways if narrow > 1 else 1


def with_output_register(device: str, words: int, bits: int) -> Implementation:
    """A block RAM with an output register, as rtl/hlsmem_ram_output.v makes it.

    On ECP5 block RAMs are instantiated in slices of one width; elsewhere flip-flops stand
    behind the RAM that synthesis infers.
    """
    family = family_of(device)
    if not family.output_register:
        plain = implement(device, words, bits, collision=False)
        return replace(plain, flip_flops=plain.flip_flops + bits)
    cell = next(cell for cell in family.cells if cell.style is Style.BLOCK)
    depths = [2 ** (cell.address_bits - level) for level in range(len(cell.widths))]
    level = max((k for k, depth in enumerate(depths) if depth >= words), default=0)
    width = cell.widths[level]
    count = -(-bits // width)
    return Implementation(
        style=Style.BLOCK,
        cell=cell.name,
        count=count,
        words=words,
        bits=bits,
        cell_words=depths[level],
        cell_bits=width,
        ways=1,
        blocks=count * cell.blocks,
    )


def address_bits(words: int) -> int:
    """Bits of an address of so many words."""
    return max(1, (words - 1).bit_length())
