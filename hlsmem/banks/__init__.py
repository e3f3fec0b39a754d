"""Memories in real primitives: accesses of a cycle, bank lattices, reuse chains, their cost."""
