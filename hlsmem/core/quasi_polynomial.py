"""Quasi-polynomials: exact integer expressions over the parameters, such as 2*N + 1 or floor(N/2).

They are what sizes, moduli and matrix entries are made of. Kept as polynomials, so that
equal sums print equal text: `+ - * ^`, integers, parameters, `floor(e/d)`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import groupby
from math import prod

from hlsmem.core.lazy_dataclass import dataclass

Monomial = tuple[tuple["Atom", int], ...]


@dataclass(frozen=True, slots=True)
class Floor:
    """floor(numerator / divisor), an atom of a quasi-polynomial; the divisor is a positive
    integer."""

    numerator: QuasiPolynomial
    divisor: int

    def __str__(self) -> str:
        inner = str(self.numerator)
        if len(self.numerator.terms) > 1:
            inner = f"({inner})"
        return f"floor({inner}/{self.divisor})"


Atom = str | Floor


@dataclass(frozen=True, slots=True)
class QuasiPolynomial:
    """A polynomial: terms map monomials (atom, power) to non-zero integer coefficients.

    >>> n = QuasiPolynomial.parameter("N")
    >>> str(2 * n + 1), (n * n).evaluate({"N": 8})
    ('2*N + 1', 64)
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def constant(value: int) -> QuasiPolynomial:
        return QuasiPolynomial((((), value),) if value else ())

    @staticmethod
    def parameter(name: str) -> QuasiPolynomial:
        return QuasiPolynomial(((((name, 1),), 1),))

    @staticmethod
    def product(factors: list[QuasiPolynomial] | tuple[QuasiPolynomial, ...]) -> QuasiPolynomial:
        return prod(factors, start=QuasiPolynomial.constant(1))

    def floor_divide(self, divisor: int) -> QuasiPolynomial:
        """floor(self / divisor), simplified where every coefficient divides."""
        if divisor <= 0:
            raise ValueError(f"floor divides by a positive integer, not by {divisor}")
        if all(factor % divisor == 0 for _, factor in self.terms):
            return QuasiPolynomial(tuple((m, factor // divisor) for m, factor in self.terms))
        value = self.constant_value()
        if value is not None:
            return QuasiPolynomial.constant(value // divisor)
        return QuasiPolynomial(((((Floor(self, divisor), 1),), 1),))

    def constant_value(self) -> int | None:
        """The integer this is, or None if it depends on a parameter."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    def is_affine(self) -> bool:
        """True if it has no product of parameters, also not in a floor.

        >>> n = QuasiPolynomial.parameter("N")
        >>> (2 * n - 1).is_affine(), (n * n).is_affine(), n.floor_divide(2).is_affine()
        (True, False, True)
        """
        return all(
            sum(power for _, power in monomial) <= 1
            and all(isinstance(atom, str) or atom.numerator.is_affine() for atom, _ in monomial)
            for monomial, _ in self.terms
        )

    def is_rounded(self) -> bool:
        """True if it has a floor."""
        return any(not isinstance(a, str) for monomial, _ in self.terms for a, _ in monomial)

    def parameters(self) -> frozenset[str]:
        found: set[str] = set()
        for monomial, _ in self.terms:
            for atom, _ in monomial:
                found |= {atom} if isinstance(atom, str) else atom.numerator.parameters()
        return frozenset(found)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The integer at `values`; KeyError names a parameter without a value."""
        return sum(
            factor * prod(_evaluate_atom(atom, values) ** power for atom, power in monomial)
            for monomial, factor in self.terms
        )

    def __add__(self, other: QuasiPolynomial | int) -> QuasiPolynomial:
        added = _as_quasi_polynomial(other)
        if not (self.terms and added.terms):  # often
            return self if self.terms else added
        return _collect(self.terms + added.terms)

    def __mul__(self, other: QuasiPolynomial | int) -> QuasiPolynomial:
        times = _as_quasi_polynomial(other)
        for one, factor in ((self, times), (times, self)):
            if (number := factor.constant_value()) is not None:  # mostly: their order stays
                kept = one.terms if number else ()
                return QuasiPolynomial(tuple((monomial, number * a) for monomial, a in kept))
        return _collect(
            tuple(
                (_multiply(left, right), a * b)
                for left, a in self.terms
                for right, b in times.terms
            )
        )

    def __neg__(self) -> QuasiPolynomial:
        return QuasiPolynomial(tuple((monomial, -factor) for monomial, factor in self.terms))

    def __sub__(self, other: QuasiPolynomial | int) -> QuasiPolynomial:
        return self + -_as_quasi_polynomial(other)

    def __rsub__(self, other: int) -> QuasiPolynomial:
        return _as_quasi_polynomial(other) - self

    __radd__ = __add__
    __rmul__ = __mul__

    def written(self) -> tuple[tuple[Monomial, int], ...]:
        """The terms as people write them: N - K rather than -K + N."""
        first = next((term for term in self.terms if term[1] > 0), None)
        if first is None:
            return self.terms
        return (first, *(term for term in self.terms if term is not first))

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for monomial, factor in self.written():
            sign = "-" if factor < 0 else "+"
            body = _monomial_text(monomial, abs(factor))
            text += f" {sign} {body}" if text else (f"-{body}" if factor < 0 else body)
        return text


def _as_quasi_polynomial(value: QuasiPolynomial | int) -> QuasiPolynomial:
    return QuasiPolynomial.constant(value) if isinstance(value, int) else value


def _evaluate_atom(atom: Atom, values: Mapping[str, int]) -> int:
    if isinstance(atom, str):
        return values[atom]
    return atom.numerator.evaluate(values) // atom.divisor


def _atom_key(atom: Atom) -> tuple[int, str]:
    return (0, atom) if isinstance(atom, str) else (1, str(atom))


def _monomial_key(monomial: Monomial) -> tuple[int, list[tuple[tuple[int, str], int]]]:
    degree = sum(power for _, power in monomial)
    return (-degree, [(_atom_key(atom), -power) for atom, power in monomial])


def _multiply(left: Monomial, right: Monomial) -> Monomial:
    atoms = sorted(left + right, key=lambda pair: _atom_key(pair[0]))
    return tuple(
        (atom, sum(power for _, power in group))
        for atom, group in groupby(atoms, key=lambda pair: pair[0])
    )


def _collect(terms: tuple[tuple[Monomial, int], ...]) -> QuasiPolynomial:
    factors: dict[Monomial, int] = {}
    for monomial, factor in terms:
        factors[monomial] = factors.get(monomial, 0) + factor
    kept = [(monomial, factor) for monomial, factor in factors.items() if factor]
    return QuasiPolynomial(tuple(sorted(kept, key=lambda term: _monomial_key(term[0]))))


def _monomial_text(monomial: Monomial, factor: int) -> str:
    parts = [str(factor)] if factor != 1 or not monomial else []
    parts += [f"{atom}^{power}" if power > 1 else str(atom) for atom, power in monomial]
    return "*".join(parts)


_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(\S))")


# Formulas come from files, too: beyond these no plan is, and reading could take for ever.
_MOST_CHARACTERS = 4096
_DEEPEST = 24
_LARGEST_EXPONENT = 8
_DIGITS = 18
_MOST_PAIRS = 10_000


def parse_quasi_polynomial(text: str) -> QuasiPolynomial:
    """Read `+ - * ^ ( )`, integers, names and `floor(e/d)`; `e/d` alone means floor(e/d).

    Raises ValueError that says what was expected and at which character, or which limit a text is
    beyond: 4096 characters, nesting 24 deep, exponents of 8, integers of 18 digits, and so many
    terms as products of 10,000 pairs.

    >>> str(parse_quasi_polynomial("(N+1)*2 - floor(N/2)"))
    '2*N - floor(N/2) + 2'
    """
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a formula of {len(text)} characters, more than {_MOST_CHARACTERS}")
    parser = _Parser(text)
    value = parser.sum()
    if parser.token:
        raise parser.error("an operator or the end")
    return value


def parse_affine(text: str, parameters: Collection[str]) -> QuasiPolynomial:
    """Read a quasi-polynomial that is affine in some parameters; ValueError says what is wrong.

    >>> str(parse_affine("2*N - 1", ["N"]))
    '2*N - 1'
    """
    found = parse_quasi_polynomial(text)
    unknown = sorted(found.parameters() - set(parameters))
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no parameter")
    if not found.is_affine():
        raise ValueError(f"{found} is not affine in the parameters")
    return found


class _Parser:
    """Recursive descent over one line; `token` is the current token, "" at the end."""

    def __init__(self, text: str) -> None:
        self.text, self.position, self.start, self.token = text, 0, 0, ""
        self.depth = 0
        self.advance()

    def advance(self) -> str:
        taken = self.token
        found = _TOKEN.match(self.text, self.position)
        self.start = found.end() - len(found[0].strip()) if found else len(self.text)
        self.token = found[0].strip() if found else ""
        self.position = found.end() if found else len(self.text)
        return taken

    def error(self, expected: str) -> ValueError:
        return ValueError(f"expected {expected} at character {self.start + 1} of {self.text!r}")

    def expect(self, token: str) -> None:
        if self.token != token:
            raise self.error(repr(token))
        self.advance()

    def sum(self) -> QuasiPolynomial:
        value = self.product()
        while self.token in ("+", "-"):
            value = value + self.product() if self.advance() == "+" else value - self.product()
        return value

    def product(self) -> QuasiPolynomial:
        value = self.factor()
        while self.token in ("*", "/"):
            if self.advance() == "*":
                value = self.times(value, self.factor())
            elif self.token.isdigit() and self.integer() > 0:
                value = value.floor_divide(int(self.advance()))
            else:
                raise self.error("a positive integer divisor")
        return value

    def factor(self) -> QuasiPolynomial:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"a formula at most {_DEEPEST} deep")
        if self.token == "-":
            self.advance()
            value = -self.factor()
        else:
            value = self.primary()
            if self.token == "^":
                self.advance()
                if not self.token.isdigit() or self.integer() > _LARGEST_EXPONENT:
                    raise self.error(f"an exponent up to {_LARGEST_EXPONENT}")
                value = self.power(value, int(self.advance()))
        self.depth -= 1
        return value

    def power(self, base: QuasiPolynomial, exponent: int) -> QuasiPolynomial:
        value = QuasiPolynomial.constant(1)
        for _ in range(exponent):
            value = self.times(value, base)
        return value

    def times(self, left: QuasiPolynomial, right: QuasiPolynomial) -> QuasiPolynomial:
        if len(left.terms) * len(right.terms) > _MOST_PAIRS:
            raise self.error(f"products of at most {_MOST_PAIRS} pairs of terms")
        return left * right

    def integer(self) -> int:
        """The value of the current token, digits."""
        if len(self.token) > _DIGITS:
            raise self.error(f"an integer of at most {_DIGITS} digits")
        return int(self.token)

    def primary(self) -> QuasiPolynomial:
        if self.token.isdigit():
            self.integer()
            return QuasiPolynomial.constant(int(self.advance()))
        if self.token == "(":
            self.advance()
            value = self.sum()
            self.expect(")")
            return value
        if re.fullmatch(r"[A-Za-z_]\w*", self.token):
            name = self.advance()
            if name == "floor" and self.token == "(":
                return self.primary()
            return QuasiPolynomial.parameter(name)
        raise self.error("an integer, a parameter or '('")
