"""The instances of a statement by number: how many come before one, and back.

Times are peeled from the outermost entry: `before` says how many instances come before the slice
at a value of an entry, given the entries in front of it, and grows with the value. The slice of a
number is found where `before` passes it: by a root where `before` is one quadratic or linear
polynomial, else by bisection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from math import lcm
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Aff, Constraint, DimType, LocalSpace, PwAff, Set, Val
from hlsmem.polyhedra.cardinality import count_parts
from hlsmem.polyhedra.enclosing_instances import bind, images
from hlsmem.polyhedra.relations import fixed_entries, with_names
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.summation import Polynomial
from hlsmem.program.model import Program, Statement
from hlsmem.read.design_names import RESERVED
from hlsmem.timing.instance_text import instance_text

# Numbers in the roots stay below, so that 64 bits hold them.
MOST_INSTANCES = 1 << 59

BEFORE = f"{RESERVED}x"
"""Name of an entry's value in the count of the instances before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPart:
    """A polynomial in the variables `names`, and where it holds: a set of parameters."""

    where: Any = field(compare=False)
    terms: Polynomial
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Root:
    """before(x) = (square x^2 + linear x + constant) / divisor, everywhere on its slice.

    `linear` and `constant` are polynomials in the other variables, with integer factors.
    """

    square: int
    linear: Polynomial
    constant: Polynomial
    divisor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """An entry of the times: its name, its range given the entries before it, and the count of
    instances before a value of it, in which BEFORE is the value.

    `low` and `high` are PwAffs over the parameters and the entries before. The count is for values
    above `low`, before which there are none.
    """

    name: str
    low: Any = field(compare=False)
    high: Any = field(compare=False)
    before: tuple[CountPart, ...]
    root: Root | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The numbers of the instances of a statement, first 0, in the order in which they run.

    `inverse` maps the times that vary, [entries of `levels`], to instances; `entries` are their
    positions in whole times.
    """

    statement: Statement
    total: tuple[CountPart, ...]
    levels: tuple[Level, ...]
    entries: tuple[int, ...]
    inverse: Any = field(compare=False)
    context: Any = field(compare=False)

    def images(self) -> list[Any]:
        """The iterators as PwAffs over the parameters and the names of the levels."""
        return images(self.inverse, [one.name for one in self.levels])


def ranking_of(program: Program, statement: Statement) -> Ranking:
    """The ranking of a statement in the order of the program, for all parameters of its context.

    Raises InputError where instances share a time, or no formula counts them.
    """
    order = statement.schedule.intersect_domain(statement.domain)
    order = order.intersect_params(program.context)
    times = order.range().coalesce()
    if not order.is_injective():
        what = f"instances of {statement.name!r} run at the same time, so they have no numbers"
        raise InputError(Problem(what, "give each a time of its own", statement.source_location))
    fixed = fixed_entries(times)
    entries = tuple(k for k in range(times.dim(DimType.set)) if k not in fixed)
    inverse = order.reverse()
    for entry in reversed(range(times.dim(DimType.set))):
        if entry in fixed:
            times = times.project_out(DimType.set, entry, 1)
            inverse = inverse.project_out(DimType.in_, entry, 1)
    names = [f"{RESERVED}t{k}" for k in range(len(entries))]
    try:
        total = _parts(times, program.context)
        levels = tuple(_level(times, names, k) for k in range(len(names)))
    except ValueError:
        what = f"the instances of {statement.name!r} cannot be counted by a formula"
        raise InputError(
            Problem(what, "give it a simpler domain", statement.source_location)
        ) from None
    return Ranking(
        statement=statement,
        total=total,
        levels=levels,
        entries=entries,
        inverse=inverse,
        context=program.context,
    )


def _parts(points: Any, context: Any) -> tuple[CountPart, ...]:
    found = count_parts(points, context)
    return tuple(CountPart(where=w, terms=terms, names=names) for w, terms, names in found)


def _level(times: Any, names: Sequence[str], entry: int) -> Level:
    size = times.dim(DimType.set)
    slices = _fixed_before(times, names[:entry])  # { [entry, ..] } over the entries before
    own = slices.project_out(DimType.set, 1, size - entry - 1).coalesce()
    low, high = own.dim_min(0), own.dim_max(0)
    position = slices.dim(DimType.param)
    earlier = slices.add_dims(DimType.param, 1).set_dim_name(DimType.param, position, BEFORE)
    at_most = Constraint.inequality_alloc(LocalSpace.from_space(earlier.get_space()))
    at_most = at_most.set_coefficient_val(DimType.param, position, 1)
    at_most = at_most.set_coefficient_val(DimType.set, 0, -1).set_constant_val(-1)
    earlier = earlier.add_constraint(at_most)
    # { BEFORE behind the least value, to one behind the greatest }: before the least are none
    inside = own.params().add_dims(DimType.param, 1)
    inside = inside.set_dim_name(DimType.param, position, BEFORE)
    inside = inside.intersect(_between(low, high, position))
    before = _parts(earlier, inside)
    return Level(name=names[entry], low=low, high=high, before=before, root=_root(before))


def _fixed_before(times: Any, names: Sequence[str]) -> Any:
    """The later entries of times as a set over the first ones, as parameters `names`."""
    times = with_names(times, DimType.set, names)
    moved = times.identity()
    moved = moved.project_out(DimType.in_, len(names), times.dim(DimType.set) - len(names))
    moved = moved.project_out(DimType.out, 0, len(names))
    return bind(moved, names) if names else times


def _between(low: Any, high: Any, position: int) -> Any:
    """Parameters at which the one at `position` is from `low` + 1 to `high` + 1."""
    space = low.get_domain_space().add_dims(DimType.param, 1)
    space = space.set_dim_name(DimType.param, position, BEFORE)
    value = PwAff.from_aff(Aff.var_on_domain(LocalSpace.from_space(space), DimType.param, position))
    low = low.align_params(space)
    high = high.align_params(space).add_constant_val(Val(1))
    return value.gt_set(low).intersect(value.le_set(high)).params()


def _root(before: Sequence[CountPart]) -> Root | None:
    """The polynomial of `before` where it is one, at most quadratic in the value."""
    parts = [one for one in before if not one.where.is_empty()]
    if len(parts) != 1:
        return None
    (part,) = parts
    position = part.names.index(BEFORE)
    divisor = lcm(*(Fraction(factor).denominator for _, factor in part.terms.terms), 1)
    powers = part.terms.scaled(divisor).by_power(position)
    none = Polynomial.constant(part.terms.variables, 0)
    square = powers.get(2, none)
    linear, constant = powers.get(1, none), powers.get(0, none)
    if max(powers, default=0) > 2 or not (square.terms or linear.terms):
        return None
    factor = square.constant_term()
    if (square - Polynomial.constant(part.terms.variables, factor)).terms:
        return None
    return Root(int(factor), linear, constant, divisor)


def total_at(ranking: Ranking, values: Mapping[str, int]) -> int:
    """The number of instances at some parameters."""
    return _value(ranking.total, values)


def instance_at(ranking: Ranking, values: Mapping[str, int], number: int) -> tuple[int, ...]:
    """The iterators of the instance with a number, 0 to `total_at` - 1, by bisection."""
    times = times_at(ranking, values, number)
    known = {**values, **dict(zip((one.name for one in ranking.levels), times, strict=True))}
    return tuple(_at(image, known) for image in ranking.images())


def times_at(ranking: Ranking, values: Mapping[str, int], number: int) -> tuple[int, ...]:
    """The entries of the time of an instance that vary, by bisection."""
    known = dict(values)
    for level in ranking.levels:
        least, high = _at(level.low, known), _at(level.high, known)
        low = least
        while low < high:
            middle = (low + high + 1) // 2
            if _value(level.before, {**known, BEFORE: middle}) <= number:
                low = middle
            else:
                high = middle - 1
        if low > least:
            number -= _value(level.before, {**known, BEFORE: low})
        known[level.name] = low
    return tuple(known[level.name] for level in ranking.levels)


def starts(total: int, parts: int) -> tuple[int, ...]:
    """The first numbers of so many parts that differ by at most one instance, and the end.

    >>> starts(10, 3)
    (0, 3, 6, 10)
    """
    return tuple(part * total // parts for part in range(parts + 1))


def _at(value: Any, known: Mapping[str, int]) -> int:
    """A PwAff over parameters at their values."""
    found = fix_parameters(Set.from_pw_aff(value), known)
    return int(found.dim_max_val(0).to_python())


def _value(parts: Sequence[CountPart], known: Mapping[str, int]) -> int:
    for part in parts:
        if len(parts) == 1 or not fix_parameters(part.where, known).is_empty():
            return int(part.terms.evaluate([known[name] for name in part.names]))
    raise ValueError(f"no part at {known}")


def text_of(ranking: Ranking, point: Sequence[int]) -> str:
    """An instance as people write it, e.g. "C at y=2, x=0"."""
    return instance_text(ranking.statement, list(point))
