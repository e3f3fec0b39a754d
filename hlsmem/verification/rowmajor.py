"""Proof that a row-major address modulo its modulus separates elements, for all parameters.

Strides are products of parameters there, which isl cannot read. But row-major order is
lexicographic order, and adding the modulus to an address is adding its digits, written in the
mixed radix of the extents, with carries: affine conditions again. Addresses that differ by
less than the modulus, and are not equal, are in different cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import fix_parameters, parameter_names, without_name
from hlsmem.quantity import Quantity
from hlsmem.verification.folding import Row
from hlsmem.verification.separation import Separated, separates

_SMALL = 4
"""Least values of the only parameter that are looked at one by one, at most."""


def in_row_major_order(row: Row, conflicts: Any, extents: Sequence[Quantity], context: Any) -> bool:
    """Whether `row` is a row-major address whose modulus exceeds every conflicting distance.

    `conflicts` { element -> element } is symmetric, without the identity; `extents` are those
    of the declared array, whose indices start at 0. Where digits are none at the least values of
    the only parameter (2 where N is 1), elements are looked at there. True is a proof, False says
    nothing.
    """
    if _in_order(row, conflicts, extents, context):
        return True
    names = parameter_names(context)
    least = Set.from_params(context).move_dims(DimType.set, 0, DimType.param, 0, len(names))
    if len(names) != 1 or not least.dim_min_val(0).is_int():
        return False
    (name,), first = names, int(least.dim_min_val(0).to_python())
    for start in range(first + 1, first + 1 + _SMALL):
        rest = context.intersect(Set(f"[{name}] -> {{ : {name} >= {start} }}").params())
        if _in_order(row, conflicts.intersect_params(rest), extents, rest):
            return all(_separates_at(row, conflicts, {name: n}) for n in range(first, start))
    return False


def _separates_at(row: Row, conflicts: Any, values: Mapping[str, int]) -> bool:
    """Whether conflicting elements are in different cells at values of the parameters."""

    def there(quantity: Quantity) -> Quantity:
        return Quantity.constant(quantity.evaluate(values))

    fixed = replace(
        row,
        symbolic_coefficients=tuple(map(there, row.symbolic_coefficients)),
        symbolic_modulus=there(row.symbolic_modulus),
    )
    apart = without_name(fix_parameters(conflicts, values).deltas())
    return isinstance(separates([fixed], apart), Separated)


def _in_order(row: Row, conflicts: Any, extents: Sequence[Quantity], context: Any) -> bool:
    """The lemma itself, on all of a context."""
    axes = _axes(row, extents)
    if axes is None or not all(extent.is_affine() for extent in extents):
        return False
    faster = axes[1:]
    if not _within(conflicts, [(axis, extents[axis]) for axis, _ in faster]):
        return False
    digits = _digits(row.symbolic_modulus, [extents[axis] for axis, _ in faster], context)
    if digits is None:
        return False
    return bool(conflicts.intersect(_reaching(conflicts, axes, extents, digits)).is_empty())


def _axes(row: Row, extents: Sequence[Quantity]) -> list[tuple[int, int]] | None:
    """(position, sign) of the axes, slowest first, that make the row's coefficients."""
    for order in permutations(range(len(extents))):
        stride = Quantity.constant(1)
        found: list[tuple[int, int]] = []
        for axis in reversed(order):
            coefficient = row.symbolic_coefficients[axis]
            if coefficient not in (stride, -stride):
                break
            found.insert(0, (axis, 1 if coefficient == stride else -1))
            stride *= extents[axis]
        if found and len(found) == len(extents):
            return found
    return None


def _within(conflicts: Any, limits: Sequence[tuple[int, Quantity]]) -> bool:
    """Whether every conflicting element lies within 0 <= x < limit on the axes given."""
    elements = conflicts.domain()
    parameters = parameter_names(conflicts)
    names = dimension_names("x", conflicts.dim(DimType.in_), parameters)
    inside = [f"0 <= {names[axis]} < {limit}" for axis, limit in limits] or ["true"]
    text = f"{_tuple(elements, names)} : {' and '.join(inside)}"
    return bool(elements.is_subset(Set(f"[{', '.join(parameters)}] -> {{ {text} }}")))


def _digits(modulus: Quantity, radices: Sequence[Quantity], context: Any) -> list[Quantity] | None:
    """The digits of the modulus, the most significant first; `radices` without that one's.

    The least one may be its radix (1 of `h*w + 1` where w is 1): no carry comes into it, so that
    a carry out of it is 1 at most all the same.
    """
    digits: list[Quantity] = []
    rest = modulus
    for radix in reversed(radices):
        found = _digit(rest, radix, radix - 1 if digits else radix, context)
        if found is None:
            return None
        rest, digit = found
        digits.insert(0, digit)
    return [rest, *digits] if rest.is_affine() else None


def _digit(
    value: Quantity, radix: Quantity, most: Quantity, context: Any
) -> tuple[Quantity, Quantity] | None:
    """value = quotient * radix + digit with 0 <= digit <= most on the whole context."""
    for name in sorted(radix.parameters()):
        divided = _divide(value, radix, name)
        if divided is None:
            continue
        for shift in (0, 1, -1):
            quotient, digit = divided[0] - shift, divided[1] + radix * shift
            if digit.is_affine() and _always(f"0 <= {digit} <= {most}", context):
                return quotient, digit
    return None


def _divide(value: Quantity, divisor: Quantity, name: str) -> tuple[Quantity, Quantity] | None:
    """Quotient and a remainder without the parameter `name`, whose factor in divisor is 1."""
    parameter = Quantity.parameter(name)
    if name in (divisor - parameter).parameters():
        return None
    quotient = Quantity.constant(0)
    while name in value.parameters():
        power, factor = _leading(value, name)
        if power == 0:
            return None
        part = factor * Quantity.product([parameter] * (power - 1))
        quotient, value = quotient + part, value - part * divisor
    return quotient, value


def _leading(value: Quantity, name: str) -> tuple[int, Quantity]:
    """The highest power of a parameter outside of any floor, and its factor."""
    powers = [dict(monomial).get(name, 0) for monomial, _ in value.terms]
    highest = max(powers)
    factor = Quantity.constant(0)
    for (monomial, number), power in zip(value.terms, powers, strict=True):
        if power == highest:
            rest = tuple((atom, exponent) for atom, exponent in monomial if atom != name)
            factor += Quantity(((rest, number),))
    return highest, factor


def _always(condition: str, context: Any) -> bool:
    where = Set(f"[{', '.join(parameter_names(context))}] -> {{ : {condition} }}").params()
    return bool(context.params().is_subset(where))


def _reaching(
    conflicts: Any,
    axes: Sequence[tuple[int, int]],
    extents: Sequence[Quantity],
    digits: Sequence[Quantity],
) -> Any:
    """{ x -> x' : the address of x' is at least that of x plus the digits }."""
    size, parameters = len(axes), parameter_names(conflicts)
    old, new = (dimension_names(side, size, parameters) for side in ("x", "y"))
    cases = []
    for carries in product((0, 1), repeat=size - 1):
        # carry[k] goes into axis k, out of the next faster axis; nothing enters the fastest.
        carry = [*carries, 0]
        conditions, reached = [], []
        for k, (axis, sign) in enumerate(axes):
            total = f"({_upwards(old[axis], sign, extents[axis])}) + ({digits[k]}) + {carry[k]}"
            if k > 0:
                bound = ">=" if carry[k - 1] else "<"
                conditions.append(f"{total} {bound} {extents[axis]}")
                total += f" - {carry[k - 1]}*({extents[axis]})"
            reached.append(total)
        mine = [_upwards(new[axis], sign, extents[axis]) for axis, sign in axes]
        conditions.append(f"({_not_before(mine, reached)})")
        cases.append(" and ".join(conditions))
    source = _tuple(conflicts.domain(), old)
    target = _tuple(conflicts.range(), new)
    text = f"{source} -> {target} : {' or '.join(f'({case})' for case in cases)}"
    return Map(f"[{', '.join(parameters)}] -> {{ {text} }}")


def _upwards(name: str, sign: int, extent: Quantity) -> str:
    """The coordinate as it counts in the address."""
    return name if sign > 0 else f"{extent} - 1 - {name}"


def _not_before(mine: Sequence[str], reached: Sequence[str]) -> str:
    """Lexicographically greater or equal, as isl text."""
    cases = []
    for k in range(len(mine) + 1):
        equal = [f"{mine[j]} = {reached[j]}" for j in range(k)]
        later = [f"{mine[k]} > {reached[k]}"] if k < len(mine) else []
        cases.append(" and ".join([*equal, *later]))
    return " or ".join(f"({case})" for case in cases)


def _tuple(elements: Any, names: Sequence[str]) -> str:
    return f"{elements.get_tuple_name() or ''}[{', '.join(names)}]"
