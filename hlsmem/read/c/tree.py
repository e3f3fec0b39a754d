"""Typed syntax trees of C: frozen nodes, each with its place, each expression with its type.

Names and fields are those that the rewrites of `normal` match on. A tree that was lowered from
C++ is C: functions, structs of plain members, arrays, numbers. Alternatives are classes:
`Type`, `Expression` and `Statement` name them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields
from functools import cache
from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Rewrite


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a tree; iteration gives the nodes directly below it, in textual order."""

    texts: ClassVar[frozenset[str]] = frozenset()
    """The fields that are words and no nodes."""

    def __iter__(self) -> Iterator[Any]:
        kind: Any = self.__class__
        for part in parts_of(kind):
            value = getattr(self, part)
            if isinstance(value, tuple):
                yield from value
            elif value is not None:
                yield value


class Leaf(Node):
    """A part that no others are in: its fields are words."""

    __slots__ = ()


@cache
def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the fields of a class of nodes, its place among them."""
    return tuple(one.name for one in fields(kind))


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """Return those fields of a class of nodes that are nodes, tuples of nodes, or None."""
    if issubclass(kind, Leaf):
        return ()
    texts = {*kind.texts, "place"}
    return tuple(one for one in fields_of(kind) if one not in texts)


def with_parts(node: Any, **parts: Any) -> Any:
    """Return a copy of a node with other parts.

    >>> with_parts(Array(INT, None), restrict=True).restrict
    True
    """
    kind: Any = type(node)
    return kind(*[parts[o] if o in parts else getattr(node, o) for o in fields_of(kind)])


# Places.


@dataclass(frozen=True, slots=True)
class SourceRange:
    """A stretch of one line of a file, lines and columns from 1, the length in characters.

    `through` are the rewrites that brought the text to where it runs, innermost first; the place
    of each has the ones behind it. What `is_cut` goes on in further lines: the whole text are the
    bytes [start, stop) of the file.
    """

    file: str
    line: int
    column: int
    length: int = 1
    through: Through = ()
    is_cut: bool = False
    start: int = 0
    stop: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Through = tuple[Rewrite[SourceRange], ...]


def with_through(place: SourceRange, through: Through) -> SourceRange:
    """Return a place with other rewrites; `replace` takes four times as long."""
    p = place
    return SourceRange(p.file, p.line, p.column, p.length, through, p.is_cut, p.start, p.stop)


# Types.


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

    def promoted(self) -> Number:
        """Return the type that C computes in (C99 6.3.1.1): int for what is narrower."""
        return INT if self.bits < INT.bits else self

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


Type = Void | Number | Float | Array | Pointer | Struct | Stream | Counter


def element_of(kind: Type) -> Type:
    """Return the type that arrays and pointers have inside."""
    while isinstance(kind, (Array, Pointer)):
        kind = kind.element
    return kind


BOOL = Number(1, False, is_bool=True)
INT = Number(32, True)
UNSIGNED = Number(32, False)
LONG = Number(64, True)
UNSIGNED_LONG = Number(64, False)
TEXT = Pointer(Number(8, True), const=True)

# Expressions.


@dataclass(frozen=True, slots=True)
class ID:
    name: str
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal as C writes it; negative numbers are operators."""

    value: str
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class UnaryOp:
    """An operator with one operand; `p++` and `p--` stand behind it, `sizeof` is none."""

    op: str
    expr: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class BinaryOp:
    op: str
    left: Expression
    right: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class TernaryOp:
    cond: Expression
    iftrue: Expression
    iffalse: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class ArrayRef:
    name: Expression
    subscript: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class StructRef:
    """A member; `arrow` where `name` is a pointer."""

    name: Expression
    field: str
    arrow: bool
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class FuncCall:
    name: str
    args: tuple[Expression, ...]
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion to `type`."""

    expr: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment; `op` is = or one such as +=."""

    op: str
    lvalue: Expression
    rvalue: Expression
    type: Type
    place: SourceRange


@dataclass(frozen=True, slots=True)
class InitList:
    exprs: tuple[Expression, ...]
    type: Type
    place: SourceRange


Expression = (
    ID
    | Constant
    | UnaryOp
    | BinaryOp
    | TernaryOp
    | ArrayRef
    | StructRef
    | FuncCall
    | Cast
    | Assignment
    | InitList
)

# Statements. An expression is one, too.


@dataclass(frozen=True, slots=True)
class Decl:
    """A declared variable; `storage` has the words in front of its type, such as static."""

    name: str
    type: Type
    place: SourceRange
    init: Expression | None = None
    storage: tuple[str, ...] = ()
    const: bool = False


@dataclass(frozen=True, slots=True)
class Compound:
    block_items: tuple[Statement, ...]
    place: SourceRange


@dataclass(frozen=True, slots=True)
class If:
    cond: Expression
    iftrue: Statement
    iffalse: Statement | None
    place: SourceRange


@dataclass(frozen=True, slots=True)
class For:
    """A loop; `init` are declarations, or one expression."""

    init: tuple[Decl, ...] | Expression | None
    cond: Expression | None
    next: Expression | tuple[Expression, ...] | None
    stmt: Statement
    place: SourceRange


@dataclass(frozen=True, slots=True)
class While:
    cond: Expression
    stmt: Statement
    place: SourceRange


@dataclass(frozen=True, slots=True)
class DoWhile:
    cond: Expression
    stmt: Statement
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Switch:
    cond: Expression
    stmt: Statement
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Case:
    expr: Expression
    stmts: tuple[Statement, ...]
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Default:
    stmts: tuple[Statement, ...]
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    stmt: Statement
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Return:
    expr: Expression | None
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Break:
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Continue:
    place: SourceRange


@dataclass(frozen=True, slots=True)
class Pragma:
    """A pragma; `string` is the text behind #pragma."""

    string: str
    place: SourceRange


@dataclass(frozen=True, slots=True)
class EmptyStatement:
    place: SourceRange


Statement = (
    Expression
    | Decl
    | Compound
    | If
    | For
    | While
    | DoWhile
    | Switch
    | Case
    | Default
    | Label
    | Return
    | Break
    | Continue
    | Pragma
    | EmptyStatement
)

# Files.


@dataclass(frozen=True, slots=True)
class FuncDef:
    name: str
    returns: Type
    parameters: tuple[Decl, ...]
    body: Compound
    place: SourceRange
    storage: tuple[str, ...] = ("static",)
