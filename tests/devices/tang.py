"""A family that nobody sells, in one file as a family has to be."""

from __future__ import annotations

from hlsmem.devices.primitives import Choosing, Device, Family, RamCell, Style

_CHOOSING = Choosing(rows=((2, 1.0, 2.0), (16, 8.0, 16.0)))

FAMILY = Family(
    name="tang",
    title="Tang 1",
    vendor_tool="Tang Studio",
    block="TANG8K",
    block_bits=8 * 1024,
    cells=(
        RamCell(
            name="TANG8K",
            style=Style.BLOCK,
            address_bits=13,
            widths=(1, 2, 4, 8, 16),
            cost=64,
            blocks=1,
        ),
    ),
    devices=(Device(name="tang-4k", blocks=10, luts=4000, flip_flops=4000),),
    choosing=_CHOOSING,
    turning=_CHOOSING,
    rate=100,
)
