"""Kernels that are affine only where some parameters have their values in place of their names.

Source: Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations in the Polyhedral
Model" (IMPACT 2013), section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from hlsmem.core.errors import InputError
from hlsmem.read.c.refusal import Refusal

if TYPE_CHECKING:
    from hlsmem.read.c.kernel import KernelReading

_MOST = 8
"""Of more parameters no combinations are tried, only all one by one."""
_BY_VALUES = (Refusal.NON_AFFINE_EXPRESSION, Refusal.NON_AFFINE_BOUND)


def specialised(
    read: Callable[..., KernelReading],
    asked: str | Mapping[str, Sequence[int]],
    values: Mapping[str, int],
) -> KernelReading:
    """The reading by `read` with the parameters `fixed` that are asked for: by name, or `auto`.

    `auto` takes as few as it can, none where that will do. Raises the InputError of the kernel as
    it is where no choice helps.
    """
    if asked == "none":
        return read()
    if not isinstance(asked, str):
        return read(fixed=[name for name in asked if name in values])
    try:
        return read()
    except InputError as error:
        if any(_is_by_value(problem.what) for problem in error.problems):
            for fixed in _choices(tuple(values)):
                try:
                    return read(fixed=fixed)
                except InputError:
                    continue
        raise


def _is_by_value(what: str) -> bool:
    return what.startswith(tuple(f"{one.value}: " for one in _BY_VALUES))


def _choices(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Parameters to fix, the fewest first, in their order."""
    for size in range(1, len(names) + 1 if len(names) <= _MOST else 2):
        yield from combinations(names, size)
