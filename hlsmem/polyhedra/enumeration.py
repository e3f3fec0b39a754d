"""All integer points of a bounded set as numpy arrays, without a call a point.

Each convex piece is scanned one variable after the other (Ancourt and Irigoin, "Scanning
polyhedra with DO loops", 1991): Fourier-Motzkin elimination gives the bounds of a variable
in those before it, and all prefixes are extended at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import inf, prod
from typing import TYPE_CHECKING, Any

from hlsmem.core.budgets import NUMBERS
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra.codes import code_of_rows
from hlsmem.polyhedra.constraints import Row, lifted, rows

if TYPE_CHECKING:
    import numpy as np

CHUNK = 1 << 20


def point_chunks(value: Any, chunk: int = CHUNK) -> Iterator[np.ndarray]:
    """The points of each convex piece of a set or map (as its wrapped set): int64 rows.

    Arrays have shape (points, dimensions) and about `chunk` rows at most. Points in several
    pieces come several times. The set must be bounded and depend on no parameter; raises
    ValueError otherwise.
    """
    import numpy as np

    for piece in pieces(value):
        for columns in _scan(piece, chunk, _divisions_first(piece)):
            yield np.column_stack(columns) if columns else np.empty((1, 0), dtype=np.int64)


def ordered_columns(value: Any, chunk: int = CHUNK) -> list[Iterator[list[np.ndarray]]]:
    """`point_chunks`, a stream for each convex piece: one array a dimension.

    Points come in lexicographic order.
    """
    return [_scan(piece, chunk, _divisions_late(piece)) for piece in pieces(value)]


def last_intervals(
    value: Any,
) -> Iterator[tuple[list[np.ndarray], np.ndarray, np.ndarray]]:
    """The points of a set or map (as its wrapped set) as intervals of the last coordinate.

    Columns of the other coordinates, then the least and the greatest value of the last one,
    inclusive, for each convex piece; a piece with integer divisions gives single points. The
    set is bounded and depends on no parameter, as for `point_chunks`.
    """
    import numpy as np

    for piece in pieces(value):
        size = piece.dim(DimType.set)
        if piece.dim(DimType.div) or not size:
            for columns in _scan(piece, CHUNK, _divisions_first(piece)):
                yield columns[:-1], columns[-1], columns[-1]
            continue
        bounds = _bounds(piece, range(size))
        if bounds is None:
            continue
        for columns in _extend([], 1, bounds[:-1], CHUNK):
            low, high = _limits(columns, len(columns[0]) if columns else 1, bounds[-1])
            some = np.flatnonzero(low <= high)
            yield [column[some] for column in columns], low[some], high[some]


def columns_at(value: Any, firsts: np.ndarray, most: int) -> list[list[np.ndarray]] | None:
    """The points of each convex piece of a set whose first coordinates are a row of `firsts`.

    One array a dimension. None where there are more than `most` points. The set depends on no
    parameter and is bounded at those coordinates; raises ValueError otherwise.
    """
    found = []
    for piece in pieces(value):
        order = _divisions_late(piece, firsts.shape[1])
        for columns in _scan(piece, max(1, most), order, firsts):
            most -= len(columns[0])
            if most < 0:
                return None
            found.append(columns)
    return found


def pieces(value: Any) -> list[Any]:
    subject = value.wrap() if hasattr(value, "wrap") else value
    parameters = subject.dim(DimType.param)
    if subject.involves_dims(DimType.param, 0, parameters):
        raise ValueError(f"cannot list a set with free parameters: {value}")
    subject = subject.project_out(DimType.param, 0, parameters)
    return list(subject.compute_divs().get_basic_sets())


def box_volume(value: Any) -> float:
    """The integer points of the boxes around the convex pieces of a parameter-free set.

    A bound of what listing its points takes; infinite where the set is.
    """
    if not value.is_bounded():
        return inf
    return sum(_box_volume(piece) for piece in value.get_basic_sets())


def _box_volume(piece: Any) -> int:
    subject = Set.from_basic_set(piece)
    if subject.is_empty():
        return 0
    return prod(high - low + 1 for low, high in bounding_box(subject))


def set_of(points: np.ndarray) -> Any:
    """The set of some points, one a row: runs along the last axis, put together where isl can.

    >>> import numpy as np
    >>> str(set_of(np.array([[0, 1], [0, 2], [1, 1], [1, 2]])))
    '{ [i0, i1] : 0 <= i0 <= 1 and 0 < i1 <= 2 }'
    """
    rows = sorted(map(tuple, points.tolist()))
    size = points.shape[1]
    if not size:
        return Set("{ [] }")
    names = [f"i{axis}" for axis in range(size)]
    runs: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    first = 0
    for last, row in enumerate(rows):
        following = rows[last + 1] if last + 1 < len(rows) else None
        if following is None or following != (*row[:-1], row[-1] + 1):
            runs.setdefault((rows[first][-1], row[-1]), []).append(row[:-1])
            first = last + 1
    texts = [
        " and ".join([*(f"{n} = {v}" for n, v in zip(names, at, strict=False)), f"{ends}"])
        for (low, high), places in runs.items()
        for ends in [f"{low} <= {names[-1]} <= {high}"]
        for at in places
    ]
    pieces = "; ".join(f"[{', '.join(names)}] : {text}" for text in texts)
    return Set(f"{{ {pieces} }}").coalesce()


def bounding_box(value: Any) -> list[tuple[int, int]]:
    """The least and the greatest value of each coordinate of a bounded set that is not empty."""
    return [
        (value.dim_min_val(axis).to_python(), value.dim_max_val(axis).to_python())
        for axis in range(value.dim(DimType.set))
    ]


def box(space: Any, corner: Sequence[int], sides: Sequence[int]) -> Any:
    """The points x of a set space with 0 <= x - corner <= sides in every coordinate."""
    value = Set.universe(space)
    for axis, (low, side) in enumerate(zip(corner, sides, strict=True)):
        value = value.lower_bound_val(DimType.set, axis, Val(low))
        value = value.upper_bound_val(DimType.set, axis, Val(low + side))
    return value


def distinct_points(value: Any) -> np.ndarray:
    """All points of a set or map, each once, in lexicographic order: int64 rows.

    Raises LimitError where they have more than NUMBERS coordinates.
    """
    import numpy as np

    subject = value.wrap() if hasattr(value, "wrap") else value
    chunks, numbers = [], 0
    for chunk in point_chunks(subject):
        numbers += chunk.size
        if numbers > NUMBERS:
            what = f"more than {NUMBERS // chunk.shape[1]} points would be listed"
            raise LimitError(Problem(what, "take smaller sizes, by --param or in the kernel"))
        chunks.append(chunk)
    if not chunks:
        return np.empty((0, subject.dim(DimType.set)), dtype=np.int64)
    return distinct_rows(np.concatenate(chunks))


def distinct(values: np.ndarray, *, runs: bool = False) -> np.ndarray:
    """The values without repetition, in order. `runs`: they are a few sorted runs, as given.

    numpy's own loads what it has for masked arrays, which takes longer than a short plan.
    """
    import numpy as np

    ordered = np.sort(values, axis=None, kind="stable" if runs else None)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def distinct_rows(rows: np.ndarray) -> np.ndarray:
    """The rows of an integer matrix without repetition, in lexicographic order."""
    import numpy as np

    if rows.shape[1] == 0 or len(rows) < 2:
        return rows[:1]
    code = code_of_rows([rows])
    if code is not None:
        return code.decode(distinct(code.of_rows(rows)))
    rows = rows[np.lexsort(rows.T[::-1])]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]


def _divisions_first(piece: Any) -> list[int]:
    """The order that is fastest: a stride is stepped over instead of tested point by point."""
    size, divisions = piece.dim(DimType.set), piece.dim(DimType.div)
    return [*range(size, size + divisions), *range(size)]


def _divisions_late(piece: Any, least: int = 0) -> list[int]:
    """The order that keeps points in lexicographic order: divisions behind what they divide.

    None stands before the place `least`.
    """
    size, divisions = piece.dim(DimType.set), piece.dim(DimType.div)
    order = list(range(size))
    for division in range(divisions):
        form = piece.get_div(division)
        needed = [k for k in range(size) if form.involves_dims(DimType.in_, k, 1)]
        needed += [size + k for k in range(division) if form.involves_dims(DimType.div, k, 1)]
        behind = max((order.index(k) for k in needed), default=-1) + 1
        order.insert(max(behind, least), size + division)
    return order


def _scan(
    piece: Any, chunk: int, order: Sequence[int], firsts: np.ndarray | None = None
) -> Iterator[list[np.ndarray]]:
    """The coordinates of a basic set whose integer divisions are known, filled in `order`.

    With `firsts` those whose first coordinates are one of its rows.
    """
    size = piece.dim(DimType.set)
    given = 0 if firsts is None else firsts.shape[1]
    bounds = _bounds(lifted(piece), order, given)
    if bounds is None:
        return
    start, count = list[Any](), 1
    if firsts is not None:
        kept = firsts[_met(bounds[:given], firsts)]
        start, count = list(kept.T), len(kept)
    if not count:
        return
    places = [order.index(k) for k in range(size)]
    for columns in _extend(start, count, bounds, chunk):
        yield [columns[place] for place in places]


@dataclass(frozen=True, slots=True)
class _Bound:
    """sum of factor * earlier variable + own * x + constant is 0 (`equal`), or at least 0."""

    factors: tuple[tuple[int, int], ...]  # (rank of the earlier variable, factor)
    own: int
    constant: int
    equal: bool

    def rest(self, columns: Sequence[np.ndarray]) -> Any:
        """The form without x: an array, or an integer where it does not vary."""
        return sum((columns[rank] * factor for rank, factor in self.factors), self.constant)

    def only(self, columns: Sequence[np.ndarray], count: int) -> np.ndarray:
        """The one x for each of `count` prefixes, where an equality has the factor 1 or -1."""
        import numpy as np

        value = self.rest(columns) * -self.own
        return value if np.ndim(value) else np.full(count, value)


def _met(bounds: Sequence[Sequence[_Bound]], rows: np.ndarray) -> np.ndarray:
    """Mask of rows that meet the bounds of their coordinates."""
    import numpy as np

    met = np.ones(len(rows), dtype=bool)
    columns = list(rows.T)
    for rank, of_variable in enumerate(bounds):
        for bound in of_variable:
            value = bound.rest(columns) + bound.own * columns[rank]
            met &= (value == 0) if bound.equal else (value >= 0)
    return met


def _bounds(piece: Any, order: Sequence[int], given: int = 0) -> list[list[_Bound]] | None:
    """The bounds of each variable in `order`; None where the piece is plainly empty.

    The first `given` variables need not be bounded.
    """
    if piece.is_empty():
        return None
    shadow, left = piece, rows(piece)
    found: list[list[_Bound]] = []
    gone: list[int] = []
    for rank in reversed(range(len(order))):
        variable = order[rank]
        own = [row for row in left if row.factors[variable]]
        bounds = [_bound(row, order[: rank + 1]) for row in own]
        if rank >= given:
            _require_bounded(bounds, piece)
        found.append(bounds)
        gone.append(variable)
        # The shadow may be taken too large: every constraint of the piece is still met at
        # the last variable it has.
        if _concern_only(own, variable, order[:given]):
            left = [row for row in left if not row.factors[variable]]
            continue
        for one in gone:
            shadow = shadow.eliminate(DimType.set, one, 1)
        shadow, gone = shadow.remove_divs(), []
        left = rows(shadow)
    return found[::-1]


def _concern_only(own: Sequence[Row], variable: int, known: Sequence[int]) -> bool:
    """True if the constraints that remain without a variable are about known ones alone."""
    forms = [row.factors for row in own]
    forms += [tuple(-factor for factor in row.factors) for row in own if row.equal]
    lows = [form for form in forms if form[variable] > 0]
    highs = [form for form in forms if form[variable] < 0]
    return all(
        low[k] * high[variable] == high[k] * low[variable] or k in known
        for low in lows
        for high in highs
        for k in range(len(low))
    )


def _bound(row: Row, order: Sequence[int]) -> _Bound:
    *earlier, own = (row.factors[position] for position in order)
    return _Bound(
        factors=tuple((rank, factor) for rank, factor in enumerate(earlier) if factor),
        own=own,
        constant=row.constant,
        equal=row.equal,
    )


def _require_bounded(bounds: list[_Bound], piece: Any) -> None:
    below = any(bound.equal or bound.own > 0 for bound in bounds)
    above = any(bound.equal or bound.own < 0 for bound in bounds)
    if not (below and above):
        raise ValueError(f"cannot list an unbounded set: {piece}")


def _extend(
    columns: list[np.ndarray], count: int, bounds: list[list[_Bound]], chunk: int
) -> Iterator[list[np.ndarray]]:
    """All extensions of `count` prefixes, given by columns, to full rows."""
    import numpy as np

    if len(columns) == len(bounds):
        yield columns
        return
    own = bounds[len(columns)]
    if len(own) == 1 and own[0].equal and abs(own[0].own) == 1:
        yield from _extend([*columns, own[0].only(columns, count)], count, bounds, chunk)
        return
    low, high = _limits(columns, count, own)
    lengths = np.maximum(high - low + 1, 0)
    total = int(lengths.sum())
    if total > chunk and count > 1:
        half = count // 2
        yield from _extend([column[:half] for column in columns], half, bounds, chunk)
        yield from _extend([column[half:] for column in columns], count - half, bounds, chunk)
    elif total > chunk:
        for first in range(int(low[0]), int(high[0]) + 1, chunk):
            values = np.arange(first, min(first + chunk, int(high[0]) + 1))
            longer = [np.repeat(column, len(values)) for column in columns]
            yield from _extend([*longer, values], len(values), bounds, chunk)
    elif total and total == count and lengths.max() == 1:
        yield from _extend([*columns, low], count, bounds, chunk)
    elif total:
        first = np.cumsum(lengths) - lengths
        values = np.arange(total) - np.repeat(first - low, lengths)
        longer = [np.repeat(column, lengths) for column in columns]
        yield from _extend([*longer, values], total, bounds, chunk)


def _limits(
    columns: Sequence[np.ndarray], count: int, bounds: Sequence[_Bound]
) -> tuple[np.ndarray, np.ndarray]:
    """The least and greatest value of the next variable for every prefix (inclusive)."""
    import numpy as np

    least, most = [], []
    for bound in bounds:
        rest = bound.rest(columns)
        # own * x + rest >= 0; an equality is that and own * x + rest <= 0.
        rounded_up = -(rest // bound.own) if bound.own > 0 else -((-rest) // -bound.own)
        rounded_down = (-rest) // bound.own if bound.own > 0 else rest // -bound.own
        if bound.own > 0 or bound.equal:
            least.append(rounded_up)
        if bound.own < 0 or bound.equal:
            most.append(rounded_down)
    low, high = reduce(np.maximum, least), reduce(np.minimum, most)
    return (
        low if np.ndim(low) else np.full(count, low),
        high if np.ndim(high) else np.full(count, high),
    )
