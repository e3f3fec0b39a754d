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
from hlsmem.read.c import c_ast
from hlsmem.read.c.arbitrary_integers import arbitrary
from hlsmem.read.c.constants import constant_value
from hlsmem.read.c.types import BOOL, INT, LONG, FloatType, IntegerType, ScalarType

A_FUNCTION = "a pointer to a function"
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
    volatile: bool = False


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
class TypeName:
    """A name of a type; of a struct whose members stand behind it, `tag` is what finds them."""

    shape: Shape
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Iterator:
    """A loop variable inside its loop: dimension `position` of the instances."""

    position: int
    type: IntegerType
    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name that stays symbolic, of the type its declaration gives (int for macros)."""

    name: str
    type: IntegerType = INT


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A parameter of a function whose call is replaced by its value: a PwAff."""

    expression: Any
    type: IntegerType


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    value: int
    type: IntegerType = INT


@dataclass(frozen=True, slots=True)
class Function:
    """A function; `definition` is its FuncDef where the file has one."""

    name: str
    definition: Any = None


Symbol = Variable | TypeName | Iterator | Bound | Parameter | IntegerConstant | Function


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


_BASES: dict[tuple[str, ...], ScalarType] = {
    ("char",): IntegerType(8, True),
    ("short",): IntegerType(16, True),
    (): INT,
    ("long",): LONG,
    ("long", "long"): LONG,
    ("_Bool",): BOOL,
    ("float",): FloatType(32),
    ("double",): FloatType(64),
}


def shape_of(node: Any, scope: Scope) -> Shape:
    """The Shape of a declared type; typedef names are looked up in `scope`."""
    steps: list[Any] = []
    while isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        steps.append(node)
        node = node.type
    if isinstance(node, c_ast.FuncDecl):
        return Shape(scalar=None, reason=A_FUNCTION)
    if not isinstance(node, c_ast.TypeDecl):
        return Shape(scalar=None, reason="a type hlsmem does not know")
    base = _base(node.type, scope)
    qualifiers = node.quals or []
    pointers = [i for i, step in enumerate(steps) if isinstance(step, c_ast.PtrDecl)]
    scalar, reason = base.scalar, base.reason
    if (pointers and pointers != [0]) or (steps and base.pointer):
        scalar, reason = None, TO_POINTERS
    extents = tuple(None if isinstance(s, c_ast.PtrDecl) else s.dim for s in steps)
    dimension_qualifiers = [q for s in steps[:1] for q in _step_qualifiers(s)]
    return Shape(
        scalar=scalar,
        reason=reason,
        members=base.members if scalar is None and reason == base.reason else (),
        extents=extents + base.extents,
        pointer=bool(pointers) or base.pointer,
        restrict="restrict" in dimension_qualifiers or base.restrict,
        constant="const" in qualifiers or base.constant,
        volatile="volatile" in qualifiers or base.volatile,
    )


def _step_qualifiers(step: Any) -> list[str]:
    return list(step.quals if isinstance(step, c_ast.PtrDecl) else step.dim_quals or [])


def _base(node: Any, scope: Scope) -> Shape:
    if isinstance(node, c_ast.Enum):
        return Shape(scalar=INT)
    if isinstance(node, c_ast.Union):
        return Shape(scalar=None, reason="a union")
    if isinstance(node, c_ast.Struct):
        return _struct(node, scope)
    names = list(getattr(node, "names", None) or ["?"])
    if len(names) == 1 and (width := arbitrary(names[0])) is not None:
        return Shape(scalar=IntegerType(width.bits, width.signed))
    found = scope.find(names[0]) if len(names) == 1 else None
    if isinstance(found, TypeName):
        return _tagged(found.tag, scope) if found.tag else found.shape
    plain = tuple(sorted(name for name in names if name not in ("signed", "unsigned", "int")))
    scalar = _BASES.get(plain)
    if scalar is None:
        return Shape(scalar=None, reason=f"of type {' '.join(names)}")
    if "unsigned" in names and isinstance(scalar, IntegerType):
        scalar = IntegerType(scalar.bits, False)
    return Shape(scalar=scalar)


def _struct(node: Any, scope: Scope) -> Shape:
    """The Shape of a struct by its members, or by its tag where they stand elsewhere."""
    if node.decls is None:
        return _tagged(node.name, scope)
    members = [(one.name, _member(one, scope)) for one in node.decls if isinstance(one, c_ast.Decl)]
    if any(name is None for name, _ in members) or len(members) != len(node.decls):
        return Shape(scalar=None, reason="a struct with members that have no name")
    return Shape(scalar=None, reason="a struct", members=tuple(members))


def _tagged(tag: str, scope: Scope) -> Shape:
    found = scope.find(f"struct {tag}")
    return found.shape if isinstance(found, TypeName) else Shape(scalar=None, reason="a struct")


def _member(node: Any, scope: Scope) -> Shape:
    shape = shape_of(node.type, scope)
    if node.bitsize is not None:
        return Shape(scalar=None, reason="a bit-field")
    if shape.pointer:
        return Shape(scalar=None, reason="a pointer in a struct")
    return shape


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
            volatile=shape.volatile or member.volatile,
        )
        if not member.members:
            yield (name,), (rank, len(member.extents)), whole
        for path, ranks, number in _numbers(whole):
            yield (name, *path), (rank, ranks[0] - rank, *ranks[1:]), number


def declare(node: Any, scope: Scope, where: str, domain: Any = None) -> Variable | None:
    """Enter a declaration or typedef into `scope`; returns the variable, if it is one."""
    _declare_tags(node, scope)
    if isinstance(node, c_ast.Typedef):
        scope.names[node.name] = TypeName(shape_of(node.type, scope), _unknown_tag(node, scope))
        return None
    if not isinstance(node, c_ast.Decl) or node.name is None:
        return None
    if isinstance(node.type, c_ast.FuncDecl):
        scope.names[node.name] = Function(node.name)
        return None
    shape = shape_of(node.type, scope)
    members: dict[tuple[str, ...], Variable] = {}
    variable = Variable(
        name=node.name,
        shape=shape,
        declaration=node,
        scope=where,
        static="static" in (node.storage or []),
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


def _unknown_tag(node: Any, scope: Scope) -> str:
    """The tag of the struct that a typedef names ahead of its members, else ""."""
    match node.type:
        case c_ast.TypeDecl(type=c_ast.Struct(name=str(tag))) if (
            scope.find(f"struct {tag}") is None
        ):
            return tag
    return ""


def _declare_tags(node: Any, scope: Scope) -> None:
    """Enter the structs and enumerators that a declaration defines on the way."""
    kind = getattr(node, "type", None)
    while isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl, c_ast.TypeDecl)):
        kind = kind.type
    if isinstance(kind, c_ast.Struct) and kind.decls is not None:
        for member in kind.decls:
            _declare_tags(member, scope)
        if kind.name:
            scope.names[f"struct {kind.name}"] = TypeName(_struct(kind, scope))
    if isinstance(kind, c_ast.Enum) and kind.values is not None:
        _declare_enumerators(kind, scope)


def _declare_enumerators(kind: Any, scope: Scope) -> None:
    value: int | None = -1
    for enumerator in kind.values.enumerators:
        if enumerator.value is None:
            value = None if value is None else value + 1
        else:
            value = constant_integer(enumerator.value, scope)
        if value is not None and INT.least <= value <= INT.greatest:
            scope.names[enumerator.name] = IntegerConstant(value)


def constant_integer(node: Any, scope: Scope) -> int | None:
    """The value of an integer constant expression (C99 6.6), or None where it is none."""

    def named(name: str) -> tuple[int, IntegerType] | None:
        symbol = scope.find(name)
        return (symbol.value, symbol.type) if isinstance(symbol, IntegerConstant) else None

    found = constant_value(node, named, lambda kind: number_type(kind, scope))
    return None if found is None else found[0]


def number_type(kind: Any, scope: Scope) -> ScalarType | None:
    """The type of a number that a declared type is; None where it is another."""
    shape = shape_of(kind, scope)
    return None if shape.extents or shape.pointer else shape.scalar
