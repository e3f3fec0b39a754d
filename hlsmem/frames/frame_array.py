"""An array of the caller as files have it: its extents, and the values of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameArray:
    """An array: what a C program keeps its elements in, and what values they have.

    `least` and `greatest` are of integers; floats (`is_float`) are any finite ones.
    """

    name: str
    extents: tuple[int, ...]
    element: str
    least: int
    greatest: int
    kind: np.dtype

    @property
    def elements(self) -> int:
        return prod(self.extents)

    @property
    def is_float(self) -> bool:
        return self.kind.kind == "f"

    @property
    def type_text(self) -> str:
        """The type and its values, as messages have them."""
        return (
            self.element if self.is_float else f"{self.element} ({self.least} to {self.greatest})"
        )

    def holds(self, value: float) -> bool:
        if self.is_float:
            return bool(np.isfinite(value) and abs(value) <= float(np.finfo(self.kind).max))
        return self.least <= value <= self.greatest


def extents_text(extents: Sequence[int]) -> str:
    """Extents as C declares them.

    >>> extents_text((480, 640))
    '[480][640]'
    """
    return "".join(f"[{extent}]" for extent in extents)


def other_extents(file: str, found: str, array: FrameArray) -> InputError:
    """Return the error of a file whose content is not of the array's extents."""
    what = f"{file}: it has {found}, and {array.name!r} is {extents_text(array.extents)}"
    return InputError(Problem(what, "bring it to these extents, or plan for its own (--param)"))


def fitting(file: str, values: np.ndarray, array: FrameArray) -> np.ndarray:
    """Return frames of numbers as elements of an array.

    Raises InputError that names the first one outside of the type.
    """
    if array.is_float:
        most = np.finfo(array.kind).max
        wrong = np.argwhere(~np.isfinite(values) | (np.abs(values) > most))
    else:
        wrong = np.argwhere((values < array.least) | (values > array.greatest))
    if len(wrong):
        first = tuple(wrong[0])
        frame, at = int(first[0]), extents_text([int(one) for one in first[1:]])
        of = f" of frame {frame}" if len(values) > 1 else ""
        what = f"{file}: {array.name}{at}{of} is {values[first]}, no {array.type_text}"
        remedy = f"scale it, or cut it off; {len(wrong)} of its words are outside"
        raise InputError(Problem(what, remedy))
    return values.astype(array.kind)
