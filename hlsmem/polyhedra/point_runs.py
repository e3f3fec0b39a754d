"""Points of bounded sets as runs: in steps of one length along one of their dimensions.

There are as many runs as lines of points, where listing takes a row for each point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.codes import Code
from hlsmem.polyhedra.constraints import Row, rows
from hlsmem.polyhedra.enumeration import last_intervals, pieces, point_chunks

if TYPE_CHECKING:
    import numpy as np

# Runs are worth it where points are so many times as many; for so few it does not matter.
_POINTS_A_RUN = 8
_FEW = 1 << 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Numbers in order: `counts[k]` from `firsts[k]` on, in steps of `stride`.

    Where a run ends the next has not begun. `before[k]` numbers are in the runs before it.
    """

    firsts: np.ndarray
    counts: np.ndarray
    before: np.ndarray
    stride: int

    @staticmethod
    def of(firsts: np.ndarray, counts: np.ndarray, stride: int) -> Runs:
        import numpy as np

        return Runs(firsts=firsts, counts=counts, before=np.cumsum(counts) - counts, stride=stride)

    @property
    def ends(self) -> np.ndarray:
        """The number that would follow in each run."""
        found: np.ndarray = self.firsts + self.counts * self.stride
        return found

    def __len__(self) -> int:
        return int(self.before[-1] + self.counts[-1]) if len(self.firsts) else 0

    def below(self, limits: np.ndarray) -> np.ndarray:
        """Number of numbers below each of the limits."""
        import numpy as np

        if not len(self.firsts):
            return np.zeros(len(limits), dtype=np.int64)
        run = np.searchsorted(self.firsts, limits) - 1
        own = (limits - 1 - self.firsts[run]) // self.stride + 1
        total = self.before[run] + np.minimum(own, self.counts[run])
        found: np.ndarray = np.where(run < 0, 0, total)
        return found

    def at(self, places: np.ndarray) -> np.ndarray:
        """The numbers at some places, counted from 0; those outside are left out."""
        import numpy as np

        inside = places[(places >= 0) & (places < len(self))]
        run = np.searchsorted(self.before, inside, side="right") - 1
        found: np.ndarray = self.firsts[run] + (inside - self.before[run]) * self.stride
        return found


def runs_of(
    parts: Sequence[Any], code: Code, most: int, *, fixed: int = 0
) -> list[list[Runs]] | None:
    """The codes of the first coordinates of the points of bounded sets: all in one stride.

    A list for each set, of its convex pieces. Points that differ in coordinates behind those of
    the code count each. In a run the first `fixed` coordinates do not vary. None where there may
    be more than `most` runs, where these are about as many as the points, or where nothing is
    left to vary.
    """
    width = len(code.spans)
    if fixed >= width:
        return None
    found = [[_Piece.of(piece, width) for piece in pieces(part)] for part in parts]
    every = [piece for part in found for piece in part]
    lines, axis = min(
        (sum(piece.lines(axis) for piece in every), axis)
        for axis in {fixed, *(max(fixed, piece.axis) for piece in every)}
    )
    if lines > most or lines > _FEW + sum(piece.most for piece in every) // _POINTS_A_RUN:
        return None
    return [[piece.runs(axis, code) for piece in part] for part in found]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A convex piece, and the last of the first `width` dimensions that varies in it.

    `spans`: of how many values of each dimension there may be points at one value of those before
    it. `is_function`: the dimensions behind the first ones are determined by them.
    """

    points: Any
    width: int
    spans: tuple[int, ...]
    axis: int
    is_function: bool

    @staticmethod
    def of(points: Any, width: int) -> _Piece:
        if points.is_empty():
            return _Piece(points, width, (0,), 0, False)
        known = [] if points.dim(DimType.div) else rows(points)
        spans = tuple(_span(points, known, k) for k in range(points.dim(DimType.set)))
        is_function = bool(known) and all(span == 1 for span in spans[width:])
        varying = [k for k in range(width) if _fixed(points, k) is None] if is_function else []
        return _Piece(points, width, spans, max(varying, default=0), is_function)

    @property
    def most(self) -> int:
        """No fewer than its points."""
        return prod(self.spans)

    def lines(self, axis: int) -> int:
        """No fewer than its runs along an axis: all points where others than this vary in one."""
        return prod(self.spans[:axis]) if self.is_function and self.axis <= axis else self.most

    def runs(self, axis: int, code: Code) -> Runs:
        """Its runs along an axis."""
        import numpy as np

        firsts, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for columns, lengths in self._lines(axis):
            firsts.append(code.encode(columns))
            counts.append(lengths)
        listed = np.concatenate(firsts)
        order = np.argsort(listed, kind="stable")
        return Runs.of(listed[order], np.concatenate(counts)[order], int(code.strides[axis]))

    def _lines(self, axis: int) -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
        """First points of lines along an axis, by coordinates, and their lengths."""
        import numpy as np

        if not self.is_function or self.axis > axis:
            for points in point_chunks(Set.from_basic_set(self.points)):
                yield list(points[:, : self.width].T), np.ones(len(points), dtype=np.int64)
            return
        behind = [_fixed(self.points, k) or 0 for k in range(axis + 1, self.width)]
        size = self.points.dim(DimType.set)
        leading = self.points.project_out(DimType.set, axis + 1, size - axis - 1)
        for columns, low, high in last_intervals(Set.from_basic_set(leading)):
            rest = [np.full(len(low), value) for value in behind]
            yield [*columns, low, *rest], high - low + 1


def _fixed(points: Any, axis: int) -> int | None:
    value = Set.from_basic_set(points).plain_get_val_if_fixed(DimType.set, axis)
    return int(value.to_python()) if value.is_int() else None


def _span(points: Any, known: Sequence[Row], axis: int) -> int:
    """Number of values that a coordinate may have where those before it are given.

    One where an equality among the `known` constraints has it as an integer form of those.
    """
    forms = [row.factors for row in known if row.equal]
    if any(abs(form[axis]) == 1 and not any(form[axis + 1 :]) for form in forms):
        return 1
    alone = [row for row in known if row.factors[axis] and sum(map(bool, row.factors)) == 1]
    low = max(
        (-(row.constant // row.factors[axis]) for row in alone if row.factors[axis] > 0),
        default=None,
    )
    high = min(
        (row.constant // -row.factors[axis] for row in alone if row.factors[axis] < 0), default=None
    )
    if low is None or high is None:
        whole = Set.from_basic_set(points)
        low, high = (bound(axis).to_python() for bound in (whole.dim_min_val, whole.dim_max_val))
    return max(0, high - low + 1)
