"""Times of all instances as loops, with what has to keep its order, and the cost of their loops.

An order is legal where every pair of instances that touch one place, one of them writing, keeps
its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.relations import fixed_entries, maps_of, origin, rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Order, Program, Statement, Storage
from hlsmem.timing.events import instance_times
from hlsmem.timing.value_flow import accesses

SERIAL = 6.0
"""For an iteration that is none of a vector's; measured (4 to 8) on fir and a fused sobel."""
JUMP = 2.5
"""For an access that moves by more than an element, which vectors have none of; guessed."""
START = 16.0
"""Iterations that the start of a loop is worth; guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLoop:
    """A loop of some statements: the `entry` of their times that is its variable."""

    entry: int
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Times:
    """Times of all instances, with what has to keep its order: `pairs` of instances."""

    program: Program
    schedules: Mapping[str, Any] = field(compare=False)
    pairs: tuple[Any, ...] = field(compare=False)

    @staticmethod
    def of(program: Program, given: Mapping[str, str] | None = None) -> Times:
        """The times of an order, isl maps by statement; the program's own without one."""
        schedules = {one.name: one.schedule for one in program.statements}
        if given is not None:
            schedules = {name: Map(text) for name, text in given.items()}
        return Times(program=program, schedules=schedules, pairs=tuple(_pairs(program)))

    @property
    def size(self) -> int:
        """Entries of a time."""
        found: int = next(iter(self.schedules.values())).dim(DimType.out)
        return found

    @cached_property
    def varying(self) -> dict[str, tuple[int, ...]]:
        """The entries of the times of a statement that are no constants."""
        found = {}
        for one in self.program.statements:
            fixed = fixed_entries(self.at(one).range())
            found[one.name] = tuple(k for k in range(self.size) if k not in fixed)
        return found

    @cached_property
    def moves(self) -> list[tuple[str, str, Any]]:
        """{ time -> time } of the pairs, with the statements."""
        found = []
        for pair in self.pairs:
            ends = pair.get_tuple_name(DimType.in_), pair.get_tuple_name(DimType.out)
            first, second = (self.schedules[name] for name in ends)
            found.append((*ends, pair.apply_domain(first).apply_range(second)))
        return found

    def at(self, statement: Statement) -> Any:
        """{ instance -> time } of a statement, in the context."""
        times = self.schedules[statement.name].intersect_domain(statement.domain)
        return times.intersect_params(self.program.context)

    def is_legal(self) -> bool:
        """True if every pair keeps its order."""
        return not any(_late(move) for _, _, move in self.moves)

    def lost(self) -> Any | None:
        """{ instance -> instance } of pairs that do not keep their order; None where all do."""
        for pair, (_, _, move) in zip(self.pairs, self.moves, strict=True):
            if _late(move):
                return self._where(pair, Map.lex_ge(move.range().get_space()))
        return None

    def carried(self, name: str, names: Sequence[str], entry: int) -> Any | None:
        """{ instance -> instance } of pairs of which one, of the statement `name` or beside it,
        waits for an earlier iteration of a loop; None where there are none."""
        for pair, (first, second, move) in zip(self.pairs, self.moves, strict=True):
            if name in (first, second) and {first, second} <= set(names):
                waits = _alike(move, entry).intersect(_apart(move, entry))
                if not waits.is_empty():
                    return self._where(pair, waits)
        return None

    def _where(self, pair: Any, move: Any) -> Any:
        """The part of some pairs of instances whose times are related so."""
        ends = pair.get_tuple_name(DimType.in_), pair.get_tuple_name(DimType.out)
        first, second = (self.schedules[name] for name in ends)
        return pair.intersect(first.apply_range(move).apply_range(second.reverse()))

    def beside(self, statement: Statement, entry: int) -> list[Statement]:
        """The statements that share the loop at an entry with one, which it is too."""
        shared = next(
            loop.names
            for loop in self.loops()
            if loop.entry == entry and statement.name in loop.names
        )
        return [one for one in self.program.statements if one.name in shared]

    def waits(self, names: Sequence[str], entry: int) -> set[tuple[str, str]]:
        """The pairs of statements of which one waits for an earlier iteration of a loop."""
        found = set()
        for first, second, move in self.moves:
            if first in names and second in names:
                carried = _alike(move, entry).intersect(_apart(move, entry))
                if not carried.is_empty():
                    found.add((first, second))
        return found

    def meets(self, names: Sequence[str], entry: int) -> set[tuple[str, str]]:
        """The pairs of statements of which one needs the other below a loop, at any iterations."""
        return {
            (first, second)
            for first, second, move in self.moves
            if first in names and second in names and not _alike(move, entry).is_empty()
        }

    def loops(self) -> Iterator[TimeLoop]:
        """The loops, outermost first."""
        for entry in range(self.size):
            found: dict[tuple[int | None, ...], list[str]] = {}
            for one in self.program.statements:
                if entry in self.varying[one.name]:
                    found.setdefault(self._prefix(one, entry), []).append(one.name)
            for names in found.values():
                yield TimeLoop(entry=entry, names=tuple(names))

    def _prefix(self, statement: Statement, entry: int) -> tuple[int | None, ...]:
        """The constants of its times in front of an entry, None for loops."""
        times = self.at(statement).range()
        values = (times.plain_get_val_if_fixed(DimType.set, k) for k in range(entry))
        return tuple(int(one.to_python()) if one.is_int() else None for one in values)

    def iterations(self) -> int:
        """The instances at the plan's values."""
        values = self.program.values
        return sum(count(fix_parameters(one.domain, values)) for one in self.program.statements)

    def figure(self) -> float:
        """Cost of all instances, an iteration of a vector loop 1, at the plan's values."""
        waiting: dict[tuple[int, str], bool] = {}
        for loop in self.loops():
            inside = [name for name in loop.names if self.varying[name][-1] == loop.entry]
            stuck = {name for pair in self.waits(inside, loop.entry) for name in pair}
            waiting |= {(loop.entry, name): bool(stuck) for name in inside}
        found = 0.0
        for one in self.program.statements:
            entry = max(self.varying[one.name], default=None)
            if entry is None:
                continue
            times = fix_parameters(self.at(one).range(), self.program.values)
            iterations = count(times)
            starts = count(times.project_out(DimType.set, entry, self.size - entry))
            jumps = any(self.jumps(one, access, entry) for access in (*one.reads, *one.writes))
            factor = SERIAL if jumps or waiting[entry, one.name] else 1.0
            if jumps:
                factor *= JUMP
            found += factor * iterations + START * starts
        return found

    def _moved(self, statement: Statement, access: Access, entry: int) -> Any:
        """Distances by which an access moves from an iteration of a loop to the next, as a set."""
        times = self.at(statement)
        more = [k if k != entry else f"t{k} + 1" for k in range(self.size)]
        step = times.apply_range(rearrangement(self.size, more)).apply_range(times.reverse())
        return access.relation.reverse().apply_range(step).apply_range(access.relation).deltas()

    def stays(self, statement: Statement, access: Access, entry: int) -> bool:
        """True if an access is of one element in all iterations of a loop."""
        gaps = self._moved(statement, access, entry)
        return bool(gaps.is_subset(origin(gaps.get_space())))

    def jumps(self, statement: Statement, access: Access, entry: int) -> bool:
        """True if an access moves by more than an element from an iteration to the next."""
        if self.program.arrays[access.array].storage is Storage.ROM:
            return False
        gaps = self._moved(statement, access, entry)
        last = gaps.dim(DimType.set) - 1
        if gaps.is_empty() or last < 0:
            return False
        near = Set.universe(gaps.get_space())
        for position in range(last):
            near = near.fix_val(DimType.set, position, 0)
        steps = (near.fix_val(DimType.set, last, step) for step in (-1, 0, 1))
        return not any(gaps.is_subset(one) for one in steps)


def may_move(program: Program) -> bool:
    """True if instances run one after the other, at elements and times that no data choose."""
    if program.order is not Order.SEQUENTIAL or program.tile is not None or program.lanes:
        return False
    if program.nests or program.asks_data() or not program.statements:
        return False
    kinds = {array.storage for array in program.arrays.values()}
    filters = any(one.filters for one in program.statements)
    return Storage.STREAM not in kinds and not filters


def _pairs(program: Program) -> Iterator[Any]:
    """{ S[i] -> T[j] : both touch one element, one writes, the first is earlier }."""
    times = instance_times(program)
    space = maps_of(times)[0].range().get_space()
    earlier = UnionMap.from_map(Map.lex_lt(Set.universe(space).get_space()))
    before = times.apply_range(earlier).apply_range(times.reverse())
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        writes = accesses(program, name, writes=True)
        touching = writes.union(accesses(program, name, writes=False))
        found = writes.apply_range(touching.reverse())
        found = found.union(touching.apply_range(writes.reverse())).intersect(before)
        for pair in maps_of(found.coalesce()):
            yield pair.intersect_params(program.context)


def _late(move: Any) -> bool:
    """True if some pair of times does not keep its order."""
    return not move.intersect(Map.lex_ge(move.range().get_space())).is_empty()


def _alike(move: Any, entries: int) -> Any:
    """The pairs of times that agree in the first entries."""
    same = Map.universe(move.get_space())
    for k in range(entries):
        same = same.equate(DimType.in_, k, DimType.out, k)
    return move.intersect(same)


def _apart(move: Any, entry: int) -> Any:
    """The pairs of times that differ in an entry."""
    every = Map.universe(move.get_space())
    return every.subtract(every.equate(DimType.in_, entry, DimType.out, entry))
