"""The bits that a datapath makes of each value: those that its interval needs and somebody uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


def in_order(roots: Sequence[Value]) -> list[Value]:
    """Return the nodes that roots are made of, operands before what uses them."""
    found: dict[int, Value] = {}
    waiting = [*roots]
    while waiting:
        one = waiting.pop()
        if one.number not in found:
            found[one.number] = one
            waiting += one.operands
    return [found[number] for number in sorted(found)]


def widths(roots: Mapping[Value, int]) -> dict[int, int]:
    """Return the bits of each node by its number; `roots` says how many of each result are used.

    A node with fewer bits than its interval needs has lost high ones that nobody looks at.
    """
    asked: dict[int, int] = {}
    for root, bits in roots.items():
        asked[root.number] = max(asked.get(root.number, 0), bits)
    nodes = in_order([*roots])
    made = {}
    for one in reversed(nodes):
        bits = max(1, min(asked.get(one.number, 1), one.interval.bits))
        if isinstance(one.operation, Foreign):
            bits = one.operation.bits
        made[one.number] = bits
        for own, needed in demands(one, bits):
            asked[own.number] = max(asked.get(own.number, 0), needed)
    return made


def demands(one: Value, bits: int) -> Iterator[tuple[Value, int]]:
    """Return the operands of a node of so many bits, and how many bits it needs of each."""
    whole = [(own, own.interval.bits) for own in one.operands]
    match one.operation:
        case Operand() | Constant():
            return
        case Add() | Subtract() | Multiply() | And() | Or() | Xor() | Wrap():
            yield from ((own, bits) for own in one.operands)
        case ShiftLeft(places):
            yield one.operands[0], max(1, bits - places)
        case ShiftRight(places):
            yield one.operands[0], bits + places
        case ShiftBy(is_left):
            value, amount = one.operands
            yield value, bits if is_left else value.interval.bits
            yield amount, amount.interval.bits
        case Choose():
            condition, *arms = one.operands
            yield condition, 1
            yield from ((own, bits) for own in arms)
        case Less() | Equal() | Lookup() | Foreign():
            yield from whole
