"""Synthesis: the generated Verilog through Yosys and nextpnr, in figures engineers know."""

from hlsmem.synthesis.flow import Figures, Timed, sources_of, synthesise
from hlsmem.synthesis.netlist import Area

__all__ = ["Area", "Figures", "Timed", "sources_of", "synthesise"]
