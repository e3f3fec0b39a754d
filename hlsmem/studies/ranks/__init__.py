"""Instances of a statement by number, as C and as a counter."""
