"""Synthesis: the generated Verilog through Yosys and nextpnr, in figures engineers know."""

from hlsmem.synthesis.flow import Figures, Timed, sources_of, synthesise, unplaced
from hlsmem.synthesis.netlist import Area
from hlsmem.synthesis.promise import Promise, promise_of
from hlsmem.synthesis.tables import synthesis_document, synthesis_text

__all__ = [
    "Area",
    "Figures",
    "Promise",
    "Timed",
    "promise_of",
    "sources_of",
    "synthesis_document",
    "synthesis_text",
    "synthesise",
    "unplaced",
]
