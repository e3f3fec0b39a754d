"""Syntax trees of C: what a file declares, and its functions with their statements.

Nodes are compared by identity: two equal texts at two places are two statements. None is changed
in place; `with_parts` makes copies with other parts. `coord` is where a node was written, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass

Expression = Any
Statement = Any
Declarator = Any


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a tree; iteration gives the nodes directly below it, in textual order."""

    texts: ClassVar[frozenset[str]] = frozenset()
    """The fields that are words and no nodes."""

    def __iter__(self) -> Iterator[Any]:
        kind: Any = self.__class__
        for part in parts_of(kind):
            value = getattr(self, part)
            if isinstance(value, list):
                yield from value
            elif value is not None:
                yield value


@cache
def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the fields of a class of nodes, its place among them."""
    return tuple(one.name for one in fields(kind))


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """Return those fields of a class of nodes that are nodes, lists of nodes, or None."""
    texts = {*kind.texts, "coord"}
    return tuple(one for one in fields_of(kind) if one not in texts)


def with_parts(node: Any, **parts: Any) -> Any:
    """Return a copy of a node with other parts.

    >>> with_parts(ID("a"), name="b").name
    'b'
    """
    kind: Any = type(node)
    return kind(*[parts[o] if o in parts else getattr(node, o) for o in fields_of(kind)])


# Types and declarators, from the name outwards.


@dataclass(frozen=True, slots=True, eq=False)
class IdentifierType(Node):
    """The name of a type, in words."""

    texts: ClassVar[frozenset[str]] = frozenset(["names"])

    names: list[str]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TypeDecl(Node):
    """The declared name, and the type it ends in."""

    texts: ClassVar[frozenset[str]] = frozenset(["declname", "quals", "align"])

    declname: Any
    quals: list[str]
    align: Any
    type: Declarator
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class PtrDecl(Node):
    """A pointer."""

    texts: ClassVar[frozenset[str]] = frozenset(["quals"])

    quals: list[str]
    type: Declarator
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayDecl(Node):
    """An array; `dim` is None where the extent is left open."""

    texts: ClassVar[frozenset[str]] = frozenset(["dim_quals"])

    type: Declarator
    dim: Expression
    dim_quals: list[str]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncDecl(Node):
    """A function that returns `type`."""

    args: ParamList | None
    type: Declarator
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ParamList(Node):
    """The parameters of a function."""

    params: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EllipsisParam(Node):
    """Further arguments, of any type."""

    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Typename(Node):
    """A type without a name, as in a cast."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "quals", "align"])

    name: Any
    quals: list[str]
    align: Any
    type: Declarator
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Struct(Node):
    """A struct; without `decls` one that is declared elsewhere."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    decls: Any
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Union(Node):
    """A union, as a struct."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    decls: Any
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Enum(Node):
    """An enumeration."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    values: EnumeratorList | None
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EnumeratorList(Node):
    """The constants of an enumeration."""

    enumerators: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Enumerator(Node):
    """A constant of an enumeration."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    value: Expression
    coord: Any = None


# Declarations.


@dataclass(frozen=True, slots=True, eq=False)
class Decl(Node):
    """A declared variable, member, function or tag."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "quals", "align", "storage", "funcspec"])

    name: Any
    quals: list[str]
    align: Any
    storage: list[str]
    funcspec: list[str]
    type: Declarator
    init: Expression
    bitsize: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Typedef(Node):
    """A name for a type."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "quals", "storage"])

    name: str
    quals: list[str]
    storage: list[str]
    type: Declarator
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class DeclList(Node):
    """The variables of the header of a loop."""

    decls: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncDef(Node):
    """A function with its body."""

    decl: Decl
    param_decls: Any
    body: Compound
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FileAST(Node):
    """A file."""

    ext: list[Any]
    coord: Any = None


# Expressions.


@dataclass(frozen=True, slots=True, eq=False)
class ID(Node):
    """The name of a variable, function or constant."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Node):
    """A literal as it is written."""

    texts: ClassVar[frozenset[str]] = frozenset(["type", "value"])

    type: str
    value: str
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class UnaryOp(Node):
    """An operator with one operand; `p++` and `p--` stand behind it, `sizeof` is one."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    expr: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class BinaryOp(Node):
    """An operator with two operands."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    left: Expression
    right: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TernaryOp(Node):
    """A conditional value."""

    cond: Expression
    iftrue: Expression
    iffalse: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Node):
    """An assignment; `op` is = or one such as +=."""

    texts: ClassVar[frozenset[str]] = frozenset(["op"])

    op: str
    lvalue: Expression
    rvalue: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    """A conversion that is written."""

    to_type: Typename
    expr: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRef(Node):
    """An element."""

    name: Expression
    subscript: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class StructRef(Node):
    """A member; `type` is . or ->."""

    texts: ClassVar[frozenset[str]] = frozenset(["type"])

    name: Expression
    type: str
    field: ID
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncCall(Node):
    """A call."""

    name: Expression
    args: ExprList | None
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ExprList(Node):
    """Arguments, or expressions with commas between them."""

    exprs: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class InitList(Node):
    """Values in braces."""

    exprs: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class NamedInitializer(Node):
    """The value of a named member or element in braces."""

    name: list[Any]
    expr: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayDesignator(Node):
    """The position of an element that values in braces name."""

    expr: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Node):
    """An object without a name."""

    type: Typename
    init: InitList
    coord: Any = None


# Statements. Expressions and declarations are statements, too.


@dataclass(frozen=True, slots=True, eq=False)
class Compound(Node):
    """A block."""

    block_items: Any
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """A branch."""

    cond: Expression
    iftrue: Statement
    iffalse: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class For(Node):
    """A loop with a header of three parts."""

    init: Any
    cond: Expression
    next: Expression
    stmt: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class While(Node):
    """A loop that tests first."""

    cond: Expression
    stmt: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Node):
    """A loop that tests last."""

    cond: Expression
    stmt: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Node):
    """A branch by value."""

    cond: Expression
    stmt: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    """Statements from a value of a switch on."""

    expr: Expression
    stmts: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Default(Node):
    """Statements of a switch for all other values."""

    stmts: list[Any]
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Label(Node):
    """A named statement."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    stmt: Statement
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Node):
    """A jump."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Return(Node):
    """The end of a function."""

    expr: Expression
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    """The end of a loop or switch."""

    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Node):
    """The end of an iteration."""

    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EmptyStatement(Node):
    """A semicolon."""

    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Pragma(Node):
    """A pragma; `string` is the text behind #pragma."""

    texts: ClassVar[frozenset[str]] = frozenset(["string"])

    string: Any
    coord: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Verbatim(Node):
    """Finished text: an expression, or lines of statements."""

    texts: ClassVar[frozenset[str]] = frozenset(["text"])

    text: str
    coord: Any = None
