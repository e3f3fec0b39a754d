"""The circuit of an array in RAMs or registers: streams with address generators and gates, copies,
wires."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from hlsmem.addressing.address_generator import AddressGenerator
from hlsmem.addressing.generator_compiler import Recipe
from hlsmem.addressing.loop_forms import TRUE, Condition, Value, holds_at
from hlsmem.addressing.loop_visits import simplified, simplified_condition
from hlsmem.addressing.nest_points import Points
from hlsmem.core.budgets import ACCESSES
from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.branch_simulation import with_branches
from hlsmem.dependences.bank_forms import (
    Distance,
    Route,
    bank_forms,
    offset_distance,
    shared_selector,
)
from hlsmem.dependences.beat_relations import accesses_of, refuse_many
from hlsmem.dependences.circuit_streams import Instances, OperandCircuit, PlainStream
from hlsmem.dependences.comparator_fit import Side
from hlsmem.dependences.earliest_release import CompareGate, Gate, WriteArbiter
from hlsmem.dependences.listed_dependences import ListedBetween
from hlsmem.dependences.related_dependences import RelatedBetween, Unrelated
from hlsmem.dependences.release_limits import KeyLimit
from hlsmem.dependences.row_period import Cut
from hlsmem.dependences.stream_forms import BeatStream, array_streams
from hlsmem.dependences.stream_pair import Between, Wire
from hlsmem.plan import BankPlace, Memory
from hlsmem.program.conditional_writes import may_hold_several_values
from hlsmem.program.model import Array, Program, Storage
from hlsmem.storage.banked.routes import is_turned, latency_of
from hlsmem.storage.circuit import (
    DATA,
    FIRE,
    OPEN,
    READY,
    VALID,
    BaseCircuit,
    Depths,
    Edge,
    Follows,
    Walk,
)
from hlsmem.storage.ram.ram_cost import memory_taking
from hlsmem.storage.ram.simulation import (
    counts_evenly,
    flows_of,
    limits_of,
    memory_players,
    memory_tables,
    memory_without,
    reuses_of,
)
from hlsmem.storage.ram.squashes import Squash, squash_of
from hlsmem.storage.ram.view import BufferView, buffer_view, memory_document, memory_documents
from hlsmem.verilog.verilog_ports import padded_bits

if TYPE_CHECKING:
    from hlsmem.cycle_model.cycle_floor import Flow, Reuse
    from hlsmem.cycle_model.stream_models import StreamModels
    from hlsmem.storage.build import Laid

# Accesses of an array up to which listing them takes less time than isl.
FEW_ACCESSES = 100_000
# The kind of a memory whose cells are given in turn: see `window`.
WINDOW = "window"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamCircuit(PlainStream):
    """A stream of a memory, with what its address generator is made of.

    `side` has its beats. `stored` is the address generator condition under which a written value
    goes to its cell (None: always). Of one that is `guarded` a beat says itself whether its
    instance runs; `squash` says it of one that passes over those that do not. `route` is for
    operands from a banked copy. `sources` are, of a read stream, the write streams whose values it
    reads, by their places, with the beats of each that go before every beat.
    """

    recipe: Recipe = field(compare=False, repr=False)
    side: Side = field(compare=False, repr=False)
    stored: str | None
    guarded: bool = False
    squash: Squash | None = None
    route: Route | None = None
    sources: tuple[tuple[int, Any], ...] = field(compare=False, repr=False, default=())

    @property
    def sees(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.squash.seen) if self.squash else ()

    def predicate_reads(self) -> Mapping[str, Any]:
        conditions = self.recipe.conditions
        return {
            one.name: np.broadcast_to(
                np.asarray(holds_at(conditions[one.needed] if one.needed else TRUE, self.points.T)),
                (self.beats,),
            )
            for one in (self.squash.seen if self.squash else ())
        }

    @property
    def generator(self) -> AddressGenerator:
        """The address generator of its loops."""
        return self.recipe.generator

    @property
    def points(self) -> Any:
        """The loops' values at each beat, listed."""
        return self.side.points


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCircuit(BaseCircuit):
    """One array: `depth` cells of `bits`, in `copies`, with all its streams.

    `slack` 0 means that a read and the overwrite of its cell may share a cycle; `collisions`
    says in which copies that happens. `step_entries` is the number of time entries that make a
    step of the program. `arbiters` has one entry for every pair of write streams. `style` is the
    kind of memory that was asked for. `banks` of `bank_words` hold the cells of the copies in
    `banked`, bank after bank; other copies are one RAM. `first` are, of state, the cells that hold
    something else than 0 behind a reset, with its bits; None where it is no state.
    """

    least_cycles: ClassVar[int] = 2

    array: str
    bits: int
    depth: int
    base: int
    copies: int
    is_register: bool
    slack: int
    collisions: tuple[bool, ...]
    read_latency: int
    step_entries: int
    streams: tuple[StreamCircuit, ...] = field()
    arbiters: tuple[WriteArbiter, ...]
    wires: tuple[Wire, ...]
    style: str = "auto"
    banks: int = 1
    bank_words: int = 0
    banked: tuple[int, ...] = ()
    first: Mapping[int, int] | None = field(default=None, compare=False)
    limit: str = ""

    @property
    def is_state(self) -> bool:
        return self.first is not None

    def registered(self) -> MemoryCircuit:
        streams = self.streams
        if self.banked:  # where RAMs are fast, a gate must not wait for a sum
            streams = tuple(
                replace(stream, recipe=replace(stream.recipe, kept=_compared(stream)))
                for stream in streams
            )
        return replace(self, streams=streams, read_latency=2)

    def taking(self, memory: Memory, device: str) -> Memory:
        return memory_taking(memory, self, device)

    def players(self, depths: Depths) -> StreamModels:
        return with_branches(memory_players(self), depths)

    def row_tables(self, entry: int) -> list[Any] | None:
        return memory_tables(self, entry)

    def counts_evenly(self, cut: Cut) -> bool:
        return counts_evenly(self, cut)

    def is_clear(self) -> bool:
        return all(limit.is_clear for limit in limits_of(self) if isinstance(limit, KeyLimit))

    def without(self, cut: Cut) -> MemoryCircuit:
        return memory_without(self, cut)

    def flows(self, cycles: int) -> list[Flow]:
        return flows_of(self, cycles)

    def reuses(self) -> Iterator[Reuse]:
        return reuses_of(self)

    def edges(self, fronts: Collection[str]) -> Iterator[Edge]:  # noqa: ARG002
        """From all that write it to all that read it: a read is issued after the write."""
        for stream in self.streams:
            if stream.squash is not None:
                yield from self._edges_into(stream)
        within = {look for stream in self.streams for look in stream.sees}  # behind no port
        for reader in self.streams:
            if reader.is_write or reader.is_drain:
                continue
            inside = 1 + latency_of(self, reader)
            way = Edge(
                source=reader.name,
                reader=reader.statement,
                stream=reader.name,
                cycles=latency_of(self, reader),
                bits=len(reader.operands) * padded_bits(self.bits),
                inside=inside,
                is_gate=reader.name in within,
            )
            if reader.squash is not None:
                yield way
                continue
            for writer in self.streams:
                if writer.is_write and not writer.is_fill:
                    yield replace(way, source=_beats_from(writer), cycles=inside)

    def _edges_into(self, stream: StreamCircuit) -> Iterator[Edge]:
        """Dependences of a stream that passes over instances, beside those on predicate reads."""
        others = [self.streams[gate.other] for gate in stream.gates]
        others = [other for other in others if other.is_write and not other.is_fill]
        found = [(_beats_from(other), other.name, 1) for other in others]
        if stream.is_write:
            found.append((stream.statement, stream.name, 0))
        for source, name, cycles in found:
            yield Edge(
                source=source,
                reader=stream.name,
                stream=name,
                cycles=cycles,
                bits=padded_bits(self.bits),
                is_gate=True,
            )

    def view(self, design: str) -> BufferView:
        return buffer_view(design, self)

    def documents(self) -> list[dict[str, Any]]:
        return memory_documents(self)

    def memory_documents(self) -> list[dict[str, Any]]:
        return [memory_document(self)]

    def follows(self) -> Iterator[Follows]:
        for stream in self.streams:
            yield from self._follows_inside(stream)
        for arbiter in self.arbiters:
            first, second = (self.streams[one].name for one in (arbiter.first, arbiter.second))
            # Each lets the other go where that is earlier; without a vector that is the first.
            pairs = ((first, second), (second, first)) if arbiter.vector else ((first, second),)
            for rival, name in pairs:
                yield (rival, OPEN), (name, READY)
                yield (rival, VALID), (name, READY)
        for stream in self.streams:
            if stream.is_drain:
                copy = stream.operands[0].copy or 0
                for other in self.streams:
                    shares = any(one.copy == copy for one in other.operands)
                    if other is not stream and not other.is_write and shares:
                        yield (other.name, FIRE), (stream.name, FIRE)

    def _follows_inside(self, stream: StreamCircuit) -> Iterator[Follows]:
        """Of one stream: its gates, what it looks at, the room behind it."""
        name = stream.name
        goes = OPEN if stream.is_write else FIRE
        for gate in stream.gates:
            if gate.bypass:
                yield (self.streams[gate.other].name, FIRE), (name, goes)
        for look in stream.sees:
            yield (name, FIRE), (look, READY)
            yield (look, VALID), (name, goes)
            yield (look, DATA), (name, READY if stream.is_write else FIRE)
            yield (look, DATA), (name, FIRE)
        if stream.is_write:
            yield (name, OPEN), (name, READY)
            for signal in (OPEN, READY, VALID):
                yield (name, signal), (name, FIRE)
        elif is_turned(self, stream):
            yield (name, READY), (name, FIRE)

    def walks(self) -> Iterator[Walk]:
        for stream in self.streams:
            gates = tuple((gate, self.streams[gate.other].name) for gate in stream.gates)
            yield Walk(stream.name, stream.recipe, stream.instances, gates)


def memory_circuit(
    program: Program, laid: Laid, array: Array, most: int = ACCESSES
) -> MemoryCircuit | None:
    """The circuit of an array in a memory; None where it has no streams.

    Where isl has no gates, accesses are listed, so many at most.

    Raises InputError where its streams cannot hold together, LimitError where a walk needs what
    address generators cannot do.
    """
    where = laid.addresses
    streams = array_streams(program, array, where)
    if not streams:
        return None
    _refuse_wide_writes(streams)
    banks = where.banks
    is_window = laid.memory.kind == WINDOW
    found = _between(program, streams, laid.slack, banks, most, is_window=is_window)
    wires = found.wires()
    depth = where.mapping.cells if banks is None else banks.banks * banks.words
    is_state = array.storage is Storage.STATE
    copies = _Copies(streams, found, banks)
    decided = may_hold_several_values(program, array.name)
    guarded = {one.name for one in program.statements if one.filters and decided}
    staying = [stream for stream in streams if not (is_state and stream.phase)]
    built, arbiters = _built(program, staying, found, wires, copies, depth, guarded)
    return MemoryCircuit(
        array=array.name,
        bits=array.element.bits,
        depth=depth,
        base=where.base,
        copies=copies.count,
        is_register=depth == 1,
        slack=laid.slack,
        collisions=_collisions(staying, built, found, copies.count, laid.slack),
        read_latency=1,
        step_entries=program.step_dimensions,
        streams=tuple(built),
        arbiters=tuple(arbiters),
        wires=wires,
        style=laid.memory.style,
        banks=1 if banks is None else banks.banks,
        bank_words=0 if banks is None else banks.words,
        banked=copies.banked,
        first=_first_cells(array, streams) if is_state else None,
        limit=found.limit,
    )


def _built(
    program: Program,
    staying: Sequence[BeatStream],
    found: Between,
    wires: tuple[Wire, ...],
    copies: _Copies,
    depth: int,
    guarded: Collection[str],
) -> tuple[list[StreamCircuit], list[WriteArbiter]]:
    """The circuits of the streams that are `staying`, and the arbiters of their write ports.

    `guarded` are the statements whose filters decide what an element holds.
    """
    built: list[StreamCircuit] = []
    arbiters: list[WriteArbiter] = []
    instance_entries = program.time_dimensions + max(len(s.iterators) for s in program.statements)
    for position, stream in enumerate(staying):
        outputs: dict[str, Value] = {}
        conditions: dict[str, Condition] = {}
        gates = _kept(found.gates(position, outputs), outputs, len(staying))
        arbiters += _kept(found.arbiters(position, outputs), outputs, len(staying))
        operands = _operands(position, stream, found, wires, copies, depth, outputs, conditions)
        stored = _stored(stream, position, found, wires, conditions)
        if stream.is_write and depth > 1 and (copies.plain or not copies.banked):
            outputs["cell_0"] = stream.operands[0].cell
        route = _route(stream, found.points(position), copies, operands, outputs, conditions)
        squash = squash_of(program, stream, outputs, conditions)
        built.append(
            _stream_circuit(
                stream,
                instance_entries,
                outputs,
                conditions,
                operands=operands,
                gates=gates,
                stored=stored,
                guarded=squash is None and stream.is_write and stream.statement in guarded,
                squash=squash,
                route=route,
                sources=tuple(one for one in found.sources(position) if one[0] < len(staying)),
            )
        )
    return built, arbiters


def _stream_circuit(
    stream: BeatStream,
    instance_entries: int,
    outputs: dict[str, Value],
    conditions: dict[str, Condition],
    **made: Any,
) -> StreamCircuit:
    """The circuit of a stream: what the stream says of itself, and what is `made` for it."""
    listed = partial(_instances, stream, instance_entries)
    return StreamCircuit(
        name=stream.name,
        statement=stream.statement,
        is_write=stream.is_write,
        is_fill=stream.phase < 0,
        is_drain=stream.phase > 0,
        latency=stream.latency,
        recipe=Recipe(
            node=stream.node,
            loops=stream.loops,
            outputs=outputs,
            conditions=conditions,
            visits=stream.visits,
        ),
        side=Side(stream),
        instances=Instances(stream.relation.times, instance_entries, listed),
        places=stream.places,
        **made,
    )


def _kept(found: Sequence[_Waits], outputs: dict[str, Value], many: int) -> tuple[_Waits, ...]:
    """Those gates, or write arbiters, that are between the first `many` streams: what stands in
    place before a run and after it is no stream. Outputs for the others go.
    """
    kept = tuple(one for one in found if _other(one) < many)
    for name in _named(found) - _named(kept):
        del outputs[name]
    return kept


_Waits = TypeVar("_Waits", Gate, WriteArbiter)


def _other(one: Gate | WriteArbiter) -> int:
    """The later of the streams of a write arbiter, the one that a gate waits for."""
    return max(one.first, one.second) if isinstance(one, WriteArbiter) else one.other


def _named(found: Sequence[Gate | WriteArbiter]) -> set[str]:
    """The outputs of address generators that gates and write arbiters compare."""
    names: set[str] = set()
    for one in found:
        if isinstance(one, WriteArbiter):
            names.update(one.vector)
        elif isinstance(one, CompareGate):
            names.update(name for row in one.vectors for name in row)
    return names


def _first_cells(array: Array, streams: Sequence[BeatStream]) -> dict[int, int]:
    """The cells of state that hold something else than 0 at first, with its bits."""
    fill = next((stream for stream in streams if stream.phase < 0), None)
    if fill is None or not array.first:
        return {}
    (operand,) = fill.operands
    pairs = zip(operand.elements.tolist(), operand.cells.tolist(), strict=True)
    return {
        cell: array.first[tuple(element)]
        for element, cell in pairs
        if tuple(element) in array.first
    }


def _between(
    program: Program,
    streams: Sequence[BeatStream],
    slack: int,
    banks: BankPlace | None,
    most: int,
    *,
    is_window: bool,
) -> Between:
    """Dependences between the streams: few accesses are listed sooner than isl has answers."""
    relations = [stream.relation for stream in streams]
    reason = limit = ""
    accesses = accesses_of(relations)
    if accesses > FEW_ACCESSES:
        raises = accesses > ACCESSES
        try:
            if banks is not None and most <= FEW_ACCESSES:
                # Half a second of isl for a window is too much for a candidate among others.
                raise Unrelated("banks that are not asked for are compared with others so")
            return RelatedBetween(program, streams, slack, is_window=is_window, raises=raises)
        except Unrelated as unrelated:
            reason = unrelated.reason
            limit = reason if unrelated.is_limit else ""
    refuse_many(relations, reason, most)
    return ListedBetween(program, streams, slack, is_window=is_window, limit=limit)


def _beats_from(stream: StreamCircuit) -> str:
    """Source of the beats of a write stream: where it has a filter, it decides itself when."""
    return stream.statement if stream.squash is None else stream.name


def _instances(stream: BeatStream, entries: int) -> Any:
    """The rows of time and coordinates of a stream's beats."""
    return stream.times[:, 1 : 1 + entries]


def _compared(stream: StreamCircuit) -> frozenset[str]:
    """The outputs of a stream's address generator that gates compare."""
    gates = (gate for gate in stream.gates if isinstance(gate, CompareGate))
    return frozenset(name for gate in gates for vector in gate.vectors for name in vector)


def _refuse_wide_writes(streams: Sequence[BeatStream]) -> None:
    """Raise InputError where a beat writes several elements: a memory has one write port."""
    problems = []
    for stream in streams:
        if not stream.is_write or len(stream.operands) == 1:
            continue
        lanes = len(stream.operands)
        taken = np.stack([operand.taken for operand in stream.operands])
        full = int(taken.all(axis=0).argmax())
        elements = " and ".join(
            stream.element_text(k, full) for k in range(lanes) if taken[k, full]
        )
        what = (
            f"unrolled, {stream.statement} writes {elements} in one step, but the memory of"
            f" {stream.array!r} has one write port"
        )
        remedy = "unroll another loop; a reuse chain takes several, for reads at constant distances"
        if not taken.all():
            short = int((~taken).any(axis=0).argmax())
            there = int(taken[:, short].sum())
            remedy += f" and if all steps bring {lanes} elements: one here brings {there}"
        problems.append(Problem(what, remedy, stream.operands[0].source_location))
    if problems:
        raise InputError(*problems)


def _collisions(
    streams: Sequence[BeatStream],
    built: Sequence[StreamCircuit],
    found: Between,
    copies: int,
    slack: int,
) -> tuple[bool, ...]:
    """Per copy, whether a cell can be read and overwritten in one cycle.

    Only the very last read a write waits for can share its cycle.
    """
    result = [False] * copies
    for writer, reader in product(range(len(streams)), repeat=2):
        if slack or not streams[writer].is_write or streams[reader].is_write:
            continue
        for k, circuit in enumerate(built[reader].operands):
            if circuit.copy is not None and not result[circuit.copy]:
                result[circuit.copy] = found.collides(writer, reader, k)
    return tuple(result)


class _Copies:
    """Numbers the memory copies, in textual order.

    Without banks there is one an operand that is fetched, with banks one a stream: in banks
    where the stream fetches several operands. A drain shares a copy, one RAM if there is one.
    """

    def __init__(
        self, streams: Sequence[BeatStream], found: Between, place: BankPlace | None
    ) -> None:
        self.place = place
        self.numbers: dict[tuple[int, int], int] = {}
        banked, plain, count = [], [], 0
        for position, stream in enumerate(streams):
            fetched = _fetched(position, stream, found)
            if stream.is_write or stream.phase > 0 or not fetched:
                continue
            together = place is not None and len(fetched) > 1
            for operand in fetched:
                self.numbers[position, operand] = count
                count += not together
            if together:
                banked.append(count)
                count += 1
            elif place is not None:
                plain.append(count - 1)
        self.count = max(1, count)
        self.banked, self.plain = tuple(banked), tuple(plain)
        self.drained = plain[0] if plain else 0

    def of(self, position: int, operand: int, stream: BeatStream) -> int | None:
        return self.drained if stream.phase > 0 else self.numbers.get((position, operand))


def _fetched(position: int, stream: BeatStream, found: Between) -> list[int]:
    """The operands of a read stream that are ever fetched, equal ones once."""
    if stream.is_write:
        return []
    return [
        k
        for k, operand in enumerate(stream.operands)
        if operand.same_as == k and (stream.phase > 0 or found.is_fetched(position, k))
    ]


def _operands(
    position: int,
    stream: BeatStream,
    found: Between,
    wires: Sequence[Wire],
    copies: _Copies,
    depth: int,
    outputs: dict[str, Value],
    conditions: dict[str, Condition],
) -> tuple[OperandCircuit, ...]:
    if stream.is_write:
        place = stream.operands[0].source_location
        return (OperandCircuit(copy=None, cell="cell_0", taken=None, source_location=place),)
    built: list[OperandCircuit] = []
    fetched = _fetched(position, stream, found)
    for k, operand in enumerate(stream.operands):
        if operand.same_as < k:
            built.append(built[operand.same_as])
            continue
        taken = None
        if operand.when != TRUE:
            taken = f"taken_{k}"
            conditions[taken] = operand.when
        wire = next(
            (n for n, w in enumerate(wires) if (w.reader, w.operand) == (position, k)), None
        )
        wired = None
        if wire is not None and wires[wire].wired != TRUE:
            wired = f"wired_{k}"
            conditions[wired] = wires[wire].wired
        copy = copies.of(position, k, stream)
        if k in fetched and depth > 1 and copy not in copies.banked:
            outputs[f"cell_{k}"] = operand.cell
        built.append(
            OperandCircuit(
                copy=copy,
                cell=f"cell_{k}" if k in fetched else None,
                taken=taken,
                wire=wire,
                wired=wired,
                source_location=operand.source_location,
            )
        )
    return tuple(built)


def _route(
    stream: BeatStream,
    points: Points,
    copies: _Copies,
    operands: Sequence[OperandCircuit],
    outputs: dict[str, Value],
    conditions: dict[str, Condition],
) -> Route | None:
    """The route of a stream with a banked copy, its forms among the outputs; a write's too."""
    place = copies.place
    if place is None or not copies.banked:
        return None
    mine = [k for k, own in enumerate(stream.operands) if own.same_as == k]
    if not stream.is_write:
        mine = [k for k in mine if operands[k].copy in copies.banked]
    if not mine:
        return None
    region = stream.visits.region
    found = {k: bank_forms(place, stream.operands[k].element) for k in mine}
    there = [points.where(stream.operands[k].when) for k in mine]
    shared = None
    if len(mine) > 1:
        shared = shared_selector([found[k][0] for k in mine], there, place.banks)
    distances = None
    if shared is not None:
        leader, lanes = mine[shared[0]], shared[1]
        selectors = (f"bank_{leader}",) * len(mine)
        outputs[selectors[0]] = simplified(found[leader][0], region)
        distances = _distances({k: found[k][1] for k in mine}, leader, region, conditions)
    else:
        for k, beats in zip(mine, there, strict=True):
            outputs[f"bank_{k}"] = simplified(found[k][0], beats)
        selectors = tuple(f"bank_{k}" for k in mine)
        lanes = (tuple(range(place.banks)),) * len(mine)
    if distances is not None:
        offsets = (f"offset_{leader}",) * len(mine)
        outputs[offsets[0]] = simplified(found[leader][1], region)
    else:
        offsets = tuple(f"offset_{k}" for k in mine)
        for k, beats in zip(mine, there, strict=True):
            outputs[f"offset_{k}"] = simplified(found[k][1], beats)
    return Route(
        copy=-1 if stream.is_write else operands[mine[0]].copy or 0,
        operands=tuple(mine),
        selectors=selectors,
        offsets=offsets,
        lanes=lanes,
        is_shared=shared is not None,
        distances=distances,
    )


def _distances(
    offsets: Mapping[int, Value], leader: int, points: Points, conditions: dict[str, Condition]
) -> tuple[Distance, ...] | None:
    """Distance of every operand's offset from the leader's, by the conditions; None if unknown."""
    found = {k: offset_distance(form, offsets[leader]) for k, form in offsets.items()}
    known = {k: distance for k, distance in found.items() if distance is not None}
    if len(known) < len(found):
        return None
    result = []
    for k, (least, more, when) in known.items():
        if when is not None:
            when = simplified_condition(when, points)
        if when == TRUE:
            least, more, when = least + more, 0, None
        result.append(Distance(least=least, more=more, when=f"offset_{k}_more" if when else None))
        if when is not None:
            conditions[f"offset_{k}_more"] = when
    return tuple(result)


def _stored(
    stream: BeatStream,
    position: int,
    found: Between,
    wires: Sequence[Wire],
    conditions: dict[str, Condition],
) -> str | None:
    if not stream.is_write:
        return None
    for number, wire in enumerate(wires):
        if wire.writer == position and wire.pushed != TRUE:
            conditions[f"pushed_{number}"] = wire.pushed
    condition = found.stored(position)
    if condition == TRUE:
        return None
    if condition is None:
        raise LimitError(
            Problem(
                f"which values of {stream.array} written by {stream.statement} outlive their step"
                " is not a box of its loops",
                "use order: sequential",
            )
        )
    conditions["stored"] = condition
    return "stored"
