"""OUT/.hlsmem: the files of an output folder that hlsmem wrote, with hashes of what it wrote.

What is not listed is the user's and stays where it is when the folder is written again; what is
listed and was changed is kept beside as NAME.orig. No symbolic link in the folder is followed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hlsmem.core.user_files import read_text

LIST = ".hlsmem"
_FORMAT = "hlsmem-out/1"
_KEPT = ".orig"
_MOST_BYTES = 64 << 20


def list_text(hashes: Mapping[str, str], made_with: Mapping[str, str]) -> str:
    """The text of the list; `hashes` by file name below the folder, `made_with` has the versions
    of libraries that the plan comes from.

    >>> print(list_text({}, {"isl": "2026.2"}), end="")
    {
     "format": "hlsmem-out/1",
     "made_with": {
      "isl": "2026.2"
     },
     "files": {}
    }
    """
    files = dict(sorted(hashes.items()))
    document = {"format": _FORMAT, "made_with": dict(made_with), "files": files}
    return json.dumps(document, indent=1) + "\n"


def hash_of(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def listed(folder: Path) -> dict[str, str] | None:
    """The hashes of what hlsmem wrote into a folder; None where there is no list."""
    return _texts_of(folder, "files")


def made_with(folder: Path) -> dict[str, str]:
    """The versions of libraries that the plan of a folder comes from; none where nobody says."""
    return _texts_of(folder, "made_with") or {}


def _texts_of(folder: Path, key: str) -> dict[str, str] | None:
    """Texts by name that the list has under a key; None where there is no list."""
    file = folder / LIST
    try:
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            return None
        document: Any = json.loads(read_text(file))
        if document["format"] != _FORMAT:
            return None
        return {str(name): str(text) for name, text in document[key].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def is_as_made(folder: Path, name: str) -> bool:
    """True if a file of a folder is as hlsmem wrote it, by the list."""
    hashes = listed(folder) or {}
    return name in hashes and _is_as_written(folder / name, hashes[name])


def carry_over(old: Path, fresh: Path) -> list[str]:
    """Bring what is the user's from `old` into `fresh`, which has its new files already.

    Returns the names, below the folder, of files that were kept as NAME.orig: those that hlsmem
    wrote and somebody changed, and those in the place of a new file. Files are linked, not copied,
    where the system can.
    """
    hashes = listed(old) or {}
    kept = []
    # What keeps its name comes first, so that no other takes it.
    for name in sorted(_files(old), key=lambda one: one in hashes or os.path.lexists(fresh / one)):
        source, target = old / name, fresh / name
        if name == LIST or (name in hashes and _is_as_written(source, hashes[name])):
            continue
        if name in hashes or os.path.lexists(target) or not _has_folder(target, fresh):
            target = _free(fresh, name)
            kept.append(target.relative_to(fresh).as_posix())
        target.parent.mkdir(parents=True, exist_ok=True)
        _bring(source, target)
    return kept


def keep_changed(folder: Path, name: str, hashes: Mapping[str, str]) -> list[str]:
    """Keep a file that is about to be replaced as NAME.orig where it is not as hlsmem wrote it.

    Returns the name it is kept under, if it is.
    """
    file = folder / name
    if not os.path.lexists(file) or (name in hashes and _is_as_written(file, hashes[name])):
        return []
    target = _free(folder, name)
    file.rename(target)
    return [target.relative_to(folder).as_posix()]


def set_aside(file: Path) -> Path:
    """Keep a file that is about to be replaced as NAME.orig, which is returned."""
    target = _free(file.parent, file.name)
    _bring(file, target)
    return target


def _files(folder: Path) -> Iterator[str]:
    """All files below a folder; symbolic links are files, whatever they lead to."""
    for parent, folders, files in os.walk(folder):
        links = [one for one in folders if os.path.islink(os.path.join(parent, one))]
        for one in sorted([*files, *links]):
            yield (Path(parent) / one).relative_to(folder).as_posix()


def _is_as_written(file: Path, digest: str) -> bool:
    return not file.is_symlink() and file.is_file() and hash_of(file.read_bytes()) == digest


def _has_folder(target: Path, fresh: Path) -> bool:
    """True if the folder of a file is one, or can become one."""
    inner = target.relative_to(fresh).parents
    return not any((fresh / one).is_file() for one in inner)


def _free(fresh: Path, name: str) -> Path:
    """NAME.orig, or NAME.orig2 and so on where that is taken."""
    path = fresh / f"{name}{_KEPT}"
    if not _has_folder(path, fresh):
        path = fresh / f"{name.replace('/', '_')}{_KEPT}"
    number = 2
    while os.path.lexists(path):
        path = path.with_suffix(f"{_KEPT}{number}")
        number += 1
    return path


def _bring(source: Path, target: Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
