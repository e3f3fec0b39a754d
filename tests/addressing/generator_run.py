"""Walking an address generator in Python: what its registers hold at every place, step by step.

The reference for generated Verilog and C: it has registers, additions and wraps only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    AllOf,
    AnyOf,
    Branch,
    Finish,
    Guard,
    Move,
    Output,
    Select,
    Sign,
    Step,
    Term,
    Update,
    Wrap,
)
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """The registers at a place of the walk; `is_beat` is False on an idle visit."""

    state: int
    registers: tuple[int, ...]
    is_beat: bool
    is_last: bool


def positions(generator: AddressGenerator) -> Iterator[Position]:
    """Every place of the walk in order, idle ones too, up to the last beat."""
    state, registers = generator.first_state, tuple(r.first for r in generator.registers)
    while True:
        is_beat = generator.is_beat[state]
        is_last = is_beat and holds(generator.last, registers)
        yield Position(state, registers, is_beat, is_last)
        if is_last:
            return
        move = follow(generator.steps[state], registers)
        assert isinstance(move, Move), "the walk ends before its last beat"
        state, registers = move.state, moved(move, registers)


def follow(step: Step, registers: Sequence[int]) -> Move | Finish:
    """The move a step makes from these register values."""
    while isinstance(step, Branch):
        step = step.then if holds(step.guard, registers) else step.otherwise
    return step


def moved(move: Move, registers: Sequence[int]) -> tuple[int, ...]:
    """The registers after a move."""
    following = list(registers)
    for update in move.updates:
        following[update.target] = _updated(update, registers)
    return tuple(following)


def output_at(output: Output, registers: Sequence[int]) -> int:
    """The value of an output."""
    while isinstance(output, Select):
        output = output.then if holds(output.guard, registers) else output.otherwise
    return _term(output, registers)


def holds(guard: Guard, registers: Sequence[int]) -> bool:
    """True if a guard holds."""
    match guard:
        case Sign(term, equal):
            value = _term(term, registers)
            return value == 0 if equal else value >= 0
        case AllOf(conditions):
            return all(holds(part, registers) for part in conditions)
        case AnyOf(conditions):
            return any(holds(part, registers) for part in conditions)


def _updated(update: Update, registers: Sequence[int]) -> int:
    amount = update.amount
    while isinstance(amount, Wrap):
        wraps = registers[amount.register] >= amount.threshold
        amount = amount.then if wraps else amount.otherwise
    return _term(update.value, registers) + amount


def _term(term: Term, registers: Sequence[int]) -> int:
    if term.register is None:
        return term.constant
    return term.sign * registers[term.register] + term.constant
