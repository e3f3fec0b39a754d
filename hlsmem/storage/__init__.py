"""How arrays are held: a folder a kind, with what finds it, its circuit, simulation and Verilog."""
