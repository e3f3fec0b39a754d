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
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, ConflictInput, Program, Statement
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import AnyOrder, Band, Banded, ScheduleClass
from hlsmem.studies.tilings.formula import by_formula, has_formula
from hlsmem.studies.tilings.rows import Row, row_text
from hlsmem.studies.tilings.table import TilesRow
from hlsmem.studies.tilings.tiled_nest import MOST_POINTS, Nest, Points, nest_of, points_of, size_of
from hlsmem.studies.tilings.tiling import KINDS, Tiling
from hlsmem.studies.tilings.tiling_kinds import SIDED, by_rows, rows_of, tiling_of
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


def ask_tiles(
    design: Design,
    *,
    kind: str = "all",
    rows: str | None = None,
    sizes: Sequence[int] = (),
    origin: Sequence[int] = (),
) -> Tilings:
    """The tilings of one of the kinds, of all, or by `rows`, texts with commas between them.

    `sizes` are those of the rows, one for all where there is only one; with all kinds those of
    time and data, and tiles with sides over both get twice the size in time. Raises InputError
    for a conflict set, a program without a nest, and rows, sizes or origins that are none.
    """
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no loops that could run in tiles"
        raise InputError(Problem(what, "give a program"))
    program = arranged_within(operations_of(design), design.input)
    nest = nest_of(program)
    if not size_of(nest):
        what = "the deepest loops never run, and have no tiles"
        raise InputError(Problem(what, "ask at larger parameters, with --param"))
    if rows is not None:
        forms = rows_of_text(nest, rows)
        wanted = [("rows", _sizes(sizes, len(forms), "--sizes", _SIDE))]
    else:
        forms = ()
        kinds = tuple(KINDS) if kind == "all" else (kind,)
        wanted = [(one, _sizes_of(one, sizes, nest, single=kind != "all")) for one in kinds]
    start = _origin(origin, len(forms or nest.loops))
    listed = points_of(nest) if size_of(nest) <= MOST_POINTS else None
    answers = tuple(_answer(nest, listed, one, forms, size, start) for one, size in wanted)
    return Tilings(design=design, nest=nest, answers=answers)


def _sizes_of(kind: str, given: Sequence[int], nest: Nest, *, single: bool) -> tuple[int, ...]:
    depth = len(nest.loops)
    if kind in SIDED and not single:
        band = given[0] if given else _BAND
        _sizes(given, depth, "--sizes", _SIDE)
        return (2 * band,) * depth
    if kind in SIDED or given:
        return _sizes(given, depth, "--sizes", _SIDE)
    return (_BAND, *[_SIDE] * (depth - 1))


def _sizes(given: Sequence[int], count: int, option: str, default: int) -> tuple[int, ...]:
    found = tuple(given) or (default,)
    if any(one <= 0 for one in found):
        text = ",".join(map(str, found))
        raise InputError(Problem(f"{option} {text}: a tile has a size above 0", "make them larger"))
    if len(found) == 1:
        found *= count
    return _as_many(found, count, option)


def _origin(given: Sequence[int], count: int) -> tuple[int, ...]:
    return _as_many(tuple(given) or (0,) * count, count, "--origin")


def _as_many(found: tuple[int, ...], count: int, option: str) -> tuple[int, ...]:
    text = ",".join(map(str, found))
    if any(abs(one) > _LARGEST for one in found):
        raise InputError(Problem(f"{option} {text}: above {_LARGEST}", "give smaller numbers"))
    if len(found) != count:
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


def _answer(
    nest: Nest,
    listed: Points | None,
    kind: str,
    forms: Sequence[Row],
    sizes: tuple[int, ...],
    origin: tuple[int, ...],
) -> TilesRow:
    tiling = _tiling(nest, listed, kind, forms, sizes, origin)
    if not tiling.is_legal:
        return TilesRow(tiling=tiling)
    cells = _cells_of_one(nest, tiling)
    return TilesRow(
        tiling=tiling,
        cells_any=cells[0],
        cells_tiled=cells[1],
        grows_with=_grows_with(nest, tiling, forms),
    )


def _tiling(
    nest: Nest,
    listed: Points | None,
    kind: str,
    forms: Sequence[Row],
    sizes: tuple[int, ...],
    origin: tuple[int, ...],
) -> Tiling:
    if listed is not None:
        if forms:
            return by_rows(nest, listed, kind, forms, sizes, origin)
        return tiling_of(nest, listed, kind, sizes, origin)
    rows = rows_of(nest, kind) if not forms else None
    if rows is not None and has_formula(nest, kind):
        return by_formula(nest, rows, sizes, origin)
    reason = f"the nest has {size_of(nest)} instances, more than {MOST_POINTS}; only pipelined"
    reason += " tiles of a box in time and one loop of data have a formula: use smaller --param"
    return Tiling(kind=kind, rows=(), sizes=sizes, origin=origin, reason=reason)


# One parameter after the other, twice as large.


def _grows_with(nest: Nest, tiling: Tiling, forms: Sequence[Row]) -> tuple[str, ...] | None:
    found = []
    values = nest.program.values
    for name in nest.program.parameters:
        program = replace(nest.program, values={**values, name: 2 * values[name]})
        larger = replace(nest, program=program)
        small = size_of(larger) <= MOST_POINTS
        if not small and not has_formula(larger, tiling.kind):
            return None
        points = points_of(larger) if small else None
        other = _tiling(larger, points, tiling.kind, forms, tiling.sizes, tiling.origin)
        if len(other.waves) > len(tiling.waves):
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
    """The cells of all planned arrays for a class; None where it has none."""
    try:
        problems = class_problems(program, storage_problems(program), asked)
        return sum(
            plan_array(one, budget=100_000).mapping.cells
            for one in problems
            if not one.elements.is_empty()
        )
    except HlsmemError:
        return None
