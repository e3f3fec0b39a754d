"""hlsmem plans the on-chip memories of hardware accelerators.

The verbs of the command line are functions here, and the values they pass on are classes:

    planning = hlsmem.plan("blur.c", params={"N": 64}, settings={"order": "iteration"})
    planning.arrays["blurx"].cells
    planning.check(only=["exact"])

Everything is imported on first use, so that `import hlsmem` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HOMES = {
    "Design": "hlsmem.options",
    "HlsmemError": "hlsmem.errors",
    "Mapping": "hlsmem.mapping.model",
    "Plan": "hlsmem.planfile",
    "Planning": "hlsmem.api",
    "Program": "hlsmem.program",
    "StorageProblem": "hlsmem.lifetime.problem",
    "Verdict": "hlsmem.verdict",
    "View": "hlsmem.api",
    "check": "hlsmem.api",
    "compare": "hlsmem.api",
    "diff": "hlsmem.api",
    "explain": "hlsmem.api",
    "load": "hlsmem.api",
    "open_plan": "hlsmem.api",
    "plan": "hlsmem.api",
    "report": "hlsmem.emit.report",
    "view": "hlsmem.api",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hlsmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
