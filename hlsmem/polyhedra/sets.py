"""Counting, listing and taking differences of integer sets, with isl's pitfalls kept in here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra.limits import WorkLimitError, is_hit

if TYPE_CHECKING:
    import numpy as np


def fix_parameters(value: Any, values: Mapping[str, int]) -> Any:
    """`value` (set, map or union) with the parameters in `values` replaced by integers.

    Parameters of `value` that `values` does not name stay symbolic.
    """
    if hasattr(value, "get_set_list") or hasattr(value, "get_map_list"):
        return _fix_union(value, values)
    for name, number in values.items():
        position = value.find_dim_by_name(DimType.param, name)
        if position >= 0:
            value = value.fix_val(DimType.param, position, Val(number))
            value = value.project_out(DimType.param, position, 1)
    return value


def at_values(where: Any, values: Mapping[str, int]) -> Any:
    """The part of a parameter set where parameters, which it keeps, have these values."""
    for name, value in values.items():
        position = where.find_dim_by_name(DimType.param, name)
        where = where.fix_val(DimType.param, position, Val(value))
    return where


def _fix_union(union: Any, values: Mapping[str, int]) -> Any:
    space = union.get_space()
    inside = Set.universe(space.params())
    for name, number in values.items():
        position = inside.find_dim_by_name(DimType.param, name)
        if position >= 0:
            inside = inside.fix_val(DimType.param, position, Val(number))
    union = union.intersect_params(inside)
    for name in values:
        position = union.get_space().find_dim_by_name(DimType.param, name)
        if position >= 0:
            union = union.project_out(DimType.param, position, 1)
    return union


def count(value: Any) -> int:
    """Number of integer points of a bounded set or map without free parameters.

    Raises ValueError otherwise: isl itself would answer 0; WorkLimitError where a limit is hit.
    """
    subject = _bounded_without_parameters(value, "count")
    if subject.dim(DimType.set) < 2 or _bounding(subject)[1] < _LISTED:
        return _counted(subject)
    pieces = subject.make_disjoint().get_basic_sets()
    return sum(_size(one) for one in pieces)


# isl goes through the rows of a set, which of a large box takes longer than its sides.
_LISTED = 1 << 12


def _size(piece: Any) -> int:
    """The number of points of one piece of a set: a product over the dimensions that nothing
    relates, of a box over its sides."""
    whole = Set.from_basic_set(piece).flatten().reset_tuple_id()
    size = whole.dim(DimType.set)
    product, number = Set.universe(whole.get_space()), 1
    for group in _related(piece):
        factor = whole
        others = [k for k in range(size) if k not in group]
        for k in reversed(others):
            factor = factor.project_out(DimType.set, k, 1)
        number *= _counted(factor)
        for k in others:
            factor = factor.insert_dims(DimType.set, k, 1)
        product = product.intersect(factor)
    return number if product.is_subset(whole) else _counted(whole)


def _counted(points: Any) -> int:
    """The number of points by isl, which would cut it short at a limit without a word."""
    number = int(str(points.count_val()))
    if is_hit():
        raise WorkLimitError(())
    return number


def _related(piece: Any) -> list[list[int]]:
    """The dimensions of a piece of a set that are in one constraint, also by what they divide."""
    kinds = (DimType.set, DimType.div)
    groups = [{(kind, k)} for kind in kinds for k in range(piece.dim(kind))]
    for constraint in piece.get_constraints():
        meets = {
            (kind, k)
            for kind in kinds
            for k in range(piece.dim(kind))
            if constraint.involves_dims(kind, k, 1)
        }
        apart = [group for group in groups if not meets & group]
        groups = [*apart, meets.union(*(group for group in groups if meets & group))]
    dimensions = (sorted(k for kind, k in group if kind == DimType.set) for group in groups)
    return [group for group in dimensions if group]


def _bounding(points: Any) -> tuple[list[tuple[int, int]], int]:
    """The sides (first, last) of the box around some points and its size; none around none."""
    sides = []
    for k in range(points.dim(DimType.set)):
        low, high = points.dim_min_val(k), points.dim_max_val(k)
        if not low.is_int() or not high.is_int():
            return [], 0
        sides.append((int(str(low)), int(str(high))))
    return sides, prod(high - low + 1 for low, high in sides)


def points_around(value: Any) -> int:
    """The size of the box around the points of a bounded set without free parameters."""
    return _bounding(_bounded_without_parameters(value, "count"))[1]


def entry_range(tuples: Any, entry: int) -> tuple[int, int]:
    """The least and the greatest value of an entry of bounded tuples, of which there are some."""
    low, high = tuples.dim_min_val(entry), tuples.dim_max_val(entry)
    return int(low.to_python()), int(high.to_python())


def points(value: Any) -> np.ndarray:
    """All integer points of a bounded, parameter-free set: int64, shape (points, dimensions).

    Rows are distinct and in lexicographic order. Maps are listed as their wrapped sets.
    """
    from hlsmem.polyhedra.enumeration import distinct_points

    return distinct_points(_bounded_without_parameters(value, "list"))


def _bounded_without_parameters(value: Any, verb: str) -> Any:
    """The set that `value` is or wraps to, rid of parameters that no constraint depends on."""
    subject = value.wrap() if hasattr(value, "wrap") else value
    parameters = subject.dim(DimType.param)
    if subject.involves_dims(DimType.param, 0, parameters):
        raise ValueError(f"cannot {verb} a set with free parameters: {value}")
    # isl counts 0 points even where a parameter is only declared.
    subject = subject.project_out(DimType.param, 0, parameters)
    if not subject.is_bounded():
        raise ValueError(f"cannot {verb} an unbounded set: {value}")
    return subject


def without(value: Any, dimension: int, values: tuple[int, int]) -> Any:
    """A set without the points that have a value from one number to another (excluded) in a
    dimension.

    >>> count(without(Set("{ [x] : 0 <= x < 9 }"), 0, (3, 7)))
    5
    """
    below = value.upper_bound_val(DimType.set, dimension, Val(values[0] - 1))
    return below.union(value.lower_bound_val(DimType.set, dimension, Val(values[1]))).coalesce()


def differences(relation: Any, context: Any = None) -> Any:
    """Differences target - source of a relation inside one space, closed under sign, with 0.

    `relation` lies within the `context`, a parameter set, where one is given; 0 is then as well.
    """
    return symmetric_with_zero(relation.deltas(), context)


def symmetric_with_zero(value: Any, context: Any = None) -> Any:
    """A set with the negatives of its points and 0, the latter within `context`."""
    zero = Set.universe(value.get_space())
    for position in range(value.dim(DimType.set)):
        zero = zero.fix_val(DimType.set, position, Val(0))
    if context is not None:
        zero = zero.intersect_params(context)
    return value.union(value.neg()).union(zero).coalesce()


def has_divisions(value: Any) -> bool:
    """True if a piece of a set needs unknowns beside its coordinates, such as quotients."""
    return any(piece.dim(DimType.div) > 0 for piece in value.get_basic_sets())


def without_name(value: Any) -> Any:
    """The set with an anonymous tuple."""
    return Set.reset_tuple_id(value) if value.has_tuple_id() else value


def parameter_names(value: Any) -> Sequence[str]:
    """The names of the parameters of a set, map or union, in order."""
    space = value.get_space()
    return [space.get_dim_name(DimType.param, i) for i in range(space.dim(DimType.param))]


def with_parameters(value: Any, names: Sequence[str]) -> Any:
    """`value` (set, map or union) with exactly the parameters `names`, in that order.

    Raises ValueError where `value` has a parameter that is not among them.
    """
    foreign = [name for name in parameter_names(value) if name not in names]
    if foreign:
        raise ValueError(f"{value} has the parameters {', '.join(foreign)}")
    return value.align_params(Set(f"[{', '.join(names)}] -> {{ : }}").get_space())


def without_parameters(value: Any, names: Sequence[str]) -> Any:
    """`value` (set, map or union) for any values of the parameters `names`, which it loses."""
    for name in names:
        position = value.get_space().find_dim_by_name(DimType.param, name)
        if position >= 0:
            value = value.project_out(DimType.param, position, 1)
    return value


def involves_parameter(value: Any, name: str) -> bool:
    """True if a constraint of a set or map depends on the parameter `name`."""
    position = value.find_dim_by_name(DimType.param, name)
    return position >= 0 and bool(value.involves_dims(DimType.param, position, 1))
