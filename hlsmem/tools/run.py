"""Running a program: an argument list in, exit status and captured output out, with an end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from hlsmem import watchdog
from hlsmem.errors import LimitError, Problem, ToolError
from hlsmem.tools.sandbox import FAILED, Sandbox, contained
from hlsmem.values import dataclass

_OUTPUT_LINES = 20
# A shell sets the limit, and becomes the program: Python would have to copy the whole process
# first, which takes longer than most of the programs. It also tells the watchdog, whose pipe it
# has as its input, of the group of processes that it leads, before there can be another.
_TELLING = 'echo "+g$$" >&0; '
_LARGE_STACK = 'ulimit -S -s "$(ulimit -H -s)" 2>/dev/null; '
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
        """How it ended, for a message: "exit status 1" or "SIGSEGV"."""
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
    environment: Mapping[str, str] | None = None,
    large_stack: bool = False,
    sandbox: Sandbox | None = None,
    together: bool = False,
) -> Finished:
    """Run a program in `folder` and wait for it; no shell, nothing on its standard input.

    `environment` is added to the one of this process. `large_stack` lifts the limit of the
    stack as far as the system lets it. What reads or runs texts of a design has a `sandbox`.
    `together`: what it prints to both its outputs is in `output`, as it came.

    Raises ToolError where the program cannot be started, NoSandboxError where it would need a
    sandbox and there is none, and LimitError where it takes longer than `seconds`; it and its
    children end then, and with this process.
    """
    surroundings = {**os.environ, "LC_ALL": "C", **(environment or {})}
    if shutil.which(arguments[0], path=surroundings.get("PATH")) is None:
        reason = "no such program" if os.path.exists(arguments[0]) else "No such file or directory"
        raise ToolError(Problem(f"cannot run '{arguments[0]}': {reason}", "install it"))
    command = list(arguments)
    if sandbox is not None:
        command = contained(command, sandbox, folder=folder, seconds=seconds)
    telling = watchdog.pipe()
    first = (_TELLING if telling else "") + (_LARGE_STACK if large_stack else "")
    process = subprocess.Popen(
        ["/bin/sh", "-c", first + _BECOMING, *command] if first else command,
        cwd=folder,
        env=surroundings,
        stdin=telling or subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _stop(process)
        raise LimitError(
            Problem(f"'{arguments[0]}' took longer than {seconds:g} s", "try a smaller design")
        ) from None
    except BaseException:
        _stop(process)
        raise
    watchdog.withdraw(f"g{process.pid}")
    status = process.returncode
    if command != list(arguments):
        status = _status_outside(status, output if together else errors)
    return Finished(arguments=tuple(arguments), status=status, output=output, errors=errors or "")


def _status_outside(status: int, said: str) -> int:
    """The status of a program that a shell ran in a sandbox: it adds 128 to that of a signal."""
    if status == FAILED and "mount" in said:
        what = f"the sandbox could not be made: {said.strip().splitlines()[0]}"
        raise ToolError(Problem(what, "report it; HLSMEM_TRUST=1 runs your own designs without"))
    return 128 - status if status > 128 else status


def _stop(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    watchdog.withdraw(f"g{process.pid}")
