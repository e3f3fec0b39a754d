"""Storage of arrays: a folder a kind, with its finder, circuit, simulation and Verilog."""
