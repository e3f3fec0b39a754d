"""The nest that is tiled: its instances as integer points, its dependences as pairs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from math import prod
from typing import Any

import numpy as np

from hlsmem.core.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.isl_text import parse_map
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import count, fix_parameters, without_name
from hlsmem.program.model import Copy, Program, Statement, values_name
from hlsmem.read.program_keys import hindrances
from hlsmem.studies.tilings.rows import Row, row_text
from hlsmem.timing.class_dependences import dependences, union_of_dependences
from hlsmem.timing.planned_program import arranged_within

MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """The deepest loops of a program: `loops`, the first of which is time, the others data.

    `statements` are those inside of all these loops, `outside` the names of the others.
    `flow` are the differences of dependent instances, int64 rows, distinct; for textual order
    within one iteration they have no row.
    """

    program: Program
    loops: tuple[str, ...]
    statements: tuple[Statement, ...]
    outside: tuple[str, ...]
    relation: Any = field(compare=False)
    flow: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """All instances at the plan's values: loops, one row each, and pairs (source, sink) of them."""

    loops: np.ndarray = field(compare=False)
    sources: np.ndarray = field(compare=False)
    sinks: np.ndarray = field(compare=False)

    def __len__(self) -> int:
        return len(self.loops)


def nest_of(program: Program) -> Nest:
    """The nest of a program. Raises InputError where its deepest statements share no loops."""
    own = [one for one in program.statements if not isinstance(one.body, Copy)]
    depth = max((len(one.iterators) for one in own), default=0)
    if depth < 2:
        what = "tiles need a nest of two loops or more, the first of them over time"
        raise InputError(Problem(what, "choose another design"))
    inside = tuple(one for one in own if len(one.iterators) == depth)
    loops = inside[0].iterators
    other = next((one for one in inside if one.iterators != loops), None)
    if other is not None:
        what = f"{inside[0].name!r} runs in {_listed(loops)}, {other.name!r} in"
        what = f"the deepest statements share no loops: {what} {_listed(other.iterators)}"
        raise InputError(Problem(what, "give their loops the same names", other.source_location))
    names = {one.name for one in inside}
    relation = union_of_dependences(dependences(program))
    kept = [
        one
        for one in maps_of(relation)
        if {one.get_tuple_name(kind) for kind in (DimType.in_, DimType.out)} <= names
    ]
    fixed = [fix_parameters(one, program.values) for one in kept]
    flow: set[tuple[int, ...]] = set()
    for one in fixed:
        apart = one.set_tuple_name(DimType.in_, "").set_tuple_name(DimType.out, "").deltas()
        if not apart.is_bounded() or count(apart) > MOST_POINTS:
            continue
        flow |= {tuple(row) for row in distinct_points(apart).tolist()}
    return Nest(
        program=program,
        loops=loops,
        statements=inside,
        outside=tuple(one.name for one in own if one.name not in names),
        relation=tuple(kept),
        flow=tuple(sorted(row for row in flow if any(row))),
    )


def single_assignment_of(
    nest: Nest, given: Program, operations: int
) -> tuple[Nest, tuple[str, ...]] | None:
    """The nest with every array that it writes in single assignment, and the names of these.

    `given` is the program of the nest as it was before it was arranged, which takes so many
    operations of isl at most. None where `plan.expand` takes none of the arrays.
    """
    written = {access.array for one in nest.statements for access in one.writes}
    added = [
        name
        for name in given.arrays
        if name in written and name not in given.expand and not any(hindrances(name, given))
    ]
    if not added or given.kernel is None or given.order.value != "sequential":
        return None
    try:
        program = arranged_within(operations, replace(given, expand=(*given.expand, *added)))
    except HlsmemError:
        return None  # a name is taken, or it takes too long: the nest stays as it is
    names = [one for one in (*given.expand, *added) if values_name(one) in program.arrays]
    return (nest_of(program), tuple(names)) if set(names) & set(added) else None


def _listed(names: tuple[str, ...]) -> str:
    return f"[{', '.join(names)}]"


def size_of(nest: Nest) -> int:
    """The number of instances at the plan's values."""
    values = nest.program.values
    return sum(count(fix_parameters(one.domain, values)) for one in nest.statements)


def least_of(nest: Nest, rows: Sequence[Row]) -> tuple[int, ...]:
    """The least value of each row over the instances at the plan's values."""
    values = nest.program.values
    domains = [without_name(fix_parameters(one.domain, values)) for one in nest.statements]
    found = []
    for row in rows:
        form = f"{{ [{', '.join(nest.loops)}] -> [{row_text(row, nest.loops)}] }}"
        images = [one.apply(parse_map(form, parameters=())) for one in domains]
        found.append(min(one.dim_min_val(0).to_python() for one in images if not one.is_empty()))
    return tuple(found)


def points_of(nest: Nest) -> Points:
    """The instances and their dependences. Raises LimitError above 10^6 of them."""
    size = size_of(nest)
    if size > MOST_POINTS:
        what = f"the nest has {size} instances, more than {MOST_POINTS}"
        raise LimitError(Problem(what, "ask at smaller parameters, with --param"))
    values = nest.program.values
    parts = {
        one.name: distinct_points(fix_parameters(one.domain, values)) for one in nest.statements
    }
    loops = np.concatenate(list(parts.values()))
    low = loops.min(axis=0)
    extent = loops.max(axis=0) - low + 1

    def key(rows: np.ndarray) -> np.ndarray:
        found = np.zeros(len(rows), dtype=np.int64)
        for k in range(rows.shape[1]):
            found = found * extent[k] + (rows[:, k] - low[k])
        return found

    starts, first = dict[str, int](), 0
    for name, rows in parts.items():
        starts[name] = first
        first += len(rows)
    keys = {name: key(rows) for name, rows in parts.items()}
    sources, sinks = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for one in nest.relation:
        rows = distinct_points(fix_parameters(one, values).wrap())
        for found, kind, half in (
            (sources, DimType.in_, rows[:, : len(nest.loops)]),
            (sinks, DimType.out, rows[:, len(nest.loops) :]),
        ):
            name = one.get_tuple_name(kind)
            found.append(starts[name] + np.searchsorted(keys[name], key(half)))
    return Points(loops=loops, sources=np.concatenate(sources), sinks=np.concatenate(sinks))


def box_of(nest: Nest) -> tuple[tuple[int, int], ...] | None:
    """The least and the largest value of each loop where the nest is the whole box, else None."""
    domains = [
        without_name(fix_parameters(one.domain, nest.program.values)) for one in nest.statements
    ]
    whole = domains[0]
    for one in domains[1:]:
        whole = whole.union(one)
    ends = [
        (whole.dim_min_val(k).to_python(), whole.dim_max_val(k).to_python())
        for k in range(len(nest.loops))
    ]
    size = prod(high - low + 1 for low, high in ends)
    return tuple(ends) if size == count(whole.coalesce()) else None
