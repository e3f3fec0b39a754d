"""The proof of a top: each bit of a port is that of its buffer, and all hear one start.

Every module in the top is replaced by one whose outputs do anything; what is claimed is of one
cycle. Streams of arrays in several parts go by their forks and joins, and a beat that waits for
another branch by a branch FIFO, which are proved by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace

from hlsmem.check.formal.module_text import assertions, ports_of, stub, with_lines
from hlsmem.check.plans.plan_parts import Divided
from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass

_INSTANCE = re.compile(r"^    (?P<module>\w+) (?:#\((?:.|\n)*?\n    \) )?(?P<name>u_\w+) \($", re.M)


@dataclass(slots=True)
class _Wiring:
    """Claims on wires of instances, and the lines that make them visible."""

    lines: dict[str, None] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)

    def inside(self, instance: str, port: str, bits: int = 1) -> str:
        """A port of an instance, as the flattened top has it."""
        self.lines[f"(* hierconn *) wire [{bits - 1}:0] \\{instance}.{port} ;"] = None
        return f"\\{instance}.{port} "

    def equal(self, name: str, one: str, other: str) -> None:
        self.claims[f"{name}_is_another"] = f"{one} == {other}"


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a stream: the ports of an instance, or of the top ("")."""

    instance: str
    prefix: str

    def wire(self, wiring: _Wiring, signal: str, bits: int) -> str:
        name = f"{self.prefix}_{signal}"
        return wiring.inside(self.instance, name, bits) if self.instance else name


def instances_of(top: str) -> dict[str, str]:
    """The modules of the instances in a top, by the name of the instance.

    >>> instances_of("module t (\\n);\\n    a_buffer u_a (\\n        .clk(clk)\\n    );\\n")
    {'u_a': 'a_buffer'}
    """
    return {found["name"]: found["module"] for found in _INSTANCE.finditer(top)}


def wiring_sources(
    device: Device, divided: Divided, rtl: Mapping[str, str]
) -> tuple[dict[str, str], int]:
    """The sources of the proof of a top, and how many claims it has.

    Raises KeyError where a module is missing, ValueError where the top has an instance that
    belongs to no stream.
    """
    text = rtl[f"{device.top}.v"]
    found = instances_of(text)
    branches = {name for name, module in found.items() if module == "hlsmem_branch"}
    known = {stream.path for stream in device.traced} | branches
    for strange in sorted(found.keys() - known):
        raise ValueError(f"{strange} in {device.top} is no buffer, fork, join or branch FIFO")
    modules = {name: rtl[f"{module}.v"] for name, module in found.items()}
    wiring = _Wiring()
    walked = {port.name for port in device.streams if port.squashes}
    there = {name: {port.name for port in ports_of(text)} for name, text in modules.items()}
    for stream, outer, inner in _links(device, divided):
        branch = f"u_{stream.name}_branch"
        ends_inside = stream.statement in walked
        has_users = f"{inner.prefix}_tuser" in there.get(inner.instance, ())
        if stream.direction == WRITE and not has_users:  # what does not run is read by nobody
            stream = replace(stream, user_bits=0)
        _link(wiring, stream, outer, inner, branch if branch in branches else "", ends_inside)
    _control(wiring, modules, branches)
    sources = {f"{module}.v": stub(rtl[f"{module}.v"]) for module in found.values()}
    lines = [*wiring.lines, *assertions(wiring.claims, "1'b1")]
    sources["proof_top.v"] = with_lines(text, lines)
    return sources, len(wiring.claims)


def _links(device: Device, divided: Divided) -> Iterator[tuple[DeviceStream, _End, _End]]:
    """Every stream with its outer end, a port of the top or of a junction, and its inner one."""
    for port in device.streams:
        yield port, _End("", port.name), _End(port.path, port.name)
    ends = {port.name: port for port in device.streams if port.squashes}
    for stream in device.inner:
        if stream.statement in ends:  # ends at the address generator of the stream of that name
            path = ends[stream.statement].path
            if path != stream.path:
                yield stream, _End(path, stream.name), _End(stream.path, stream.name)
            continue
        (junction,) = (
            port
            for port in device.streams
            if (port.statement, port.direction) == (stream.statement, stream.direction)
            and any(part.name == stream.array for part in divided.of(port.array))
        )
        yield stream, _End(junction.path, stream.name), _End(stream.path, stream.name)


def _link(
    wiring: _Wiring,
    stream: DeviceStream,
    outer: _End,
    inner: _End,
    branch: str,
    ends_inside: bool,
) -> None:
    """Claim that one end shows what the other takes, through its branch FIFO where it has one.

    Of a stream that `ends_inside` the address generator there takes the values alone.
    """
    source, sink = (outer, inner) if stream.direction == WRITE else (inner, outer)
    signals = {"tdata": stream.bits, "tdone" if stream.squashes else "tlast": 1, "tvalid": 1}
    if stream.user_bits:
        signals["tuser"] = stream.user_bits
    if ends_inside:
        signals = {"tdata": stream.bits, "tvalid": 1}
    if not branch:
        for signal, bits in signals.items():
            given, taken = source.wire(wiring, signal, bits), sink.wire(wiring, signal, bits)
            wiring.equal(f"{stream.name}_{signal}", given, taken)
        given, taken = source.wire(wiring, "tready", 1), sink.wire(wiring, "tready", 1)
        wiring.equal(f"{stream.name}_tready", given, taken)
        return
    if stream.squashes:  # no beat comes any more where none waits here either
        given = source.wire(wiring, "tdone", 1)
        waiting = wiring.inside(branch, "m_tvalid")
        taken = sink.wire(wiring, "tdone", 1)
        wiring.equal(f"{stream.name}_tdone", f"({given} && !{waiting})", taken)
    for end, side in ((source, "s"), (sink, "m")):
        word = end.wire(wiring, "tdata", stream.bits)
        if stream.user_bits:
            word = f"{{{end.wire(wiring, 'tuser', stream.user_bits)}, {word}}}"
        whole = wiring.inside(branch, f"{side}_tdata", stream.bits + stream.user_bits)
        wiring.equal(f"{stream.name}_{side}_beat", whole, word)
        is_told = not stream.squashes and not (ends_inside and side == "m")
        for signal in (*(("tlast",) if is_told else ()), "tvalid", "tready"):
            wire = wiring.inside(branch, f"{side}_{signal}")
            wiring.equal(f"{stream.name}_{side}_{signal}", wire, end.wire(wiring, signal, 1))


def _control(wiring: _Wiring, modules: Mapping[str, str], branches: Collection[str]) -> None:
    """One clock, one reset, one start while nothing is busy; busy while anything is."""
    busy = [wiring.inside(name, "m_tvalid") for name in sorted(branches)]
    for name, text in modules.items():
        ports = {port.name for port in ports_of(text)}
        given = {"clk": "clk", "rst": "rst", "start": "(start & ~busy)"}
        for port, value in given.items():
            if port in ports:
                wiring.equal(f"{name}_{port}", wiring.inside(name, port), value)
        if "busy" in ports:
            busy.append(wiring.inside(name, "busy"))
        if "setting" in ports:  # state behind a reset
            busy.append(wiring.inside(name, "setting"))
    wiring.equal("busy", "busy", f"({' || '.join(busy)})")
