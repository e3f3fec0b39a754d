"""Simulation of the generated Verilog, and judgement of what it did."""

from hlsmem.check.rtl.rtl_verdicts import check_rtl

__all__ = ["check_rtl"]
