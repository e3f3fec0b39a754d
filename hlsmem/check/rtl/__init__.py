"""Simulation of the generated Verilog, and judgement of what it did."""
