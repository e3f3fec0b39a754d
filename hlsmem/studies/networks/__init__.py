"""Channels of a design by class and grain."""
