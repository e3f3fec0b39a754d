"""Proofs of the generated Verilog, by Yosys and an SMT solver."""

from hlsmem.check.formal.design import read_hints
from hlsmem.check.formal.judge import check_formal, prove_design

__all__ = ["check_formal", "prove_design", "read_hints"]
