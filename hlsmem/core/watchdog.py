"""Nothing left behind: a shell that outlives this process, and ends and removes what it told of.

A process that is killed cleans up nothing. So the first time that something is begun which must
not stay (a program, a copy of this process, a temporary folder), a small shell is started that
reads a pipe. What is begun is announced there, what has ended is withdrawn; the end of the pipe
is the end of this process, whatever its cause, and the shell then ends and removes the rest.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

# A line is "+" or "-", a letter and what it stands for: g a group of processes, p a process,
# f a file or a folder. Signals to the group of its parent do not reach the shell.
_SHELL = """\
trap '' INT TERM HUP QUIT
while IFS= read -r line; do
    what=${line#?}
    case $line in
    +*) set -- "$@" "$what" ;;
    -*) for one do shift; [ "$one" = "$what" ] || set -- "$@" "$one"; done ;;
    esac
done
for one do
    case $one in
    g*) kill -9 -"${one#g}" ;;
    p*) kill -9 "${one#p}" ;;
    esac
done 2>/dev/null
for one do
    case $one in f*) rm -rf -- "${one#f}" || { sleep 1; rm -rf -- "${one#f}"; } ;; esac
done 2>/dev/null
"""

_pipe: tuple[int, int] | None = None
"""The process that the watchdog watches, and the end of the pipe that it writes to."""


def pipe() -> int | None:
    """The end of the watchdog's pipe to announce to; None where systems have no such shell."""
    global _pipe
    if os.name != "posix":
        return None
    if _pipe is None or _pipe[0] != os.getpid():
        _pipe = os.getpid(), _started()
    return _pipe[1]


def announce(what: str) -> None:
    """Have "p<number>" ended, or "f<path>" removed, should this process end before `withdraw`."""
    _tell(f"+{what}")


def withdraw(what: str) -> None:
    """Withdraw an announcement: its subject has ended, or is gone."""
    _tell(f"-{what}")


def hand_over() -> None:
    """In a copy of this process: announce the copy, and let go of the pipe.

    It would otherwise stay open behind the end of the first process.
    """
    global _pipe
    if _pipe is not None:
        os.write(_pipe[1], f"+p{os.getpid()}\n".encode())
        os.close(_pipe[1])
        _pipe = None


@contextlib.contextmanager
def scratch(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """A new empty folder for its user alone, which is gone afterwards, whatever happens.

    Its name begins with `prefix`; it lies in `parent`, or where temporary folders do.
    """
    folder = beside(prefix, parent)
    with gone_afterwards(folder):
        folder.mkdir(mode=0o700)
        yield folder


def beside(prefix: str, parent: Path | None = None) -> Path:
    """A name in `parent`, or where temporary folders are, that nobody else will think of."""
    return Path(parent or tempfile.gettempdir()) / f"{prefix}{secrets.token_hex(6)}"


@contextlib.contextmanager
def gone_afterwards(path: Path) -> Iterator[None]:
    """While this lasts, `path` is made; whatever is there afterwards is removed."""
    told = f"f{path.absolute()}"
    if "\n" in told:  # would be two lines
        raise OSError(f"a line break in the name of the folder {str(path.parent)!r}")
    announce(told)
    try:
        yield
    finally:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        withdraw(told)


def _tell(line: str) -> None:
    end = pipe()
    if end is not None:
        # A write of less than 4096 bytes is whole. A watchdog that was killed hears nothing.
        with contextlib.suppress(BrokenPipeError):
            os.write(end, os.fsencode(f"{line}\n"))


def _started() -> int:
    """Start the shell; the end of its pipe that we write to, which programs do not inherit."""
    source, target = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.posix_spawn(
            "/bin/sh",
            ["hlsmem-watchdog", "-c", _SHELL],
            {"PATH": os.defpath, "LC_ALL": "C"},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, source, 0),
                (os.POSIX_SPAWN_DUP2, nothing, 1),
                (os.POSIX_SPAWN_DUP2, nothing, 2),
            ],
            setpgroup=0,
        )
    finally:
        os.close(source)
        os.close(nothing)
    return target
