"""Names of C and what they stand for: types, variables, constants, loop variables.

Widths are those of 64-bit systems (LP64), plain char is signed. Members of structures are
arrays of their own: `re` of `struct { float re[8], im[8]; } z` is the variable z_re.
"""

from __future__ import annotations

from collections.abc import Iterator as Iterate
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.constants import constant_value
from hlsmem.read.c.tree import INT, UNTYPED, Number
from hlsmem.read.c.types import ScalarType, scalar_type

TO_POINTERS = "a pointer to pointers"
"""The reason of a Shape that rows of an array are reached through pointers of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A declared type, unfolded: array extents around a scalar.

    `extents` are syntax nodes, None for `[]` and for what a pointer points to. `scalar` is
    None where the type is outside what arrays may hold; `reason` then says what it is.
    `members` are those of a struct, in order.
    """

    scalar: ScalarType | None
    reason: str = ""
    members: tuple[tuple[str, Shape], ...] = ()
    extents: tuple[Any, ...] = ()
    pointer: bool = False
    restrict: bool = False
    constant: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variable:
    """A declared object. `scope` is one of file, parameter, local (outside the region), region.

    `home` is the Scope it was declared in and `domain` the instances there (region only):
    its initialiser is evaluated in them. `members` are the numbers inside of a struct by their
    path, variables too: `root` is then the struct, `path` the way there, and `ranks` says how
    many subscripts stand behind the struct and behind each member on the way.
    """

    name: str
    shape: Shape
    declaration: Any
    scope: str
    static: bool = False
    home: Any = field(default=None, repr=False)
    domain: Any = field(default=None, repr=False)
    members: Mapping[tuple[str, ...], Variable] = field(default_factory=dict, repr=False)
    root: Variable | None = field(default=None, repr=False)
    path: tuple[str, ...] = ()
    ranks: tuple[int, ...] = (0,)

    @property
    def object(self) -> Variable:
        """The declared variable: the struct of a member, else the variable itself."""
        return self if self.root is None else self.root

    @property
    def initial(self) -> Any:
        return self.declaration.init

    @property
    def is_read_only(self) -> bool:
        """A constant with its value: a look-up table where it is an array."""
        return self.shape.constant and self.initial is not None


@dataclass(frozen=True, slots=True)
class Iterator:
    """A loop variable inside its loop: dimension `position` of the instances."""

    position: int
    type: Number
    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name that stays symbolic, of the type its declaration gives (int for macros)."""

    name: str
    type: Number = INT


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A parameter of a function whose call is replaced by its value: a PwAff."""

    expression: Any
    type: Number


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    value: int
    type: Number = INT


@dataclass(frozen=True, slots=True)
class Function:
    """A function; `definition` is its FuncDef where the file has one."""

    name: str
    definition: Any = None


Symbol = Variable | Iterator | Bound | Parameter | IntegerConstant | Function


@dataclass(frozen=True, slots=True)
class Scope:
    """Names of one block over those of the blocks around it; grows as declarations are read."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    is_file: bool = False

    def find(self, name: str) -> Symbol | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def outermost(self) -> Scope:
        """The scope of the file."""
        return self if self.parent is None or self.is_file else self.parent.outermost()

    def inner(self) -> Scope:
        return Scope(self)


def shape_of(kind: tree.Type, *, constant: bool = False) -> Shape:
    """The Shape of a type, of elements that are `constant`."""
    steps: list[Any] = []
    while isinstance(kind, (tree.Array, tree.Pointer)):
        steps.append(kind)
        kind = kind.element
    scalar, members = scalar_type(kind), tuple[tuple[str, Shape], ...]()
    reason = "" if scalar is not None else f"of type {base_name(kind)}"
    if isinstance(kind, tree.Struct):
        reason, members = "a struct", tuple((o.name, shape_of(o.type)) for o in kind.members)
    pointers = [i for i, step in enumerate(steps) if isinstance(step, tree.Pointer)]
    if pointers and pointers != [0]:
        scalar, reason, members = None, TO_POINTERS, ()
    return Shape(
        scalar=scalar,
        reason=reason,
        members=members,
        extents=tuple(None if isinstance(s, tree.Pointer) else s.extent for s in steps),
        pointer=bool(pointers),
        restrict=bool(steps) and steps[0].restrict,
        constant=constant,
    )


def whole_type(shape: Shape) -> tree.Type:
    """The type of an array of numbers, of its Shape."""
    kind: tree.Type = UNTYPED if shape.scalar is None else shape.scalar
    for extent in reversed(shape.extents):
        kind = tree.Array(kind, extent)
    return kind


def _numbers(shape: Shape) -> Iterate[tuple[tuple[str, ...], tuple[int, ...], Shape]]:
    """Path, ranks and Shape of every number in a struct, extents of the ways there included."""
    rank = len(shape.extents)
    for name, member in shape.members:
        whole = replace(
            member,
            extents=shape.extents + member.extents,
            pointer=shape.pointer,
            restrict=shape.restrict,
            constant=shape.constant or member.constant,
        )
        if not member.members:
            yield (name,), (rank, len(member.extents)), whole
        for path, ranks, number in _numbers(whole):
            yield (name, *path), (rank, ranks[0] - rank, *ranks[1:]), number


def declare(node: Any, scope: Scope, where: str, domain: Any = None) -> Variable | None:
    """Enter a declaration into `scope`; returns the variable, if it is one."""
    if isinstance(node, tree.Prototype):
        scope.names[node.name] = Function(node.name)
    if not isinstance(node, tree.Decl):
        return None
    shape = shape_of(node.type, constant=node.const)
    members: dict[tuple[str, ...], Variable] = {}
    variable = Variable(
        name=node.name,
        shape=shape,
        declaration=node,
        scope=where,
        static="static" in node.storage,
        home=scope,
        domain=domain,
        members=members,
        ranks=(len(shape.extents),),
    )
    for path, ranks, number in _numbers(shape):
        name = "_".join((node.name, *path))
        members[path] = replace(
            variable, name=name, shape=number, members={}, root=variable, path=path, ranks=ranks
        )
    scope.names[node.name] = variable
    return variable


def constant_integer(node: Any, scope: Scope) -> int | None:
    """The value of an integer constant expression (C99 6.6), or None where it is none."""

    def named(name: str) -> tuple[int, Number] | None:
        symbol = scope.find(name)
        return (symbol.value, symbol.type) if isinstance(symbol, IntegerConstant) else None

    found = constant_value(node, named)
    return None if found is None else found[0]
