"""Sizes of memory on the command line, and the one that a command may take unasked."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from pathlib import Path

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
# What a command maps before it does anything, and with all that it may load.
_LEAST, _LEAST_USUAL = 256 << 20, 1 << 30
# What the system lets a group of processes have, the second in older ones.
_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def size_of(text: str) -> int:
    """Bytes of a text such as 6G, in powers of 1024; raises ArgumentTypeError for what is none.

    >>> size_of("1.5G") == 3 << 29
    True
    """
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?", text, re.IGNORECASE)
    size = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
    if not _LEAST <= size < 1 << 60:
        message = f"{text!r} is no size of memory of {text_of(_LEAST)} or more; write it like 6G"
        raise argparse.ArgumentTypeError(message)
    return size


def text_of(size: int) -> str:
    """A size as an option takes it, rounded down to a tenth of its unit.

    >>> text_of(256 << 20), text_of(18 << 30), text_of(3 << 29)
    ('256M', '18G', '1.5G')
    """
    unit = "G" if size >= 1 << 30 else "M"
    return f"{size * 10 // _UNITS[unit] / 10:g}{unit}"


def usual_limit() -> int | None:
    """Three quarters of the memory that there is, in bytes; None where nobody says."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):
        return None
    for group in _GROUPS:
        with contextlib.suppress(OSError, ValueError):
            found.append(int(Path(group).read_text(encoding="ascii")))
    return max(min(found) * 3 // 4, _LEAST_USUAL)
