"""Proof that a map separates differences for all parameters, given generators of its kernel.

The plan states generators of the lattice of all differences that share a cell. First they are
compared with the map; then the lattice is shown to hold no difference of conflicting elements:
Cramer's rule bounds the factors of a generator in a difference, so those of generators with
parameters can be tried one by one, and the others are unknowns of affine conditions. Where
formulas have quotients such as floor((N + 1)/2), each residue class of N is a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from typing import Any

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.lattices import unit
from hlsmem.polyhedra.polynomials import adjugate, determinant, product_of
from hlsmem.polyhedra.quantities import maximum, quantity_pieces
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.residues import in_class
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.polyhedra.signs import is_never_negative
from hlsmem.quantity import Floor, Quantity
from hlsmem.values import dataclass

Row = tuple[Quantity, ...]

# Factors of a generator, and of a modulus, that are tried.
_MOST_FACTORS = 8
# Residue classes that are told apart.
_MOST_CLASSES = 16


@dataclass(frozen=True, slots=True)
class _Case:
    """The formulas and the differences where parameters are in one residue class each."""

    rows: tuple[Row, ...]
    moduli: Row
    kernel: tuple[Row, ...]
    differences: Any


class _NotShown(Exception):
    pass


def objection_to_kernel(
    rows: Sequence[Row], moduli: Sequence[Quantity], kernel: Sequence[Row], differences: Any
) -> str:
    """What is not shown of the claim that `kernel` generates the kernel, and meets no difference.

    `differences` is an anonymous set without 0. Empty where all is proved, for all parameters.
    """
    case = _Case(tuple(map(tuple, rows)), tuple(moduli), tuple(map(tuple, kernel)), differences)
    try:
        for part in _by_residues(case):
            if not part.differences.is_empty():
                _compare_with_map(part)
                _search_differences(part)
    except _NotShown as reason:
        return str(reason)
    return ""


def _compare_with_map(case: _Case) -> None:
    """Raises unless the generators' lattice is the kernel of the map.

    Every generator is in the kernel; the map reaches all remainders, so that its kernel has
    as many classes as there are cells; and so has the lattice.
    """
    size = case.differences.dim(DimType.set)
    if len(case.kernel) != size or any(len(generator) != size for generator in case.kernel):
        raise _NotShown(f"a kernel needs {size} generators")
    for row, modulus in zip(case.rows, case.moduli, strict=True):
        for generator in case.kernel:
            if not _is_multiple(product_of(row, generator), modulus):
                raise _NotShown(f"the generator ({_listed(generator)}) is not in the kernel")
    cells = Quantity.product(case.moduli)
    if determinant(case.kernel) not in (cells, -cells):
        raise _NotShown("the kernel has another number of classes than there are cells")
    if not is_never_negative(cells - 1, case.differences.params()):
        raise _NotShown(f"{cells} cells may be none")
    choices = combinations(zip(*case.rows, strict=True), len(case.rows))
    if not any(abs(determinant(chosen).constant_value() or 0) == 1 for chosen in choices):
        raise _NotShown("the map is not known to reach every cell")


def _is_multiple(value: Quantity, modulus: Quantity) -> bool:
    """Whether the value is a small multiple of the modulus, or all its terms are multiples."""
    constant = modulus.constant_value()
    if constant and all(factor % constant == 0 for _, factor in value.terms):
        return True
    return any(value == modulus * k for k in range(-_MOST_FACTORS, _MOST_FACTORS + 1))


def _search_differences(case: _Case) -> None:
    """Raises where a difference may be in the lattice."""
    fixed = [position for position, row in enumerate(case.kernel) if _is_constant(row)]
    moving = [position for position in range(len(case.kernel)) if position not in fixed]
    limits = [_limit(case, position) for position in moving]
    for factors in product(*(range(-limit, limit + 1) for limit in limits)):
        points = _combinations(case, fixed, dict(zip(moving, factors, strict=True)))
        if not case.differences.intersect(points).is_empty():
            raise _NotShown("a difference of conflicting elements is in the kernel")


def _is_constant(row: Row) -> bool:
    return all(entry.constant_value() is not None for entry in row)


def _limit(case: _Case, position: int) -> int:
    """The greatest absolute factor of a generator in any difference, by Cramer's rule."""
    column = [row[position] for row in adjugate(case.kernel)]
    context = case.differences.params()
    size = len(column)
    widths = [
        quantity_pieces(maximum(case.differences, unit(size, axis)), context)
        for axis in range(size)
    ]
    limit = 0
    for choice in product(*widths):
        when = reduce(lambda left, right: left.intersect(right), (Set(p.when) for p in choice))
        when = when.intersect(context)
        if not when.is_empty():
            reach = product_of(
                [_absolute(entry, when) for entry in column], [piece.value for piece in choice]
            )
            limit = max(limit, _ratio(reach, _absolute(determinant(case.kernel), when), when))
    return limit


def _absolute(value: Quantity, when: Any) -> Quantity:
    for signed in (value, -value):
        if is_never_negative(signed, when):
            return signed
    raise _NotShown(f"the sign of {value} is not known")


def _ratio(reach: Quantity, size: Quantity, when: Any) -> int:
    for limit in range(_MOST_FACTORS + 1):
        if is_never_negative(size * (limit + 1) - reach - 1, when):
            return limit
    raise _NotShown("the factors of a generator are not known to be few")


def _combinations(case: _Case, fixed: Sequence[int], factors: dict[int, int]) -> Any:
    """{ sum of factor * generator + sum of a free integer * constant generator }."""
    parameters = parameter_names(case.differences)
    names = dimension_names("d", len(case.kernel), parameters)
    unknowns = dimension_names("a", len(fixed), parameters)
    conditions = []
    for axis, name in enumerate(names):
        known = product_of(
            list(factors.values()), [case.kernel[position][axis] for position in factors]
        )
        free = [
            f"{case.kernel[position][axis]}{unknown}"
            for position, unknown in zip(fixed, unknowns, strict=True)
        ]
        conditions.append(f"{name} = {' + '.join([f'({known})', *free])}")
    exists = f"exists {', '.join(unknowns)} : " if unknowns else ""
    text = f"[{', '.join(names)}] : {exists}{' and '.join(conditions)}"
    return Set(f"[{', '.join(parameters)}] -> {{ {text} }}")


def _by_residues(case: _Case) -> Iterator[_Case]:
    """Cases without quotients of parameters."""
    formulas = [*case.moduli, *(entry for row in (*case.rows, *case.kernel) for entry in row)]
    quotients = {atom for formula in formulas for atom in _quotients(formula)}
    if not quotients:
        yield case
        return
    divisor = next(iter(sorted(quotient.divisor for quotient in quotients)))
    names = sorted({name for quotient in quotients for name in quotient.numerator.parameters()})
    if divisor > _MOST_CLASSES or len(names) != 1:
        raise _NotShown("quotients of several parameters, or by a large number")
    for residue in range(divisor):
        value = Quantity.parameter(names[0]) * divisor + residue

        def changed(row: Row, value: Quantity = value) -> Row:
            return tuple(_substituted(entry, names[0], value) for entry in row)

        yield from _by_residues(
            _Case(
                tuple(map(changed, case.rows)),
                changed(case.moduli),
                tuple(map(changed, case.kernel)),
                in_class(case.differences, names[0], divisor, residue),
            )
        )


def _quotients(formula: Quantity) -> Iterator[Floor]:
    for monomial, _ in formula.terms:
        yield from (atom for atom, _ in monomial if isinstance(atom, Floor))


def _substituted(formula: Quantity, name: str, value: Quantity) -> Quantity:
    """The formula with a quantity in the place of a parameter."""
    total = Quantity.constant(0)
    for monomial, factor in formula.terms:
        term = Quantity.constant(factor)
        for atom, power in monomial:
            if isinstance(atom, Floor):
                inner = _substituted(atom.numerator, name, value)
                base = _divided(inner, atom.divisor)
            else:
                base = value if atom == name else Quantity.parameter(atom)
            term *= Quantity.product([base] * power)
        total += term
    return total


def _divided(numerator: Quantity, divisor: int) -> Quantity:
    """The floor of a quotient, multiples of the divisor taken out."""
    whole = Quantity(tuple((m, f // divisor) for m, f in numerator.terms if f // divisor))
    return whole + (numerator - whole * divisor).floor_divide(divisor)


def _listed(row: Row) -> str:
    return ", ".join(map(str, row))
