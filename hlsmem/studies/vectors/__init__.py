"""Occupancy vectors of a design, and schedules for them."""
