"""Entry point of the command: it ends quietly when it is told to, from its first moment on.

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
_TERMINATED = 143


class Terminated(BaseException):
    """SIGTERM: what was begun is cleaned up on the way out."""


def run() -> None:
    """Entry point of the `hlsmem` command."""
    ours = [number for number, default in _AT_FIRST.items() if signal.getsignal(number) is default]
    for number in ours:
        signal.signal(number, _leave)
    # numpy's linear algebra, of which nothing is used, would start a thread for each core: a tenth
    # of a second of processor time in every process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from hlsmem.cli.abort import told
    from hlsmem.cli.command import main as command

    told()
    for number in ours:
        signal.signal(number, _ON_THE_WAY[number])
    code = _quietly(command, sys.argv[1:])
    for number in ours:
        signal.signal(number, _leave)
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    from hlsmem.cli.command import main as command

    return _quietly(command, arguments)


def _quietly(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    try:
        return command(arguments)
    except (KeyboardInterrupt, Terminated) as told:
        number = signal.SIGTERM if isinstance(told, Terminated) else signal.SIGINT
        word, code = _WORDS[number]
        print(word, file=sys.stderr)
        return code


def _terminate(_number: int, _frame: FrameType | None) -> None:
    # A second one is not to break off the cleaning up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated


def _leave(number: int, _frame: FrameType | None) -> None:
    word, code = _WORDS[number]
    os.write(2, f"{word}\n".encode())
    os._exit(code)


# What each signal does if nobody else said so, and what it does while a command runs.
_AT_FIRST = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
_ON_THE_WAY = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate}
_WORDS: dict[int, tuple[str, int]] = {
    signal.SIGINT: ("interrupted", _INTERRUPTED),
    signal.SIGTERM: ("terminated", _TERMINATED),
}
