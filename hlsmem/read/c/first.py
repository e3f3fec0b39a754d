"""Initial values of static arrays: the numbers of a C initialiser (C99 6.7.8)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from hlsmem.program.model import Array
from hlsmem.read.c.lists import UnknownValueError, layout_of, values_in
from hlsmem.read.c.symbols import Scope, Variable, constant_integer

Element = tuple[int, ...]


def first_bits(variable: Variable, array: Array) -> Mapping[Element, int] | None:
    """The bits of the elements that a static variable holds at first, but those that are 0.

    None where they are not known: other extents than constants, or other values.
    """
    given = variable.declaration.init
    if given is None:
        return {}
    layout = layout_of(variable.object.shape, variable.home)
    try:
        bits = {
            tuple(step for step in at if isinstance(step, int)): _bits(node, array, variable.home)
            for at, node in values_in(given, layout, variable.home).items()
            if tuple(step for step in at if isinstance(step, str)) == variable.path
        }
    except (UnknownValueError, OverflowError):
        return None
    return {element: value for element, value in bits.items() if value}


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
