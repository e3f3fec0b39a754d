"""C as users write it: what lowered C does not have besides the nodes that both have.

Types stand inside out, from the declared name to what it ends in, under the names that they have.
"""

from __future__ import annotations

from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.tree import Node

Declarator = Any
Expression = Any

# Types and declarators, from the name outwards.


@dataclass(frozen=True, slots=True, eq=False)
class IdentifierType(Node):
    """The name of a type, in words."""

    texts: ClassVar[frozenset[str]] = frozenset(["names"])

    names: list[str]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class TypeDecl(Node):
    """The declared name, and the type it ends in."""

    texts: ClassVar[frozenset[str]] = frozenset(["declname", "quals"])

    declname: Any
    quals: list[str]
    type: Declarator
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class PtrDecl(Node):
    """A pointer."""

    texts: ClassVar[frozenset[str]] = frozenset(["quals"])

    quals: list[str]
    type: Declarator
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayDecl(Node):
    """An array; `dim` is None where the extent is left open."""

    texts: ClassVar[frozenset[str]] = frozenset(["dim_quals"])

    type: Declarator
    dim: Expression
    dim_quals: list[str]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncDecl(Node):
    """A function that returns `type`."""

    args: ParamList | None
    type: Declarator
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ParamList(Node):
    """The parameters of a function."""

    params: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EllipsisParam(Node):
    """Further arguments, of any type."""

    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Typename(Node):
    """A type without a name, as in a cast."""

    texts: ClassVar[frozenset[str]] = frozenset(["quals"])

    quals: list[str]
    type: Declarator
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Struct(Node):
    """A struct; without `decls` one that is declared elsewhere."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    decls: Any
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Union(Node):
    """A union, as a struct."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    decls: Any
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Enum(Node):
    """An enumeration."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: Any
    values: EnumeratorList | None
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class EnumeratorList(Node):
    """The constants of an enumeration."""

    enumerators: tuple[Any, ...]
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Enumerator(Node):
    """A constant of an enumeration."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    value: Expression
    place: Any = None


# Declarations.


@dataclass(frozen=True, slots=True, eq=False)
class Decl(Node):
    """A declared variable, member, function or tag."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "quals", "storage", "funcspec"])

    name: Any
    quals: list[str]
    storage: list[str]
    funcspec: list[str]
    type: Declarator
    init: Expression
    bitsize: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Typedef(Node):
    """A name for a type."""

    texts: ClassVar[frozenset[str]] = frozenset(["name", "quals", "storage"])

    name: str
    quals: list[str]
    storage: list[str]
    type: Declarator
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncDef(Node):
    """A function with its body."""

    decl: Decl
    body: tree.Compound
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FileAST(Node):
    """A file."""

    ext: tuple[Any, ...]
    place: Any = None


# Expressions and statements.


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Node):
    """A conversion that is written."""

    to_type: Typename
    expr: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class FuncCall(Node):
    """A call."""

    name: Expression
    args: tree.ExprList | None
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class NamedInitializer(Node):
    """The value of a named member or element in braces."""

    name: tuple[Any, ...]
    expr: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayDesignator(Node):
    """The position of an element that values in braces name."""

    expr: Expression
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Node):
    """An object without a name."""

    type: Typename
    init: tree.InitList
    place: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Node):
    """A jump."""

    texts: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    place: Any = None


def innermost(kind: Any) -> TypeDecl:
    """Return what has the name in a declarator."""
    while not isinstance(kind, TypeDecl):
        kind = kind.type
    return kind
