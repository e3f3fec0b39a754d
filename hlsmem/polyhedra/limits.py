"""Work with a limit on what isl may do, in a process of its own.

The work is done by a copy of this process, which has all its values at hand and sends the result
back: should isl die of it, or leave a count cut short where a limit was hit, that ends with the
copy. Where processes cannot be copied, or `copies` is off, the work is done here.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn, TypeVar

import islpy as _isl

from hlsmem.core import watchdog
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.memory_limit import is_no_memory
from hlsmem.polyhedra import PolyhedralError, Val
from hlsmem.polyhedra.memoized import forget

Result = TypeVar("Result")
Report = Callable[[Any], None]


# Whether work is done in copies of this process.
copies = hasattr(os, "fork")

WHOLE = 100_000_000
"""Operations of isl that a command may take in a stretch that has no limit of its own: up to a
minute or two."""
_whole = 0
"""The limit of the command that runs; 0 outside of commands."""


class WorkLimitError(Exception):
    """The limit was hit, or the process died; `steps` are those reported before, in order."""

    def __init__(self, steps: Sequence[Any], *, signal: int = 0) -> None:
        super().__init__(steps, signal)
        self.steps, self.signal = tuple(steps), signal

    @property
    def step(self) -> Any:
        """The last report, or None."""
        return self.steps[-1] if self.steps else None


def within(operations: int, work: Callable[[Report], Result], *, each_step: bool = False) -> Result:
    """Result of `work`, if isl needs no more than so many operations for it.

    With `each_step` every step that is reported may take as many.

    `work` is called with a function to report the step that comes next or what was found so far,
    anything that can be pickled, as results and errors must be. Once the limit is hit a report
    ends the work: a count in it may be cut short. Raises WorkLimitError, also where `work` does,
    and what else `work` raises.
    """
    if not copies:
        return _here(operations, work, each_step)
    source, target = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    watchdog.pipe()
    worker = os.fork()
    if worker == 0:
        watchdog.hand_over()
        os.close(source)
        _serve(os.fdopen(target, "wb"), operations, work, each_step)
    os.close(target)
    try:
        with os.fdopen(source, "rb") as answers:
            result: Result = _answer(answers, worker)
            return result
    except BaseException:
        _end(worker)
        raise
    finally:
        watchdog.withdraw(f"p{worker}")


@contextmanager
def bounded(operations: int) -> Iterator[None]:
    """Work here that gives up after so many operations of isl, where no limit holds already but
    that of the command.

    Raises WorkLimitError; what isl made until then is of no use.
    """
    if _isl.DEFAULT_CONTEXT.get_max_operations() != _whole:
        yield
        return
    with limited(operations):
        yield


@contextmanager
def command() -> Iterator[None]:
    """The work of a command, WHOLE operations of isl at most in each stretch without a limit.

    Raises LimitError, also in place of any error that comes of results which isl cut short.
    """
    global _whole
    context, before = _isl.DEFAULT_CONTEXT, _whole
    context.reset_operations()
    context.set_max_operations(WHOLE)
    _whole = WHOLE
    try:
        yield
    except Exception:
        if not is_hit():
            raise
        forget()
        what = f"isl is not through after {WHOLE} operations"
        remedy = "take simpler subscripts and conditions, fewer statements, or smaller constants"
        raise LimitError(Problem(what, remedy)) from None
    finally:
        _whole = before
        context.reset_operations()
        context.set_max_operations(before)


@contextmanager
def limited(operations: int) -> Iterator[None]:
    """A part of the work, here, that gives up after so many operations of isl.

    What comes after it has the limit that held before, anew. Raises WorkLimitError; what isl made
    in the part is of no use then.
    """
    context = _isl.DEFAULT_CONTEXT
    before, hit = context.get_max_operations(), False
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        yield
        hit = is_hit()
    except PolyhedralError:
        hit = is_hit()
        if not hit:
            raise
    finally:
        context.reset_operations()
        context.set_max_operations(before)
    if hit:
        forget()
        raise WorkLimitError(())


def _here(operations: int, work: Callable[[Report], Result], each_step: bool) -> Result:
    """Work in this process. isl goes on where a limit was hit; counts may have been cut short and
    kept on the way. Results are those that a copy would send: isl prints equal sets in several
    forms."""
    context, steps = _isl.DEFAULT_CONTEXT, list[Any]()

    def step(value: Any) -> None:
        _go_on()
        if each_step:
            context.reset_operations()
        steps.append(value)

    before, sent = context.get_max_operations(), io.BytesIO()
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        Pickler(sent).dump(work(step))
        hit = is_hit()
    except Exception as error:
        hit = is_hit() or isinstance(error, WorkLimitError)
        if not hit:
            raise
    finally:
        context.reset_operations()
        context.set_max_operations(before)
    if hit:
        forget()
        raise WorkLimitError(steps)
    result: Result = pickle.loads(sent.getvalue())
    return result


_TEXTUAL = (_isl.Set, _isl.Map, _isl.BasicSet, _isl.BasicMap, _isl.UnionSet, _isl.UnionMap)


class Pickler(pickle.Pickler):
    """Writes sets and maps as isl prints them: islpy's own way fails where dimensions share a
    name, which those of a map may."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) in _TEXTUAL:
            return type(value), (str(value),)
        return NotImplemented


def _serve(
    answers: BinaryIO, operations: int, work: Callable[[Report], Any], each_step: bool
) -> NoReturn:
    """Work in the copy: send steps, then the result or an error, and leave."""
    signal.signal(signal.SIGABRT, signal.SIG_DFL)  # who waits for the copy says what that means
    gc.freeze()  # to look for garbage among what was there would copy all of it

    def send(kind: str, value: Any) -> None:
        Pickler(answers).dump((kind, value))
        answers.flush()

    def step(value: Any) -> None:
        _go_on()
        if each_step:
            _isl.DEFAULT_CONTEXT.reset_operations()
        send("step", value)

    try:
        _isl.DEFAULT_CONTEXT.reset_operations()
        _isl.DEFAULT_CONTEXT.set_max_operations(operations)
        result = work(step)
        # A count that hits the limit is cut short without an error.
        send("limit", None) if is_hit() else send("done", result)
    except BaseException as error:
        if is_hit() or isinstance(error, WorkLimitError):
            send("limit", None)
        elif is_no_memory(error):  # of this copy
            send("error", (MemoryError(), []))
        else:
            error.add_note("".join(traceback.format_tb(error.__traceback__)))
            send("error", (error, error.__notes__))
    finally:
        os._exit(0)


def _go_on() -> None:
    """Raises WorkLimitError where the limit is hit."""
    if is_hit():
        raise WorkLimitError(())


def is_hit() -> bool:
    """True if the limit is hit: the last result of isl may be cut short."""
    try:
        Val(1)
    except PolyhedralError:
        return True
    return False


def _answer(answers: BinaryIO, worker: int) -> Any:
    steps: list[Any] = []
    while True:
        try:
            kind, value = pickle.load(answers)
        except EOFError:
            _, status = os.waitpid(worker, 0)
            raise WorkLimitError(steps, signal=os.WTERMSIG(status)) from None
        if kind == "step":
            steps.append(value)
            continue
        os.waitpid(worker, 0)
        if kind == "limit":
            raise WorkLimitError(steps)
        if kind == "error":
            error, notes = value
            error.__notes__ = notes
            raise error
        return value


def _end(worker: int) -> None:
    """Make sure that nothing is left of the copy, which may have ended already."""
    try:
        os.kill(worker, 9)
        os.waitpid(worker, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
