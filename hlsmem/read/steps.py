"""The steps, the streams and the fixed parameters of a kernel, where its design leaves them open.

Some kernels are affine only where some parameters have their values in place of their names.
Source: Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations in the Polyhedral
Model" (IMPACT 2013), section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.polyhedra.memoized import kept
from hlsmem.program.model import SourceFile
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.design_schema import DesignKeys, KernelKeys
from hlsmem.read.schedule import is_given

if TYPE_CHECKING:
    from hlsmem.read.c.kernel import KernelReading
    from hlsmem.read.c.kernel_request import KernelRequest

_STEPS = {"loops": "pipelined", "parameters": "auto"}
_WRITTEN = {"loops": "written", "parameters": "external"}

_MOST = 8
"""Of more parameters no combinations are tried, only all one by one."""
_BY_VALUES = (Refusal.NON_AFFINE_EXPRESSION, Refusal.NON_AFFINE_BOUND)


def with_defaults(
    request: KernelRequest, keys: DesignKeys, kernel: KernelKeys, refused: Problem | None
) -> tuple[KernelReading, dict[str, str], tuple[Problem, ...]]:
    """The reading that is asked for, the keys that the kernel leaves out, and a remark where it
    stays as it is written because it was `refused` with steps and streams of its own.

    Raises InputError where the kernel cannot be read.
    """

    def reading(loops: str) -> KernelReading:
        own = replace(request, pipelines_loops=loops == "pipelined")
        return specialised(own, keys.host.specialise)

    is_open = leaves_steps(keys)
    defaults = _left_out(kernel, _STEPS if is_open and refused is None else _WRITTEN)
    found = reading(defaults.get("loops") or kernel.loops or "")
    if found.blocks:  # pragmas say when its nests run
        if defaults.get("loops") == "pipelined":
            found = reading("written")
        defaults = _left_out(kernel, _WRITTEN)
    told = () if refused is None or not (is_open and defaults) else (kept_as_written(refused),)
    return found, defaults, told


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A reading, told apart by all texts that there are to read and by what is asked of them."""

    texts: tuple[SourceFile, ...]
    what: str
    request: KernelRequest = field(compare=False)


@kept(8)
def _kept_reading(asked: _Asked) -> KernelReading:
    return _reading(asked.request)


def _reading(request: KernelRequest) -> KernelReading:
    # Only C kernels need the C reader.
    from hlsmem.read.c.kernel import read_kernel

    return read_kernel(request)


def _once(request: KernelRequest) -> KernelReading:
    """The kernel as read; a design whose order alone is changed has its kernel read already."""
    holds = request.folder.holds
    if holds is None:
        return _reading(request)
    return _kept_reading(_Asked(texts=holds, what=repr(request), request=request))


def _left_out(kernel: KernelKeys, values: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if getattr(kernel, key) is None}


def kept_as_written(why: Problem) -> Problem:
    """The remark on loops and parameters that stay as written, as others are refused."""
    what = f"loops and parameters are planned as written: otherwise, {why.what}"
    return Problem(what, "--as-written does not try", why.source_location, why.notes)


def leaves_steps(keys: DesignKeys) -> bool:
    """True if a design gives neither a schedule, nor steps, nor a class of orders that mappings
    hold for: of these its text is meant as it is written."""
    plan, pipeline = keys.plan, keys.pipeline
    has_times = is_given(keys.schedule) or bool(keys.multifor) or plan.tile is not None
    has_steps = pipeline.level is not None or bool(pipeline.unroll)
    has_orders = plan.schedules != "given" or bool(plan.expand) or plan.reuse is not None
    has_streams = any(one.arrival or one.departure for one in keys.arrays.values())
    return not (has_times or has_steps or has_orders or has_streams)


def specialised(request: KernelRequest, asked: str | Mapping[str, Sequence[int]]) -> KernelReading:
    """The kernel as read with the parameters `fixed` that are asked for: by name, or `auto`.

    `auto` takes as few as it can, none where that will do. Raises the InputError of the kernel as
    it is where not even all help, but for those that ask for more values alone.
    """
    values = request.values
    if asked == "none":
        return _once(request)
    if not isinstance(asked, str):
        return _once(replace(request, fixed=[name for name in asked if name in values]))
    try:
        return _once(request)
    except InputError as error:
        from hlsmem.read.c.affine import MISSING_PARAMETER  # the kernel is one of C

        if not values or not any(_is_by_value(problem.what) for problem in error.problems):
            raise
        try:
            whole = _once(replace(request, fixed=tuple(values)))
        except InputError as left:
            asks = all(one.remedy == MISSING_PARAMETER for one in left.problems)
            raise left if asks else error from None
        why = next(problem for problem in error.problems if _is_by_value(problem.what))
        for fixed in _choices(tuple(values)):
            with suppress(InputError):
                return _with_reason(_once(replace(request, fixed=fixed)), why, values)
        return _with_reason(whole, why, values)


def _with_reason(found: KernelReading, why: Problem, values: Mapping[str, int]) -> KernelReading:
    """A reading with a remark that it is for values alone, and what it is refused for else."""
    fixed = listed([f"{name} = {values[name]}" for name in found.kernel.fixed])
    what = f"planned for {fixed} alone: otherwise, {why.what}"
    remedy = "for other values C runs the function as it is, and there is no Verilog"
    note = Problem(what, remedy, why.source_location, why.notes)
    return replace(found, notes=(*found.notes, note))


def _is_by_value(what: str) -> bool:
    return what.startswith(tuple(f"{one.value}: " for one in _BY_VALUES))


def _choices(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Some of the parameters to fix, the fewest first, in their order."""
    for size in range(1, len(names) if len(names) <= _MOST else 2):
        yield from combinations(names, size)
