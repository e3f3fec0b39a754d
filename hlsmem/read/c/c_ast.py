"""Syntax trees of C: what a file declares, and its functions with their statements.

Nodes are compared by identity: two equal texts at two places are two statements. None is changed
in place; `with_parts` makes copies with other parts. `place` is where a node was written, or None.
"""

from __future__ import annotations

from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.tree import Leaf, Node, Type

Expression = Any
Statement = Any


# Declarations.


@dataclass(frozen=True, slots=True, eq=False)
class Decl(Node):
    """A declared variable, parameter or member; `storage` has words in front, such as static.

    `const` are its elements, or what it points to, where it is an array or a pointer.
    """

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage", "const"])

    name: str
    type: Type
    init: Expression = None
    storage: tuple[str, ...] = ()
    const: bool = False
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
class DeclList(Node):
    """The variables of the header of a loop."""

    decls: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Prototype(Node):
    """A function whose body stands elsewhere; parameters are None where they do, too."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage"])

    name: str
    returns: Type
    parameters: tuple[Decl, ...] | None
    storage: tuple[str, ...] = ()
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncDef(Node):
    """A function with its body."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "storage"])

    name: str
    returns: Type
    parameters: tuple[Decl, ...]
    body: Compound
    storage: tuple[str, ...] = ()
    place: Any = None


LINKED = (Decl, FuncDef, Prototype)
"""What files declare that other files may see."""


@dataclass(frozen=True, slots=True, eq=False)
class FileAST(Node):
    """A file."""

    ext: tuple[Any, ...]
    place: Any = None


# Expressions.


@dataclass(frozen=True, slots=True, eq=False)
class ID(Leaf):
    """The name of a variable, function or constant."""

    name: str
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Leaf):
    """A literal as it is written."""

    value: str
    type: Type
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class UnaryOp(Node):
    """An operator with one operand; `p++` and `p--` stand behind it."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    expr: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class BinaryOp(Node):
    """An operator with two operands."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    left: Expression
    right: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TernaryOp(Node):
    """A conditional value."""

    cond: Expression
    iftrue: Expression
    iffalse: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Node):
    """An assignment; `op` is = or one such as +=."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    lvalue: Expression
    rvalue: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    """A conversion to `type`."""

    expr: Expression
    type: Type
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRef(Node):
    """An element."""

    name: Expression
    subscript: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class StructRef(Node):
    """A member; `arrow` where `name` is a pointer."""

    texts: ClassVar[frozenset[str]] = frozenset(["field", "arrow"])

    name: Expression
    field: str
    arrow: bool
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncCall(Node):
    """A call of a function by its name."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    args: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ExprList(Node):
    """Expressions with commas between them."""

    exprs: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class InitList(Node):
    """Values in braces."""

    exprs: tuple[Any, ...]
    place: Any = None


# Statements. Expressions and declarations are statements, too.


@dataclass(frozen=True, slots=True, eq=False)
class Compound(Node):
    """A block."""

    block_items: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """A branch."""

    cond: Expression
    iftrue: Statement
    iffalse: Statement
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """A loop with a header of three parts."""

    init: Any
    cond: Expression
    next: Expression
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
    stmts: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Default(Node):
    """Statements of a switch for all other values."""

    stmts: tuple[Any, ...]
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

    expr: Expression
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

    string: Any
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Verbatim(Leaf):
    """Finished text: an expression, or lines of statements."""

    text: str
    place: Any = None
