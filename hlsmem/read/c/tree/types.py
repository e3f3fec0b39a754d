"""Types of C, compared by value."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.tree.node import Leaf, Node
from hlsmem.read.c.tree.places import SourceRange

if TYPE_CHECKING:
    from hlsmem.read.c.tree.expressions import Expression

STORED = (8, 16, 32, 64, 128)
"""The bits of the integers of C."""


def stored_bits(bits: int) -> int:
    """Return the bits of the least type of C that stores so many."""
    return next(width for width in STORED if width >= bits)


@dataclass(frozen=True, slots=True)
class Void(Leaf):
    """The type of what has no value."""


@dataclass(frozen=True, slots=True)
class Number(Leaf):
    """An integer, or a number with `point` binary places: the integer that stores it / 2**point.

    `exact` where it is of a class of arbitrary precision, whose operators have results as wide as
    they need; else it is one of C, whose operands are promoted. `rounding` and `overflow` are those
    of `hlsmem_number.h`; integers of C truncate and wrap. `spelled` is its name in <stdint.h>.
    """

    bits: int
    signed: bool
    point: int = 0
    rounding: int = 0
    overflow: int = 0
    exact: bool = False
    is_bool: bool = False
    spelled: str = field(default="", compare=False)

    @property
    def least(self) -> int:
        """The least stored integer."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        """The greatest stored integer."""
        return (1 << (self.bits - self.signed)) - 1

    def stored(self) -> Number:
        """Return the integer of C that stores the number; of one with more bits the number."""
        return self if self.bits > STORED[-1] else Number(stored_bits(self.bits), self.signed)

    def promoted(self) -> Number:
        """Return the type that C computes in (C99 6.3.1.1): int for what is narrower.

        A design may say of elements of int that they have 20 bits and no sign, and they are int in
        C. Text of C that was lowered from C++ has the `stored` integer of such a number.
        """
        return INT if self.bits < INT.bits else self.stored()

    def common(self, other: Number) -> Number:
        """Return the type that C converts both operands to (C99 6.3.1.8)."""
        a, b = self.promoted(), other.promoted()
        if a.bits != b.bits:
            return a if a.bits > b.bits else b
        return a if not a.signed else b


@dataclass(frozen=True, slots=True)
class Float(Leaf):
    """A floating-point number of 32 or 64 bits."""

    bits: int


@dataclass(frozen=True, slots=True)
class Array(Node):
    """An array; `extent` is an expression, None where it is left open.

    `restrict` where it is a parameter that is reached through nothing else.
    """

    texts: ClassVar[frozenset[str]] = frozenset(["restrict"])

    element: Type
    extent: Expression | None
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class Pointer(Node):
    """A pointer; `restrict` where what it points to is reached through nothing else."""

    texts: ClassVar[frozenset[str]] = frozenset(["restrict", "const"])

    element: Type
    restrict: bool = False
    const: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Struct(Leaf):
    """A struct by its tag; equal tags are equal structs."""

    name: str
    members: tuple[Member, ...] = ()
    place: SourceRange = SourceRange("", 0, 0)


@dataclass(frozen=True, slots=True)
class ChannelEnd:
    """An end of a channel that splits or merges streams: its k-th element is `every * k + first`.

    It is read alone, or written alone.
    """

    every: int
    first: int
    is_read: bool


@dataclass(frozen=True, slots=True)
class Stream(Leaf):
    """A queue of elements; `depth` is 0 where the type states none, `end` that of a channel."""

    element: Type
    depth: int = 0
    end: ChannelEnd | None = None


@dataclass(frozen=True, slots=True)
class Counter(Leaf):
    """The type of the number of elements that a stream has got or given so far: an int."""


@dataclass(frozen=True, slots=True)
class Untyped(Leaf):
    """The type of expressions whose type is not known: of trees that are only printed."""


Type = Void | Number | Float | Array | Pointer | Struct | Stream | Counter | Untyped
TYPES = (Void, Number, Float, Array, Pointer, Struct, Stream, Counter, Untyped)


def element_of(kind: Type) -> Type:
    """Return the type that arrays and pointers have inside."""
    while isinstance(kind, (Array, Pointer)):
        kind = kind.element
    return kind


UNTYPED = Untyped()
BOOL = Number(1, False, is_bool=True)
INT = Number(32, True)
UNSIGNED = Number(32, False)
LONG = Number(64, True)
UNSIGNED_LONG = Number(64, False)
TEXT = Pointer(Number(8, True), const=True)
