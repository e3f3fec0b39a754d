"""The beats every stream must have, worked out from the program alone.

All instances are put in schedule order, and every read is given the value that was written last:
arrays are unfolded here. Beats are columns of numbers, for a run may have millions of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from hlsmem.check.networks.predicate_columns import filter_rows
from hlsmem.check.plans.plan_parts import lanes_of, only_looked_at
from hlsmem.check.rebuilt.run_prefix import Prefix, first_contents, stream_totals
from hlsmem.check.replayed.array_values import (
    NOTHING,
    Family,
    Held,
    Ran,
    Recorded,
    Values,
    families_of,
    held,
    running,
    versions_of,
    with_bits,
)
from hlsmem.check.replayed.carried_values import Waits, waits_of
from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.simulated_device import READ, WRITE
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Order, Program, Storage
from hlsmem.program.predicate_reads import predicate_reading

Element = tuple[int, ...]

_BEFORE, _DURING, _AFTER = -1, 0, 1
# Accesses that are compared at once.
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Operand:
    """One element in a beat; `version` numbers the write whose value it is (-1: live-in).

    `step` is the step that write is made in (None: before the program).
    """

    element: Element
    bits: int
    version: int
    step: Element | None = None


@dataclass(frozen=True, slots=True)
class Beat:
    """One beat: operands in textual order (None: not there).

    `step` is its step where steps are atomic: a value made in it may come by a wire.
    """

    instance: Element
    operands: tuple[Operand | None, ...]
    step: Element | None = None

    def may_be_wired(self, operand: Operand) -> bool:
        return self.step is not None and operand.step == self.step


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamBeats:
    """A stream with its beats; `statement` is None for the fill and the drain of a memory.

    `point` (int64, shape (beats, loops)) and `time` (shape (beats, time dimensions)) are those of
    its instances (of fills and drains, elements); `value` (int32, shape (beats, operands)) are rows
    of `values`, NOTHING where an operand is not there; `step` (shape (beats, entries)) has no
    entries where steps are not atomic. `rank` grows with the program's own order over the beats of
    all streams, reads before writes. `total` are its beats in the whole run. `free` (bool, as
    `value`) are operands without a value of their own: of instances that do not run, or of reads
    that nothing provides in this run; None where all have one. `passed` counts the instances that
    do not run, where these have no beat.
    """

    name: str
    array: str
    statement: str | None
    direction: str
    values: Values = field(compare=False)
    point: np.ndarray = field(compare=False)
    time: np.ndarray = field(compare=False)
    step: np.ndarray = field(compare=False)
    value: np.ndarray = field(compare=False)
    rank: np.ndarray = field(compare=False)
    total: int = 0
    free: np.ndarray | None = field(default=None, compare=False)
    passed: int = 0

    def matters(self) -> np.ndarray:
        """Mask of operands that are there and have a value: bool, shape (beats, operands)."""
        return self.value >= 0 if self.free is None else (self.value >= 0) & ~self.free

    def __len__(self) -> int:
        return len(self.value)

    @property
    def operands(self) -> int:
        return int(self.value.shape[1])

    def beat(self, number: int) -> Beat:
        step = tuple(self.step[number].tolist())
        return Beat(
            instance=tuple(self.point[number].tolist()),
            operands=tuple(self._operand(value) for value in self.value[number].tolist()),
            step=step if self.has_steps else None,
        )

    @property
    def beats(self) -> list[Beat]:
        """Every beat as a value of its own: for short streams."""
        return [self.beat(number) for number in range(len(self))]

    @property
    def has_steps(self) -> bool:
        return bool(self.step.shape[1])

    def _operand(self, value: int) -> Operand | None:
        if value < 0:
            return None
        step = tuple(self.values.step[value].tolist())
        there = self.values.version[value] >= 0 and self.values.step.shape[1]
        return Operand(
            element=tuple(self.values.element[value].tolist()),
            bits=int(self.values.bits[value]),
            version=int(self.values.version[value]),
            step=step if there else None,
        )

    def may_be_wired(self) -> np.ndarray:
        """Mask of operands that may come by a wire: bool, shape (beats, operands)."""
        if not self.has_steps or not len(self.values.step):
            return np.zeros(self.value.shape, dtype=bool)
        found = self.value >= 0
        for entry in range(self.step.shape[1]):
            found &= self.values.step[self.value, entry] == self.step[:, entry : entry + 1]
        return found

    def place_of(self, beat: int) -> str:
        """Name of a beat, for people: its number and its statement instance or element."""
        if not 0 <= beat < len(self) or self.statement is None:
            return f"beat {beat}"
        instance = ",".join(str(value) for value in self.point[beat].tolist())
        return f"beat {beat} ({self.statement}[{instance}])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instances:
    """The instances of a statement in order that have beats: the streams each has them on.

    Instance i has beats on the streams `patterns[pattern[i]]`, reads first. Where the datapath
    keeps values for others all that run are listed: before instance i, `waits[S][i]` of those of S
    have their results.
    """

    patterns: tuple[tuple[str, ...], ...]
    pattern: np.ndarray = field(compare=False)
    waits: Mapping[str, np.ndarray] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.pattern)


@dataclass(frozen=True, slots=True)
class Traffic:
    """All streams, the instances of each statement in order, and where the run disagrees."""

    streams: Mapping[str, StreamBeats]
    instances: Mapping[str, Instances]
    disagreement: str | None


def element_text(array: str, element: Sequence[int]) -> str:
    return array + "".join(f"[{index}]" for index in element)


def traffic(whole: Program, run: Run | None, prefix: Prefix | None = None) -> Traffic:
    """The beats of all streams of a program, with the values of `run`; of a `prefix`, only its.

    Memories are filled with all that the whole program needs of them.
    """
    program = whole if prefix is None else prefix.of(whole)
    families = families_of(program)
    recorded = None if run is None else Recorded(run, families)
    unknown = set(program.decided_by_data())  # these have no streams
    unknown |= {k for k, one in program.arrays.items() if program.is_state(k) and one.first is None}
    unknown |= {one for one in program.arrays if only_looked_at(program, one)}
    ran = running(recorded, families)
    planned = [array.name for array in program.planned_arrays() if array.name not in unknown]
    versions = versions_of(families, set(planned))
    steps = 0 if program.order is Order.SEQUENTIAL else program.step_dimensions
    streams: list[StreamBeats] = []
    disagreement: tuple[int, str] | None = None
    for array in planned:
        live_out = _live_elements(program, program.live_out, array)
        bits = program.arrays[array].element.bits
        fill = live_out[:0]
        if program.arrays[array].storage is Storage.MEMORY and (prefix is not None or ran):
            fill = first_contents(whole, array)
        first = _live_elements(program, program.live_in, array)
        outcome = None if ran is None else Ran(ran, first)
        own = held(program, families, array, live_out, versions, steps, fill, outcome)
        own = with_bits(own, recorded, families, bits)
        if recorded is not None:
            found = _disagreement(program, recorded, families, own, bits)
            disagreement = min((one for one in (disagreement, found) if one), default=None)
        for family in families:
            streams += _of_statement(family, own, steps)
        if program.arrays[array].storage is Storage.MEMORY:
            streams += _edges(own)
    streams = [one for one in streams if len(one) or one.passed]
    if program.lanes:
        streams = [_side_by_side(whole, one) for one in streams]
    reading = {one.statement for one in streams if one.statement and one.direction == READ}
    waits = waits_of(program, families, reading - predicate_reading(program), ran)
    instances = _instances(program, families, streams, waits, ran)
    ranked = {one.name: one for one in _ranked(program, streams, steps)}
    if prefix is not None:
        ranked = _with_totals(ranked, whole)
    return Traffic(ranked, instances, disagreement[1] if disagreement else None)


def _with_totals(streams: Mapping[str, StreamBeats], whole: Program) -> dict[str, StreamBeats]:
    """The streams of a beginning with their beats in the whole run, also those not yet begun."""
    found = {}
    for name, (array, statement, direction, total) in stream_totals(whole).items():
        stream = streams.get(name) or empty_stream(name, array, statement, direction)
        found[name] = replace(stream, total=total, passed=0)
    return found


def empty_stream(name: str, array: str, statement: str | None, direction: str) -> StreamBeats:
    """A stream without a beat."""
    none = np.zeros((0, 0), dtype=np.int64)
    column = np.zeros(0, dtype=np.int64)
    values = Values(
        array=array,
        element=none,
        bits=column.astype(np.uint64),
        version=column,
        step=none,
        written=0,
    )
    return StreamBeats(
        name=name,
        array=array,
        statement=statement,
        direction=direction,
        values=values,
        point=none,
        time=none,
        step=none,
        value=none.astype(np.int32),
        rank=column,
    )


def _of_statement(family: Family, own: Held, steps: int) -> Iterator[StreamBeats]:
    """The streams that a statement has of one array: one of reads, one of writes."""
    statement, array = family.statement, own.values.array
    reads = [own.reads[key] for key in own.reads if key[0] == statement.name]
    writes = [own.writes[key] for key in own.writes if key[0] == statement.name]
    lacks = [own.free[key] for key in own.reads if key[0] == statement.name and key in own.free]
    idle = own.idle.get(statement.name)
    for direction, prefix, columns in ((READ, "m", reads), (WRITE, "s", writes)):
        if not columns:
            continue
        value = np.stack(columns, axis=1)
        free = None
        if direction == READ:
            rows = np.flatnonzero((value >= 0).any(axis=1))
            value = value[rows]
            if lacks:
                free = np.stack(lacks, axis=1)[rows]
        else:  # each write of an instance is a beat of its own
            rows, column = np.nonzero(value >= 0)
            value = value[rows, column][:, None]
            if idle is not None:
                free = idle[rows][:, None]
        passed = 0
        if idle is not None and statement.looks_apart:
            runs = ~idle[rows]
            passed = int(np.count_nonzero(~runs))
            rows, value = rows[runs], value[runs]
            free = None if free is None else free[runs]
        yield StreamBeats(
            name=f"{prefix}_{array}_{statement.name}",
            array=array,
            statement=statement.name,
            direction=direction,
            values=own.values,
            point=family.points[rows],
            time=family.times[rows],
            step=family.times[rows, :steps],
            value=value,
            free=free,
            passed=passed,
            rank=rows,  # until the beats of all streams are put in order
        )


def _edges(own: Held) -> Iterator[StreamBeats]:
    """The fill of a memory, with the first contents that are needed, and its drain."""
    array = own.values.array
    edges = (
        (WRITE, f"s_{array}_fill", own.values.initial()),
        (READ, f"m_{array}_drain", own.drained),
    )
    for direction, name, value in edges:
        element = own.values.element[value]
        yield StreamBeats(
            name=name,
            array=array,
            statement=None,
            direction=direction,
            values=own.values,
            point=element,
            time=element,
            step=np.zeros((len(value), 0), dtype=np.int64),
            value=value.astype(np.int32)[:, None],
            free=own.drained_free[:, None] if direction == READ and own.idle else None,
            rank=np.zeros(len(value), dtype=np.int64),
        )


def _side_by_side(whole: Program, stream: StreamBeats) -> StreamBeats:
    """One beat of the instances that differ in their lanes alone, with all their operands."""
    if stream.statement is None:
        return stream
    lanes, rest = _lanes(whole)
    statement = next(one for one in whole.statements if one.name == stream.statement)
    order = np.array(sorted(lanes_of(whole, statement)), dtype=np.int64)
    lane = (stream.time[:, None, lanes] == order[None, :, :]).all(axis=2).argmax(axis=1)
    groups, first, group = np.unique(
        stream.time[:, rest], axis=0, return_index=True, return_inverse=True
    )
    group = group.reshape(-1)
    many = stream.operands
    value = np.full((len(groups), len(order), many), NOTHING, dtype=np.int32)
    value[group, lane] = stream.value
    free = np.ones(value.shape, dtype=bool)
    free[group, lane] = False if stream.free is None else stream.free
    least = np.full(len(groups), len(order), dtype=np.int64)
    np.minimum.at(least, group, lane)
    first[group[lane == least[group]]] = np.flatnonzero(lane == least[group])
    return replace(
        stream,
        point=stream.point[first],
        time=stream.time[first],
        step=stream.step[first],
        value=value.reshape(len(groups), len(order) * many),
        free=None if stream.free is None else free.reshape(len(groups), len(order) * many),
        rank=stream.rank[first],
    )


def _lanes(program: Program) -> tuple[list[int], list[int]]:
    """The entries of a time that are lanes, and the others."""
    first = program.step_dimensions
    lanes = list(range(first, first + len(program.lanes)))
    return lanes, [k for k in range(program.time_dimensions) if k not in lanes]


def _instances(
    program: Program,
    families: Sequence[Family],
    streams: Sequence[StreamBeats],
    waits: Waits,
    ran: Mapping[str, np.ndarray] | None,
) -> Mapping[str, Instances]:
    """Per statement which streams its instances have beats on, and what they wait for."""
    found = {}
    predicate_reads = predicate_reading(program)  # these end inside
    carrying = waits.keys() | {writer for own in waits.values() for writer in own}
    for family in families:
        name = family.statement.name
        own = [one for one in streams if one.statement == name]
        if (not own and name not in carrying) or name in predicate_reads:
            continue
        own.sort(key=lambda one: one.direction == WRITE)
        mask = np.zeros(len(family.points), dtype=np.int64)
        if program.lanes:
            rows = [_row_of_group(program, family, one) for one in own]
        else:
            rows = [one.rank for one in own]
        for bit, mine in enumerate(rows):
            mask[mine] |= 1 << bit
        there = mask > 0
        if name in carrying:
            passes = ran is not None and family.statement.looks_apart
            there = ran[name] if ran is not None and passes else np.ones(len(mask), dtype=bool)
        kinds, pattern = np.unique(mask[there], return_inverse=True)
        found[name] = Instances(
            patterns=tuple(
                tuple(one.name for bit, one in enumerate(own) if kind >> bit & 1)
                for kind in kinds.tolist()
            ),
            pattern=pattern.reshape(-1),
            waits=waits.get(name, {}),
        )
    return found


def _row_of_group(program: Program, family: Family, stream: StreamBeats) -> np.ndarray:
    """For each wide beat a number that all beats of the same instances have, in order."""
    rest = _lanes(program)[1]
    every, _ = np.unique(family.times[:, rest], axis=0, return_index=True)
    both = np.concatenate([every, stream.time[:, rest]])
    _, number = np.unique(both, axis=0, return_inverse=True)
    return number.reshape(-1)[len(every) :]


def _ranked(program: Program, streams: Sequence[StreamBeats], steps: int) -> list[StreamBeats]:
    """The streams with the ranks of their beats."""
    textual = {statement.name: n for n, statement in enumerate(program.statements)}
    columns = []
    for one in streams:
        size, edge = len(one), one.statement is None
        phase = _DURING if not edge else (_BEFORE if one.direction == WRITE else _AFTER)
        time = np.zeros((size, program.time_dimensions), dtype=np.int64)
        if not edge:
            time = one.time
        first = time if not steps else time[:, :steps]
        keys = [np.full(size, phase), *first.T, np.full(size, one.direction == WRITE)]
        keys += [*time.T] if steps else []
        keys += [np.full(size, textual.get(one.statement or "", 0)), np.arange(size)]
        columns.append(np.stack([key.astype(np.int64) for key in keys]))
    if not columns:
        return []
    together = np.concatenate(columns, axis=1)
    rank = np.empty(together.shape[1], dtype=np.int64)
    rank[np.lexsort(together[::-1])] = np.arange(together.shape[1])
    ends = np.cumsum([len(one) for one in streams])[:-1]
    return [
        replace(one, rank=own, total=len(one))
        for one, own in zip(streams, np.split(rank, ends), strict=True)
    ]


def _disagreement(
    program: Program, recorded: Recorded, families: Sequence[Family], own: Held, bits: int
) -> tuple[int, str] | None:
    """The first recorded read that no beat brings; with one, the schedule is not the program's.

    There may be more: C leaves out what a condition, `&&` or `||` makes needless, a beat brings all
    operands. What a filter alone looks at is no operand. The first place among the instances, and
    what is wrong, as text.
    """
    array = own.values.array
    accesses = recorded.run.accesses.get(array)
    if accesses is None:
        return None
    mask = (1 << bits) - 1
    first: tuple[int, int, int] | None = None
    for start in range(0, len(accesses), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        read = start + np.flatnonzero(~accesses.write[chunk])
        numbers = recorded.family[accesses.instance[read]]
        for number, family in enumerate(families):
            mine = read[numbers == number]
            rows = recorded.row[accesses.instance[mine]]
            mine, rows = mine[rows >= 0], rows[rows >= 0]
            columns = [own.reads[key] for key in own.reads if key[0] == family.statement.name]
            lacks = [own.free[key] for key in own.free if key[0] == family.statement.name]
            if (
                lacks
            ):  # predicate reads of filters are no operands, and what nothing provides has no value
                given = np.any([one[rows] for one in lacks], axis=0)
                mine, rows = mine[~given], rows[~given]
            if not columns or not len(mine):
                continue
            element = accesses.element[mine]
            given = accesses.bits[mine].astype(np.uint64) & np.uint64(mask)
            wrong = np.flatnonzero(~_among_operands(own, columns, rows, element, given))
            alone = _only_looked_at(program, family, own, columns, rows[wrong], element[wrong])
            wrong = wrong[~alone]
            if len(wrong):
                place = family.place[rows[wrong]]
                least = int(place.argmin())
                one = (int(place[least]), number, int(rows[wrong[least]]))
                first = one if first is None else min(first, one)
    if first is None:
        return None
    earliest, number, row = first
    return earliest, _disagreement_text(recorded, families[number], number, row, own, mask)


def _only_looked_at(
    program: Program,
    family: Family,
    own: Held,
    columns: Sequence[np.ndarray],
    rows: np.ndarray,
    element: np.ndarray,
) -> np.ndarray:
    """Mask of elements that filters of instances read, and that are none of their operands."""
    found = np.zeros(len(rows), dtype=bool)
    if not len(rows):
        return found
    domain = fix_parameters(family.statement.domain, program.values)
    for number, one in enumerate(family.statement.filters):
        for look in filter_rows(number, one, program.values, domain, family.points).predicate_reads:
            if look.array != own.values.array:
                continue
            looked = np.column_stack([look.owner, look.element])
            pairs = np.column_stack([rows, element])
            numbers, _ = row_numbers(np.concatenate([looked, pairs]))
            found |= np.isin(numbers[len(looked) :], numbers[: len(looked)])
    for column in columns:
        value = column[rows]
        found &= (value < 0) | (own.values.element[value] != element).any(axis=1)
    return found


def _disagreement_text(
    recorded: Recorded, family: Family, number: int, row: int, own: Held, mask: int
) -> str:
    accesses = recorded.run.accesses[own.values.array]
    instance = accesses.instance
    chosen = ~accesses.write & (recorded.family[instance] == number)
    chosen &= recorded.row[instance] == row
    read = sorted(
        (tuple(element), value & mask)
        for element, value in zip(
            accesses.element[chosen].tolist(), accesses.bits[chosen].tolist(), strict=True
        )
    )
    columns = [own.reads[key] for key in own.reads if key[0] == family.statement.name]
    found = sorted(
        (tuple(own.values.element[value].tolist()), int(own.values.bits[value]))
        for value in (int(column[row]) for column in columns)
        if value >= 0
    )
    point = ",".join(map(str, family.points[row].tolist()))
    return (
        f"{family.statement.name}[{point}] reads {read} of {own.values.array} in the original, "
        f"{found} in schedule order"
    )


def _live_elements(program: Program, elements: object, array: str) -> np.ndarray:
    """The elements of an array in a union of sets, row-major."""
    own = sets_of(named(fix_parameters(elements, program.values), array))
    none = np.zeros((0, len(program.arrays[array].index)), dtype=np.int64)
    return np.concatenate([none, *(distinct_points(one) for one in own)])


def _among_operands(
    own: Held,
    columns: Sequence[np.ndarray],
    rows: np.ndarray,
    element: np.ndarray,
    given: np.ndarray,
) -> np.ndarray:
    """Mask of recorded reads that are among the operands of their instance, element and bits; so
    are those of instances that have no operands. `columns` have the values of each operand."""
    found: np.ndarray = ~np.any([column[rows] >= 0 for column in columns], axis=0)
    # An instance mostly reads its operands one after the other: first look there.
    follows = np.concatenate([[False], rows[1:] == rows[:-1]])
    at = np.arange(len(rows))
    turn = at - np.maximum.accumulate(np.where(follows, 0, at))
    for shift in range(len(columns)):
        left = np.flatnonzero(~found)
        if not len(left):
            break
        place = (turn[left] + shift) % len(columns)
        value = np.full(len(left), NOTHING)
        for k, column in enumerate(columns):
            chosen = place == k
            value[chosen] = column[rows[left[chosen]]]
        same = (value >= 0) & (own.values.bits[value] == given[left])
        found[left] = same & (own.values.element[value] == element[left]).all(axis=1)
    return found
