"""AMD UltraScale+, as `synth_xilinx -family xcup` of Yosys 0.70 uses it. Blocks are RAMB18.

UltraRAM (URAM288) is used where a style asks for it.
"""

from __future__ import annotations

from hlsmem.devices.primitives import Device, Family, RamCell, Style
from hlsmem.devices.xilinx import CHOOSING, TURNING, VENDOR_TOOL, block_rams, lut_ram, synthesis


def _ultra(byte: int) -> RamCell:
    return RamCell(
        name="URAM288",
        style=Style.LARGE,
        address_bits=12,
        widths=(72,),
        cost=1024,
        byte=byte,
        sees_old=True,
        ports=(1, 2),
    )


FAMILY = Family(
    name="xcup",
    title="AMD UltraScale+",
    vendor_tool=VENDOR_TOOL,
    block="RAMB18E2",
    block_bits=18 * 1024,
    cells=(
        lut_ram("RAM256X1D", 8, 1, 16, 16, luts=8),
        lut_ram("RAM128X1D", 7, 2, 16, 16, luts_a_bit=4),
        lut_ram("RAM64X1D", 6, 4, 16, 16, luts_a_bit=2),
        lut_ram("RAM32X1D", 5, 8, 16, 16, luts_a_bit=2),
        lut_ram("RAM64M8", 6, 7, 16, 16, luts=8),
        lut_ram("RAM32M16", 5, 14, 16, 16, luts=8),
        *block_rams("E2"),
        _ultra(8),
        _ultra(9),
    ),
    devices=(
        Device(name="xczu2eg", blocks=300, luts=47232, flip_flops=94464),
        Device(name="xczu3eg", blocks=432, luts=70560, flip_flops=141120),
        Device(name="xczu4ev", blocks=256, luts=87840, flip_flops=175680, large=48),
        Device(name="xczu5ev", blocks=288, luts=117120, flip_flops=234240, large=64),
        Device(name="xczu7ev", blocks=624, luts=230400, flip_flops=460800, large=96),
        Device(name="xczu9eg", blocks=1824, luts=274080, flip_flops=548160),
        Device(name="xck26", blocks=288, luts=117120, flip_flops=234240, large=64),
        Device(name="xcku5p", blocks=960, luts=216960, flip_flops=433920, large=64),
        Device(name="xcvu9p", blocks=4320, luts=1182240, flip_flops=2364480, large=960),
    ),
    choosing=CHOOSING,
    turning=TURNING,
    luts_a_block=64,
    rate=70,  # a quarter of the 274 LUTs a block of the middle device
    synthesis=synthesis("xcup", "DSP48E2"),
)
