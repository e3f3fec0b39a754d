"""Scalars in normal form: index variables propagated, others privatised and kept."""
