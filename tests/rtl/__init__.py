"""Benches of the Verilog library: each module, and copies with planted faults, against models."""
