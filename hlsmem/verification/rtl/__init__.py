"""Simulation of the generated Verilog, and judgement of what it did."""

from hlsmem.verification.rtl.judge import check_rtl

__all__ = ["check_rtl"]
