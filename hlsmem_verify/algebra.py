"""Polynomials in the parameters, with floors, and the formulas of plan.json."""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod
from typing import Any

from hlsmem_verify.outcomes import (
    DEEPEST,
    DIGITS,
    LARGEST_EXPONENT,
    MOST_FORMULA,
    MOST_TERMS,
    False_,
    Refused,
)
from hlsmem_verify.shape import NAME

# In front of each parameter, so that no name of the plan is one of those that texts below give to
# dimensions: isl takes a dimension with a parameter's name for that parameter.
OWN = "P_"


Values = dict[str, int]


def own_values(values: Values) -> Values:
    """Values by the names that parameters have here."""
    return {OWN + name: value for name, value in values.items()}


class Poly:
    """A polynomial with rational factors; atoms are names, and floors as (Poly, divisor)."""

    def __init__(self, terms: dict[tuple[Any, ...], Fraction] | None = None):
        self.terms = {key: one for key, one in (terms or {}).items() if one}
        if len(self.terms) > MOST_TERMS:
            raise Refused(f"a formula of more than {MOST_TERMS} terms")

    @staticmethod
    def of(value: int | Fraction | str) -> Poly:
        return Poly({((value,) if isinstance(value, str) else ()): Fraction(1)}) * (
            1 if isinstance(value, str) else value
        )

    def __add__(self, other: Any) -> Poly:
        terms = dict(self.terms)
        for key, one in _poly(other).terms.items():
            terms[key] = terms.get(key, Fraction(0)) + one
        return Poly(terms)

    def __mul__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            return Poly({key: one * other for key, one in self.terms.items()})
        if len(self.terms) * len(other.terms) > 100 * MOST_TERMS:
            raise Refused("a formula of too many products")
        terms: dict[tuple[Any, ...], Fraction] = {}
        for a, one in self.terms.items():
            for b, two in other.terms.items():
                key = tuple(sorted(a + b, key=str))
                terms[key] = terms.get(key, Fraction(0)) + one * two
        return Poly(terms)

    def __sub__(self, other: Any) -> Poly:
        return self + _poly(other) * -1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and not (self - other).terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __str__(self) -> str:
        """As isl reads it, where the polynomial is affine with whole factors."""
        terms = sorted(self.terms.items(), key=str)
        texts = [
            f"{one}" if not key else f"{one}*{'*'.join(map(_atom, key))}" for key, one in terms
        ]
        return " + ".join(f"({one})" if one[0] == "-" else one for one in texts) or "0"

    __repr__ = __str__  # atoms stand in the order of their texts

    def shown(self) -> str:
        """With the plan's own names of parameters."""
        plain = {name: Poly.of(name.removeprefix(OWN)) for name in self.names()}
        return str(self.with_(plain))

    def constant(self) -> int | None:
        """The whole number that it is, if it is one."""
        value = self.terms.get((), Fraction(0))
        is_whole = not any(self.terms.keys() - {()}) and value.denominator == 1
        return int(value) if is_whole else None

    def is_affine(self) -> bool:
        return all(
            len(key) <= 1 and one.denominator == 1 and all(_is_plain(atom) for atom in key)
            for key, one in self.terms.items()
        )

    def names(self) -> set[str]:
        found: set[str] = set()
        for key in self.terms:
            for atom in key:
                found |= {atom} if isinstance(atom, str) else atom[0].names()
        return found

    def divisors(self) -> set[int]:
        """The divisors of all floors in it."""
        floors = [atom for key in self.terms for atom in key if not isinstance(atom, str)]
        return {atom[1] for atom in floors}.union(*(atom[0].divisors() for atom in floors))

    def rounded(self) -> set[str]:
        """The names in all floors in it."""
        floors = [atom for key in self.terms for atom in key if not isinstance(atom, str)]
        return set().union(*(atom[0].names() for atom in floors))

    def at(self, values: Values) -> int:
        """Its value; raises False_ where it is not whole."""
        total = Fraction(0)
        for key, one in self.terms.items():
            for atom in key:
                if isinstance(atom, str):
                    one *= values[atom]
                else:
                    one *= atom[0].at(values) // atom[1]
            total += one
        if total.denominator != 1:
            raise False_("a value is not whole")
        return int(total)

    def with_(self, values: dict[str, Poly]) -> Poly:
        """The polynomial with others in place of names; floors are taken where they divide."""
        total = Poly()
        for key, one in self.terms.items():
            term = Poly({(): one})
            for atom in key:
                if isinstance(atom, str):
                    term = term * values.get(atom, Poly.of(atom))
                else:
                    term = term * floor_of(atom[0].with_(values), atom[1])
            total = total + term
        return total


def _poly(value: Any) -> Poly:
    return value if isinstance(value, Poly) else Poly({(): Fraction(value)})


def _atom(atom: Any) -> str:
    return atom if isinstance(atom, str) else f"floor(({atom[0]})/{atom[1]})"


def _is_plain(atom: Any) -> bool:
    return isinstance(atom, str) or atom[0].is_affine()


def floor_of(poly: Poly, divisor: int) -> Poly:
    """floor(poly / divisor); of a constant and of what divides its value."""
    whole = Poly({k: v for k, v in poly.terms.items() if (v / divisor).denominator == 1})
    rest = poly - whole
    value = rest.constant()
    if value is not None:
        return whole * Fraction(1, divisor) + value // divisor
    return Poly({((poly, divisor),): Fraction(1)})


def formula(text: str) -> Poly:
    """Reads + - * ^ ( ), integers, names and floor(e/d); raises Refused for anything else."""
    if len(text) > MOST_FORMULA:
        raise Refused(f"a formula of more than {MOST_FORMULA} characters")
    tokens = re.findall(r"\d+|[A-Za-z_]\w*|\S", text)
    position = depth = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1] if position <= len(tokens) else ""

    def total() -> Poly:
        value = times()
        while peek() in ("+", "-"):
            value = value + times() if take() == "+" else value - times()
        return value

    def times() -> Poly:
        value = factor()
        while peek() in ("*", "/"):
            if take() == "*":
                value = value * factor()
            else:
                divisor = take()
                if not divisor.isdigit() or len(divisor) > DIGITS or not int(divisor):
                    raise Refused(f"{text[:60]!r} is no formula")
                value = floor_of(value, int(divisor))
        return value

    def factor() -> Poly:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise Refused(f"a formula more than {DEEPEST} deep")
        if peek() == "-":
            take()
            value = factor() * -1
        else:
            value = primary()
            if peek() == "^":
                take()
                power = take()
                if not power.isdigit() or len(power) > 2 or int(power) > LARGEST_EXPONENT:
                    raise Refused(f"a power of more than {LARGEST_EXPONENT}")
                value = prod([value] * int(power), start=Poly.of(1))
        depth -= 1
        return value

    def primary() -> Poly:
        token = take()
        if token.isdigit() and len(token) <= DIGITS:
            return Poly.of(int(token))
        if token == "floor" and peek() == "(":
            return primary()
        if token == "(":
            value = total()
            if take() == ")":
                return value
        elif re.fullmatch(NAME, token):
            return Poly.of(token)
        raise Refused(f"{text[:60]!r} is no formula")

    value = total()
    if position < len(tokens):
        raise Refused(f"{text[:60]!r} is no formula")
    return value


Rows = list[list[Poly]]


def determinant(rows: Rows) -> Poly:
    """By the first row."""
    if not rows:
        return Poly.of(1)
    first, *rest = rows
    minors = ([[x for j, x in enumerate(row) if j != k] for row in rest] for k in range(len(first)))
    terms = (
        x * determinant(m) * (-1) ** k for k, (x, m) in enumerate(zip(first, minors, strict=True))
    )
    return sum(terms, start=Poly())
