"""What static arrays hold at first: the numbers of a C initialiser (C99 6.7.8)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Any

from pycparser import c_ast

from hlsmem.program import Array
from hlsmem.read.c.symbols import Scope, Variable, constant_integer

Element = tuple[int, ...]


class UnknownValueError(Exception):
    """Which elements an initialiser names, or what they get, is not known here."""


def first_bits(variable: Variable, array: Array) -> Mapping[Element, int] | None:
    """The bits of the elements that a static variable holds at first, but those that are 0.

    None where they are not known: other extents than constants, or other values.
    """
    given = variable.declaration.init
    if given is None:
        return {}
    extents = [one.constant_value() for one in array.extents or ()]
    try:
        found = dict(elements_of(given, extents, (), variable.home))
        bits = {element: _bits(node, array, variable.home) for element, node in found.items()}
    except (UnknownValueError, OverflowError):
        return None
    return {element: value for element, value in bits.items() if value}


def elements_of(
    node: Any, extents: Sequence[int | None], before: Element, scope: Scope
) -> Iterator[tuple[Element, Any]]:
    """The elements that an initialiser names, each with its value; the last one counts.

    Raises UnknownValueError.
    """
    if not extents:
        if isinstance(node, c_ast.InitList):
            if len(node.exprs or []) != 1:
                raise UnknownValueError
            node = node.exprs[0]
        yield before, node
        return
    if not isinstance(node, c_ast.InitList):
        raise UnknownValueError
    items = list(node.exprs or [])
    position = 0
    while items:
        item = items.pop(0)
        if isinstance(item, c_ast.NamedInitializer):
            places = [constant_integer(_place(one), scope) for one in item.name]
            if None in places or len(places) > len(extents):
                raise UnknownValueError
            named = tuple(place for place in places if place is not None)
            yield from elements_of(item.expr, extents[len(named) :], before + named, scope)
            position = named[0]
        elif isinstance(item, c_ast.InitList) or len(extents) == 1:
            yield from elements_of(item, extents[1:], (*before, position), scope)
        else:  # without braces, as many as a row has
            inner = [one for one in extents[1:] if one is not None]
            if len(inner) + 1 < len(extents):
                raise UnknownValueError
            row = [item, *islice(plain_items(items), prod(inner) - 1)]
            del items[: len(row) - 1]
            places_of_row = product(*map(range, inner))
            for place, one in zip(places_of_row, row, strict=False):
                yield (*before, position, *place), one
        position += 1


def _place(designator: Any) -> Any:
    """The expression in brackets; pycparser 3 has a node around it."""
    return getattr(designator, "expr", designator)


def plain_items(items: Sequence[Any]) -> Iterator[Any]:
    """The items in front of the first that is in braces or designated."""
    for item in items:
        if isinstance(item, (c_ast.InitList, c_ast.NamedInitializer)):
            return
        yield item


def _bits(node: Any, array: Array, scope: Scope) -> int:
    if not array.element.is_float:
        value = constant_integer(node, scope)
        if value is None:
            raise UnknownValueError
        return value & ((1 << array.element.bits) - 1)
    number = _number(node, scope)
    form = "<f" if array.element.bits == 32 else "<d"
    return int.from_bytes(struct.pack(form, number), "little")


def _number(node: Any, scope: Scope) -> float:
    """The value of a floating constant; that of an integer one."""
    match node:
        case c_ast.UnaryOp(op="-"):
            return -_number(node.expr, scope)
        case c_ast.UnaryOp(op="+"):
            return _number(node.expr, scope)
        case c_ast.Constant(type="float" | "double"):
            text = node.value.rstrip("fFlL")
            try:
                return float.fromhex(text) if "x" in text.lower() else float(text)
            except ValueError:
                raise UnknownValueError from None
    value = constant_integer(node, scope)
    if value is None:
        raise UnknownValueError
    return float(value)
