"""Polynomials with rational coefficients, and their sums over a range of one variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import comb, lcm, prod

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial

Exponents = tuple[int, ...]
# An integer where it is one: these are far faster than fractions.
Factor = Fraction | int


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial in variables that are known by their position.

    `terms` map exponents, one for each variable, to factors other than 0, in order.
    """

    variables: int
    terms: tuple[tuple[Exponents, Factor], ...]

    @staticmethod
    def of(variables: int, terms: Iterable[tuple[Exponents, Factor]]) -> Polynomial:
        """The sum of terms, which may share exponents."""
        total: dict[Exponents, Factor] = {}
        for exponents, factor in terms:
            total[exponents] = total.get(exponents, 0) + factor
        kept = tuple((key, total[key]) for key in sorted(total, reverse=True) if total[key])
        return Polynomial(variables, kept)

    @staticmethod
    def constant(variables: int, value: Factor) -> Polynomial:
        return Polynomial(variables, (((0,) * variables, value),) if value else ())

    @staticmethod
    def affine(form: Sequence[Factor]) -> Polynomial:
        """The form whose factors are given, one for each variable, and its constant last."""
        size = len(form) - 1
        terms = (
            (tuple(int(k == position) for k in range(size)), factor)
            for position, factor in enumerate(form)
            if factor
        )
        return Polynomial(size, tuple(terms))

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial.of(self.variables, [*self.terms, *other.terms])

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other.scaled(-1)

    def __mul__(self, other: Polynomial) -> Polynomial:
        return Polynomial.of(
            self.variables,
            [
                (tuple(a + b for a, b in zip(left, right, strict=True)), p * q)
                for left, p in self.terms
                for right, q in other.terms
            ],
        )

    def scaled(self, factor: Factor) -> Polynomial:
        return Polynomial.of(self.variables, [(key, value * factor) for key, value in self.terms])

    def power(self, exponent: int) -> Polynomial:
        return prod([self] * exponent, start=Polynomial.constant(self.variables, 1))

    def by_power(self, position: int) -> dict[int, Polynomial]:
        """The factors of the powers of one variable, which they are free of."""
        found: dict[int, list[tuple[Exponents, Factor]]] = {}
        for key, factor in self.terms:
            rest = (*key[:position], 0, *key[position + 1 :])
            found.setdefault(key[position], []).append((rest, factor))
        return {power: Polynomial.of(self.variables, terms) for power, terms in found.items()}

    def replaced(self, position: int, value: Polynomial) -> Polynomial:
        """The polynomial with `value` in place of a variable."""
        if not any(key[position] for key, _ in self.terms):
            return self
        total = Polynomial.constant(self.variables, 0)
        for power, factor in self.by_power(position).items():
            total += factor * value.power(power)
        return total

    def constant_term(self) -> Factor:
        return dict(self.terms).get((0,) * self.variables, 0)

    def quantity(self, names: Sequence[str]) -> QuasiPolynomial:
        """The polynomial rounded down, with names for the first variables, the only ones used."""
        divisor = lcm(*(factor.denominator for _, factor in self.terms))
        total = QuasiPolynomial.constant(0)
        for key, factor in self.terms:
            powers = [
                QuasiPolynomial.parameter(name)
                for name, power in zip(names, key, strict=False)
                for _ in range(power)
            ]
            total += QuasiPolynomial.product(powers) * int(factor * divisor)
        return total.floor_divide(divisor)

    def evaluate(self, point: Sequence[int]) -> Factor:
        """The value at a point, one entry for each variable."""
        total: Factor = sum(
            factor * prod(point[k] ** power for k, power in enumerate(key) if power)
            for key, factor in self.terms
        )
        return total


def summed(terms: Polynomial, position: int, low: Polynomial, high: Polynomial) -> Polynomial:
    """The sum of `terms` over a variable from `low` to `high`, which is at least `low` - 1."""
    before = low - Polynomial.constant(low.variables, 1)
    total = Polynomial.constant(terms.variables, 0)
    for power, factor in terms.by_power(position).items():
        sums = _sum_of_powers(power)
        total += factor * (_composed(sums, high) - _composed(sums, before))
    return total


def _composed(coefficients: Sequence[Factor], inner: Polynomial) -> Polynomial:
    total = Polynomial.constant(inner.variables, 0)
    for coefficient in reversed(coefficients):
        total = total * inner + Polynomial.constant(inner.variables, coefficient)
    return total


@cache
def _sum_of_powers(power: int) -> tuple[Factor, ...]:
    """Coefficients, constant first, of 1^p + .. + n^p as a polynomial in n, for p = `power`.

    The sum over all k <= p of C(p + 1, k) S_k(n) is (n + 1)^(p + 1) - 1 (Pascal).
    """
    total = [Fraction(comb(power + 1, k)) for k in range(power + 2)]
    total[0] -= 1
    for lower in range(power):
        for k, coefficient in enumerate(_sum_of_powers(lower)):
            total[k] -= comb(power + 1, lower) * coefficient
    found = (coefficient / (power + 1) for coefficient in total)
    return tuple(one.numerator if one.denominator == 1 else one for one in found)
