"""Entry point of the command: it ends quietly when interrupted, from its first moment on.

Loading the rest takes a while, and Python would greet a Ctrl-C in it with a traceback.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

_INTERRUPTED = 130


def run() -> None:
    """Entry point of the `hlsmem` command."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from hlsmem.cli.command import main as command

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = _quietly(command, sys.argv[1:])
    if ours:
        signal.signal(signal.SIGINT, _leave)
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    from hlsmem.cli.command import main as command

    return _quietly(command, arguments)


def _quietly(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    try:
        return command(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED


def _leave(_number: int, _frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)
