"""A folder OUT from anybody: what a verb reads of it are files that can be read, and not too many.

A link may lead to files of nobody's business, a pipe is waited for, a device may never end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from hlsmem.core.errors import InputError, Problem
from hlsmem.plan.plan_json import AGAIN, from_json, read_text
from hlsmem.plan.plan_model import Plan

# What verbs read or write in OUT; what else lies there is the user's.
_OURS = (
    ".hlsmem",
    "checks.json",
    "design",
    "host",
    "notes.json",
    "pictures",
    "plan.json",
    "report.html",
    "report.md",
    "rtl",
    "sim",
    "source",
    "synth.json",
    "synth.md",
    "verify.py",
)
# Signals over time, which `check --waves` leaves and nobody reads, have any size.
_WAVES = (".fst", ".vcd")
_MOST_FILES = 50_000
_MOST_BYTES = 64 << 20
_MOST_PROBLEMS = 20
_REMEDY = "put the file itself there, or plan again"


def read_plan(out: Path) -> Plan:
    """The plan of a folder OUT; raises InputError where it has none that can be read."""
    refuse_strange(out)
    file = out / "plan.json"
    plan = read_plan_file(file, f"run `hlsmem plan DESIGN -o {out}` first", out / "notes.json")
    main_file(out, plan)
    return plan


def main_file(out: Path, plan: Plan) -> Path:
    """The file in OUT/design that names the design of a plan.

    Raises InputError where there is none, or `inputs` names files elsewhere.
    """
    problems = [] if plan.inputs else ["inputs names no files"]
    for name in plan.inputs:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or not name.isprintable():
            problems.append(f"inputs names {name!r}, which is no file below design/")
    if problems:
        raise InputError(*(Problem(f"{out / 'plan.json'}: {what}", AGAIN) for what in problems))
    return out / "design" / next(iter(plan.inputs))


def read_plan_file(file: Path, remedy: str = "check the name", notes: Path | None = None) -> Plan:
    """The plan in a plan.json; raises InputError where it cannot be read.

    Where `notes` cannot be read, the plan is the same without them.
    """
    text = read_text(file, remedy)
    told = None
    if notes is not None:
        with suppress(InputError):
            told = read_text(notes, "")
    return from_json(text, str(file), told)


def refuse_strange(out: Path) -> None:
    """Raise InputError, with all that is found, where `out` holds what nobody should read.

    These are links, pipes, sockets and devices, files of more than 64 MiB, names that do not print,
    and more than 50000 files and folders.
    """
    problems = []
    for number, (name, entry) in enumerate(_entries(out), 1):
        if number > _MOST_FILES:
            what = f"{out} has more than {_MOST_FILES} files and folders"
            raise InputError(Problem(what, "choose a folder that `hlsmem plan` wrote"))
        fault = _fault(name, entry) if name.partition("/")[0] in _OURS else ""
        if fault:
            problems.append(Problem(f"{str(out / name)!r} {fault}", _REMEDY))
        if len(problems) == _MOST_PROBLEMS:
            break
    if problems:
        raise InputError(*problems)


def _entries(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Whatever lies in a folder, with its name as seen from there; no link is followed."""
    folders = [""]
    while folders:
        inner = folders.pop()
        try:
            with os.scandir(folder / inner) as found:
                for entry in found:
                    name = f"{inner}/{entry.name}" if inner else entry.name
                    yield name, entry
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(name)
        except OSError:  # told by whoever reads it
            continue


def _fault(name: str, entry: os.DirEntry[str]) -> str:
    """Reason that keeps an entry from being read; "" if there is none."""
    if not entry.name.isprintable():
        return "has a name that does not print"
    if entry.is_symlink():
        return "is a symbolic link"
    if entry.is_dir(follow_symlinks=False):
        # Folders of the user's files may have any name, in design/ and where these come back.
        is_file = "." in entry.name and not name.startswith(("design/", "source/"))
        return "is a folder" if is_file else ""
    status = entry.stat(follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        return "is a pipe, a socket or a device"
    if status.st_size > _MOST_BYTES and not name.endswith(_WAVES):
        return f"has {status.st_size} bytes, more than {_MOST_BYTES >> 20} MiB"
    return ""
