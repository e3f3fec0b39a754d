"""Lifetimes: who lives when, who conflicts with whom, and the bounds that follow."""
