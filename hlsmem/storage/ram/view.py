"""View of a buffer for the template: the streams, gates, copies and wires of one array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hlsmem.addressing.address_generator import bits_for
from hlsmem.addressing.loop_forms import TRUE, Condition
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import OperandCircuit
from hlsmem.dependences.earliest_release import CompareGate
from hlsmem.storage.banked.routes import is_turned, reads_alone
from hlsmem.storage.banked.view import (
    BankView,
    RouteView,
    bank_bits,
    bank_views,
    offset_bits,
    route_view,
    unused_lanes,
    unused_selectors,
)
from hlsmem.storage.ram.ram_dependences import (
    GateView,
    WriteArbiterView,
    arbiter_name,
    arbiter_view,
    entry_width,
    gate_view,
)
from hlsmem.storage.ram.ram_operands import (
    beside,
    data_text,
    fetched_words,
    joined,
    port_group,
    side_bit,
    user_text,
)
from hlsmem.storage.ram.squashes import SeenView, SquashView, form_width, squash_view
from hlsmem.verilog.generator_view import AddressGeneratorView, generator_view
from hlsmem.verilog.verilog_ports import PortGroup, padded_bits, stream_document
from hlsmem.verilog.verilog_text import concatenation, literal, ram_style

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionView:
    """An address generator's output on a wire of the buffer."""

    port: str
    wire: str
    range: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WireView:
    """A value that goes from a write port to an operand beside the memory."""

    name: str
    source: str
    fire: str
    pushed: str
    take: str
    reader: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamView:
    name: str
    statement: str
    is_write: bool
    is_fill: bool
    comment: str
    ports: PortGroup
    squash: SquashView | None
    is_local: bool
    generator: str
    connections: tuple[ConnectionView, ...]
    has_last: bool
    gates: tuple[GateView, ...]
    ready: str
    waits: str
    fetched_bits: int
    fetched: str
    side_bits: int
    side: str
    data: str
    user: str
    joined: str
    holds: bool
    is_turned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyView:
    """A memory copy: what enables its read port, the address there, and whether a cell may be
    read and overwritten at one edge; or the banks that it is made of."""

    name: str
    read_enable: str
    read_address: str
    collision: int
    banks: tuple[BankView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferView:
    kind: ClassVar[str] = "buffer"

    module: str
    array: str
    bits: int
    depth: int
    address_bits: int
    is_register: bool
    output_register: int
    style: str
    read_latency: int
    streams: tuple[StreamView, ...]
    seen: tuple[SeenView, ...]
    readers: tuple[StreamView, ...]
    writers: tuple[StreamView, ...]
    arbiters: tuple[WriteArbiterView, ...]
    copies: tuple[CopyView, ...]
    wires: tuple[WireView, ...]
    write_enable: str
    write_address: str
    write_bank: str
    write_offset: str
    write_data: str
    bank_bits: int
    offset_bits: int
    bank_words: int
    routes: tuple[RouteView, ...]
    over: str
    generators: tuple[AddressGeneratorView, ...]
    unused: tuple[str, ...]
    first: tuple[tuple[str, str], ...] | None


def buffer_view(design: str, memory: MemoryCircuit) -> BufferView:
    """The view of a memory's buffer module and of its address generators."""
    return _Builder(design, memory).view()


class _Builder:
    def __init__(self, design: str, memory: MemoryCircuit) -> None:
        self.design, self.memory = design, memory
        self.address_bits = bits_for(0, memory.depth - 1)
        self.keys: dict[int, set[int]] = {k: set() for k in range(len(memory.streams))}
        self.next_keys: dict[int, set[int]] = {k: set() for k in range(len(memory.streams))}
        self.generators: list[AddressGeneratorView] = []
        for stream in memory.streams:
            for gate in stream.gates:
                if isinstance(gate, CompareGate):
                    loops = range(len(memory.streams[gate.other].generator.loops))
                    self.keys[gate.other].update(loops)
                    if gate.bypass:
                        self.next_keys[gate.other].update(loops)
        for arbiter in memory.arbiters:
            if arbiter.vector:
                loops = range(len(memory.streams[arbiter.second].generator.loops))
                self.keys[arbiter.second].update(loops)

    def view(self) -> BufferView:
        memory = self.memory
        streams = tuple(self.stream(k) for k in range(len(memory.streams)))
        readers = tuple(view for view in streams if not view.is_write)
        writers = tuple(view for view in streams if view.is_write)
        arbiters = (arbiter_view(memory, arbiter) for arbiter in memory.arbiters)
        enable, address, data = self.write_port(writers)
        bank, offset = self.write_banks(writers)
        over = [f"{v.name}_done" if v.is_write else f"{v.name}_over" for v in streams]
        copies = tuple(self.copy(k) for k in range(memory.copies))
        routes = tuple(
            route_view(memory, stream, stream.route)
            for stream in memory.streams
            if stream.route is not None and not stream.is_write
        )
        return BufferView(
            module=f"{self.design}_{memory.array}_buffer",
            array=memory.array,
            bits=memory.bits,
            depth=memory.depth,
            address_bits=self.address_bits,
            is_register=memory.is_register,
            output_register=memory.read_latency - 1,
            style=ram_style(memory.style),
            read_latency=memory.read_latency,
            streams=streams,
            seen=tuple(self.seen()),
            readers=readers,
            writers=writers,
            arbiters=tuple(arbiter for arbiter in arbiters if arbiter is not None),
            copies=copies,
            wires=tuple(self.wire(k) for k in range(len(memory.wires))),
            write_enable=enable,
            write_address=address,
            write_bank=bank,
            write_offset=offset,
            write_data=data,
            bank_bits=bank_bits(memory),
            offset_bits=offset_bits(memory),
            bank_words=memory.bank_words,
            routes=routes,
            over=" & ".join(over),
            generators=tuple(self.generators),
            unused=self.all_unused(streams, copies, routes),
            first=self.first(),
        )

    def first(self) -> tuple[tuple[str, str], ...] | None:
        """Of state, the cells that do not begin with 0 and their values, as literals."""
        memory = self.memory
        if memory.first is None:
            return None
        return tuple(
            (literal(cell, self.address_bits), literal(bits, memory.bits))
            for cell, bits in sorted(memory.first.items())
        )

    def seen(self) -> Iterator[SeenView]:
        """The streams of what is looked at that end here."""
        for stream in self.memory.streams:
            for one in stream.squash.seen if stream.squash else ():
                yield SeenView(
                    name=one.name,
                    data_bits=one.operands * padded_bits(one.bits),
                    is_own=one.array == self.memory.array,
                )

    def stream(self, position: int) -> StreamView:
        memory, stream = self.memory, self.memory.streams[position]
        group = port_group(memory, stream)
        module = f"{self.design}_{stream.name}_walk"
        has_last = not stream.is_write
        widths = self.output_widths(position)
        generator = generator_view(
            stream.generator,
            module=module,
            stream=stream.name,
            widths=widths,
            keys=sorted(self.keys[position]),
            next_keys=sorted(self.next_keys[position]),
            tells=("beat", "last", "done") if has_last else ("beat", "done"),
            ahead=bool(memory.banked) and memory.read_latency > 1,
        )
        self.generators.append(generator)
        gates = tuple(gate_view(memory, position, k) for k in range(len(stream.gates)))
        opens = [gate.name for gate in gates]
        fetched = fetched_words(memory, stream)
        side = beside(memory, stream)
        return StreamView(
            name=stream.name,
            statement=stream.statement,
            is_write=stream.is_write,
            is_fill=stream.is_fill,
            comment=self.comment(stream),
            ports=group,
            squash=squash_view(stream.name, stream.generator, stream.squash)
            if stream.squash
            else None,
            is_local=stream.name in {one.name for one in self.seen() if one.is_own},
            generator=module,
            connections=tuple(
                ConnectionView(port=port.name, wire=f"{stream.name}_{port.name}", range=port.range)
                for port in generator.ports
            ),
            has_last=has_last,
            gates=gates,
            ready=" & ".join([*opens, *self.more_ready(position)]),
            waits=self.waits(position),
            fetched_bits=max(1, len(fetched) * memory.bits),
            fetched=concatenation(reversed(fetched)) if fetched else "1'b0",
            side_bits=len(side),
            side=concatenation(text for _, text in reversed(side)),
            data=data_text(memory, stream),
            user=user_text(memory, stream),
            joined=joined(memory, stream),
            holds=self.holds(stream),
            is_turned=is_turned(memory, stream),
        )

    def holds(self, stream: StreamCircuit) -> bool:
        """True if its words wait in the RAMs, and in a slot behind them."""
        return reads_alone(self.memory, stream) and not is_turned(self.memory, stream)

    def comment(self, stream: StreamCircuit) -> str:
        if stream.is_fill:
            return "values from before the start, row-major"
        if stream.is_drain:
            return "values left at the end, row-major"
        verb = "writes" if stream.is_write else "reads"
        text = f"{stream.statement} {verb} {self.memory.array}"
        if stream.squash:
            return text + ", beats of instances that run"
        return text + (", where tuser says that its instance runs" if stream.guarded else "")

    def output_widths(self, position: int) -> dict[str, tuple[int, bool]]:
        memory, stream = self.memory, self.memory.streams[position]
        widths: dict[str, tuple[int, bool]] = {}
        for name, _ in stream.generator.outputs:
            if name.startswith("cell"):
                widths[name] = (self.address_bits, False)
            elif name.startswith("offset_"):
                widths[name] = (offset_bits(memory), False)
            elif name.startswith("bank_"):
                widths[name] = (bank_bits(memory), False)
            elif name.startswith("look_"):
                widths[name] = form_width(stream.generator, name)
        compared = [(g.vectors, g.other) for g in stream.gates if isinstance(g, CompareGate)]
        compared += [((t.vector,), t.second) for t in memory.arbiters if t.first == position]
        for vectors, other in compared:
            for row in vectors:
                for loop, name in enumerate(row):
                    widths[name] = entry_width(stream, vectors, memory.streams[other], loop)
        return widths

    def more_ready(self, position: int) -> list[str]:
        """Conditions of a beat besides gates: room in wires, the shared copy of a drain."""
        memory, stream = self.memory, self.memory.streams[position]
        conditions = [
            f"({_not(self.pushed(k))}{memory.array}_wire_{k}_room)"
            for k, wire in enumerate(memory.wires)
            if wire.writer == position
        ]
        if stream.is_drain:
            shared = stream.operands[0].copy or 0
            conditions += [f"~{name}_fire" for name in self.sharers(shared, stream)]
        return conditions

    def sharers(self, copy: int, but: StreamCircuit) -> list[str]:
        return [
            s.name
            for s in self.memory.streams
            if s is not but and not s.is_write and any(o.copy == copy for o in s.operands)
        ]

    def waits(self, position: int) -> str:
        """Write streams that go first: an expression that is low while one of them does."""
        memory = self.memory
        conditions = []
        for arbiter in memory.arbiters:
            if position not in (arbiter.first, arbiter.second):
                continue
            is_first = position == arbiter.first
            rival = memory.streams[arbiter.second if is_first else arbiter.first].name
            asks = f"{rival}_open & {rival}_tvalid"
            if memory.streams[arbiter.second if is_first else arbiter.first].squash:
                asks += f" & {rival}_runs"
            if arbiter.vector:
                name = arbiter_name(memory, arbiter)
                conditions.append(f"~({asks} & {'~' if is_first else ''}{name})")
            elif not is_first:
                conditions.append(f"~({asks})")
        return " & ".join(conditions)

    def all_unused(
        self,
        streams: Sequence[StreamView],
        copies: Sequence[CopyView],
        routes: Sequence[RouteView],
    ) -> tuple[str, ...]:
        """Signals nobody looks at, named so that linters know it is meant."""
        names: list[str] = []
        for view in streams:
            if not view.is_write:
                names.append(f"{view.name}_done")
                continue
            if not view.squash:
                names.append(f"{view.name}_tlast")
            if view.ports.data_bits > self.memory.bits:
                high = view.ports.data_bits - 1
                names.append(f"{view.name}_tdata[{high}:{self.memory.bits}]")
        for one in self.seen():
            names += [f"{one.name}_tdata", *([f"{one.name}_tlast"] if one.is_own else [])]
            own = next((view for view in streams if view.name == one.name), None)
            names += [f"{one.name}_tuser"] if own and own.ports.user_bits else []
        names += [f"{view.name}_side" for view in streams if view.squash and not view.is_write]
        names += [f"{self.memory.array}_wire_{k}_side" for k in range(len(self.memory.wires))]
        if self.memory.is_register:  # its readers share the cell, and what writes it
            names += [f"{self.memory.array}_{k}_w_en" for k in range(1, self.memory.copies)]
        read = {o.copy for stream in self.memory.streams for o in stream.operands}
        names += [
            f"{self.memory.array}_{copy}_r_data"
            for copy in range(self.memory.copies)
            if copy not in read
        ]
        names += [
            f"{bank.name}_r_data"
            for copy in copies
            for bank in copy.banks
            if bank.read_enable == "1'b0" and not bank.asked
        ]
        waiting = {view.name for view in streams if view.holds}
        for route in routes:
            names += [bank.name for bank in route.banks]
            names += unused_lanes(route, self.memory.bits)
            stream = next(one for one in self.memory.streams if one.name == route.stream)
            if stream.route is not None:
                names += unused_selectors(stream, stream.route, route)
            if route.stream in waiting and self.memory.read_latency == 1:
                names.append(f"{route.stream}_move")
        names += [f"{view.name}_fetched" for view in streams if self.fetches_nothing(view)]
        return tuple(names)

    def fetches_nothing(self, view: StreamView) -> bool:
        stream = next(s for s in self.memory.streams if s.name == view.name)
        return not view.is_write and not fetched_words(self.memory, stream)

    def pushed(self, number: int) -> str:
        wire = self.memory.wires[number]
        writer = self.memory.streams[wire.writer]
        return "" if _always(wire.pushed) else f"{writer.name}_pushed_{number}"

    def wire(self, number: int) -> WireView:
        memory = self.memory
        wire = memory.wires[number]
        writer, reader = memory.streams[wire.writer], memory.streams[wire.reader]
        operand = reader.operands[wire.operand]
        pushed = self.pushed(number)
        fire = f"{writer.name}_fire"
        take = f"{reader.name}_take"
        wired = f" & {side_bit(memory, reader, operand.wired)}" if operand.wired else ""
        return WireView(
            name=f"{memory.array}_wire_{number}",
            source=f"{writer.name}_tdata[{memory.bits - 1}:0]",
            fire=fire,
            pushed=f"{fire} & {pushed}" if pushed else fire,
            take=f"{take}{wired}",
            reader=reader.name,
        )

    def copy(self, number: int) -> CopyView:
        if number in self.memory.banked:
            return CopyView(
                name=f"{self.memory.array}_{number}",
                read_enable="",
                read_address="",
                collision=int(self.memory.collisions[number]),
                banks=bank_views(self.memory, number),
            )
        enables: list[str] = []
        addresses: list[tuple[str, str]] = []
        for stream in self.memory.streams:
            for operand in stream.operands:
                if stream.is_write or operand.copy != number:
                    continue
                fire = f"{stream.name}_issue" if stream.squash else f"{stream.name}_fire"
                enable = fire
                if operand.taken:
                    enable += f" & {stream.name}_{operand.taken}"
                if operand.wired:
                    enable += f" & ~{stream.name}_{operand.wired}"
                enable = f"({enable})" if " " in enable else enable
                if enable not in enables:
                    enables.append(enable)
                    addresses.append((fire, f"{stream.name}_{operand.cell}"))
        return CopyView(
            name=f"{self.memory.array}_{number}",
            read_enable=" | ".join(enables) or "1'b0",
            collision=int(self.memory.collisions[number]),
            read_address=_chosen(addresses) or literal(0, self.address_bits),
        )

    def write_port(self, writers: Sequence[StreamView]) -> tuple[str, str, str]:
        circuit = {stream.name: stream for stream in self.memory.streams}
        enables, addresses, data = [], [], []
        for view in writers:
            stream = circuit[view.name]
            fire = f"{view.name}_commit" if stream.squash else f"{view.name}_fire"
            when = [f"{view.name}_{stream.stored}"] if stream.stored else []
            when += [f"{view.name}_tuser[0]"] if stream.guarded else []
            stored = f"({' & '.join([fire, *when])})" if when else fire
            enables.append(stored)
            addresses.append((fire, f"{view.name}_cell_0"))
            data.append((fire, f"{view.name}_tdata[{self.memory.bits - 1}:0]"))
        return " | ".join(enables) or "1'b0", _chosen(addresses), _chosen(data)

    def write_banks(self, writers: Sequence[StreamView]) -> tuple[str, str]:
        """The bank and the offset of the value that is written, where there are banks."""
        if not self.memory.banked:
            return "", ""
        fires = [(f"{view.name}_fire", view.name) for view in writers]
        bank = _chosen([(fire, f"{name}_bank_0") for fire, name in fires])
        return bank, _chosen([(fire, f"{name}_offset_0") for fire, name in fires])


def _chosen(choices: Sequence[tuple[str, str]]) -> str:
    """A chain of choices; the last needs no condition."""
    if not choices:
        return ""
    text = choices[-1][1]
    for condition, value in reversed(choices[:-1]):
        text = f"{condition} ? {value} : {text}"
    return text


def _always(condition: Condition) -> bool:
    return condition == TRUE


def _not(text: str) -> str:
    return f"~{text} | " if text else ""


def memory_documents(memory: MemoryCircuit) -> list[dict[str, Any]]:
    """The streams of a memory for a bench."""
    return [
        stream_document(
            memory.array,
            None if stream.is_fill or stream.is_drain else stream.statement,
            port_group(memory, stream),
            beats=stream.beats,
            idle=stream.generator.idle,
            operands=() if stream.is_write else [_operand(stream, o) for o in stream.operands],
            squashes=stream.squash is not None,
        )
        for stream in memory.streams
    ]


def memory_document(memory: MemoryCircuit) -> dict[str, Any]:
    """The memory for a bench that looks at its cells."""
    return {
        "array": memory.array,
        "path": f"u_{memory.array}",
        "copies": memory.copies,
        "address_bits": 0 if memory.is_register else bits_for(0, memory.depth - 1),
        "base": memory.base,
        "banks": memory.banks,
        "bank_words": memory.bank_words,
        "banked": list(memory.banked),
        **({"setting": memory.depth} if memory.is_state else {}),
    }


def _operand(stream: StreamCircuit, operand: OperandCircuit) -> dict[str, Any]:
    """The copy of an operand, and the trace wire with its bank if the copy is in banks."""
    if stream.route is None:
        return {"copy": operand.copy, "bank": None}
    first = next(k for k, other in enumerate(stream.operands) if other is operand)
    banked = first in stream.route.operands
    return {"copy": operand.copy, "bank": f"{stream.name}_at_{first}" if banked else None}
