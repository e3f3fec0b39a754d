"""Texts of Verilog that all modules share: names, literals, address generators."""
