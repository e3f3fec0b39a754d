"""Paths within a cycle, from inputs of a circuit to its outputs, by its structure.

The circuit is what Yosys makes of the Verilog, flattened. Registers and clocked ports of memories
end a path; every other cell passes each bit of its inputs to each bit of its outputs, which finds
all paths there are, and some that no values take.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted

CLOCK = "clk"
_REGISTERS = frozenset(
    """$ff $dff $dffe $adff $adffe $aldff $aldffe $sdff $sdffe $sdffce $dffsr
    $dffsre""".split()  # noqa: SIM905
)
_SHOWN = 2


@dataclass(frozen=True, slots=True, order=True)
class CombinationalPath:
    """An output of a circuit that depends on an input within the cycle; names of ports."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source} to {self.target}"


def paths_of(module: Mapping[str, Any]) -> tuple[CombinationalPath, ...]:
    """The paths of a flattened module as Yosys writes it (`write_json`), the clock's left out.

    >>> ports = {"a": {"direction": "input", "bits": [2]},
    ...          "q": {"direction": "output", "bits": [3]}}
    >>> inverter = {"type": "$not", "port_directions": {"A": "input", "Y": "output"},
    ...             "connections": {"A": [2], "Y": [3]}}
    >>> [str(path) for path in paths_of({"ports": ports, "cells": {"n": inverter}})]
    ['a to q']
    >>> register = {**inverter, "type": "$dff"}
    >>> paths_of({"ports": ports, "cells": {"n": register}})
    ()
    """
    following: dict[int, set[int]] = defaultdict(set)
    for cell in module["cells"].values():
        for source, target in _passed(cell):
            following[source].add(target)
    shown: dict[int, set[str]] = defaultdict(set)
    inputs: dict[str, Sequence[Any]] = {}
    for name, port in module["ports"].items():
        if port["direction"] == "input":
            inputs[name] = port["bits"]
        else:
            for bit in port["bits"]:
                shown[bit].add(name)
    found = {
        CombinationalPath(name, target)
        for name, bits in inputs.items()
        if name != CLOCK
        for bit in _reached(bits, following)
        for target in shown.get(bit, ())
    }
    return tuple(sorted(found))


def _passed(cell: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """The pairs of bits of which the second depends on the first within the cycle."""
    kind, bits = cell["type"], cell["connections"]
    if kind in _REGISTERS or kind.startswith("$memwr"):
        return
    if kind.startswith("$memrd"):
        if not _number(cell, "CLK_ENABLE"):
            yield from ((a, d) for a in bits["ADDR"] for d in bits["DATA"])
        return
    if kind.startswith("$mem"):
        width, address = _number(cell, "WIDTH"), _number(cell, "ABITS")
        clocked = _number(cell, "RD_CLK_ENABLE")
        for port in range(_number(cell, "RD_PORTS")):
            if not clocked >> port & 1:
                data = bits["RD_DATA"][port * width : (port + 1) * width]
                asked = bits["RD_ADDR"][port * address : (port + 1) * address]
                yield from ((a, d) for a in asked for d in data)
        return
    ways = cell["port_directions"]
    outputs = [bit for port, way in ways.items() if way != "input" for bit in bits[port]]
    for port, way in ways.items():
        if way != "output":
            yield from ((bit, output) for bit in bits[port] for output in outputs)


def _number(cell: Mapping[str, Any], name: str) -> int:
    """A parameter of a cell, which Yosys writes in binary."""
    return int(str(cell["parameters"][name]).replace("x", "0"), 2)


def _reached(bits: Sequence[Any], following: Mapping[int, Collection[int]]) -> set[int]:
    seen = {bit for bit in bits if isinstance(bit, int)}  # else a constant
    waiting = list(seen)
    while waiting:
        for bit in following.get(waiting.pop(), ()):
            if bit not in seen:
                seen.add(bit)
                waiting.append(bit)
    return seen


def path_faults(
    paths: Sequence[CombinationalPath], device: Device, wired: Collection[str], *, registered: bool
) -> Iterator[str]:
    """Faults of the paths of a top, each with the rule that it breaks.

    Ready may depend on the ready of who comes behind, and on the valid of another writer that goes
    first; a wire (`wired` streams) shows what comes in. With `registered` handshakes ready goes
    through nowhere. Everything else was never planned, and `tready` from its own `tvalid`, or the
    reverse, AXI-Stream forbids or makes loops of.
    """
    ports = {
        f"{stream.name}_{signal}": (stream, signal)
        for stream in device.streams
        for signal in ("tvalid", "tready", "tdata", "tlast", "tuser")
    }
    for path in paths:
        if path.source not in ports or path.target not in ports:
            yield f"within a cycle {path}: nothing plans that"
            continue
        (stream, given), (other, shown) = ports[path.source], ports[path.target]
        if stream.name == other.name:
            yield f"{stream.name}: {shown} depends on its own {given} within a cycle"
        elif not _is_planned(stream, given, other, shown, wired):
            yield f"within a cycle {path}: nothing plans that"
        elif registered and given == shown == "tready":
            yield f"within a cycle {path}: with slack ready depends on registers only"


def _is_planned(
    stream: DeviceStream, given: str, other: DeviceStream, shown: str, wired: Collection[str]
) -> bool:
    if stream.array != other.array:
        return False
    ways = (stream.direction == WRITE, other.direction == WRITE)
    match ways:
        case (False, True):
            return given == shown == "tready"
        case (True, True):
            return (given, shown) == ("tvalid", "tready")
        case (True, False):
            return other.name in wired and given != "tready" and shown != "tready"
        case _:
            return False


def other_paths(
    paths: Sequence[CombinationalPath], planned: Sequence[Sequence[str]] | None
) -> Iterator[str]:
    """Differences of the paths of a top from those that plan.json has, `planned`.

    >>> path = CombinationalPath("m_a_C_tready", "s_a_P_tready")
    >>> [*other_paths([path], [["m_a_C_tready", "s_a_P_tready"]])]
    []
    >>> [*other_paths([path], [])]
    ['within a cycle m_a_C_tready to s_a_P_tready: plan.json has no such path']
    >>> [*other_paths([], [["m_a_C_tready", "s_a_P_tready"]])]
    ['plan.json has a path m_a_C_tready to s_a_P_tready, which the Verilog has not']
    """
    known = {CombinationalPath(*ports) for ports in planned or ()}
    for path in sorted(set(paths) - known):
        yield f"within a cycle {path}: plan.json has no such path"
    for path in sorted(known - set(paths)):
        yield f"plan.json has a path {path}, which the Verilog has not"
    if planned is not None and len(planned) > len(known):
        yield "plan.json has a path twice"


def paths_text(paths: Sequence[CombinationalPath]) -> str:
    """For people: what goes through within a cycle.

    >>> paths_text([CombinationalPath("m_a_C_tready", "s_a_P_tready")])
    '1 path within a cycle: m_a_C_tready to s_a_P_tready'
    >>> paths_text([])
    'no path within a cycle'
    """
    if not paths:
        return "no path within a cycle"
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    shown = ", ".join(str(path) for path in paths[:_SHOWN])
    return f"{counted(len(paths), 'path')} within a cycle: {shown}{more}"
