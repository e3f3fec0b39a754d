"""Banks as plan.json writes them: the bank and the offset of an element, judged by themselves.

The checker's own reading and its own arithmetic. An element x is remainder + quotient . basis;
the remainder says the bank, the quotient reduced by the storage basis (or the box that x is
in) the offset. Cells are numbered bank after bank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass

Rows = tuple[tuple[int, ...], ...]
_MOST_CELLS = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Box coordinates: floor((x - lower) / sides), from 0 up to below `counts`."""

    lower: tuple[int, ...]
    sides: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Banked:
    """The banks of an array. Row k of `basis` has its pivot in dimension `order`[k]."""

    array: str
    basis: Rows
    order: tuple[int, ...]
    block: int
    storage: Rows
    boxes: Boxes | None

    @property
    def pivots(self) -> tuple[int, ...]:
        return tuple(row[k] for row, k in zip(self.basis, self.order, strict=True))

    @property
    def banks(self) -> int:
        return prod(self.pivots) // self.block

    @property
    def words(self) -> int:
        """Words of one bank."""
        if self.boxes is not None:
            return prod(self.boxes.counts) * self.block
        return prod(row[k] for k, row in enumerate(self.storage)) * self.block


def read_banked(name: str, document: Mapping[str, Any]) -> Banked | None:
    """The banks of a part of plan.json, None where it has none; ValueError for malformed ones."""
    rank = len(document["index"])
    if document["bank_basis"] is None:
        return None
    basis = _square(document["bank_basis"], rank, "bank_basis")
    boxes, storage = document["boxes"], document["storage_basis"]
    if (boxes is None) == (storage is None):
        raise ValueError("banks need either a storage_basis or boxes")
    found = Banked(
        array=name,
        basis=basis,
        order=_order(basis, "bank_basis"),
        block=_positive(document["bank_block"]),
        storage=() if storage is None else _square(storage, rank, "storage_basis"),
        boxes=None if boxes is None else _boxes(boxes, rank),
    )
    if storage is not None and _order(found.storage, "storage_basis") != tuple(range(rank)):
        raise ValueError("the storage_basis has its pivots beside its diagonal")
    if prod(found.pivots) % found.block:
        raise ValueError(f"{prod(found.pivots)} classes are no blocks of {found.block}")
    if found.banks * found.words > _MOST_CELLS:
        raise ValueError(f"more than {_MOST_CELLS} cells cannot be checked")
    return found


def _positive(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{value!r} is no positive integer")
    return value


def _square(rows: Any, rank: int, what: str) -> Rows:
    if len(rows) != rank or any(len(row) != rank for row in rows):
        raise ValueError(f"{what} is no matrix of {rank} rows and columns")
    return tuple(tuple(int(entry) for entry in row) for row in rows)


def _order(basis: Rows, what: str) -> tuple[int, ...]:
    """The dimension of each row's pivot: later rows have zeros there."""
    order: list[int] = []
    for row in reversed(basis):
        pivots = [k for k, entry in enumerate(row) if entry and k not in order]
        if len(pivots) != 1 or row[pivots[0]] < 1:
            raise ValueError(f"{what} has no positive pivot in each row")
        order.append(pivots[0])
    return tuple(reversed(order))


def _boxes(document: Mapping[str, Any], rank: int) -> Boxes:
    columns = [tuple(document[key]) for key in ("lower", "sides", "counts")]
    if any(len(column) != rank for column in columns):
        raise ValueError(f"boxes have no {rank} dimensions")
    lower, sides, counts = columns
    for size in (*sides, *counts):
        _positive(size)
    return Boxes(lower=tuple(int(low) for low in lower), sides=sides, counts=counts)


def banks_and_offsets(banked: Banked, elements: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(bank, offset) of each element (int64, shape (elements, rank))."""
    rest, quotients = _divided(elements, banked.basis, banked.order)
    number = np.zeros(len(elements), dtype=np.int64)
    for k, pivot in zip(banked.order, banked.pivots, strict=True):
        number = number * pivot + rest[:, k]
    offset = np.zeros(len(elements), dtype=np.int64)
    if banked.boxes is not None:
        boxes = banked.boxes
        inside = (elements - np.array(boxes.lower)) // np.array(boxes.sides)
        for k, count in enumerate(boxes.counts):
            offset = offset * count + inside[:, k]
    else:
        diagonal = tuple(range(len(banked.storage)))
        folded, _ = _divided(quotients, banked.storage, diagonal)
        for k in diagonal:
            offset = offset * banked.storage[k][k] + folded[:, k]
    return number // banked.block, offset * banked.block + number % banked.block


def cells(banked: Banked, elements: np.ndarray) -> np.ndarray:
    """The number of each element's cell, bank after bank."""
    bank, offset = banks_and_offsets(banked, elements)
    number: np.ndarray = bank * banked.words + offset
    return number


def _divided(
    elements: np.ndarray, basis: Rows, order: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    rest = np.array(elements, dtype=np.int64)
    quotients = np.zeros_like(rest)
    for k, (row, pivot) in enumerate(zip(basis, order, strict=True)):
        quotients[:, k] = rest[:, pivot] // row[pivot]
        rest -= quotients[:, k, None] * np.array(row, dtype=np.int64)
    return rest, quotients
