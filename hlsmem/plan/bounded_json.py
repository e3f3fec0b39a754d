"""The text of plan.json from anybody, and its JSON, within the limits of `hlsmem_verify`.

What is larger is no plan that hlsmem writes, and would keep a reader busy, or end it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hlsmem_verify
from hlsmem.core import user_files as files
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.user_files import NotRegularError
from hlsmem_verify.limits import MOST_BYTES

AGAIN = "run `hlsmem plan` again"


def read_text(file: Path, remedy: str) -> str:
    """The text of plan.json; raises InputError where it cannot be read, or is too large."""
    try:
        if file.stat().st_size > MOST_BYTES:
            what = f"{file} has more than {MOST_BYTES >> 20} MiB"
            raise InputError(Problem(what, AGAIN))
        return files.read_text(file)
    except NotRegularError as error:
        raise InputError(Problem(f"{file} cannot be read: {error.strerror}", remedy)) from None
    except (OSError, UnicodeDecodeError):
        raise InputError(Problem(f"{file} cannot be read", remedy)) from None


def document_of(text: str, file: str) -> Any:
    """The value that `text` stands for; raises InputError as `hlsmem_verify.parsed` does."""
    try:
        return hlsmem_verify.parsed(text)
    except hlsmem_verify.Refused as refused:
        raise InputError(Problem(f"{file}: {refused}", refused.remedy)) from None
