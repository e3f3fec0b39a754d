"""Building piecewise quasi-affine expressions on a space of loop iterators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import islpy as _isl

from hlsmem.polyhedra import Aff, DimType, Map, PwAff, Space, Val


def instance_space(parameters: Sequence[str], dimensions: int) -> Any:
    """The anonymous set space [parameters] -> { [d0, .., dn] }."""
    space = Space.set_alloc(_isl.DEFAULT_CONTEXT, len(parameters), dimensions)
    for position, name in enumerate(parameters):
        space = space.set_dim_name(DimType.param, position, name)
    return space


def constant(space: Any, value: int) -> Any:
    """The PwAff that is `value` everywhere on the set space."""
    return PwAff.from_aff(Aff.zero_on_domain_space(space).set_constant_val(Val(str(value))))


def dimension(space: Any, position: int) -> Any:
    """The PwAff that is the set dimension at `position`."""
    zero = Aff.zero_on_domain_space(space)
    return PwAff.from_aff(zero.set_coefficient_val(DimType.in_, position, Val(1)))


def parameter(space: Any, name: str) -> Any:
    """The PwAff that is the parameter `name`; ValueError if the space lacks it."""
    position = space.find_dim_by_name(DimType.param, name)
    if position < 0:
        raise ValueError(f"the space has no parameter {name!r}")
    zero = Aff.zero_on_domain_space(space)
    return PwAff.from_aff(zero.set_coefficient_val(DimType.param, position, Val(1)))


def lift(expression: Any, dimensions: int) -> Any:
    """The same PwAff on a space with set dimensions added behind, `dimensions` in all."""
    missing = dimensions - expression.dim(DimType.in_)
    return expression.add_dims(DimType.in_, missing) if missing else expression


def constant_value(expression: Any) -> int | None:
    """The integer a PwAff is wherever it is defined, or None if it varies.

    >>> half = PwAff("[n] -> { [i] -> [(n - 1)/2] : n mod 2 = 1 }")
    >>> constant_value(half), constant_value(half.add(half.neg()))
    (None, 0)
    """
    if _has_quotient(expression):  # isl bounds sums with integer factors alone
        values = Map.from_pw_aff(expression).range()
        values = values.project_out(DimType.param, 0, values.dim(DimType.param))
        expression = PwAff.from_aff(Aff.var_on_domain(values.space, DimType.set, 0))
        expression = expression.intersect_domain(values)
    least, greatest = expression.min_val(), expression.max_val()
    if least.is_int() and greatest.is_int() and least.eq(greatest):
        return int(least.to_python())
    return None


def _has_quotient(expression: Any) -> bool:
    found = []
    expression.foreach_piece(lambda _, one: found.append(not one.get_denominator_val().is_one()))
    return any(found)


def to_box(low: Sequence[Any], high: Sequence[Any], domain: Any, source: str, target: str) -> Any:
    """{ source[i] -> target[x] : low(i) <= x <= high(i), i in domain }, component by component."""
    first, last = (to_map(components, domain, source) for components in (low, high))
    size = len(low)
    result = Map.universe(first.get_space())
    for position in range(size):
        # Of x and y in one box the first is no greater in this component.
        pairs = Map.universe(result.get_space().range().map_from_set())
        pairs = pairs.order_le(DimType.in_, position, DimType.out, position)
        result = result.intersect(first.apply_range(pairs))
        result = result.intersect(last.apply_range(pairs.reverse()))
    return result.set_tuple_name(DimType.out, target)


def to_map(components: Sequence[Any], domain: Any, source: str, target: str | None = None) -> Any:
    """{ source[i] -> target[components] : i in domain }; no `target` makes an anonymous one.

    `domain` is an anonymous set on the space of the components; there may be none.
    """
    space = domain.space
    targets = Space.set_alloc(_isl.DEFAULT_CONTEXT, space.dim(DimType.param), len(components))
    for position in range(space.dim(DimType.param)):
        name = space.get_dim_name(DimType.param, position)
        targets = targets.set_dim_name(DimType.param, position, name)
    space = space.map_from_domain_and_range(targets)
    values = _isl.PwAffList.alloc(_isl.DEFAULT_CONTEXT, len(components))
    for component in components:
        values = values.add(component)
    relation = _isl.MultiPwAff.from_pw_aff_list(space, values).as_map() if components else None
    relation = relation if relation is not None else Map.universe(space)
    relation = relation.intersect_domain(domain).set_tuple_name(DimType.in_, source)
    return relation.set_tuple_name(DimType.out, target) if target else relation
