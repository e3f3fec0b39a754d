"""What a graph of values computes, by Python's integers."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.datapath.values import (
    Add,
    And,
    Choose,
    Constant,
    Equal,
    Foreign,
    Less,
    Lookup,
    Multiply,
    Operand,
    Or,
    ShiftBy,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Value,
    Wrap,
    Xor,
)
from hlsmem.datapath.widths import in_order


def numbers(roots: list[Value], operands: Mapping[str, int]) -> dict[int, int]:
    """Return the number that each node of a graph has, by its number."""
    found: dict[int, int] = {}
    for one in in_order(roots):
        found[one.number] = _number(one, [found[own.number] for own in one.operands], operands)
    return found


def _number(one: Value, given: list[int], operands: Mapping[str, int]) -> int:
    match one.operation:
        case Operand(name):
            return operands[name]
        case Constant(value):
            return value
        case Add():
            return given[0] + given[1]
        case Subtract():
            return given[0] - given[1]
        case Multiply():
            return given[0] * given[1]
        case ShiftLeft(places):
            return given[0] * 2**places
        case ShiftRight(places):
            return given[0] // 2**places
        case ShiftBy(is_left):
            return given[0] * 2 ** given[1] if is_left else given[0] // 2 ** given[1]
        case Less():
            return int(given[0] < given[1])
        case Equal():
            return int(given[0] == given[1])
        case Choose():
            return given[1] if given[0] else given[2]
        case And():
            return given[0] & given[1]
        case Or():
            return given[0] | given[1]
        case Xor():
            return given[0] ^ given[1]
        case Wrap(bits, signed):
            low = given[0] % 2**bits
            return low - 2**bits if signed and low >= 2 ** (bits - 1) else low
        case Lookup(_, words):
            return words[given[0]]
        case Foreign():
            raise AssertionError("what modules of the user compute is simulated")
