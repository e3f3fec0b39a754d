"""AMD series 7, as `synth_xilinx -family xc7` of Yosys 0.70 uses it. Blocks are RAMB18."""

from __future__ import annotations

from hlsmem.devices.primitives import Choosing, Device, Family
from hlsmem.devices.xilinx import CHOOSING, TURNING, VENDOR_TOOL, block_rams, lut_ram, synthesis

# Measured by benchmarks/yosys_choosing.py: LUT RAM is slow to read, which costs LUTs behind it.
CHOOSING_LUT_RAM = Choosing(
    rows=(
        (2, 1.00, 2.0),
        (3, 1.00, 4.0),
        (4, 1.00, 6.0),
        (5, 3.00, 5.0),
        (6, 4.00, 6.0),
        (7, 4.00, 7.0),
        (8, 3.00, 8.0),
        (9, 3.00, 9.0),
        (10, 4.12, 12.2),
        (12, 4.81, 12.6),
        (14, 5.13, 16.7),
        (16, 6.75, 15.5),
        (20, 10.62, 33.2),
        (24, 13.00, 39.0),
        (32, 15.71, 45.6),
        (40, 20.77, 52.0),
        (64, 29.87, 76.3),
    )
)


FAMILY = Family(
    name="xc7",
    title="AMD series 7",
    vendor_tool=VENDOR_TOOL,
    block="RAMB18E1",
    block_bits=18 * 1024,
    cells=(
        lut_ram("RAM128X1D", 7, 1, 8, 8, luts=4),
        lut_ram("RAM64X1D", 6, 2, 8, 8, luts_a_bit=2),
        lut_ram("RAM32X1D", 5, 4, 8, 8, luts_a_bit=2),
        lut_ram("RAM64M", 6, 3, 8, 7, luts=4),
        lut_ram("RAM32M", 5, 6, 8, 7, luts=4),
        *block_rams("E1"),
    ),
    devices=(
        Device(name="xc7s25", blocks=90, luts=14600, flip_flops=29200),
        Device(name="xc7s50", blocks=150, luts=32600, flip_flops=65200),
        Device(name="xc7a35t", blocks=100, luts=20800, flip_flops=41600),
        Device(name="xc7a50t", blocks=150, luts=32600, flip_flops=65200),
        Device(name="xc7a100t", blocks=270, luts=63400, flip_flops=126800),
        Device(name="xc7a200t", blocks=730, luts=134600, flip_flops=269200),
        Device(name="xc7k325t", blocks=890, luts=203800, flip_flops=407600),
        Device(name="xc7z010", blocks=120, luts=17600, flip_flops=35200),
        Device(name="xc7z020", blocks=280, luts=53200, flip_flops=106400),
        Device(name="xc7z045", blocks=1090, luts=218600, flip_flops=437200),
    ),
    choosing=CHOOSING,
    turning=TURNING,
    choosing_lut_ram=CHOOSING_LUT_RAM,
    luts_a_block=64,
    rate=50,  # a quarter of the 204 LUTs a block of the middle device
    synthesis=synthesis("xc7", "DSP48E1"),
)
