"""FIFOs: every value of an array is read once, in the order in which the values were written.

The pointers of a FIFO are its addresses and its gates in one, and each of its two streams goes
at its own pace. It has the words that the plan found: a beat goes in at the latest when the one
so many before it has been read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.cycle_model.branch_simulation import with_branches
from hlsmem.dependences.beat_ranks import rank_of
from hlsmem.dependences.beat_relations import StreamRelation, array_relations, refuse_many
from hlsmem.dependences.circuit_streams import Instances, PlainStream, plain_operands
from hlsmem.dependences.requirements import clock_of
from hlsmem.dependences.row_period import Cut
from hlsmem.dependences.stream_forms import array_streams
from hlsmem.dependences.value_sources import last_before, later_steps
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.program.model import Array, Order, Program
from hlsmem.storage.circuit import BaseCircuit, Depths, Edge
from hlsmem.storage.fifo.simulation import fifo_passage, fifo_players
from hlsmem.storage.fifo.view import FifoView, fifo_documents, fifo_view
from hlsmem.storage.storage_cost import ram_on, taking
from hlsmem.timing.instance_text import element_text
from hlsmem.verilog.verilog_ports import padded_bits

if TYPE_CHECKING:
    from hlsmem.cycle_model.closed_form import Passage
    from hlsmem.cycle_model.stream_models import StreamModels
    from hlsmem.storage.build import Laid


@dataclass(frozen=True, slots=True, kw_only=True)
class FifoCircuit(BaseCircuit):
    """One array in a FIFO of `words` of `bits`.

    A beat of the reader shows its element in each of the reader's operands. `source` maps times
    of read beats to those of the write beats that they see. `drains`: whether
    its reader waits for nothing else in the memory, so that only the user fills the FIFO.
    """

    array: str
    bits: int
    words: int
    writer: PlainStream
    reader: PlainStream
    source: Any = field(compare=False, repr=False)
    step_entries: int
    drains: bool
    style: str = "auto"
    output_register: bool = False

    @property
    def beats(self) -> int:
        return self.writer.beats

    @property
    def ram_words(self) -> int:
        """The words of its RAM: one less than wait at once where that is a power of two.

        The latch behind the RAM takes a word as soon as it is empty, whether somebody reads or
        not, so that it has room for one of those that wait. A RAM of a power of two needs neither
        pointers that wrap nor a count; two words and more take a beat a cycle. Where a read waits
        for the next write, too, the latch comes on top: the room that a read makes is there a
        cycle later, and no beat would go in with it.
        """
        less = self.words - 1
        is_enough = self.drains and less > 1 and less & (less - 1) == 0
        return less if is_enough else self.words

    @property
    def streams(self) -> tuple[PlainStream, ...]:
        return (self.writer, self.reader)

    def registered(self) -> FifoCircuit:
        return replace(self, output_register=True)

    def taking(self, memory: Memory, device: str) -> Memory:
        ram = ram_on(
            device,
            self.ram_words,
            memory.bits,
            Style(memory.style),
            collision=False,
            registered=self.output_register,
        )
        return taking(memory, [ram], Cost())

    def players(self, depths: Depths) -> StreamModels:
        return with_branches(fifo_players(self), depths)

    def passage(self, depths: Depths) -> Passage | None:
        is_known = self.words > 1 and not depths.get(self.reader.name)
        return fifo_passage(self) if is_known else None

    def counts_evenly(self, cut: Cut) -> bool:
        return cut.beats(self.writer.instances.times) == cut.beats(self.reader.instances.times)

    def without(self, cut: Cut) -> FifoCircuit:
        return replace(self, writer=self.writer.without(cut), reader=self.reader.without(cut))

    def edges(self, fronts: Collection[str]) -> Iterator[Edge]:  # noqa: ARG002
        inside = 2 + self.output_register
        yield Edge(
            source=self.writer.statement,
            reader=self.reader.statement,
            stream=self.reader.name,
            cycles=inside,
            bits=padded_bits(self.bits),
            inside=inside,
        )

    def view(self, design: str) -> FifoView:
        return fifo_view(design, self)

    def documents(self) -> list[dict[str, Any]]:
        return fifo_documents(self)


@dataclass(frozen=True, slots=True)
class NoFifo:
    """Why no FIFO holds an array."""

    reason: str


def find_fifo(program: Program, laid: Laid, array: Array) -> FifoCircuit | NoFifo:
    """The circuit of a FIFO of a layout, or why there is none."""
    beats = in_order(program, array)
    if isinstance(beats, NoFifo):
        return beats
    return build_fifo(program, array, beats, laid.fifo_words, style=laid.memory.style)


@dataclass(frozen=True, slots=True, kw_only=True)
class InOrder:
    """The beats of an array whose reads see all writes, once, in their order.

    `source` maps the time of every read beat to that of the write beat that it sees.
    """

    writer: StreamRelation
    reader: StreamRelation
    source: Any


def in_order(program: Program, array: Array) -> InOrder | NoFifo:
    """The reads of one statement that see what one other wrote, or why they are not so."""
    several = _several_accesses(program, array)
    if several is not None:
        return several
    streams = array_relations(program, array)
    if any(stream.phase for stream in streams):
        return NoFifo("elements are live before or after the program")
    if [stream.is_write for stream in streams] not in ([True, False], [False, True]):
        return NoFifo("it is not written and read")
    number = next(k for k, stream in enumerate(streams) if not stream.is_write)
    reader, writer = streams[number], streams[1 - number]
    first, *others = (operand.relation for operand in reader.operands)
    if not all(other.is_equal(first) for other in others):
        apart: list[Any] = []
        for one in (first, *others):
            if not any(one.is_equal(other) for other in apart):
                apart.append(one)
        return NoFifo(f"statement {reader.statement} reads {len(apart)} elements per beat")
    if not all(stream.times.is_subset(stream.elements(0).domain()) for stream in streams):
        return NoFifo("some beats have no element of it")
    source = last_before(program, reader.elements(0).apply_range(writer.elements(0).reverse()))
    trouble = _out_of_order(source, writer)
    if trouble is not None:
        return trouble
    return InOrder(writer=writer, reader=reader, source=source)


def build_fifo(
    program: Program, array: Array, beats: InOrder, words: int, *, style: str = "auto"
) -> FifoCircuit | NoFifo:
    """The FIFO of so many words that holds the beats of an array, or why there is none.

    No beat waits for a read of a later step, so the deadlock argument of memories holds.
    """
    if not _leaves_in_time(program, array, beats.writer, beats.source, words):
        return NoFifo("a beat would wait for reads of later steps")
    entries = program.time_dimensions + max(len(s.iterators) for s in program.statements)
    return FifoCircuit(
        array=array.name,
        bits=array.element.bits,
        words=words,
        writer=_plain(beats.writer, entries),
        reader=_plain(beats.reader, entries),
        source=beats.source,
        step_entries=program.step_dimensions,
        drains=_drains(program, beats.reader),
        style=style,
    )


def _drains(program: Program, reader: StreamRelation) -> bool:
    """True if the statement that reads an array waits for no other in the memory: it reads and
    writes none, and no condition reads one."""
    planned = {array.name for array in program.planned_arrays()}
    (statement,) = (one for one in program.statements if one.name == reader.statement)
    read, written = (
        {one.array for one in a} & planned for a in (statement.reads, statement.writes)
    )
    return read == {reader.array} and not written and not statement.filters


def _several_accesses(program: Program, array: Array) -> NoFifo | None:
    """Reason against a FIFO from accesses alone, before their beats are listed."""
    if program.lanes:
        return NoFifo("its loops are unrolled")
    for verb, kind in (("write", "writes"), ("read", "reads")):
        found = [
            statement.name
            for statement in program.statements
            if any(access.array == array.name for access in getattr(statement, kind))
        ]
        if len(found) > 1:
            return NoFifo(f"{listed(found)} {verb} it")
    return None


def _out_of_order(source: Any, writer: StreamRelation) -> NoFifo | None:
    """Reason against a FIFO, by sources: the reads do not see all writes, once and in order."""
    found = source.reverse()
    if not source.is_injective():
        return NoFifo(f"{_first_element(writer, _several(source))} is read more than once")
    unread = writer.times.subtract(source.range())
    if not unread.is_empty():
        return NoFifo(f"{_first_element(writer, unread)} is never read")
    read_later = found.apply_range(Map.lex_gt(found.range().get_space())).apply_range(source)
    passed = read_later.intersect(Map.lex_lt(writer.times.get_space())).domain()
    if passed.is_empty():
        return None
    return NoFifo(f"{_first_element(writer, passed)} is not read in the order of the writes")


def _several(source: Any) -> Any:
    """The write beats that several read beats see."""
    together = source.apply_range(source.reverse())
    return together.subtract(Map.identity(together.get_space())).domain().apply(source)


def _first_element(writer: StreamRelation, times: Any) -> str:
    """The element that the first of some write beats brings, as in C."""
    element = lexmin(times).apply(writer.elements(0)).sample_point()
    size = range(element.get_space().dim(DimType.set))
    return element_text(
        writer.array, [element.get_coordinate_val(DimType.set, k).to_python() for k in size]
    )


def _leaves_in_time(
    program: Program, array: Array, writer: StreamRelation, source: Any, words: int
) -> bool:
    """True if the beat that a written one waits for is read in its step, or earlier."""
    if words >= writer.beats:
        return True
    rank = rank_of(writer.times)
    if rank is None:
        return _listed_in_time(program, array, words)
    number = Map.from_pw_aff(rank)
    ahead = Map(f"{{ [n] -> [n + {words}] }}")
    waiting = source.apply_range(number).apply_range(ahead).apply_range(number.reverse())
    return bool(later_steps(program, waiting).is_empty())


def _listed_in_time(program: Program, array: Array, words: int) -> bool:
    """The same with all beats listed, for write beats without numbers that isl can say."""
    streams = array_streams(program, array)
    relations = [stream.relation for stream in streams]
    refuse_many(relations, "isl has no numbers for the write beats")
    reader, writer = sorted(streams, key=lambda stream: stream.is_write)
    clock = clock_of(program, streams)
    step = clock.step if program.order is Order.ITERATION else clock.code
    return bool((step(reader.times)[:-words] <= step(writer.times)[words:]).all())


def _plain(stream: StreamRelation, entries: int) -> PlainStream:
    return PlainStream(
        name=stream.name,
        statement=stream.statement,
        is_write=stream.is_write,
        latency=stream.latency,
        operands=plain_operands(operand.source_location for operand in stream.operands),
        instances=Instances(stream.times, entries),
    )
