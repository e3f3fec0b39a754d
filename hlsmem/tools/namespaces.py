"""Namespaces of Linux with a view of the files of their own, where there is no bubblewrap.

`enter` does what the words below say, which are some of bubblewrap's and mean what they mean
there, so that one list of words makes the same view with either. It runs in a small process that
`inside` begins with, and so imports next to nothing.

    --unshare-all --die-with-parent --as-pid-1 --cap-drop ALL
    --ro-bind SOURCE PLACE    --dev-bind SOURCE PLACE    --symlink TEXT PLACE    --dir PLACE
    --size BYTES --tmpfs PLACE    --proc PLACE    --remount-ro PLACE
"""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# linux/sched.h, linux/mount.h, linux/prctl.h
_NAMESPACES = 0x10000000 | 0x20000 | 0x20000000 | 0x40000000 | 0x8000000 | 0x4000000 | 0x2000000
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT = 1, 2, 4, 8, 32
_BIND, _REC, _PRIVATE = 4096, 16384, 1 << 18
_OPTIONS = {
    "nosuid": _NOSUID, "nodev": _NODEV, "noexec": _NOEXEC, "noatime": 1024,
    "nodiratime": 2048, "relatime": 1 << 21, "nosymfollow": 256,
}  # fmt: skip
_DETACH = 2
_PARENT_DEATH_SIGNAL, _DROP_OF_BOUNDING_SET = 1, 24
_CAPABILITY_VERSION = 0x20080522
_PIVOT_ROOT = {"x86_64": 155}  # all others have the number of asm-generic
KILL = 9
_BASE = "/tmp"  # exists everywhere, and is hidden by what is mounted on it

_libc = ctypes.CDLL(None, use_errno=True)


def enter(words: Sequence[str]) -> None:
    """Make new namespaces with the view of `words`; come back in their first process only.

    The process that called waits for that one, and ends as it does. Raises OSError.
    """
    user, group = os.geteuid(), os.getegid()
    _called("unshare", _libc.unshare(_NAMESPACES))
    for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                       ("gid_map", f"{group} {group} 1")):  # fmt: skip
        with open(f"/proc/self/{file}", "w") as place:
            place.write(text)
    first = os.fork()
    if first:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) & 0xFF)
    prctl(_PARENT_DEATH_SIGNAL, KILL)
    _make_view(words)


def prctl(option: int, *arguments: object) -> None:
    """The call of that name, with numbers and what ctypes has for places. Raises OSError."""
    given = [*arguments, *[0] * (4 - len(arguments))]
    wide = [ctypes.c_ulong(one) if isinstance(one, int) else one for one in given]
    _called("prctl", _libc.prctl(option, *wide))


def drop_capabilities() -> None:
    """Have none, and get none by becoming another program, not even as root."""
    number = 0
    while _libc.prctl(_DROP_OF_BOUNDING_SET, ctypes.c_ulong(number), 0, 0, 0) == 0:
        number += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _called("capset", _libc.capset(header, (ctypes.c_uint32 * 6)()))


def _make_view(words: Sequence[str]) -> None:
    """Put a new tree of files in the place of the one that is here."""
    _mount("none", "/", flags=_REC | _PRIVATE)
    _mount("tmpfs", _BASE, kind="tmpfs", flags=_NOSUID | _NODEV)
    for name in ("old", "new"):
        os.mkdir(f"{_BASE}/{name}")
    _pivot(_BASE, f"{_BASE}/old")
    os.chdir("/")
    _mount("/new", "/new", flags=_BIND)
    size = ""
    rest = iter(words)
    for word in rest:
        match word:
            case "--unshare-all" | "--die-with-parent" | "--as-pid-1":
                pass  # is so
            case "--cap-drop":
                next(rest)
            case "--size":
                size = f",size={next(rest)}"
            case "--tmpfs":
                place = _folder(next(rest))
                _mount(
                    "tmpfs", place, kind="tmpfs", flags=_NOSUID | _NODEV, data=f"mode=0755{size}"
                )
                size = ""
            case "--ro-bind":
                _bind(next(rest), next(rest), _RDONLY | _NOSUID | _NODEV)
            case "--dev-bind":
                _bind(next(rest), next(rest), _NOSUID)
            case "--dir":
                _folder(next(rest))
            case "--symlink":
                os.symlink(next(rest), f"/new{next(rest)}")
            case "--proc":
                _mount("proc", _folder(next(rest)), kind="proc", flags=_NOSUID | _NODEV | _NOEXEC)
            case "--remount-ro":
                _restrict(_folder(next(rest)), _RDONLY, below=False)
            case _:
                raise OSError(f"the view knows no {word}")
    _called("umount", _libc.umount2(b"/old", _DETACH))
    os.chdir("/new")
    _pivot(".", ".")  # the old root lies upon the new one
    _called("umount", _libc.umount2(b".", _DETACH))
    os.chdir("/")


def _bind(source: str, place: str, flags: int) -> None:
    if os.path.isdir(f"/old{source}"):
        target = _folder(place)
    else:
        target = f"/new{place}"
        if not os.path.exists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o644))
    _mount(f"/old{source}", target, flags=_BIND | _REC)
    _restrict(target, flags, below=True)


def _folder(place: str) -> str:
    target = f"/new{place}".rstrip("/")
    os.makedirs(target, exist_ok=True)
    return target


def _restrict(place: str, flags: int, *, below: bool) -> None:
    """Add options to the mount at `place`, and to those below it."""
    with open("/old/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as table:
        lines = table.read().splitlines()
    seen: dict[str, str] = {}  # of several mounts at one place the last is on top
    for line in lines:
        found, options = line.split(" ")[4:6]
        for number in (9, 10, 32, 92):  # blanks, and what begins these words
            found = found.replace(f"\\{number:03o}", chr(number))
        if found == place or (below and found.startswith(f"{place}/")):
            seen[found] = options
    for one, options in seen.items():
        had = sum(_OPTIONS.get(option, 0) for option in options.split(","))
        try:
            _mount("none", one, flags=_REMOUNT | _BIND | had | flags)
        except PermissionError:
            if one == place or os.access(one, os.R_OK):
                raise  # else nobody here sees it


def _pivot(new: str, old: str) -> None:
    number = _PIVOT_ROOT.get(os.uname().machine, 41)
    _called("pivot_root", _libc.syscall(number, new.encode(), old.encode()))


def _mount(source: str, place: str, *, kind: str = "", flags: int = 0, data: str = "") -> None:
    texts = [os.fsencode(one) if one else None for one in (source, place, kind, data)]
    _called(f"mount {place}", _libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def _called(what: str, answer: int) -> None:
    if answer != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
