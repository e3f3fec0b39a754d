"""Files that a verb reads: regular ones alone.

To open a named pipe waits for whoever writes into it, and to read a device may never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

# What a path leads to that is no regular file, as messages say it.
_KINDS = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFIFO: "it is a named pipe",
    stat.S_IFSOCK: "it is a socket",
    stat.S_IFCHR: "it is a device",
    stat.S_IFBLK: "it is a device",
}


class NotRegularError(OSError):
    """A path leads to something else than a regular file; `strerror` says to what."""


def read_bytes(path: Path, *, last: int | None = None) -> bytes:
    """The content of a regular file, or so many of its last bytes.

    Raises OSError where there is none, or where it cannot be read; it never waits.
    """
    _refuse_others(path, os.stat(path).st_mode)
    # What the path leads to may have become another thing in between.
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(number, "rb") as stream:
        status = os.fstat(number)
        _refuse_others(path, status.st_mode)
        if last is not None:
            stream.seek(max(status.st_size - last, 0))
        return stream.read()


def read_text(path: Path) -> str:
    """The text of a regular file in UTF-8, with the line ends of Python.

    Raises OSError as `read_bytes`, and UnicodeDecodeError.
    """
    return read_bytes(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _refuse_others(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise NotRegularError(0, _KINDS.get(stat.S_IFMT(mode), "it is no file"), str(path))
