"""Comparisons worked out a beat ahead: what a test will say after a move, from values before it.

A register then holds the answer, and no comparator stands between the walk and its next step.
"""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    AllOf,
    AnyOf,
    Branch,
    Finish,
    Guard,
    Move,
    Sign,
    Step,
    Term,
)


def after(sign: Sign, move: Move) -> Sign | None:
    """The test of old values that says what `sign` will be after `move`.

    None where a register of it wraps around in the move: that takes two comparisons.
    """
    update = next((u for u in move.updates if u.target == sign.term.register), None)
    if update is None:
        return sign
    if not isinstance(update.amount, int):
        return None
    old, factor = update.value, sign.term.sign
    constant = factor * (old.constant + update.amount) + sign.term.constant
    if old.register is None:
        return Sign(Term(None, 1, constant), sign.equal)
    return Sign(Term(old.register, factor * old.sign, constant), sign.equal)


def moves_of(step: Step) -> Iterator[Move]:
    """All moves a step may make."""
    match step:
        case Move():
            yield step
        case Branch(_, then, otherwise):
            yield from moves_of(then)
            yield from moves_of(otherwise)
        case Finish():
            return


def tests_of(generator: AddressGenerator) -> tuple[Sign, ...]:
    """The distinct tests of registers in an address generator's steps and conditions that `after`
    knows."""
    found: dict[Sign, None] = {}
    for step in generator.steps:
        found |= dict.fromkeys(sign for guard in _guards(step) for sign in _signs(guard))
    for guard in (*(condition for _, condition in generator.conditions), generator.last):
        found |= dict.fromkeys(_signs(guard))
    moves = [move for step in generator.steps for move in moves_of(step)]
    return tuple(sign for sign in found if all(after(sign, move) is not None for move in moves))


def _guards(step: Step) -> Iterator[Guard]:
    if isinstance(step, Branch):
        yield step.guard
        yield from _guards(step.then)
        yield from _guards(step.otherwise)


def _signs(guard: Guard) -> Iterator[Sign]:
    match guard:
        case Sign(term):
            if term.register is not None:
                yield guard
        case AllOf(conditions) | AnyOf(conditions):
            for condition in conditions:
                yield from _signs(condition)
