"""What may run as one process; light, since the command line names it."""

from __future__ import annotations

GRAINS = ("statement", "nest", "given")
