"""Max-live: the greatest number of elements of one array that are alive at the same time.

No mapping of any kind has fewer cells. Beginnings and ends of occupancies are runs along an
innermost loop; the number alive is looked at where one begins or ends. Where there are too many
runs, all beginnings and ends are swept in the order of time, in blocks: memory does not grow with
their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.occupancy import Occupancies
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.cardinality import cardinality
from hlsmem.polyhedra.codes import Code, code_within
from hlsmem.polyhedra.enumeration import columns_at, distinct, distinct_rows, ordered_columns
from hlsmem.polyhedra.point_runs import runs_of
from hlsmem.polyhedra.relations import parameter_box, parameters_first

if TYPE_CHECKING:
    import numpy as np

# Beginnings and ends that are listed at most: some seconds, whatever their number tens of
# megabytes. An array is swept once for each order that is compared.
LIMIT = 1 << 26
_CHUNK = 1 << 16
# Runs of beginnings and ends at most.
_MOST_RUNS = 1 << 20
# Beginnings, and ends, that are listed all at once at most.
_FEW = 1 << 15

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Peak:
    """The most elements alive at once, and the event of the write after which they first are.

    `at_last`: those alive when the last one begins.
    """

    cells: int
    event: Point
    at_last: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive beginnings and ends: their codes in order, and how many live before."""

    begins: np.ndarray
    ends: np.ndarray
    alive_before: int

    def alive(self) -> tuple[np.ndarray, np.ndarray]:
        """The codes at which something begins, and how many are alive just after: int64."""
        import numpy as np

        differs = self.begins[1:] != self.begins[:-1]
        last = np.flatnonzero(np.append(differs, True)[: len(self.begins)])
        codes = self.begins[last]
        return codes, last + 1 - np.searchsorted(self.ends, codes) + self.alive_before


def max_live(given: Occupancies, values: Mapping[str, int]) -> Peak | None:
    """The peak at the parameter `values`; of 0 cells where nothing is written.

    None where there are more than LIMIT beginnings and ends.
    """
    box = parameter_box({name: (value, value) for name, value in values.items()})
    found = peaks_within(given, box, tuple(values))
    return None if found is None else found.get(tuple(values.values()), Peak(0, ()))


def peaks_within(given: Occupancies, where: Any, names: Sequence[str]) -> dict[Point, Peak] | None:
    """The peaks for all points of a bounded parameter set, by the values of `names`.

    Points at which nothing is written are left out. None where there are too many runs, and more
    than LIMIT beginnings and ends.
    """
    sweep = sweep_of(given, where, names)
    if sweep is None:
        return None
    found: dict[Point, Peak] = {}
    tops = sweep.tops(_MOST_RUNS, len(names))
    if tops is not None:
        _note_peaks(found, *tops, sweep.code, len(names))
        return found
    if sweep.number() > LIMIT:  # told before, the seconds until then are saved
        return None
    for block in sweep.blocks(LIMIT):
        if block is None:
            return None
        _note_peaks(found, *block.alive(), sweep.code, len(names))
    return found


@dataclass(frozen=True, slots=True)
class Changes:
    """Beginnings and ends of occupancies, as sets of [parameters, event, element]."""

    begins: Any
    ends: Any
    parameters: int
    width: int  # of parameters and event together


def changes_of(given: Occupancies, names: Sequence[str]) -> Changes:
    """The changes of an array whose occupancies depend on the parameters `names`."""
    begins, ends = (parameters_first(events_of(r), names) for r in (given.begins, given.ends))
    return Changes(begins, ends, len(names), len(names) + given.dimensions)


def peaks_at(changes: Changes, points: Sequence[Point]) -> dict[Point, Peak] | None:
    """The peaks at a few points of the parameters; those at which nothing is written left out.

    As `peaks_within`, but all points at once. None where there is too much for that.
    """
    import numpy as np

    firsts = distinct_rows(np.array(points, dtype=np.int64))
    width = changes.width
    parts: list[list[np.ndarray]] = []
    for events in (changes.begins, changes.ends):
        listed = columns_at(events, firsts, _FEW)
        if listed is None:
            return None
        timed = (columns[:width] for columns in listed)
        parts.append([np.concatenate(columns) for columns in zip(*timed, strict=True)])
    filled = [part for part in parts if part]
    if not filled:
        return {}
    low = np.min([[column.min() for column in part] for part in filled], axis=0)
    high = np.max([[column.max() for column in part] for part in filled], axis=0)
    code = code_within(low.tolist(), high.tolist())
    if code is None:
        return None
    begins, ends = (
        np.sort(code.encode(part)) if part else np.empty(0, dtype=np.int64) for part in parts
    )
    found: dict[Point, Peak] = {}
    _note_peaks(found, *Block(begins, ends, 0).alive(), code, changes.parameters)
    return found


def _note_peaks(
    found: dict[Point, Peak], codes: np.ndarray, alive: np.ndarray, code: Code, size: int
) -> None:
    """Note the peaks of the numbers alive at some beginnings, in order.

    The first `size` columns of their codes are parameters.
    """
    import numpy as np

    if not len(codes):
        return
    point = code.leading(codes, size)
    firsts = np.flatnonzero(np.append(True, point[1:] != point[:-1]))
    for first, last in zip(firsts, [*firsts[1:], len(alive)], strict=True):
        top = int(first + np.argmax(alive[first:last]))
        row = tuple(code.decode(codes[top]).tolist())
        at, at_last = row[:size], int(alive[last - 1])
        known = found.get(at)
        if known is None or alive[top] > known.cells:
            found[at] = Peak(int(alive[top]), row[size:], at_last)
        else:
            found[at] = replace(known, at_last=at_last)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Beginnings and ends of occupancies, as sets of [parameters, event, element].

    `code` makes single integers of parameters and events.
    """

    begins: Any
    ends: Any
    code: Code

    def number(self) -> int:
        """Number of lives that begin and end, as far as isl's sets give a formula: at least 0."""
        counts = (cardinality(part, part.params(), {}) for part in (self.begins, self.ends))
        return sum(int(one.formula.evaluate({})) for one in counts if one is not None)

    def blocks(self, most: int) -> Iterator[Block | None]:
        """All beginnings and ends in order, in blocks; None at the end after `most` of them."""
        alive = 0
        for begins, ends in in_step([self._codes(self.begins), self._codes(self.ends)]):
            most -= len(begins) + len(ends)
            if most < 0:
                yield None
                return
            yield Block(begins, ends, alive)
            alive += len(begins) - len(ends)

    def tops(self, most: int, size: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The beginnings, with others, at which the most live, and the last: of each point.

        Points are those of the first `size` columns, the parameters. The codes in order, and how
        many are alive just after: int64. None where there are more than `most` runs.

        From where one run begins or ends to where the next one does, as many begin and end in
        each stride: the number alive at a beginning grows by the same from stride to stride. So
        it is greatest in the first stride or in the last.
        """
        import numpy as np

        runs = runs_of([self.begins, self.ends], self.code, most, fixed=size)
        if runs is None:
            return None
        begins, ends = runs
        if not begins:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        edges = [edge for run in begins + ends for edge in (run.firsts, run.ends)]
        places = [(run, run.below(distinct(np.concatenate(edges)))) for run in begins]
        codes = distinct(np.concatenate([run.at(at - k) for run, at in places for k in (0, 1)]))
        alive = np.zeros(len(codes), dtype=np.int64)
        for run in begins:
            alive += run.below(codes + 1)
        for run in ends:
            alive -= run.below(codes)
        return codes, alive

    def _codes(self, points: Any) -> list[Iterator[np.ndarray]]:
        return [
            (self.code.encode(columns) for columns in stream)
            for stream in ordered_columns(points, _CHUNK)
        ]


def sweep_of(given: Occupancies, where: Any, names: Sequence[str]) -> Sweep | None:
    """The sweep over all points of a bounded parameter set, one after the other.

    None where 64 bits cannot tell the events apart.
    """
    begins, ends = (
        parameters_first(events_of(relation.intersect_params(where)), names)
        for relation in (given.begins, given.ends)
    )
    code = code_of([begins, ends], len(names) + given.dimensions)
    return None if code is None else Sweep(begins, ends, code)


def events_of(relation: Any) -> Any:
    """The events of A[x] -> [event], with elements behind them where one has several."""
    events = relation.reverse()
    return (events.domain() if events.is_single_valued() else events.wrap()).make_disjoint()


def code_of(parts: Sequence[Any], width: int) -> Code | None:
    """The code of the first `width` dimensions of bounded sets.

    None where single integers of 64 bits cannot tell the rows apart.
    """
    ranges = [
        [_range(points, entry) for entry in range(width)]
        for points in parts
        if not points.is_empty()
    ]
    low = [min(low for low, _ in entry) for entry in zip(*ranges, strict=True)]
    high = [max(high for _, high in entry) for entry in zip(*ranges, strict=True)]
    return code_within(low or [0] * width, high or [0] * width)


def _range(points: Any, entry: int) -> tuple[int, int]:
    """The least and the greatest value of an entry of bounded tuples that are not none."""
    fixed = points.plain_get_val_if_fixed(DimType.set, entry)
    if fixed.is_int():
        return fixed.to_python(), fixed.to_python()
    return points.dim_min_val(entry).to_python(), points.dim_max_val(entry).to_python()


def in_step(groups: Sequence[Sequence[Iterator[np.ndarray]]]) -> Iterator[list[np.ndarray]]:
    """Groups of streams of integers in order, merged each: block after block, up to one limit.

    Every number of a block is less than all of later blocks, in all groups.
    """
    sources = [_Source(stream) for group in groups for stream in group]
    owners = [position for position, group in enumerate(groups) for _ in group]
    while any(not source.done() for source in sources):
        limit = min((source.last() for source in sources if not source.ended), default=None)
        taken: list[list[np.ndarray]] = [[] for _ in groups]
        for owner, source in zip(owners, sources, strict=True):
            taken[owner].append(source.take(limit))
        if not any(len(part) for parts in taken for part in parts):
            for source in sources:
                if not source.ended and source.last() == limit:
                    source.refill()
            continue
        yield [_merged(parts) for parts in taken]


class _Source:
    """A stream with what has been read ahead of it: that its last block is one is known at once,
    so that streams of one block each are merged in one go."""

    def __init__(self, stream: Iterator[np.ndarray]) -> None:
        import numpy as np

        self.stream, self.following = stream, next(stream, None)
        self.buffer = np.empty(0, dtype=np.int64)
        self.refill()

    def refill(self) -> None:
        import numpy as np

        more, self.following = self.following, next(self.stream, None)
        if more is not None:
            self.buffer = np.concatenate([self.buffer, more]) if len(self.buffer) else more

    @property
    def ended(self) -> bool:
        return self.following is None

    def last(self) -> int:
        return int(self.buffer[-1])

    def done(self) -> bool:
        return self.ended and not len(self.buffer)

    def take(self, limit: int | None) -> np.ndarray:
        """Everything below the limit; all there is where there is none."""
        import numpy as np

        end = len(self.buffer) if limit is None else int(np.searchsorted(self.buffer, limit))
        taken, self.buffer = self.buffer[:end], self.buffer[end:]
        return taken


def _merged(parts: Sequence[np.ndarray]) -> np.ndarray:
    import numpy as np

    filled = [part for part in parts if len(part)]
    if len(filled) == 1:
        return filled[0]
    if not filled:
        return np.empty(0, dtype=np.int64)
    return np.sort(np.concatenate(filled), kind="stable")
