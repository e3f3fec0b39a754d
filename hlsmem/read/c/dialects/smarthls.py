"""Microchip SmartHLS."""

from __future__ import annotations

from hlsmem.read.c.dialect import Dialect

DIALECT = Dialect(
    name="smarthls",
    page='"SmartHLS Pragmas Manual", Loop Pipelining, Memory Partition',
    marks=r"^[ \t]*#[ \t]*pragma[ \t]+HLS[ \t]+(?:loop|memory|function)\b"
    r"|#[ \t]*include[ \t]*[<\"]hls/",
    interval=r"(?i)# ?pragma HLS loop pipeline(?: II ?\((\d+)\))?",
    pipeline="#pragma HLS loop pipeline II({interval})",
    partition="#pragma HLS memory partition variable({variable}) type(complete) dim(0)",
    is_before_declaration=True,
)
