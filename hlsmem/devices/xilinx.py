"""Common part of AMD's series 7 and UltraScale+, in Yosys 0.70's terms."""

from __future__ import annotations

from hlsmem.devices.primitives import Choosing, RamCell, Style, Synthesis

VENDOR_TOOL = "Vivado"

# Measured by benchmarks/yosys_choosing.py: LUT6 with MUXF7 and MUXF8, which are free.
CHOOSING = Choosing(
    rows=(
        (2, 1.00, 2.0),
        (3, 1.00, 3.0),
        (4, 1.00, 4.0),
        (5, 2.00, 5.0),
        (6, 2.00, 6.0),
        (7, 4.00, 7.0),
        (8, 3.00, 8.0),
        (9, 5.00, 9.0),
        (10, 4.23, 10.4),
        (12, 4.00, 12.0),
        (14, 5.54, 20.9),
        (16, 6.00, 23.3),
        (20, 12.00, 33.0),
        (24, 14.04, 36.9),
        (32, 17.02, 37.5),
        (40, 18.15, 57.8),
        (64, 27.81, 81.9),
    )
)


# Measured by the same; banks of `hlsmem_rotator`.
TURNING = Choosing(
    rows=(
        (2, 2.00, 3.0),
        (3, 6.00, 4.0),
        (4, 8.00, 4.0),
        (5, 10.00, 7.0),
        (6, 12.00, 7.0),
        (7, 14.00, 7.0),
        (8, 16.00, 7.0),
        (9, 18.00, 9.0),
        (10, 20.00, 9.0),
        (12, 30.00, 9.0),
        (16, 41.89, 12.0),
    )
)


def synthesis(family: str, multipliers: str) -> Synthesis:
    """Netlists of the ports alone: without pads, of which a design may have too many."""
    return Synthesis(
        command=f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf",
        luts=(
            ("LUT[1-6]|INV|SRL16E|SRLC32E|RAM(32|64)X1S", 1),
            ("RAM(32|64)X1D", 2),
            ("RAM128X1D|RAM(32|64)M", 4),
            ("RAM256X1D|RAM32M16|RAM64M8", 8),
        ),
        flip_flops="FD[RSCP]E",
        multipliers=multipliers,
        free="CARRY[48]|MUXF[789]|GND|VCC",
    )


def block_rams(suffix: str) -> tuple[RamCell, ...]:
    """RAMB18 and RAMB36 with both ports alike, then as simple dual-port RAMs of twice the width."""
    half, full = f"RAMB18{suffix}", f"RAMB36{suffix}"
    narrow = (1, 2, 4, 9, 18)
    return (
        _block(half, 14, narrow, 129, ports=(1, 2), blocks=1),
        _block(full, 15, (*narrow, 36), 257, ports=(1, 2), blocks=2),
        _block(half, 14, (*narrow, 36), 129, ports=(1,), blocks=1),
        _block(full, 15, (*narrow, 36, 72), 257, ports=(1,), blocks=2),
    )


def _block(
    name: str,
    address_bits: int,
    widths: tuple[int, ...],
    cost: int,
    *,
    ports: tuple[int, ...],
    blocks: int,
) -> RamCell:
    return RamCell(
        name=name,
        style=Style.BLOCK,
        address_bits=address_bits,
        widths=widths,
        cost=cost,
        byte=9,
        sees_old=True,
        ports=ports,
        blocks=blocks,
    )


def lut_ram(
    name: str,
    address_bits: int,
    width: int,
    cost: int,
    scale: int,
    *,
    luts: int = 0,
    luts_a_bit: int = 0,
) -> RamCell:
    """A LUT RAM of one width."""
    return RamCell(
        name=name,
        style=Style.DISTRIBUTED,
        address_bits=address_bits,
        widths=(width,),
        cost=cost,
        scale=scale,
        sees_old=True,
        luts=luts,
        luts_a_bit=luts_a_bit,
    )
