"""Files that a verb reads: regular ones alone.

To open a named pipe waits for whoever writes into it, and to read a device may never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFREG: "",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotRegularError(OSError):
    """A path leads to no regular file; `strerror` says to what, as those of the system do."""


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


def to_bytes(text: str) -> bytes:
    """A text in UTF-8; what `from_bytes` made of bytes is these again."""
    return text.encode("utf-8", "surrogateescape")


def from_bytes(content: bytes) -> str:
    """A file that is no text as files of OUT are kept: bytes that are no UTF-8 as surrogates
    (PEP 383)."""
    return content.decode("utf-8", "surrogateescape")


def kind_of(mode: int) -> str:
    """The kind of a path by the mode of `os.stat`, as messages say it; "" for a regular file."""
    return _KINDS.get(stat.S_IFMT(mode), "no file")


def _refuse_others(path: Path, mode: int) -> None:
    kind = kind_of(mode)
    if kind:
        raise NotRegularError(0, f"is {kind}", str(path))
