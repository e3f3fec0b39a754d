"""Edits of the user's text, which keeps in it the storage of a plan."""
