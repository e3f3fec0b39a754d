"""A copy of this process in which clang works: some texts end it, and it has a limit of memory.

It is made at the first file and reads those that follow, too. Where it ends, the next file has a
new one.
"""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import limits

MOST_BYTES = 1 << 30
"""Bytes of memory that clang and the reader may take."""


FRAMES = 20_000
"""Calls of Python inside of each other: more than the expressions need that are read."""


ENDS = "clang ends while it reads"
"""How what is said of such a text begins: no settings let it be read."""


class ReaderEndedError(Exception):
    """The copy has ended while it read a file."""


@dataclass(slots=True)
class _Copy:
    """The copy that process `owner` talks to."""

    owner: int
    worker: int
    requests: BinaryIO
    answers: BinaryIO


_copy: _Copy | None = None


def in_copy(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return what `work`, a function of a module, makes of arguments in the copy, or raise its
    error; raises ReaderEndedError where the copy ends."""
    global _copy
    if not limits.copies:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, FRAMES))
        try:
            return work(*arguments)
        finally:
            sys.setrecursionlimit(before)
    if _copy is None or _copy.owner != os.getpid():
        _copy = _made()
    own = _copy
    try:
        pickle.dump((os.getcwd(), work, arguments), own.requests)
        own.requests.flush()
        is_result, stays, value = pickle.load(own.answers)
    except (EOFError, OSError, pickle.UnpicklingError):
        _end(own)
        raise ReaderEndedError from None
    except BaseException:  # what it answers later is no answer to what is asked then
        _end(own)
        raise
    if not stays:
        _end(own)
    if is_result:
        return value
    raise value


def _made() -> _Copy:
    asked, requests = os.pipe()
    answers, answered = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    owner = os.getpid()
    worker = os.fork()
    if worker == 0:
        os.close(requests)
        os.close(answers)
        _serve(os.fdopen(asked, "rb"), os.fdopen(answered, "wb"))
    os.close(asked)
    os.close(answered)
    return _Copy(owner, worker, os.fdopen(requests, "wb"), os.fdopen(answers, "rb"))


def _end(own: _Copy) -> None:
    global _copy
    _copy = None
    for one in (own.requests, own.answers):
        with suppress(OSError):  # what was not sent is of no use
            one.close()
    os.kill(own.worker, signal.SIGKILL)
    os.waitpid(own.worker, 0)


def _serve(requests: BinaryIO, answers: BinaryIO) -> NoReturn:
    """Read until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends by it, and so does this
    signal.signal(signal.SIGABRT, signal.SIG_DFL)
    sys.setrecursionlimit(FRAMES)
    gc.freeze()  # to look for garbage among what was there would copy all of it
    before = _address_space()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or before + MOST_BYTES < hard:
        resource.setrlimit(resource.RLIMIT_AS, (before + MOST_BYTES, hard))
    while True:
        try:
            folder, work, arguments = pickle.load(requests)
        except (EOFError, OSError):
            os._exit(0)
        os.chdir(folder)
        try:
            answer: tuple[bool, Any] = (True, work(*arguments))
        except MemoryError:
            os._exit(1)
        except Exception as error:
            answer = (False, error)
        stays = _address_space() < before + MOST_BYTES // 4
        limits.Pickler(answers).dump((answer[0], stays, answer[1]))
        answers.flush()


def _address_space() -> int:
    """The bytes of address space that the process has."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1 << 33
    return pages * resource.getpagesize()
