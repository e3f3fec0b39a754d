"""Registers: one cell, or the newest beat, kept for those that read it."""
