"""The nodes of a graph as text of Verilog, where their widths and stages are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from hlsmem.datapath.stages import Stages, registers_in
from hlsmem.datapath.values import (
    Add,
    And,
    Choose,
    Constant,
    Equal,
    Foreign,
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
from hlsmem.datapath.widths import demands
from hlsmem.verilog.verilog_text import literal, resized

_SIGNS = {Add: "+", Subtract: "-", And: "&", Or: "|", Xor: "^"}


def bit_range(bits: int) -> str:
    return f"[{bits - 1}:0] "


def wire_name(one: Value, delay: int = 0) -> str:
    """The name of a value, so many registers behind where it is computed."""
    base = one.operation.name if isinstance(one.operation, Operand) else f"v{one.number}"
    return f"{base}_{delay}" if delay else base


def _gaps(ranges: Sequence[tuple[int, int]], bits: int) -> Iterator[tuple[int, int]]:
    """The stretches of so many bits that no range has; all or nothing is none of them."""
    end = 0
    for low, high in [*sorted(ranges), (bits, bits)] if ranges else []:
        if end < low:
            yield end, low
        end = max(end, high)


Asked = Mapping[Value, int]
"""The bits that are used of results."""


class Printer:
    """Prints the nodes of a graph whose widths and stages are known."""

    def __init__(
        self,
        nodes: Sequence[Value],
        made: Mapping[int, int],
        staged: Stages,
        asked: Asked,
        kept: Asked,
    ) -> None:
        self._nodes, self._made, self._stage = nodes, made, staged.stage
        self._last, self._turn = staged.latency - 1, staged.turn
        self._carried = self._carried_bits(asked, kept)

    def _used_in(self, one: Value) -> int:
        """The stage in which a node takes its operands."""
        return self._stage[one.number] - registers_in(one)

    def _carried_bits(self, asked: Asked, kept: Asked) -> dict[tuple[int, int], int]:
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

    def dropped(self, asked: Asked, kept: Asked) -> list[str]:
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
            f"{wire_name(named[number], delay)}[{high - 1}:{low}]"
            for (number, delay), ranges in sorted(taken.items())
            if named[number].constant is None
            for low, high in _gaps(ranges, self._made_bits(named[number], delay))
        ]

    def _made_bits(self, one: Value, delay: int) -> int:
        """The width of a value so many registers on, of a port without the high bits that nothing
        asks for."""
        return self._bits(one, delay) if delay else self._made[one.number]

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
        own, name = self._bits(one, delay), wire_name(one, delay)
        return resized(name, own, bits, one.interval.is_signed)

    def behind(self, one: Value, delay: int, bits: int) -> str:
        """What a register takes that has so many bits of a value."""
        own = self._bits(one, delay - 1)
        return resized(wire_name(one, delay - 1), own, bits, one.interval.is_signed)

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
            case Foreign():
                return self._foreign(one, one.operation, at)
            case Lookup(_, words):
                return self._table(one, words, bits, at)
            case ShiftBy(False):
                return self._shifted_right(one, bits, at)
        return [f"    wire {bit_range(bits)}{wire_name(one)} = {self._text(one, bits, at)};"]

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
        own, name = self._bits(one, delay), wire_name(one, delay)
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
        whole, given = f"{wire_name(one)}_whole", self.extended(value, own, at)
        text = f"$signed({given}) >>> {by}" if signed else f"{given} >> {by}"
        lines = [f"    wire {bit_range(own)}{whole} = {text};"]
        if own > bits:
            lines += [f"    wire unused_{wire_name(one)} = &{{1'b0, {whole}[{own - 1}:{bits}]}};"]
        value_text = resized(whole, own, bits, signed)
        return [*lines, f"    wire {bit_range(bits)}{wire_name(one)} = {value_text};"]

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
        name = wire_name(one)
        return [
            f"    wire {bit_range(bits)}{name};",
            "    hlsmem_multiply #(",
            f"        .A_BITS({sizes[0]}), .B_BITS({sizes[1]}), .Q_BITS({bits}),"
            f" .SIGNED({int(signed)})",
            f"    ) u_{name} (",
            f"        .clk(clk), .ce(ce), .a({first}), .b({second}), .q({name})",
            "    );",
        ]

    def _foreign(self, one: Value, operation: Foreign, at: int) -> list[str]:
        """An instance of a module of the user's."""
        name, ports = wire_name(one), [".clk(clk)", ".ce(ce)"]
        given = zip(one.operands, operation.operand_bits, strict=True)
        ports += [f".a{k}({self.extended(own, bits, at)})" for k, (own, bits) in enumerate(given)]
        return [
            f"    wire {bit_range(operation.bits)}{name};",
            f"    {operation.module} u_{name} ({', '.join([*ports, f'.q({name})'])});",
        ]

    def _table(self, one: Value, words: Sequence[int], bits: int, at: int) -> list[str]:
        index = one.operands[0]
        width, reached = self._made[index.number], index.interval
        mask = (1 << bits) - 1
        lines = [f"    reg {bit_range(bits)}{wire_name(one)};", "    always @*"]
        lines += [f"        case ({self.extended(index, width, at)})"]
        lines += [
            f"            {width}'d{k}: {wire_name(one)} = {bits}'d{words[k] & mask};"
            for k in range(reached.least, reached.greatest + 1)
        ]
        return [*lines, f"            default: {wire_name(one)} = {bits}'d0;", "        endcase"]
