"""Lattice iCE40, as `synth_ice40` of Yosys 0.70 uses it. It has no LUT RAM."""

from __future__ import annotations

from hlsmem.devices.primitives import (
    Choosing,
    Device,
    Family,
    RamCell,
    Router,
    Style,
    Synthesis,
)

# Measured by benchmarks/yosys_choosing.py.
CHOOSING = Choosing(
    rows=(
        (2, 1.00, 2.0),
        (3, 2.00, 3.0),
        (4, 3.00, 4.0),
        (5, 3.00, 5.0),
        (6, 5.00, 6.0),
        (7, 5.00, 7.0),
        (8, 6.00, 8.0),
        (9, 7.00, 12.0),
        (10, 8.00, 14.0),
        (12, 8.77, 18.6),
        (14, 11.67, 15.6),
        (16, 13.13, 22.3),
        (20, 16.00, 24.0),
        (24, 21.00, 28.0),
        (32, 27.77, 39.6),
        (40, 35.67, 48.3),
        (64, 54.96, 73.1),
    )
)


# Measured by the same; banks of `hlsmem_rotator`.
TURNING = Choosing(
    rows=(
        (2, 2.00, 2.0),
        (3, 6.00, 2.0),
        (4, 8.00, 2.0),
        (5, 10.00, 3.0),
        (6, 12.00, 3.0),
        (7, 18.00, 3.0),
        (8, 20.00, 3.0),
        (9, 27.00, 5.0),
        (10, 30.00, 5.0),
        (12, 36.00, 5.0),
        (16, 47.14, 38.0),
    )
)


FAMILY = Family(
    name="ice40",
    title="Lattice iCE40",
    vendor_tool="Radiant or iCEcube2",
    block="SB_RAM40_4K",
    block_bits=4 * 1024,
    cells=(
        RamCell(
            name="SB_RAM40_4K",
            style=Style.BLOCK,
            address_bits=11,
            widths=(2, 4, 8, 16),
            cost=64,
            most_write=8,
            blocks=1,
        ),
        # Words of 16 bits have a write mask, with which several narrow words share a cell.
        RamCell(
            name="SB_RAM40_4K",
            style=Style.BLOCK,
            address_bits=11,
            widths=(2, 4, 8, 16),
            cost=64,
            byte=1,
            least_write=16,
            blocks=1,
        ),
    ),
    devices=(
        Device(name="ice40-lp1k", blocks=16, luts=1280, flip_flops=1280),
        Device(name="ice40-lp4k", blocks=20, luts=3520, flip_flops=3520),
        Device(name="ice40-lp8k", blocks=32, luts=7680, flip_flops=7680),
        Device(name="ice40-hx1k", blocks=16, luts=1280, flip_flops=1280),
        Device(name="ice40-hx4k", blocks=20, luts=3520, flip_flops=3520),
        Device(name="ice40-hx8k", blocks=32, luts=7680, flip_flops=7680),
        Device(name="ice40-up3k", blocks=20, luts=2800, flip_flops=2800, large=4),
        Device(name="ice40-up5k", blocks=30, luts=5280, flip_flops=5280, large=4),
    ),
    collision=(1, 1, 3),
    wide_lines=False,
    choosing=CHOOSING,
    turning=TURNING,
    rate=40,  # a quarter of the 176 LUTs a block of the middle device
    synthesis=Synthesis(
        command="synth_ice40",
        luts=(("SB_LUT4", 1),),
        flip_flops="SB_DFF.*",
        multipliers="SB_MAC16",
        free="SB_CARRY|GND|VCC",
    ),
    router=Router(
        name="ice40",
        part="iCE40-HX8K",
        arguments=("--hx8k", "--package", "ct256", "--freq", "200", "--pcf-allow-unconstrained"),
    ),
)
