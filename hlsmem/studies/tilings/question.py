"""Question of `hlsmem tiles`: the tilings of a design's nest, and the cost of one tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problems import class_problems, storage_problems
from hlsmem.mapping.portfolio import plan_array
from hlsmem.planner.array_folding import operations_of
from hlsmem.polyhedra import DimType, Set, UnionMap, UnionSet
from hlsmem.polyhedra.isl_text import parse_map
from hlsmem.polyhedra.relations import maps_of, named, union_map
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, ConflictInput, Program, Statement
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import AnyOrder, Band, Banded, ScheduleClass
from hlsmem.studies.tilings.rows import Row, row_text
from hlsmem.studies.tilings.table import TilesRow
from hlsmem.studies.tilings.tile_waves import by_formula, has_formula
from hlsmem.studies.tilings.tiled_nest import (
    MOST_POINTS,
    Nest,
    Points,
    least_of,
    nest_of,
    points_of,
    single_assignment_of,
    size_of,
)
from hlsmem.studies.tilings.tiling import KINDS, Tiling
from hlsmem.studies.tilings.tiling_kinds import SIDED, refusal, rows_of, tiling_of
from hlsmem.timing.events import LIVE_IN
from hlsmem.timing.planned_program import arranged_within
from hlsmem.timing.value_flow import dataflow

# Sides of tiles where none are given: a band of two steps, and four in each loop of data.
_BAND, _SIDE = 2, 4
# Factors of rows, sizes and origins: what they make of loops fits into 64 bits.
MOST_FACTOR = 1_000_000
_LARGEST = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tilings:
    """The answers for a design, in the order of kinds; cells are sums over the planned arrays."""

    design: Design = field(compare=False)
    nest: Nest = field(compare=False)
    answers: tuple[TilesRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A kind of tiling, or `rows` by hand, with the sizes and the origin that were given.

    `is_alone` says that the sizes are for this kind.
    """

    kind: str
    rows: tuple[Row, ...] = ()
    sizes: tuple[int, ...]
    origin: tuple[int, ...]
    is_alone: bool


def ask_tiles(
    design: Design,
    *,
    kind: str = "all",
    rows: str | None = None,
    sizes: Sequence[int] = (),
    origin: Sequence[int] = (),
    expand: bool = True,
) -> Tilings:
    """The tilings of one of the kinds, of all, or by `rows`, texts with commas between them.

    `sizes` are those of the rows, one for all where there is only one; with all kinds those of
    time and data, and tiles with sides over both get twice the size in time. The first tile begins
    at `origin`, else at the least value of each row. What the arrays of the nest forbid is tiled by
    the values they hold where that is legal, and else, or without `expand`, refused. Raises
    InputError for a conflict set, a program without a nest, and rows, sizes or origins that are
    none.
    """
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no loops that could run in tiles"
        raise InputError(Problem(what, "give a program"))
    nest = nest_of(arranged_within(operations_of(design), design.input))
    if not size_of(nest):
        what = "the deepest loops never run, and have no tiles"
        raise InputError(Problem(what, "ask at larger parameters, with --param"))
    forms = () if rows is None else rows_of_text(nest, rows)
    depth = len(forms or nest.loops)
    kinds = ("rows",) if forms else tuple(KINDS) if kind == "all" else (kind,)
    given = _sizes(sizes, depth), _as_many(tuple(origin), depth, "--origin")
    wanted = [
        _Asked(kind=one, rows=forms, sizes=given[0], origin=given[1], is_alone=len(kinds) == 1)
        for one in kinds
    ]
    answers = tuple(_answer(nest, points, one) for points in (_listed(nest),) for one in wanted)
    if not all(one.tiling.is_legal for one in answers):
        answers = _by_values(design, nest, wanted, answers, refuse=not expand)
    return Tilings(design=design, nest=nest, answers=answers)


def _by_values(
    design: Design,
    nest: Nest,
    wanted: Sequence[_Asked],
    answers: Sequence[TilesRow],
    *,
    refuse: bool,
) -> tuple[TilesRow, ...]:
    """The answers with what is legal for the values of the nest alone in place of its refusal.

    To `refuse` it, too, the refusal has the names of the arrays.
    """
    assert isinstance(design.input, Program)
    apart = single_assignment_of(nest, design.input, operations_of(design))
    if apart is None:
        return tuple(answers)
    values, names = apart
    points = _listed(values)
    found = []
    for before, asked in zip(answers, wanted, strict=True):
        after = before if before.tiling.is_legal else _answer(values, points, asked)
        if after is not before and after.tiling.is_legal:
            kept = before if refuse else after
            after = replace(kept, tiling=replace(kept.tiling, expanded=names))
        found.append(after if after.tiling.expanded else before)
    return tuple(found)


def _listed(nest: Nest) -> Points | None:
    return points_of(nest) if size_of(nest) <= MOST_POINTS else None


def _sizes_of(asked: _Asked, rows: Sequence[Row]) -> tuple[int, ...]:
    """The size of a tile in each row."""
    is_sided = asked.kind in SIDED
    first = _SIDE if asked.rows or (is_sided and asked.is_alone) else _BAND
    given = asked.sizes or (first, *[_SIDE] * (len(rows) - 1))
    if not is_sided or asked.is_alone:
        return given
    axes = [[k for k, factor in enumerate(row) if factor] for row in rows]
    return tuple(2 * given[0] if one[0] == 0 < one[-1] else given[one[0]] for one in axes)


def _sizes(given: Sequence[int], count: int) -> tuple[int, ...]:
    found = tuple(given)
    if any(one <= 0 for one in found):
        text = ",".join(map(str, found))
        raise InputError(Problem(f"--sizes {text}: a tile has a size above 0", "make them larger"))
    return _as_many(found * count if len(found) == 1 else found, count, "--sizes")


def _as_many(found: tuple[int, ...], count: int, option: str) -> tuple[int, ...]:
    text = ",".join(map(str, found))
    if any(abs(one) > _LARGEST for one in found):
        raise InputError(Problem(f"{option} {text}: above {_LARGEST}", "give smaller numbers"))
    if found and len(found) != count:
        what = f"{option} {text}: the tiles have {count} rows, not {len(found)}"
        raise InputError(Problem(what, f"give {count} numbers"))
    return found


def rows_of_text(nest: Nest, text: str) -> tuple[Row, ...]:
    """Rows such as "t+i, t-i" as factors of the loops. Raises InputError for what is none."""
    found = []
    for part in text.split(","):
        source = f"{{ [{', '.join(nest.loops)}] -> [{part}] }}"
        row = _row(nest, parse_map(source, parameters=(), what=f"--rows: the row {part.strip()!r}"))
        if row is None:
            loops = ", ".join(nest.loops)
            what = f"--rows: {part.strip()!r} is no sum of multiples of the loops {loops}"
            remedy = f"write rows like t+i, t-i, with factors of {MOST_FACTOR} at most"
            raise InputError(Problem(what, remedy))
        found.append(row)
    return tuple(found)


def _row(nest: Nest, given: Any) -> Row | None:
    """The factors of a map from the loops; None where it is no sum of multiples of them."""
    if not given.is_single_valued() or given.dim(DimType.out) != 1:
        return None
    size = len(nest.loops)
    units = [[int(j == k) for j in range(size)] for k in range(size)]
    row = tuple(value for unit in units if (value := _at(given, unit)) is not None)
    if len(row) < size or any(abs(one) > MOST_FACTOR for one in row):
        return None
    whole = f"{{ [{', '.join(nest.loops)}] -> [{row_text(row, nest.loops)}] }}"
    return row if given.is_equal(parse_map(whole, parameters=())) else None


def _at(given: Any, point: Sequence[int]) -> int | None:
    """The value of a map at a point; None where it has no integer there."""
    image = Set(f"{{ [{', '.join(map(str, point))}] }}").apply(given)
    if image.is_empty() or not (value := image.dim_max_val(0)).is_int():
        return None
    return int(value.to_python())


def _answer(nest: Nest, points: Points | None, asked: _Asked) -> TilesRow:
    tiling = _tiling(nest, points, asked)
    if not tiling.is_legal:
        return TilesRow(tiling=tiling)
    cells = _cells_of_one(nest, tiling)
    return TilesRow(
        tiling=tiling,
        cells_any=cells[0],
        cells_tiled=cells[1],
        grows_with=_grows_with(nest, tiling, asked),
    )


def _tiling(nest: Nest, points: Points | None, asked: _Asked) -> Tiling:
    rows = asked.rows or rows_of(nest, asked.kind)
    if rows is None:
        found = Tiling(kind=asked.kind, rows=(), sizes=asked.sizes, origin=asked.origin)
        return replace(found, reason=refusal(nest, asked.kind))
    sizes = _sizes_of(asked, rows)
    origin = asked.origin or least_of(nest, rows)
    if points is not None:
        return tiling_of(nest, points, asked.kind, rows, sizes, origin)
    if has_formula(nest, asked.kind):
        return by_formula(nest, rows, sizes, origin)
    reason = f"the nest has {size_of(nest)} instances, more than {MOST_POINTS}; only pipelined"
    reason += " tiles of a box in time and one loop of data have a formula: use smaller --param"
    return Tiling(kind=asked.kind, rows=(), sizes=sizes, origin=origin, reason=reason)


# One parameter after the other, twice as large.


def _grows_with(nest: Nest, tiling: Tiling, asked: _Asked) -> tuple[str, ...] | None:
    found = []
    values = nest.program.values
    for name in nest.program.parameters:
        program = replace(nest.program, values={**values, name: 2 * values[name]})
        larger = replace(nest, program=program)
        points = _listed(larger)
        if points is None and not has_formula(larger, tiling.kind):
            return None
        if len(_tiling(larger, points, asked).waves) > len(tiling.waves):
            found.append(name)
    return tuple(found)


# The cells of one tile.


def _cells_of_one(nest: Nest, tiling: Tiling) -> tuple[int | None, int | None]:
    """Cells of the fullest tile on its own, for every order and for all tilings by its rows."""
    if tiling.fullest is None or not nest.program.planned_arrays():
        return None, None
    program = _of_one(nest, tiling)
    band = Band(
        is_tiled=True,
        rows=union_map(_forms(one, nest, tiling) for one in program.statements),
        texts=tiling.rows,
    )
    classes = (AnyOrder(), Banded(name="tiled", bands=(band,)))
    any_order, tiled = (_cells(program, asked) for asked in classes)
    return any_order, tiled


def _forms(statement: Statement, nest: Nest, tiling: Tiling) -> Any:
    """{ S[x] -> [rows] } of a statement."""
    head = f"{statement.name}[{', '.join(nest.loops)}]"
    rows = ", ".join(row_text(row, nest.loops) for row in tiling.forms)
    return parse_map(f"{{ {head} -> [{rows}] }}", parameters=()).intersect_domain(statement.domain)


def _of_one(nest: Nest, tiling: Tiling) -> Program:
    """The program of the fullest tile at the plan's values; it keeps nothing from outside."""
    assert tiling.fullest is not None
    values = nest.program.values
    ends = " and ".join(
        f"{origin + size * tile} <= r{k} < {origin + size * (tile + 1)}"
        for k, (tile, size, origin) in enumerate(
            zip(tiling.fullest, tiling.sizes, tiling.origin, strict=True)
        )
    )
    names = ", ".join(f"r{k}" for k in range(len(tiling.forms)))
    inside = Set(f"{{ [{names}] : {ends} }}")
    statements = []
    for one in nest.statements:
        plain = replace(one, domain=fix_parameters(one.domain, values))
        domain = _forms(plain, nest, tiling).intersect_range(inside).domain().coalesce()
        schedule = fix_parameters(one.schedule, values)
        statements.append(
            replace(
                plain, domain=domain, schedule=schedule, reads=(), writes=_fixed(one.writes, values)
            )
        )
    reads = {one.name: _fixed(one.reads, values) for one in nest.statements}
    outside = fix_parameters(nest.program.live_in, values)
    for array in nest.program.planned_arrays():
        outside = outside.subtract(named(outside, array.name))
    program = replace(
        nest.program,
        statements=tuple(replace(one, reads=reads[one.name]) for one in statements),
        context=fix_parameters(nest.program.context, values),
        live_in=outside,
        live_out=UnionSet("{ }"),
        original=None,
        tile=None,
    )
    flows = {array.name: dataflow(program, array.name).uses for array in program.planned_arrays()}
    return replace(
        program,
        statements=tuple(
            replace(one, reads=tuple(_made_inside(one, a, flows) for a in one.reads))
            for one in program.statements
        ),
    )


def _fixed(accesses: Sequence[Access], values: Any) -> tuple[Access, ...]:
    return tuple(replace(one, relation=fix_parameters(one.relation, values)) for one in accesses)


def _made_inside(statement: Statement, access: Access, flows: dict[str, Any]) -> Access:
    """The part of a read that finds a value of the tile."""
    if access.array not in flows:
        return access
    pairs = union_map([])
    for one in maps_of(flows[access.array]):  # [A[x] -> W[i]] -> R[j]
        if one.domain().unwrap().get_tuple_name(DimType.out) == LIVE_IN:
            continue
        if one.get_tuple_name(DimType.out) == statement.name:
            element = one.domain_factor_domain()
            pairs = pairs.union(UnionMap.from_map(element.reverse()))
    relation = access.relation.intersect_domain(statement.domain)
    kept = UnionMap.from_map(relation).intersect(pairs)
    empty = relation.subtract(relation)
    return replace(access, relation=kept.extract_map(empty.get_space()))


def _cells(program: Program, asked: ScheduleClass) -> int | None:
    """The cells of all planned arrays for a class; None where it has none.

    An element has one cell at most, also where the box of a lattice has more of them.
    """
    try:
        problems = class_problems(program, storage_problems(program), asked)
        return sum(
            min(plan_array(one, budget=100_000).mapping.cells, count(one.elements))
            for one in problems
            if not one.elements.is_empty()
        )
    except HlsmemError:
        return None
