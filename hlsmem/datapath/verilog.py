"""A graph of values as a Verilog module: one result a cycle, registers under one clock enable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.datapath.stages import MULTIPLIER_STAGES, Recurrence, Stages, Timing, stages
from hlsmem.datapath.values import (
    Add,
    And,
    Choose,
    Constant,
    Equal,
    Interval,
    Less,
    Lookup,
    Multiply,
    Operand,
    Or,
    ShiftBy,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Value,
    Wrap,
    Xor,
)
from hlsmem.datapath.widths import in_order, widths

_SIGNS = {Add: "+", Subtract: "-", And: "&", Or: "|", Xor: "^"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What leaves a datapath: a port of so many bits, which a value's low bits fill."""

    name: str
    bits: int
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """The text of a module, and the clock edges with `ce` from its operands to its results.

    Where it has states, it takes its port `take` as many edges behind its operands as `turn` says.
    """

    text: str
    latency: int
    turn: int
    multipliers: int


def module(
    name: str,
    inputs: Mapping[str, Interval],
    results: Sequence[Result],
    timing: Timing,
    states: Sequence[Recurrence] = (),
) -> Module:
    """Return the module of results over operands, which are its `inputs` by their names.

    Ports: clk, ce, with states `take`, which says that the beat that reaches them is one; an input
    of each operand in the order of `inputs`, an output of each result. Raises SlowRecurrenceError.
    """
    asked = {one.value: one.bits for one in results}
    for one in states:
        asked[one.following] = max(asked.get(one.following, 0), one.operand.interval.bits)
    made = widths(asked)
    staged = stages([one.value for one in results], states, made, timing)
    printer = _Printer(made, staged)
    nodes = in_order([*asked])
    registers = list(printer.registers(nodes, [one.value for one in results]))
    ports = ["input  wire clk", "input  wire ce", *(["input  wire take"] if states else [])]
    ports += [f"input  wire {_range(own.bits)}{port}" for port, own in inputs.items()]
    ports += [f"output reg  {_range(one.bits)}{one.name}" for one in results]
    body = [f"    reg {_range(made[own.number])}{_name(own, k)};" for own, k in registers]
    body += [f"    reg {_range(one.operand.interval.bits)}{_name(one.operand)};" for one in states]
    for own in nodes:
        body += printer.declared(own)
    body += ["", "    always @(posedge clk) if (ce) begin"]
    body += [f"        {_name(own, k)} <= {printer.behind(own, k - 1)};" for own, k in registers]
    body += [
        f"        {one.name} <= {printer.extended(one.value, one.bits, staged.latency - 1)};"
        for one in results
    ]
    body += [
        f"        if (take) {_name(one.operand)} <="
        f" {printer.extended(one.following, one.operand.interval.bits, staged.turn)};"
        for one in states
    ]
    body += ["    end", *_sink(inputs, nodes, made)]
    text = "\n".join([f"module {name} (", *_joined(ports), ");", *body, "endmodule", ""])
    return Module(
        text=text,
        latency=staged.latency,
        turn=staged.turn,
        multipliers=sum(isinstance(one.operation, Multiply) for one in nodes),
    )


def _joined(ports: Sequence[str]) -> list[str]:
    return [f"    {port}{',' * (k + 1 < len(ports))}" for k, port in enumerate(ports)]


def _range(bits: int) -> str:
    return f"[{bits - 1}:0] " if bits > 1 else ""


def _name(one: Value, delay: int = 0) -> str:
    """The name of a value, so many registers behind where it is computed."""
    base = one.operation.name if isinstance(one.operation, Operand) else f"v{one.number}"
    return f"{base}_{delay}" if delay else base


def _sink(
    inputs: Mapping[str, Interval], nodes: Sequence[Value], made: Mapping[int, int]
) -> list[str]:
    """A wire that takes the bits of inputs that nothing uses, so that tools do not warn of them."""
    used = {
        one.operation.name: made[one.number] for one in nodes if isinstance(one.operation, Operand)
    }
    rest = [
        f"{name}[{own.bits - 1}:{used[name]}]" if name in used else name
        for name, own in inputs.items()
        if used.get(name, 0) < own.bits
    ]
    return ["", f"    wire unused = &{{1'b0, {', '.join(rest)}}};"] if rest else []


class _Printer:
    """Prints the nodes of a graph whose widths and stages are known."""

    def __init__(self, made: Mapping[int, int], staged: Stages) -> None:
        self._made, self._stage = made, staged.stage
        self._last = staged.latency - 1

    def _used_in(self, one: Value) -> int:
        """The stage in which a node takes its operands."""
        stage = self._stage[one.number]
        return stage - MULTIPLIER_STAGES if isinstance(one.operation, Multiply) else stage

    def registers(
        self, nodes: Sequence[Value], results: Sequence[Value]
    ) -> Iterator[tuple[Value, int]]:
        """The registers that carry values on, each with how many it is behind the value."""
        roots = {one.number for one in results}
        most: dict[int, int] = {}
        for one in nodes:
            for own in one.operands:
                behind = self._used_in(one) - self._stage[own.number]
                most[own.number] = max(most.get(own.number, 0), behind)
            if one.number in roots:
                behind = self._last - self._stage[one.number]
                most[one.number] = max(most.get(one.number, 0), behind)
        for one in nodes:
            if one.constant is None:
                yield from ((one, k + 1) for k in range(most.get(one.number, 0)))

    def extended(self, one: Value, bits: int, stage: int) -> str:
        """A value in a stage, cut or extended to so many bits."""
        if one.constant is not None:
            return f"{bits}'d{one.constant & ((1 << bits) - 1)}"
        delay = stage - self._stage[one.number]
        own, name = self._bits(one, delay), _name(one, delay)
        return _extended(name, own, bits, signed=one.interval.is_signed)

    def behind(self, one: Value, delay: int) -> str:
        """A value so many registers on, in the width that registers have."""
        bits = self._made[one.number]
        own = self._bits(one, delay)
        return _extended(_name(one, delay), own, bits, signed=one.interval.is_signed)

    def _bits(self, one: Value, delay: int) -> int:
        """The width of a value so many registers on; that of a port is whole."""
        is_port = isinstance(one.operation, Operand) and not delay
        return one.interval.bits if is_port else self._made[one.number]

    def declared(self, one: Value) -> list[str]:
        """The lines that compute a node."""
        bits, at = self._made[one.number], self._used_in(one)
        match one.operation:
            case Operand() | Constant():
                return []
            case Multiply():
                return self._product(one, bits, at)
            case Lookup(_, words):
                return self._table(one, words, bits, at)
            case ShiftBy(False):
                return self._shifted_right(one, bits, at)
        return [f"    wire {_range(bits)}{_name(one)} = {self._text(one, bits, at)};"]

    def _text(self, one: Value, bits: int, at: int) -> str:
        operands = one.operands
        match one.operation:
            case Add() | Subtract() | And() | Or() | Xor():
                sign = _SIGNS[type(one.operation)]
                return f" {sign} ".join(self.extended(own, bits, at) for own in operands)
            case Wrap():
                return self.extended(operands[0], bits, at)
            case ShiftLeft(places):
                if bits <= places:
                    return f"{bits}'d0"
                return f"{{{self.extended(operands[0], bits - places, at)}, {places}'d0}}"
            case ShiftRight(places):
                return self._cut(operands[0], places, bits, at)
            case ShiftBy():
                value, amount = operands
                by = self.extended(amount, self._made[amount.number], at)
                return f"{self.extended(value, bits, at)} << {by}"
            case Choose():
                condition, *arms = operands
                first, second = (self.extended(own, bits, at) for own in arms)
                return f"{self.extended(condition, 1, at)} ? {first} : {second}"
            case Less() | Equal():
                return self._compared(one, at)
        raise TypeError(one.operation)

    def _compared(self, one: Value, at: int) -> str:
        value, other = one.operands
        if isinstance(one.operation, Less) and other.constant == 0:
            return self._cut(value, value.interval.bits - 1, 1, at)
        signed = any(own.interval.is_signed for own in one.operands)
        width = max(
            own.interval.bits + (signed and not own.interval.is_signed) for own in one.operands
        )
        first, second = (self.extended(own, width, at) for own in one.operands)
        if isinstance(one.operation, Equal):
            return f"{first} == {second}"
        if signed:
            first, second = f"$signed({first})", f"$signed({second})"
        return f"{first} < {second}"

    def _cut(self, one: Value, places: int, bits: int, at: int) -> str:
        """The bits of a value from a place on."""
        delay = at - self._stage[one.number]
        own, name = self._bits(one, delay), _name(one, delay)
        signed = one.interval.is_signed
        if places >= own:
            sign = f"{name}[{own - 1}]" if own > 1 else name
            return f"{{{bits}{{{sign}}}}}" if signed else f"{bits}'d0"
        high = min(own, places + bits) - 1
        piece = f"{name}[{high}:{places}]" if high > places else f"{name}[{places}]"
        missing = bits - (high - places + 1)
        if own == 1:
            piece = name
        if not missing:
            return piece
        fill = f"{{{missing}{{{name}[{own - 1}]}}}}" if signed else f"{missing}'d0"
        return f"{{{fill}, {piece}}}"

    def _shifted_right(self, one: Value, bits: int, at: int) -> list[str]:
        value, amount = one.operands
        own, signed = value.interval.bits, value.interval.is_signed
        by = self.extended(amount, self._made[amount.number], at)
        whole, given = f"{_name(one)}_whole", self.extended(value, own, at)
        text = f"$signed({given}) >>> {by}" if signed else f"{given} >> {by}"
        lines = [f"    wire {_range(own)}{whole} = {text};"]
        if own > bits:
            lines += [f"    wire unused_{_name(one)} = &{{1'b0, {whole}[{own - 1}:{bits}]}};"]
        value_text = _extended(whole, own, bits, signed=signed)
        return [*lines, f"    wire {_range(bits)}{_name(one)} = {value_text};"]

    def _product(self, one: Value, bits: int, at: int) -> list[str]:
        """A leaf with the widths of its factors; signed ones, if one is."""
        signed = any(own.interval.is_signed for own in one.operands)
        sizes = [
            min(self._made[own.number], bits) + (signed and not own.interval.is_signed)
            if own.constant is None
            else min(own.interval.bits + (signed and not own.interval.is_signed), bits)
            for own in one.operands
        ]
        first, second = (
            self.extended(own, size, at) for own, size in zip(one.operands, sizes, strict=True)
        )
        name = _name(one)
        return [
            f"    wire {_range(bits)}{name};",
            f"    hlsmem_multiply #(.A_BITS({sizes[0]}), .B_BITS({sizes[1]}), .Q_BITS({bits}),"
            f" .SIGNED({int(signed)})) u_{name}",
            f"        (.clk(clk), .ce(ce), .a({first}), .b({second}), .q({name}));",
        ]

    def _table(self, one: Value, words: Sequence[int], bits: int, at: int) -> list[str]:
        index = one.operands[0]
        width, reached = self._made[index.number], index.interval
        mask = (1 << bits) - 1
        lines = [f"    reg {_range(bits)}{_name(one)};", "    always @*"]
        lines += [f"        case ({self.extended(index, width, at)})"]
        lines += [
            f"            {width}'d{k}: {_name(one)} = {bits}'d{words[k] & mask};"
            for k in range(reached.least, reached.greatest + 1)
        ]
        return [*lines, f"            default: {_name(one)} = {bits}'d0;", "        endcase"]


def _extended(name: str, own: int, bits: int, *, signed: bool) -> str:
    if bits == own:
        return name
    if bits < own:
        return f"{name}[{bits - 1}:0]" if bits > 1 else f"{name}[0]"
    sign = f"{name}[{own - 1}]" if own > 1 else name
    fill = f"{{{bits - own}{{{sign}}}}}" if signed else f"{bits - own}'d0"
    return f"{{{fill}, {name}}}"
