"""Synthesis: the generated Verilog through Yosys and nextpnr, in figures engineers know."""

from hlsmem.synthesis.expected_resources import ExpectedResources, expected_resources
from hlsmem.synthesis.netlist import Area
from hlsmem.synthesis.synthesis_flow import (
    Figures,
    Timed,
    sources_of,
    synthesis_document,
    synthesis_text,
    synthesise,
    unplaced,
)

__all__ = [
    "Area",
    "ExpectedResources",
    "Figures",
    "Timed",
    "expected_resources",
    "sources_of",
    "synthesis_document",
    "synthesis_text",
    "synthesise",
    "unplaced",
]
