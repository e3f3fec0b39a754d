"""The plan's cells, banks and offsets of elements, as forms of a stream's loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.ghost_forms import Form, Forms
from hlsmem.check.plans.plan_banks import Banked
from hlsmem.check.plans.plan_mapping import Folding


def element_forms(forms: Forms, elements: np.ndarray, taken: np.ndarray) -> list[Form]:
    """The subscripts of an operand as forms."""
    found = []
    for values in elements[taken].T:
        form = forms.fitted(values, None if taken.all() else taken) if taken.any() else None
        if form is None and taken.any():
            raise NoGhost("an element it accesses is no affine form of its loops")
        found.append(form or forms.number(0))
    return found


def cell_form(forms: Forms, element: Sequence[Form], folding: Folding) -> Form:
    """The plan's address of an element, from the memory's base."""
    if len(folding.pieces) != 1 or folding.pieces[0].domain is not None:
        raise NoGhost("its array lies in several pieces")
    piece = folding.pieces[0]
    address = forms.number(folding.base + piece.start)
    for row, stride in zip(piece.rows, piece.strides(), strict=True):
        form = forms.number(row.offset)
        for factor, index in zip(row.coefficients, element, strict=True):
            form = form.plus(index, factor)
        address = address.plus(forms.modulo(form, row.modulus), stride)
    return address


def bank_and_offset(forms: Forms, element: Sequence[Form], banked: Banked) -> tuple[Form, Form]:
    """The plan's bank of an element, and its offset there."""
    rest, quotients = _divided(forms, element, banked.basis, banked.order)
    number, offset = forms.number(0), forms.number(0)
    for k, pivot in zip(banked.order, banked.pivots, strict=True):
        number = _appended(number, pivot, rest[k])
    if banked.boxes is not None:
        boxes = banked.boxes
        for k, count in enumerate(boxes.counts):
            inside = element[k].plus(forms.number(-boxes.lower[k]))
            offset = _appended(offset, count, forms.floor(inside, boxes.sides[k]))
    else:
        diagonal = tuple(range(len(banked.storage)))
        folded, _ = _divided(forms, quotients, banked.storage, diagonal)
        for k in diagonal:
            offset = _appended(offset, banked.storage[k][k], folded[k])
    if banked.block == 1:
        return number, offset
    bank = forms.floor(number, banked.block)
    return bank, _appended(offset, banked.block, number.plus(bank, -banked.block))


def _appended(form: Form, count: int, last: Form) -> Form:
    """form * count + last"""
    zero = form.plus(form, -1)
    return zero.plus(form, count).plus(last)


def _divided(
    forms: Forms, element: Sequence[Form], basis: Sequence[Sequence[int]], order: Sequence[int]
) -> tuple[list[Form], list[Form]]:
    """(remainders, quotients) by the rows of a basis, the pivot of each in `order`."""
    rest, quotients = list(element), []
    for row, pivot in zip(basis, order, strict=True):
        quotient = forms.floor(rest[pivot], row[pivot])
        quotients.append(quotient)
        rest = [form.plus(quotient, -entry) for form, entry in zip(rest, row, strict=True)]
    return rest, quotients
