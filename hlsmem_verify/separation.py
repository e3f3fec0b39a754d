"""Proof that no two conflicting elements share a cell: rows, residue classes, kernels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, permutations, product
from math import lcm, prod
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Poly, Rows, determinant
from hlsmem_verify.isl_values import DIM, affine, coalesced
from hlsmem_verify.outcomes import (
    LARGEST_EXPONENT,
    MOST_CLASSES,
    MOST_MULTIPLES,
    MOST_SMALL,
    False_,
    Unknown,
)
from hlsmem_verify.program import Program

Modular = tuple[list[Poly], Poly]


def left_by(
    differences: Any, rows: list[Modular], program: Program, extents: list[Poly] | None
) -> Any:
    """The differences that the rows map to 0 modulo their moduli, without 0 itself."""
    left = differences.subtract(zero_of(differences))
    for row, modulus in rows:
        if left.is_empty():
            break
        left = coalesced(_multiples(left, row, modulus, program, extents))
    return left


def zero_of(points: Any) -> Any:
    """The origin, in the space of some points."""
    zero = isl.Set(f"{{ [{', '.join(['0'] * points.dim(DIM.set))}] }}")
    return zero.align_params(points.get_space())


def _multiples(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly] | None
) -> Any:
    """Lemmas *affine row* and *row-major row*: the points where the row is a multiple of b."""
    constant = modulus.constant()
    try:
        kept = isl.Set.empty(left.get_space())
        for part, form in forms_of(left, row):
            if constant is not None:
                kept = kept.union(restricted(part, f"({form}) mod {constant} = 0", program))
            else:
                kept = kept.union(_affine_row(part, form, modulus, program))
        return kept
    except Unknown:
        if any(_has_none(left, other, modulus, program) for other in _times_a_number(row, modulus)):
            return isl.Set.empty(left.get_space())
        if extents is None or constant is not None:
            raise
        return _row_major_but_small(left, row, modulus, program, extents)


def _times_a_number(row: list[Poly], modulus: Poly) -> Iterator[list[Poly]]:
    """Lemma *times a number*: what a row maps to a multiple of b, u times the row does too, less
    multiples of b; those that have no parameters."""
    few = range(-MOST_MULTIPLES, MOST_MULTIPLES + 1)
    for u in range(2, MOST_MULTIPLES + 1):
        rests = [[entry * u - modulus * k for k in few] for entry in row]
        plain = [[one for one in own if one.constant() is not None] for own in rests]
        if all(plain):
            yield [own[0] for own in plain]


def _has_none(left: Any, row: list[Poly], modulus: Poly, program: Program) -> bool:
    try:
        parts = list(forms_of(left, row))
        return all(_affine_row(part, form, modulus, program).is_empty() for part, form in parts)
    except Unknown:
        return False


def restricted(part: Any, condition: str, program: Program) -> Any:
    names = ", ".join(f"d{k}" for k in range(part.dim(DIM.set)))
    return part.intersect(isl.Set(f"{program.head}{{ [{names}] : {condition} }}"))


def forms_of(left: Any, row: list[Poly]) -> Iterator[tuple[Any, Poly]]:
    """(part, affine form): entries with parameters are multiplied by each value they meet."""
    symbolic = [k for k, entry in enumerate(row) if entry.constant() is None]
    ranges = []
    for k in symbolic:
        low, high = left.dim_min_val(k), left.dim_max_val(k)
        if not (low.is_int() and high.is_int()):
            raise Unknown("a row whose factors and differences grow together")
        if high.to_python() - low.to_python() > 2 * MOST_MULTIPLES:
            raise Unknown("a row whose factors meet many differences")
        ranges.append(range(low.to_python(), high.to_python() + 1))
    for choice in product(*ranges):
        part, form = left, Poly()
        for k, value in zip(symbolic, choice, strict=True):
            part = part.fix_val(DIM.set, k, isl.Val(value))
            form = form + row[k] * value
        for k, entry in enumerate(row):
            if k not in symbolic:
                form = form + Poly.of(f"d{k}") * entry
        if not part.is_empty():
            if not form.is_affine():
                raise Unknown("a row with products of parameters")
            yield part, form


def _affine_row(part: Any, form: Poly, modulus: Poly, program: Program) -> Any:
    """-(J+1) b < f < (J+1) b on the part: then f is a multiple of b iff it is j b, |j| <= J."""
    if not modulus.is_affine():
        raise Unknown("a modulus with products of parameters")
    for most in range(MOST_MULTIPLES + 1):
        limit = modulus * (most + 1)
        if restricted(part, f"{form} >= {limit} or {form} <= {limit * -1}", program).is_empty():
            cases = " or ".join(f"{form} = {modulus * j}" for j in range(-most, most + 1))
            return restricted(part, cases, program)
    raise Unknown(f"a row reaches more than {MOST_MULTIPLES} multiples of its modulus")


def _row_major_but_small(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly]
) -> Any:
    """The row-major row, and its multiples one by one at few least values of the only parameter,
    where the modulus may have no such digits."""
    try:
        return _row_major(left, row, modulus, program, extents)
    except Unknown:
        if len(program.names) != 1:
            raise
        (name,), line = program.names, left.params()
        line = isl.Set.from_params(line).move_dims(DIM.set, 0, DIM.param, 0, 1)
        if not line.dim_min_val(0).is_int():
            raise
        least = line.dim_min_val(0).to_python()
        for start in range(least + 1, least + 1 + MOST_SMALL):
            larger = left.intersect_params(
                isl.Set(f"{program.head}{{ : {name} >= {start} }}").params()
            )
            try:
                kept = _row_major(larger, row, modulus, program, extents)
            except Unknown:
                continue
            for value in range(least, start):
                here = {name: Poly.of(value)}
                there = left.intersect_params(
                    isl.Set(f"{program.head}{{ : {name} = {value} }}").params()
                )
                terms = (Poly.of(f"d{k}") * one.with_(here) for k, one in enumerate(row))
                form = sum(terms, start=Poly())
                text = f"({form}) mod {modulus.with_(here)} = 0"
                kept = kept.union(restricted(there, text, program))
            return kept
        raise


def _row_major(
    left: Any, row: list[Poly], modulus: Poly, program: Program, extents: list[Poly]
) -> Any:
    """A row whose factors are products of extents: f = j b digit by digit, with carries.

    With u_k = s_k d_k - j digit_k: u_last = c r_last, u_mid + c = c' r_mid, .., u_slow + c'' = 0.
    """
    for axes, signs in _axes(row, extents):
        radices = [extents[axis] for axis in axes[1:]]
        for digits in _digits(modulus, radices):
            for most, carry in product((1, 2), (1, 2, 3)):
                forms = [Poly.of(f"d{a}") * s for a, s in zip(axes, signs, strict=True)]
                own = _Digits(left, forms, digits, radices, most, carry, program)
                if own.suffice():
                    return own.kept()
    raise Unknown("a row with products of parameters that is no row-major order")


def _axes(row: list[Poly], extents: list[Poly]) -> Iterator[tuple[list[int], list[int]]]:
    used = [k for k, entry in enumerate(row) if entry.terms]
    for order in permutations(used):
        stride = Poly.of(1)
        signs: list[int] = []
        for axis in reversed(order):
            if row[axis] != stride and row[axis] != stride * -1:
                break
            signs.insert(0, 1 if row[axis] == stride else -1)
            stride = stride * extents[axis]
        if len(signs) == len(used):
            yield list(order), signs


def _digits(value: Poly, radices: list[Poly]) -> Iterator[list[Poly]]:
    """Digits of a value, slowest first: sum of digit times the product of faster radices."""
    if not radices:
        if value.is_affine():
            yield [value]
        return
    radix = radices[-1]
    for name in sorted(radix.names()):
        found = _divided(value, radix, name)
        if found is None:
            continue
        for shift in (0, 1, -1):
            digit = found[1] + radix * shift
            if digit.is_affine():
                for rest in _digits(found[0] - shift, radices[:-1]):
                    yield [*rest, digit]


def _divided(value: Poly, radix: Poly, name: str) -> tuple[Poly, Poly] | None:
    """Quotient and rest by a radix in which the parameter has the factor 1."""
    if name in (radix - Poly.of(name)).names():
        return None
    quotient = Poly()
    for _ in range(LARGEST_EXPONENT):
        found = next(((key, one) for key, one in value.terms.items() if name in key), None)
        if found is None:
            return quotient, value
        left = list(found[0])
        left.remove(name)
        part = Poly({tuple(left): found[1]})
        quotient, value = quotient + part, value - part * radix
    return None


@dataclass(frozen=True)
class _Digits:
    """A row-major row of some points, and its modulus digit by digit, slowest first: at most so
    many multiples, with carries of at most so much."""

    points: Any
    forms: list[Poly]
    modulus: list[Poly]
    radices: list[Poly]
    most: int
    carry: int
    program: Program

    def suffice(self) -> bool:
        """|u_k| + C < (C+1) r_k at j = -(J+1) and J+1, and (J+1) digit_slow -+ s d_slow >= C+1."""
        far, carry = self.most + 1, self.carry
        slow = self.modulus[0] * far
        wrong = [f"{slow + self.forms[0] * sign} < {carry + 1}" for sign in (1, -1)]
        for k, radix in enumerate(self.radices, start=1):
            limit = radix * (carry + 1) - carry
            for j in (far, -far):
                u = self.forms[k] - self.modulus[k] * j
                wrong += [f"{u} >= {limit}", f"{u * -1} >= {limit}"]
        either = " or ".join(f"({one})" for one in wrong)
        return bool(restricted(self.points, either, self.program).is_empty())

    def kept(self) -> Any:
        """The points where the row is a multiple of the modulus."""
        cases = []
        for j in range(-self.most, self.most + 1):
            u = [form - digit * j for form, digit in zip(self.forms, self.modulus, strict=True)]
            for carries in product(range(-self.carry, self.carry + 1), repeat=len(self.radices)):
                into = [*carries, 0]  # into[k] goes from the next faster digit into digit k
                lines = [f"{u[0] + into[0]} = 0"]
                for k, radix in enumerate(self.radices, start=1):
                    lines.append(f"{u[k] + into[k]} = {radix * carries[k - 1]}")
                cases.append(f"({' and '.join(lines)})")
        return restricted(self.points, " or ".join(cases), self.program)


def positive(value: Poly, where: Any, program: Program) -> bool:
    """Lemma *moduli*: at least 1 at some parameters; of products, by these above their least."""
    if value.is_affine():
        return bool(where.is_subset(isl.Set(f"{program.head}{{ : {value} >= 1 }}").params()))
    above = {}
    for k, name in enumerate(program.names):
        line = isl.Set.from_params(where).move_dims(DIM.set, 0, DIM.param, k, 1)
        least = line.project_out(DIM.param, 0, line.dim(DIM.param)).dim_min_val(0)
        if not least.is_int():
            return False
        above[name] = Poly.of(name) + least.to_python()
    shifted = value.with_(above)
    rest = {key: one for key, one in shifted.terms.items() if key}
    plain = all(isinstance(atom, str) for key in rest for atom in key)
    return plain and min(rest.values(), default=0) >= 0 and shifted.terms.get((), 0) >= 1


def residues(
    divisors: Iterable[int], program: Program, rounded: Collection[str] | None = None
) -> Iterator[tuple[Any, dict[str, Poly]]]:
    """Lemma *residue classes*: (context, formulas of the parameters) without quotients, each.

    Only those that are `rounded` stand in quotients; None for all.
    """
    step = lcm(*divisors)
    names = [name for name in program.names if rounded is None or name in rounded]
    if step ** len(names) > MOST_CLASSES:
        raise Unknown("many residue classes")
    for rests in product(range(step), repeat=len(names)):
        shift = {name: Poly.of(name) for name in program.names}
        shift |= {n: Poly.of(n) * step + r for n, r in zip(names, rests, strict=True)}
        inside = scaled(program.context, shift, program)
        if not inside.is_empty():
            yield inside, shift


def scaled(points: Any, shift: dict[str, Poly], program: Program) -> Any:
    """The set with step * n + residue in place of each parameter n."""
    if not program.names:
        return points
    old = [f"old_{name}" for name in program.names]
    for k, name in enumerate(old):
        points = points.set_dim_name(DIM.param, k, name)
    given = " and ".join(f"old_{name} = {form}" for name, form in shift.items())
    head = f"[{', '.join([*old, *program.names])}] -> "
    both = isl.Set(f"{head}{{ : {given} }}").params()
    points = points.align_params(both.get_space()).intersect_params(both)
    return points.project_out(DIM.param, 0, len(old))


def left_by_kernel(
    differences: Any, rows: list[Modular], kernel: Rows, where: Any, program: Program
) -> Any:
    """Lemma *kernel*: its generators make all that shares a cell; the differences among these."""
    size = differences.dim(DIM.set)
    if len(kernel) != size or any(len(one) != size for one in kernel):
        raise False_(f"a kernel needs {size} generators")
    for (row, b), generator in product(rows, kernel):
        value = sum((x * y for x, y in zip(row, generator, strict=True)), start=Poly())
        if not any(value == b * k for k in range(-MOST_MULTIPLES, MOST_MULTIPLES + 1)):
            raise False_("a generator is not in the kernel")
    cells = prod((b for _, b in rows), start=Poly.of(1))
    if determinant(kernel) not in (cells, cells * -1):
        raise False_("the kernel has another number of classes than there are cells")
    chosen = combinations(range(size), len(rows))
    minors = (determinant([[row[k] for k in columns] for row, _ in rows]) for columns in chosen)
    if not any(one.constant() in (1, -1) for one in minors):
        raise Unknown("the map is not known to reach every cell")
    fixed = [k for k, one in enumerate(kernel) if all(x.constant() is not None for x in one)]
    moving = [k for k in range(size) if k not in fixed]
    factors = [
        range(-most, most + 1)
        for most in (_most(differences, kernel, k, cells, where, program) for k in moving)
    ]
    names = ", ".join(f"d{k}" for k in range(size))
    for choice in product(*factors):
        lines = []
        for axis in range(size):
            known = zip(choice, moving, strict=True)
            form = sum((kernel[k][axis] * f for f, k in known), start=Poly())
            form = form + sum((Poly.of(f"q{k}") * kernel[k][axis] for k in fixed), start=Poly())
            if not form.is_affine():
                raise Unknown("a kernel with products of parameters")
            lines.append(f"d{axis} = {form}")
        exists = f"exists {', '.join(f'q{k}' for k in fixed)} : " if fixed else ""
        points = isl.Set(f"{program.head}{{ [{names}] : {exists}{' and '.join(lines)} }}")
        left = differences.intersect(points)
        if not left.is_empty():
            return left
    return isl.Set.empty(differences.get_space())


def _most(differences: Any, kernel: Rows, k: int, cells: Poly, where: Any, program: Program) -> int:
    """The largest factor of a generator in any difference, by Cramer's rule."""
    others = [one for i, one in enumerate(kernel) if i != k]
    sides = []
    for axis in range(len(kernel)):
        minor = determinant([[x for j, x in enumerate(one) if j != axis] for one in others])
        signed = next((m for m in (minor, minor * -1) if positive(m + 1, where, program)), None)
        if signed is None:
            raise Unknown("a generator whose sign is not known")
        pieces: list[Any] = []
        differences.dim_max(axis).coalesce().foreach_piece(
            lambda at, one, to=pieces: to.append((at.params(), one))
        )
        sides.append([(at, signed * affine(one)) for at, one in pieces])
    for most in range(MOST_MULTIPLES + 1):
        for choice in product(*sides):
            at = reduce(lambda a, b: a.intersect(b), (one for one, _ in choice), where)
            reach = sum((one for _, one in choice), start=Poly())
            if not at.is_empty() and not positive(cells * (most + 1) - reach, at, program):
                break
        else:
            return most
    raise Unknown("the factors of a generator are not known to be few")
