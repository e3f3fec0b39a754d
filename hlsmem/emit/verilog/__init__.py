"""The generated Verilog of a plan: top, buffers, address generators, and the library modules they
use."""
