"""A sandbox for what other people's texts make programs do: C and Verilog of a design or an OUT.

Namespaces of Linux, made by `unshare` without root: a program sees no network and no other
process; it can read the system and the folders it was given, and write its own folder and an
empty temporary one; its memory, processor time, processes and files have limits. It ends with
hlsmem. Where the kernel forbids such namespaces, programs run only by the user's word:
HLSMEM_TRUST=1, which `--trust` sets. SECURITY.md says what is held against whom.
"""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from hlsmem.errors import Problem, ToolError
from hlsmem.values import dataclass

TRUST = "HLSMEM_TRUST"
FAILED = 125
"""The exit status where the sandbox itself could not be made."""

_PROGRAMS = ("unshare", "mount", "umount", "setpriv", "prlimit")
_UNSHARE = (
    *("unshare", "--user", "--map-root-user", "--pid", "--net", "--mount", "--ipc"),
    *("--fork", "--kill-child", "--mount-proc"),
)
# Where sources wait while the folders that hold them are hidden: the first with nothing of ours.
_STASHES = ("/mnt", "/media", "/srv", "/opt", "/run")
_MEMORY = 4 << 30
_FILE = 4 << 30
_PROCESSES = 2048
_TEMPORARY = "1g"
_TRIAL_SECONDS = 20


class NoSandboxError(ToolError):
    """No program of a design may run: there is no sandbox here, and nobody said to trust it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """What a program may touch: it writes below `writable`, and reads `readable` besides.

    Tools that reserve more memory than they use, sanitizers and WebAssembly, have it `unlimited`.
    """

    writable: Path
    readable: tuple[Path, ...] = ()
    unlimited: bool = False


def is_trusted() -> bool:
    """Whether the user said that designs may do here what the user may."""
    return os.environ.get(TRUST, "") not in ("", "0")


def is_isolated() -> bool:
    """Whether programs of designs run in a sandbox here."""
    return not is_trusted() and obstacle() is None


def require_sandbox() -> None:
    """Raise NoSandboxError where programs of designs may not run."""
    if is_trusted():
        return
    reason = obstacle()
    if reason is not None:
        what = f"no sandbox for the programs of a design: {reason}"
        remedy = (
            "allow unprivileged user namespaces (kernel.unprivileged_userns_clone=1, "
            "user.max_user_namespaces), run hlsmem itself inside bubblewrap or a virtual machine "
            f"and give --trust, or, if the design is your own, --trust or {TRUST}=1"
        )
        raise NoSandboxError(Problem(what, remedy))


def word() -> str:
    """`--trust`, with a line on standard error that says why, where there is no sandbox."""
    reason = None if is_trusted() else obstacle()
    if reason is None:
        return ""
    print(f"no sandbox here: {reason}; these designs are trusted: --trust", file=sys.stderr)
    return "--trust"


def contained(
    arguments: Sequence[str], sandbox: Sandbox, *, folder: Path, seconds: float
) -> list[str]:
    """The command that runs `arguments` in `folder` inside the sandbox.

    The program itself, by the user's word, where designs are trusted. Raises NoSandboxError.
    """
    require_sandbox()
    if is_trusted():
        return list(arguments)
    program = Path(shutil.which(arguments[0]) or arguments[0])
    text = script(
        sandbox.writable,
        kept=[*sandbox.readable, folder, program.absolute().parent, *_of_the_tools(), *_caches()],
        hidden=_outermost(_hidden()),
        writable_mounts=_writable_mounts(Path("/proc/self/mountinfo").read_text("utf-8")),
        folder=folder,
        limits=_limits(sandbox, seconds),
    )
    return [*_UNSHARE, "/bin/sh", "-c", text, "hlsmem", *arguments]


@cache
def obstacle() -> str | None:
    """Why there is no sandbox here; None where there is one. It is tried, once."""
    if not sys.platform.startswith("linux"):
        return f"{sys.platform} has no namespaces"
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"{missing[0]} (util-linux) is not on PATH"
    trial = [*_UNSHARE, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    try:
        done = subprocess.run(
            trial,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TRIAL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"unshare does not run: {error}"
    if done.returncode == 0:
        return None
    said = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[0]
    return f"the system does not let unshare make namespaces ({said})"


def script(
    work: Path,
    *,
    kept: Iterable[Path],
    hidden: Iterable[Path],
    writable_mounts: Iterable[tuple[str, str]],
    folder: Path,
    limits: Sequence[str],
) -> str:
    """What a shell does in the new namespaces: it makes the view of the files, then the program.

    `work` stays writable; of the folders `hidden` only those of `kept` below them are seen;
    `writable_mounts` are (place, options) of what has to become read-only; `limits` are those of
    prlimit.
    """
    hidden = [one for one in hidden if not any(_is_below(one, below) for below in kept)]
    seen = [one for one in _outermost(kept) if any(_is_below(one, above) for above in hidden)]
    used = [work, folder, *seen]
    stash = next(
        one
        for one in _STASHES
        if Path(one).is_dir() and not any(_is_below(path, Path(one)) for path in used)
    )
    lines = [
        f"mount -n -t tmpfs tmpfs {stash}",
        f"mkdir {stash}/work",
        f"mount -n --bind {_quoted(work)} {stash}/work",
    ]
    for place, options in writable_mounts:
        # What lies below a hidden folder is hidden with it.
        if place != stash and not any(_is_below(Path(place), above) for above in hidden):
            lines.append(f"mount -n -o remount,bind,{options} {shlex.quote(place)}")
    for number, path in enumerate(seen):
        lines += [f"mkdir {stash}/{number}", f"mount -n --bind {_quoted(path)} {stash}/{number}"]
    for path in hidden:
        lines.append(f"mount -n -t tmpfs -o mode=1777,size={_TEMPORARY} tmpfs {_quoted(path)}")
    for number, path in enumerate(seen):
        lines += [f"mkdir -p {_quoted(path)}", f"mount -n --move {stash}/{number} {_quoted(path)}"]
    lines += [
        f"mkdir -p {_quoted(work)}",
        f"mount -n --move {stash}/work {_quoted(work)}",
        f"umount -n {stash}",
        f"cd {_quoted(folder)}",
    ]
    made = " &&\n".join(lines)
    without = "setpriv --no-new-privs --bounding-set=-all --inh-caps=-all"
    return (
        f"{{ {made}\n}} || exit {FAILED}\n"
        # The shell stays the first process of its namespace: to that one signals do nothing.
        f'{without} prlimit {" ".join(limits)} "$@"\n'
        "exit $?\n"
    )


def _limits(sandbox: Sandbox, seconds: float) -> list[str]:
    """The limits of prlimit: those of the sandbox, as far as hlsmem itself may go (`ulimit`)."""
    # A program with threads takes more processor time than time.
    wanted = {"cpu": int(2 * seconds) + 1, "nproc": _PROCESSES, "fsize": _FILE, "core": 0}
    if not sandbox.unlimited:
        wanted["as"] = _MEMORY
    own = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
           for name in wanted}  # fmt: skip
    return [
        f"--{name}={limit if own[name] == resource.RLIM_INFINITY else min(limit, own[name])}"
        for name, limit in wanted.items()
    ]


def _hidden() -> list[Path]:
    """Folders of other programs, of the user, and of the kernel's devices, where they are."""
    folders = ["/tmp", "/var/tmp", "/dev/shm", "/sys", tempfile.gettempdir()]
    folders.append(os.path.expanduser("~"))
    return [Path(one) for one in folders if one != "/" and Path(one).is_dir()]


@cache
def _of_the_tools() -> tuple[Path, ...]:
    """Folders that tools need wherever they are: those of Python, of hlsmem, and of PATH."""
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    package = str(Path(__file__).resolve().parents[2])
    folders = [sys.prefix, sys.base_prefix, package, *sys.path, *path]
    found = [Path(one) for one in folders if one and Path(one).is_dir()]
    # A tool has its libraries beside its folder of programs.
    found += [one.parent for one in found if one.name == "bin"]
    found += [one.resolve() for one in found]
    # Those that are hidden stay so, also where a script in /tmp is the program that runs hlsmem.
    others = {Path("/"), *_hidden()}
    return tuple(dict.fromkeys(one for one in found if one.is_absolute() and one not in others))


def _caches() -> tuple[Path, ...]:
    """Where programs of PyPI keep themselves compiled: the first one makes the folder."""
    folders = [os.environ.get("YOWASP_CACHE_DIR", ""), os.path.expanduser("~/.cache/YoWASP")]
    return tuple(Path(one).resolve() for one in folders if one and Path(one).is_dir())


def _writable_mounts(table: str) -> list[tuple[str, str]]:
    """Mounts that can be written, of the text of mountinfo, with the options they keep read-only.

    >>> _writable_mounts("22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw\\n"
    ...                  "23 22 0:2 / /sys ro,nosuid - sysfs sysfs rw")
    [('/', 'ro,relatime')]
    """
    found: dict[str, str] = {}
    for line in table.splitlines():
        fields = line.split(" ")
        # Blanks and the like are written as numbers in octal.
        place = fields[4].encode().decode("unicode_escape")
        first, *others = fields[5].split(",")
        found.pop(place, None)
        if first == "rw":
            found[place] = ",".join(["ro", *others])
    return list(found.items())


def _is_below(path: Path, folder: Path) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return path == folder or folder in path.parents


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths that lie in no other of them, each once."""
    found: list[Path] = []
    for path in sorted(set(paths), key=lambda one: len(one.parts)):
        if not any(_is_below(path, above) for above in found):
            found.append(path)
    return found


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
