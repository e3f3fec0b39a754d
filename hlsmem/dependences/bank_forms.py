"""Banks in the circuit: forms for the bank and the offset of an element, and who reads where.

The operands of a beat lie in different banks. Where one bank number tells all the others (with
the classes of a lattice it does: operands at constant distances stay so many classes apart),
it selects for each bank the operand whose address it takes, and for each operand the bank
whose word it gets: a rotation, or whatever the group of the classes makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.addressing.loop_forms import Affine, Condition, Test, Value, combine
from hlsmem.addressing.nest_points import Points
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan import BankPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """An offset is `least` more than another one, and `more` on top where `when` holds.

    `when` is an address generator condition, None where there is none.
    """

    least: int
    more: int = 0
    when: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Route from a banked copy to the operands that a stream fetches from it.

    For operand number k of those: address generator output `selectors`[k], and `lanes`[k][s] is its
    bank where that is s; None where it never is. `offsets`[k] is the address generator output with
    its offset. `is_shared`: all have one selector, and no bank has two operands at any value of it.
    Where there are `distances`, `offsets` are one and the same, and each operand is that far from
    it.
    """

    copy: int
    operands: tuple[int, ...]
    selectors: tuple[str, ...]
    offsets: tuple[str, ...]
    lanes: tuple[tuple[int | None, ...], ...]
    is_shared: bool
    distances: tuple[Distance, ...] | None = None


def bank_forms(place: BankPlace, element: Sequence[Value]) -> tuple[Value, Value]:
    """(bank, offset) of an element as forms of the loops; see BankPlace."""
    return (
        combine(list(element), lambda *forms: _forms(place, forms)[0]),
        combine(list(element), lambda *forms: _forms(place, forms)[1]),
    )


def cell_form(place: BankPlace, element: Sequence[Value]) -> Value:
    """The number of an element's cell: bank after bank."""
    bank, offset = bank_forms(place, element)
    return combine([bank, offset], lambda b, o: b.scaled(place.words) + o)


def _forms(place: BankPlace, element: Sequence[Value]) -> tuple[Affine, Affine]:
    point = [form for form in element if isinstance(form, Affine)]
    rest, quotients = _reduced(point, place.basis, place.order)
    pivots = [row[k] for row, k in zip(place.basis, place.order, strict=True)]
    number = _flattened([rest[k] for k in place.order], pivots)
    if place.boxes is not None:
        lower, sides, counts = place.boxes.lower, place.boxes.sides, place.boxes.counts
        boxes = [
            form.plus(-low).floor_divide(side)
            for form, low, side in zip(point, lower, sides, strict=True)
        ]
        offset = _flattened(boxes, counts)
    else:
        storage = place.storage or ()
        order = tuple(range(len(storage)))
        folded, _ = _reduced(quotients, storage, order)
        offset = _flattened(folded, [row[k] for k, row in enumerate(storage)])
    if place.block == 1:
        return number, offset
    inner = number.modulo(place.block)
    return number.floor_divide(place.block), offset.scaled(place.block) + inner


def _reduced(
    point: Sequence[Affine], basis: Sequence[Sequence[int]], order: Sequence[int]
) -> tuple[list[Affine], list[Affine]]:
    """(remainder, quotients) of a point by the rows of a basis with pivots in this order."""
    rest, quotients = list(point), []
    for row, pivot in zip(basis, order, strict=True):
        quotient = rest[pivot].floor_divide(row[pivot])
        quotients.append(quotient)
        rest = [form - quotient.scaled(entry) for form, entry in zip(rest, row, strict=True)]
    return rest, quotients


def _flattened(forms: Sequence[Affine], sizes: Sequence[int]) -> Affine:
    number = Affine()
    for form, size in zip(forms, sizes, strict=True):
        number = number.scaled(size) + form
    return number


def shared_selector(
    banks: Sequence[Value], there: Sequence[Points], count: int
) -> tuple[int, tuple[tuple[int | None, ...], ...]] | None:
    """(operand, lanes) such that the bank form of that operand tells the banks of all.

    `there` says per operand at which beats it is read. None where there is no such operand, or
    where two operands would meet in one bank.
    """
    for leader, selector in enumerate(banks):
        lanes = []
        for own, points in zip(banks, there, strict=True):
            lane = _lane(selector, own, points, count)
            if lane is None:
                break
            lanes.append(lane)
        else:
            if _apart(lanes, count):
                return leader, tuple(lanes)
    return None


def offset_distance(form: Value, base: Value) -> tuple[int, int, Condition | None] | None:
    """(least, more, when): form = base + least, and `more` on top where `when` holds.

    Two quotients of the same by one divisor, apart by a constant, differ by one of two numbers.
    None where the forms differ in another way.
    """
    if not isinstance(form, Affine) or not isinstance(base, Affine):
        return None
    difference = form - base
    if difference.factors:
        return None
    if not difference.quotients:
        return difference.constant, 0, None
    own = [(f, q) for f, q in difference.quotients if q in [q for _, q in form.quotients]]
    other = [(f, q) for f, q in difference.quotients if (f, q) not in own]
    if len(own) != 1 or len(other) != 1:
        return None
    (factor, quotient), (opposite, reference) = own[0], other[0]
    apart = quotient.inner - reference.inner
    if opposite != -factor or quotient.divisor != reference.divisor or apart.depth:
        return None
    low, short = divmod(apart.constant, quotient.divisor)
    carries = reference.inner.modulo(quotient.divisor).plus(short - quotient.divisor)
    return difference.constant + factor * low, factor, Test(carries)


def _lane(
    selector: Value, bank: Value, points: Points, count: int
) -> tuple[int | None, ...] | None:
    """The bank by value of the selector; None where it is not one."""
    lane: list[int | None] = [None] * count
    for form, inside in _leaves(selector, points):
        for own, part in _leaves(bank, inside):
            for value, found in part.pairs(form, own):
                if lane[value] not in (None, found):
                    return None
                lane[value] = found
    return tuple(lane)


def _leaves(value: Value, points: Points) -> Iterator[tuple[Affine, Points]]:
    """The forms of a value, each with those of the points at which it is the one."""
    if isinstance(value, Affine):
        if not points.is_empty:
            yield value, points
        return
    yield from _leaves(value.then, points.where(value.condition))
    yield from _leaves(value.otherwise, points.without(value.condition))


def _apart(lanes: Sequence[tuple[int | None, ...]], count: int) -> bool:
    for value in range(count):
        used = [lane[value] for lane in lanes if lane[value] is not None]
        if len(set(used)) < len(used):
            return False
    return True
