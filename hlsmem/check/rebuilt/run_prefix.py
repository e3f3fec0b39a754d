"""The beginning of a run: where it stops after some beats of its longest stream.

The time of beat N is found by counting what comes before it, one entry of the times after the
other; nothing is listed. Everything at or before that time is kept, whole steps at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from hlsmem.check.rebuilt.rebuilt_flow import BEFORE, flow_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set, UnionSet, Val
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Order, Program, Statement, Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """All steps of a run up to the one with beat `beats` of the `total` of a stream.

    `instances` are, by statement, all iterations that are not later, whether it has them or not.
    """

    stream: str
    beats: int
    total: int
    instances: Mapping[str, Any] = field(compare=False)

    def of(self, program: Program) -> Program:
        """A program with the same statements, its instances those of the beginning.

        Nothing of it is live afterwards: the end is not reached.
        """
        before, whole, apart = program.original, program.with_undefined, program.joined_from
        return replace(
            program,
            statements=tuple(self._statement(one) for one in program.statements),
            live_out=UnionSet("{ }"),
            original=None if before is None else self.of(before),
            with_undefined=None if whole is None else self.of(whole),
            joined_from=None if apart is None else self.of(apart),
        )

    def _statement(self, statement: Statement) -> Statement:
        kept = self.of_statement(statement)
        return replace(
            statement,
            domain=statement.domain.intersect(kept),
            schedule=statement.schedule.intersect_domain(kept),
            reads=tuple(_access(one, kept) for one in statement.reads),
            writes=tuple(_access(one, kept) for one in statement.writes),
        )

    def of_statement(self, statement: Statement) -> Any:
        """The iterations of a statement; none of one that has no instance in the program."""
        return self.instances.get(statement.name, Set.empty(statement.domain.get_space()))


def _access(access: Access, kept: Any) -> Access:
    return replace(access, relation=access.relation.intersect_domain(kept))


def prefix_of(program: Program, beats: int) -> Prefix | None:
    """The prefix of a run of the program in which no stream has more than so many beats.

    Of several streams with more, the one that gets there first ends it. None where the whole run
    has no more, for tiles, which are parts of a run already, and where arrays are expanded, whose
    last writes only the whole run shows.
    """
    if program.tile is not None or program.source.expand:
        return None
    long = [
        (one.name, one.beats, total)
        for one in _streams(program)
        if (total := count(one.beats)) > beats
    ]
    if not long:
        return None
    steps = program.step_dimensions
    if program.order is Order.SEQUENTIAL:
        # Statements that are joined stand behind one another in one iteration.
        steps = program.time_dimensions - (program.joined_from is not None)
    ends = [(nth_point(times, beats)[:steps], -total, name) for name, times, total in long]
    end, total, name = min(ends)
    times = not_after(end, program.time_dimensions)
    return Prefix(
        stream=name,
        beats=beats,
        total=-total,
        instances={
            one.name: times.apply(fix_parameters(one.schedule, program.values).reverse())
            for one in (*program.apart.statements, *program.statements)
        },
    )


def stream_totals(program: Program) -> dict[str, tuple[str, str | None, str, int]]:
    """Of every stream with beats its array, its statement, its direction and its beats in all."""
    found: dict[str, tuple[str, str | None, str, int]] = {}
    for one in _streams(program):
        before = found[one.name][3] if one.name in found else 0
        found[one.name] = (one.array, one.statement, one.direction, before + count(one.beats))
    for array in program.planned_arrays():
        if array.storage is Storage.MEMORY:
            name = array.name
            leaving = sets_of(fix_parameters(named(program.live_out, name), program.values))
            drained = sum(count(one) for one in leaving)
            filled = len(first_contents(program, name))
            found[f"m_{name}_drain"] = (name, None, "read", drained)
            found[f"s_{name}_fill"] = (name, None, "write", filled)
    return {name: one for name, one in found.items() if one[3]}


def first_contents(program: Program, array: str) -> np.ndarray:
    """The elements whose first content is read, or leaves: int64, row-major."""
    rank = len(program.arrays[array].index)
    first = flow_of(program, array).values.domain().unwrap().fix_val(DimType.out, 0, Val(BEFORE))
    found = [distinct_points(fix_parameters(first.domain(), program.values))]
    return np.unique(np.concatenate(found), axis=0) if rank else np.concatenate(found)[:1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stream:
    """A stream of a statement; `beats` is the set of [time, iteration], of lanes times alone."""

    name: str
    array: str
    statement: str
    direction: str
    beats: Any = field(compare=False)


def _streams(program: Program) -> Iterator[_Stream]:
    """The streams of all statements; one of several writes comes several times."""
    planned = [array.name for array in program.planned_arrays()]
    for statement in program.statements:
        for array in planned:
            reads = [one for one in statement.reads if one.array == array]
            writes = [one for one in statement.writes if one.array == array]
            together = [("read", "m", reads)] if reads else []
            for direction, side, own in [*together, *(("write", "s", [one]) for one in writes)]:
                made = _instances(program, statement, own[0])
                for one in own[1:]:
                    made = made.union(_instances(program, statement, one))
                yield _Stream(
                    name=f"{side}_{array}_{statement.name}",
                    array=array,
                    statement=statement.name,
                    direction=direction,
                    beats=_beats(program, statement, made),
                )


def _instances(program: Program, statement: Statement, access: Access) -> Any:
    made = access.relation.intersect_domain(statement.domain).domain()
    return fix_parameters(made, program.values)


def _beats(program: Program, statement: Statement, made: Any) -> Any:
    schedule = fix_parameters(statement.schedule, program.values).intersect_domain(made)
    if not program.lanes:
        return schedule.reverse().wrap().flatten()
    return schedule.range().project_out(DimType.set, program.step_dimensions, len(program.lanes))


def nth_point(points: Any, number: int) -> tuple[int, ...]:
    """The point of a bounded set with so many points that are not after it; the first has 1.

    >>> nth_point(Set("{ [y, x] : 0 <= y < 3 and y <= x < 4 }"), 5)
    (1, 1)
    """
    found = []
    for position in range(points.dim(DimType.set)):
        low = points.dim_min_val(position).to_python()
        high = points.dim_max_val(position).to_python()
        while low < high:
            middle = (low + high) // 2
            if count(points.upper_bound_val(DimType.set, position, Val(middle))) >= number:
                high = middle
            else:
                low = middle + 1
        number -= count(points.upper_bound_val(DimType.set, position, Val(low - 1)))
        points = points.fix_val(DimType.set, position, Val(low))
        found.append(low)
    return tuple(found)


def not_after(end: tuple[int, ...], size: int) -> Any:
    """The times of so many entries whose first entries are not lexicographically after `end`.

    >>> not_after((3, 1), 2).is_equal(Set("{ [s, t] : s < 3 or (s = 3 and t <= 1) }"))
    True
    """
    names = [f"t{position}" for position in range(size)]
    cases = []
    for position, value in enumerate(end):
        same = [f"t{k} = {end[k]}" for k in range(position)]
        last = position == len(end) - 1
        cases.append(" and ".join([*same, f"t{position} {'<=' if last else '<'} {value}"]))
    return Set(f"{{ [{', '.join(names)}] : {' or '.join(f'({case})' for case in cases)} }}")
