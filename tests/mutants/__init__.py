"""Mutants of the analysis: small wrong changes, each of which some test must notice."""
