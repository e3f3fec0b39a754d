"""Calls of memcpy and memset: loops over the elements of rows and whole arrays.

A call is replaced where the number of bytes is a number of elements, or of rows, that both
arrays have alike; other calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.nests import element, nest
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import Scope, Variable, constant_integer, declare, shape_of
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import changed, fresh, integer, nodes_of, text_of
from hlsmem.read.c.types import IntegerType, ScalarType

_CALLS = frozenset(["memcpy", "memmove", "memset"])
_BY_HAND = "write a loop over the elements"
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
class _Elements:
    """Elements that begin at `place`[`offset`], with the extents that are left; None: unknown."""

    place: Any
    scalar: ScalarType
    extents: tuple[Any, ...]
    offset: Any = None

    def at(self, subscripts: Sequence[Any]) -> Any:
        """The element so far from the first one."""
        first, *others = subscripts
        if self.offset is not None:
            first = c_ast.BinaryOp("+", fresh(self.offset), first, first.coord)
        return element(fresh(self.place, first.coord), [first, *others])


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number of bytes: a number times expressions."""

    number: int
    factors: tuple[Any, ...] = ()


class _Unfit(Exception):
    """Why a call is not replaced: the rest of a sentence, and what to do."""

    def __init__(self, why: str, remedy: str = _BY_HAND) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


def write_copies(unit: Unit) -> Unit:
    """The unit whose region copies and fills arrays by loops."""
    called = {
        node.name.name
        for node in nodes_of(unit.function.body)
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
    }
    if not called & _CALLS - unit.functions().keys():
        return unit
    scope = unit.file_scope().inner()
    arguments = unit.function.decl.type.args
    for node in arguments.params if arguments is not None else ():
        declare(node, scope, "parameter")
    body = _Walk(unit).statement(unit.function.body, scope, inside=False)
    if body is unit.function.body:
        return unit
    return unit.with_function(changed(unit.function, body=body))


class _Walk:
    """The statements of a function, with the names that each of them knows."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.functions = unit.functions()
        self.region = set(map(id, find_region(unit.function, unit.source).statements))
        self.taken = set(identifiers(unit.function))

    def statement(self, node: Any, scope: Scope, *, inside: bool) -> Any:
        inside = inside or id(node) in self.region
        match node:
            case c_ast.Decl() | c_ast.Typedef():
                declare(node, scope, "region")
                return node
            case c_ast.DeclList():
                for one in node.decls:
                    declare(one, scope, "region")
                return node
            case c_ast.FuncCall() | c_ast.Cast(expr=c_ast.FuncCall()) if inside:
                call = node.expr if isinstance(node, c_ast.Cast) else node
                verb = call.name.name if isinstance(call.name, c_ast.ID) else ""
                if verb not in _CALLS or verb in self.functions:
                    return node
                try:
                    return _loops(verb, call, scope, self.taken)
                except _Unfit as error:
                    self.unit.refuse(Refusal.FUNCTION_CALL, call, error.why, error.remedy)
                    return c_ast.EmptyStatement(call.coord)
            case c_ast.Compound() | c_ast.For():
                scope = scope.inner()
        parts: dict[str, Any] = {}
        for key in ("block_items", "stmts", "init", "stmt", "iftrue", "iffalse"):
            old = getattr(node, key, None)
            if isinstance(old, list):
                new = [self.statement(one, scope, inside=inside) for one in old]
                if any(a is not b for a, b in zip(old, new, strict=True)):
                    parts[key] = new
            elif isinstance(old, c_ast.Node) and not isinstance(node, c_ast.Decl):
                one = self.statement(old, scope, inside=inside)
                if one is not old:
                    parts[key] = one
        return changed(node, **parts) if parts else node


def _loops(verb: str, call: Any, scope: Scope, taken: set[str]) -> Any:
    """The loops that do what a call does; raises _Unfit."""
    arguments = call.args.exprs if call.args else []
    if verb == "memmove":
        why = "may copy an array onto itself, in an order that is not said"
        raise _Unfit(why, "use memcpy where the two do not overlap")
    if len(arguments) != 3:
        raise _Unfit(f"does not have the three arguments of {verb}")
    target, amount = _elements(arguments[0], scope), _amount(arguments[2], scope)
    source = _elements(arguments[1], scope) if verb == "memcpy" else target
    if target is None or source is None:
        raise _Unfit("takes bytes that are not known as a row or an array of numbers")
    value = None if verb == "memcpy" else _filled(arguments[1], target.scalar, scope)
    if verb == "memset" and value is None:
        raise _Unfit("sets bytes of numbers to another value than 0, or -1 for integers")
    if target.scalar != source.scalar:
        raise _Unfit("copies numbers of one type as another")
    extents = None if amount is None else _extents(target, source, amount, scope)
    if extents is None:
        raise _Unfit("does not say its size as a number of elements, or of rows of both alike")

    def assigned(subscripts: list[Any]) -> Any:
        right = integer(value, call.coord) if value is not None else source.at(_copies(subscripts))
        return c_ast.Assignment("=", target.at(subscripts), right, call.coord)

    return nest(extents, taken, assigned, call.coord)


def _copies(nodes: Sequence[Any]) -> list[Any]:
    return [fresh(node) for node in nodes]


def _filled(node: Any, scalar: ScalarType, scope: Scope) -> int | None:
    """What an element is after all its bytes were set to a value; None where that is no 0 or -1."""
    value = constant_integer(node, scope)
    whole = isinstance(scalar, IntegerType) and scalar.bits > 1
    return value if value == 0 or (value == -1 and whole) else None


def _extents(
    target: _Elements, source: _Elements, amount: _Amount, scope: Scope
) -> list[Any] | None:
    """The extents of a nest that touches so many bytes, the same of both."""
    inner, other = target.extents[1:], source.extents[1:]
    if None in inner or list(map(_key(scope), inner)) != list(map(_key(scope), other)):
        return None
    number, left = amount.number, list(amount.factors)
    sizes = [max(1, target.scalar.bits // 8)]
    for one in inner:
        value = constant_integer(one, scope)
        if value is not None:
            sizes.append(value)
            continue
        same = [factor for factor in left if text_of(factor) == text_of(one)]
        if not same:
            return None
        left.remove(same[0])
    for size in sizes:
        if size <= 0 or number % size:
            return None
        number //= size
    if number <= 0:
        return None
    coord = target.place.coord
    first = integer(number, coord) if number > 1 or not left else left.pop(0)
    for one in left:
        first = c_ast.BinaryOp("*", first, one, coord)
    return [first, *inner]


def _key(scope: Scope) -> Callable[[Any], object]:
    """What two extents have alike where they are the same."""

    def key(node: Any) -> object:
        value = None if node is None else constant_integer(node, scope)
        return value if value is not None else text_of(node) if node is not None else None

    return key


def _elements(node: Any, scope: Scope) -> _Elements | None:
    """What an expression that is an array, or points to an element, stands for."""
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
            return _Elements(place=node, scalar=shape.scalar, extents=shape.extents)
        case c_ast.ArrayRef() if _is_plain(node.subscript):
            array = _elements(node.name, scope)
            if array is None or array.offset is not None or len(array.extents) < 2:
                return None
            return replace(array, place=node, extents=array.extents[1:])
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef() as place) if _is_plain(place.subscript):
            return _moved(_elements(place.name, scope), place.subscript, scope)
        case c_ast.BinaryOp(op="+") if _is_plain(node.right):
            return _moved(_elements(node.left, scope), node.right, scope)
    return None


def _pointed(node: Any, scope: Scope) -> _Elements | None:
    """What a cast to `void *`, or to bytes, points to: it changes no bytes."""
    kind = node.to_type.type.type
    names = getattr(getattr(kind, "type", None), "names", None)
    return _elements(node.expr, scope) if names == ["void"] else None


def _moved(array: _Elements | None, offset: Any, scope: Scope) -> _Elements | None:
    if array is None or array.offset is not None:
        return None
    return array if constant_integer(offset, scope) == 0 else replace(array, offset=offset)


def _is_plain(node: Any) -> bool:
    return all(isinstance(part, _PLAIN) for part in nodes_of(node))


def _amount(node: Any, scope: Scope) -> _Amount | None:
    """A number of bytes as a product."""
    value = constant_integer(node, scope)
    if value is not None:
        return _Amount(value)
    match node:
        case c_ast.BinaryOp(op="*"):
            left, right = _amount(node.left, scope), _amount(node.right, scope)
            if left is None or right is None:
                return None
            return _Amount(left.number * right.number, left.factors + right.factors)
        case c_ast.UnaryOp(op="sizeof"):
            return _size(node.expr, scope)
        case c_ast.Cast():
            return _amount(node.expr, scope)
    return _Amount(1, (node,)) if _is_plain(node) else None


def _size(node: Any, scope: Scope) -> _Amount | None:
    """What `sizeof` says of a type, an array, a row or an element."""
    if isinstance(node, c_ast.Typename):
        shape = shape_of(node.type, scope)
        scalar, extents = shape.scalar, shape.extents
    elif (array := _elements(node, scope)) is not None:
        scalar, extents = array.scalar, array.extents
        if array.offset is not None or isinstance(node, (c_ast.UnaryOp, c_ast.BinaryOp)):
            return None  # the size of a pointer
        if isinstance(node, c_ast.ID) and _is_pointer(node, scope):
            return None
    else:
        scalar, extents = _scalar(node, scope), ()
    if scalar is None or None in extents:
        return None
    found = _Amount(max(1, scalar.bits // 8))
    for one in extents:
        value = constant_integer(one, scope)
        more = _Amount(value) if value is not None else _Amount(1, (one,))
        found = _Amount(found.number * more.number, found.factors + more.factors)
    return found


def _is_pointer(node: Any, scope: Scope) -> bool:
    """Whether a name is a pointer, as parameters that are declared as arrays are."""
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
            array = _elements(node.name, scope)
        case c_ast.UnaryOp(op="*"):
            array = _elements(node.expr, scope)
        case _:
            return None
    return array.scalar if array is not None and len(array.extents) == 1 else None
