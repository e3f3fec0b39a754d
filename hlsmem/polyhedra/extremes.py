"""Lexicographic extremes of sets and maps, and extremes of linear forms: the one home of isl's.

isl fails at some unions of pieces that it could write as fewer, and at some sets with conditions
that follow from others; without these it does not. Of some sets with strides it gives a point that
is no extreme: it takes an entry of known remainder for a constant where bounds by another entry
leave it fewer values than the modulus, as the maximum (1, 0) of { [j, k] : j mod 2 = 1 and
2 k < j <= 2 k + 2 and 0 < j <= 3 } (islpy 2026.2.2). What may be such a set is looked at again. The
first point of a set is that of examples in messages, chosen the same way every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import (
    Aff,
    Constraint,
    DimType,
    LocalSpace,
    Map,
    PolyhedralError,
    PwMultiAff,
    UnionMap,
    UnionSet,
    Val,
)
from hlsmem.polyhedra.sets import fix_parameters, parameter_names


def lexmax(value: Any) -> Any:
    """The lexicographic maximum of a set, or of the images of each element of a map."""
    return _extreme(value, _MAXIMUM)


def lexmin(value: Any) -> Any:
    """The lexicographic minimum of a set, or of the images of each element of a map."""
    return _extreme(value, _MINIMUM)


def last_image(relation: Any) -> Any:
    """The lexicographic maximum of the images of each element of a map, a piecewise function."""
    if _may_mislead(relation):
        return PwMultiAff.from_map(lexmax(relation))
    return relation.lexmax_pw_multi_aff()


def first_image(relation: Any) -> Any:
    """The lexicographic minimum of the images of each element of a map, a piecewise function."""
    if _may_mislead(relation):
        return PwMultiAff.from_map(lexmin(relation))
    return relation.lexmin_pw_multi_aff()


def least(points: Any) -> Any:
    """The lexicographically least of bounded tuples without parameters, entry by entry."""
    for entry in range(points.dim(DimType.set)):
        points = _with_end(points, entry, points.dim_min_val(entry).to_python(), -1)
    return points


def greatest(points: Any) -> Any:
    """The lexicographically greatest of bounded tuples without parameters, entry by entry.

    isl takes minutes for all entries at once where the tuples have remainders and lie far apart.
    """
    for entry in range(points.dim(DimType.set)):
        points = _with_end(points, entry, points.dim_max_val(entry).to_python(), 1)
    return points


def _with_end(points: Any, entry: int, value: int, sign: int) -> Any:
    """The tuples whose entry is `value`, its end in the direction of a sign by isl's word.

    Of some sets with strides that is no end, as of lexicographic ones: where no tuple has it, or
    some may lie beyond it, tuples are asked for in halves.
    """
    found = points.fix_val(DimType.set, entry, Val(value))
    is_sure = not found.is_empty()
    if is_sure and _may_mislead(points):
        is_sure = _from(points, entry, value + sign, sign).is_empty()
    if is_sure or points.is_empty():
        return found
    inside = int(points.sample_point().get_coordinate_val(DimType.set, entry).to_python())
    step = 1
    while not _from(points, entry, inside + sign * step, sign).is_empty():
        inside, step = inside + sign * step, 2 * step
    while step > 1:
        step = (step + 1) // 2
        if not _from(points, entry, inside + sign * step, sign).is_empty():
            inside += sign * step
    # What is left beyond `inside` is one step at most.
    while not _from(points, entry, inside + sign, sign).is_empty():
        inside += sign
    return points.fix_val(DimType.set, entry, Val(inside))


def _from(points: Any, entry: int, value: int, sign: int) -> Any:
    """The tuples whose entry is `value`, or beyond it in the direction of a sign."""
    bound = points.lower_bound_val if sign > 0 else points.upper_bound_val
    return bound(DimType.set, entry, Val(value))


@dataclass(frozen=True, slots=True)
class _End:
    """One of the two ends of a lexicographic order."""

    of: Callable[[Any], Any]
    """isl's own end of a value."""
    beyond: Callable[[Any], Any]
    """The map from each point of a space to those that are nearer to the end."""


_UNBOUNDED = "unbounded optimum"  # of isl's message: no other writing of the set has an end

_MAXIMUM = _End(lambda given: given.lexmax(), Map.lex_lt)
_MINIMUM = _End(lambda given: given.lexmin(), Map.lex_gt)


def _extreme(value: Any, end: _End) -> Any:
    if isinstance(value, (UnionSet, UnionMap)):
        return _extreme_of_union(value, end)
    for simpler in (lambda: value, value.coalesce, lambda: value.coalesce().remove_redundancies()):
        given = simpler()
        try:
            found = end.of(given)
        except PolyhedralError as error:
            if _UNBOUNDED in str(error):
                raise
            continue
        if not _may_mislead(given) or _is_end(_as_map(given), _as_map(found), end):
            return found
    found = _entry_by_entry(_as_map(value), end)
    return found if isinstance(value, Map) else found.range()


def _extreme_of_union(value: Any, end: _End) -> Any:
    is_set = isinstance(value, UnionSet)
    parts, union = value.get_set_list() if is_set else value.get_map_list(), type(value)
    found = union.empty(value.get_space())
    for k in range(parts.n_set() if is_set else parts.n_map()):
        part = _extreme(parts.get_at(k), end)
        found = found.union(union.from_set(part) if is_set else union.from_map(part))
    return found


def _may_mislead(value: Any) -> bool:
    """True if a piece relates entries, one of them of known remainder: isl may give no extreme."""
    is_set = not isinstance(value, Map)
    kinds = (DimType.div, DimType.set, DimType.param, DimType.cst)
    order = kinds if is_set else (*kinds[:2], DimType.in_, *kinds[2:])
    for piece in value.get_basic_sets() if is_set else value.get_basic_maps():
        inner = piece.dim(DimType.div) + piece.dim(DimType.set)
        if any(set(row) - {-1, 0, 1} for row in _rows(piece.equalities_matrix(*order), inner)):
            bounds = _rows(piece.inequalities_matrix(*order), inner)
            if any(len(row) - row.count(0) > 1 for row in bounds):
                return True
    return False


def _rows(matrix: Any, columns: int) -> Iterator[list[int]]:
    """The first entries of the rows of a matrix."""
    for row in range(matrix.rows()):
        yield [matrix.get_element_val(row, column).to_python() for column in range(columns)]


def _as_map(value: Any) -> Any:
    return value if isinstance(value, Map) else Map.from_range(value)


def _is_end(relation: Any, found: Any, end: _End) -> bool:
    """True if each element has an image of its own found, and none nearer to the end."""
    nearer = found.apply_range(end.beyond(relation.get_space().range()))
    return bool(
        found.is_subset(relation)
        and relation.domain().is_subset(found.domain())
        and nearer.is_disjoint(relation)
    )


def _entry_by_entry(relation: Any, end: _End) -> Any:
    """The extreme images, of which one entry is found after another: isl errs at several alone."""
    space = LocalSpace.from_space(relation.get_space().range())
    for entry in range(relation.dim(DimType.out)):
        own = Map.from_aff(Aff.var_on_domain(space, DimType.set, entry))
        ends = end.of(relation.apply_range(own))
        relation = relation.intersect(ends.apply_range(own.reverse()))
    return relation.coalesce()


@dataclass(frozen=True, slots=True)
class Points:
    """Integer points over which forms are minimised: the tuple, then the parameters.

    >>> from hlsmem.polyhedra import Map
    >>> Points.of(Map("[N] -> { [y] -> [z] : 0 <= y < N and y - 1 <= z <= y + 2 }")).least(
    ...     [((-1, 1), 0)]
    ... )
    (-1,)
    """

    points: Any = field(compare=False)

    @staticmethod
    def of(relation: Any) -> Points:
        """The pairs of a relation, of all parameters."""
        points = relation.wrap().flatten().coalesce()
        return Points(
            points.move_dims(
                DimType.set, points.dim(DimType.set), DimType.param, 0, points.dim(DimType.param)
            )
        )

    def least(self, forms: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...] | None:
        """The lexicographically least values of forms (coefficients, constant).

        None where one has no lower bound. The set must not be empty.
        """
        points, found = self.points, []
        space = LocalSpace.from_space(points.get_space())
        for position, (coefficients, constant) in enumerate(forms):
            form = Aff.zero_on_domain(space).set_constant_val(constant)
            for entry, factor in enumerate(coefficients):
                if factor:
                    form = form.set_coefficient_val(DimType.in_, entry, factor)
            value = points.min_val(form)
            if not value.is_int():
                return None
            found.append(value.to_python())
            if position + 1 < len(forms):
                equal = form.set_constant_val(constant - found[-1])
                points = points.add_constraint(Constraint.equality_from_aff(equal))
        return tuple(found)

    def greatest(self, forms: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...] | None:
        """The lexicographically greatest values; None where one has no upper bound."""
        negated = [([-factor for factor in row], -constant) for row, constant in forms]
        found = self.least(negated)
        return None if found is None else tuple(-value for value in found)


@dataclass(frozen=True, slots=True)
class Sample:
    """A point: values of the parameters and of the flattened coordinates."""

    parameters: Mapping[str, int]
    coordinates: tuple[int, ...]


def first_point(points: Any, values: Mapping[str, int]) -> Sample:
    """The lexicographically least point at the parameters `values`, where there is one.

    Otherwise some point at other parameters. The set must not be empty; sets without a least
    point give any point.
    """
    here = fix_parameters(points, values)
    if not here.is_empty():
        names = [name for name in parameter_names(points) if name in values]
        return Sample({name: values[name] for name in names}, _coordinates(here))
    names = list(parameter_names(points))
    flat = points.flatten().move_dims(DimType.set, 0, DimType.param, 0, len(names))
    found = _coordinates(flat)
    return Sample(dict(zip(names, found, strict=False)), found[len(names) :])


def _coordinates(points: Any) -> tuple[int, ...]:
    try:
        points = lexmin(points)
    except PolyhedralError:  # an unbounded set has no least point
        points = points.coalesce()
    size = points.dim(DimType.set)
    point = points.sample_point().get_multi_val()
    return tuple(point.get_val(position).to_python() for position in range(size))
