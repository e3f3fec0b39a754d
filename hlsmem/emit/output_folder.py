"""An output folder, written whole or not at all: built beside its place, then renamed into it."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.user_files import read_text, to_bytes
from hlsmem.core.watchdog import beside, gone_afterwards
from hlsmem.emit.output_listing import (
    LIST,
    carry_over,
    hash_of,
    keep_changed,
    list_text,
    listed,
    made_with,
)
from hlsmem.version import libraries

_PLAN = "plan.json"
_OURS = "hlsmem-plan/"
# renameat2(2): names are relative to the working folder; both exist and change places.
_HERE = -100
_EXCHANGE = 2


def write_folder(out: Path, files: Mapping[str, str | bytes]) -> list[str]:
    """Make `out` a folder with `files`, whose names are relative to it, and a list of them.

    In an `out` that holds a plan of ours and such a list, all that is listed is replaced; other
    files stay, and what somebody changed is kept as NAME.orig: these names are returned. One that
    is empty or missing is made, with its parents. Raises InputError where `out` is something else
    or cannot be written; `out` is then as it was. If `out` is a symbolic link, it stays and its
    target is replaced; links inside stay links.
    """
    settle(out)
    target = _resolved(out)
    _check_replaceable(target, out)
    for name in files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise ValueError(f"{name!r} is no name inside a folder")
    made = _missing_parents(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = beside(f".{target.name}-", target.parent)
        with gone_afterwards(fresh):
            fresh.mkdir(mode=0o700)
            _fill(fresh, files)
            kept = carry_over(target, fresh)
            _swap(fresh, target)
            return kept
    except OSError as error:
        _remove_empty(made)
        raise _not_written(out, error) from None


def _mask() -> int:
    """The rights that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def rewrite_files(out: Path, texts: Mapping[str, str]) -> list[str]:
    """Replace files of a folder, each whole or not at all, and list them anew.

    Those that somebody changed, or that nobody listed, are kept as NAME.orig; these names are
    returned. Raises InputError where it fails.
    """
    hashes = listed(out) or {}
    kept = []
    for name, text in texts.items():
        with unwritable(out / name):
            kept += keep_changed(out, name, hashes)
        hashes[name] = hash_of(to_bytes(text))
        rewrite_file(out / name, text)
    rewrite_file(out / LIST, list_text(hashes, made_with(out)))
    return kept


def list_anew(out: Path, names: Iterable[str]) -> None:
    """List files of a folder that hlsmem has just written there, as they stand."""
    hashes = listed(out) or {}
    with unwritable(out / LIST):
        hashes |= {name: hash_of((out / name).read_bytes()) for name in names}
    rewrite_file(out / LIST, list_text(hashes, made_with(out)))


def rewrite_file(file: Path, content: str | bytes) -> None:
    """Replace one file, whole or not at all; raises InputError where that fails."""
    with unwritable(file):
        fresh = beside(f".{file.name}-", file.parent)
        with gone_afterwards(fresh):
            with fresh.open("xb") as stream:
                stream.write(to_bytes(content) if isinstance(content, str) else content)
            fresh.chmod(0o666 & ~_mask())
            fresh.replace(file)


@contextlib.contextmanager
def unwritable(file: Path) -> Iterator[None]:
    """Work on a file that is written; raises InputError for what the system refuses of it."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # the latter of links that lead to each other
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "make its folder writable"
        raise InputError(Problem(f"cannot write '{file}': {reason}", remedy)) from None


def _resolved(out: Path) -> Path:
    try:
        return out.resolve()
    except (OSError, RuntimeError) as error:
        raise _not_written(out, error) from None


def _check_replaceable(target: Path, out: Path) -> None:
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InputError(Problem(f"'{out}' is a file", "choose another folder with -o"))
    try:
        empty = not any(target.iterdir())
    except OSError as error:
        raise _not_written(out, error) from None
    missing = "" if empty else _missing(target)
    if missing:
        what = f"'{out}' is a folder with other content: it has no {missing}"
        raise InputError(Problem(what, "choose another folder with -o, or empty it"))


def _missing(folder: Path) -> str:
    """The file that an output folder of hlsmem lacks, as text; "" where it lacks none."""
    try:
        document = json.loads(read_text(folder / _PLAN))
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not str(document.get("format", "")).startswith(_OURS):
        return f"{_PLAN} of hlsmem"
    return "" if listed(folder) is not None else f"{LIST}, the list of what hlsmem wrote"


def _fill(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(to_bytes(content) if isinstance(content, str) else content)
    hashes = {
        name: hash_of(to_bytes(content) if isinstance(content, str) else content)
        for name, content in files.items()
    }
    (folder / LIST).write_text(list_text(hashes, libraries()), encoding="utf-8")
    # It was made for its owner alone; OUT gets the rights any new folder has.
    folder.chmod(0o777 & ~_mask())


def _swap(fresh: Path, target: Path) -> None:
    """Put `fresh` in the place of `target`, in one step where the system has one.

    Elsewhere the old folder waits beside, where `settle` finds it should this process be killed.
    """
    if not target.exists():
        fresh.rename(target)
    elif not _exchange(fresh, target):
        old = _waiting(target)
        target.rename(old)
        try:
            fresh.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)


def settle(out: Path) -> None:
    """Finish what a killed process left between two names: OUT is there, the old one or the new.

    Raises InputError where that fails.
    """
    target = _resolved(out)
    old = _waiting(target)
    if _missing(old):
        return
    try:
        if os.path.lexists(target):
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)
    except OSError as error:
        raise _not_written(out, error) from None


def _waiting(target: Path) -> Path:
    return target.parent / f".{target.name}-before"


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot."""
    if sys.platform != "linux":
        return False
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    try:
        rename = library.renameat2
    except AttributeError:
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0)


def _missing_parents(target: Path) -> list[Path]:
    """The parents that will have to be made, innermost first."""
    return [parent for parent in target.parents if not parent.exists()]


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _not_written(out: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    remedy = "choose another folder with -o"
    if getattr(error, "errno", None) == errno.ENAMETOOLONG:
        remedy = "files are named by the design, its arrays and statements: use shorter names"
    return InputError(Problem(f"cannot write '{out}': {reason}", remedy))
