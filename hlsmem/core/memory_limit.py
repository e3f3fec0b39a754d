"""The memory that a command may take, it and each copy of it that works for it."""

from __future__ import annotations

import contextlib
import errno
import re
from collections.abc import Iterator
from pathlib import Path

# isl tells that a text cannot be read also where it gets no memory to read it. The texts that
# hlsmem makes are short: of such a one, this process has come as close to its limit.
_UNREAD = "syntax error in /project/isl/isl_stream.c"
_CLOSE = 1 << 20


@contextlib.contextmanager
def limited(size: int | None) -> Iterator[None]:
    """Work that has no more than `size` bytes, also in copies of this process.

    Beyond, Python raises MemoryError, and isl what `is_no_memory` knows. None takes all that the
    system gives: so does every system that has no such limit.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    known = [one for one in (size, soft, hard) if one not in (None, resource.RLIM_INFINITY)]
    most = hard if size is None else min(known)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    except Exception as error:
        # Asked while the limit holds.
        if not isinstance(error, MemoryError) and is_no_memory(error):
            raise MemoryError from error
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def is_no_memory(error: BaseException) -> bool:
    """True if an error says that no more memory is given: to Python, to isl, or to a new process.

    >>> is_no_memory(MemoryError()), is_no_memory(OSError(12, "Cannot allocate memory"))
    (True, True)
    """
    words = ("allocation failure in /project/isl", "failed to map segment", "std::bad_alloc")
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or any(one in str(error) for one in words)
        or (_UNREAD in str(error) and is_near_limit(_CLOSE))
    )


def is_near_limit(distance: int) -> bool:
    """True if this process once had so much that at most `distance` bytes were left to it."""
    try:
        import resource

        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except (ImportError, OSError):
        return False
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    found = re.search(r"VmPeak:\s*(\d+) kB", status)
    return found is not None and 0 <= most < (int(found[1]) << 10) + distance
