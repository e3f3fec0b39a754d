"""C for the host: the kernel with its local arrays folded into a workspace.

Entry: `emit_host(design, program, cells)` gives the files of OUT/host, `host_loops` the innermost
loops in them, `ram_of` the bytes that it keeps, `workspace_starts` and `text_starts` where
cells stand in the workspace.
"""

from __future__ import annotations

from hlsmem.emit.c.folded_arrays import Cells, with_mapping, workspace_starts
from hlsmem.emit.c.host_text import (
    HostLoops,
    beyond_source,
    emit_host,
    host_loops,
    ram_of,
    text_starts,
    why_no_tile,
)
from hlsmem.emit.c.version_files import Planned, Text, versions_of

__all__ = [
    "Cells",
    "HostLoops",
    "Planned",
    "Text",
    "beyond_source",
    "emit_host",
    "host_loops",
    "ram_of",
    "text_starts",
    "versions_of",
    "why_no_tile",
    "with_mapping",
    "workspace_starts",
]
