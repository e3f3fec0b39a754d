"""The accesses of a cycle, from a program: which elements of an array its steps touch at once.

In sequential order every instance is a step of its own; by iterations all instances that
agree in the leading entries of their times are one (`pipeline.level`), those that unrolled
loops put side by side among them. Patterns are those of the plan's parameters and of the real
iteration domain: bases keep their strides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Any

from hlsmem.banks.pattern import Pattern
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.live_interval import stored_uses
from hlsmem.polyhedra import DimType, Map, PwMultiAff, Set, UnionMap, UnionSet, Val
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.lattices import Vector, hermite
from hlsmem.polyhedra.relations import only_map, rearrangement, union_map
from hlsmem.polyhedra.sets import count, fix_parameters, points, without_name
from hlsmem.program.model import Access, Order, Program, Statement
from hlsmem.timing.lanes import beat_times
from hlsmem.timing.value_flow import dataflow

# Elements that one step may touch, and kinds of steps told apart.
MOST_OFFSETS = 512
_MOST_KINDS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleAccesses:
    """Accesses of steps of some statements to one array through ports of one kind.

    `statements` share their steps: by iterations all that read (or write) the array, in
    sequential order each alone. `patterns` are the kinds of steps, in which every element is
    counted once; where steps are of too many kinds (`in_pairs`) every two elements that some
    step accesses, which says what ports of one access each have to do, and no more.
    """

    array: str
    writes: bool
    statements: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    in_pairs: bool = False

    @property
    def most(self) -> int:
        """Elements of the largest step."""
        return max(len(pattern.offsets) for pattern in self.patterns)


def cycle_accesses(
    program: Program, array: str, *, apart: bool = False
) -> tuple[CycleAccesses, ...]:
    """The accesses of one planned array by kind of port and shared steps; reads first.

    Reads of values made in the same step are left out: they are wires. `apart` takes every
    beat of every statement for itself, as streams do that each have ports of their own. Raises
    LimitError where a step touches more than MOST_OFFSETS elements, or they are at more
    differences.
    """
    together = program.order is Order.ITERATION and not apart
    steps = _steps(program, together)
    uses = stored_uses(program, dataflow(program, array))
    fetched = fix_parameters(uses.domain_factor_domain().reverse(), program.values)
    found = []
    for writes in (False, True):
        touched = [
            (statement, relations)
            for statement in program.statements
            if (relations := _relations(program, statement, array, writes, fetched))
        ]
        groups = [touched] if together else [[one] for one in touched]
        found += [_together(array, writes, group, steps) for group in groups if group]
    return tuple(found)


def _steps(program: Program, together: bool) -> Any:
    """UnionMap from instances to their steps, or their beats, at the plan's parameters."""
    step = rearrangement(program.time_dimensions, range(program.step_dimensions))
    times = (times_at(program, statement) for statement in program.statements)
    return union_map(
        one.apply_range(step) if together else beat_times(program, one) for one in times
    )


def times_at(program: Program, statement: Statement) -> Any:
    """The map from instances of a statement to their times, at the plan's parameters."""
    times = statement.schedule.intersect_domain(statement.domain).coalesce()
    return fix_parameters(times, program.values)


def _relations(
    program: Program, statement: Statement, array: str, writes: bool, fetched: Any
) -> list[tuple[Access, Any]]:
    """The accesses of a statement that take a port, with their relations at the parameters."""
    found = []
    for access in statement.writes if writes else statement.reads:
        if access.array != array:
            continue
        relation = access.relation.intersect_domain(statement.domain)
        relation = UnionMap.from_map(fix_parameters(relation, program.values))
        if not writes:
            relation = relation.intersect(fetched)
        if not relation.is_empty():
            found.append((access, Map.from_union_map(relation).coalesce()))
    return found


def _together(
    array: str,
    writes: bool,
    group: Sequence[tuple[Statement, list[tuple[Access, Any]]]],
    steps: Any,
) -> CycleAccesses:
    """The kinds of steps of statements that share them."""
    touched: list[tuple[Access, Any]] = []
    for access, relation in (pair for _, relations in group for pair in relations):
        own = only_map(steps.intersect_domain(UnionSet.from_set(relation.domain())), None)
        touched.append((access, own.reverse().apply_range(relation).coalesce()))
    whole = touched[0][1]
    for _, elements in touched[1:]:
        whole = whole.union(elements)
    whole = whole.coalesce()
    patterns = _patterns(array, whole, touched)
    return CycleAccesses(
        array=array,
        writes=writes,
        statements=tuple(statement.name for statement, _ in group),
        patterns=tuple(
            _pairs(array, whole, touched) if patterns is None else _without_parts(patterns)
        ),
        in_pairs=patterns is None,
    )


def _patterns(
    array: str, whole: Any, touched: Sequence[tuple[Access, Any]]
) -> list[Pattern] | None:
    """One pattern for each kind of step; `whole`: step -> element. None for too many kinds."""
    first = lexmin(whole)
    beside = whole.sum(first.neg())
    offsets = without_name(beside.range())
    if count(offsets) > MOST_OFFSETS:
        return None
    kinds = _kinds(beside, [tuple(row) for row in points(offsets).tolist()])
    if kinds is None:
        return None
    patterns = []
    for members, where in kinds:
        bases = first.intersect_domain(where)
        origin, strides = _strides(bases.range())
        names = _names(array, members, bases, touched)
        patterns.append(Pattern(offsets=members, origin=origin, steps=strides, names=names))
    return patterns


def _pairs(array: str, whole: Any, touched: Sequence[tuple[Access, Any]]) -> list[Pattern]:
    """The differences of elements of a step, as patterns of two accesses anywhere."""
    size = whole.dim(DimType.out)
    differences = _differences(whole, whole)
    positive = differences.subtract(_not_after_zero(differences.get_space(), size))
    if count(positive) > MOST_OFFSETS:
        raise LimitError(_too_many(array, touched))
    zero = (0,) * size
    found = points(without_name(positive)).tolist()
    return [Pattern.everywhere([zero, tuple(z)]) for z in found] or [Pattern.everywhere([zero])]


def _differences(elements: Any, others: Any) -> Any:
    """The differences of elements that steps access in one way and in another."""
    return elements.range_product(others).range().unwrap().deltas()


def _too_many(array: str, touched: Sequence[tuple[Access, Any]]) -> Problem:
    """Why there are too many differences: the two accesses with the most of them."""
    pairs = combinations_with_replacement(touched, 2)
    (one, _), (other, _) = max(pairs, key=lambda two: count(_differences(two[0][1], two[1][1])))
    names = [f"{array}{subscripts(access)}" for access in (one, other)]
    places = [
        f" at {access.source_location}" if access.source_location else "" for access in (one, other)
    ]
    return Problem(
        f"{names[0]}{places[0]} and {names[1]}{places[1]} are at distances that change from step"
        f" to step, those of a step at more than {MOST_OFFSETS} in all: too many for banks",
        "copies serve any reads",
    )


def _not_after_zero(space: Any, size: int) -> Any:
    """The tuples that are lexicographically at most 0."""
    zero = Set.universe(space)
    for k in range(size):
        zero = zero.fix_val(DimType.set, k, Val(0))
    return zero.apply(Map.lex_ge(space))


def _kinds(beside: Any, offsets: Sequence[Vector]) -> list[tuple[tuple[Vector, ...], Any]] | None:
    """(offsets, the steps that touch exactly these) for all kinds of steps; None for too many."""
    kinds: list[tuple[list[Vector], Any]] = [([], beside.domain())]
    for offset in offsets:
        at = beside.range()
        for position, entry in enumerate(offset):
            at = at.fix_val(DimType.set, position, Val(entry))
        touching = beside.intersect_range(at).domain()
        finer: list[tuple[list[Vector], Any]] = []
        for members, where in kinds:
            inside, outside = where.intersect(touching), where.subtract(touching)
            finer += [([*members, offset], inside)] if not inside.is_empty() else []
            finer += [(members, outside)] if not outside.is_empty() else []
        kinds = [(members, where.coalesce()) for members, where in finer]
        if len(kinds) > _MOST_KINDS:
            return None
    return [(tuple(members), where) for members, where in kinds]


def _strides(bases: Any) -> tuple[Vector, tuple[Vector, ...]]:
    """(origin, steps) of the smallest lattice along the axes that holds a set of elements."""
    size = bases.dim(DimType.set)
    sample = bases.sample_point().get_multi_val()
    origin = tuple(sample.get_val(k).to_python() for k in range(size))
    rows = []
    for k in range(size):
        if bases.dim_min_val(k) != bases.dim_max_val(k):
            stride = bases.get_stride(k).to_python()
            rows.append([stride if j == k else 0 for j in range(size)])
    steps = hermite(rows) if rows else ()
    # The origin in the first box of the lattice, so that equal patterns are equal values.
    for row in steps:
        k = next(j for j, entry in enumerate(row) if entry)
        origin = tuple(o - origin[k] // row[k] * r for o, r in zip(origin, row, strict=True))
    return origin, steps


def _names(
    array: str, members: Sequence[Vector], bases: Any, touched: Sequence[tuple[Access, Any]]
) -> tuple[str, ...]:
    """Names of the accesses of a pattern: as in the source, with their places."""
    step = Set.from_point(bases.domain().sample_point())
    base = points(without_name(bases.intersect_domain(step).range()))[0]
    named: dict[Vector, str] = {}
    for access, elements in touched:
        for element in points(without_name(elements.intersect_domain(step).range())):
            offset = tuple((element - base).tolist())
            text = f"{array}{subscripts(access)}" if subscripts(access) else array
            where = f" at {access.source_location}" if access.source_location else ""
            named.setdefault(offset, text + where)
    return tuple(named.get(offset, f"{array}{list(offset)}") for offset in members)


def subscripts(access: Access) -> str:
    """The subscripts of an access as isl writes them, e.g. "[-1 + y][x]"; "" where it is pieced."""
    form = PwMultiAff.from_map(access.relation)
    if form.n_piece() != 1:
        return ""
    inner = re.search(r"-> \w+\[(.*?)\](?: :| \})", str(form))
    if inner is None:
        return ""
    parts = [part.strip().removeprefix("(").removesuffix(")") for part in inner[1].split(", ")]
    return "".join(f"[{part}]" for part in parts)


def _without_parts(patterns: Iterable[Pattern]) -> list[Pattern]:
    """The patterns without those that are a part of another, wherever they stand."""
    ordered = sorted(patterns, key=lambda p: (-len(p.offsets), p.offsets, p.origin, p.steps))
    kept: list[Pattern] = []
    for pattern in ordered:
        if not any(_is_part(pattern, other) for other in kept):
            kept.append(pattern)
    return kept


def _is_part(pattern: Pattern, other: Pattern) -> bool:
    """True if every place of a pattern is within one of the other's."""
    own = set(other.offsets)
    for held in other.offsets:
        shift = [h - p for h, p in zip(held, pattern.offsets[0], strict=True)]
        moved = [tuple(a + b for a, b in zip(o, shift, strict=True)) for o in pattern.offsets]
        if not own.issuperset(moved):
            continue
        base = [a - s - b for a, s, b in zip(pattern.origin, shift, other.origin, strict=True)]
        if hermite([*other.steps, *pattern.steps, base]) == hermite(other.steps):
            return True
    return False
