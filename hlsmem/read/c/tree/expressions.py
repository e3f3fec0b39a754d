"""Expressions, each with its type; those that are made without one are printed alone."""

from __future__ import annotations

from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.tree.node import Leaf, Node
from hlsmem.read.c.tree.types import UNTYPED, Type


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
