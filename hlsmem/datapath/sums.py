"""Sums of many terms: flattened, equal factors added first, and a tree by times of arrival.

The pairs of a symmetric filter find themselves: of terms with one factor the sum is multiplied
once. A factor of few signed digits becomes shifts (Booth's recoding), another one a product.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from hlsmem.datapath import arithmetic
from hlsmem.datapath.stages import Delays
from hlsmem.datapath.values import (
    Add,
    Choose,
    Equal,
    Foreign,
    Graph,
    Less,
    Multiply,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Value,
    Wrap,
)
from hlsmem.datapath.widths import in_order

_Term = tuple[Value, bool]
"""A value, and whether it is taken off."""
_Time = Callable[[Value], float]
DIGITS = 2
"""Signed digits of a factor that is made of shifts."""


def with_trees(
    graph: Graph, roots: Sequence[Value], delays: Delays, late: Collection[Value] = ()
) -> list[Value]:
    """Return values equal to the roots whose sums are trees; those that are `late` come last."""
    after = {one.number for one in late}
    nodes = in_order(roots)
    used = Counter(own.number for one in nodes for own in one.operands)
    used.update(one.number for one in roots)
    made: dict[int, Value] = {}
    arrival: dict[int, float] = {}

    def time(one: Value) -> float:
        if one.number not in arrival:
            own = {node.number: node.interval.bits for node in (one, *one.operands)}
            begin = max((time(operand) for operand in one.operands), default=0.0)
            begin += _LATE if one.number in after else 0.0
            match one.operation:
                case Multiply():
                    arrival[one.number] = begin + _PRODUCT
                case Foreign():
                    arrival[one.number] = begin + _PRODUCT / 2 * one.operation.latency
                case _:
                    arrival[one.number] = begin + delays.of(one, own)
        return arrival[one.number]

    inner = _inner_sums(nodes, used)
    for one in nodes:
        if one.number in inner:
            continue
        if _is_sum(one):
            terms: defaultdict[int, int] = defaultdict(int)
            known: dict[int, Value] = {}
            _collect(one, 1, inner, made, terms, known)
            made[one.number] = _tree(graph, one, terms, known, time)
        else:
            made[one.number] = _again(graph, one, [made[own.number] for own in one.operands])
    return [made[one.number] for one in roots]


def _again(graph: Graph, one: Value, operands: Sequence[Value]) -> Value:
    """A node with other operands, which have the same values.

    The interval of a tree may be narrower than that of its sum, as that of (a + b) - a: what
    depends on signs is made anew.
    """
    match one.operation:
        case Less():
            return arithmetic.less(graph, *operands)
        case Equal():
            return arithmetic.equal(graph, *operands)
        case ShiftRight(places):
            found = arithmetic.shift_right(graph, operands[0], places)
        case Wrap(bits, signed):
            found = arithmetic.wrap(graph, operands[0], bits, signed=signed)
        case Choose():
            found = arithmetic.choose(graph, *operands)
        case _:
            return graph.node(one.operation, tuple(operands), one.interval)
    return found if found in operands else arithmetic.within(graph, found, one.interval)


_LATE = 1e6
_PRODUCT = 14.0
"""The time of a product: two registers of a pipeline, in nanoseconds."""


def _is_sum(one: Value) -> bool:
    return isinstance(one.operation, (Add, Subtract)) or _factor(one) is not None


def _factor(one: Value) -> int | None:
    """The constant that a node multiplies with; None of another node."""
    match one.operation:
        case ShiftLeft(places):
            return 1 << places
        case Multiply():
            return one.operands[1].constant
    return None


def _inner_sums(nodes: Sequence[Value], used: Mapping[int, int]) -> set[int]:
    """The sums that one other sum alone uses."""
    return {
        own.number
        for one in nodes
        if _is_sum(one)
        for own in one.operands
        if _is_sum(own) and used[own.number] == 1
    }


def _collect(
    one: Value,
    factor: int,
    inner: set[int],
    made: Mapping[int, Value],
    terms: defaultdict[int, int],
    known: dict[int, Value],
) -> None:
    """Add the terms of a sum to `terms`, factors by the numbers of new nodes; 0 is the constant."""
    match one.operation:
        case Add() | Subtract():
            signs = (1, -1 if isinstance(one.operation, Subtract) else 1)
            parts = [(own, sign * factor) for own, sign in zip(one.operands, signs, strict=True)]
        case _:
            parts = [(one.operands[0], factor * (_factor(one) or 0))]
    for own, weight in parts:
        if own.number in inner:
            _collect(own, weight, inner, made, terms, known)
        elif own.constant is not None:
            terms[-1] += weight * own.constant
        else:
            new = made[own.number]
            known[new.number] = new
            terms[new.number] += weight


def _tree(
    graph: Graph, one: Value, terms: Mapping[int, int], known: Mapping[int, Value], time: _Time
) -> Value:
    """The tree of a sum, within the interval that is known of it."""
    groups: defaultdict[int, list[_Term]] = defaultdict(list)
    for number, factor in terms.items():
        if number >= 0 and factor:
            groups[abs(factor)].append((known[number], factor < 0))
    parts: list[_Term] = []
    for size, members in groups.items():
        total, is_less = _added(graph, members, time)
        parts += [(own, sign != is_less) for own, sign in _scaled(graph, total, size)]
    rest = terms.get(-1, 0)
    if rest:
        parts.append((arithmetic.constant(graph, abs(rest)), rest < 0))
    if not parts:
        return arithmetic.constant(graph, 0)
    total, is_less = _added(graph, parts, time)
    whole = arithmetic.negate(graph, total) if is_less else total
    return arithmetic.within(graph, whole, one.interval)


def _scaled(graph: Graph, one: Value, factor: int) -> list[_Term]:
    """A value times a positive factor as terms, each with whether it is taken off."""
    places = (factor & -factor).bit_length() - 1
    digits = _signed_digits(factor)
    if len(digits) <= DIGITS:
        return [(arithmetic.shift_left(graph, one, at), is_less) for at, is_less in digits]
    odd = arithmetic.constant(graph, factor >> places)
    return [(arithmetic.shift_left(graph, arithmetic.multiply(graph, one, odd), places), False)]


def _signed_digits(factor: int) -> list[tuple[int, bool]]:
    """The places of a number's signed digits, no two of which are neighbours.

    >>> _signed_digits(7)
    [(0, True), (3, False)]
    """
    found, at = [], 0
    while factor:
        if factor & 1:
            digit = 2 - (factor & 3)
            found.append((at, digit < 0))
            factor -= digit
        factor >>= 1
        at += 1
    return found


def _added(graph: Graph, parts: Sequence[_Term], time: _Time) -> _Term:
    """The sum of terms, the earliest first, and whether it has to be taken off."""
    heap = [(time(own), k, own, is_less) for k, (own, is_less) in enumerate(parts)]
    heapq.heapify(heap)
    count = len(heap)
    while len(heap) > 1:
        _, _, a, a_less = heapq.heappop(heap)
        _, _, b, b_less = heapq.heappop(heap)
        if a_less == b_less:
            total, is_less = arithmetic.add(graph, a, b), a_less
        else:
            first, second = (b, a) if a_less else (a, b)
            total, is_less = arithmetic.subtract(graph, first, second), False
        count += 1
        heapq.heappush(heap, (time(total), count, total, is_less))
    return heap[0][2], heap[0][3]
