"""Every instance of a program with its step, iteration and elements, in numpy columns.

Columns are shown as arithmetic runs: [first, difference, length, first, difference, ..].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, PwMultiAff
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Order, Program, Statement

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Touch:
    """An access of all instances of a statement: `elements` (int64, instances x rank).

    `present` says which instances make it, None: all. `wire` says which of these reads take a
    value that is made in the same step, None: none; they touch no cell.
    """

    access: Access
    writes: bool
    elements: np.ndarray
    present: np.ndarray | None
    wire: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Instances:
    """The instances of a statement in order of time.

    `iterations` has shape instances x loops, `steps` the number of the step of each, `ranks` its
    place in the full order of the program.
    """

    statement: Statement
    iterations: np.ndarray
    steps: np.ndarray
    ranks: np.ndarray
    touches: tuple[Touch, ...]

    def between(self, low: int, high: int) -> Instances:
        """Those of the steps from `low` to `high`, which count from `low` then."""
        kept = slice(*self.steps.searchsorted([low, high + 1]).tolist())
        touches = tuple(
            Touch(
                one.access,
                one.writes,
                one.elements[kept],
                None if one.present is None else one.present[kept],
                None if one.wire is None else one.wire[kept],
            )
            for one in self.touches
        )
        return Instances(
            self.statement, self.iterations[kept], self.steps[kept] - low, self.ranks[kept], touches
        )


def accesses_of(program: Program, arrays: Sequence[str]) -> int:
    """Number of accesses that the program makes to some arrays, at the plan's values."""
    total = 0
    for statement in program.statements:
        many = sum(one.array in arrays for one in (*statement.reads, *statement.writes))
        total += many * count(fix_parameters(statement.domain, program.values)) if many else 0
    return total


def instances_of(
    program: Program, arrays: Sequence[str], within: Any = None
) -> tuple[Instances, ...]:
    """All instances, or those at times in the set `within`, with their accesses to some arrays.

    Raises LimitError where an access touches several elements at once.
    """
    import numpy as np

    listed = []
    for statement in program.statements:
        times = fix_parameters(
            statement.schedule.intersect_domain(statement.domain), program.values
        )
        if within is not None:
            times = times.intersect_range(within)
        rows = distinct_points(times)
        depth = times.dim(DimType.in_)
        listed.append((statement, times, rows[:, :depth], rows[:, depth:]))
    every = np.concatenate([times for *_, times in listed])
    keys = _keys(every)
    ranks = _ranks(keys)
    depth = (
        program.time_dimensions if program.order is Order.SEQUENTIAL else program.step_dimensions
    )
    whole = depth == program.time_dimensions
    steps = ranks if whole else _ranks(_keys(every[:, :depth]))
    found, start = [], 0
    for statement, times, iterations, own in listed:
        stop = start + len(own)
        own_ranks, own_steps = ranks[start:stop], steps[start:stop]
        start = stop
        order = np.argsort(own_ranks, kind="stable")
        touches = tuple(_touches(program, statement, times.domain(), iterations, order, arrays))
        found.append(
            Instances(statement, iterations[order], own_steps[order], own_ranks[order], touches)
        )
    if program.order is Order.ITERATION:
        return tuple(_with_wires(found, arrays))
    return tuple(found)


def _ranks(keys: np.ndarray) -> np.ndarray:
    """The place of each key among the distinct ones."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    new = np.zeros(len(keys), dtype=np.int64)
    new[1:] = np.diff(keys[order]) != 0
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.cumsum(new)
    return ranks


def _keys(rows: np.ndarray) -> np.ndarray:
    """A number for each row, in lexicographic order."""
    import numpy as np

    key = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in rows.T if len(rows) else ():
        low, span = int(column.min()), int(column.max() - column.min()) + 1
        if size * span >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            size = int(key.max()) + 1
        key *= span
        key += column - low
        size *= span
    return key


def _touches(
    program: Program,
    statement: Statement,
    domain: Any,
    iterations: np.ndarray,
    order: np.ndarray,
    arrays: Sequence[str],
) -> Iterator[Touch]:
    for writes, accesses in ((False, statement.reads), (True, statement.writes)):
        for access in accesses:
            if access.array not in arrays:
                continue
            elements, present = _elements(program.values, access, domain, iterations)
            yield Touch(
                access, writes, elements[order], None if present is None else present[order]
            )


def _elements(
    values: Mapping[str, int], access: Access, domain: Any, iterations: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """The element of each instance, and which instances make the access (None: all)."""
    import numpy as np

    relation = fix_parameters(access.relation, values).intersect_domain(domain)
    if not relation.is_single_valued():
        raise LimitError(
            Problem(
                f"{access.array!r} is accessed at several elements at once",
                "a page draws one element an access: look at the report and the pictures",
                access.source_location,
            )
        )
    whole = bool(domain.is_subset(relation.domain()))
    depth, rank = iterations.shape[1], relation.dim(DimType.out)
    if whole:
        forms = _affine(relation, depth, rank)
        if forms is not None:
            factors, constants = forms
            return iterations @ factors.T + constants, None
    rows = distinct_points(relation)
    if len(rows) == len(iterations):
        return rows[:, depth:], None
    # Both are in lexicographic order of the instances.
    together = _keys(np.concatenate([iterations, rows[:, :depth]]))
    places = np.searchsorted(together[: len(iterations)], together[len(iterations) :])
    present = np.zeros(len(iterations), dtype=bool)
    present[places] = True
    elements = np.zeros((len(iterations), rank), dtype=np.int64)
    elements[places] = rows[:, depth:]
    return elements, present


def _affine(relation: Any, depth: int, rank: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Factors (rank x depth) and constants of a map that is one integral affine form."""
    import numpy as np

    value = PwMultiAff.from_map(relation.coalesce())
    if value.n_piece() != 1:
        return None
    pieces: list[Any] = []
    value.foreach_piece(lambda _, piece: pieces.append(piece))
    factors = np.zeros((rank, depth), dtype=np.int64)
    constants = np.zeros(rank, dtype=np.int64)
    for row in range(rank):
        form = pieces[0].get_aff(row)
        if form.dim(DimType.div):
            return None
        entries = [form.get_coefficient_val(DimType.in_, k) for k in range(depth)]
        entries.append(form.get_constant_val())
        if not all(entry.is_int() for entry in entries):
            return None
        *own, last = [entry.to_python() for entry in entries]
        factors[row], constants[row] = own, last
    return factors, constants


def _with_wires(found: Sequence[Instances], arrays: Sequence[str]) -> Iterator[Instances]:
    """Reads that take a value written earlier in the same step are marked."""
    import numpy as np

    writes: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for array in arrays:
        parts = [
            (np.column_stack([one.steps, touch.elements])[_made(touch)], one.ranks[_made(touch)])
            for one in found
            for touch in one.touches
            if touch.writes and touch.access.array == array
        ]
        if parts:
            rows, ranks = (np.concatenate(column) for column in zip(*parts, strict=True))
            writes[array] = rows, ranks
    for one in found:
        touches = []
        for touch in one.touches:
            wire = None
            if not touch.writes and touch.access.array in writes:
                wire = _is_wire(one, touch, *writes[touch.access.array])
            touches.append(Touch(touch.access, touch.writes, touch.elements, touch.present, wire))
        yield Instances(one.statement, one.iterations, one.steps, one.ranks, tuple(touches))


def _made(touch: Touch) -> Any:
    return slice(None) if touch.present is None else touch.present


def _is_wire(
    one: Instances, touch: Touch, written: np.ndarray, ranks: np.ndarray
) -> np.ndarray | None:
    import numpy as np

    read = np.column_stack([one.steps, touch.elements])
    keys = _keys(np.concatenate([written, read]))
    own, asked = keys[: len(written)], keys[len(written) :]
    order = np.lexsort((ranks, own))
    own, first = own[order], ranks[order]
    place = np.minimum(np.searchsorted(own, asked), len(own) - 1)
    wire: np.ndarray = (own[place] == asked) & (first[place] < one.ranks)
    if touch.present is not None:
        wire &= touch.present
    return wire if wire.any() else None


def runs_of(column: np.ndarray) -> list[int]:
    """The runs of a column, greedy from the left; a run of one has difference 0.

    >>> import numpy as np
    >>> runs_of(np.array([0, 130, 132, 134, 7]))
    [0, 130, 2, 132, 2, 2, 7, 0, 1]
    """
    import numpy as np

    count = len(column)
    if not count:
        return []
    steps = np.diff(column)
    # Stretches of equal differences: a run takes one, and the difference behind it is lost.
    ends = np.append(np.flatnonzero(np.diff(steps)) + 1, len(steps)).tolist()
    found: list[int] = []
    start, stretch = 0, 0
    while start < count:
        while stretch < len(ends) and ends[stretch] <= start:
            stretch += 1
        if start == count - 1:
            found += [int(column[start]), 0, 1]
            break
        last = ends[stretch]
        found += [int(column[start]), int(steps[start]), last - start + 1]
        start = last + 1
    return found
