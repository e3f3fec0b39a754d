"""Subscripts that multiply loop variables by parameters, such as `i*w + j` of a flat array.

A value is a polynomial: monomials in parameters, each with a piecewise quasi-affine factor on
the instances; the monomial () has what is affine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.quantities import quantity_of
from hlsmem.read.c import tree
from hlsmem.read.c.affine import NotAffineError, Reader
from hlsmem.read.c.purity import is_pure_call, returned_expression
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import Bound, Function, Scope, Variable
from hlsmem.read.c.tree import Number
from hlsmem.read.c.types import scalar_type

# Parameters that are multiplied, in alphabetical order.
Product = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Polynomial:
    """A value with its C type; `strides` are the sums of parameters it was multiplied by."""

    terms: Mapping[Product, Any]
    type: Number
    strides: tuple[QuasiPolynomial, ...] = ()

    @property
    def is_affine(self) -> bool:
        return not any(self.terms)

    def plus(self, other: Polynomial, factor: int = 1) -> dict[Product, Any]:
        """The terms of the sum with `factor` times another."""
        found = dict(self.terms)
        for product, value in other.terms.items():
            value = value.scale_val(Val(factor))
            found[product] = found[product].add(value) if product in found else value
        return {p: one for p, one in found.items() if not p or pw.constant_value(one) != 0}


def polynomial(node: Any, scope: Scope, domain: Any, reader: Reader) -> Polynomial:
    """The value of a subscript at the instances of `domain`.

    Raises NotAffineError, that of the affine reading where products do not help.
    """
    return _Reading(reader, domain).value(node, scope)


@dataclass(frozen=True, slots=True)
class _Reading:
    reader: Reader
    domain: Any

    def value(self, node: Any, scope: Scope) -> Polynomial:
        try:
            found = self.reader.integer(node, scope, self.domain)
        except NotAffineError as error:
            made = self.made(node, scope)
            if made is None:
                raise error from None
            return self.within_type(node, made)
        return Polynomial(terms={(): found.expression}, type=found.type)

    def made(self, node: Any, scope: Scope) -> Polynomial | None:
        """The value of an expression that is not affine as a whole; None where that is all."""
        match node:
            case tree.BinaryOp(op="+" | "-" as op):
                left, right = self.value(node.left, scope), self.value(node.right, scope)
                terms = left.plus(right, 1 if op == "+" else -1)
                return self.joined(terms, left, right)
            case tree.BinaryOp(op="*"):
                left, right = self.value(node.left, scope), self.value(node.right, scope)
                return self.product(left, right) or self.product(right, left)
            case tree.ID():
                return self.named(scope.find(node.name))
            case tree.Cast():
                return self.converted(self.value(node.expr, scope), scalar_type(node.type))
            case tree.FuncCall(name=name):
                return self.called(node, scope.find(name), scope)
        return None

    def joined(
        self, terms: Mapping[Product, Any], left: Polynomial, right: Polynomial
    ) -> Polynomial:
        return Polynomial(
            terms=terms,
            type=left.type.promoted().common(right.type.promoted()),
            strides=(*left.strides, *right.strides),
        )

    def product(self, value: Polynomial, other: Polynomial) -> Polynomial | None:
        """The product with a sum of products of parameters; None where `other` is none."""
        factor = self.of_parameters(other)
        if factor is None:
            return None
        found: dict[Product, Any] = {}
        for product, one in value.terms.items():
            for monomial, number in factor.terms:
                names = [str(name) for name, power in monomial for _ in range(power)]
                key, term = tuple(sorted((*product, *names))), one.scale_val(Val(number))
                found[key] = found[key].add(term) if key in found else term
        made = self.joined(found, value, other)
        strides = () if factor.constant_value() is not None else (factor,)
        return Polynomial(terms=found, type=made.type, strides=(*made.strides, *strides))

    def of_parameters(self, value: Polynomial) -> QuasiPolynomial | None:
        """The sum of products of parameters that a value is; None where loops are in it."""
        found = QuasiPolynomial.constant(0)
        for product, one in value.terms.items():
            if one.involves_dims(DimType.in_, 0, one.dim(DimType.in_)):
                return None
            plain = one.project_domain_on_params()
            known = quantity_of(plain, self.reader.assumed)
            if known is None or any(not isinstance(a, str) for m, _ in known.terms for a, _ in m):
                return None
            names = [QuasiPolynomial.parameter(name) for name in product]
            found = found + known * QuasiPolynomial.product(names)
        return found

    def named(self, symbol: Any) -> Polynomial | None:
        """A variable that keeps its initial value stands for that expression."""
        if not isinstance(symbol, Variable) or symbol.name in self.reader.assigned:
            return None
        shape, home = symbol.shape, symbol.domain
        if shape.extents or symbol.initial is None or not isinstance(shape.scalar, Number):
            return None
        if home is None:
            size = self.domain.dim(DimType.set)
            home = Set.universe(self.domain.space.drop_dims(DimType.set, 0, size))
        inner = _Reading(self.reader, home)
        found = inner.converted(inner.value(symbol.initial, symbol.home), shape.scalar)
        if found is None:
            return None
        dimensions = self.domain.dim(DimType.set)
        lifted = {p: pw.lift(one, dimensions) for p, one in found.terms.items()}
        return Polynomial(terms=lifted, type=found.type, strides=found.strides)

    def called(self, node: Any, symbol: Any, scope: Scope) -> Polynomial | None:
        """The value of a pure function that only returns an expression of its parameters."""
        if not isinstance(symbol, Function) or symbol.definition is None:
            return None
        arguments = node.args
        function = symbol.definition
        expression, parameters = returned_expression(function), function.parameters
        if expression is None or not is_pure_call(node, scope):
            return None
        inside = scope.outermost().inner()
        for parameter, argument in zip(parameters, arguments, strict=True):
            kind = scalar_type(parameter.type)
            given = self.value(argument, scope)
            if not isinstance(kind, Number) or not given.is_affine:
                return None
            if self.converted(given, kind) is None:
                return None
            inside.names[parameter.name] = Bound(given.terms[()], kind)
        return self.converted(self.value(expression, inside), scalar_type(function.returns))

    # Types.

    def converted(self, value: Polynomial, kind: Any) -> Polynomial | None:
        """The value in another type, where that keeps it; None where it may not."""
        if not isinstance(kind, Number):
            return None
        keeps = value.type.least >= kind.least and value.type.greatest <= kind.greatest
        if not keeps and kind.bits < 64 and not self.is_within(value, kind):
            return None
        return Polynomial(terms=value.terms, type=kind, strides=value.strides)

    def within_type(self, node: Any, value: Polynomial) -> Polynomial:
        """The value; refused where an unsigned type may be too narrow for it.

        In 64 bits sums and products of what fits in 32 come back to what they are.
        """
        narrow = not value.type.signed and value.type.bits < 64
        if narrow and not self.is_within(value, value.type):
            why = f"may wrap around in an unsigned type of {value.type.bits} bits"
            raise self.reader.refuse(Refusal.UNSIGNED_WRAP, node, why)
        return value

    def is_within(self, value: Polynomial, kind: Number) -> bool:
        """True if bounds of the factors and parameters keep a value in a type."""
        low = high = 0
        for product, one in value.terms.items():
            ends = self.ends(one.intersect_domain(self.domain))
            for name in product:
                parameter = self.ends(pw.parameter(self.domain.space, name))
                if ends is None or parameter is None:
                    return False
                corners = [a * b for a in ends for b in parameter]
                ends = min(corners), max(corners)
            if ends is None:
                return False
            low, high = low + ends[0], high + ends[1]
        return kind.least <= low and high <= kind.greatest

    def ends(self, value: Any) -> tuple[int, int] | None:
        """The least and the greatest value for all parameters; None where it has none."""
        value = value.intersect_params(self.reader.assumed)
        least, greatest = value.min_val(), value.max_val()
        if not (least.is_int() and greatest.is_int()):
            return None
        return int(least.to_python()), int(greatest.to_python())
