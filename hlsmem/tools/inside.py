"""The first process in a sandbox: it runs the program, and hands out the files that it wrote.

`sandbox` starts it as `python -I -S`, so it imports next to nothing. The folder that the program
works in is a copy in memory, with a quota: what lies in the folder outside is copied in before,
and the plain files that are new or changed are copied out behind it, when all its processes have
ended. Links, pipes and devices stay behind, and so does everything where it is too much.
"""

from __future__ import annotations

import ctypes
import os
import resource
import stat
import sys
import time

from hlsmem.tools import namespaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FAILED = 125
"""The exit status where the sandbox itself could not be made."""
TIME = "time"
"""Report where the time was up; else it is "exit" or "signal" with a number."""

_TOO_LARGE = 25  # SIGXFSZ; the module with its name takes as long as Python to begin
_ENTRIES, _PATH = 100_000, 2000
_MODE = 0o777  # nothing that runs with the rights of the user who owns it
# linux/prctl.h, linux/seccomp.h
_SET_DUMPABLE, _SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 4, 22, 38
_MODE_FILTER = 2


class TooMuchError(Exception):
    """More than the quota would be handed out."""


def main() -> None:
    """`VIEW.. -- FOLDER REPORT WORK QUOTA CWD SECONDS FILTER LIMITS PROGRAM ARGUMENTS..`.

    The view is made of words of `namespaces`; there are none where bubblewrap has made it.
    FOLDER and REPORT are open files: the folder outside of which WORK is the copy, and the pipe
    that is told how the program ended. QUOTA is in bytes, FILTER in hexadecimal digits; LIMITS are
    of the form `cpu=30,core=1`.
    """
    cut = sys.argv.index("--")
    view, words = sys.argv[1:cut], sys.argv[cut + 1 :]
    try:
        if view:
            namespaces.enter(view)
        _run(*words[:8], command=words[8:])
    except Exception as error:
        print(str(error) or type(error).__name__, file=sys.stderr)
        sys.exit(FAILED)


def _run(
    folder: str, report: str, work: str, quota: str, cwd: str, seconds: str, calls: str,
    limits: str, *, command: Sequence[str],
) -> None:  # fmt: skip
    outside, told = int(folder), int(report)
    for one in (outside, told):
        os.set_inheritable(one, False)
    # What this process holds open is for no process of the program.
    namespaces.prctl(_SET_DUMPABLE, 0)
    inside = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
    _copy(_listed(outside), outside, inside)
    known = _listed(inside).files
    child = os.fork()
    if not child:
        _become(command, cwd, bytes.fromhex(calls), limits)
    ended = _ended(child, float(seconds))
    try:
        _hand_out(inside, outside, known, int(quota))
    except (TooMuchError, RecursionError, IsADirectoryError, NotADirectoryError):
        ended = f"signal {_TOO_LARGE}"
    os.write(told, ended.encode())


def _become(command: Sequence[str], cwd: str, calls: bytes, limits: str) -> None:
    """Become the program, with a session of its own and without any rights."""
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(cwd)
        for limit in limits.split(","):
            name, _, value = limit.partition("=")
            kind = getattr(resource, f"RLIMIT_{name.upper()}")
            resource.setrlimit(kind, (int(value), int(value)))
        namespaces.drop_capabilities()
        namespaces.prctl(_SET_NO_NEW_PRIVILEGES, 1)
        program = _Filter(len(calls) // 8, calls)
        namespaces.prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program))
        os.execvp(command[0], list(command))
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os._exit(127)


class _Filter(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("instructions", ctypes.c_ushort), ("text", ctypes.c_char_p))


def _ended(child: int, seconds: float) -> str:
    """Outcome of the program, which ends or is ended; none of its processes is left."""
    clock = os.fork()
    if not clock:
        time.sleep(max(seconds, 0))
        os._exit(0)
    while (found := os.wait())[0] not in (child, clock):
        pass
    while _end_all():
        os.wait()
    if found[0] == clock:
        return TIME
    code = os.waitstatus_to_exitcode(found[1])
    return f"exit {code}" if code >= 0 else f"signal {-code}"


def _end_all() -> bool:
    """Kill all but this process, those outside being out of sight; whether there are any."""
    try:
        os.kill(-1, namespaces.KILL)
    except ProcessLookupError:
        return False
    return True


class _Listing:
    """Content of a folder: folders, from the outer to the inner, and files, by their paths."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.files: dict[str, os.stat_result] = {}


def _listed(folder: int) -> _Listing:
    """Folders and plain files below an open folder, no links. Raises TooMuchError."""
    found = _Listing()
    for path, folders, files, here in os.fwalk(".", dir_fd=folder):
        for name in (*folders, *files):
            try:
                info = os.stat(name, dir_fd=here, follow_symlinks=False)
            except FileNotFoundError:
                continue  # another program that works in the folder removed it
            if stat.S_ISDIR(info.st_mode):
                found.folders.append(f"{path}/{name}")
            elif stat.S_ISREG(info.st_mode):
                found.files[f"{path}/{name}"] = info
        if len(found.folders) + len(found.files) > _ENTRIES or len(path) > _PATH:
            raise TooMuchError
    return found


def _hand_out(inside: int, outside: int, known: Mapping[str, os.stat_result], quota: int) -> None:
    """Copy what is not as it was known, and remove what is there no more."""
    found = _listed(inside)
    gone = known.keys() - found.files.keys()
    for path in [path for path, info in found.files.items() if _same(info, known.get(path))]:
        del found.files[path]
    if sum(info.st_size for info in found.files.values()) > quota:
        raise TooMuchError
    for path in gone:
        _remove(path, outside)
    _copy(found, inside, outside)


def _same(info: os.stat_result, known: os.stat_result | None) -> bool:
    """True if a file was not written since; nobody sets the second of the two times."""
    return known is not None and all(
        getattr(info, name) == getattr(known, name)
        for name in ("st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
    )


def _copy(listing: _Listing, source: int, target: int) -> None:
    for path in listing.folders:
        try:  # noqa: SIM105, contextlib takes long to load
            os.mkdir(path, 0o700, dir_fd=target)
        except FileExistsError:
            pass
    for path, info in listing.files.items():
        try:
            read = os.open(path, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=source)
        except (FileNotFoundError, PermissionError):
            continue  # gone since, or closed to its user
        _remove(path, target)
        written = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=target)
        done = 0
        while sent := os.sendfile(written, read, done, 1 << 30):
            done += sent
        os.fchmod(written, info.st_mode & _MODE)
        os.utime(written, ns=(info.st_mtime_ns, info.st_mtime_ns))
        os.close(read)
        os.close(written)


def _remove(path: str, folder: int) -> None:
    try:  # noqa: SIM105, contextlib takes long to load
        os.unlink(path, dir_fd=folder)
    except FileNotFoundError:
        pass
