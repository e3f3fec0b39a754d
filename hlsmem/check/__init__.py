"""Checks: what `hlsmem check` proves again from the files in OUT alone.

Names here are imported on first use: who asks for the names of checks needs no isl.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hlsmem.check.check_run import Checks, run_checks
    from hlsmem.check.design_under_check import DesignUnderCheck, load_subject, read_verdicts
    from hlsmem.core.verdict import Status, Verdict

__all__ = [
    "Checks",
    "DesignUnderCheck",
    "Status",
    "Verdict",
    "load_subject",
    "read_verdicts",
    "run_checks",
]

_HOMES = {
    "Checks": "hlsmem.check.check_run",
    "DesignUnderCheck": "hlsmem.check.design_under_check",
    "Status": "hlsmem.core.verdict",
    "Verdict": "hlsmem.core.verdict",
    "load_subject": "hlsmem.check.design_under_check",
    "read_verdicts": "hlsmem.check.design_under_check",
    "run_checks": "hlsmem.check.check_run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hlsmem.check' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
