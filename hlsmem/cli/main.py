"""Entry point of the command: it ends quietly when it is told to, from its first moment on.

Loading the rest takes a while, and Python would greet a Ctrl-C in it with a traceback. isl, and
what it counts with, call abort() where they get no memory at some places, and where they find
themselves wrong. No exception comes of that. In a copy of the process that works for it, it is a
step that was not through; in the process itself nobody else is there to say so.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType
    from typing import Any


_INTERRUPTED = 130
_TERMINATED = 143

_LIMIT = 4
_TOLD = (
    b"hlsmem: a library that it works with has ended it, most often for want of memory;"
    b" take smaller parameters (`--param N=..`), or allow more memory (`--memory`)\n"
)
# Given back where there is no more: what is said takes some.
_reserve = bytearray(1 << 20)
# C calls it, so that it has to stay.
_kept: Any = None


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
    from hlsmem.cli.command import main as command

    tell_of_aborts()
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


def tell_of_aborts() -> None:
    """From now on SIGABRT says what happened and ends the process with exit code 4.

    Python's own handlers run behind the call that fails, which never returns.
    """
    global _kept
    if os.name != "posix":
        return
    import ctypes

    _kept = ctypes.CFUNCTYPE(None, ctypes.c_int)(_end)
    ctypes.CDLL(None).signal(int(signal.SIGABRT), _kept)


def _end(_number: int) -> None:
    _reserve.clear()
    try:
        os.write(2, _TOLD)
    finally:
        os._exit(_LIMIT)
