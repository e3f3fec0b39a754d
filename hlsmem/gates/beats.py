"""The streams of an array with all their beats: times, elements and cells, in numpy.

A stream's loops run over the entries of its time that vary. Fill and drain are streams of two
more statements: a leading time entry (-1, 0, 1) puts them before and after the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlsmem.errors import LimitError, Problem
from hlsmem.gates.banks import cell_form
from hlsmem.gates.relations import StreamRelation, Walk, array_relations, refuse_many
from hlsmem.mapping.model import Mapping as ArrayMapping
from hlsmem.order.witness import element_text
from hlsmem.places import Place
from hlsmem.plan import Plan
from hlsmem.polyhedra.instances import bind, images
from hlsmem.polyhedra.loops import Node, condition, expression_of
from hlsmem.program import Array, Program
from hlsmem.walk.affine import (
    FALSE,
    TRUE,
    Affine,
    Condition,
    Value,
    combine,
    condition_of,
    holds_at,
    value_at,
    value_of,
)
from hlsmem.walk.region import Region
from hlsmem.walk.visits import Visits, simplified, simplified_condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """One access of a stream's beats: which element and cell, in which beats.

    `elements` has shape (beats, indices), `cells` and `taken` (beats,); cells are addresses
    from the memory's base. `same_as` is the first operand of the beat with the same relation.
    `place` is where the access stands. `lane` says which of the instances of an unrolled beat
    makes it: positions in `BeatStream.times` with their values.
    """

    element: tuple[Value, ...]
    cell: Value
    when: Condition
    elements: Any = field(compare=False, repr=False)
    cells: Any = field(compare=False, repr=False)
    taken: Any = field(compare=False, repr=False)
    same_as: int
    place: Place | None = None
    lane: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BeatStream:
    """A stream and its beats. `is_write` streams go into the memory.

    `loops` names the time entries that vary, `axes` are their positions in `times`, which has
    shape (beats, time entries): [phase, time of the program.., coordinates..]. `phase` is -1 for
    the fill, 1 for the drain, 0 for statements; `index` puts these in textual order between them.
    A beat of an unrolled statement has the operands of all its instances, lane by lane, and in
    `times` 0 for their lanes.
    """

    name: str
    array: str
    statement: str
    is_write: bool
    phase: int
    index: int
    latency: int
    loops: tuple[str, ...]
    axes: tuple[int, ...]
    node: Node = field(repr=False)
    visits: Visits = field(compare=False, repr=False)
    times: Any = field(compare=False, repr=False)
    operands: tuple[Operand, ...]

    @property
    def beats(self) -> int:
        return len(self.visits.points)

    def element_text(self, operand: int, beat: int) -> str:
        """The element of an operand in a beat, as in C."""
        return element_text(self.array, self.operands[operand].elements[beat].tolist())


def array_streams(program: Program, plan: Plan | None, array: Array) -> tuple[BeatStream, ...]:
    """Streams of one planned array: per statement reads then writes, fill and drain last.

    Without a plan all cells are 0. Raises InputError as `array_relations`, LimitError as
    `refuse_many`.
    """
    relations = array_relations(program, array)
    refuse_many(relations)
    lister = _Lister(program, plan, array)
    return tuple(lister.listed(stream) for stream in relations)


class _Lister:
    def __init__(self, program: Program, plan: Plan | None, array: Array) -> None:
        self.program, self.plan, self.array = program, plan, array
        coordinates = [len(statement.iterators) for statement in program.statements]
        self.entries = 1 + program.time_dimensions + max([len(array.index), *coordinates])

    def listed(self, stream: StreamRelation) -> BeatStream:
        walk = stream.walk
        points = walk.visits.points
        times = np.zeros((len(points), self.entries), dtype=np.int64, order="F")
        times[:, 0] = stream.phase
        first = Region(stream.times).first()
        times[:, 1 : 1 + len(first)] = first
        for column, entry in enumerate(walk.entries):
            times[:, 1 + entry] = points[:, column]
        backward = walk.key.reverse()
        relations = [operand.relation for operand in stream.operands]
        images = [backward.apply_range(relation) for relation in relations]
        # Where a beat is more than an instance, equal operands may come of different ones.
        firsts = _first_equal(images if self.program.lanes else relations)
        operands = [
            replace(
                self.operand(image, walk, first),
                place=operand.place,
                lane=tuple((1 + entry, value) for entry, value in operand.lane),
            )
            for image, first, operand in zip(images, firsts, stream.operands, strict=True)
        ]
        return BeatStream(
            name=stream.name,
            array=stream.array,
            statement=stream.statement,
            is_write=stream.is_write,
            phase=stream.phase,
            index=stream.index,
            latency=stream.latency,
            loops=walk.loops,
            axes=tuple(1 + entry for entry in walk.entries),
            node=walk.node,
            visits=walk.visits,
            times=times,
            operands=tuple(operands),
        )

    def operand(self, access: Any, walk: Walk, same_as: int) -> Operand:
        """The operand of the map from loops to elements; one never taken where it is empty."""
        loops, inside = walk.loops, walk.inside
        positions = {loop: depth for depth, loop in enumerate(loops)}
        points, region = walk.visits.points, walk.visits.region
        if access.is_empty():
            return _never_taken(len(points), len(self.array.index), same_as)
        element = tuple(
            simplified(value_of(expression_of(image, inside), positions), region)
            for image in images(access.coalesce(), loops)
        )
        domain = bind(access.domain(), loops).coalesce()
        when: Condition = TRUE
        if not inside.is_subset(domain):
            when = condition_of(condition(domain.gist(inside), inside), positions)
        columns = points.T
        shape = (len(points),)
        taken = np.broadcast_to(np.asarray(holds_at(when, columns)), shape)
        values = [np.broadcast_to(np.asarray(value_at(e, columns)), shape) for e in element]
        elements = np.stack(values, axis=1) if values else np.zeros((len(points), 0), np.int64)
        cell = self.cell(element)
        return Operand(
            element=element,
            cell=simplified(cell, region.where(when)),
            when=simplified_condition(when, region),
            elements=elements,
            cells=np.broadcast_to(np.asarray(value_at(cell, columns)), shape),
            taken=taken,
            same_as=same_as,
        )

    def cell(self, element: tuple[Value, ...]) -> Value:
        if self.plan is None:
            return Affine()
        planned = self.plan.arrays[self.array.name]
        if planned.parts[0].banks is not None:
            return cell_form(planned.parts[0].banks, element)
        return cell_of(planned.mapping, element, self.plan.params, planned.parts[0].base)


def _never_taken(beats: int, rank: int, same_as: int) -> Operand:
    """An operand that no beat has at these parameters."""
    return Operand(
        element=(Affine(),) * rank,
        cell=Affine(),
        when=FALSE,
        elements=np.zeros((beats, rank), dtype=np.int64),
        cells=np.zeros(beats, dtype=np.int64),
        taken=np.zeros(beats, dtype=bool),
        same_as=same_as,
    )


def cell_of(
    mapping: ArrayMapping, element: Sequence[Value], values: Mapping[str, int], base: int = 0
) -> Value:
    """The address of an element: base + row-major flattening of (M x + offset) mod b."""
    if len(mapping.pieces) != 1 or mapping.pieces[0].domain is not None:
        raise LimitError(
            Problem(
                "a mapping with several pieces is not available in Verilog yet",
                "choose another one by plan.method",
            )
        )
    piece = mapping.pieces[0]
    rows = piece.matrix_at(values)
    moduli, offsets = piece.modulus_at(values), piece.offset_at(values)

    def flatten(*forms: Affine) -> Affine:
        address = Affine(base)
        stride = 1
        for row, modulus, offset in reversed(list(zip(rows, moduli, offsets, strict=True))):
            component = Affine(offset)
            for factor, form in zip(row, forms, strict=True):
                component = component + form.scaled(factor)
            address = address + component.modulo(modulus).scaled(stride)
            stride *= modulus
        return address

    return combine(list(element), flatten) if element else Affine(base)


def _first_equal(relations: Sequence[Any]) -> list[int]:
    """For every relation the position of the first one equal to it."""
    return [
        next(k for k, other in enumerate(relations) if other.is_equal(relation))
        for relation in relations
    ]
