"""The generated Verilog as text: declarations, paths within a cycle, lint."""
