"""View of the files for a program in a sandbox, as words of bubblewrap and `namespaces`.

The whole system is there to be read, but for folders that begin empty: those of other programs,
of temporary files and of the user, of which only what tools need and the program was given are
seen. Of the devices there are five, and no terminal.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder that Python finds hlsmem in."""

_DEVICES = ("null", "zero", "full", "random", "urandom")
_DESCRIPTORS = {"fd": "fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}


def view(
    work: Path,
    *,
    quota: int,
    kept: Iterable[Path],
    private: Iterable[Path],
    empty: Iterable[Path],
    temporary: int,
) -> list[str]:
    """The files that a program sees, as words of bubblewrap.

    All is read-only but `work` and the folders `private`, which begin without files; of what lies
    below these and below the folders `empty`, only the folders `kept` are there.
    """
    kept, private = list(kept), list(private)
    shown = [Path(os.path.realpath(one)) for one in kept]
    hidden = [
        one
        for one in _outermost([*private, *empty])
        if not any(_is_below(one, above) for above in shown)
    ]
    words = ["--ro-bind", "/", "/"]
    for one in hidden:
        words += ["--size", str(temporary), "--tmpfs", str(one)]
    for source in _outermost(kept):
        place = _place(source, hidden)
        if place is not None and not _is_below(place, work):
            words += ["--ro-bind", str(source), str(place)]
    words += ["--tmpfs", "/dev", "--dir", "/dev/pts"]
    for device in _DEVICES:
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for name, target in _DESCRIPTORS.items():
        words += ["--symlink", f"/proc/self/{target}", f"/dev/{name}"]
    words += ["--size", str(temporary), "--tmpfs", "/dev/shm", "--proc", "/proc"]
    words += ["--size", str(quota), "--tmpfs", str(_place(work, hidden) or work)]
    for one in (Path("/dev"), Path("/proc"), *hidden):
        if one not in private:
            words += ["--remount-ro", str(one)]
    return words


def _place(path: Path, hidden: Sequence[Path]) -> Path | None:
    """Path at which content below a hidden folder goes, for `path` to lead to it; None for others.

    Links on the way to the hidden folder are still there, those in it are not.
    """
    for folder in (*reversed(path.parents), path):
        real = Path(os.path.realpath(folder))
        if any(_is_below(real, one) for one in hidden):
            return real / path.relative_to(folder)
    return None


def private_folders() -> list[Path]:
    """Folders of temporary files and of users, where programs find empty ones of their own."""
    return _folders(["/tmp", tempfile.gettempdir(), "/home", "/root", os.path.expanduser("~")])


def empty_folders() -> list[Path]:
    """Folders of other programs, and of the kernel's devices."""
    return _folders(["/run", "/var", "/sys", os.environ.get("XDG_RUNTIME_DIR", "")])


def _folders(names: Iterable[str]) -> list[Path]:
    """Those that there are, by their real names, but for the root of all."""
    found = {Path(os.path.realpath(name)) for name in names if os.path.isdir(name)}
    return sorted(found - {Path("/")})


@cache
def folders_of_tools() -> tuple[Path, ...]:
    """Folders that tools need wherever they are: those of Python, of hlsmem, and of PATH."""
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folders = [sys.prefix, sys.base_prefix, str(ROOT), *sys.path, *path]
    return with_libraries(Path(one) for one in folders if one and os.path.isdir(one))


def with_libraries(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Folders of programs, and those beside them, where a tool has its libraries."""
    found = list(folders)
    found += [one.parent for one in found if one.name == "bin"]
    found += [one.resolve() for one in found]
    # Those that are hidden stay so, also where a script in /tmp is the program that runs hlsmem.
    hidden = (*private_folders(), *empty_folders())
    return tuple(
        one
        for one in dict.fromkeys(found)
        if one.is_absolute()
        and not any(_is_below(other, Path(os.path.realpath(one))) for other in hidden)
    )


def caches_of_tools() -> tuple[Path, ...]:
    """Folders where programs of PyPI keep themselves compiled: the first one makes the folder."""
    folders = [os.environ.get("YOWASP_CACHE_DIR", ""), os.path.expanduser("~/.cache/YoWASP")]
    return tuple(Path(one).resolve() for one in folders if one and os.path.isdir(one))


def _is_below(path: Path, folder: Path) -> bool:
    """True if `path` is `folder` or lies in it."""
    return path == folder or folder in path.parents


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths that lie in no other of them, each once."""
    found: list[Path] = []
    for path in sorted(set(paths), key=lambda one: (len(one.parts), one)):
        if not any(_is_below(path, above) for above in found):
            found.append(path)
    return found
