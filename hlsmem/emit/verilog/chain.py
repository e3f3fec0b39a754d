"""What the template of a chain prints: positions, the ways between them, the streams."""

from __future__ import annotations

from dataclasses import dataclass

from hlsmem.emit.verilog.buffer import PortGroup, padded_bits
from hlsmem.emit.verilog.text import concatenation, ram_style
from hlsmem.emit.verilog.walker import WalkerView, walker_view
from hlsmem.gates.chain import ChainCircuit, ChainReader, gap_rams
from hlsmem.walk.model import bits_for


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
    module: str
    array: str
    bits: int
    summary: str
    streams: tuple[ChainStream, ...]
    writer: ChainStream
    readers: tuple[ChainStream, ...]
    walkers: tuple[WalkerView, ...]
    conditions: tuple[str, ...]
    output_register: int
    style: str
    delays: tuple[Delay, ...]
    runs: tuple[Run, ...]
    taps: tuple[Tap, ...]
    unused: tuple[str, ...]


def chain_view(design: str, chain: ChainCircuit) -> ChainView:
    """The view of a chain's buffer module and of its walker."""
    bits = chain.bits
    delays: list[Delay] = []
    runs = [
        Run(
            name="run_0", source=f"{chain.writer}_tdata[{bits - 1}:0]", bits=bits, element_bits=bits
        )
    ]
    taps = [Tap(name="at_0", value="run_0")]
    out_of_ram: dict[int, str] = {}
    for number, (depth, gaps) in enumerate(gap_rams(chain)):
        sources = [f"at_{chain.positions[gap]}" for gap in reversed(gaps)]
        name = f"delay_{number}"
        delays.append(
            Delay(
                name=name,
                depth=depth,
                address_bits=bits_for(0, depth - 1),
                bits=bits * len(gaps),
                source=concatenation(sources),
            )
        )
        for lane, gap in enumerate(gaps):
            out_of_ram[gap] = f"{name}_q[{(lane + 1) * bits - 1}:{lane * bits}]"
    for gap, (way, position) in enumerate(zip(chain.gaps, chain.positions[1:], strict=True)):
        run = f"run_{position}"
        size = way.registers * bits
        source = out_of_ram.get(gap, f"at_{chain.positions[gap]}")
        runs.append(Run(name=run, source=source, bits=size, element_bits=bits))
        taps.append(Tap(name=f"at_{position}", value=f"{run}[{size - 1}:{size - bits}]"))
    writer = ChainStream(
        name=chain.writer,
        comment=f"{chain.statement} writes {chain.array}",
        is_write=True,
        ports=chain_ports(chain, None),
    )
    readers = tuple(_reader(chain, reader) for reader in chain.readers)
    walker = walker_view(
        chain.walker,
        module=f"{design}_{chain.writer}_walk",
        stream=chain.writer,
        widths={},
        keys=(),
        next_keys=(),
        has_last=True,
        ahead=chain.output_register,
    )
    padding = padded_bits(bits) - bits
    unused = [f"{chain.writer}_{name}" for name in ("tlast", "beat", "done")]
    unused += [f"{chain.writer}_tdata[{bits + padding - 1}:{bits}]"] if padding else []
    return ChainView(
        module=f"{design}_{chain.array}_buffer",
        array=chain.array,
        bits=bits,
        summary=f"{chain.array}: a chain of {chain.words} elements of {bits} bits",
        streams=(writer, *readers),
        writer=writer,
        readers=readers,
        walkers=(walker,),
        conditions=tuple(name for name, _ in chain.walker.conditions),
        output_register=int(chain.output_register),
        style=ram_style(chain.style),
        delays=tuple(delays),
        runs=tuple(runs),
        taps=tuple(taps),
        unused=tuple(unused),
    )


def chain_ports(chain: ChainCircuit, reader: ChainReader | None) -> PortGroup:
    """The ports of the write stream (None), or of a reader."""
    size = 1 if reader is None else len(reader.taps)
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
    lanes = [f"at_{tap}" if not padding else f"{{{fill}, at_{tap}}}" for tap in reader.taps]
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
