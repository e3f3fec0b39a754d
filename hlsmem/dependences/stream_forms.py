"""The streams of an array as forms of their loops; times, elements and cells listed on demand.

A stream's loops run over the entries of its time that vary. Fill and drain are streams of two
more statements: a leading time entry (-1, 0, 1) puts them before and after the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import (
    FALSE,
    TRUE,
    Affine,
    Condition,
    Value,
    choose,
    combine,
    condition_of,
    holds_at,
    replace_condition,
    value_at,
    value_of,
)
from hlsmem.addressing.loop_states import places_of
from hlsmem.addressing.loop_visits import Visits, simplified, simplified_condition
from hlsmem.addressing.nest_points import Points, Region
from hlsmem.addressing.state_changes import plan_steps
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.dependences.bank_forms import cell_form
from hlsmem.dependences.beat_relations import OperandRelation, StreamRelation, Walk, array_relations
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.plan import BankPlace
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enclosing_instances import bind, images
from hlsmem.polyhedra.generated_loops import Node, condition, expression_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program
from hlsmem.timing.instance_text import element_text


@dataclass(frozen=True, kw_only=True)
class Operand:
    """One access of a stream's beats: which element and cell, in which beats.

    `access` maps the loops' values to the element; `cell` is an address from the memory's base.
    Listed in numpy, `elements` has shape (beats, indices), `cells` and `taken` (beats,). `same_as`
    is the first operand of the beat with the same relation. `place` is where the access stands.
    `lane` says which of the instances of an unrolled beat makes it: positions in the beats' times
    with their values.
    """

    element: tuple[Value, ...]
    cell: Value
    when: Condition
    access: Any = field(compare=False, repr=False)
    visits: Visits = field(compare=False, repr=False)
    same_as: int
    source_location: SourceLocation | None = None
    lane: tuple[tuple[int, int], ...] = ()

    @cached_property
    def elements(self) -> Any:
        points = self.visits.points
        values = [self._listed(form) for form in self.element]
        return np.stack(values, axis=1) if values else np.zeros((len(points), 0), np.int64)

    @cached_property
    def cells(self) -> Any:
        return self._listed(self.cell)

    @cached_property
    def taken(self) -> Any:
        points = self.visits.points
        return np.broadcast_to(np.asarray(holds_at(self.when, points.T)), (len(points),))

    def _listed(self, form: Value) -> Any:
        points = self.visits.points
        return np.broadcast_to(np.asarray(value_at(form, points.T)), (len(points),))


@dataclass(frozen=True, kw_only=True)
class BeatStream:
    """A stream and its beats. `is_write` streams go into the memory.

    `loops` names the time entries that vary, `axes` are their positions in `times`, which has
    shape (beats, time entries): [phase, time of the program.., coordinates..]; `first` is the
    first row. `phase` is -1 for the fill, 1 for the drain, 0 for statements; `index` puts these in
    textual order between them. A beat of an unrolled statement has the operands of all its
    instances, lane by lane, and in `times` 0 for their lanes.
    """

    relation: StreamRelation = field(compare=False, repr=False)
    loops: tuple[str, ...]
    axes: tuple[int, ...]
    node: Node = field(repr=False)
    visits: Visits = field(compare=False, repr=False)
    first: tuple[int, ...]
    operands: tuple[Operand, ...]

    @property
    def name(self) -> str:
        return self.relation.name

    @property
    def array(self) -> str:
        return self.relation.array

    @property
    def statement(self) -> str:
        return self.relation.statement

    @property
    def is_write(self) -> bool:
        return self.relation.is_write

    @property
    def phase(self) -> int:
        return self.relation.phase

    @property
    def index(self) -> int:
        return self.relation.index

    @property
    def latency(self) -> int:
        return self.relation.latency

    @property
    def beats(self) -> int:
        return self.relation.beats

    @cached_property
    def times(self) -> Any:
        points = self.visits.points
        times = np.zeros((len(points), len(self.first)), dtype=np.int64, order="F")
        times[:] = self.first
        for column, axis in enumerate(self.axes):
            times[:, axis] = points[:, column]
        return times

    @cached_property
    def places(self) -> Walked | None:
        """The places of its walk; None where all are beats."""
        return walked(self.node, self.visits)

    def element_text(self, operand: int, beat: int) -> str:
        """The element of an operand in a beat, as in C."""
        return self.element_at(operand, self.visits.points[beat].tolist())

    def element_at(self, operand: int, point: Sequence[int]) -> str:
        """The element of an operand at values of the loops, as in C."""
        element = [value_at(form, point) for form in self.operands[operand].element]
        return element_text(self.array, [int(value) for value in element])


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """Addresses of an array's elements in a memory: from the cell `base`, by a mapping, or in
    banks."""

    mapping: StorageMapping
    base: int = 0
    banks: BankPlace | None = None


def array_streams(
    program: Program, array: Array, addresses: Addresses | None = None
) -> tuple[BeatStream, ...]:
    """Streams of one planned array: per statement reads then writes, fill and drain last.

    Without addresses all cells are 0. Raises InputError as `array_relations`.
    """
    maker = _Maker(program, array, addresses)
    return tuple(maker.stream(stream) for stream in array_relations(program, array))


class _Maker:
    def __init__(self, program: Program, array: Array, addresses: Addresses | None) -> None:
        self.program, self.array, self.addresses = program, array, addresses
        coordinates = [len(statement.iterators) for statement in program.statements]
        self.entries = 1 + program.time_dimensions + max([len(array.index), *coordinates])

    def stream(self, stream: StreamRelation) -> BeatStream:
        walk = stream.walk
        first = (stream.phase, *Region(stream.times).first())
        backward = walk.key.reverse()
        relations = [operand.relation for operand in stream.operands]
        images = [backward.apply_range(relation) for relation in relations]
        # Where a beat is more than an instance, equal operands may come of different ones.
        firsts = _first_equal(images if self.program.lanes else relations)
        return BeatStream(
            relation=stream,
            loops=walk.loops,
            axes=tuple(1 + entry for entry in walk.entries),
            node=walk.node,
            visits=walk.visits,
            first=first + (0,) * (self.entries - len(first)),
            operands=tuple(
                self.operand(image, walk, same_as, operand)
                for image, same_as, operand in zip(images, firsts, stream.operands, strict=True)
            ),
        )

    def operand(self, access: Any, walk: Walk, same_as: int, relation: OperandRelation) -> Operand:
        """The operand of the map from loops to elements; one never taken where it is empty."""
        loops, inside = walk.loops, walk.inside
        positions = {loop: depth for depth, loop in enumerate(loops)}
        region = walk.visits.region
        element: tuple[Value, ...] = (Affine(),) * len(self.array.index)
        cell: Value = Affine()
        when: Condition = FALSE
        access = access.coalesce()
        if not access.is_empty():
            element = tuple(
                simplified(value_of(expression_of(image, inside), positions), region)
                for image in images(access, loops)
            )
            domain, when = bind(access.domain(), loops).coalesce(), TRUE
            if not inside.is_subset(domain):
                when = condition_of(condition(domain.gist(inside), inside), positions)
            cell = simplified(self.cell(element), region.where(when))
        return Operand(
            element=element,
            cell=cell,
            when=simplified_condition(when, region),
            access=access,
            visits=walk.visits,
            same_as=same_as,
            source_location=relation.source_location,
            lane=tuple((1 + entry, value) for entry, value in relation.lane),
        )

    def cell(self, element: tuple[Value, ...]) -> Value:
        where = self.addresses
        if where is None:
            return Affine()
        if where.banks is not None:
            return cell_form(where.banks, element)
        return cell_of(where.mapping, element, self.program.values, where.base)


def cell_of(
    mapping: StorageMapping, element: Sequence[Value], values: Mapping[str, int], base: int = 0
) -> Value:
    """The address of an element: base + row-major flattening of (M x + offset) mod b.

    Of pieces one behind the other, as their domains decide.
    """
    *pieces, last = mapping.pieces
    found = _cell_of_piece(last, element, values, base + sum(p.cells_at(values) for p in pieces))
    for position in reversed(range(len(pieces))):
        piece = pieces[position]
        start = base + sum(before.cells_at(values) for before in pieces[:position])
        cell = _cell_of_piece(piece, element, values, start)
        found = _where(piece.domain, element, values, cell, found)
    return found


def _where(
    domain: str | None,
    element: Sequence[Value],
    values: Mapping[str, int],
    then: Value,
    otherwise: Value,
) -> Value:
    """`then` for an element inside of a domain of a piece, isl text."""
    if domain is None:
        return then
    names = [f"x{position}" for position in range(len(element))]
    inside = bind(fix_parameters(Set(domain), values), names)
    holds = condition_of(
        condition(inside, Set("{ : }")), {name: position for position, name in enumerate(names)}
    )

    def decided(*forms: Affine) -> Value:
        return choose(replace_condition(holds, dict(enumerate(forms))), Affine(1), Affine(0))

    def picked(flag: Affine, first: Affine, second: Affine) -> Value:
        return first if flag.constant else second

    return combine([combine(list(element), decided), then, otherwise], picked)


def _cell_of_piece(
    piece: Piece, element: Sequence[Value], values: Mapping[str, int], base: int
) -> Value:
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


class Walked:
    """The places of a walk in order: their keys, and as an array whether each is a beat."""

    def __init__(self, visits: Visits, places: Points) -> None:
        self.visits, self.places = visits, places

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def keys(self) -> Any:
        """The loops' values at all places, shape (places, loops)."""
        return self.places.rows()

    @cached_property
    def is_beat(self) -> Any:
        """Mask of places that are a beat, shape (places,)."""
        keys, beats = self.keys, self.visits.points
        low = keys.min(axis=0)
        sides = tuple((keys.max(axis=0) - low + 1).tolist())
        codes = [np.ravel_multi_index(tuple((rows - low).T), sides) for rows in (keys, beats)]
        return np.isin(codes[0], codes[1], assume_unique=True)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.is_beat, dtype=dtype)


def walked(node: Node, visits: Visits) -> Walked | None:
    """The places of the walk of some loops; None where all are beats."""
    if all(plan_steps(node, visits).is_beat):
        return None
    places = places_of(visits)
    return None if places is visits.region else Walked(visits, places)
