"""Two nests merged by number: what their dependences ask for, and what lives in between.

Instance K of the first nest runs in slot K, that of the second behind it in slot K + delay. These
are no affine times, so dependences are listed at the plan's values and their numbers compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.codes import code_of_rows
from hlsmem.polyhedra.enumeration import distinct_rows, point_chunks
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Program, Statement
from hlsmem.studies.ranks.instance_numbers import instance_at
from hlsmem.studies.ranks.loop_nest import LoopNest
from hlsmem.timing.instance_text import element_text, instance_text
from hlsmem.timing.value_flow import dataflow

if TYPE_CHECKING:
    import numpy as np

MOST_PAIRS = 1_000_000
"""Pairs of dependent iterations, and iterations of nests that have some, that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Dependent iterations of the first and the second nest in words, and what both access."""

    first: str
    second: str
    element: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Requirements of the dependences of two nests: `pairs` of iterations, `worst` one of them.

    The delay of the second nest is at least `bound` where the program runs the first nest first
    (`is_forward`), at most `bound` where it runs the second first; anything without a worst pair.
    """

    is_forward: bool
    pairs: int
    bound: int
    worst: Pair | None

    def allows(self, delay: int) -> bool:
        """True if a delay of the second nest keeps all dependences."""
        if self.worst is None:
            return True
        return delay >= self.bound if self.is_forward else delay <= self.bound

    @property
    def least(self) -> int:
        """The least delay that may do."""
        return self.bound if self.is_forward else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The most values alive at once that one nest hands to the other: merged with a delay, and
    one nest after the other."""

    merged: int
    apart: int


class _Numbers:
    """The numbers of the iterations of a nest at the plan's values."""

    def __init__(self, program: Program, nest: LoopNest) -> None:
        loops = fix_parameters(nest.ranking.inverse, program.values).domain()
        rows = _listed([loops], f"iterations of the nest of {nest.label!r}")
        code = code_of_rows([rows])
        assert code is not None, "64 bits cannot number the box around a million points"
        self.code, self.codes = code, code.of_rows(rows)

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Of iterations, one a row of loops."""
        import numpy as np

        return np.searchsorted(self.codes, self.code.of_rows(rows))


def order_of(program: Program, first: LoopNest, second: LoopNest, *, is_forward: bool) -> Order:
    """The requirements of dependences between two nests, at the plan's values.

    Raises LimitError where there are more than MOST_PAIRS.
    """
    import numpy as np

    relations = [one for *_, one in _dependences(program, first, second)]
    rows = _listed(relations, f"dependences between {first.label!r} and {second.label!r}")
    if not len(rows):
        return Order(is_forward=is_forward, pairs=0, bound=0, worst=None)
    width = len(first.ranking.entries)
    one = _Numbers(program, first).of(rows[:, :width])
    other = _Numbers(program, second).of(rows[:, width:])
    # forward: one <= other + delay; backward: other + delay < one
    at = int(np.argmax(one - other) if is_forward else np.argmin(one - other))
    gap = int(one[at] - other[at])
    return Order(
        is_forward=is_forward,
        pairs=len(rows),
        bound=max(0, gap) if is_forward else gap - 1,
        worst=_pair(program, (first, second), (int(one[at]), int(other[at]))),
    )


def live_between(
    program: Program, first: LoopNest, second: LoopNest, *, delay: int, is_forward: bool
) -> Live:
    """The most values alive that the source's first nest hands to its second.

    Raises LimitError as `order_of`.
    """
    source, sink = (first, second) if is_forward else (second, first)
    births, deaths = _handed(program, source, sink)
    total = len(_Numbers(program, source).codes) if len(births) else 0
    late = [0, 2 * delay + 1] if is_forward else [2 * delay + 1, 0]
    return Live(
        merged=_most(2 * births + late[0], 2 * deaths + late[1]),
        apart=_most(births, deaths + total),
    )


def _handed(program: Program, source: LoopNest, sink: LoopNest) -> tuple[np.ndarray, np.ndarray]:
    """For each value that one nest hands to another the numbers of its write and its last read."""
    import numpy as np

    births, deaths = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    width = len(sink.ranking.entries)
    arrays = dict.fromkeys(access.array for one in source.members for access in one.writes)
    for array in arrays:
        for uses in _uses(program, array, source, sink).values():
            rows = _listed(uses, f"values between {source.label!r} and {sink.label!r}")
            if not len(rows):
                continue
            written = rows[:, :-width]
            # Rows are in order, so the last of those with one write is its last read.
            last = np.append((written[1:] != written[:-1]).any(axis=1), True)
            own = len(source.ranking.entries)
            births.append(_Numbers(program, source).of(written[last][:, -own:]))
            deaths.append(_Numbers(program, sink).of(rows[last][:, -width:]))
    return np.concatenate(births), np.concatenate(deaths)


def _uses(program: Program, array: str, source: LoopNest, sink: LoopNest) -> dict[str, list[Any]]:
    """{ element -> [loops of its write -> loops of a read] }, by the statement that writes."""
    writers = dict(zip((one.name for one in source.members), source.orders, strict=True))
    readers = dict(zip((one.name for one in sink.members), sink.orders, strict=True))
    found: dict[str, list[Any]] = {}
    for use in maps_of(dataflow(program, array, only_last=True).uses.curry()):
        pair = use.range().unwrap()
        writer, reader = (pair.get_tuple_name(way) for way in (DimType.in_, DimType.out))
        if writer in writers and reader in readers:
            both = writers[writer].product(readers[reader])
            here = fix_parameters(use.apply_range(both), program.values)
            found.setdefault(writer, []).append(here)
    return found


def _most(births: np.ndarray, deaths: np.ndarray) -> int:
    """The most intervals, ends included, that a point is in."""
    import numpy as np

    if not len(births):
        return 0
    births, deaths = np.sort(births), np.sort(deaths)
    alive = np.searchsorted(births, births, side="right") - np.searchsorted(deaths, births)
    return int(alive.max())


def _listed(relations: Sequence[Any], what: str) -> np.ndarray:
    """The distinct points of some sets or maps, rows in order."""
    import numpy as np

    found: list[np.ndarray] = []
    size = 0
    for relation in relations:
        for chunk in point_chunks(relation):
            found.append(chunk)
            size += len(chunk)
            if size > MOST_PAIRS:
                found = [distinct_rows(np.concatenate(found))]
                size = len(found[0])
            if size > MOST_PAIRS:
                told = f"not judged: there are more than {MOST_PAIRS} {what}"
                raise LimitError(Problem(told, "choose smaller parameters, see --param"))
    return distinct_rows(np.concatenate(found)) if found else np.empty((0, 0), dtype=np.int64)


_Touch = tuple[Statement, Access, Any]
# A statement, an access of it, and { [loops] -> element } at the plan's values.


def _touches(program: Program, nest: LoopNest, *, writes: bool) -> list[_Touch]:
    return [
        (one, access, fix_parameters(access.relation.apply_domain(order), program.values))
        for one, order in zip(nest.members, nest.orders, strict=True)
        for access in (one.writes if writes else one.sees)
    ]


def _dependences(
    program: Program, first: LoopNest, second: LoopNest
) -> Iterator[tuple[_Touch, _Touch, Any]]:
    """Accesses to one array, at least one a write, with { [loops] -> [loops] } of both nests."""
    writes = [_touches(program, one, writes=True) for one in (first, second)]
    reads = [_touches(program, one, writes=False) for one in (first, second)]
    for one, other in (
        *product(writes[0], reads[1] + writes[1]),
        *product(reads[0], writes[1]),
    ):
        if one[1].array == other[1].array:
            yield one, other, one[2].apply_range(other[2].reverse())


def _pair(program: Program, nests: tuple[LoopNest, LoopNest], numbers: tuple[int, int]) -> Pair:
    """Dependent iterations, given by their numbers, in words."""
    points = [
        instance_at(nest.ranking, program.values, number)
        for nest, number in zip(nests, numbers, strict=True)
    ]
    for touches in _dependences(program, *nests):
        elements = [
            _elements(program, touch, point)
            for touch, point in zip(touches[:2], points, strict=True)
        ]
        both = elements[0].intersect(elements[1])
        if both.is_empty():
            continue
        found = lexmin(both).sample_point().get_multi_val()
        at = [found.get_val(k).to_python() for k in range(both.dim(DimType.set))]
        texts = [
            f"{instance_text(touch[0], point)} (number {number})"
            for touch, point, number in zip(touches[:2], points, numbers, strict=True)
        ]
        return Pair(first=texts[0], second=texts[1], element=element_text(touches[0][1].array, at))
    raise AssertionError("iterations that depend by none of their accesses")


def _elements(program: Program, touch: _Touch, point: Sequence[int]) -> Any:
    """The elements that an instance accesses, at the plan's values."""
    relation = fix_parameters(touch[1].relation, program.values)
    for position, value in enumerate(point):
        relation = relation.fix_val(DimType.in_, position, value)
    return relation.range()
