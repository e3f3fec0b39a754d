"""C for the host: the kernel with its local arrays folded into a workspace.

Entry: `emit_host(design, program, cells)` gives the files of OUT/host, `host_loops` the innermost
loops in them, `workspace_starts` where cells stand in the workspace.
"""

from __future__ import annotations

from hlsmem.emit.c.folds import Cells, cells_of, workspace_starts
from hlsmem.emit.c.host import HostLoops, emit_host, emit_version, host_loops, why_no_tile

__all__ = [
    "Cells",
    "HostLoops",
    "cells_of",
    "emit_host",
    "emit_version",
    "host_loops",
    "why_no_tile",
    "workspace_starts",
]
