"""The generated Verilog of a plan: top, buffers, walkers, and the library modules they use."""

from hlsmem.emit.verilog.files import emit_rtl

__all__ = ["emit_rtl"]
