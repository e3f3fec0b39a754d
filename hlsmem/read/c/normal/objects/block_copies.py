"""Calls of memcpy and memset: loops over the elements of rows and whole arrays.

A call is replaced where the number of bytes is a number of elements, or of rows, that both
arrays have alike; other calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hlsmem.read.c import c_ast
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.box_nests import nest
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.sizes import Amount, Elements, elements_of, is_plain, size_of
from hlsmem.read.c.symbols import Scope, constant_integer
from hlsmem.read.c.trees import fresh, integer, nodes_of_body
from hlsmem.read.c.types import IntegerType, ScalarType, stored_bytes

_CALLS = frozenset(["memcpy", "memmove", "memset"])
_BY_HAND = "write a loop over the elements"


class _Unfit(Exception):
    """Why a call is not replaced: the rest of a sentence, and what to do."""

    def __init__(self, why: str, remedy: str = _BY_HAND) -> None:
        super().__init__(why)
        self.why, self.remedy = why, remedy


def write_copies(unit: Unit) -> Unit:
    """The unit whose region copies and fills arrays by loops."""
    called = {
        node.name.name
        for node in nodes_of_body(unit.function)
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
    }
    if not called & _CALLS - unit.functions().keys():
        return unit
    functions, taken = unit.functions(), set(identifiers(unit.function))

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        call = node.expr if isinstance(node, c_ast.Cast) else node
        if not isinstance(call, c_ast.FuncCall) or not isinstance(call.name, c_ast.ID):
            return None
        verb = call.name.name
        if verb not in _CALLS or verb in functions:
            return None
        try:
            return [_loops(verb, call, scope, taken)]
        except _Unfit as error:
            unit.refuse(Refusal.FUNCTION_CALL, call, error.why, error.remedy)
            return [c_ast.EmptyStatement(call.coord)]

    return with_statements(unit, replaced)


def _loops(verb: str, call: Any, scope: Scope, taken: set[str]) -> Any:
    """The loops that do what a call does; raises _Unfit."""
    arguments = call.args.exprs if call.args else []
    if verb == "memmove":
        why = "may copy an array onto itself, in an order that is not said"
        raise _Unfit(why, "use memcpy where the two do not overlap")
    if len(arguments) != 3:
        raise _Unfit(f"does not have the three arguments of {verb}")
    target, amount = elements_of(arguments[0], scope), _amount(arguments[2], scope)
    source = elements_of(arguments[1], scope) if verb == "memcpy" else target
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
    """Value of an element whose bytes were all set to a value; None where that is no 0 or -1."""
    value = constant_integer(node, scope)
    whole = isinstance(scalar, IntegerType) and scalar.bits > 1
    return value if value == 0 or (value == -1 and whole) else None


def _extents(target: Elements, source: Elements, amount: Amount, scope: Scope) -> list[Any] | None:
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
    coord = target.place.coord
    first = integer(number, coord) if number > 1 or not left else left.pop(0)
    for one in left:
        first = c_ast.BinaryOp("*", first, one, coord)
    return [first, *inner]


def _key(scope: Scope) -> Callable[[Any], object]:
    """Return a function from an extent to a key; keys are equal where extents are the same."""

    def key(node: Any) -> object:
        value = None if node is None else constant_integer(node, scope)
        return value if value is not None else text_of(node) if node is not None else None

    return key


def _amount(node: Any, scope: Scope) -> Amount | None:
    """A number of bytes as a product."""
    value = constant_integer(node, scope)
    if value is not None:
        return Amount(value)
    match node:
        case c_ast.BinaryOp(op="*"):
            left, right = _amount(node.left, scope), _amount(node.right, scope)
            if left is None or right is None:
                return None
            return Amount(left.number * right.number, left.factors + right.factors)
        case c_ast.UnaryOp(op="sizeof"):
            return size_of(node.expr, scope)
        case c_ast.Cast():
            return _amount(node.expr, scope)
    return Amount(1, (node,)) if is_plain(node) else None
