"""The address generator: registers that step through the beats of a stream by constant additions.

An address generator is a small state machine. Its registers hold quasi-affine forms of the loops at
the current beat; every step sets each of them from one register, a constant, and constants
added where a remainder wraps. Verilog, C and the reference stepper use this one value.
"""

from __future__ import annotations

from hlsmem.addressing.loop_forms import Affine
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """A register: its name, the form it holds, its first value, and its range over the walk."""

    name: str
    form: Affine
    first: int
    least: int
    greatest: int

    @property
    def is_signed(self) -> bool:
        return self.least < 0

    @property
    def bits(self) -> int:
        return bits_for(self.least, self.greatest)


def bits_for(least: int, greatest: int) -> int:
    """Bits that hold all integers in a range: two's complement where some are negative.

    >>> bits_for(0, 128), bits_for(-1, 63), bits_for(0, 0)
    (8, 7, 1)
    """
    if least >= 0:
        return max(1, greatest.bit_length())
    return 1 + max((-1 - least).bit_length(), max(greatest, 0).bit_length())


@dataclass(frozen=True, slots=True)
class Term:
    """sign * register + constant; no register (None): the constant alone."""

    register: int | None
    sign: int
    constant: int


@dataclass(frozen=True, slots=True)
class Wrap:
    """`then` where the remainder register is at least `threshold`, else `otherwise`."""

    register: int
    threshold: int
    then: Amount
    otherwise: Amount


Amount = int | Wrap


@dataclass(frozen=True, slots=True)
class Update:
    """New value of a register: a term of old values, plus an amount."""

    target: int
    value: Term
    amount: Amount


@dataclass(frozen=True, slots=True)
class Sign:
    """term >= 0, or term == 0 where `equal`."""

    term: Term
    equal: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    conditions: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    conditions: tuple[Guard, ...]


Guard = Sign | AllOf | AnyOf


@dataclass(frozen=True, slots=True)
class Select:
    """`then` where the guard holds, else `otherwise`."""

    guard: Guard
    then: Output
    otherwise: Output


Output = Term | Select


@dataclass(frozen=True, slots=True)
class Move:
    """Go to a state; registers that are not named keep their values."""

    state: int
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One step where the guard holds, another one elsewhere; guards see old values."""

    guard: Guard
    then: Step
    otherwise: Step


@dataclass(frozen=True, slots=True)
class Finish:
    """There is no further beat."""


Step = Move | Branch | Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressGenerator:
    """Registers, states and outputs of a stream's walk.

    `loops` are the names of the loops, outermost first; `loop_registers[d]` is the index of
    the register of loop d. State k is a beat where `is_beat[k]`, else idle; `steps[k]` leads out of
    it. `outputs` have names and are valid on a beat; `last` tells the last beat. `idle` is the
    number of idle visits of the whole walk.
    """

    loops: tuple[str, ...]
    registers: tuple[Register, ...]
    loop_registers: tuple[int, ...]
    first_state: int
    is_beat: tuple[bool, ...]
    steps: tuple[Step, ...]
    outputs: tuple[tuple[str, Output], ...]
    conditions: tuple[tuple[str, Guard], ...]
    last: Guard
    beats: int
    idle: int
