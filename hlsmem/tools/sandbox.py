"""A sandbox for what other people's texts make programs do: C and Verilog of a design or an OUT.

Namespaces of Linux, made without root by bubblewrap where it works and by `namespaces` elsewhere:
a program sees no network, no other process, no device and no socket; it reads the system and the
folders it was given, and writes temporary folders and a copy of its own folder, in memory and
with a quota, of which the files are handed out (`inside`). Its memory, processor time, processes
and files have limits, its calls of the kernel a filter (`syscalls`). It ends with hlsmem. Where
the kernel forbids such namespaces, programs run only by the user's word: HLSMEM_TRUST=1, which
`--trust` sets. SECURITY.md says what is held against whom.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.tools import inside
from hlsmem.tools.sandbox_files import (
    ROOT,
    caches_of_tools,
    empty_folders,
    folders_of_tools,
    private_folders,
    view,
    with_libraries,
)
from hlsmem.tools.syscalls import MACHINES, filter_of

TRUST = "HLSMEM_TRUST"

_MEMORY = 4 << 30
_PROCESSES = 2048
_QUOTA = 2 << 30
_TEMPORARY = 1 << 30
_TRIAL_SECONDS = 20
# What a program has of the environment: nothing of the user but what tools are found by.
_VARIABLES = (
    *("PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "LIBRARY_PATH", "COMPILER_PATH"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX"),
)
_STARTING = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from hlsmem.tools.inside import main; main()"
)


class NoSandboxError(ToolError):
    """No program of a design may run: there is no sandbox here, and nobody said to trust it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Permissions of a program: it writes below `writable`, and reads `readable` besides.

    Of what it wrote, folders and plain files are there afterwards, links and the like are not.
    Tools that reserve more memory than they use, sanitizers and WebAssembly, have it `unlimited`.
    """

    writable: Path
    readable: tuple[Path, ...] = ()
    unlimited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A command that runs a program in a sandbox, the whole environment, and files it inherits.

    `report` is an open pipe, which the sandbox tells how the program ended.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    descriptors: tuple[int, ...]
    report: int

    def status(self, said: str) -> int:
        """Exit status of the program, once the command has ended; negative for a signal.

        Raises TimeoutError where its time was up, and ToolError where the sandbox was not made, of
        which the command `said` why.
        """
        os.set_blocking(self.report, False)
        try:
            how, _, number = os.read(self.report, 100).decode().partition(" ")
        except BlockingIOError:
            how = ""
        match how:
            case "exit":
                return int(number)
            case "signal":
                return -int(number)
            case inside.TIME:
                raise TimeoutError
        what = f"the sandbox could not be made: {_last_line(said)}"
        raise ToolError(Problem(what, f"report it; {TRUST}=1 runs your own designs without"))


def is_trusted() -> bool:
    """True if the user said that designs may do here what the user may."""
    return os.environ.get(TRUST, "") not in ("", "0")


def is_isolated() -> bool:
    """True if programs of designs run in a sandbox here."""
    return not is_trusted() and obstacle() is None


def require_sandbox() -> None:
    """Raise NoSandboxError where programs of designs may not run."""
    if is_trusted():
        return
    reason = obstacle()
    if reason is not None:
        what = f"no sandbox for the programs of a design: {reason}"
        remedy = (
            "install bubblewrap, or allow unprivileged user namespaces "
            "(kernel.unprivileged_userns_clone=1, user.max_user_namespaces), or run hlsmem itself "
            "inside a virtual machine and give --trust, or, if the design is your own, --trust or "
            f"{TRUST}=1"
        )
        raise NoSandboxError(Problem(what, remedy))


def word() -> str:
    """`--trust`, with a line on standard error that says why, where there is no sandbox."""
    reason = None if is_trusted() else obstacle()
    if reason is None:
        return ""
    print(f"no sandbox here: {reason}; these designs are trusted: --trust", file=sys.stderr)
    return "--trust"


def obstacle() -> str | None:
    """Why there is no sandbox here; None where there is one. It is tried, once."""
    return _tried()[1] or None


def maker() -> str:
    """Maker of the sandbox here, empty where there is none: it is tried, once."""
    return _tried()[0]


@contextmanager
def entered(
    arguments: Sequence[str],
    sandbox: Sandbox,
    *,
    folder: Path,
    seconds: float,
    environment: Mapping[str, str | None],
) -> Iterator[Entry]:
    """Command that runs `arguments` in `folder` inside the sandbox, for at most `seconds`.

    Raises NoSandboxError where there is none, ToolError where its folder is not there.
    """
    require_sandbox()
    with _made_by(_MAKERS[maker()], arguments, sandbox, folder, seconds, environment) as entry:
        yield entry


Maker = Callable[[Sequence[str], Sequence[str]], list[str]]
"""A command, of the words of a view and of those for `inside`."""

_UNSHARING = ("--unshare-all", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL")


def _starter() -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _STARTING, str(ROOT)]


def _by_bubblewrap(view: Sequence[str], inner: Sequence[str]) -> list[str]:
    return ["bwrap", *_UNSHARING, *view, "--", *_starter(), "--", *inner]


def _by_hlsmem(view: Sequence[str], inner: Sequence[str]) -> list[str]:
    return [*_starter(), *_UNSHARING, *view, "--", *inner]


_MAKERS: dict[str, Maker] = {"bubblewrap": _by_bubblewrap, "namespaces": _by_hlsmem}


@contextmanager
def _made_by(
    maker: Maker,
    arguments: Sequence[str],
    sandbox: Sandbox,
    folder: Path,
    seconds: float,
    environment: Mapping[str, str | None],
) -> Iterator[Entry]:
    work = Path(os.path.realpath(sandbox.writable))
    path = environment.get("PATH", os.environ.get("PATH"))
    program = Path(shutil.which(arguments[0], path=path) or arguments[0]).absolute()
    own_tool = with_libraries([program.parent])
    caches = caches_of_tools()
    seen = view(
        work,
        quota=_QUOTA,
        kept=[*sandbox.readable, folder, *own_tool, *folders_of_tools(), *caches],
        private=private_folders(),
        empty=empty_folders(),
        temporary=_TEMPORARY,
    )
    own: dict[str, str | None] = {
        name: os.environ[name] for name in _VARIABLES if name in os.environ
    }
    if caches:
        own["YOWASP_CACHE_DIR"] = str(caches[0])
    own |= environment
    with ExitStack() as opened:
        try:
            outside = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            what = f"the sandbox has no folder {work}: {error.strerror}"
            raise ToolError(Problem(what, "see that nothing else removes it")) from None
        opened.callback(os.close, outside)
        report, told = os.pipe()
        opened.callback(os.close, report)
        opened.callback(os.close, told)
        calls = filter_of(MACHINES[os.uname().machine])
        inner = [outside, told, work, _QUOTA, folder, seconds, calls.hex()]
        yield Entry(
            command=tuple(maker(seen, [*map(str, inner), _limits(sandbox, seconds), *arguments])),
            environment={name: value for name, value in own.items() if value is not None},
            descriptors=(outside, told),
            report=report,
        )


@cache
def _tried() -> tuple[str, str]:
    """Maker of a sandbox here, or the reason why there is none."""
    if not sys.platform.startswith("linux"):
        return "", f"{sys.platform} has no namespaces"
    if os.uname().machine not in MACHINES:
        return "", f"calls of the kernel on {os.uname().machine} are not known to hlsmem"
    reason = ""
    for name, maker in _MAKERS.items():
        reason = _trial(maker)
        if not reason:
            return name, ""
    return "", f"the system does not let hlsmem make namespaces ({reason})"


def _trial(maker: Maker) -> str:
    """Why a sandbox was not made; empty where it was."""
    with (
        scratch("hlsmem-sandbox-") as folder,
        _made_by(maker, ["true"], Sandbox(writable=folder), folder, _TRIAL_SECONDS, {}) as entry,
    ):
        try:
            done = subprocess.run(
                entry.command,
                env=entry.environment,
                pass_fds=entry.descriptors,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=2 * _TRIAL_SECONDS,
                check=False,
            )
            entry.status(done.stderr)
        except ToolError:
            return _last_line(done.stderr)
        except (OSError, subprocess.TimeoutExpired, TimeoutError) as error:
            return str(error)
    return ""


def _last_line(said: str) -> str:
    return (said.strip().splitlines() or ["it ended without a word"])[-1]


def _limits(sandbox: Sandbox, seconds: float) -> str:
    """The limits of a program, as far as hlsmem itself may go (`ulimit`), as `inside` has them."""
    # A program with threads takes more processor time than time. A core of one byte is written
    # nowhere, and for one of none a program outside is called, where the system has one for that.
    wanted = {"cpu": int(2 * seconds) + 1, "nproc": _PROCESSES, "fsize": _QUOTA, "core": 1}
    if not sandbox.unlimited:
        wanted["as"] = _MEMORY
    own = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
           for name in wanted}  # fmt: skip
    return ",".join(
        f"{name}={limit if own[name] == resource.RLIM_INFINITY else min(limit, own[name])}"
        for name, limit in wanted.items()
    )
