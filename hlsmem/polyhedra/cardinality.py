"""Number of points of a set, as a formula over its parameters; proved, not fitted.

Variables are summed out one after the other. Where several bounds of a variable compete, the
space is split by which of them is the tightest; where a factor of the variable is not 1, by
the residues of another variable or parameter, until the bounds can be divided. Sources: Tawbi,
"Estimation of nested loops execution time by integer arithmetic in convex polyhedra" (IPPS
1994); Pugh, "Counting solutions to Presburger formulas: how and why" (PLDI 1994).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import BasicSet, Constraint, DimType, Map, Set, Val
from hlsmem.polyhedra.barvinok import number_of_points
from hlsmem.polyhedra.constraints import lifted, rows
from hlsmem.polyhedra.relations import with_names
from hlsmem.polyhedra.sets import at_values, count, fix_parameters, parameter_names
from hlsmem.polyhedra.sets import points as points_of
from hlsmem.polyhedra.summation import Factor, Polynomial, summed

# Regions that are looked at, parts of the context that are told apart, and pieces of one before it
# is looked for fewer: at most so many.
MOST_REGIONS = 400
MOST_PARTS = 64
MOST_PIECES = 64


@dataclass(frozen=True, slots=True)
class Cardinality:
    """A formula for the number of points of a set, and the parameters for which it holds."""

    formula: QuasiPolynomial
    holds: Any


class _OutOfReachError(Exception):
    """More regions than MOST_REGIONS, or an unbounded set."""


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of the sum: integer points of `points`, of which `free` are summed over.

    The dimensions of `points` are the parameters and then the variables. Parameter k of the
    set is `scales[k]` times dimension k plus `offsets[k]`.
    """

    points: Any
    terms: Polynomial
    free: tuple[int, ...]
    scales: tuple[int, ...]
    offsets: tuple[int, ...]


def cardinality(points: Any, context: Any, values: Mapping[str, int]) -> Cardinality | None:
    """The number of points of a set as the formula that holds at the parameters `values`.

    `context` is a parameter set; `holds` lies within it. None where the set is unbounded, or
    too complicated and barvinok is not at hand.
    """
    names = list(parameter_names(points))
    inside = context.align_params(points.get_space().params())
    points = points.align_params(inside.get_space()).intersect_params(inside)
    names = list(parameter_names(points))
    try:
        parts = _parts(_contributions(points, names), inside, len(names))
    except _OutOfReachError:
        return _by_barvinok(points, inside, values)
    return _main_formula(parts, names, inside, values)


def _by_barvinok(points: Any, context: Any, values: Mapping[str, int]) -> Cardinality | None:
    bounded = fix_parameters(points, values).is_bounded()
    found = number_of_points(points, values) if bounded else None
    return None if found is None else Cardinality(found[0], found[1].intersect(context))


Part = tuple[Any, Polynomial]


def _contributions(points: Any, names: Sequence[str]) -> list[Part]:
    """Parameter sets with polynomials to be added up over them."""
    found: list[Part] = []
    left = [MOST_REGIONS]
    for piece in points.make_disjoint().compute_divs().get_basic_sets():
        flat = lifted(piece)
        size, columns = len(names), len(names) + flat.dim(DimType.set)
        region = _Region(
            points=flat.move_dims(DimType.set, 0, DimType.param, 0, size),
            terms=Polynomial.constant(columns, 1),
            free=tuple(range(size, columns)),
            scales=(1,) * size,
            offsets=(0,) * size,
        )
        for rest in _summed_out(region, left):
            found.append((_domain(rest, names), _unscaled(rest)))
    return found


def _summed_out(region: _Region, left: list[int]) -> Iterator[_Region]:
    """The region with nothing free, as several whose parameters may overlap."""
    points = region.points.detect_equalities().remove_redundancies()
    if points.is_empty():
        return
    left[0] -= 1
    if left[0] < 0:
        raise _OutOfReachError
    region = replace(region, points=points)
    found = rows(points)
    equalities = [row.form for row in found if row.equal]
    bounds = [row.form for row in found if not row.equal]
    for next_one in _next(region, equalities, bounds):
        yield from [next_one] if not next_one.free else _summed_out(next_one, left)


def _next(
    region: _Region, equalities: Sequence[list[int]], bounds: Sequence[list[int]]
) -> Iterator[_Region]:
    """The region with a variable less, or split by the residues of one."""
    if not region.free:
        yield region
        return
    for row in equalities:
        touched = [k for k in region.free if row[k]]
        unit = next((k for k in touched if abs(row[k]) == 1), None)
        if unit is not None:
            yield _substituted(region, row, unit)
            return
        if touched:
            yield from _split(region, row, min(touched, key=lambda k: abs(row[k])))
            return
    ready = [k for k in region.free if all(abs(row[k]) <= 1 for row in bounds)]
    if ready:
        yield from _without(region, min(ready, key=lambda k: _choices(bounds, k)), bounds)
        return
    column = min(region.free, key=lambda k: sum(abs(row[k]) > 1 for row in bounds))
    row = next(row for row in bounds if abs(row[column]) > 1)
    yield from _split(region, row, column)


def _choices(bounds: Sequence[list[int]], column: int) -> int:
    return sum(row[column] > 0 for row in bounds) * sum(row[column] < 0 for row in bounds)


def _substituted(region: _Region, row: list[int], column: int) -> _Region:
    """An equality with the factor 1 or -1 gives the value of a variable."""
    sign = -row[column]
    value = [entry * sign for entry in row]
    value[column] = 0
    return replace(
        region,
        points=region.points.eliminate(DimType.set, column, 1),
        terms=region.terms.replaced(column, Polynomial.affine(value)),
        free=tuple(k for k in region.free if k != column),
    )


def _without(region: _Region, column: int, bounds: Sequence[list[int]]) -> Iterator[_Region]:
    """The sum over one variable whose bounds all have the factor 1 or -1."""
    lows = [_solved(row, column) for row in bounds if row[column] > 0]
    highs = [_solved(row, column) for row in bounds if row[column] < 0]
    if not lows or not highs:
        raise _OutOfReachError
    for low, high in product(range(len(lows)), range(len(highs))):
        points = region.points
        for other in range(len(lows)):
            points = _at_least(points, lows[low], lows[other], int(other < low), other != low)
        for other in range(len(highs)):
            points = _at_least(points, highs[other], highs[high], int(other < high), other != high)
        if points.is_empty():
            continue
        ends = Polynomial.affine(lows[low]), Polynomial.affine(highs[high])
        yield replace(
            region,
            points=points.eliminate(DimType.set, column, 1),
            terms=summed(region.terms, column, *ends),
            free=tuple(k for k in region.free if k != column),
        )


def _solved(row: list[int], column: int) -> list[int]:
    """The form that bounds a variable with the factor 1 or -1."""
    value = [-entry * row[column] for entry in row]
    value[column] = 0
    return value


def _at_least(points: Any, left: list[int], right: list[int], more: int, wanted: bool) -> Any:
    """The points where one form is at least another one plus `more`; all if not `wanted`."""
    if not wanted:
        return points
    row = [a - b for a, b in zip(left, right, strict=True)]
    row[-1] -= more
    return points.add_constraint(_inequality(points, row))


def _split(region: _Region, row: list[int], column: int) -> Iterator[_Region]:
    """The region by residues of another column in `row`, modulo the factor of `column`."""
    modulus = abs(row[column])
    others = [k for k in range(len(row) - 1) if row[k] % modulus]
    if not others:
        raise AssertionError("isl divides a constraint by the divisor of its factors")
    # A parameter is split last: the formula then depends on its residue.
    other = next((k for k in others if k in region.free), others[0])
    for residue in range(modulus):
        yield _with_residue(region, other, modulus, residue)


def _with_residue(region: _Region, column: int, modulus: int, residue: int) -> _Region:
    """The region with modulus * x + residue in place of a column x."""
    points = BasicSet.universe(region.points.get_space())
    for row in rows(region.points):
        form = row.form
        form[-1] += form[column] * residue
        form[column] *= modulus
        make = Constraint.equality_alloc if row.equal else _new_inequality
        points = points.add_constraint(_filled(make(points.get_local_space()), form))
    size = region.terms.variables
    value = [0] * size + [residue]
    value[column] = modulus
    scales, offsets = list(region.scales), list(region.offsets)
    if column < len(scales):
        offsets[column] += scales[column] * residue
        scales[column] *= modulus
    return replace(
        region,
        points=points,
        terms=region.terms.replaced(column, Polynomial.affine(value)),
        scales=tuple(scales),
        offsets=tuple(offsets),
    )


def _unscaled(region: _Region) -> Polynomial:
    """The polynomial in the parameters themselves."""
    terms = region.terms
    for position, (scale, offset) in enumerate(zip(region.scales, region.offsets, strict=True)):
        if scale == 1 and not offset:
            continue
        value = [Fraction(0)] * terms.variables + [Fraction(-offset, scale)]
        value[position] = Fraction(1, scale)
        terms = terms.replaced(position, Polynomial.affine(value))
    return terms


def _domain(region: _Region, names: Sequence[str]) -> Any:
    """The parameters of a region without free variables, as a parameter set."""
    size = len(names)
    points = region.points.project_out(DimType.set, size, region.points.dim(DimType.set) - size)
    found = Set.from_basic_set(points)
    if any(region.offsets) or any(scale != 1 for scale in region.scales):
        found = found.apply(_unscaling(region))
    found = with_names(found, DimType.set, names)
    return found.move_dims(DimType.param, 0, DimType.set, 0, size).params()


def _unscaling(region: _Region) -> Any:
    """{ [x] -> [p] }: the parameters of the set where those of the region are x."""
    size = len(region.scales)
    new, old = [f"p{k}" for k in range(size)], [f"q{k}" for k in range(size)]
    given = " and ".join(
        f"{p} = {scale} {q} + {offset}"
        for p, q, scale, offset in zip(new, old, region.scales, region.offsets, strict=True)
    )
    return Map(f"{{ [{', '.join(old)}] -> [{', '.join(new)}] : {given or 'true'} }}")


def _parts(contributions: Sequence[Part], context: Any, variables: int) -> list[Part]:
    """Disjoint parts of the context, each with the sum of what contributes there."""
    parts: list[Part] = [(context, Polynomial.constant(variables, 0))]
    for domain, terms in _by_domain(contributions, variables):
        whole: list[Part] = []
        split: list[Part] = []
        for where, total in parts:
            inside = where.intersect(domain)
            if inside.is_empty():
                whole.append((where, total))
                continue
            outside = where.subtract(domain)
            if outside.is_empty():
                whole.append((where, total + terms))
            else:
                split += [(inside, total + terms), (outside, total)]
        parts = _merged(whole, split)
        if len(parts) > MOST_PARTS:
            raise _OutOfReachError
    return parts


def _by_domain(contributions: Sequence[Part], variables: int) -> list[Part]:
    """The contributions in the parameters alone, added up over what is plainly one domain."""
    found: list[Part] = []
    for domain, terms in contributions:
        own = ((exponents[:variables], factor) for exponents, factor in terms.terms)
        narrow = Polynomial.of(variables, own)
        for position, (other, total) in enumerate(found):
            if domain.plain_is_equal(other):
                found[position] = (domain, total + narrow)
                break
        else:
            found.append((domain, narrow))
    return found


def _merged(whole: Sequence[Part], split: Sequence[Part]) -> list[Part]:
    """Parts with one sum as one, in few pieces; `whole` are so already.

    Pieces of residues join when the last of them is there: to look for pairs of few does not pay.
    """
    found: dict[Polynomial, Any] = {}
    moved = {total for _, total in split}
    for where, total in (*whole, *split):
        if total in found:
            moved.add(total)
            where = found[total].union(where)
        found[total] = where
    return [
        (where.coalesce() if one in moved and where.n_basic_set() > MOST_PIECES else where, one)
        for one, where in found.items()
    ]


def _main_formula(
    parts: Sequence[Part], names: Sequence[str], context: Any, values: Mapping[str, int]
) -> Cardinality | None:
    """The formula at `values`, and everywhere else it holds.

    Where parts differ by fractions of 1 alone, the greatest of them rounded down gives all.
    """
    here = [total for where, total in parts if not fix_parameters(where, values).is_empty()]
    if not here:
        return None
    shifts = [_offset(total - here[0]) for _, total in parts]
    close = [shift for shift in shifts if shift is not None and -1 < shift < 1]
    most = max(close) if max(close) - min(close) < 1 else 0
    formula = (here[0] + Polynomial.constant(len(names), most)).quantity(names)
    holds = context.subtract(context)
    for where, total in parts:
        shift = _offset(_where_fixed(total - here[0], where))
        if shift is not None and 0 <= most - shift < 1:
            holds = holds.union(where)
        else:
            holds = holds.union(_few_where_equal(where, total, formula, names))
    return Cardinality(formula=formula, holds=holds.coalesce())


def _few_where_equal(
    where: Any, total: Polynomial, formula: QuasiPolynomial, names: Sequence[str]
) -> Any:
    """The parameters of a small finite part at which the formula gives the total all the same."""
    found = where.subtract(where)
    line = Set.from_params(where).move_dims(DimType.set, 0, DimType.param, 0, len(names))
    if not line.is_bounded() or count(line) > MOST_PARTS:
        return found
    for point in points_of(line).tolist():
        at = dict(zip(names, point, strict=True))
        if formula.evaluate(at) == total.evaluate(point):
            found = found.union(at_values(where, at))
    return found


def _where_fixed(terms: Polynomial, where: Any) -> Polynomial:
    """The polynomial with the parameters that have one value in a set replaced by that."""
    for position in range(where.dim(DimType.param)):
        value = where.plain_get_val_if_fixed(DimType.param, position)
        if value.is_int():
            constant = Polynomial.constant(terms.variables, value.to_python())
            terms = terms.replaced(position, constant)
    return terms


def _offset(difference: Polynomial) -> Factor | None:
    """The number that a polynomial is everywhere, if it is one."""
    constant = difference.constant_term()
    rest = difference - Polynomial.constant(difference.variables, constant)
    return None if rest.terms else constant


def _new_inequality(space: Any) -> Any:
    return Constraint.inequality_alloc(space)


def _inequality(points: Any, row: Sequence[int]) -> Any:
    return _filled(_new_inequality(points.get_local_space()), row)


def _filled(constraint: Any, row: Sequence[int]) -> Any:
    for position, factor in enumerate(row[:-1]):
        constraint = constraint.set_coefficient_val(DimType.set, position, Val(factor))
    return constraint.set_constant_val(Val(row[-1]))


def count_parts(points: Any, context: Any) -> tuple[tuple[Any, Polynomial, tuple[str, ...]], ...]:
    """The number of points of a set everywhere in `context`, in disjoint parts of it.

    Each part is a parameter set, the polynomial that holds there, and the names of its variables.
    Raises ValueError where the set is unbounded, or needs too many parts.

    >>> parts = count_parts(Set("[N] -> { S[i, j] : 0 <= j < i < N }"), Set("[N] -> { : N >= 1 }"))
    >>> [str(terms.quantity(names)) for _, terms, names in parts]
    ['floor((N^2 - N)/2)', '0']
    """
    inside = context.align_params(points.get_space().params())
    points = points.align_params(inside.get_space()).intersect_params(inside)
    names = tuple(parameter_names(points))
    try:
        parts = _parts(_contributions(points, names), inside, len(names))
    except _OutOfReachError:
        raise ValueError("the points cannot be counted by a formula") from None
    return tuple((where, terms, names) for where, terms in parts)
