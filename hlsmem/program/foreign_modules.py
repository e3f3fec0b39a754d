"""Modules of the user's that compute what has no circuit: operators of floats, functions."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignModule:
    """A module in a `file` of Verilog, with the ports clk, ce, a0, a1, .. and q.

    `name` is a function of C, or an operator of floats: `f+` of float, `d+` of double. `operands`
    are the bits of a0, a1, .., `bits` those of q, which has their result so many enabled clock
    edges (`latency`) later, one in each.
    """

    name: str
    module: str
    latency: int
    operands: tuple[int, ...]
    bits: int
    file: SourceFile
