"""View of a chain for the template: its lanes with their taps, the links between, the streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.verilog.generator_view import AddressGeneratorView, generator_view
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits, stream_document, unaddressed
from hlsmem.verilog.verilog_text import concatenation, ram_style

if TYPE_CHECKING:
    from hlsmem.storage.reuse_chain.circuit import ChainCircuit, ChainReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStream:
    """A stream of a chain; a reader's `emit`, `last` and `user` are what its next beat gets."""

    name: str
    comment: str
    is_write: bool
    ports: PortGroup
    emit: str = ""
    last: str = ""
    user: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Registers in a row: `name` is `bits` wide, fed at the low end from `source`."""

    name: str
    source: str
    bits: int
    element_bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """A RAM that several gaps of one depth share."""

    name: str
    depth: int
    address_bits: int
    bits: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """The element at a position: a wire of that name."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainView:
    kind: ClassVar[str] = "chain"

    module: str
    array: str
    bits: int
    streams: tuple[ChainStream, ...]
    writer: ChainStream
    readers: tuple[ChainStream, ...]
    generators: tuple[AddressGeneratorView, ...]
    conditions: tuple[str, ...]
    output_register: int
    has_skid: bool
    style: str
    lanes: int
    delays: tuple[Delay, ...]
    runs: tuple[Run, ...]
    taps: tuple[Tap, ...]
    unused: tuple[str, ...]


def chain_view(design: str, chain: ChainCircuit) -> ChainView:
    """The view of a chain's buffer module and of its address generator."""
    bits = chain.bits
    delays = _delays(chain)
    runs = tuple(_runs(chain))
    writer = ChainStream(
        name=chain.writer,
        comment=f"{chain.statement} writes {chain.array}",
        is_write=True,
        ports=chain_ports(chain, None),
    )
    readers = tuple(_reader(chain, reader) for reader in chain.readers)
    generator = generator_view(
        chain.generator,
        module=f"{design}_{chain.writer}_walk",
        stream=chain.writer,
        widths={},
        keys=(),
        next_keys=(),
        tells=("last",),
        ahead=chain.output_register,
    )
    padding = padded_bits(bits) - bits
    unused = [f"{chain.writer}_tlast"]
    if padding:
        lanes = range(0, writer.ports.data_bits, bits + padding)
        beat = f"{chain.writer}_{_beat(chain)}"
        unused += [f"{beat}[{low + bits + padding - 1}:{low + bits}]" for low in lanes]
    taps = tuple(
        Tap(
            name=run.name.replace("run", "at"),
            value=f"{run.name}[{run.bits - 1}:{run.bits - bits}]",
        )
        for run in runs
    )
    texts = [reader.data for reader in readers]
    texts += [run.source for run in runs] + [delay.source for delay in delays]
    looked_at = {name for text in texts for name in re.findall(r"\w+", text)}
    unused += [tap.name for tap in taps if tap.name not in looked_at]
    return ChainView(
        module=f"{design}_{chain.array}_buffer",
        array=chain.array,
        bits=bits,
        streams=(writer, *readers),
        writer=writer,
        readers=readers,
        generators=(generator,),
        conditions=tuple(name for name, _ in chain.generator.conditions),
        output_register=int(chain.output_register),
        has_skid=chain.has_skid,
        style=ram_style(chain.style),
        lanes=len(chain.chain.lanes),
        delays=delays,
        runs=runs,
        taps=taps,
        unused=tuple(unused),
    )


def _delays(chain: ChainCircuit) -> tuple[Delay, ...]:
    """The RAMs, deepest first; the first segment of each is in the lowest bits."""
    found = []
    for number, line in enumerate(chain.chain.delay_lines(wide=True)):
        sources = [
            _tap(chain, lane, chain.chain.lanes[lane].positions[index])
            for lane, index in reversed(line.segments)
        ]
        delay = Delay(
            name=f"delay_{number}",
            depth=line.words,
            address_bits=bits_for(0, line.words - 1),
            bits=line.bits,
            source=concatenation(sources),
        )
        found.append(delay)
    return tuple(found)


def _runs(chain: ChainCircuit) -> Iterator[Run]:
    """The registers in front of every tap, lane by lane."""
    bits, lanes = chain.bits, chain.chain.lanes
    out_of_ram = {
        segment: f"delay_{number}_q[{(place + 1) * bits - 1}:{place * bits}]"
        for number, line in enumerate(chain.chain.delay_lines(wide=True))
        for place, segment in enumerate(line.segments)
    }
    for lane, one in enumerate(lanes):
        # The newest element comes last in its beat.
        low = (len(lanes) - 1 - lane) * padded_bits(bits)
        yield Run(
            name=_tap(chain, lane, 0).replace("at", "run"),
            source=f"{chain.writer}_{_beat(chain)}[{low + bits - 1}:{low}]",
            bits=bits,
            element_bits=bits,
        )
        ways = zip(pairwise(one.positions), one.segments, strict=True)
        for index, ((before, position), segment) in enumerate(ways):
            yield Run(
                name=_tap(chain, lane, position).replace("at", "run"),
                source=out_of_ram.get((lane, index), _tap(chain, lane, before)),
                bits=segment.registers * bits,
                element_bits=bits,
            )


def _beat(chain: ChainCircuit) -> str:
    """Suffix of the name of the beat that goes into the chain."""
    return "beat_now" if chain.has_skid else "tdata"


def _tap(chain: ChainCircuit, lane: int, position: int) -> str:
    """The name of what a lane had so many beats before."""
    return f"at_{position}" if len(chain.chain.lanes) == 1 else f"at_{position}_lane_{lane}"


def chain_ports(chain: ChainCircuit, reader: ChainReader | None) -> PortGroup:
    """The ports of the write stream (None), or of a reader."""
    size = len(chain.chain.lanes) if reader is None else len(reader.distances)
    has_user = reader is not None and any(reader.taken)
    return PortGroup(
        name=chain.writer if reader is None else reader.name,
        is_write=reader is None,
        data_bits=size * padded_bits(chain.bits),
        user_bits=size if has_user else 0,
    )


def _reader(chain: ChainCircuit, reader: ChainReader) -> ChainStream:
    ports = chain_ports(chain, reader)
    padding = padded_bits(chain.bits) - chain.bits
    fill = f"{padding}'d0"
    found = [chain.chain.tap(distance) for distance in reader.distances]
    taps = [
        _tap(chain, one.lane, chain.chain.lanes[one.lane].positions[one.position]) for one in found
    ]
    lanes = [f"{{{fill}, {tap}}}" if padding else tap for tap in taps]
    users = [f"{chain.writer}_{name}" if name else "1'b1" for name in reader.taken]
    return ChainStream(
        name=reader.name,
        comment=f"{reader.statement} reads {chain.array}",
        is_write=False,
        ports=ports,
        emit=f"{chain.writer}_{reader.emit}" if reader.emit else "1'b1",
        last=f"{chain.writer}_{reader.last}" if reader.last else "1'b1",
        user=concatenation(reversed(users)) if ports.user_bits else "",
        data=concatenation(reversed(lanes)),
    )


def chain_documents(chain: ChainCircuit) -> list[dict[str, Any]]:
    """The streams of a chain for a bench, the writer first."""
    writer = stream_document(
        chain.array,
        chain.statement,
        chain_ports(chain, None),
        beats=chain.beats,
        idle=chain.generator.idle,
    )
    readers = [
        stream_document(
            chain.array,
            reader.statement,
            chain_ports(chain, reader),
            beats=reader.beats,
            operands=unaddressed(len(reader.distances)),
        )
        for reader in chain.readers
    ]
    return [writer, *readers]
