"""Lattice ECP5, as `synth_lattice -family ecp5` of Yosys 0.70 uses it."""

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

# Measured by benchmarks/yosys_choosing.py; PFUMX and L6MUX are free.
CHOOSING = Choosing(
    rows=(
        (2, 1.00, 2.0),
        (3, 2.00, 3.0),
        (4, 4.00, 4.0),
        (5, 3.00, 5.0),
        (6, 10.00, 6.0),
        (7, 6.00, 7.0),
        (8, 6.00, 8.0),
        (9, 11.54, 11.6),
        (10, 14.04, -3.1),
        (12, 15.65, 13.5),
        (14, 18.27, 16.3),
        (16, 21.00, 20.0),
        (20, 26.00, 24.0),
        (24, 29.00, 28.0),
        (32, 32.62, 35.2),
        (40, 34.58, 47.6),
        (64, 55.83, 74.7),
    )
)


# Measured by the same; banks of `hlsmem_rotator`.
TURNING = Choosing(
    rows=(
        (2, 2.00, 1.0),
        (3, 6.00, 1.0),
        (4, 8.00, 1.0),
        (5, 10.00, 3.0),
        (6, 12.00, 3.0),
        (7, 21.00, 3.0),
        (8, 24.00, 3.0),
        (9, 45.00, 4.0),
        (10, 50.00, 4.0),
        (12, 66.00, 4.0),
        (16, 152.00, 5.0),
    )
)


FAMILY = Family(
    name="ecp5",
    title="Lattice ECP5",
    vendor_tool="Diamond",
    block="DP16KD",
    block_bits=18 * 1024,
    cells=(
        RamCell(
            name="TRELLIS_DPR16X4",
            style=Style.DISTRIBUTED,
            address_bits=4,
            widths=(4,),
            cost=4,
            sees_old=True,
            luts=4,
        ),
        RamCell(
            name="DP16KD",
            style=Style.BLOCK,
            address_bits=14,
            widths=(1, 2, 4, 9, 18),
            cost=128,
            byte=9,
            ports=(1, 2),
            blocks=1,
        ),
        # The same cell as PDPW16KD: words of 36 bits, writes of 36 bits in four bytes.
        RamCell(
            name="DP16KD",
            style=Style.BLOCK,
            address_bits=14,
            widths=(1, 2, 4, 9, 18, 36),
            cost=128,
            byte=9,
            least_write=36,
            blocks=1,
        ),
    ),
    devices=(
        Device(name="ecp5-12k", blocks=32, luts=12096, flip_flops=12096),
        Device(name="ecp5-25k", blocks=56, luts=24288, flip_flops=24288),
        Device(name="ecp5-45k", blocks=108, luts=43848, flip_flops=43848),
        Device(name="ecp5-85k", blocks=208, luts=83640, flip_flops=83640),
    ),
    collision=(1, 1, 9),
    choosing=CHOOSING,
    turning=TURNING,
    rate=100,  # a quarter of the 404 LUTs a block of the middle device
    output_leaf="ecp5/hlsmem_ram_output.v",
    synthesis=Synthesis(
        command="synth_lattice -family ecp5",
        luts=(("LUT4", 1), ("CCU2C", 2), ("TRELLIS_DPR16X4", 4)),
        flip_flops="TRELLIS_FF",
        multipliers="MULT18X18D|ALU54B",
        free="PFUMX|L6MUX21|GND|VCC",
    ),
    router=Router(
        name="ecp5",
        part="LFE5U-25F",
        arguments=(
            *("--25k", "--package", "CABGA381", "--speed", "6"),
            *("--freq", "300", "--lpf-allow-unconstrained"),
        ),
    ),
)
