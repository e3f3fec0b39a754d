"""Quasi-affine forms over the coordinates of a ghost, in numbers and as Verilog text.

A quotient stands in a register of the ghost, so that nothing wide is ever divided: the proof knows
of it that form - divisor * quotient lies in [0, divisor).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """constant + factors . coordinates + sum of factor * quotient (factor, number)."""

    constant: int
    factors: tuple[int, ...]
    quotients: tuple[tuple[int, int], ...] = ()

    def plus(self, other: Form, by: int = 1) -> Form:
        sums = dict[int, int]()
        for factor, number in (*self.quotients, *((by * f, n) for f, n in other.quotients)):
            sums[number] = sums.get(number, 0) + factor
        return Form(
            self.constant + by * other.constant,
            tuple(a + by * b for a, b in zip(self.factors, other.factors, strict=True)),
            tuple((factor, number) for number, factor in sorted(sums.items()) if factor),
        )


class Forms:
    """The forms over a table of points (int64, shape (points, coordinates)), and their quotients.

    Quotients are numbered as they are asked for; one is used for all forms that differ by
    multiples of its divisor.
    """

    def __init__(self, points: np.ndarray) -> None:
        self.points = points
        self.rank = points.shape[1]
        self.quotients: list[tuple[Form, int]] = []
        self.columns: list[np.ndarray] = []

    def number(self, value: int) -> Form:
        return Form(value, (0,) * self.rank)

    def coordinate(self, position: int) -> Form:
        return Form(0, tuple(int(k == position) for k in range(self.rank)))

    def affine(self, constant: int, factors: Sequence[int]) -> Form:
        return Form(constant, (*factors, *(0,) * (self.rank - len(factors))))

    def floor(self, form: Form, divisor: int) -> Form:
        """floor(form / divisor), multiples of the divisor taken out: small factors remain."""
        half = divisor // 2
        whole = Form(
            form.constant // divisor,
            tuple((factor + half) // divisor for factor in form.factors),
            tuple(((f + half) // divisor, n) for f, n in form.quotients if (f + half) // divisor),
        )
        inside = form.plus(whole, -divisor)
        if not any(inside.factors) and not inside.quotients:
            return whole
        if (inside, divisor) not in self.quotients:
            self.columns.append(self.values(inside) // divisor)
            self.quotients.append((inside, divisor))
        number = self.quotients.index((inside, divisor))
        return whole.plus(Form(0, (0,) * self.rank, ((1, number),)))

    def modulo(self, form: Form, divisor: int) -> Form:
        return form.plus(self.floor(form, divisor), -divisor)

    def values(self, form: Form) -> np.ndarray:
        """The form at every point (int64)."""
        result = np.full(len(self.points), form.constant, dtype=np.int64)
        for factor, column in zip(form.factors, self.points.T, strict=True):
            if factor:
                result += factor * column
        for factor, number in form.quotients:
            result += factor * self.columns[number]
        return result

    def fitted(self, values: np.ndarray, chosen: np.ndarray | None = None) -> Form | None:
        """The affine form with these values at all (or the chosen) points; None: there is none."""
        points = self.points if chosen is None else self.points[chosen]
        some = np.unique(np.linspace(0, len(points) - 1, 500, dtype=np.int64))
        rows = points[some].astype(float)
        kept, basis = list[int](), np.ones((len(some), 1))
        for column in range(self.rank):  # what others determine would have no one factor
            more = np.column_stack([basis, rows[:, column]])
            if np.linalg.matrix_rank(more) == more.shape[1]:
                kept.append(column)
                basis = more
        solution = np.linalg.lstsq(basis, values[some].astype(float), rcond=None)[0]
        factors = [0] * self.rank
        for column, factor in zip(kept, solution[1:], strict=True):
            factors[column] = round(float(factor))
        form = self.affine(round(float(solution[0])), factors)
        fits = form.constant + points @ np.array(form.factors, dtype=np.int64) == values
        return form if fits.all() else None

    def read(self, document: Mapping[str, Any], loops: Sequence[int]) -> Form:
        """A form of invariants.json; loop k is the coordinate loops[k]."""
        form = self.number(document["constant"])
        for loop, factor in enumerate(document["factors"]):
            form = form.plus(self.coordinate(loops[loop]), factor)
        for one in document["quotients"]:
            quotient = self.floor(self.read(one["of"], loops), one["by"])
            form = form.plus(quotient, one["factor"])
        return form

    def greatest(self) -> int:
        """A bound of the absolute values of coordinates, quotients and what makes them."""
        sizes = [int(np.abs(column).max(initial=0)) + 1 for column in self.points.T]
        whole = [int(np.abs(column).max(initial=0)) + 1 for column in self.columns]
        most = max(sizes, default=1)
        for form, divisor in self.quotients:
            parts = [abs(f) * s for f, s in zip(form.factors, sizes, strict=True)]
            parts += [abs(f) * whole[n] for f, n in form.quotients]
            most = max(most, 2 * (abs(form.constant) + sum(parts) + 2 * divisor))
        return most

    def size(self, form: Form) -> int:
        """A bound of the absolute values on the way to a form."""
        sizes = [int(np.abs(column).max(initial=0)) + 1 for column in self.points.T]
        parts = [abs(f) * s for f, s in zip(form.factors, sizes, strict=True)]
        whole = [int(np.abs(column).max(initial=0)) + 1 for column in self.columns]
        return abs(form.constant) + sum(parts) + sum(abs(f) * whole[n] for f, n in form.quotients)


def form_text(form: Form, name: str, bits: int, suffix: str = "") -> str:
    """The form as a signed Verilog expression of `bits`, over the registers of ghost `name`.

    They are name_0, name_1, .. for the coordinates, name_q0, .. for the quotients, each with the
    suffix.
    """
    terms = [(f, f"{name}_{k}{suffix}") for k, f in enumerate(form.factors) if f]
    terms += [(f, f"{name}_q{number}{suffix}") for f, number in form.quotients]
    text = number_text(form.constant, bits) if form.constant or not terms else ""
    for factor, register in terms:
        size = register if abs(factor) == 1 else f"{number_text(abs(factor), bits)} * {register}"
        sign = "-" if factor < 0 else "+" if text else ""
        text += f" {sign} {size}" if text else f"{sign}{size}"
    return f"({text})"


def number_text(value: int, bits: int) -> str:
    return f"-{bits}'sd{-value}" if value < 0 else f"{bits}'sd{value}"


def bits_of(column: np.ndarray) -> int:
    """Bits, sign included, that hold all numbers of a column."""
    least, most = int(column.min(initial=0)), int(column.max(initial=0))
    return 1 + max(most.bit_length(), (-1 - least).bit_length() if least < 0 else 0)
