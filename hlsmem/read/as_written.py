"""Settings that ask for a plan of C as it stands: its order, its loops, its parameters; around
the memories nothing is made."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.read.document import Document

AS_WRITTEN = (
    "schedule=text",
    "kernel.loops=written",
    "kernel.parameters=external",
    "accelerator.build=memories",
)
"""Settings without which a plan changes the C that it is of."""


def holds_anyway(setting: str, document: Document) -> bool:
    """True if a setting asks a design without a kernel for what such a design is anyway."""
    of_kernel = setting in AS_WRITTEN and not setting.startswith("schedule")
    return of_kernel and document.get("kernel") is None
