"""Mappings with the same kernel and cells that are shorter to write and cheaper to compute."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import replace
from math import gcd

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Piece

Row = tuple[QuasiPolynomial, ...]
Component = tuple[Row, QuasiPolynomial, QuasiPolynomial]


def simplified(piece: Piece, values: Values[str, int]) -> Piece:
    """`piece` without components of modulus 1, entries reduced, the first entry of a row positive.

    The kernel stays the same, except that a common divisor of a row and its modulus is
    taken out, which saves cells. Signs are those at `values`. Components follow the first
    index they use; those with an offset keep their sign.
    """
    components = [
        _simplified(component, values)
        for component in zip(piece.matrix, piece.modulus, piece.offset, strict=True)
    ]
    kept = sorted(
        (component for component in components if component[1].constant_value() != 1),
        key=lambda component: _first_index(component[0]),
    )
    return replace(
        piece,
        matrix=tuple(row for row, _, _ in kept),
        modulus=tuple(modulus for _, modulus, _ in kept),
        offset=tuple(offset for _, _, offset in kept),
    )


def _simplified(component: Component, values: Values[str, int]) -> Component:
    row, modulus, offset = component
    if offset.terms:
        return component
    entries = [entry.constant_value() for entry in row]
    known = [entry for entry in entries if entry is not None]
    size = modulus.constant_value()
    if size is not None and len(known) == len(entries):
        numbers, size = _reduced(known, size)
        row = tuple(QuasiPolynomial.constant(entry) for entry in numbers)
        modulus = QuasiPolynomial.constant(size)
    leading = next((entry for entry in row if entry.terms), None)
    if leading is not None and leading.evaluate(values) < 0:
        row = tuple(-entry for entry in row)
    return row, modulus, offset


def _reduced(entries: list[int], modulus: int) -> tuple[list[int], int]:
    """The entries of least absolute value for the same remainders, up to units and divisors."""
    modulus //= gcd(modulus, *entries)
    entries = [_nearest(entry, modulus) for entry in _primitive(entries)]
    return _primitive(entries), modulus


def _primitive(entries: list[int]) -> list[int]:
    common = gcd(*entries)
    return [entry // common for entry in entries] if common > 1 else entries


def _nearest(entry: int, modulus: int) -> int:
    """The number congruent to `entry` with the least absolute value, positive on ties."""
    rest = entry % modulus
    return rest - modulus if 2 * rest > modulus else rest


def _first_index(row: Row) -> int:
    return next((k for k, entry in enumerate(row) if entry.terms), len(row))
