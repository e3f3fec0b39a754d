"""hlsmem plans the on-chip memories of hardware accelerators.

The verbs of the command line are functions here, and the values they pass on are classes:

    design = hlsmem.load(Path("design.yaml"))
    planning = hlsmem.plan_design(design)
    planning.plan.arrays["blurx"].mapping.cells

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
    "Planning": "hlsmem.pipeline",
    "Program": "hlsmem.program",
    "StorageProblem": "hlsmem.lifetime.problem",
    "Verdict": "hlsmem.verdict",
    "compare_methods": "hlsmem.pipeline",
    "explain_design": "hlsmem.pipeline",
    "load": "hlsmem.read.design",
    "output_files": "hlsmem.pipeline",
    "plan_design": "hlsmem.pipeline",
    "report": "hlsmem.emit.report",
    "run_checks": "hlsmem.pipeline",
    "write_folder": "hlsmem.emit.folder",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hlsmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
