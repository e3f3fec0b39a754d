"""The top of a whole accelerator: memories, processes, and a stream for each array outside."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.addressing.address_generator import bits_for
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.processes import Process
from hlsmem.emit.templates import templates
from hlsmem.emit.verilog.departure_view import DepartureView, departure_view
from hlsmem.emit.verilog.process_view import ProcessView, process_view
from hlsmem.plan import PlannedAccelerator, PlannedPort
from hlsmem.program.model import Copy, Program
from hlsmem.verilog.verilog_ports import PortGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class PortView:
    """A port of the accelerator: what the plan says of it, and the stream of the memories.

    `departure` stands between the two where not all elements are written. Signed elements of so
    many `signed_bits` leave with more, which the memories have as 0.
    """

    planned: PlannedPort
    stream: str
    departure: DepartureView | None = None
    signed_bits: int = 0

    @property
    def is_part(self) -> bool:
        """True if it carries those elements alone that are used."""
        return not self.planned.is_whole

    @property
    def word(self) -> str:
        """The wire of tdata before its sign is extended."""
        return f"{self.planned.name}_{'word' if self.signed_bits else 'tdata'}"

    @property
    def count_bits(self) -> int:
        return bits_for(0, self.planned.beats - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerView:
    """A stream between memories and processes. The datapath looks at no bit of tuser: an operand
    that is not there is one that its value does not depend on."""

    name: str
    bits: int
    user_bits: int
    is_write: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessPorts:
    name: str
    streams: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceleratorView:
    name: str
    memories: str
    ports: tuple[PortView, ...]
    inner: tuple[InnerView, ...]
    processes: tuple[ProcessPorts, ...]
    misplaced: str
    starts: str
    begins: str
    cycles: int | None
    unused: tuple[str, ...]


def accelerator_modules(
    program: Program,
    accelerator: PlannedAccelerator,
    processes: Sequence[Process],
    streams: Sequence[PortGroup],
    cycles: int | None,
) -> list[tuple[str, str]]:
    """Return the names and texts of an accelerator's own modules, the top first.

    `streams` are those of the memories' top, `cycles` those from frame to frame, where known.
    """
    printed = templates("rtl")
    sizes = {one.name: one.data_bits for one in streams}
    views = [process_view(program, one, sizes) for one in processes]
    top = _top(program, accelerator, streams, views, cycles)
    modules = [(top.name, printed.get_template("accelerator.v.j2").render(top=top))]
    for process, view in zip(processes, views, strict=True):
        text = printed.get_template("process.v.j2").render(process=view)
        modules.append((f"{view.name}_process", text))
        if view.results:
            modules.append((view.name, process.module.text))
        if view.generator is not None:
            walk = printed.get_template("generator.v.j2").render(generator=view.generator)
            modules.append((view.generator.module, walk))
    for port in top.ports:
        if port.departure is not None:
            own, generator = port.departure, port.departure.generator
            text = printed.get_template("departure.v.j2").render(departure=own)
            modules.append((own.name, text))
            walk = printed.get_template("generator.v.j2").render(generator=generator)
            modules.append((generator.module, walk))
    return modules


def _top(
    program: Program,
    accelerator: PlannedAccelerator,
    streams: Sequence[PortGroup],
    views: Sequence[ProcessView],
    cycles: int | None,
) -> AcceleratorView:
    passing = [one for one in program.statements if isinstance(one.body, Copy)]
    ports = tuple(
        PortView(
            planned=port,
            stream=one.name,
            departure=departure_view(program, accelerator.top, port, statement)
            if port.direction == "out"
            else None,
            signed_bits=_signed_bits(program, port),
        )
        for port in accelerator.ports
        for one in streams
        for statement in passing
        if one.name == f"{port.name[0]}_{port.array}_{statement.name}"
    )
    outer = {one.stream for one in ports}
    inner = tuple(
        InnerView(name=one.name, bits=one.data_bits, user_bits=one.user_bits, is_write=one.is_write)
        for one in streams
        if one.name not in outer
    )
    given = [one.planned.name for one in ports if one.planned.direction == "in"]
    tests = [f"({name}_goes & ({name}_tlast != {name}_ends))" for name in given]
    return AcceleratorView(
        name=accelerator.top,
        memories=f"{program.name}_mem",
        ports=ports,
        inner=inner,
        processes=tuple(
            ProcessPorts(
                name=one.name,
                streams=(*(own.name for own in one.reads), *(own.name for own in one.writes)),
            )
            for one in views
        ),
        misplaced=" | ".join(tests) or "1'b0",
        starts=_starts(ports, views),
        begins=_begins(ports),
        cycles=cycles,
        unused=(
            *(f"{one.name}_tlast" for one in inner if not one.is_write),
            *(f"{one.name}_tuser" for one in inner if one.user_bits),
            *(f"{one.stream}_tlast" for one in ports if one.departure is not None),
            *(
                f"{one.word}[{one.planned.bits - 1}:{one.signed_bits}]"
                for one in ports
                if one.signed_bits
            ),
        ),
    )


def _signed_bits(program: Program, port: PlannedPort) -> int:
    """The bits of what leaves by a port, where its sign fills more; else 0."""
    element = program.arrays[port.array].element
    is_padded = port.direction == "out" and element.is_signed and element.bits < port.bits
    return element.bits if is_padded else 0


def _starts(ports: Sequence[PortView], views: Sequence[ProcessView]) -> str:
    """When the memories start: where they are free. Results that need no operand would leave before
    there is a frame, so that it is waited for with them."""
    given = [one.planned.name for one in ports if one.planned.direction == "in"]
    is_early = any(one.is_early for one in views)
    return f"~busy & {given[0]}_tvalid" if is_early and given else "~busy"


def _begins(ports: Sequence[PortView]) -> str:
    """When a frame begins: with the first beat that comes in, or with the memories."""
    first = next((one for one in ports if one.planned.direction == "in"), None)
    if first is None:
        return "~busy"
    name, bits = first.planned.name, first.count_bits
    return f"{name}_goes & ({name}_left == {bits}'d{first.planned.beats - 1})"
