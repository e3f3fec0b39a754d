"""Test for a reuse chain: reads at constant distances behind the array's one write stream.

With W the times of write beats and R those of a read stream, at the plan's parameters:

    newest = lexmax { r -> w : w at or before the step of r }     (sequential order: before r)
    distance = rank(newest(r)) - rank(source(r)), counted in elements: constant for an operand
    emitted = range of newest, which is injective: a beat of R at most leaves with a write beat

All of it are isl relations, at a cost that does not grow with the extents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.addressing.nest_points import Points
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.dependences.beat_ranks import extremes, rank_of
from hlsmem.dependences.beat_relations import StreamRelation, array_relations
from hlsmem.dependences.value_sources import last_before, newest_before
from hlsmem.polyhedra import Map, PwMultiAff
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.sets import count
from hlsmem.program.model import Array, Program, Statement
from hlsmem.storage.reuse_chain.delays import Chain, chain_of

# What isl may do for one array, in operations of its own. Few pieces take it milliseconds, without
# a limit.
MOST_OPERATIONS = 10_000_000
FEW_PIECES = 100


@dataclass(frozen=True, slots=True)
class NoChain:
    """Why no chain holds an array."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unranked:
    """The write beats of an array have no numbers that isl can say: they are to be listed.

    `limit` says what took more work than it may; "" where isl has no numbers.
    """

    limit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """A read stream of a chain. `distances` has for every operand how many elements it is behind
    the newest one of the write beat that a read beat leaves with.

    `emitted` are these write beats, and `taken` per operand those of beats that read it (None:
    all), in the loops of the writer. `newest` maps times of read beats to those of the write beats;
    None where beats were listed.
    """

    stream: StreamRelation
    distances: tuple[int, ...]
    emitted: Points = field(compare=False, repr=False)
    taken: tuple[Points | None, ...] = field(compare=False, repr=False)
    newest: Any = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """Reuse of an array in a chain: write beats, which bring `lanes` elements, and their readers.

    `limit` says what took more work than it may, so that beats were listed; else it is "".
    """

    writer: StreamRelation
    readers: tuple[Following, ...]
    lanes: int
    limit: str = ""

    def chain(self, bits: int) -> Chain:
        """The chain for elements of so many bits."""
        distances = (distance for reader in self.readers for distance in reader.distances)
        return chain_of(distances, bits, self.lanes)


def find_chain(program: Program, array: Array) -> Reuse | NoChain | Unranked:
    """The chain that a planned array could be, or why it cannot.

    It takes one write stream with all elements of its beats, whose statement needs nothing that
    the readers make; reads at most one beat between two writes, operands at constant distances.
    """
    streams = array_relations(program, array)
    name = array.name
    writers = [stream for stream in streams if stream.is_write and not stream.phase]
    readers = [stream for stream in streams if not stream.is_write and not stream.phase]
    if len(writers) != 1:
        return NoChain(f"{len(writers)} accesses write {name!r}, a chain takes those of one")
    if any(stream.phase < 0 for stream in streams):
        return NoChain(f"elements of {name!r} are live before the program")
    if any(stream.phase > 0 for stream in streams):
        return NoChain(f"elements of {name!r} are live after the program")
    if not readers:
        return NoChain(f"nothing reads {name!r}")
    (writer,) = writers
    lanes = len(writer.operands)
    if not all(writer.times.is_subset(writer.elements(k).domain()) for k in range(lanes)):
        return NoChain(f"unrolled, the writes of {name!r} are not {lanes} a step")
    circle = feeding(program, writer.statement) & {reader.statement for reader in readers}
    if circle:
        return NoChain(f"{writer.statement}, which writes {name!r}, needs what {min(circle)} makes")
    rank = rank_of(writer.times)
    if rank is None:
        return Unranked()
    if pieces(streams) > FEW_PIECES:
        try:
            within(MOST_OPERATIONS, lambda _: bool(_all_following(program, writer, readers, rank)))
        except WorkLimitError:
            return Unranked(f"isl has no distances within {MOST_OPERATIONS} operations")
    found = _all_following(program, writer, readers, rank)
    if not isinstance(found, list):
        return found
    return Reuse(writer=writer, readers=tuple(found), lanes=lanes)


def pieces(streams: Sequence[StreamRelation]) -> int:
    """Number of convex pieces in the relations of streams."""
    return sum(
        stream.elements(k).n_basic_map() for stream in streams for k in range(len(stream.operands))
    )


def _all_following(
    program: Program, writer: StreamRelation, readers: Sequence[StreamRelation], rank: Any
) -> list[Following] | NoChain | Unranked:
    found = []
    for reader in readers:
        following = _following(program, writer, reader, rank)
        if not isinstance(following, Following):
            return following
        found.append(following)
    return found


def feeding(program: Program, name: str) -> set[str]:
    """The statements whose results get into `name`, itself among them."""
    statements = {statement.name: statement for statement in program.statements}
    planned = {array.name for array in program.planned_arrays()}
    writers: dict[str, set[str]] = {}
    for statement in program.statements:
        for access in statement.writes:
            writers.setdefault(access.array, set()).add(statement.name)
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in found or current not in statements:
            continue
        found.add(current)
        waiting += _sources(statements[current], planned, writers)
    return found


def _sources(statement: Statement, planned: set[str], writers: Mapping[str, set[str]]) -> list[str]:
    arrays = {access.array for access in statement.reads} & planned
    return [writer for array in arrays for writer in writers.get(array, ())]


def _following(
    program: Program, writer: StreamRelation, reader: StreamRelation, rank: Any
) -> Following | NoChain | Unranked:
    newest = newest_before(program, writer.times, reader.times)
    if not reader.times.is_subset(newest.domain()):
        return NoChain(f"{reader.statement} reads {reader.array!r} before it is written")
    number = rank.pullback_pw_multi_aff(PwMultiAff.from_map(newest))
    distances = []
    for operand, own in enumerate(reader.operands):
        behind = _behind(program, writer, reader, operand, rank, number)
        if isinstance(behind, Unranked):
            return behind
        low, high = behind
        if low != high or low < 0:
            where = f" at {own.source_location}" if own.source_location else ""
            return NoChain(
                f"the read of {reader.array!r}{where} lies {low} to {high} elements behind"
                " the newest"
            )
        distances.append(low)
    if not newest.is_injective():
        several = counted(_most_beats(newest), "read beat")
        return NoChain(f"{reader.statement} has {several} between two writes")
    there = [reader.elements(k).domain() for k in range(len(reader.operands))]
    return Following(
        stream=reader,
        distances=tuple(distances),
        emitted=writer.in_loops(newest.range()),
        taken=tuple(
            None if reader.times.is_subset(own) else writer.in_loops(own.apply(newest))
            for own in there
        ),
        newest=newest,
    )


def _most_beats(newest: Any) -> int:
    """Number of read beats that leave with the first write beat that has several."""
    together = newest.apply_range(newest.reverse())
    several = together.subtract(Map.identity(together.get_space()))
    there = lexmin(several.domain().apply(newest))
    return count(newest.intersect_range(there).domain())


def _behind(
    program: Program,
    writer: StreamRelation,
    reader: StreamRelation,
    operand: int,
    rank: Any,
    newest: Any,
) -> tuple[int, int] | Unranked:
    """The least and the greatest number of elements between an operand and the newest.

    `newest` is the number of the write beat that each read beat leaves with.
    """
    lanes = len(writer.operands)
    wanted = reader.elements(operand)
    ends: list[int] = []
    for place in range(lanes):
        pairs = wanted.apply_range(writer.elements(place).reverse())
        if lanes > 1 and not pairs.is_single_valued():
            return Unranked()
        source = last_before(program, pairs)
        if source.is_empty():
            continue
        beats = rank.pullback_pw_multi_aff(PwMultiAff.from_map(source))
        apart = newest.sub(beats).scale_val(lanes).add_constant_val(lanes - 1 - place)
        ends += extremes(apart)
    return (min(ends), max(ends)) if ends else (0, 0)
