"""Tilings: which tiles run at once, how many waves there are, and what a tile takes."""
