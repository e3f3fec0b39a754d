"""The values that the arrays of a program have: which write made them, and what bits they are.

Values come from a recorded run of the original; where it has none (an arrival nobody reads) they
are made up, so that they tell elements apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from math import prod

import numpy as np

from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.core.budgets import NUMBERS
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains, evaluate
from hlsmem.program.model import Access, Program, Statement

NOTHING = -1
_NO_BEATS = np.zeros(0, dtype=bool)
_MOST_NUMBERS = 1 << 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """All instances of a statement, in schedule order; `place` is theirs among all instances.

    `points` (int64, shape (instances, loops)), `times` (shape (instances, time dimensions));
    `moment` numbers the times of all statements in order.
    """

    statement: Statement
    points: np.ndarray = field(compare=False)
    times: np.ndarray = field(compare=False)
    moment: np.ndarray = field(compare=False)
    place: np.ndarray = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The values of one array: those that are written, in order, then those it has at first.

    `element` (int64, shape (values, rank)); `version` numbers the writes of all arrays, -1 is the
    first content; `step` is the step that writes it (shape (values, entries)) where steps are
    atomic.
    """

    array: str
    element: np.ndarray = field(compare=False)
    bits: np.ndarray = field(compare=False)  # uint64
    version: np.ndarray = field(compare=False)
    step: np.ndarray = field(compare=False)
    written: int

    def initial(self) -> np.ndarray:
        """The values that are there at first and are read, or leave, in row-major order."""
        return np.arange(self.written, len(self.element))


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The values of an array and who has them.

    By (statement, number of the access) the value of each instance, NOTHING where it makes no
    access; `drained` are the values of the elements that are live after the program. Under
    conditions `idle` are the instances of a statement that do not run, `free` operands of these
    and others that nothing provides in the run, `drained_free` elements that nothing wrote.
    """

    values: Values
    reads: Mapping[tuple[str, int], np.ndarray] = field(compare=False)
    writes: Mapping[tuple[str, int], np.ndarray] = field(compare=False)
    drained: np.ndarray = field(compare=False)
    free: Mapping[tuple[str, int], np.ndarray] = field(default_factory=dict, compare=False)
    idle: Mapping[str, np.ndarray] = field(default_factory=dict, compare=False)
    drained_free: np.ndarray = field(default_factory=lambda: _NO_BEATS, compare=False)


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a run: which instances of each statement ran, the elements live at first."""

    instances: Mapping[str, np.ndarray] = field(compare=False)
    live_in: np.ndarray = field(compare=False)


def running(recorded: Recorded | None, families: Sequence[Family]) -> dict[str, np.ndarray] | None:
    """Mask of instances that ran (bool), by statement; None where no filter decides on any."""
    if not any(family.statement.filters for family in families):
        return None
    found = {family.statement.name: np.ones(len(family.points), bool) for family in families}
    if recorded is None or recorded.run.ran is None:
        return found
    for number, family in enumerate(families):
        own = np.flatnonzero((recorded.family == number) & (recorded.row >= 0))
        found[family.statement.name][recorded.row[own]] = recorded.run.ran[own]
    return found


def families_of(program: Program) -> tuple[Family, ...]:
    """The instances of all statements at the plan's parameters."""
    found = []
    for statement in program.statements:
        domain = fix_parameters(statement.domain, program.values)
        points = distinct_points(domain)
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        times = evaluate(schedule, points)
        order = np.lexsort((*points.T[::-1], *times.T[::-1]))
        found.append((points[order], times[order]))
    sizes = [len(points) for points, _ in found]
    textual = np.repeat(np.arange(len(found)), sizes)
    times = np.concatenate([times for _, times in found])
    moments, _ = row_numbers(times)
    place = np.empty(len(moments), dtype=np.int64)
    place[np.lexsort((textual, moments))] = np.arange(len(moments))
    ends = np.cumsum(sizes)[:-1]
    split = zip(np.split(moments, ends), np.split(place, ends), strict=True)
    return tuple(
        Family(statement=statement, points=points, times=times, moment=moment, place=own)
        for statement, (points, times), (moment, own) in zip(
            program.statements, found, split, strict=True
        )
    )


def touched(program: Program, family: Family, access: Access) -> tuple[np.ndarray, np.ndarray]:
    """The instances (their rows) that make an access, and the element of each."""
    domain = fix_parameters(family.statement.domain, program.values)
    relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
    rows = np.flatnonzero(contains(relation.domain(), family.points))
    return rows, evaluate(relation, family.points[rows])


# A write access of a family: its number in the statement, instances that make it, elements.
Made = tuple[Family, int, np.ndarray, np.ndarray]


def held(
    program: Program,
    families: Sequence[Family],
    array: str,
    live_out: np.ndarray,
    versions: Mapping[tuple[str, int], np.ndarray],
    steps: int,
    fill: np.ndarray,
    outcome: Ran | None = None,
) -> Held:
    """The values of an array without their bits (0); `versions` as `versions_of` numbers writes.

    `fill` are elements whose first content is there whether somebody reads it or not. With an
    `outcome` a read sees what instances that ran have written, else the first content, where there
    is one; without either it has a value that does not matter.

    `live_out` are the elements that leave after the program, `steps` the leading entries of a time
    that make a step, 0 where steps are not atomic.
    """
    rank = len(program.arrays[array].index)
    made = [
        (family, number, *touched(program, family, access))
        for family in families
        for number, access in enumerate(family.statement.writes)
        if access.array == array
    ]
    none = np.zeros((0, rank), dtype=np.int64)
    element = np.concatenate([none, *(elements for *_, elements in made)])
    moment = _joined([family.moment[rows] for family, _, rows, _ in made])
    version = _joined([versions[f.statement.name, n][rows] for f, n, rows, _ in made])
    step = np.concatenate(
        [np.zeros((0, steps), dtype=np.int64), *(f.times[rows, :steps] for f, _, rows, _ in made)]
    )
    order = np.argsort(version, kind="stable")
    element, moment, version, step = element[order], moment[order], version[order], step[order]

    writes = _numbered(made, order)
    happened = None
    if outcome is not None:
        ran = _joined([outcome.instances[f.statement.name][rows] for f, _, rows, _ in made])
        happened = _Sources(element, moment, np.flatnonzero(ran[order].astype(bool)))
    source = partial(_source, _Sources(element, moment), happened, outcome)
    free: dict[tuple[str, int], np.ndarray] = {}
    reads: dict[tuple[str, int], np.ndarray] = {}
    unwritten: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for family in families:
        for number, access in enumerate(family.statement.reads):
            if access.array != array:
                continue
            rows, elements = touched(program, family, access)
            own = np.full(len(family.points), NOTHING, dtype=np.int32)
            own[rows], lacking = source(elements, family.moment[rows])
            reads[family.statement.name, number] = own
            if outcome is not None:
                without = ~outcome.instances[family.statement.name]
                without[rows] |= lacking
                free[family.statement.name, number] = without
            lost = own[rows] < 0
            unwritten.append((own, rows[lost], elements[lost]))
    last, drained_free = source(live_out, np.full(len(live_out), np.iinfo(np.int32).max))
    drained = last.astype(np.int32)
    lost = np.flatnonzero(drained < 0)
    unwritten.append((drained, lost, live_out[lost]))
    unwritten.append((np.empty(len(fill), dtype=np.int32), np.arange(len(fill)), fill))
    initial = _number_unwritten(unwritten, len(element), rank)
    values = _with_first_contents(array, element, version, step, initial)
    idle = {} if outcome is None else {name: ~ran for name, ran in outcome.instances.items()}
    return Held(
        values=values,
        reads=reads,
        writes=writes,
        drained=drained,
        free=free,
        idle=idle,
        drained_free=drained_free,
    )


def _numbered(made: Sequence[Made], order: np.ndarray) -> dict[tuple[str, int], np.ndarray]:
    """The number of the value that each instance writes, by statement and access; `order` has the
    writes by number."""
    number_of = np.empty(len(order), dtype=np.int64)
    number_of[order] = np.arange(len(order))
    writes: dict[tuple[str, int], np.ndarray] = {}
    first = 0
    for family, number, rows, _ in made:
        own = np.full(len(family.points), NOTHING, dtype=np.int32)
        own[rows] = number_of[first : first + len(rows)]
        first += len(rows)
        writes[family.statement.name, number] = own
    return writes


def _source(
    sources: _Sources,
    happened: _Sources | None,
    outcome: Ran | None,
    elements: np.ndarray,
    at: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The value that each element has then, and whether it does not matter which.

    With an `outcome` those of `happened` are what instances that ran have written.
    """
    if happened is None or outcome is None:
        return sources.before(elements, at), np.zeros(len(elements), dtype=bool)
    found = happened.before(elements, at)
    live = Box(outcome.live_in)
    there = set(live.numbers(outcome.live_in).tolist())
    known = np.array([k in there and k >= 0 for k in live.numbers(elements).tolist()], bool)
    other = sources.before(elements, at)
    lost = (found < 0) & ~known & (other >= 0)
    return np.where(lost, other, found), lost


def _with_first_contents(
    array: str, element: np.ndarray, version: np.ndarray, step: np.ndarray, initial: np.ndarray
) -> Values:
    """Values that are written, in their order, and behind them those that elements begin with."""
    before = np.full((len(initial), step.shape[1]), -1, dtype=np.int64)
    return Values(
        array=array,
        element=np.concatenate([element, initial]),
        bits=np.zeros(len(element) + len(initial), dtype=np.uint64),
        version=np.concatenate([version, np.full(len(initial), -1, dtype=np.int64)]),
        step=np.concatenate([step, before]),
        written=len(element),
    )


def versions_of(
    families: Sequence[Family], planned: set[str]
) -> Mapping[tuple[str, int], np.ndarray]:
    """Numbers of the writes of the planned arrays in order, by statement and number of access."""
    keys = [
        (family, number)
        for family in families
        for number, access in enumerate(family.statement.writes)
        if access.array in planned
    ]
    place = _joined([family.place for family, _ in keys])
    numbers = _joined([np.full(len(f.place), n, dtype=np.int64) for f, n in keys])
    rank = np.empty(len(place), dtype=np.int64)
    rank[np.lexsort((numbers, place))] = np.arange(len(place))
    ends = np.cumsum([len(family.place) for family, _ in keys])[:-1]
    split = np.split(rank, ends) if keys else []
    return {
        (family.statement.name, number): own
        for (family, number), own in zip(keys, split, strict=True)
    }


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _number_unwritten(
    unwritten: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], first: int, rank: int
) -> np.ndarray:
    """Number the first contents that are read from `first` on; returns their elements."""
    elements = np.concatenate([np.zeros((0, rank), dtype=np.int64), *(e for *_, e in unwritten)])
    if not len(elements):
        return elements
    numbers, count = row_numbers(elements) if rank else (np.zeros(len(elements), dtype=int), 1)
    found = np.zeros((count, rank), dtype=np.int64)
    found[numbers] = elements
    start = 0
    for own, rows, part in unwritten:
        own[rows] = first + numbers[start : start + len(part)]
        start += len(part)
    return found


class _Sources:
    """The writes of an array, to be asked for the last one of an element before a moment."""

    def __init__(
        self, element: np.ndarray, moment: np.ndarray, only: np.ndarray | None = None
    ) -> None:
        self.box = Box(element)
        self.span = int(moment.max(initial=0)) + 2
        key = self.box.numbers(element) * self.span + moment
        kept = np.arange(len(key)) if only is None else only
        self.order = kept[np.argsort(key[kept], kind="stable")]
        self.key = key[self.order]

    def before(self, element: np.ndarray, moment: np.ndarray) -> np.ndarray:
        """For each element the number of its last write before the moment, or -1."""
        cell = self.box.numbers(element)
        limit = np.minimum(moment, self.span - 1)
        at = np.searchsorted(self.key, cell * self.span + limit, side="left") - 1
        if not len(self.key):
            return np.full(len(element), NOTHING, dtype=np.int64)
        inside = (at >= 0) & (cell >= 0)
        inside &= self.key[at] // self.span == cell
        return np.where(inside, self.order[at], NOTHING)


class Box:
    """Numbers for points of the least box around some: mixed radix, -1 outside of the box.

    Where the box is too large for that, only the coordinates that occur count.
    """

    def __init__(self, points: np.ndarray) -> None:
        self.is_empty = not len(points)
        self.low: list[int] = []
        self.sizes: list[int] = []
        self.coordinates: list[np.ndarray] = []
        if self.is_empty:
            return
        self.low = points.min(axis=0).tolist()
        self.sizes = (points.max(axis=0) - points.min(axis=0) + 1).tolist()
        if self.cells > _MOST_NUMBERS:
            self.coordinates = [np.unique(column) for column in points.T]
            self.sizes = [len(column) for column in self.coordinates]

    @property
    def cells(self) -> int:
        return 0 if self.is_empty else prod(self.sizes)

    def numbers(self, points: np.ndarray) -> np.ndarray:
        if self.is_empty:
            return np.full(len(points), -1, dtype=np.int64)
        found = np.zeros(len(points), dtype=np.int64)
        inside = np.ones(len(points), dtype=bool)
        for k, column in enumerate(points.T):
            if self.coordinates:
                place = np.searchsorted(self.coordinates[k], column)
                place = np.minimum(place, self.sizes[k] - 1)
                inside &= self.coordinates[k][place] == column
            else:
                place = column - self.low[k]
                inside &= (place >= 0) & (place < self.sizes[k])
            found = found * self.sizes[k] + place
        found[~inside] = -1
        return found


class Recorded:
    """A run seen from the families: which row each of its instances is, -1 where it is none."""

    def __init__(self, run: Run, families: Sequence[Family]) -> None:
        self.run = run
        self.row = np.full(len(run.statement), -1, dtype=np.int64)
        self.family = np.full(len(run.statement), -1, dtype=np.int64)
        numbers = {family.statement.name: n for n, family in enumerate(families)}
        for position, name in enumerate(run.statements):
            if name not in numbers:
                continue
            own = np.flatnonzero(run.statement == position)
            points = families[numbers[name]].points
            self.family[own] = numbers[name]
            self.row[own] = _rows_in(points, run.iterators[own, : run.depths[position]])


def _rows_in(points: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """For each wanted point its row in distinct `points`, or -1."""
    if not len(points) or points.shape[1] != wanted.shape[1]:
        return np.full(len(wanted), -1, dtype=np.int64)
    box = Box(points)
    own, key = box.numbers(points), box.numbers(wanted)
    order = np.argsort(own)
    at = np.minimum(np.searchsorted(own[order], key), len(own) - 1)
    found = order[at]
    return np.where(own[found] == key, found, -1)


def with_bits(held: Held, recorded: Recorded | None, families: Sequence[Family], bits: int) -> Held:
    """The values with the bits that the run gave them; of what it does not show, made-up ones."""
    values = held.values
    mask = np.uint64((1 << bits) - 1)
    found = _made_up(values) & mask
    if recorded is None or values.array not in recorded.run.accesses:
        return replace(held, values=replace(values, bits=found))
    accesses = recorded.run.accesses[values.array]
    initial = _initial(values, accesses)
    known = initial >= 0
    arrives = np.zeros(len(found), dtype=bool)
    arrives[values.written :] = True
    for family in families:
        if not family.statement.reads:
            for (name, _), own in held.writes.items():
                if name == family.statement.name:
                    arrives[own[own >= 0]] = True
    known &= arrives
    found[known] = accesses.bits[initial[known]].astype(np.uint64) & mask
    written = np.flatnonzero(accesses.write)
    instance = accesses.instance[written]
    for number, family in enumerate(families):
        own = recorded.family[instance] == number
        rows = recorded.row[instance[own]]
        there = rows >= 0
        given = accesses.bits[written[own][there]].astype(np.uint64) & mask
        for (name, _), values_of in held.writes.items():
            if name == family.statement.name:
                target = values_of[rows[there]]
                found[target[target >= 0]] = given[target >= 0]
    return replace(held, values=replace(values, bits=found))


def _initial(values: Values, accesses: Accesses) -> np.ndarray:
    """For each value the access that reads its element first of all, -1 where it is written."""
    box = Box(values.element)
    if box.cells > NUMBERS:
        return _initial_of_rows(values, accesses)
    first = np.full(max(box.cells, 1), -1, dtype=np.int64)
    cell = box.numbers(accesses.element)
    inside = np.flatnonzero(cell >= 0)[::-1]
    first[cell[inside]] = inside
    found = first[box.numbers(values.element)]
    return _reads_only(found, accesses)


def _initial_of_rows(values: Values, accesses: Accesses) -> np.ndarray:
    """The same where elements are far apart."""
    rows = np.concatenate([values.element, accesses.element])
    numbers, count = row_numbers(rows)
    first = np.full(count, -1, dtype=np.int64)
    own = numbers[len(values.element) :]
    first[own[::-1]] = np.arange(len(own))[::-1]
    return _reads_only(first[numbers[: len(values.element)]], accesses)


def _reads_only(access: np.ndarray, accesses: Accesses) -> np.ndarray:
    if not len(accesses):
        return access
    return np.where((access >= 0) & ~accesses.write[access], access, -1)


def _made_up(values: Values) -> np.ndarray:
    """Bits that tell values apart: their numbers, mixed (splitmix64)."""
    salt = sum(ord(letter) << (8 * (k % 7)) for k, letter in enumerate(values.array))
    mixed = np.arange(1, len(values.element) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= np.uint64(salt & (1 << 63) - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    return mixed ^ mixed >> np.uint64(31)
