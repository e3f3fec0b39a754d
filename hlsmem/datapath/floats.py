"""Floats as the bits of IEEE 754: constants, signs, choices. What computes is a foreign module."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hlsmem.datapath import arithmetic
from hlsmem.datapath.values import BIT, Foreign, Graph, Interval, Value, of_bits
from hlsmem.program.foreign_modules import ForeignModule
from hlsmem.read.c import tree
from hlsmem.read.c.clang.float_numbers import constant_of
from hlsmem.read.c.constants import value_at

_FORMATS = {32: "f", 64: "d"}
_LETTERS = {32: "f", 64: "d"}
_SWAPPED = {">": "<", ">=": "<="}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_DOES = {"+": "adds", "-": "subtracts", "*": "multiplies", "/": "divides"}


class NoModuleError(Exception):
    """An operator of floats without a module; `str` says which."""


def constant(graph: Graph, value: float | Fraction, bits: int) -> Value:
    """Return a number, rounded to the nearest float; infinite where it is too large."""
    return arithmetic.constant(graph, _bits_of(value, bits))


def constant_bits(node: Any, bits: int) -> int | None:
    """Return the bits of a literal of C, or of a negative one; None where it is none."""
    match node:
        case tree.UnaryOp(op="-", expr=inner):
            found = constant_bits(inner, bits)
            return None if found is None else found ^ 1 << (bits - 1)
        case tree.Constant():
            real, whole = literal(node), value_at(node, {})
            if real is not None:
                return _bits_of(real[0], bits)
            return None if whole is None else _bits_of(whole, bits)
    return None


def _bits_of(value: float | Fraction, bits: int) -> int:
    try:
        content = struct.pack(f"<{_FORMATS[bits]}", float(value))
    except OverflowError:
        content = struct.pack(f"<{_FORMATS[bits]}", float("inf") if value > 0 else -float("inf"))
    return int.from_bytes(content, "little")


def number_of(one: Value, bits: int) -> float | None:
    """Return the number that the bits of a constant are; None of what is no constant."""
    if one.constant is None:
        return None
    content = one.constant.to_bytes(bits // 8, "little")
    return float(struct.unpack(f"<{_FORMATS[bits]}", content)[0])


def literal(node: Any) -> tuple[Fraction, int] | None:
    """Return the number and the bits of a literal of C; None where it is no float."""
    found = constant_of(node)
    return None if found is None else (found, node.type.bits)


def negate(graph: Graph, one: Value, bits: int) -> Value:
    """Return the number with the other sign."""
    sign = 1 << (bits - 1)
    if one.constant is not None:
        return arithmetic.constant(graph, one.constant ^ sign)
    return arithmetic.bit_xor(graph, one, arithmetic.constant(graph, sign))


def magnitude(graph: Graph, one: Value, bits: int) -> Value:
    """Return the number without its sign."""
    return arithmetic.wrap(graph, one, bits - 1, signed=False)


def is_true(graph: Graph, one: Value, bits: int) -> Value:
    """Return 1 where a number is not 0, of either sign."""
    return arithmetic.is_true(graph, magnitude(graph, one, bits))


def check_module(modules: Mapping[str, ForeignModule], sign: str, bits: int) -> None:
    """Raise NoModuleError where no module computes an operator of floats of so many bits."""
    letter = _LETTERS[bits]
    name = f"{letter}{_SWAPPED.get(sign, '==' if sign == '!=' else sign)}"
    if name in modules or (sign == "-" and f"{letter}+" in modules):
        return
    does = _DOES.get(sign, "compares" if sign in _COMPARISONS else f"applies '{sign}' to")
    raise NoModuleError(f"it {does} floats, and no module is named for '{name}'")


def computed(
    graph: Graph,
    modules: Mapping[str, ForeignModule],
    sign: str,
    one: Value,
    other: Value,
    bits: int,
) -> Value:
    """Return what a module makes of two numbers of so many bits; NoModuleError where there is none.

    a - b is a + (-b) where there is no module for it: the two are the same in IEEE 754.
    """
    check_module(modules, sign, bits)
    if sign in _SWAPPED:
        return computed(graph, modules, _SWAPPED[sign], other, one, bits)
    if sign == "!=":
        return arithmetic.invert(graph, computed(graph, modules, "==", one, other, bits))
    letter = _LETTERS[bits]
    if sign == "-" and f"{letter}-" not in modules and f"{letter}+" in modules:
        return computed(graph, modules, "+", one, negate(graph, other, bits), bits)
    module = modules[f"{letter}{sign}"]
    return called(
        graph, module, (one, other), BIT if module.bits == 1 else of_bits(bits, signed=False)
    )


def called(
    graph: Graph, module: ForeignModule, operands: tuple[Value, ...], interval: Interval
) -> Value:
    """Return what a module makes of its operands."""
    operation = Foreign(module.name, module.module, module.latency, module.operands, module.bits)
    return graph.node(operation, operands, interval)
