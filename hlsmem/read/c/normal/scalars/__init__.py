"""Scalars in normal form: propagated, privatised, kept."""
