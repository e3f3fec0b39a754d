"""C for the host: the kernel with its local arrays folded into a workspace.

Entry: `emit_host(design, program, plan)` gives the files of OUT/host.
"""

from __future__ import annotations

from hlsmem.emit.c.host import emit_host

__all__ = ["emit_host"]
