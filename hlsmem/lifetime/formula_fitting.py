"""A formula for a number known at some parameter values: fitted on some, verified on others.

Polynomials of degree at most 3 with rational coefficients, rounded down: max-live of one
nest is a quasi-polynomial (Ehrhart), mostly with one piece and period 1 or 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, lcm, prod

from hlsmem.core.quasi_polynomial import QuasiPolynomial

_DEGREE = 3
_PERIODS = (1, 2)
_SPARE = 2

Point = tuple[int, ...]


def fitted(
    names: Sequence[str], samples: Mapping[Point, int], *, degree: int = _DEGREE
) -> QuasiPolynomial | None:
    """The simplest formula over `names` that gives `samples`, or None.

    A formula only counts if at least two samples are left over to verify it; `samples` maps
    parameter values, in the order of `names`, to the number at these values. `degree` is the
    highest that is tried.

    >>> str(fitted(["N"], {(n,): 3 * n // 2 for n in range(2, 9)}))
    'floor(3*N/2)'
    """
    for size in range(degree + 1):
        monomials = _monomials(len(names), size)
        for period in _PERIODS:
            found = _rounded_down(monomials, samples, period)
            if found is not None and _holds(found, samples):
                return _quantity(names, found)
    return None


# A polynomial: exponents of a monomial to its factor.
Polynomial = dict[Point, Fraction]


def _monomials(variables: int, degree: int) -> list[Point]:
    """Exponents of all monomials up to a total degree, the constant last."""
    chosen = (
        choice
        for size in range(degree, -1, -1)
        for choice in combinations_with_replacement(range(variables), size)
    )
    return [tuple(choice.count(v) for v in range(variables)) for choice in chosen]


def _rounded_down(
    monomials: Sequence[Point], samples: Mapping[Point, int], period: int
) -> Polynomial | None:
    """One polynomial whose floor may be the samples: the largest of those for each residue.

    Residues are those of the first variable. None where there are too few samples to fit and
    to verify, or where the residues differ in more than the constant.
    """
    if len(samples) < period * len(monomials) + _SPARE:
        return None
    largest: Polynomial | None = None
    constant = monomials[-1]
    for residue in range(period):
        here = {point: n for point, n in samples.items() if sum(point[:1]) % period == residue}
        found = _solved(monomials, here)
        if found is None:
            return None
        if largest is None:
            largest = found
        elif any(found[m] != largest[m] for m in monomials if m != constant):
            return None
        largest[constant] = max(largest[constant], found[constant])
    return largest


def _solved(monomials: Sequence[Point], samples: Mapping[Point, int]) -> Polynomial | None:
    """The polynomial through enough of the samples to be determined (Gauss), or None."""
    rows: list[list[int]] = []
    for point, number in samples.items():
        row = [*(_power(point, monomial) for monomial in monomials), number]
        for pivot, known in _pivots(rows):
            if row[pivot]:
                row = [a * known[pivot] - row[pivot] * b for a, b in zip(row, known, strict=True)]
        if not any(row[:-1]):
            continue
        divisor = gcd(*row)
        rows.append([entry // divisor for entry in row])
        if len(rows) == len(monomials):
            return _back_substituted(monomials, rows)
    return None


def _pivots(rows: Sequence[list[int]]) -> Iterator[tuple[int, list[int]]]:
    for row in rows:
        yield next(k for k, entry in enumerate(row) if entry), row


def _back_substituted(monomials: Sequence[Point], rows: list[list[int]]) -> Polynomial:
    solution: dict[int, Fraction] = {}
    for pivot, row in reversed(list(_pivots(rows))):
        others = sum((row[k] * value for k, value in solution.items()), Fraction(0))
        solution[pivot] = (row[-1] - others) / row[pivot]
    return {monomial: solution[k] for k, monomial in enumerate(monomials)}


def _power(point: Point, exponents: Point) -> int:
    return prod(value**power for value, power in zip(point, exponents, strict=True))


def _holds(polynomial: Polynomial, samples: Mapping[Point, int]) -> bool:
    divisor = lcm(*(factor.denominator for factor in polynomial.values()))
    terms = [(monomial, int(factor * divisor)) for monomial, factor in polynomial.items()]
    return all(
        sum(factor * _power(point, monomial) for monomial, factor in terms if factor) // divisor
        == number
        for point, number in samples.items()
    )


def _quantity(names: Sequence[str], polynomial: Polynomial) -> QuasiPolynomial:
    divisor = lcm(*(factor.denominator for factor in polynomial.values()))
    total = QuasiPolynomial.constant(0)
    for monomial, factor in polynomial.items():
        powers = [
            QuasiPolynomial.parameter(name)
            for name, power in zip(names, monomial, strict=True)
            for _ in range(power)
        ]
        total = total + QuasiPolynomial.product(powers) * int(factor * divisor)
    return total.floor_divide(divisor)
