"""Symbolic or fixed sizes in the generated C, and quasi-polynomials as expressions.

They stay symbolic where every mapping is proved for all parameters. Otherwise the numbers of
the plan are written out, and the code must test that the parameters have the plan's values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import Atom, QuasiPolynomial
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.polyhedra.sets import fix_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The parameters and what is known of them; `values` are those of the plan."""

    symbolic: bool
    parameters: tuple[str, ...]
    values: Mapping[str, int]
    context: Any = field(compare=False)

    def of(self, quantity: QuasiPolynomial) -> QuasiPolynomial:
        """The quasi-polynomial, or its value at the plan's parameters where sizes are numbers."""
        return (
            quantity if self.symbolic else QuasiPolynomial.constant(quantity.evaluate(self.values))
        )

    def restrict(self, elements: Any) -> Any:
        """A set within the context, or at the plan's parameters where sizes are numbers."""
        if self.symbolic:
            return elements.intersect_params(self.context)
        return fix_parameters(elements, self.values)

    def is_non_negative(self, quantity: QuasiPolynomial) -> bool:
        """True if an affine quasi-polynomial is provably >= 0 in the whole context."""
        value = self.of(quantity).constant_value()
        if value is not None:
            return value >= 0
        try:
            affine = affine_of(quantity, self.context.get_space())
        except ValueError:
            return all(self._monomial_is_non_negative(m, f) for m, f in quantity.terms)
        return bool(self.context.is_subset(PwAff.from_aff(affine).nonneg_set()))

    def _monomial_is_non_negative(
        self, monomial: tuple[tuple[Atom, int], ...], factor: int
    ) -> bool:
        return factor >= 0 and all(
            self.is_non_negative(
                QuasiPolynomial.parameter(atom) if isinstance(atom, str) else atom.numerator
            )
            for atom, _ in monomial
        )


def scale_of(
    parameters: tuple[str, ...],
    values: Mapping[str, int],
    context: Any,
    mappings: Iterable[StorageMapping],
) -> Scale:
    """Symbolic where all mappings are proved for all parameters and their sizes print in C."""
    scale = Scale(symbolic=True, parameters=parameters, values=values, context=context)
    for mapping in mappings:
        quantities = [
            entry
            for piece in mapping.pieces
            for entry in (*piece.modulus, *piece.offset, *(e for row in piece.matrix for e in row))
        ]
        proved = mapping.certificate.scope == "all-parameters" or not parameters
        if not proved or not all(prints(entry, scale) for entry in quantities):
            return Scale(symbolic=False, parameters=parameters, values=values, context=context)
    return scale


def prints(quantity: QuasiPolynomial, scale: Scale) -> bool:
    """True if C can express the quasi-polynomial: it rounds quotients towards zero, so numerators
    must not be negative."""
    floors = [a for monomial, _ in quantity.terms for a, _ in monomial if not isinstance(a, str)]
    return all(scale.is_non_negative(a.numerator) and prints(a.numerator, scale) for a in floors)


def expression_of(quantity: QuasiPolynomial) -> Expression:
    """The quasi-polynomial as a tree; floors become quotients (see `scale_of`)."""
    if not quantity.terms:
        return Integer(0)
    terms = tuple(_term(monomial, factor) for monomial, factor in quantity.written())
    return terms[0] if len(terms) == 1 else Operation(Operator.ADD, terms)


def _term(monomial: tuple[tuple[Atom, int], ...], factor: int) -> Expression:
    factors = [_atom(atom) for atom, power in monomial for _ in range(power)]
    if factor != 1 or not factors:
        factors.insert(0, Integer(factor))
    return factors[0] if len(factors) == 1 else Operation(Operator.MULTIPLY, tuple(factors))


def _atom(atom: Atom) -> Expression:
    if isinstance(atom, str):
        return Name(atom)
    numerator = expression_of(atom.numerator)
    return Operation(Operator.QUOTIENT, (numerator, Integer(atom.divisor)))
