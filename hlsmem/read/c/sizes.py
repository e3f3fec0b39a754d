"""Sizes of expressions in memory: the elements that they stand for, and their `sizeof`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import c_ast
from hlsmem.read.c.symbols import Scope, Variable, constant_integer, shape_of
from hlsmem.read.c.trees import element, fresh, nodes_of
from hlsmem.read.c.types import ScalarType, stored_bytes

# Parts of expressions that are computed again in each turn: they do nothing and read no memory.
_PLAIN = (
    c_ast.ID,
    c_ast.Constant,
    c_ast.BinaryOp,
    c_ast.Cast,
    c_ast.Typename,
    c_ast.TypeDecl,
    c_ast.IdentifierType,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elements:
    """Elements that begin at `place`[`offset`], with the extents that are left; None: unknown.

    `home` has the names that the extents are written with.
    """

    place: Any
    scalar: ScalarType
    extents: tuple[Any, ...]
    home: Scope
    offset: Any = None

    def at(self, subscripts: Sequence[Any]) -> Any:
        """The element so far from the first one."""
        first, *others = subscripts
        if self.offset is not None:
            first = c_ast.BinaryOp("+", fresh(self.offset), first, first.coord)
        return element(fresh(self.place, first.coord), [first, *others])


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of bytes: a number times expressions, those of a size in the names of `home`."""

    number: int
    factors: tuple[Any, ...] = ()
    home: Scope | None = None


def elements_of(node: Any, scope: Scope) -> Elements | None:
    """The elements of an expression that is an array, or points to an element."""
    match node:
        case c_ast.Cast() if isinstance(node.to_type.type, c_ast.PtrDecl):
            return _pointed(node, scope)
        case c_ast.ID():
            variable = scope.find(node.name)
            if not isinstance(variable, Variable) or not variable.shape.extents:
                return None
            shape = variable.shape
            if shape.scalar is None or shape.volatile:
                return None
            return Elements(
                place=node, scalar=shape.scalar, extents=shape.extents, home=variable.home
            )
        case c_ast.ArrayRef() if is_plain(node.subscript):
            array = elements_of(node.name, scope)
            if array is None or array.offset is not None or len(array.extents) < 2:
                return None
            return replace(array, place=node, extents=array.extents[1:])
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef() as place) if is_plain(place.subscript):
            return _moved(elements_of(place.name, scope), place.subscript, scope)
        case c_ast.BinaryOp(op="+") if is_plain(node.right):
            return _moved(elements_of(node.left, scope), node.right, scope)
    return None


def _pointed(node: Any, scope: Scope) -> Elements | None:
    """The elements behind a cast to `void *`, or to bytes: it changes no bytes."""
    kind = node.to_type.type.type
    names = getattr(getattr(kind, "type", None), "names", None)
    return elements_of(node.expr, scope) if names == ["void"] else None


def _moved(array: Elements | None, offset: Any, scope: Scope) -> Elements | None:
    if array is None or array.offset is not None:
        return None
    return array if constant_integer(offset, scope) == 0 else replace(array, offset=offset)


def is_plain(node: Any) -> bool:
    return all(isinstance(part, _PLAIN) for part in nodes_of(node))


def size_of(node: Any, scope: Scope) -> Amount | None:
    """The `sizeof` of a type, an array, a row or an element; None where that is not known."""
    home = scope
    if isinstance(node, c_ast.Typename):
        shape = shape_of(node.type, scope)
        if shape.pointer:
            return None
        scalar, extents = shape.scalar, shape.extents
    elif (array := elements_of(node, scope)) is not None:
        scalar, extents, home = array.scalar, array.extents, array.home
        if array.offset is not None or isinstance(node, (c_ast.UnaryOp, c_ast.BinaryOp)):
            return None  # the size of a pointer
        if is_pointer(node, scope):
            return None
    else:
        scalar, extents = _scalar(node, scope), ()
    if scalar is None or None in extents:
        return None
    number, factors = stored_bytes(scalar), []
    for one in extents:
        value = constant_integer(one, home)
        if value is None:
            factors.append(one)
        else:
            number *= value
    return Amount(number, tuple(factors), home)


def is_pointer(node: Any, scope: Scope) -> bool:
    """True if an expression is the name of a pointer, as parameters with extents are."""
    if not isinstance(node, c_ast.ID):
        return False
    variable = scope.find(node.name)
    return isinstance(variable, Variable) and (
        variable.shape.pointer or variable.scope == "parameter"
    )


def _scalar(node: Any, scope: Scope) -> ScalarType | None:
    """The type of an element or a plain variable."""
    match node:
        case c_ast.ID():
            variable = scope.find(node.name)
            if not isinstance(variable, Variable) or variable.shape.extents:
                return None
            return variable.shape.scalar
        case c_ast.ArrayRef():
            array = elements_of(node.name, scope)
        case c_ast.UnaryOp(op="*"):
            array = elements_of(node.expr, scope)
        case _:
            return None
    return array.scalar if array is not None and len(array.extents) == 1 else None
