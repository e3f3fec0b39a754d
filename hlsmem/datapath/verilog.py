"""A graph of values as a Verilog module: one result a cycle, registers under one clock enable."""

from __future__ import annotations

from collections import defaultdict
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
from hlsmem.datapath.widths import demands, in_order, widths
from hlsmem.verilog.verilog_text import literal, resized

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

    Where it has states, it takes its port `take` as many edges behind its operands as `turn` says,
    and beats that need what others leave come so many cycles (`interval`) behind these. `longest`
    is an operation that takes more than a period by itself, and its nanoseconds.
    """

    text: str
    latency: int
    turn: int
    interval: int
    multipliers: int
    longest: tuple[str, float] | None = None


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
    printer = _Printer(nodes, made, staged, leaving, kept)
    registers = list(printer.registers())
    ports = ["input  wire clk", "input  wire ce", *(["input  wire take"] if states else [])]
    ports += [f"input  wire {_range(own.bits)}{port}" for port, own in inputs.items()]
    ports += [f"output reg  {_range(one.bits)}{one.name}" for one in results]
    body = [f"    reg {_range(bits)}{_name(own, k)};" for own, k, bits in registers]
    body += [f"    reg {_range(one.operand.interval.bits)}{_name(one.operand)};" for one in states]
    for own in nodes:
        body += printer.declared(own)
    body += ["", "    always @(posedge clk) if (ce) begin"]
    body += [
        f"        {_name(own, k)} <= {printer.behind(own, k, bits)};" for own, k, bits in registers
    ]
    body += [
        f"        {one.name} <= {printer.extended(one.value, one.bits, staged.latency - 1)};"
        for one in results
    ]
    body += [
        f"        if (take) {_name(one.operand)} <="
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


def _range(bits: int) -> str:
    return f"[{bits - 1}:0] "


def _name(one: Value, delay: int = 0) -> str:
    """The name of a value, so many registers behind where it is computed."""
    base = one.operation.name if isinstance(one.operation, Operand) else f"v{one.number}"
    return f"{base}_{delay}" if delay else base


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


def _gaps(ranges: Sequence[tuple[int, int]], bits: int) -> Iterator[tuple[int, int]]:
    """The stretches of so many bits that no range has; all or nothing is none of them."""
    end = 0
    for low, high in [*sorted(ranges), (bits, bits)] if ranges else []:
        if end < low:
            yield end, low
        end = max(end, high)


def _sink(bits: Sequence[str]) -> list[str]:
    """A wire that takes bits that nothing uses, so that tools do not warn of them."""
    return ["", f"    wire unused = &{{1'b0, {', '.join(bits)}}};"] if bits else []


_Asked = Mapping[Value, int]
"""The bits that are used of results."""


class _Printer:
    """Prints the nodes of a graph whose widths and stages are known."""

    def __init__(
        self,
        nodes: Sequence[Value],
        made: Mapping[int, int],
        staged: Stages,
        asked: _Asked,
        kept: _Asked,
    ) -> None:
        self._nodes, self._made, self._stage = nodes, made, staged.stage
        self._last, self._turn = staged.latency - 1, staged.turn
        self._carried = self._carried_bits(asked, kept)

    def _used_in(self, one: Value) -> int:
        """The stage in which a node takes its operands."""
        stage = self._stage[one.number]
        return stage - MULTIPLIER_STAGES if isinstance(one.operation, Multiply) else stage

    def _carried_bits(self, asked: _Asked, kept: _Asked) -> dict[tuple[int, int], int]:
        """The bits of each register that carries a value on, by the number of the value and how
        far behind it is: those that are taken there or later. `asked` are those of results, `kept`
        those of the next values of states."""
        taken = [(one, self._last - self._stage[one.number], bits) for one, bits in asked.items()]
        taken += [(one, self._turn - self._stage[one.number], bits) for one, bits in kept.items()]
        for one in self._nodes:
            at = self._used_in(one)
            taken += [
                (own, at - self._stage[own.number], bits)
                for own, bits in demands(one, self._made[one.number])
            ]
        found: dict[tuple[int, int], int] = {}
        for own, delay, bits in taken:
            if own.constant is None:
                for k in range(1, delay + 1):
                    key = own.number, k
                    found[key] = max(found.get(key, 1), min(bits, self._made[own.number]))
        return found

    def registers(self) -> Iterator[tuple[Value, int, int]]:
        """The registers that carry values on, each with how far behind it is, and its bits."""
        named = {one.number: one for one in self._nodes}
        for (number, delay), bits in sorted(self._carried.items()):
            yield named[number], delay, bits

    def dropped(self, asked: _Asked, kept: _Asked) -> list[str]:
        """The bits of values that nothing takes, though others of them are taken."""
        taken: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for own, bits in asked.items():
            taken[own.number, self._last - self._stage[own.number]].append((0, bits))
        for own, bits in kept.items():
            taken[own.number, self._turn - self._stage[own.number]].append((0, bits))
        for (number, delay), bits in self._carried.items():
            taken[number, delay - 1].append((0, bits))
        for one in self._nodes:
            for own, bits in demands(one, self._made[one.number]):
                delay = self._used_in(one) - self._stage[own.number]
                taken[own.number, delay].append(self._taken_bits(one, own, bits))
        named = {one.number: one for one in self._nodes}
        return [
            f"{_name(named[number], delay)}[{high - 1}:{low}]"
            for (number, delay), ranges in sorted(taken.items())
            if named[number].constant is None and not isinstance(named[number].operation, Operand)
            for low, high in _gaps(ranges, self._bits(named[number], delay))
        ]

    def _taken_bits(self, one: Value, operand: Value, bits: int) -> tuple[int, int]:
        """The first bit of an operand that a node takes, and the one behind the last."""
        match one.operation:
            case ShiftRight(places):
                return min(places, self._made[operand.number] - 1), bits
            case Less() if one.operands[1].constant == 0:
                return operand.interval.bits - 1, operand.interval.bits
        return 0, bits

    def extended(self, one: Value, bits: int, stage: int) -> str:
        """A value in a stage, cut or extended to so many bits."""
        if one.constant is not None:
            return literal(one.constant, bits)
        delay = stage - self._stage[one.number]
        own, name = self._bits(one, delay), _name(one, delay)
        return resized(name, own, bits, one.interval.is_signed)

    def behind(self, one: Value, delay: int, bits: int) -> str:
        """What a register takes that has so many bits of a value."""
        own = self._bits(one, delay - 1)
        return resized(_name(one, delay - 1), own, bits, one.interval.is_signed)

    def _bits(self, one: Value, delay: int) -> int:
        """The width of a value so many registers on; that of a port is whole."""
        if delay:
            return self._carried[one.number, delay]
        is_port = isinstance(one.operation, Operand)
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
            return f"{{{bits}{{{name}[{own - 1}]}}}}" if signed else f"{bits}'d0"
        high = min(own, places + bits) - 1
        piece = f"{name}[{high}:{places}]" if high > places else f"{name}[{places}]"
        missing = bits - (high - places + 1)
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
        value_text = resized(whole, own, bits, signed)
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
            "    hlsmem_multiply #(",
            f"        .A_BITS({sizes[0]}), .B_BITS({sizes[1]}), .Q_BITS({bits}),"
            f" .SIGNED({int(signed)})",
            f"    ) u_{name} (",
            f"        .clk(clk), .ce(ce), .a({first}), .b({second}), .q({name})",
            "    );",
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
