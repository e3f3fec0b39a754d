"""Closed forms: what loops leave in scalars that numbers alone decide."""
