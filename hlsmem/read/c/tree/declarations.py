"""Declarations, and the file that holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.tree.expressions import Expression
from hlsmem.read.c.tree.node import Node
from hlsmem.read.c.tree.types import Type

if TYPE_CHECKING:
    from hlsmem.read.c.tree.statements import Compound


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
