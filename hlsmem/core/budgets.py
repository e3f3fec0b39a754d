"""The longest lists that are held whole; beyond them exit code 4 says what to do.

With them a command stays below a gigabyte, whatever the sizes of its design, but for a replay of
the longest runs, which takes three. They count what is listed, not bytes or seconds: equal input
ends in the same way on every machine. Budgets of time (steps of a search, operations of isl) stand
beside the work that they limit.
"""

from __future__ import annotations

NUMBERS = 1 << 24
"""Numbers of a list of points, a row of coordinates each: 8 bytes, up to 40 while it is sorted."""
ACCESSES = 1 << 22
"""Accesses of an array that are looked at one by one, in all its streams: 160 bytes each."""
RECORDED = 1 << 23
"""Accesses of a run that is replayed, with the values of all elements: 370 bytes each."""
SHOWN = 1 << 20
"""Accesses of a run that a page shows: 700 bytes each until they are written as runs."""
