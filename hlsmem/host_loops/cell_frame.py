"""The frame of an array: which cell of the workspace an element has, in the generated C.

A frame follows a piece of the plan's mapping, row by row: M x + offset modulo a modulus, the rows
flattened row-major. It may be renumbered: for a unit u of the modulus, u (M x + offset) gives the
same elements a common cell, in another order of the cells. A row whose values fit within one
period over all elements needs no modulo.
"""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale, prints
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.quantities import affine_of, form_values, quantity_of

_MOST_PERIODS = 16
"""Number of periods tried as an offset before their number is left to the parameters."""

_ZERO = QuasiPolynomial.constant(0)
_ONE = QuasiPolynomial.constant(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One component of a cell: coefficients . x + offset, modulo `modulus` if it `wraps`.

    A row that wraps adds `lift`, a multiple of the modulus that makes the form non-negative for
    all elements; None where none is known. One that does not wrap lies in 0 .. modulus - 1. `unit`
    is what the row of the plan was multiplied by.
    """

    coefficients: tuple[QuasiPolynomial, ...]
    modulus: QuasiPolynomial
    offset: QuasiPolynomial
    wraps: bool = True
    lift: QuasiPolynomial | None = None
    unit: QuasiPolynomial = _ONE

    def form(self, subscripts: Sequence[QuasiPolynomial]) -> QuasiPolynomial:
        """coefficients . x + offset, where the subscripts may mention loop variables."""
        terms = zip(self.coefficients, subscripts, strict=True)
        return sum((factor * value for factor, value in terms), self.offset)

    def value(self, subscripts: Sequence[int], values: Values[str, int]) -> int:
        """The same as a number, at subscripts and values of the parameters."""
        terms = zip(self.coefficients, subscripts, strict=True)
        inner = sum(factor.evaluate(values) * value for factor, value in terms if value)
        return inner + self.offset.evaluate(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFrame:
    """The cells of an array: `rows` outermost first, without rows of modulus 1."""

    array: str
    rows: tuple[Row, ...]

    @property
    def wraps(self) -> bool:
        """True if any row computes a remainder."""
        return any(row.wraps for row in self.rows)

    def with_remainders(self) -> CellFrame:
        """The same cells with a remainder in every row, also where none is needed."""
        rows = (row if row.wraps else replace(row, wraps=True, lift=_ZERO) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def pitches(self) -> tuple[QuasiPolynomial, ...]:
        """Pitches: distance in cells of neighbours in each row."""
        moduli = [row.modulus for row in self.rows]
        return tuple(QuasiPolynomial.product(moduli[k + 1 :]) for k in range(len(moduli)))


def frame_of(
    array: str,
    piece: Piece,
    elements: Any,
    scale: Scale,
    unit: QuasiPolynomial | None = None,
) -> CellFrame:
    """The frame of a piece, its row renumbered by a `unit` where it has only one (default 1).

    `elements` is the anonymous set of all elements that a cell is asked for, restricted by
    `scale`.
    """
    given = zip(piece.matrix, piece.modulus, piece.offset, strict=True)
    rows = (
        _row(
            tuple(scale.of(entry) for entry in coefficients),
            scale.of(modulus),
            scale.of(offset),
            unit or _ONE,
            scale,
        )
        for coefficients, modulus, offset in given
    )
    kept = (row for row in rows if row.modulus.constant_value() != 1)
    return CellFrame(array=array, rows=tuple(_reduced(row, elements, scale) for row in kept))


def renumbered(mapping: StorageMapping, frame: CellFrame, scale: Scale) -> StorageMapping:
    """The mapping with the numbers that its frame gives the cells; rows of modulus 1 are left out.

    Where sizes are numbers in C, so they are here, and the certificate is one of these numbers.
    """
    (piece,) = mapping.pieces
    if not frame.rows:
        return mapping
    numbered = replace(
        piece,
        matrix=tuple(row.coefficients for row in frame.rows),
        modulus=tuple(row.modulus for row in frame.rows),
        offset=tuple(row.offset for row in frame.rows),
    )
    certificate = mapping.certificate
    if not scale.symbolic and certificate.scope == "all-parameters":
        certificate = certificate.stated_at(scale.values)
    return replace(mapping, pieces=(numbered,), certificate=certificate)


def _row(
    coefficients: tuple[QuasiPolynomial, ...],
    modulus: QuasiPolynomial,
    offset: QuasiPolynomial,
    unit: QuasiPolynomial,
    scale: Scale,
) -> Row:
    """The row multiplied by `unit`, its entries as small as multiples of the modulus make them;
    those of a row that is turned round stay as they are, so that it wraps no more than before."""
    if unit in (_ONE, -_ONE):
        turned = tuple(unit * entry for entry in coefficients)
        return Row(coefficients=turned, modulus=modulus, offset=unit * offset, unit=unit)
    return Row(
        coefficients=tuple(least_residue(unit * c, modulus, scale) for c in coefficients),
        modulus=modulus,
        offset=least_residue(unit * offset, modulus, scale),
        unit=unit,
    )


def least_residue(
    value: QuasiPolynomial, modulus: QuasiPolynomial, scale: Scale
) -> QuasiPolynomial:
    """value - k modulus for the integer k that makes it least, not negative, at the plan's sizes.

    Where that is modulus - 1, it is -1.
    """
    here = modulus.evaluate(scale.values)
    periods, rest = divmod(value.evaluate(scale.values), here)
    return value - modulus * (periods + (rest == here - 1))


def _reduced(row: Row, elements: Any, scale: Scale) -> Row:
    straight = _without_wrap(row, elements, scale)
    if straight is not None:
        return replace(row, offset=straight, wraps=False)
    periods = _periods(row, elements, scale)
    return replace(row, lift=None if periods is None else row.modulus * periods)


def _constants(row: Row) -> list[int] | None:
    values = [entry.constant_value() for entry in row.coefficients]
    return None if None in values else [value for value in values if value is not None]


def _without_wrap(row: Row, elements: Any, scale: Scale) -> QuasiPolynomial | None:
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


def _periods(row: Row, elements: Any, scale: Scale) -> QuasiPolynomial | None:
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


def _constant_periods(row: Row, least: Any, where: Any) -> QuasiPolynomial | None:
    try:
        modulus = PwAff.from_aff(affine_of(row.modulus, where.get_space()))
    except ValueError:
        return None
    for periods in range(1, _MOST_PERIODS + 1):
        least = least.add(modulus)
        if where.is_subset(least.nonneg_set()):
            return QuasiPolynomial.constant(periods)
    return None


def _varying_periods(least: Any, where: Any, scale: Scale) -> QuasiPolynomial | None:
    """Every modulus is at least 1: as many of them as `least` is below zero are enough."""
    found = quantity_of(least, where)
    if found is None or not prints(found, scale) or not where.is_subset(least.neg().nonneg_set()):
        return None
    return -found


def _surely_non_negative(row: Row, elements: Any, scale: Scale) -> bool:
    """True if all factors, indices and the offset are >= 0."""
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
