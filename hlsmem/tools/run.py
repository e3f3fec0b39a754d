"""Running a program: an argument list in, exit status and captured output out, with an end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from hlsmem.core import watchdog
from hlsmem.core.errors import LimitError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import visible
from hlsmem.tools.sandbox import Sandbox, entered, is_trusted

_OUTPUT_LINES = 20
# A sandbox ends its program itself when the time is up, and hands out what it wrote until then.
_MARGIN = 60.0
# A shell sets the limit, and becomes the program: Python would have to copy the whole process
# first, which takes longer than most of the programs. It also tells the watchdog, whose pipe it
# has as its input, of the group of processes that it leads, before there can be another.
_TELLING = 'echo "+g$$" >&0; '
# To ask the shell for a hard limit would copy the shell, as long as a small program takes.
_LIFTED = "ulimit -S -{} {} 2>/dev/null; "
_BECOMING = 'exec "$0" "$@" </dev/null'


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A program that ended. `status` is its exit status, negative for the signal that ended it."""

    arguments: tuple[str, ...]
    status: int
    output: str
    errors: str

    @property
    def succeeded(self) -> bool:
        return self.status == 0

    def ending(self) -> str:
        """Outcome of the run, for a message: "exit status 1" or "SIGSEGV"."""
        if self.status >= 0:
            return f"exit status {self.status}"
        try:
            return signal.Signals(-self.status).name
        except ValueError:
            return f"signal {-self.status}"

    def last_lines(self) -> str:
        """The end of what it printed, errors first."""
        lines = f"{self.errors}\n{self.output}".strip().splitlines()
        return "\n".join(lines[-_OUTPUT_LINES:])


def run(
    arguments: Sequence[str],
    *,
    folder: Path,
    seconds: float,
    environment: Mapping[str, str | None] | None = None,
    large_stack: bool = False,
    sandbox: Sandbox | None = None,
    together: bool = False,
) -> Finished:
    """Run a program in `folder` and wait for it; no shell, nothing on its standard input.

    `environment` is added to the one of this process, or to the little that a sandbox has of it;
    None takes a variable away. `large_stack` lifts the limit of the stack as far as the system
    lets it. What reads or runs texts of a design has a `sandbox`; no terminal obeys what it
    printed. `together`: what it prints to both its outputs is in `output`, as it came.

    Raises ToolError where the program cannot be started, NoSandboxError where it would need a
    sandbox and there is none, and LimitError where it takes longer than `seconds`; it and its
    children end then, and with this process.
    """
    additions: dict[str, str | None] = {"LC_ALL": "C", **(environment or {})}
    if shutil.which(arguments[0], path=additions.get("PATH") or os.environ.get("PATH")) is None:
        reason = "no such program" if os.path.exists(arguments[0]) else "No such file or directory"
        raise ToolError(Problem(f"cannot run '{arguments[0]}': {reason}", "install it"))
    start = partial(_started, folder=folder, large_stack=large_stack, together=together)
    try:
        if sandbox is None or is_trusted():
            whole = {**os.environ, **additions}
            given = {name: value for name, value in whole.items() if value is not None}
            status, output, errors = _outcome(start(arguments, given), seconds)
        else:
            with entered(
                arguments, sandbox, folder=folder, seconds=seconds, environment=additions
            ) as entry:
                started = start(entry.command, entry.environment, entry.descriptors)
                _, output, errors = _outcome(started, seconds + _MARGIN)
                status = entry.status(output if together else errors)
    except TimeoutError:
        what = f"'{arguments[0]}' took longer than {seconds:g} s"
        raise LimitError(Problem(what, "try a smaller design")) from None
    if sandbox is not None:
        output, errors = visible(output), visible(errors)
    return Finished(arguments=tuple(arguments), status=status, output=output, errors=errors)


def _started(
    command: Sequence[str],
    environment: Mapping[str, str],
    descriptors: Sequence[int] = (),
    *,
    folder: Path,
    large_stack: bool,
    together: bool,
) -> subprocess.Popen[str]:
    telling = watchdog.pipe()
    first = _TELLING if telling else ""
    if os.name == "posix":
        # The limit on the memory of hlsmem is not that of a tool: sanitizers map more than
        # machines have.
        first += _lifted("s") + _lifted("v") if large_stack else _lifted("v")
    return subprocess.Popen(
        ["/bin/sh", "-c", first + _BECOMING, *command] if first else command,
        cwd=folder,
        env=environment,
        stdin=telling or subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        pass_fds=descriptors,
    )


def _lifted(limit: str) -> str:
    """The command of a shell that lifts the limit of the stack (s) or memory (v) to the hard one,
    which it counts in KiB."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_STACK if limit == "s" else resource.RLIMIT_AS)
    text = "unlimited" if hard == resource.RLIM_INFINITY else str(hard // 1024)
    return _LIFTED.format(limit, text)


def _outcome(process: subprocess.Popen[str], seconds: float) -> tuple[int, str, str]:
    """Status, output and errors of a process. Raises TimeoutError, and ends it and its children."""
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _stop(process)
        raise TimeoutError from None
    except BaseException:
        _stop(process)
        raise
    watchdog.withdraw(f"g{process.pid}")
    return process.returncode, output, errors or ""


def _stop(process: subprocess.Popen[str]) -> None:
    # It may have ended by itself a moment ago, and its children with it.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    watchdog.withdraw(f"g{process.pid}")
