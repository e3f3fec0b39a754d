"""The cell of an element in C: (M x + offset) mod b, flattened row-major, without signed %.

A form that may be negative gets a multiple of its modulus added first; a form whose values fit
within one period loses the modulo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hlsmem.emit.c.scale import Scale, expression_of, prints
from hlsmem.emit.c.syntax import C
from hlsmem.emit.expression import Binding, print_atom
from hlsmem.expression import Expression, Name, Operation, Operator
from hlsmem.mapping.model import Piece
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.quantities import affine_of, form_values, quantity_of
from hlsmem.quantity import Quantity

_MOST_PERIODS = 16
"""How many periods are tried as an offset before their number is left to the parameters."""

_ZERO = Quantity.constant(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One component of a piece at the scale of the output."""

    coefficients: tuple[Quantity, ...]
    modulus: Quantity
    offset: Quantity


def cell_expression(piece: Piece, index: Sequence[str], elements: Any, scale: Scale) -> str:
    """C for the cell, a size_t, of the element with the int64_t coordinates `index`.

    `elements` is the anonymous set of all elements the cell is asked for, restricted by
    `scale`. Macros among the parameters may be int: products of them are widened.
    """
    rows = [
        Row(
            coefficients=tuple(scale.of(entry) for entry in coefficients),
            modulus=scale.of(modulus),
            offset=scale.of(offset),
        )
        for coefficients, modulus, offset in zip(
            piece.matrix, piece.modulus, piece.offset, strict=True
        )
    ]
    text, binding = "0", Binding.ATOM
    for row in (row for row in rows if row.modulus.constant_value() != 1):
        component, inner = _component(row, index, elements, scale)
        if text == "0":
            text, binding = component, inner
            continue
        outer = text if binding > Binding.PRODUCT else f"({text})"
        text = f"{outer} * {size_text(row.modulus)} + {component}"
        binding = Binding.SUM
    return text


def size_text(quantity: Quantity) -> str:
    """C for a size as a size_t that binds like a cast: a literal or a cast expression."""
    value = quantity.constant_value()
    if value is not None:
        return f"{value}u"
    return f"(size_t){print_atom(expression_of(quantity), C, _wide_names(quantity))}"


def _wide_names(quantity: Quantity) -> dict[str, str]:
    """Products of parameters are computed in 64 bits."""
    products = any(sum(power for _, power in monomial) > 1 for monomial, _ in quantity.terms)
    return {n: f"(int64_t){n}" for n in quantity.parameters()} if products else {}


def _component(row: Row, index: Sequence[str], elements: Any, scale: Scale) -> tuple[str, Binding]:
    form = _form(row, index)
    names = {n: f"(int64_t){n}" for entry in row.coefficients for n in _wide_names(entry)}
    straight = _without_wrap(row, elements, scale)
    if straight is not None:
        shifted = _form(replace(row, offset=straight), index)
        return f"(size_t){print_atom(shifted, C, names)}", Binding.UNARY
    periods = _periods(row, elements, scale)
    if periods is None:
        wrapped = Operation(Operator.MODULO, (form, expression_of(row.modulus)))
        names |= _wide_names(row.modulus)
        return f"(size_t){print_atom(wrapped, C, names)}", Binding.UNARY
    added = row.modulus * periods
    shifted = _sum(form, added)
    names |= _wide_names(added)
    return f"(size_t){print_atom(shifted, C, names)} % {size_text(row.modulus)}", Binding.PRODUCT


def _form(row: Row, index: Sequence[str]) -> Expression:
    """M x + offset as a tree, with the user's order of indices."""
    terms: list[Expression] = []
    for name, factor in zip(index, row.coefficients, strict=True):
        value = factor.constant_value()
        if value == 1:
            terms.append(Name(name))
        elif value != 0:
            terms.append(Operation(Operator.MULTIPLY, (expression_of(factor), Name(name))))
    if row.offset.terms or not terms:
        terms.append(expression_of(row.offset))
    return terms[0] if len(terms) == 1 else Operation(Operator.ADD, tuple(terms))


def _sum(form: Expression, added: Quantity) -> Expression:
    return Operation(Operator.ADD, (form, expression_of(added))) if added.terms else form


def _constants(row: Row) -> list[int] | None:
    values = [entry.constant_value() for entry in row.coefficients]
    return None if None in values else [value for value in values if value is not None]


def _without_wrap(row: Row, elements: Any, scale: Scale) -> Quantity | None:
    """An offset with which M x + offset lies within one period everywhere, or None.

    It is the plan's own where that will do, else the one that makes the least value 0.
    """
    factors = _constants(row)
    if factors is None or elements.is_empty():
        return None
    values = form_values(elements, factors)
    low, high = values.dim_min(0), values.dim_max(0)
    where = low.domain()
    try:
        modulus = PwAff.from_aff(affine_of(row.modulus, where.get_space()))
        offset = PwAff.from_aff(affine_of(row.offset, where.get_space()))
    except ValueError:
        return None
    if not where.is_subset(high.sub(low).lt_set(modulus)):
        return None
    inside = low.add(offset).nonneg_set().intersect(high.add(offset).lt_set(modulus))
    if where.is_subset(inside):
        return row.offset
    least = quantity_of(low, where)
    return None if least is None or not prints(least, scale) else -least


def _periods(row: Row, elements: Any, scale: Scale) -> Quantity | None:
    """A number of moduli that makes M x + offset non-negative everywhere, or None.

    A small constant where there is one, else as many as the least value is below zero.
    """
    factors = _constants(row)
    if factors is None:
        return _ZERO if _surely_non_negative(row, elements, scale) else None
    if elements.is_empty():
        return _ZERO
    low = form_values(elements, factors).dim_min(0)
    where = low.domain()
    try:
        least = low.add(PwAff.from_aff(affine_of(row.offset, where.get_space())))
    except ValueError:
        return _ZERO if _surely_non_negative(row, elements, scale) else None
    if where.is_subset(least.nonneg_set()):
        return _ZERO
    return _constant_periods(row, least, where) or _varying_periods(least, where, scale)


def _constant_periods(row: Row, least: Any, where: Any) -> Quantity | None:
    try:
        modulus = PwAff.from_aff(affine_of(row.modulus, where.get_space()))
    except ValueError:
        return None
    for periods in range(1, _MOST_PERIODS + 1):
        least = least.add(modulus)
        if where.is_subset(least.nonneg_set()):
            return Quantity.constant(periods)
    return None


def _varying_periods(least: Any, where: Any, scale: Scale) -> Quantity | None:
    """Every modulus is at least 1: as many of them as `least` is below zero are enough."""
    found = quantity_of(least, where)
    if found is None or not prints(found, scale) or not where.is_subset(least.neg().nonneg_set()):
        return None
    return -found


def _surely_non_negative(row: Row, elements: Any, scale: Scale) -> bool:
    """Whether all factors, indices and the offset are >= 0."""
    unit = [
        [int(i == k) for i in range(len(row.coefficients))] for k in range(len(row.coefficients))
    ]
    parts = (*row.coefficients, row.offset)
    return all(scale.is_non_negative(part) for part in parts) and all(
        form_values(elements, direction)
        .dim_min(0)
        .domain()
        .is_subset(form_values(elements, direction).dim_min(0).nonneg_set())
        for direction, factor in zip(unit, row.coefficients, strict=True)
        if factor.terms
    )
