"""Counts of points for all parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Poly
from hlsmem_verify.isl_values import DIM, count, listed
from hlsmem_verify.outcomes import MOST_REGIONS, MOST_VALUES, False_, Unknown
from hlsmem_verify.program import Program
from hlsmem_verify.separation import residues, scaled


def count_is(points: Any, expr: Poly, where: Any, program: Program) -> None:
    """Lemma *counting*: a set has as many points as a formula says, at all parameters of `where`.

    For each residue class of the parameters, variables are summed out one after the other; where
    bounds compete, the space is split by the tightest. Classes are those of the divisions; where
    bounds have factors, those of the factors too. Raises False_ or Unknown.
    """
    whole = points.intersect_params(where)
    hull = isl.Set.from_basic_set(whole.simple_hull()).gist_params(where)
    if points.n_basic_set() > 1 and hull.intersect_params(where).is_equal(whole):
        points = hull  # in one piece there
    divisors = expr.divisors()
    for piece in points.union(isl.Set.empty(points.get_space())).compute_divs().get_basic_sets():
        for k in range(piece.dim(DIM.div)):
            divisors.add(int(piece.get_div(k).get_denominator_val().to_python()))
    try:
        _count_by_residues(points, expr, where, program, divisors)
    except Unknown:
        factors = set(_factors(points)) - divisors
        if not factors:
            raise
        _count_by_residues(points, expr, where, program, divisors | factors)


def _factors(points: Any) -> Iterator[int]:
    """Factors of variables in the bounds of a set, other than 1."""
    for piece in points.get_basic_sets():
        first = piece.dim(DIM.param)
        flat = piece.remove_divs().move_dims(DIM.set, 0, DIM.param, 0, first)
        for _, row in _rows(flat):
            yield from (abs(one) for one in row[first:-1] if abs(one) > 1)


def _count_by_residues(
    points: Any, expr: Poly, where: Any, program: Program, divisors: set[int]
) -> None:
    for _, shift in residues(divisors, program):
        inside = scaled(where, shift, program)
        if inside.is_empty():
            continue
        parts = [(inside, Poly())]
        for domain, terms in _contributions(scaled(points, shift, program), program):
            split = []
            for region, total in parts:
                both, other = region.intersect(domain), region.subtract(domain)
                split += [(both, total + terms)] if not both.is_empty() else []
                split += [(other, total)] if not other.is_empty() else []
            parts = split
            if len(parts) > MOST_REGIONS:
                raise Unknown("a count of many regions")
        for region, total in parts:
            _equal_on(region, total - expr.with_(shift), program)


def _equal_on(region: Any, difference: Poly, program: Program) -> None:
    """Raise False_ unless a polynomial is 0 on a set of parameters, by the equalities there."""
    if not difference.terms:
        return
    line = isl.Set.from_params(region).move_dims(DIM.set, 0, DIM.param, 0, len(program.names))
    if line.is_bounded() and count(line) <= 64:
        for point in listed(line):
            if difference.at(dict(zip(program.names, point, strict=True))):
                raise False_("a count is not what its formula says")
        return
    _equal_along(line, difference, program.names)


def _equal_along(line: Any, difference: Poly, names: Sequence[str]) -> None:
    """The same for tuples of parameters: where bounds are near each other, place by place."""
    for name, value in _equalities(line, names):
        difference = difference.with_({name: value})
    if not difference.terms:
        return
    space = isl.LocalSpace.from_space(line.get_space())
    for whole in line.get_basic_sets():
        piece = whole.detect_equalities().remove_redundancies()
        for is_equal, row in _rows(piece.remove_divs()):
            form = isl.Aff.zero_on_domain(space).set_constant_val(isl.Val(row[-1]))
            for k, factor in enumerate(row[:-1]):
                form = form.set_coefficient_val(DIM.in_, k, isl.Val(factor))
            most = None if is_equal else piece.max_val(form)
            if most is None or not most.is_int() or most.to_python() >= MOST_VALUES:
                continue
            for place in range(most.to_python() + 1):
                here = form.add_constant_val(isl.Val(-place)).zero_basic_set()
                part = isl.Set.from_basic_set(piece.intersect(here))
                if not part.is_empty():
                    _equal_along(part, difference, names)
            break
        else:
            raise False_("a count is not what its formula says")


def _equalities(line: Any, names: Sequence[str]) -> Iterator[tuple[str, Poly]]:
    """Names and what they are on a set of parameters, to be put in place one after the other."""
    hull = line.affine_hull()
    forms = [row for is_equal, row in _rows(hull.remove_divs()) if is_equal]
    while forms:
        form = forms.pop()
        column = next((k for k in range(len(names)) if form[k]), None)
        if column is None:
            continue
        factor = Fraction(-1, form[column])
        yield names[column], _form(form, list(names), column) * factor
        forms = [
            [one * form[column] - other * row[column] for one, other in zip(row, form, strict=True)]
            for row in forms
        ]


def _contributions(points: Any, program: Program) -> Iterator[tuple[Any, Poly]]:
    """(parameters, polynomial) to be added up there, over disjoint pieces of the set."""
    budget = [MOST_REGIONS]
    for piece in points.make_disjoint().compute_divs().get_basic_sets():
        flat = _lifted(piece)
        size = len(program.names)
        names = [*program.names, *(f"v{k}" for k in range(flat.dim(DIM.set)))]
        flat = flat.move_dims(DIM.set, 0, DIM.param, 0, size)
        for rest, terms in _summed(flat, Poly.of(1), names, list(range(size, len(names))), budget):
            found = isl.Set.from_basic_set(rest)
            found = found.project_out(DIM.set, size, found.dim(DIM.set) - size)
            for k, name in enumerate(program.names):
                found = found.set_dim_name(DIM.set, k, name)
            yield found.move_dims(DIM.param, 0, DIM.set, 0, size).params(), terms


def _lifted(piece: Any) -> Any:
    """A basic set with its integer divisions as further dimensions, each with its definition."""
    many, size = piece.dim(DIM.div), piece.dim(DIM.set)
    if not many:
        return piece
    flat = piece.lift().flatten()
    space = isl.LocalSpace.from_space(flat.get_space())
    for position in range(many):
        form = piece.get_div(position)
        divisor = form.get_denominator_val()
        rest = isl.Aff.zero_on_domain(space).set_constant_val(form.get_constant_val().mul(divisor))
        columns = [(DIM.param, k, DIM.param, k) for k in range(piece.dim(DIM.param))]
        columns += [(DIM.in_, k, DIM.in_, k) for k in range(size)]
        columns += [(DIM.div, k, DIM.in_, size + k) for k in range(many)]
        for kind, k, target, place in columns:
            factor = form.get_coefficient_val(kind, k).mul(divisor)
            rest = rest.set_coefficient_val(target, place, factor)
        rest = rest.set_coefficient_val(DIM.in_, size + position, divisor.neg())
        for bound in (rest, rest.neg().add_constant_val(divisor.sub(isl.Val(1)))):
            flat = flat.add_constraint(isl.Constraint.inequality_from_aff(bound))
    return flat


def _rows(piece: Any) -> list[tuple[bool, list[int]]]:
    """(whether equal to 0, factors and the constant last) of the constraints of a basic set."""
    printer = isl.Printer.to_str(piece.get_ctx()).set_output_format(isl.format.POLYLIB)
    lines = printer.print_basic_set(piece).get_str().splitlines()[1:]
    found = [list(map(int, line.split())) for line in lines]
    return [(kind == 0, row) for kind, *row in found]


def _value_by_value(
    piece: Any, terms: Poly, names: list[str], free: list[int], budget: list[int]
) -> Iterator[tuple[Any, Poly]]:
    """The sum where bounds have factors, by the values of a dimension that has few."""
    whole = isl.Set.from_basic_set(piece)
    for k in free:
        low, high = whole.dim_min_val(k), whole.dim_max_val(k)
        if low.is_int() and high.is_int() and high.sub(low).to_python() < MOST_VALUES:
            for value in range(low.to_python(), high.to_python() + 1):
                part = piece.fix_val(DIM.set, k, isl.Val(value))
                yield from _summed(part, terms, names, free, budget)
            return
    raise Unknown("a count whose bounds have factors")


def _summed(
    piece: Any, terms: Poly, names: list[str], free: list[int], budget: list[int]
) -> Iterator[tuple[Any, Poly]]:
    """The sum of a polynomial over the free dimensions, in pieces without any."""
    piece = piece.detect_equalities().remove_redundancies()
    if piece.is_empty():
        return
    budget[0] -= 1
    if budget[0] < 0:
        raise Unknown(f"a count of more than {MOST_REGIONS} regions")
    if not free:
        yield piece, terms
        return
    rows = _rows(piece)
    for is_equal, row in rows:
        unit = next((k for k in free if is_equal and abs(row[k]) == 1), None)
        if unit is not None:
            value = _form([-row[unit] * entry for entry in row], names, unit)
            rest = piece.eliminate(DIM.set, unit, 1)
            left = [k for k in free if k != unit]
            yield from _summed(rest, terms.with_({names[unit]: value}), names, left, budget)
            return
    ready = [k for k in free if all(abs(row[k]) <= 1 for _, row in rows)]
    if not ready:
        yield from _value_by_value(piece, terms, names, free, budget)
        return
    column = min(ready, key=lambda k: sum(row[k] > 0 for _, row in rows))
    lows = [[-one for one in row] for _, row in rows if row[column] > 0]
    highs = [row for _, row in rows if row[column] < 0]
    if not lows or not highs:
        raise Unknown("a set without end")
    for low, high in product(range(len(lows)), range(len(highs))):
        part = piece
        for other in range(len(lows)):
            part = _at_least(part, lows[low], lows[other], other < low, other != low, column)
        for other in range(len(highs)):
            part = _at_least(part, highs[other], highs[high], other < high, other != high, column)
        if part.is_empty():
            continue
        ends = [_form(one, names, column) for one in (lows[low], highs[high])]
        total = _sum_over(terms, names[column], ends[0], ends[1])
        rest = part.eliminate(DIM.set, column, 1)
        left = [k for k in free if k != column]
        yield from _summed(rest, total, names, left, budget)


def _form(row: list[int], names: list[str], column: int) -> Poly:
    """The affine form of a row without one column."""
    found = Poly.of(row[-1])
    for k, name in enumerate(names):
        if k != column and row[k]:
            found = found + Poly.of(name) * row[k]
    return found


def _at_least(
    part: Any, left: list[int], right: list[int], more: bool, wanted: bool, column: int
) -> Any:
    """The part where one bound is at least another one, or above it."""
    if not wanted:
        return part
    constraint = isl.Constraint.inequality_alloc(part.get_local_space())
    for k in range(len(left) - 1):
        if k != column:
            constraint = constraint.set_coefficient_val(DIM.set, k, isl.Val(left[k] - right[k]))
    return part.add_constraint(
        constraint.set_constant_val(isl.Val(left[-1] - right[-1] - int(more)))
    )


def _sum_over(terms: Poly, name: str, low: Poly, high: Poly) -> Poly:
    """The sum of a polynomial over low <= name <= high, by Faulhaber's formulas."""
    total = Poly()
    for key, factor in terms.terms.items():
        power = sum(atom == name for atom in key)
        rest = Poly({tuple(atom for atom in key if atom != name): factor})
        total = total + rest * (_powers(power, high) - _powers(power, low - 1))
    return total


def _powers(power: int, last: Poly) -> Poly:
    """0^k + 1^k + .. + last^k."""
    found: list[Poly] = []
    for k in range(power + 1):
        total = prod([last + 1] * (k + 1), start=Poly.of(1))
        if k == 0:
            total = total - 0
        binomial = 1
        for i in range(k):
            total = total - found[i] * binomial
            binomial = binomial * (k + 1 - i) // (i + 1)
        found.append(total * Fraction(1, k + 1))
    return found[power]
