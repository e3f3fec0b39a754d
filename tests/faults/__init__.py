"""Faults that tests and reports plant: in plan.json, in the generated C, in the Verilog."""
