"""Address generators: how a stream steps through its beats, for Verilog, C and the predictor
alike."""
