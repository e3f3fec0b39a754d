"""The program, its order and its streams, worked out again from the design."""
