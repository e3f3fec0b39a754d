"""Runs of the generated C beside the original."""
