"""Foldings as plan.json writes them: numbers beside their formulas, and the address of an element.

The checker's own reading and its own arithmetic: the numbers as written are what is judged at
the plan's parameters, the formulas what is judged for all parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from hlsmem.core.errors import InputError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import fix_parameters, without_name
from hlsmem.polyhedra.sweep import contains

_MOST_CELLS = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One component of a piece: (coefficients . x + offset) mod modulus, twice."""

    coefficients: tuple[int, ...]
    modulus: int
    offset: int
    symbolic_coefficients: tuple[QuasiPolynomial, ...]
    symbolic_modulus: QuasiPolynomial
    symbolic_offset: QuasiPolynomial


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldPiece:
    """One modular map of `rank` indices. `domain` is isl text or None; `start` its first cell."""

    rank: int
    rows: tuple[Row, ...]
    domain: str | None
    start: int

    @property
    def cells(self) -> int:
        return prod(row.modulus for row in self.rows)

    def strides(self) -> tuple[int, ...]:
        """Cells between neighbours in each component: the last component is fastest."""
        moduli = [row.modulus for row in self.rows]
        return tuple(prod(moduli[position + 1 :]) for position in range(len(moduli)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """Layout of one array in its memory: pieces one after the other from address `base`.

    `kernel` are the generators that the certificate states of the map's kernel, if any.
    """

    array: str
    rank: int
    pieces: tuple[FoldPiece, ...]
    base: int
    kernel: tuple[tuple[QuasiPolynomial, ...], ...] = ()

    @property
    def cells(self) -> int:
        return sum(piece.cells for piece in self.pieces)


def by_formulas(folding: Folding, values: Mapping[str, int]) -> Folding:
    """The folding that the formulas give at `values`; raises ValueError where they give none."""
    pieces: list[FoldPiece] = []
    for piece in folding.pieces:
        start = sum(before.cells for before in pieces)
        rows = tuple(_evaluated(row, values) for row in piece.rows)
        pieces.append(replace(piece, rows=rows, start=start))
    return _addressable(replace(folding, pieces=tuple(pieces)))


def _evaluated(row: Row, values: Mapping[str, int]) -> Row:
    try:
        modulus = row.symbolic_modulus.evaluate(values)
        coefficients = tuple(entry.evaluate(values) for entry in row.symbolic_coefficients)
        offset = row.symbolic_offset.evaluate(values)
    except KeyError as error:
        raise ValueError(f"{error} has no value") from None
    if modulus < 1:
        raise ValueError(f"the modulus {row.symbolic_modulus} is {modulus}")
    return replace(row, coefficients=coefficients, modulus=modulus, offset=offset)


def read_folding(name: str, document: Mapping[str, Any]) -> Folding:
    """The folding of an array of plan.json, or of a part; ValueError says what is malformed."""
    rank = len(document["index"])
    pieces: list[FoldPiece] = []
    for piece in document["mapping"]["pieces"]:
        start = sum(before.cells for before in pieces)
        pieces.append(
            FoldPiece(rank=rank, rows=_read_rows(piece, rank), domain=piece["domain"], start=start)
        )
    if not pieces:
        raise ValueError("the mapping has no pieces")
    return _addressable(
        Folding(
            array=name,
            rank=rank,
            pieces=tuple(pieces),
            base=_integer(document.get("base", 0)),
            kernel=_read_kernel(document["mapping"]["certificate"]),
        )
    )


def _addressable(folding: Folding) -> Folding:
    if max(folding.cells, abs(folding.base)) > _MOST_CELLS:
        raise ValueError(f"more than {_MOST_CELLS} cells, or a base beyond, cannot be checked")
    return folding


def _read_kernel(certificate: Mapping[str, Any]) -> tuple[tuple[QuasiPolynomial, ...], ...]:
    rows = certificate.get("kernel", [])
    return tuple(tuple(parse_quasi_polynomial(entry) for entry in row) for row in rows)


def _read_rows(piece: Mapping[str, Any], rank: int) -> tuple[Row, ...]:
    columns = [
        piece[key]
        for key in ("matrix", "matrix_value", "modulus", "modulus_value", "offset", "offset_value")
    ]
    if len({len(column) for column in columns}) != 1:
        raise ValueError("matrix, modulus, offset and their values differ in length")
    return tuple(_read_row(entries, rank) for entries in zip(*columns, strict=True))


def _read_row(entries: tuple[Any, ...], rank: int) -> Row:
    formulas, coefficients, modulus_formula, modulus, offset_formula, offset = entries
    if len(formulas) != rank or len(coefficients) != rank:
        raise ValueError(f"a matrix row has {len(coefficients)} entries for {rank} indices")
    if _integer(modulus) < 1:
        raise ValueError(f"a modulus is {modulus}")
    return Row(
        coefficients=tuple(_integer(entry) for entry in coefficients),
        modulus=_integer(modulus),
        offset=_integer(offset),
        symbolic_coefficients=tuple(parse_quasi_polynomial(entry) for entry in formulas),
        symbolic_modulus=parse_quasi_polynomial(modulus_formula),
        symbolic_offset=parse_quasi_polynomial(offset_formula),
    )


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is no integer")
    return value


def symbolic_domain(piece: FoldPiece, parameters: Sequence[str]) -> Any:
    """The domain of a piece that has one, an anonymous set; ValueError where it does not fit."""
    if piece.domain is None:
        raise ValueError("this piece has no domain: it holds everywhere")
    try:
        parsed = parse_set(piece.domain, parameters=parameters, what="domain of a piece")
    except InputError as error:
        raise ValueError(str(error)) from None
    if parsed.dim(DimType.set) != piece.rank:
        raise ValueError(f"the domain {piece.domain} has no {piece.rank} dimensions")
    return without_name(parsed)


def piece_domain(piece: FoldPiece, values: Mapping[str, int]) -> Any:
    """The domain of a piece that has one, with `values` put in: an anonymous set."""
    return fix_parameters(symbolic_domain(piece, tuple(values)), values)


def addresses(folding: Folding, elements: np.ndarray, values: Mapping[str, int]) -> np.ndarray:
    """The address of each element (int64, shape (elements, rank)); -1 where no piece holds it."""
    result = np.full(len(elements), -1, dtype=np.int64)
    for piece in folding.pieces:
        address = np.full(len(elements), folding.base + piece.start, dtype=np.int64)
        for stride, row in zip(piece.strides(), piece.rows, strict=True):
            # Reduced beforehand, so that nothing overflows.
            factors = [factor % row.modulus for factor in row.coefficients]
            form = elements @ np.array(factors, dtype=np.int64) + row.offset % row.modulus
            address += stride * np.mod(form, row.modulus)
        inside = _inside(piece, elements, values)
        result[inside] = address[inside]
    return result


def _inside(piece: FoldPiece, elements: np.ndarray, values: Mapping[str, int]) -> np.ndarray:
    if piece.domain is None:
        return np.ones(len(elements), dtype=bool)
    return contains(piece_domain(piece, values), elements)
