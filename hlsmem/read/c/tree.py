"""Typed syntax trees of C: frozen nodes, each with its place, each expression with its type.

A tree that was lowered from C++ is C: functions, structs of plain members, arrays, numbers.
Alternatives are classes: `Type`, `Expression` and `Statement` name them. Nodes are compared by
identity: two equal texts at two places are two statements. Types are compared by value.
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

# Expressions. Those that are made without a type are printed alone.


@dataclass(frozen=True, slots=True, eq=False)
class ID(Leaf):
    """The name of a variable, function or constant."""

    name: str
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Leaf):
    """A literal as C writes it; negative numbers are operators."""

    value: str
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class UnaryOp(Node):
    """An operator with one operand; `p++` and `p--` stand behind it, `sizeof` is none."""

    texts: ClassVar[frozenset[str]] = frozenset(["op", "type"])

    op: str
    expr: Expression
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class BinaryOp(Node):
    """An operator with two operands."""

    texts: ClassVar[frozenset[str]] = frozenset(["op", "type"])

    op: str
    left: Expression
    right: Expression
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TernaryOp(Node):
    """A conditional value."""

    texts: ClassVar[frozenset[str]] = frozenset(["type"])

    cond: Expression
    iftrue: Expression
    iffalse: Expression
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRef(Node):
    """An element."""

    texts: ClassVar[frozenset[str]] = frozenset(["type"])

    name: Expression
    subscript: Expression
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class StructRef(Node):
    """A member; `arrow` where `name` is a pointer."""

    texts: ClassVar[frozenset[str]] = frozenset(["field", "arrow", "type"])

    name: Expression
    field: str
    arrow: bool
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncCall(Node):
    """A call of a function by its name."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "type"])

    name: str
    args: tuple[Expression, ...]
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    """A conversion to `type`."""

    expr: Expression
    type: Type
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Node):
    """An assignment; `op` is = or one such as +=."""

    texts: ClassVar[frozenset[str]] = frozenset(["op", "type"])

    op: str
    lvalue: Expression
    rvalue: Expression
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ExprList(Node):
    """Expressions with commas between them."""

    texts: ClassVar[frozenset[str]] = frozenset(["type"])

    exprs: tuple[Expression, ...]
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class InitList(Node):
    """Values in braces."""

    texts: ClassVar[frozenset[str]] = frozenset(["type"])

    exprs: tuple[Expression, ...]
    type: Type = UNTYPED
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Verbatim(Leaf):
    """Finished text: an expression, or lines of statements."""

    text: str
    type: Type = UNTYPED
    place: Any = None


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
    | ExprList
    | InitList
    | Verbatim
)

# Declarations.


@dataclass(frozen=True, slots=True, eq=False)
class Decl(Node):
    """A declared variable, parameter or member; `storage` has words in front, such as static.

    `const` are its elements, or what it points to, where it is an array or a pointer.
    """

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage", "const"])

    name: str
    type: Type
    place: Any = None
    init: Expression | None = None
    storage: tuple[str, ...] = ()
    const: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DeclList(Node):
    """The variables of the header of a loop."""

    decls: tuple[Decl, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Typedef(Node):
    """A name for a type."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    type: Type
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class StructDef(Node):
    """A struct with its members."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    members: tuple[Decl, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Prototype(Node):
    """A function whose body stands elsewhere; parameters are None where they do, too."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage"])

    name: str
    returns: Type
    parameters: tuple[Decl, ...] | None
    place: Any = None
    storage: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FuncDef(Node):
    """A function with its body."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage"])

    name: str
    returns: Type
    parameters: tuple[Decl, ...]
    body: Compound
    place: Any = None
    storage: tuple[str, ...] = ()


LINKED = (Decl, FuncDef, Prototype)
"""What files declare that other files may see."""


@dataclass(frozen=True, slots=True, eq=False)
class FileAST(Node):
    """A file."""

    ext: tuple[Any, ...]
    place: Any = None


# Statements. Expressions and declarations are statements, too.


@dataclass(frozen=True, slots=True, eq=False)
class Compound(Node):
    """A block."""

    block_items: tuple[Statement, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """A branch."""

    cond: Expression
    iftrue: Statement
    iffalse: Statement | None
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """A loop with a header of three parts."""

    init: DeclList | Expression | None
    cond: Expression | None
    next: Expression | None
    stmt: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class While(Node):
    """A loop that tests first."""

    cond: Expression
    stmt: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Node):
    """A loop that tests last."""

    cond: Expression
    stmt: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Node):
    """A branch by value."""

    cond: Expression
    stmt: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    """Statements from a value of a switch on."""

    expr: Expression
    stmts: tuple[Statement, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Default(Node):
    """Statements of a switch for all other values."""

    stmts: tuple[Statement, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Label(Node):
    """A named statement."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    stmt: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Return(Node):
    """The end of a function."""

    expr: Expression | None
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Break(Leaf):
    """The end of a loop or switch."""

    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Leaf):
    """The end of an iteration."""

    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EmptyStatement(Leaf):
    """A semicolon."""

    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Pragma(Leaf):
    """A pragma; `string` is the text behind #pragma."""

    string: str
    place: Any = None


Statement = (
    Expression
    | Decl
    | DeclList
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
