"""isl's scheduler: which statements run together, and the affine rows that they then share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import (
    DimType,
    PolyhedralError,
    PwMultiAff,
    ScheduleConstraints,
    ScheduleNodeType,
    UnionMap,
    UnionSet,
)
from hlsmem.polyhedra.constraints import lifted, rows
from hlsmem.polyhedra.limits import WorkLimitError, limited
from hlsmem.polyhedra.relations import maps_of, sets_of

OPERATIONS = 150_000
"""Operations of isl that one schedule may take where loops have factors up to _PLAIN."""
_PLAIN = 8
_LEAST = 4_000
"""isl counts what it allocates, and not the steps of its linear programs, whose numbers grow with
the factors of loops in dependences: of a permutation by 8, 32 and 1000 it does 3,000,000, 50,000
and 2,000 operations a second. So greater factors have proportionally fewer, but _LEAST."""

MOST_STATEMENTS = 32
"""Statements up to which isl is asked: of 43 with 132 dependences a schedule takes 48 s, of 40 with
151 more than 400 s, and neither limit above ends it."""

MOST_PIECES = 48
_PIECES_EACH = 6
"""Convex pieces of dependences, and pieces a statement, up to which a whole schedule is quick: of
16 statements with 106 pieces it takes 30 s, of 8 with 52 it takes 60 s, and OPERATIONS do not end
it. Of 20 statements with 102 pieces it takes 3 s."""

# Pairs of iterations of two statements, which stand by their positions: { [loops] -> [loops] }.
Pairs = tuple[int, int, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """Schedule of a statement: one of successive groups, and rows that the group shares.

    A row has a factor for each loop; constants are left out.
    """

    group: int
    rows: tuple[tuple[int, ...], ...]


def scheduled(
    domains: Sequence[Any], validity: Iterable[Pairs], proximity: Iterable[Pairs]
) -> tuple[Scheduled, ...] | None:
    """Schedule by isl of statements with these loops: outermost groups, each with its first band.

    Pairs of `validity` run in that order, those of `proximity` as near as may be. None where a
    row is not one form of integers, and where isl finds none. Raises WorkLimitError, also for more
    than MOST_STATEMENTS.

    Source: S. Verdoolaege, G. Janssens, "Scheduling for PPCG", report CW 706 (2017), section 2.

    >>> from hlsmem.polyhedra import Map, Set
    >>> loops = Set("{ [i, j] : 0 <= i, j < 9 }")
    >>> read = Map("{ [i, j] -> [u, v] : i = u + v and j = v and 0 <= i, j < 9 }")
    >>> writer, reader = scheduled([loops, loops], [(0, 1, read)], [(0, 1, read)]) or ()
    >>> writer.group, reader.group
    (0, 0)
    >>> def at(one, *instance):
    ...     return [sum(a * b for a, b in zip(row, instance)) for row in one.rows]
    >>> at(writer, 7, 3) == at(reader, 4, 3)
    True
    """
    if len(domains) > MOST_STATEMENTS:
        raise WorkLimitError(())
    named = UnionSet("{ }")
    for number, domain in enumerate(domains):
        named = named.union(UnionSet.from_set(domain.set_tuple_name(_name(number))))
    constraints = ScheduleConstraints.on_domain(named).set_validity(_union(validity))
    schedule = _computed(constraints.set_proximity(_union(proximity)))
    if schedule is None:
        return None
    found: dict[int, Scheduled] = {}
    for group, (statements, band) in enumerate(_groups(schedule.get_root().child(0))):
        rows = {} if band is None else {_number(one): _factors(one) for one in maps_of(band)}
        for number in statements:
            own = rows.get(number, ())
            if own is None:
                return None
            found[number] = Scheduled(group=group, rows=own)
    never = Scheduled(group=0, rows=())  # a statement that has no iterations
    return tuple(found.get(number, never) for number in range(len(domains)))


def schedule_times(domain: Any, dependences: Any, *, fuses: bool) -> Any:
    """{ S[i] -> [time] } by isl's whole schedule; None where it finds none.

    Pairs of `dependences` keep their order; loops of which no pair waits for an earlier iteration
    are preferred, and pairs as near as may be. Unless it `fuses`, what does not need each other
    has loops of its own. Raises WorkLimitError.

    >>> from hlsmem.polyhedra import UnionMap, UnionSet
    >>> loops = UnionSet("{ S[i, j] : 0 <= i, j < 9 }")
    >>> down = UnionMap("{ S[i, j] -> S[i, j + 1] : 0 <= i < 9 and 0 <= j < 8 }")
    >>> times = schedule_times(loops, down, fuses=True)
    >>> earlier = UnionMap("{ [a, b] -> [c, d] : c > a or (c = a and d > b) }")
    >>> down.is_subset(times.apply_range(earlier).apply_range(times.reverse()))
    True
    """
    context = domain.get_ctx()
    before = context.get_schedule_serialize_sccs()
    context.set_schedule_serialize_sccs(int(not fuses))
    try:
        constraints = ScheduleConstraints.on_domain(domain)
        constraints = constraints.set_validity(dependences).set_coincidence(dependences)
        schedule = _computed(constraints.set_proximity(dependences))
    finally:
        context.set_schedule_serialize_sccs(before)
    return None if schedule is None else schedule.get_map()


def takes_long(pairs: Iterable[Any], statements: int) -> bool:
    """True where a whole schedule that keeps the order of these pairs is not worth its time."""
    pieces = sum(int(one.n_basic_map()) for one in pairs)
    return pieces > max(MOST_PIECES, _PIECES_EACH * statements)


def _computed(constraints: Any) -> Any | None:
    """isl's schedule, None where it finds none. Raises WorkLimitError."""
    factor = _greatest_factor(constraints.get_validity())
    least = min(OPERATIONS, _LEAST)
    with limited(max(least, OPERATIONS * _PLAIN // max(factor, _PLAIN))):
        try:
            return constraints.compute_schedule()
        except PolyhedralError:  # "unable to carry dependences" that some order would keep
            return None


def _greatest_factor(pairs: Any) -> int:
    """The greatest factor of a loop in what relates pairs of iterations."""
    sets = (pair.wrap().compute_divs() for pair in maps_of(pairs))
    found = (row for one in sets for piece in one.get_basic_sets() for row in rows(lifted(piece)))
    return max((abs(factor) for row in found for factor in row.factors), default=1)


def _name(number: int) -> str:
    return f"n{number}"


def _number(named: Any) -> int:
    return int(named.get_tuple_name(DimType.in_).removeprefix("n"))


def _union(pairs: Iterable[Pairs]) -> Any:
    found = UnionMap("{ }")
    for source, target, relation in pairs:
        named = relation.set_tuple_name(DimType.in_, _name(source))
        found = found.union(UnionMap.from_map(named.set_tuple_name(DimType.out, _name(target))))
    return found


def _groups(node: Any) -> list[tuple[list[int], Any]]:
    """The statements of each group with its outermost band, None where it has no loops."""
    if node.get_type() in (ScheduleNodeType.sequence, ScheduleNodeType.set):
        nodes = [node.child(k).child(0) for k in range(node.n_children())]
    else:
        nodes = [node]
    return [
        (
            [int(one.get_tuple_name().removeprefix("n")) for one in sets_of(inner.get_domain())],
            inner.band_get_partial_schedule_union_map()
            if inner.get_type() == ScheduleNodeType.band
            else None,
        )
        for inner in nodes
    ]


def _factors(times: Any) -> tuple[tuple[int, ...], ...] | None:
    """The factors of loops in { S[loops] -> [rows] }; None where they are not one form."""
    forms: list[Any] = []
    PwMultiAff.from_map(times).foreach_piece(lambda _, form: forms.append(form))
    if len(forms) != 1:
        return None
    (rows,) = forms
    found = []
    for k in range(times.dim(DimType.out)):
        form = rows.get_aff(k)
        loops = range(times.dim(DimType.in_))
        factors = [form.get_coefficient_val(DimType.in_, loop) for loop in loops]
        if form.dim(DimType.div) or not all(factor.is_int() for factor in factors):
            return None
        found.append(tuple(int(factor.to_python()) for factor in factors))
    return tuple(found)
