"""Loops in normal form: unrolled, flattened, pipelined."""
