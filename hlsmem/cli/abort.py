"""Libraries that end the process: it ends as at other limits, and says what to do.

isl, and what it counts with, call abort() where they get no memory at some places, and where they
find themselves wrong. No exception comes of that. In a copy of the process that works for it, it is
a step that was not through; in the process itself nobody else is there to say so.
"""

from __future__ import annotations

import os
import signal
from typing import Any

_LIMIT = 4
_TOLD = (
    b"hlsmem: a library that it works with has ended it, most often for want of memory;"
    b" take smaller parameters (`--param N=..`), or allow more memory (`--memory`)\n"
)
# Given back where there is no more: what is said takes some.
_reserve = bytearray(1 << 20)
# C calls it, so that it has to stay.
_kept: Any = None


def told() -> None:
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
