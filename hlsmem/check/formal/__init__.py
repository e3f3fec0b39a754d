"""Proofs of the generated Verilog, by Yosys and an SMT solver."""

from hlsmem.check.formal.formal_verdicts import check_formal, prove_design, prove_top
from hlsmem.check.formal.proof_design import read_hints

__all__ = ["check_formal", "prove_design", "prove_top", "read_hints"]
