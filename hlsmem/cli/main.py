"""Entry point of the command: it ends quietly when interrupted, from its first moment on.

Loading the rest takes a while, and Python would greet a Ctrl-C in it with a traceback.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

INTERRUPTED = 130


def run() -> None:
    """Entry point of the `hlsmem` command."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _leave)
    from hlsmem.cli.command import main as command

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = command(sys.argv[1:])
    if ours:
        signal.signal(signal.SIGINT, _leave)
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    from hlsmem.cli.command import main as command

    return command(arguments)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
