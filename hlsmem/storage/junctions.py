"""Junctions of an array in several parts: writes that fork to their parts, reads that join.

A write beat is accepted when each part that takes it has it, in whatever cycles they take it; a
read beat is there when all parts that have an operand of it show theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

from hlsmem.addressing.address_generator import AddressGenerator
from hlsmem.addressing.generator_compiler import Recipe
from hlsmem.addressing.loop_forms import Condition
from hlsmem.addressing.point_boxes import condition_of_part
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.beat_relations import StreamRelation, stream_of_accesses
from hlsmem.dependences.circuit_streams import Instances, PlainStream, plain_operands
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Array, Program, Statement
from hlsmem.storage.array_parts import PartArray
from hlsmem.timing.program_edges import DRAIN, drained


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A part's stream at a junction.

    `condition` is the address generator condition under which a beat has anything to do with it,
    None: always. `operands` are those of the whole beat that it brings, in its own order.
    """

    stream: str
    condition: str | None
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Junction:
    """A stream of an array in several parts, and the streams of these.

    `operands` of `bits` bits stand in a beat; `has_user` says that tuser tells which are read.
    It `walks` but where there are branches and each has a part in every beat; a drain never does.
    `left` are the beats that no part takes, None for reads.
    """

    name: str
    array: str
    statement: str | None
    is_write: bool
    bits: int
    operands: int
    has_user: bool
    beats: int
    branches: tuple[Branch, ...]
    recipe: Recipe | None = field(compare=False, repr=False)
    walks: bool
    latency: int = 0
    left: Instances | None = field(default=None, compare=False, repr=False)

    @property
    def generator(self) -> AddressGenerator | None:
        """The address generator that gives the parts of the next beat, and the last beat."""
        return self.recipe.generator if self.walks and self.recipe is not None else None

    @property
    def can_count(self) -> bool:
        """True if an address generator may go through all of its beats."""
        return self.recipe is not None and not self.recipe.generator.idle

    def counting(self) -> Junction:
        """The same with an address generator: it passes on the beats of its run alone."""
        return replace(self, walks=True)

    def sink(self) -> PlainStream | None:
        """A stream of the beats that no part takes; None where there are none."""
        if self.left is None or len(self.left) == 0:
            return None
        return PlainStream(
            name=self.name,
            statement=self.statement or "",
            is_write=True,
            latency=self.latency,
            operands=plain_operands([None]),
            instances=self.left,
        )


def junctions(
    program: Program, array: Array, own: Program, parts: Sequence[PartArray]
) -> tuple[Junction, ...]:
    """The junctions of an array of `program` whose parts are arrays of the program `own`.

    Reads and writes of every statement in textual order, the drain last. Raises LimitError where
    the loops of a stream are nothing for an address generator.
    """
    found: list[Junction] = []
    for index, statement in enumerate(program.statements):
        if any(access.array == array.name for access in statement.reads):
            found += _read(program, array, index, parts)
        if any(access.array == array.name for access in statement.writes):
            found += _written(program, array, index, own, parts)
    drain = (f"m_{array.name}_{DRAIN}", 0)
    for part in parts:
        if drain in part.block:
            found.append(_drained(program, array, part, drain[0]))
    return tuple(found)


def _read(
    program: Program, array: Array, index: int, parts: Sequence[PartArray]
) -> Iterator[Junction]:
    statement = program.statements[index]
    accesses = [access for access in statement.reads if access.array == array.name]
    beats = stream_of_accesses(program, array, statement, index, accesses, False)
    if beats is None:
        return
    there = [beats.elements(k).domain() for k in range(len(accesses))]
    branches = []
    for part in parts:
        mine = tuple(k for stream, k in part.block if stream == beats.name)
        if mine:
            times = reduce(lambda one, other: one.union(other), [there[k] for k in mine])
            branches.append((f"m_{part.name}_{statement.name}", mine, times))
    has_user = not all(beats.times.is_subset(one) for one in there)
    yield _junction(
        beats, array, statement, branches, operands=len(accesses), has_user=has_user, left=None
    )


def _written(
    program: Program, array: Array, index: int, own: Program, parts: Sequence[PartArray]
) -> Iterator[Junction]:
    statement, divided = program.statements[index], own.statements[index]
    accesses = [access for access in statement.writes if access.array == array.name]
    beats = stream_of_accesses(program, array, statement, index, accesses, True)
    if beats is None:
        return
    branches = []
    taken = beats.times.subtract(beats.times)
    for part in parts:
        for access in divided.writes:
            if access.array == part.name:
                stream = stream_of_accesses(own, array, divided, index, [access], True)
                if stream is not None:
                    branches.append((f"s_{part.name}_{statement.name}", (0,), stream.times))
                    taken = taken.union(stream.times)
    entries = program.time_dimensions + max(len(one.iterators) for one in program.statements)
    left = beats.times.subtract(taken).coalesce()
    yield _junction(
        beats,
        array,
        statement,
        branches,
        operands=1,
        has_user=False,
        left=Instances(left, entries),
    )


def _junction(
    beats: StreamRelation,
    array: Array,
    statement: Statement,
    branches: Sequence[tuple[str, tuple[int, ...], Any]],
    *,
    operands: int,
    has_user: bool,
    left: Instances | None,
) -> Junction:
    walk = beats.walk
    made, conditions = [], dict[str, Condition]()
    for number, (stream, own, times) in enumerate(branches):
        if times.is_empty():
            continue
        name = None
        if not beats.times.is_subset(times):
            name = f"has_{number}" if left is None else f"takes_{number}"
            condition = condition_of_part(walk.visits.region, beats.in_loops(times))
            if condition is None:
                what = f"which beats of {beats.name} a part takes is no box of its loops"
                raise LimitError(
                    Problem(what, f"hold {array.name} in one part", array.source_location)
                )
            conditions[name] = condition
        made.append(Branch(stream=stream, condition=name, operands=own))
    recipe = Recipe(
        node=walk.node, loops=walk.loops, outputs={}, conditions=conditions, visits=walk.visits
    )
    # Who has no branch still says when its last beat has gone.
    walks = bool(conditions) or not made
    if walks and recipe.generator.idle:
        what = f"the loops of {beats.name} pass places without a beat, which no junction can"
        raise LimitError(Problem(what, f"hold {array.name} in one part", array.source_location))
    return Junction(
        name=beats.name,
        array=array.name,
        statement=statement.name,
        is_write=left is not None,
        bits=array.element.bits,
        operands=operands,
        has_user=has_user,
        beats=beats.beats,
        branches=tuple(made),
        recipe=recipe,
        walks=walks,
        latency=statement.latency,
        left=left,
    )


def _drained(program: Program, array: Array, part: PartArray, name: str) -> Junction:
    elements = drained(program, array)
    return Junction(
        name=name,
        array=array.name,
        statement=None,
        is_write=False,
        bits=array.element.bits,
        operands=1,
        has_user=False,
        beats=count(fix_parameters(elements, program.values)),
        branches=(Branch(stream=f"m_{part.name}_{DRAIN}", condition=None, operands=(0,)),),
        recipe=None,
        walks=False,
    )
