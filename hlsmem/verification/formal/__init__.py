"""Proofs of the generated Verilog, by Yosys and an SMT solver."""

from hlsmem.verification.formal.design import read_hints
from hlsmem.verification.formal.judge import check_formal, prove_design, prove_top

__all__ = ["check_formal", "prove_design", "prove_top", "read_hints"]
