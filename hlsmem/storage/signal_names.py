"""Signals of streams, and which of them follow others within a cycle."""

from __future__ import annotations

READY, VALID, DATA, LAST, USER = "tready", "tvalid", "tdata", "tlast", "tuser"
# Inside of a buffer: a beat is committed or issued; a write could go but for its rivals.
FIRE, OPEN = "fire", "open"

# A signal of a stream, and one that may change with it in the same cycle.
Signal = tuple[str, str]
Follows = tuple[Signal, Signal]
