"""Instances of a statement by number: as C, as a counter, and beside those of another nest."""
