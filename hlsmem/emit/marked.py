"""Files outside of OUT that a verb writes: each says in its last line that hlsmem made it.

The line has a digest of the rest. No other file is written over: neither one of the user's, nor
one that hlsmem made and somebody changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.user_files import read_bytes
from hlsmem.emit.output_folder import rewrite_file, unwritable
from hlsmem.emit.output_listing import set_aside

# How a line of comment is written.
C = "/* {} */"
XML = "<!-- {} -->"
YAML = "# {}"

_MADE = "made by hlsmem, which replaces it unless it was changed: sha256 "
_LINE = re.compile(rf"^\W+{_MADE}[0-9a-f]{{16}}(?: \W+)?\n", re.MULTILINE)
_LONGEST = 200  # bytes of that line, and more


def _is_made(file: Path) -> bool:
    """True if a file is as `write_marked` left it; it is read only where its end says so."""
    try:
        if _MADE.encode() not in read_bytes(file, last=_LONGEST):
            return False
        content = read_bytes(file)
    except OSError:
        return False
    text = content[: content.rfind(b"\n", 0, -1) + 1]
    end = content.removeprefix(text)
    return any(end == _mark(text, comment).encode() for comment in (C, XML, YAML))


def refuse_others(
    files: Iterable[Path], *, force: bool = False, is_made: Callable[[Path], bool] = _is_made
) -> None:
    """Raise InputError for all files that are there and that hlsmem did not make as they are.

    By `force` every regular file may be written over. `is_made` says of files without such a line
    what they are.
    """
    problems = []
    for file in files:
        if not os.path.lexists(file):
            continue
        if os.path.exists(file) and not os.path.isfile(file):
            problems.append(Problem(f"'{file}' is no regular file", "name another one"))
        elif not force and not is_made(file):
            what = f"'{file}' is there, and is not as hlsmem made it"
            problems.append(Problem(what, "name another file, or replace it by --force"))
    if problems:
        raise InputError(*problems)


def write_marked(file: Path, text: str, comment: str, *, force: bool = False) -> None:
    """Write a file and the folder that it is in, whole or not at all; of a link its target.

    Raises InputError where `refuse_others` does, and where it cannot be written.
    """
    refuse_others([file], force=force)
    text = _LINE.sub("", text)
    text += "" if text.endswith("\n") else "\n"
    with unwritable(file):
        target = file.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
    rewrite_file(target, text + _mark(text.encode("utf-8"), comment))


def write_design(file: Path, text: str, *, force: bool = False) -> None:
    """Write a design.yaml as `write_marked` does."""
    write_marked(file, text, YAML, force=force)


def change_design(file: Path, text: str, *, force: bool = False) -> Path | None:
    """Give the design.yaml that a user asked to have changed its new text.

    The text before is kept as NAME.orig, which is returned, unless hlsmem made it, or by `force`.
    Raises InputError where it cannot be written.
    """
    if _is_made(file):
        write_design(file, text)
        return None
    with unwritable(file):
        target = file.resolve()
        kept = None if force else set_aside(target)
    rewrite_file(target, _LINE.sub("", text))
    return kept


def _mark(content: bytes, comment: str) -> str:
    digest = hashlib.sha256(content).hexdigest()[:16]
    return f"{comment.format(_MADE + digest)}\n"
