"""AMD Vitis HLS and Vivado HLS."""

from __future__ import annotations

from hlsmem.read.c.dialect import Dialect

DIALECT = Dialect(
    name="vitis",
    page='UG1399 2022.2, "HLS Pragmas"',
    marks=r"^[ \t]*#[ \t]*pragma[ \t]+HLS[ \t]+(?!(?:loop|memory|function)\b)"
    r"|#[ \t]*include[ \t]*[<\"](?:ap_int|ap_fixed|ap_axi_sdata|hls_stream)\.h",
    interval=r"(?i)# ?pragma HLS pipeline(?: II ?= ?(\d+))?(?: (?:rewind|style ?= ?\w+))*",
    pipeline="#pragma HLS PIPELINE II={interval}",
    is_before_loop=False,
    dependence="#pragma HLS DEPENDENCE variable={variable} type=inter direction=RAW"
    " distance={distance} true",
    partition="#pragma HLS ARRAY_PARTITION variable={variable} type=complete dim=0",
    depth="#pragma HLS STREAM variable={variable} depth={depth}",
)
