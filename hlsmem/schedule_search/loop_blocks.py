"""Blocks of loops: tiles by the size of caches, and serial iterations jammed into a vector loop.

Both are times again, so what judges orders judges them. A loop that is cut has two parts: blocks
that are full, whose trip counts are constants, and behind them the rest. Sources: the tiles are
those of Feld, Soddemann, Juenger and Mallach, "Hardware-aware automatic code-transformation to
support compilers in exploiting the multi-level parallel potential of modern CPUs" (SICA, eq. 8
and 9); jamming is Allen and Cocke's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.relations import dimension_names, rearrangement
from hlsmem.program.model import Statement
from hlsmem.schedule_search.loop_times import Times
from hlsmem.timing.instance_text import first_pair, instance_text

JAM = 4
"""Iterations that are jammed: measured on matmul and correlation, .74 to .81 of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Cuts below the loops of a statement, in iterations; None, or 1, where there is none.

    `vector` is the tile of the vector loop, `outer` that of the outermost loop, which then runs
    just outside of the vector loop. `rows` is the block of the serial loop just outside of the
    vector loop, whose blocks run outside of the loop around; `jam` are its iterations in one.
    """

    vector: int | None = None
    outer: int | None = None
    rows: int | None = None
    jam: int = 1

    @property
    def are_none(self) -> bool:
        return self == Cuts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """The loops of a statement: entries of its times, outermost first, the last a vector loop."""

    statement: Statement
    entries: tuple[int, ...]

    @property
    def vector(self) -> int:
        return self.entries[-1]


def nest_of(times: Times, statement: Statement, *, strides: bool = False) -> Nest | None:
    """The loops of a statement; None where it has none, or the innermost is no vector loop, or has
    loops of other statements inside.

    With `strides` iterations of the innermost of several loops need only be independent.
    """
    entries = times.varying[statement.name]
    if not entries:
        return None
    inside = [one.name for one in times.beside(statement, entries[-1])]
    if any(times.varying[name][-1] != entries[-1] for name in inside):
        return None
    waits = times.waits(inside, entries[-1])
    if any(statement.name in pair for pair in waits):
        return None
    accesses = (*statement.reads, *statement.writes)
    is_free = strides and len(entries) > 1
    if not is_free and any(times.jumps(statement, one, entries[-1]) for one in accesses):
        return None
    return Nest(statement=statement, entries=entries)


def why_no_nest(times: Times, statement: Statement) -> str:
    """Why the loops of a statement are no nest, as `nest_of` says, in words."""
    entries = times.varying[statement.name]
    if not entries:
        return "it is in no loop"
    inside = [one.name for one in times.beside(statement, entries[-1])]
    if any(times.varying[name][-1] != entries[-1] for name in inside):
        return "its innermost loop has loops of other statements inside"
    why = "its innermost loop is no vector loop"
    pairs = times.carried(statement.name, inside, entries[-1])
    if pairs is not None:
        return f"{why}: {needed_text(times, pairs)}"
    accesses = (*statement.reads, *statement.writes)
    far = next(one.array for one in accesses if times.jumps(statement, one, entries[-1]))
    return f"{why}: it walks over {far} by more than an element"


def needed_text(times: Times, pairs: Any) -> str:
    """Message that the one instance of the first of some pairs needs the other."""
    pair = first_pair(times.program, UnionMap.from_map(pairs))
    first = instance_text(pair.source, pair.first)
    return f"{instance_text(pair.sink, pair.second)} needs {first}{pair.where}"


def can_jam(times: Times, nest: Nest) -> bool:
    """True if the loop just outside of the vector loop is serial, has no other statement, and
    leaves the element that is written where it is."""
    if len(nest.entries) < 2 or len(nest.statement.writes) != 1:
        return False
    serial, name = nest.entries[-2], nest.statement.name
    (target,) = nest.statement.writes
    reads = (one.relation for one in nest.statement.reads if one.array == target.array)
    return (
        len(times.beside(nest.statement, serial)) == 1
        and (name, name) in times.waits([name], serial)
        and times.stays(nest.statement, target, serial)
        and any(target.relation.is_equal(relation) for relation in reads)
    )


def with_cuts(times: Times, names: Sequence[str], cuts: Cuts) -> Times:
    """The order with the loops of statements that share them cut; it need not be legal."""
    times = _without_tail(times)
    loops = times.varying[names[0]]
    first, vector = loops[0], loops[-1]
    if cuts.vector is not None:
        times = cut(times, names, vector, cuts.vector, front=first if len(loops) > 1 else vector)
    if cuts.outer is not None:
        outermost = first + (2 if cuts.vector is not None else 0)
        times = cut(times, names, outermost, cuts.outer, front=first)
        times = _moved_in(times, names, outermost + 2)
    if cuts.rows is not None:
        loops = times.varying[names[0]]
        times = cut(times, names, loops[-2], cuts.rows, front=loops[-3:][0])
    if cuts.jam > 1:
        *_, serial, vector = times.varying[names[0]]
        times = cut(times, names, serial, cuts.jam, front=serial, lanes=vector)
    return times


def _moved_in(times: Times, names: Sequence[str], entry: int) -> Times:
    """The order with a loop of statements just outside of their innermost one."""
    size, vector = times.size, times.varying[names[0]][-1]
    order = [k for k in range(vector) if k != entry] + [entry, *range(vector, size)]
    step = rearrangement(size, order)
    moved = {name: times.schedules[name].apply_range(step) for name in names}
    return replace(times, schedules={**times.schedules, **moved})


def cut(
    times: Times,
    names: Sequence[str],
    entry: int,
    size: int,
    *,
    front: int,
    lanes: int | None = None,
) -> Times:
    """The order with the loop at `entry` of some statements in blocks of `size` iterations.

    Two entries come in front of the entry `front`: 0 in full blocks and 1 in the rest, and the
    number of the block. With `lanes` the entry itself becomes that number, and the iteration in
    the block an entry behind that of `lanes`, a loop inside; the rest keeps its iterations. Blocks
    are counted from the least iteration that there is below the loops in front of them. Statements
    that other constants in front hold apart have zeros behind their times.
    """
    points = {one.name: times.at(one).range() for one in times.program.statements}
    blocks = {name: _Block.of(points[name], entry, size, front, lanes) for name in names}
    first = blocks[names[0]]
    beside = rearrangement(times.size, first.inserted("0", "0", "0"))
    apart = rearrangement(times.size, [*range(times.size), "0", "0"])
    schedules = {}
    for name, own in times.schedules.items():
        if name in blocks:
            full, rest = (own.apply_range(blocks[name].times(is_full=k)) for k in (True, False))
            schedules[name] = full.union(rest).coalesce()
        else:
            is_apart = _are_apart(points[name], first.points, front)
            schedules[name] = own.apply_range(apart if is_apart else beside)
    return _without_tail(replace(times, schedules=schedules))


def _are_apart(times: Any, others: Any, front: int) -> bool:
    """True if two sets of times have different constants in front of an entry."""
    for k in range(front):
        left, right = (one.plain_get_val_if_fixed(DimType.set, k) for one in (times, others))
        if left.is_int() and right.is_int() and left.to_python() != right.to_python():
            return True
    return False


def _without_tail(times: Times) -> Times:
    """The order without last entries that are 0 in all times."""
    ends = (
        max((k for k in range(times.size) if not _is_zero(times.at(one).range(), k)), default=0)
        for one in times.program.statements
    )
    kept = rearrangement(times.size, range(max(ends) + 1))
    schedules = {name: one.apply_range(kept) for name, one in times.schedules.items()}
    return replace(times, schedules=schedules)


def _is_zero(times: Any, entry: int) -> bool:
    value = times.plain_get_val_if_fixed(DimType.set, entry)
    return bool(value.is_int() and value.to_python() == 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """The cut of `points`, the times of a statement; `numbered` is { time -> [time.., number,
    iteration in the block] }."""

    points: Any
    entry: int
    size: int
    front: int
    lanes: int | None
    numbered: Any

    @staticmethod
    def of(points: Any, entry: int, size: int, front: int, lanes: int | None) -> _Block:
        names = dimension_names("t", points.dim(DimType.set))
        around = rearrangement(len(names), range(front))
        least = lexmin(_values(points, range(front), entry))
        with_least = points.identity().flat_range_product(
            around.intersect_domain(points).apply_range(least)
        )
        given = ", ".join(names)
        number = Map(
            f"{{ [{given}, l] -> [{given}, b, r] : {names[entry]} = l + {size}b + r"
            f" and 0 <= r < {size} }}"
        )
        return _Block(
            points=points,
            entry=entry,
            size=size,
            front=front,
            lanes=lanes,
            numbered=with_least.apply_range(number),
        )

    def inserted(self, part: str, number: str, lane: str) -> list[int | str]:
        """The entries of a time of before, with those of the block."""
        kept: list[int | str] = list(range(self.points.dim(DimType.set)))
        if self.lanes is None:
            return [*kept[: self.front], part, number, *kept[self.front :]]
        inside = [*kept[self.front : self.lanes + 1], lane, *kept[self.lanes + 1 :]]
        return [*kept[: self.front], part, *inside]

    def times(self, *, is_full: bool) -> Any:
        """{ time -> new time } of the points in full blocks, or of the others."""
        full = self._full()
        points = full if is_full else self.points.subtract(full)
        text = self.inserted("0" if is_full else "1", "b", "r" if is_full else "0")
        if self.lanes is not None and is_full:
            text[text.index(self.entry)] = "b"
        return self.numbered.intersect_domain(points).apply_range(self._to(text))

    def _full(self) -> Any:
        """The points whose blocks have their first and their last iteration.

        In blocks with lanes these are of the same iteration of the loops inside. None are full
        where iterations may be missing in between.
        """
        around: list[int | str] = list(range(self.front))
        if self.lanes is not None:
            around += [k for k in range(self.front, self.lanes + 1) if k != self.entry]
        there = _values(self.points, around, self.entry)
        if _has_holes(there):
            return Set.empty(self.points.get_space())
        found = self.points
        for end in (0, self.size - 1):
            target = [f"t{self.entry} - r + {end}"]
            reach = self.numbered.apply_range(self._to([*around, *target]))
            found = found.intersect(reach.intersect_range(_as_set(there)).domain())
        return found

    def _to(self, entries: Sequence[int | str]) -> Any:
        """{ [time.., number, iteration] -> [entries] }."""
        names = dimension_names("t", self.points.dim(DimType.set))
        target = ", ".join(names[one] if isinstance(one, int) else one for one in entries)
        return Map(f"{{ [{', '.join(names)}, b, r] -> [{target}] }}")


def _values(points: Any, around: Iterable[int | str], entry: int) -> Any:
    """{ [entries around] -> [entry] } of a set of times."""
    names = dimension_names("t", points.dim(DimType.set))
    outer = ", ".join(names[k] for k in around if isinstance(k, int))
    split = Map(f"{{ [{', '.join(names)}] -> [[{outer}] -> [{names[entry]}]] }}")
    return points.apply(split).unwrap()


def _as_set(values: Any) -> Any:
    """A map to one value as the set of its pairs, flat."""
    return values.wrap().flatten()


def _has_holes(values: Any) -> bool:
    """True if a value is missing between the least and the greatest of any."""
    above = lexmin(values).apply_range(Map("{ [x] -> [y] : y >= x }"))
    below = lexmax(values).apply_range(Map("{ [x] -> [y] : y <= x }"))
    return not above.intersect(below).is_subset(values)
