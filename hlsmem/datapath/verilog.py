"""A graph of values as a Verilog module: one result a cycle, registers under one clock enable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.node_text import Printer, bit_range, wire_name
from hlsmem.datapath.stages import Recurrence, Timing, stages
from hlsmem.datapath.values import (
    Add,
    Foreign,
    Interval,
    Lookup,
    Multiply,
    Operand,
    ShiftBy,
    Subtract,
    Value,
)
from hlsmem.datapath.widths import in_order, widths


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What leaves a datapath: a port of so many bits, which a value's low bits fill."""

    name: str
    bits: int
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """The text of a module, and the clock edges with `ce` from its operands to its results.

    Where it has states, it takes its port `take` as many edges behind its operands as `turn` says,
    and beats that need what others leave come so many cycles (`interval`) behind these. `longest`
    is an operation that takes more than a period by itself, and its nanoseconds. `foreign` are the
    functions that modules of the user's compute.
    """

    text: str
    latency: int
    turn: int
    interval: int
    multipliers: int
    longest: tuple[str, float] | None = None
    foreign: tuple[str, ...] = ()


def module(
    name: str,
    inputs: Mapping[str, Interval],
    results: Sequence[Result],
    timing: Timing,
    states: Sequence[Recurrence] = (),
) -> Module:
    """Return the module of results over operands, which are its `inputs` by their names.

    Ports: clk, ce, with states `take`, which says that the beat that reaches them is one; an input
    of each operand in the order of `inputs`, an output of each result.
    """
    asked = {one.value: one.bits for one in results}
    for one in states:
        asked[one.following] = max(asked.get(one.following, 0), one.operand.interval.bits)
    made = widths(asked)
    staged = stages([one.value for one in results], states, made, timing)
    nodes = in_order([*asked])
    leaving = {one.value: min(one.bits, made[one.value.number]) for one in results}
    kept = {one.following: one.operand.interval.bits for one in states}
    printer = Printer(nodes, made, staged, leaving, kept)
    registers = list(printer.registers())
    ports = ["input  wire clk", "input  wire ce", *(["input  wire take"] if states else [])]
    ports += [f"input  wire {bit_range(own.bits)}{port}" for port, own in inputs.items()]
    ports += [f"output reg  {bit_range(one.bits)}{one.name}" for one in results]
    body = [f"    reg {bit_range(bits)}{wire_name(own, k)};" for own, k, bits in registers]
    body += [
        f"    reg {bit_range(one.operand.interval.bits)}{wire_name(one.operand)};" for one in states
    ]
    for own in nodes:
        body += printer.declared(own)
    body += ["", "    always @(posedge clk) if (ce) begin"]
    body += [
        f"        {wire_name(own, k)} <= {printer.behind(own, k, bits)};"
        for own, k, bits in registers
    ]
    body += [
        f"        {one.name} <= {printer.extended(one.value, one.bits, staged.latency - 1)};"
        for one in results
    ]
    body += [
        f"        if (take) {wire_name(one.operand)} <="
        f" {printer.extended(one.following, one.operand.interval.bits, staged.turn)};"
        for one in states
    ]
    dropped = printer.dropped(leaving, kept)
    body += ["    end", *_sink([*_unused_inputs(inputs, nodes, made), *dropped])]
    text = "\n".join([f"module {name} (", *_joined(ports), ");", *body, "endmodule", ""])
    return Module(
        text=text,
        latency=staged.latency,
        turn=staged.turn,
        interval=staged.interval,
        multipliers=sum(isinstance(one.operation, Multiply) for one in nodes),
        longest=staged.longest and (_told(staged.longest[0], made), staged.longest[1]),
        foreign=tuple(
            sorted({one.operation.name for one in nodes if isinstance(one.operation, Foreign)})
        ),
    )


def _told(one: Value, made: Mapping[int, int]) -> str:
    """An operation in words."""
    match one.operation:
        case Lookup(name, words):
            return f"the table '{name}' of {len(words)} words in LUTs"
        case ShiftBy():
            return "a shift by a variable"
        case Add() | Subtract():
            return f"a sum of {made[one.number]} bits"
        case _:
            return "a comparison or a choice"


def _joined(ports: Sequence[str]) -> list[str]:
    return [f"    {port}{',' * (k + 1 < len(ports))}" for k, port in enumerate(ports)]


def _unused_inputs(
    inputs: Mapping[str, Interval], nodes: Sequence[Value], made: Mapping[int, int]
) -> list[str]:
    """The bits of inputs that nothing uses."""
    used = {
        one.operation.name: made[one.number] for one in nodes if isinstance(one.operation, Operand)
    }
    return [
        f"{name}[{own.bits - 1}:{used[name]}]" if name in used else name
        for name, own in inputs.items()
        if used.get(name, 0) < own.bits
    ]


def _sink(bits: Sequence[str]) -> list[str]:
    """A wire that takes bits that nothing uses, so that tools do not warn of them."""
    return ["", f"    wire unused = &{{1'b0, {', '.join(bits)}}};"] if bits else []
