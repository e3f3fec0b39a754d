"""Checks: what `hlsmem check` proves again from the files in OUT alone.

Names here are imported on first use: who asks for the names of checks needs no isl.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hlsmem.check.check_run import Checks, run_checks
    from hlsmem.check.design_under_check import Subject, load_subject, read_verdicts
    from hlsmem.core.verdict import Status, Verdict

__all__ = [
    "Checks",
    "Status",
    "Subject",
    "Verdict",
    "load_subject",
    "read_verdicts",
    "run_checks",
]

_HOMES = {
    "Checks": "hlsmem.check.check_run",
    "Status": "hlsmem.core.verdict",
    "Subject": "hlsmem.check.design_under_check",
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
