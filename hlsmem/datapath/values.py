"""Values of a datapath: a graph of exact integer operations, each with the interval of its results.

A node has no width of C: it is the exact operation, and `Wrap` stands only where the interval
leaves a type. Equal operations of equal operands are one node.
"""

from __future__ import annotations

from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """The integers from `least` to `greatest`."""

    least: int
    greatest: int

    @property
    def is_signed(self) -> bool:
        return self.least < 0

    @property
    def bits(self) -> int:
        """The least number of bits that holds all of them, in two's complement where signed.

        >>> Interval(0, 255).bits, Interval(-128, 3).bits, Interval(0, 0).bits
        (8, 8, 1)
        """
        if not self.is_signed:
            return max(1, self.greatest.bit_length())
        return 1 + max((-1 - self.least).bit_length(), max(self.greatest, 0).bit_length())

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.least, other.least), max(self.greatest, other.greatest))

    def is_within(self, other: Interval) -> bool:
        return other.least <= self.least and self.greatest <= other.greatest


BIT = Interval(0, 1)


def of_bits(bits: int, *, signed: bool) -> Interval:
    """Return what so many bits hold.

    >>> of_bits(8, signed=True)
    Interval(least=-128, greatest=127)
    """
    half = 1 << (bits - 1)
    return Interval(-half, half - 1) if signed else Interval(0, 2 * half - 1)


# Operations.


@dataclass(frozen=True, slots=True)
class Operand:
    """A value that comes from outside: an element of a beat, an iterator, a state."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    value: int


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of two operands."""


@dataclass(frozen=True, slots=True)
class Subtract:
    """The first operand less the second."""


@dataclass(frozen=True, slots=True)
class Multiply:
    """The product of two operands."""


@dataclass(frozen=True, slots=True)
class ShiftLeft:
    """The operand times a power of two."""

    places: int


@dataclass(frozen=True, slots=True)
class ShiftRight:
    """The operand divided by a power of two, rounded down."""

    places: int


@dataclass(frozen=True, slots=True)
class ShiftBy:
    """The first operand shifted by the second, which is not negative; right rounds down."""

    is_left: bool


@dataclass(frozen=True, slots=True)
class Less:
    """1 where the first operand is less than the second, else 0."""


@dataclass(frozen=True, slots=True)
class Equal:
    """1 where the operands are equal, else 0."""


@dataclass(frozen=True, slots=True)
class Choose:
    """The second operand where the first is 1, the third where it is 0."""


@dataclass(frozen=True, slots=True)
class And:
    """The bits that both operands have, in two's complement."""


@dataclass(frozen=True, slots=True)
class Or:
    """The bits that one of the operands has."""


@dataclass(frozen=True, slots=True)
class Xor:
    """The bits that one operand alone has."""


@dataclass(frozen=True, slots=True)
class Wrap:
    """The number of so many bits that equals the operand modulo a power of two."""

    bits: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Lookup:
    """The word of a constant table at the operand."""

    name: str
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Foreign:
    """What a module of the user's makes of the operands, so many clock edges (`latency`) later.

    Its ports have so many bits, and `name` is the function, or the operator of floats.
    """

    name: str
    module: str
    latency: int
    operand_bits: tuple[int, ...]
    bits: int


Operation = (
    Operand
    | Constant
    | Add
    | Subtract
    | Multiply
    | ShiftLeft
    | ShiftRight
    | ShiftBy
    | Less
    | Equal
    | Choose
    | And
    | Or
    | Xor
    | Wrap
    | Lookup
    | Foreign
)


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A node: an operation, its operands, and the interval of its results.

    `number` counts the nodes of a graph; operands have lesser numbers.
    """

    operation: Operation
    operands: tuple[Value, ...]
    interval: Interval
    number: int

    @property
    def constant(self) -> int | None:
        """The value of a constant; None of what is none."""
        return self.operation.value if isinstance(self.operation, Constant) else None


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The nodes made so far, each once."""

    _known: dict[tuple[Operation, tuple[int, ...], Interval], Value] = field(default_factory=dict)

    def node(self, operation: Operation, operands: tuple[Value, ...], interval: Interval) -> Value:
        """Return the node of an operation; where its interval is one number, that constant."""
        is_known = interval.least == interval.greatest
        if is_known and not isinstance(operation, (Operand, Foreign)):
            operation, operands = Constant(interval.least), ()
        key = operation, tuple(one.number for one in operands), interval
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Value(operation, operands, interval, len(self._known))
        return found
