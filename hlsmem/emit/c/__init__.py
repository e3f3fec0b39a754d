"""C for the host: the kernel with its local arrays folded into a workspace.

Entry: `emit_host(design, program, plan)` gives the files of OUT/host, `host_loops` the innermost
loops in them.
"""

from __future__ import annotations

from hlsmem.emit.c.host import emit_host, host_loops

__all__ = ["emit_host", "host_loops"]
