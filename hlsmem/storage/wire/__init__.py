"""Wires: reads that take what is written in their own step; no word."""
