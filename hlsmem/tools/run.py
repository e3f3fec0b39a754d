"""Running a program: an argument list in, exit status and captured output out, with an end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hlsmem.errors import LimitError, Problem, ToolError

_OUTPUT_LINES = 20
# A shell sets the limit, and becomes the program: Python would have to copy the whole process
# first, which takes longer than most of the programs.
_LARGE_STACK = ("/bin/sh", "-c", 'ulimit -S -s "$(ulimit -H -s)" 2>/dev/null; exec "$0" "$@"')


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
) -> Finished:
    """Run a program in `folder` and wait for it; no shell, nothing on its standard input.

    `environment` is added to the one of this process. `large_stack` lifts the limit of the
    stack as far as the system lets it. Raises ToolError where the program cannot be started
    and LimitError where it takes longer than `seconds`; it and its children end then.
    """
    try:
        process = subprocess.Popen(
            [*(_LARGE_STACK if large_stack else ()), *arguments],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C", **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise ToolError(Problem(f"cannot run '{arguments[0]}': {reason}", "install it")) from None
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
    return Finished(
        arguments=tuple(arguments), status=process.returncode, output=output, errors=errors
    )


def _stop(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
