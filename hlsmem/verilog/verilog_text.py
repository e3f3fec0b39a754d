"""Address generator values as Verilog text: every literal sized, every width made explicit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    AllOf,
    Amount,
    AnyOf,
    Guard,
    Output,
    Register,
    Select,
    Sign,
    Term,
    Update,
    Wrap,
)


def literal(value: int, bits: int, signed: bool = False) -> str:
    """A sized decimal literal; negative ones need `signed`.

    >>> literal(5, 8), literal(-5, 8, True), literal(-128, 8, True)
    ("8'd5", "-8'sd5", "8'sh80")
    """
    if not signed:
        return f"{bits}'d{value % (1 << bits)}"
    if value == -(1 << (bits - 1)):
        return f"{bits}'sh{value % (1 << bits):x}"
    return f"-{bits}'sd{-value}" if value < 0 else f"{bits}'sd{value}"


def ram_style(style: str) -> str:
    """Value of the attribute ram_style for a style of plan.json."""
    return {"large": "huge"}.get(style, style)


def concatenation(parts: Iterable[str]) -> str:
    """The parts side by side, the first in the highest bits."""
    texts = list(parts)
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"


def resized(name: str, own: int, bits: int, signed: bool) -> str:
    """A vector `name` of `own` bits as one of `bits`: extended, or its low bits."""
    if bits == own:
        return name
    if bits < own:
        return f"{name}[{bits - 1}:0]"
    if signed:
        return f"{{{{{bits - own}{{{name}[{own - 1}]}}}}, {name}}}"
    return f"{{{bits - own}'d0, {name}}}"


def term_text(term: Term, registers: Sequence[Register], bits: int, signed: bool) -> str:
    """sign * register + constant, `bits` wide."""
    if term.register is None:
        return literal(term.constant, bits, signed)
    register = registers[term.register]
    name = resized(register.name, register.bits, bits, register.is_signed)
    if term.sign < 0:
        return f"{literal(term.constant, bits)} - {name}"
    if term.constant == 0:
        return name
    operator = "+" if term.constant > 0 else "-"
    return f"{name} {operator} {literal(abs(term.constant), bits)}"


def update_text(update: Update, generator: AddressGenerator) -> str:
    """The right-hand side of a register's update."""
    target = generator.registers[update.target]

    def amount_text(amount: Amount) -> str:
        if isinstance(amount, Wrap):
            remainder = generator.registers[amount.register]
            limit = literal(amount.threshold, remainder.bits, remainder.is_signed)
            then, otherwise = amount_text(amount.then), amount_text(amount.otherwise)
            return f"({remainder.name} >= {limit}) ? ({then}) : ({otherwise})"
        value = update.value
        term = Term(value.register, value.sign, value.constant + amount)
        return term_text(term, generator.registers, target.bits, target.is_signed)

    return amount_text(update.amount)


def guard_text(
    guard: Guard, registers: Sequence[Register], known: Mapping[Sign, str] | None = None
) -> str:
    """A condition of one bit; `known` gives the names of tests that stand in a register."""
    match guard:
        case Sign(term, equal):
            name = known.get(guard) if known else None
            return name or _sign_text(term, equal, registers)
        case AllOf(conditions):
            return _joined(conditions, " && ", "1'b1", registers, known)
        case AnyOf(conditions):
            return _joined(conditions, " || ", "1'b0", registers, known)


def _joined(
    conditions: Sequence[Guard],
    operator: str,
    empty: str,
    registers: Sequence[Register],
    known: Mapping[Sign, str] | None,
) -> str:
    parts = [guard_text(condition, registers, known) for condition in conditions]
    return f"({operator.join(parts)})" if len(parts) > 1 else "".join(parts) or empty


def _sign_text(term: Term, equal: bool, registers: Sequence[Register]) -> str:
    if term.register is None:
        holds = term.constant == 0 if equal else term.constant >= 0
        return f"1'b{int(holds)}"
    register = registers[term.register]
    bound = term.constant if term.sign < 0 else -term.constant
    number = literal(bound, register.bits, register.is_signed)
    if equal:
        inside = register.least <= bound <= register.greatest
        return f"({register.name} == {number})" if inside else "1'b0"
    if term.sign < 0:
        if bound >= register.greatest:
            return "1'b1"
        if bound < register.least:
            return "1'b0"
        if bound == register.greatest - 1:  # cheaper, and the same on the walk
            greatest = literal(register.greatest, register.bits, register.is_signed)
            return f"({register.name} != {greatest})"
        return f"({register.name} <= {number})"
    if bound <= register.least:
        return "1'b1"
    return "1'b0" if bound > register.greatest else f"({register.name} >= {number})"


def output_text(output: Output, registers: Sequence[Register], bits: int, signed: bool) -> str:
    """An output as an expression of `bits`."""
    if isinstance(output, Select):
        then = output_text(output.then, registers, bits, signed)
        otherwise = output_text(output.otherwise, registers, bits, signed)
        return f"{guard_text(output.guard, registers)} ? ({then}) : ({otherwise})"
    return term_text(output, registers, bits, signed)


def output_range(output: Output, registers: Sequence[Register]) -> tuple[int, int]:
    """The least and greatest value an output can have."""
    if isinstance(output, Select):
        then = output_range(output.then, registers)
        otherwise = output_range(output.otherwise, registers)
        return min(then[0], otherwise[0]), max(then[1], otherwise[1])
    if output.register is None:
        return output.constant, output.constant
    register = registers[output.register]
    ends = sorted(output.sign * end for end in (register.least, register.greatest))
    return ends[0] + output.constant, ends[1] + output.constant
