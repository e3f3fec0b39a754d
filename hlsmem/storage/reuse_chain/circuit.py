"""Reuse chains: reads at constant distances behind the one write stream of an array.

A chain moves on by one element with every write beat; an operand is the element that came a
constant number of beats before. No addresses, no gates, one word an element that is held.
Published as reuse-distance FIFOs (Cong et al., "An Optimal Microarchitecture for Stencil
Computation Acceleration Based on Non-Uniform Partitioning of Data Reuse Buffers", DAC 2014).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hlsmem.addressing.address_generator import AddressGenerator
from hlsmem.addressing.generator_compiler import Recipe, only_at
from hlsmem.addressing.loop_forms import TRUE, Condition, holds_at
from hlsmem.addressing.loop_visits import Visits
from hlsmem.addressing.nest_points import Listed, Point, Points
from hlsmem.addressing.point_boxes import condition_of_part
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.dependences.circuit_streams import Instances, PlainStream
from hlsmem.dependences.row_period import Cut
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory
from hlsmem.program.model import Array, Program
from hlsmem.storage.circuit import READY, BaseCircuit, Depths, Edge, Follows, Walk
from hlsmem.storage.reuse_chain.chain_selection import (
    Following,
    NoChain,
    Reuse,
    Unranked,
    find_chain,
)
from hlsmem.storage.reuse_chain.delays import Chain
from hlsmem.storage.reuse_chain.listed_taps import listed_chain
from hlsmem.storage.reuse_chain.simulation import (
    chain_passage,
    chain_players,
    chain_streams,
    chain_without,
)
from hlsmem.storage.reuse_chain.view import ChainView, chain_documents, chain_view
from hlsmem.storage.storage_cost import ram_on, taking
from hlsmem.verilog.verilog_ports import padded_bits

if TYPE_CHECKING:
    from hlsmem.cycle_model.closed_form import Passage
    from hlsmem.cycle_model.stream_models import StreamModels
    from hlsmem.storage.build import Laid


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReader:
    """A read stream of a chain: its next beat leaves with a write beat where `emitted` holds.

    `distances` has for every operand how many elements it is behind the newest of that beat.
    `emit`, `last` and `taken` (per operand) are conditions of the writer's address generator, None:
    always. `newest` maps times of read beats to those of the write beats; None where these were
    listed.
    """

    name: str
    statement: str
    latency: int
    distances: tuple[int, ...]
    emit: str | None
    last: str | None
    taken: tuple[str | None, ...]
    places: tuple[SourceLocation | None, ...]
    emitted: Condition
    newest: Any = field(compare=False, repr=False)
    instances: Instances = field(compare=False, repr=False)

    @property
    def beats(self) -> int:
        return len(self.instances)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCircuit(BaseCircuit):
    """One array in a chain, with its write stream and all that read it.

    A write beat brings an element for every lane of the chain, the newest last in the beat.
    `has_skid`: a beat that comes while the chain stands still waits in front of it, so that ready
    depends on registers only.
    """

    has_exact_depths: ClassVar[bool] = True

    array: str
    bits: int
    writer: str
    statement: str
    latency: int
    recipe: Recipe = field(compare=False, repr=False)
    readers: tuple[ChainReader, ...]
    chain: Chain
    step_entries: int
    source_location: SourceLocation | None
    instances: Instances = field(compare=False, repr=False)
    visits: Visits = field(compare=False, repr=False)
    style: str = "auto"
    output_register: bool = False
    has_skid: bool = False
    limit: str = ""

    @property
    def generator(self) -> AddressGenerator:
        return self.recipe.generator

    @property
    def beats(self) -> int:
        return self.generator.beats

    @property
    def words(self) -> int:
        """Elements it holds: those behind the newest beat, that one, and the one in the skid."""
        return self.chain.words + len(self.chain.lanes) * (1 + self.has_skid)

    @property
    def taps(self) -> tuple[int, ...]:
        """The distances of all operands, reader by reader."""
        return tuple(distance for reader in self.readers for distance in reader.distances)

    @property
    def streams(self) -> tuple[PlainStream, ...]:
        return chain_streams(self)

    def registered(self) -> ChainCircuit:
        return replace(self, output_register=True)

    def taking(self, memory: Memory, device: str) -> Memory:
        return chain_taking(memory, self, device)

    def players(self, depths: Depths) -> StreamModels:
        return chain_players(self, depths)

    def follows(self) -> Iterator[Follows]:
        if not self.has_skid:
            for reader in self.readers:
                yield (reader.name, READY), (self.writer, READY)

    def passage(self, depths: Depths) -> Passage | None:
        return chain_passage(self, depths)

    def row_times(self) -> list[Any]:
        return [None if one.newest is None else one.newest.range() for one in self.readers]

    def without(self, cut: Cut) -> ChainCircuit:
        return chain_without(self, cut)

    def edges(self, fronts: Collection[str]) -> Iterator[Edge]:
        source = self.statement
        if self.writer in fronts and not self.has_skid:
            source = f"({self.array})"
            yield Edge(
                source=self.statement,
                reader=source,
                stream=self.writer,
                cycles=0,
                bits=len(self.chain.lanes) * padded_bits(self.bits),
                is_front=True,
            )
        for reader in self.readers:
            yield Edge(
                source=source,
                reader=reader.statement,
                stream=reader.name,
                cycles=1,
                bits=len(reader.distances) * padded_bits(self.bits),
            )

    def view(self, design: str) -> ChainView:
        return chain_view(design, self)

    def documents(self) -> list[dict[str, Any]]:
        return chain_documents(self)

    def walks(self) -> Iterator[Walk]:
        yield Walk(self.writer, self.recipe, self.instances)

    def emits(self, reader: ChainReader) -> np.ndarray:
        """Mask of the write beats, listed, with which a beat of the reader leaves."""
        holds = holds_at(reader.emitted, self.visits.points.T)
        return np.broadcast_to(np.asarray(holds), (len(self.visits.points),))


def chain_circuit(program: Program, laid: Laid, array: Array) -> ChainCircuit | NoChain:
    """The circuit of a chain of a layout, or why there is none."""
    return build_chain(program, array, style=laid.memory.style, has_skid=laid.slack > 0)


def build_chain(
    program: Program, array: Array, *, style: str = "auto", has_skid: bool = False
) -> ChainCircuit | NoChain:
    """The chain that holds an array, or why there is none.

    Raises InputError and LimitError as `chain_reuse`.
    """
    found = chain_reuse(program, array)
    if isinstance(found, NoChain):
        return found
    source, walk = found.writer, found.writer.walk
    conditions: dict[str, Condition] = {}
    listed = any(isinstance(reader.emitted, Listed) for reader in found.readers)
    names = _Named(conditions, Listed(walk.visits.points) if listed else walk.visits.region)
    entries = program.time_dimensions + max(len(s.iterators) for s in program.statements)
    readers = []
    for number, reader in enumerate(found.readers):
        readers.append(_named_reader(reader, number, names, entries))
        if names.failed:
            what = (
                f"which beats of {source.statement} the reads of {reader.stream.statement} follow"
            )
            return NoChain(f"{what} is no box of its loops")
    recipe = Recipe(
        node=walk.node, loops=walk.loops, outputs={}, conditions=conditions, visits=walk.visits
    )
    if recipe.generator.idle:
        return NoChain(f"the loops of {source.statement} pass places without a beat")
    bits = array.element.bits
    return ChainCircuit(
        array=array.name,
        bits=bits,
        writer=source.name,
        statement=source.statement,
        latency=source.latency,
        recipe=recipe,
        readers=tuple(readers),
        chain=found.chain(bits),
        step_entries=program.step_dimensions,
        source_location=source.operands[0].source_location,
        instances=Instances(source.times, entries),
        visits=walk.visits,
        style=style,
        has_skid=has_skid,
        limit=found.limit,
    )


def chain_reuse(program: Program, array: Array) -> Reuse | NoChain:
    """The chain of an array, or why there is none; beats are listed where isl cannot number them.

    Raises LimitError where they are too many for that.
    """
    found = find_chain(program, array)
    if not isinstance(found, Unranked):
        return found
    listed = listed_chain(program, array)
    if not found.limit:
        return listed
    if isinstance(listed, NoChain):
        return NoChain(f"{listed.reason}; {found.limit}: beats were listed")
    return replace(listed, limit=found.limit)


class _Named:
    """Conditions of the writer's loops that hold at given beats, by name."""

    def __init__(self, conditions: dict[str, Condition], points: Points) -> None:
        self.conditions, self.points, self.failed = conditions, points, False

    def only(self, name: str, beat: Point) -> str | None:
        """At one beat alone: equalities share their comparators with the end of the walk."""
        if self.points.first() == self.points.last():
            return None
        self.conditions[name] = only_at(self.points, beat)
        return name

    def of(self, name: str, beats: Points) -> str | None:
        condition = condition_of_part(self.points, beats)
        if condition is None:
            self.failed = True
            return None
        if condition == TRUE:
            return None
        self.conditions[name] = condition
        return name


def _named_reader(reader: Following, number: int, names: _Named, entries: int) -> ChainReader:
    """A reader with the conditions of the writer's address generator that let its beats go, by
    their names."""
    stream = reader.stream
    emit = names.of(f"emit_{number}", reader.emitted)
    last = names.only(f"last_{number}", reader.emitted.last())
    taken = tuple(
        None if part is None else names.of(f"taken_{number}_{k}", part)
        for k, part in enumerate(reader.taken)
    )
    return ChainReader(
        name=stream.name,
        statement=stream.statement,
        latency=stream.latency,
        distances=reader.distances,
        emit=emit,
        last=last,
        taken=taken,
        places=tuple(operand.source_location for operand in stream.operands),
        emitted=TRUE if emit is None else names.conditions[emit],
        newest=reader.newest,
        instances=Instances(stream.times, entries),
    )


def chain_taking(memory: Memory, circuit: ChainCircuit, device: str) -> Memory:
    """The memory of a chain with what its delay lines, and registers between them, take on a device
    or family."""
    style, chain = Style(memory.style), circuit.chain
    registered = circuit.output_register
    rams = [
        ram_on(device, line.words, line.bits, style, collision=False, registered=registered)
        for line in chain.delay_lines(wide=True)
    ]
    # The newest element of every lane is in a register, too, and so is what waits in a skid.
    segments = [segment for lane in chain.lanes for segment in lane.segments]
    registers = memory.words - chain.words + sum(segment.registers for segment in segments)
    return taking(memory, rams, Cost(flip_flops=registers * memory.bits))
