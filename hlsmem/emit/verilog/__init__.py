"""The generated Verilog of a plan: top, buffers, walkers, and the library modules they use."""
