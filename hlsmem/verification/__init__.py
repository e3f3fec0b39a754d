"""Checks: what `hlsmem check` proves again from the files in OUT alone.

Names here are imported on first use: who asks for the names of checks needs no isl.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hlsmem.verdict import Status, Verdict
    from hlsmem.verification.run import Checks, run_checks
    from hlsmem.verification.subject import Subject, load_subject, read_verdicts

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
    "Checks": "hlsmem.verification.run",
    "Status": "hlsmem.verdict",
    "Subject": "hlsmem.verification.subject",
    "Verdict": "hlsmem.verdict",
    "load_subject": "hlsmem.verification.subject",
    "read_verdicts": "hlsmem.verification.subject",
    "run_checks": "hlsmem.verification.run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hlsmem.verification' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
