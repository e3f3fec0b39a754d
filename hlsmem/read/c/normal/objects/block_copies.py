"""Calls of memcpy and memset: loops over the elements of rows and whole arrays.

A call is replaced where the number of bytes is a number of elements, or of rows, that both
arrays have alike; other calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.box_nests import nest
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import assigned, binary
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import Scope, Variable, constant_integer
from hlsmem.read.c.tree import Float, Number, Pointer, Void
from hlsmem.read.c.trees import element, fresh, integer, nodes_of, nodes_of_body
from hlsmem.read.c.types import ScalarType, stored_bytes


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number of bytes: a number times expressions."""

    number: int
    factors: tuple[Any, ...] = ()


_CALLS = frozenset(["memcpy", "memmove", "memset"])
_BY_HAND = "write a loop over the elements"


class _Unfit(Exception):
    """Why a call is not replaced: the rest of a sentence, and what to do."""

    def __init__(self, why: str, remedy: str = _BY_HAND) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


def write_copies(unit: Unit) -> Unit:
    """The unit whose region copies and fills arrays by loops."""
    called = {node.name for node in nodes_of_body(unit.function) if isinstance(node, tree.FuncCall)}
    if not called & _CALLS - unit.functions().keys():
        return unit
    functions, taken = unit.functions(), set(identifiers(unit.function))

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        call = node.expr if isinstance(node, tree.Cast) else node
        if not isinstance(call, tree.FuncCall):
            return None
        verb = call.name
        if verb not in _CALLS or verb in functions:
            return None
        try:
            return [_loops(verb, call, scope, taken)]
        except _Unfit as error:
            unit.refuse(Refusal.FUNCTION_CALL, call, error.why, error.remedy)
            return [tree.EmptyStatement(call.place)]

    return with_statements(unit, replaced)


def _loops(verb: str, call: Any, scope: Scope, taken: set[str]) -> Any:
    """The loops that do what a call does; raises _Unfit."""
    arguments = call.args
    if verb == "memmove":
        why = "may copy an array onto itself, in an order that is not said"
        raise _Unfit(why, "use memcpy where the two do not overlap")
    if len(arguments) != 3:
        raise _Unfit(f"does not have the three arguments of {verb}")
    target, amount = _elements_of(arguments[0], scope), _amount(arguments[2], scope)
    source = _elements_of(arguments[1], scope) if verb == "memcpy" else target
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

    def copied(subscripts: list[Any]) -> Any:
        right = integer(value, call.place) if value is not None else source.at(_copies(subscripts))
        return assigned("=", target.at(subscripts), right, call.place)

    return nest(extents, taken, copied, call.place)


def _copies(nodes: Sequence[Any]) -> list[Any]:
    return [fresh(node) for node in nodes]


def _filled(node: Any, scalar: ScalarType, scope: Scope) -> int | None:
    """Value of an element whose bytes were all set to a value; None where that is no 0 or -1."""
    value = constant_integer(node, scope)
    whole = isinstance(scalar, Number) and scalar.bits > 1
    return value if value == 0 or (value == -1 and whole) else None


def _extents(
    target: _Elements, source: _Elements, amount: _Amount, scope: Scope
) -> list[Any] | None:
    """The extents of a nest that touches so many bytes, the same of both."""
    inner, other = target.extents[1:], source.extents[1:]
    if None in inner or list(map(_key(scope), inner)) != list(map(_key(scope), other)):
        return None
    number, left = amount.number, list(amount.factors)
    sizes = [stored_bytes(target.scalar)]
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
    place = target.base.place
    first = integer(number, place) if number > 1 or not left else left.pop(0)
    for one in left:
        first = binary("*", first, one, place)
    return [first, *inner]


def _key(scope: Scope) -> Callable[[Any], object]:
    """Return a function from an extent to a key; keys are equal where extents are the same."""

    def key(node: Any) -> object:
        value = None if node is None else constant_integer(node, scope)
        return value if value is not None else text_of(node) if node is not None else None

    return key


def _amount(node: Any, scope: Scope) -> _Amount | None:
    """A number of bytes as a product."""
    value = constant_integer(node, scope)
    if value is not None:
        return _Amount(value)
    match node:
        case tree.BinaryOp(op="*"):
            left, right = _amount(node.left, scope), _amount(node.right, scope)
            if left is None or right is None:
                return None
            return _Amount(left.number * right.number, left.factors + right.factors)
        case tree.Cast():
            return _amount(node.expr, scope)
    return _Amount(1, (node,)) if _is_plain(node) else None


# The elements that expressions stand for.

# Parts of expressions that are computed again in each turn: they do nothing and read no memory.
_PLAIN = (tree.ID, tree.Constant, tree.BinaryOp, tree.Cast, Number, Float)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Elements:
    """Elements that begin at `base`[`offset`], with the extents that are left; None: unknown.

    `home` has the names that the extents are written with.
    """

    base: Any
    scalar: ScalarType
    extents: tuple[Any, ...]
    home: Scope
    offset: Any = None

    def at(self, subscripts: Sequence[Any]) -> Any:
        """The element so far from the first one."""
        first, *others = subscripts
        if self.offset is not None:
            first = binary("+", fresh(self.offset), first, first.place)
        return element(fresh(self.base, first.place), [first, *others])


def _elements_of(node: Any, scope: Scope) -> _Elements | None:
    """The elements of an expression that is an array, or points to an element."""
    match node:
        case tree.Cast(type=Pointer(element=Void())):  # it changes no bytes
            return _elements_of(node.expr, scope)
        case tree.ID():
            variable = scope.find(node.name)
            if not isinstance(variable, Variable) or not variable.shape.extents:
                return None
            shape = variable.shape
            if shape.scalar is None:
                return None
            return _Elements(
                base=node, scalar=shape.scalar, extents=shape.extents, home=variable.home
            )
        case tree.ArrayRef() if _is_plain(node.subscript):
            array = _elements_of(node.name, scope)
            if array is None or array.offset is not None or len(array.extents) < 2:
                return None
            return replace(array, base=node, extents=array.extents[1:])
        case tree.UnaryOp(op="&", expr=tree.ArrayRef() as place) if _is_plain(place.subscript):
            return _moved(_elements_of(place.name, scope), place.subscript, scope)
        case tree.BinaryOp(op="+") if _is_plain(node.right):
            return _moved(_elements_of(node.left, scope), node.right, scope)
    return None


def _moved(array: _Elements | None, offset: Any, scope: Scope) -> _Elements | None:
    if array is None or array.offset is not None:
        return None
    return array if constant_integer(offset, scope) == 0 else replace(array, offset=offset)


def _is_plain(node: Any) -> bool:
    return all(isinstance(part, _PLAIN) for part in nodes_of(node))
