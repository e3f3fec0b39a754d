"""The user's own frames through the Verilog of a whole accelerator, and through the original C."""
