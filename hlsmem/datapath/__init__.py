"""The arithmetic of statements as pipelined Verilog."""
