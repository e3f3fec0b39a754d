"""The streams of an array with all their beats: times, elements and cells, in numpy.

A stream's loops run over the entries of its time that vary. Fill and drain are streams of two
more statements: a leading time entry (-1, 0, 1) puts them before and after the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlsmem.errors import InputError, LimitError, Note, Problem
from hlsmem.gates.banks import cell_form
from hlsmem.mapping.model import Mapping as ArrayMapping
from hlsmem.order.edges import DRAIN, FILL, drained, filled
from hlsmem.order.unroll import beat_times, lane_columns, lanes_of
from hlsmem.order.witness import element_text
from hlsmem.places import Place
from hlsmem.plan import Plan
from hlsmem.polyhedra import DimType, Map, Set, UnionMap, Val
from hlsmem.polyhedra.instances import bind, images
from hlsmem.polyhedra.loops import Node, condition, expression_of, generate
from hlsmem.polyhedra.sets import fix_parameters, with_parameters
from hlsmem.program import Access, Array, Program, Statement
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
from hlsmem.walk.visits import Visits, simplified, simplified_condition, visits_of


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


def array_streams(program: Program, plan: Plan, array: Array) -> tuple[BeatStream, ...]:
    """Streams of one planned array: per statement reads then writes, fill and drain last."""
    builder = _Builder(program, plan, array)
    found: list[BeatStream | None] = []
    for index, statement in enumerate(program.statements):
        for is_write, accesses in ((False, statement.reads), (True, statement.writes)):
            own = tuple(access for access in accesses if access.array == array.name)
            if own:
                found.append(builder.statement_stream(statement, index, own, is_write))
    found.append(builder.edge_stream(filled(program, array), FILL, -1))
    found.append(builder.edge_stream(drained(program, array), DRAIN, 1))
    return tuple(stream for stream in found if stream is not None)


class _Builder:
    def __init__(self, program: Program, plan: Plan, array: Array) -> None:
        self.program, self.plan, self.array = program, plan, array
        coordinates = [len(statement.iterators) for statement in program.statements]
        self.entries = 1 + program.time_dimensions + max([len(array.index), *coordinates])

    def statement_stream(
        self, statement: Statement, index: int, accesses: Sequence[Access], is_write: bool
    ) -> BeatStream | None:
        if is_write and len(accesses) > 1:
            raise InputError(
                Problem(
                    f"{statement.name} writes {self.array.name} twice in one instance, its memory"
                    " has one write port",
                    "split the statement",
                    accesses[1].place,
                    (Note("the first write", accesses[0].place),),
                )
            )
        lanes = list(lanes_of(self.program, statement))
        relations = [
            self.fixed(access.relation.intersect_domain(statement.domain)).intersect_domain(own)
            for _, own in lanes
            for access in accesses
        ]
        instances = relations[0].domain()
        for relation in relations[1:]:
            instances = instances.union(relation.domain())
        if instances.is_empty():
            return None
        schedule = self.fixed(statement.schedule.intersect_domain(statement.domain))
        if not schedule.is_injective():
            self.refuse_unrolled(statement)
            coordinates = Map.identity(instances.space.map_from_set()).reset_tuple_id(DimType.out)
            schedule = schedule.flat_range_product(coordinates)
        schedule = beat_times(self.program, schedule.intersect_domain(instances))
        prefix = "s" if is_write else "m"
        return self.stream(
            name=f"{prefix}_{self.array.name}_{statement.name}",
            statement=statement.name,
            is_write=is_write,
            index=index,
            latency=statement.latency,
            phase=0,
            schedule=schedule,
            relations=relations,
            places=[access.place for access in accesses] * len(lanes),
            lanes=[self.lane(lane) for lane, _ in lanes for _ in accesses],
            names=self.program.iterator_names,
            offset=1,
        )

    def lane(self, values: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """The entries of a lane in the times of beats, behind the phase."""
        columns = lane_columns(self.program)
        return tuple((1 + column, v) for column, v in zip(columns, values, strict=True))

    def refuse_unrolled(self, statement: Statement) -> None:
        """Instances of one time are told apart by their coordinates, lanes by entries of it."""
        if self.program.lanes:
            what = f"instances of {statement.name} have equal times, and loops are unrolled"
            raise InputError(Problem(what, "give them times of their own", statement.place))

    def edge_stream(self, elements: Any, what: str, phase: int) -> BeatStream | None:
        """The fill (phase -1) or the drain (phase 1) of `elements`, row-major."""
        if elements is None:
            return None
        elements = self.fixed(elements)
        if elements.is_empty():
            return None
        identity = Map.identity(elements.space.map_from_set()).intersect_domain(elements)
        schedule = identity.reset_tuple_id(DimType.out)
        if not self.array.index:  # a scalar passes at a time of one entry, as any element
            schedule = schedule.add_dims(DimType.out, 1).fix_val(DimType.out, 0, Val(0))
        return self.stream(
            name=f"{'s' if what == FILL else 'm'}_{self.array.name}_{what}",
            statement=what,
            is_write=what == FILL,
            index=phase * (len(self.program.statements) + 1),
            latency=0,
            phase=phase,
            schedule=schedule,
            relations=[identity],
            places=[None],
            lanes=[()],
            names=self.array.index,
            offset=1,
        )

    def fixed(self, value: Any) -> Any:
        return fix_parameters(with_parameters(value, self.program.parameters), self.program.values)

    def stream(
        self,
        *,
        name: str,
        statement: str,
        is_write: bool,
        index: int,
        latency: int,
        phase: int,
        schedule: Any,
        relations: Sequence[Any],
        places: Sequence[Place | None],
        lanes: Sequence[tuple[tuple[int, int], ...]],
        names: Sequence[str],
        offset: int,
    ) -> BeatStream:
        schedule = schedule.coalesce()
        constants = _constant_entries(schedule.range())
        size = schedule.dim(DimType.out)
        varying = [entry for entry in range(size) if entry not in constants] or [size - 1]
        key = _kept_entries(schedule, varying)
        loops = _loop_names(varying, names)
        node, inside = _loops(key, loops)
        visits = visits_of(node, loops)
        points = visits.points
        times = np.zeros((len(points), self.entries), dtype=np.int64, order="F")
        times[:, 0] = phase
        for entry, value in constants.items():
            times[:, entry + offset] = value
        for column, entry in enumerate(varying):
            times[:, entry + offset] = points[:, column]
        backward = key.reverse()
        images = [backward.apply_range(relation) for relation in relations]
        # Where a beat is more than an instance, equal operands may come of different ones.
        firsts = _first_equal(images if self.program.lanes else relations)
        operands = [
            replace(self.operand(image, loops, inside, visits, first), place=place, lane=lane)
            for image, first, place, lane in zip(images, firsts, places, lanes, strict=True)
        ]
        return BeatStream(
            name=name,
            array=self.array.name,
            statement=statement,
            is_write=is_write,
            phase=phase,
            index=index,
            latency=latency,
            loops=loops,
            axes=tuple(entry + offset for entry in varying),
            node=node,
            visits=visits,
            times=times,
            operands=tuple(operands),
        )

    def operand(
        self, access: Any, loops: tuple[str, ...], inside: Any, visits: Visits, same_as: int
    ) -> Operand:
        """The operand of the map from loops to elements; one never taken where it is empty."""
        positions = {loop: depth for depth, loop in enumerate(loops)}
        points, region = visits.points, visits.region
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
        planned = self.plan.arrays[self.array.name]
        if planned.place.banks is not None:
            return cell_form(planned.place.banks, element)
        return cell_of(planned.mapping, element, self.plan.params, planned.place.base)


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


def _constant_entries(times: Any) -> dict[int, int]:
    """The entries of a bounded set of times that have one value, with it."""
    found: dict[int, int] = {}
    for entry in range(times.dim(DimType.set)):
        low, high = times.dim_min_val(entry), times.dim_max_val(entry)
        if low.eq(high):
            found[entry] = int(low.to_python())
    return found


def _kept_entries(schedule: Any, kept: Sequence[int]) -> Any:
    """The schedule with the entries in `kept` alone."""
    for entry in reversed(range(schedule.dim(DimType.out))):
        if entry not in kept:
            schedule = schedule.project_out(DimType.out, entry, 1)
    return schedule


# Names of walker ports and signals, and Verilog's own words that may name a loop.
_TAKEN = frozenset(
    """always and assign beat begin buf case cell clk default disable done else end event for force
    function if initial inout input integer join last load module move nand negedge nor not or
    output parameter pmos posedge primitive real reg release repeat rst scalared signed specify
    state step strength supply0 supply1 table task time tran tri use vectored wait wand weak0
    while wire wor xnor xor""".split()  # noqa: SIM905
)


# What walkers call their own registers and ports.
_OURS = re.compile(
    r"(next|key|cell|bank|offset|sum|taken|wired|pushed|after|before)_\w*|\w*_now(_\d+)?|sum|stored|on_beat|at_last"
)


def _loop_names(entries: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """A Verilog name for each loop: that of its time entry, if it has one of its own."""
    result: list[str] = []
    for entry in entries:
        name = names[entry] if entry < len(names) and names[entry] else f"t{entry}"
        if _OURS.fullmatch(name) or not name.isidentifier():
            name = f"t{entry}"
        elif name in _TAKEN:
            name = f"{name}_loop"
        while name in result:
            name = f"{name}_t{entry}"
        result.append(name)
    return tuple(result)


def _loops(key: Any, loops: tuple[str, ...]) -> tuple[Node, Any]:
    """The loops over the range of `key`, and that range as a parameter set."""
    keys = key.range().coalesce()
    order = Map.identity(keys.space.map_from_set()).intersect_domain(keys)
    named_order = order.set_tuple_name(DimType.in_, "beat")
    node = generate(UnionMap.from_map(named_order), Set("{ : }"), loops)
    if node is None:
        raise AssertionError("a stream without beats has no loops")
    return node, bind(keys, loops)


def _first_equal(relations: Sequence[Any]) -> list[int]:
    """For every relation the position of the first one equal to it."""
    return [
        next(k for k, other in enumerate(relations) if other.is_equal(relation))
        for relation in relations
    ]
