"""Statements; expressions and declarations are statements, too."""

from __future__ import annotations

from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.tree.declarations import Decl, DeclList
from hlsmem.read.c.tree.expressions import Expression
from hlsmem.read.c.tree.node import Leaf, Node


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
