"""Loops over the tiles of a band, whatever their sizes, around the loops of one tile.

The tiles are those of the outermost tiled band of a class. Sizes and origins come in at run time:
the corners of a tile are parameters of isl's loops inside of it, which stay affine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.expression import Expression, Integer, substituted
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C, free_name
from hlsmem.emit.c.cell_names import ByFunction
from hlsmem.emit.c.entries import Entry
from hlsmem.emit.c.folded_region import Region
from hlsmem.emit.c.fragments import Cells, Fragment
from hlsmem.emit.c.program_loops import print_loops
from hlsmem.emit.c.statement_text import Coordinates, Writer
from hlsmem.emit.c.step_fragments import fragments_of, leading_times
from hlsmem.emit.expression_text import print_expression
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.enclosing_instances import leading, within
from hlsmem.polyhedra.generated_loops import expression_of
from hlsmem.polyhedra.relations import fixed_entries, maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import Banded, ScheduleClass
from hlsmem.read.design_names import RESERVED
from hlsmem.timing.class_relations import loop_bands


@dataclass(frozen=True, slots=True, kw_only=True)
class TiledBand:
    """A band whose tiles are run: its rows as the design has them, and `around`, those of the
    bands around it.

    `program` has the times [rows around, rows of the band, rows inside, times].
    """

    texts: tuple[str, ...]
    around: int
    program: Program


def tiled_band(program: Program, asked: ScheduleClass) -> TiledBand:
    """The outermost tiled band of a class.

    Raises InputError where the class has none, or where instances have equal times.
    """
    if not isinstance(asked, Banded) or asked.name != "tiled":
        what = f"host.tiled runs tiles, and plan.schedules: {asked.name} has no rows to cut"
        raise InputError(Problem(what, "use plan.schedules: tiled, or leave host.tiled out"))
    if leading_times(program) is not None:
        what = "host.tiled runs instances one by one, and some have equal times"
        raise InputError(Problem(what, "give all of them different times"))
    bands = asked.bands or loop_bands(program)
    first = next((k for k, band in enumerate(bands) if band.is_tiled), None)
    if first is None:
        what = "host.tiled runs tiles, and the statements have no loop in common"
        raise InputError(Problem(what, "name a tiled band in plan.bands"))
    rows = [{one.get_tuple_name(DimType.in_): one for one in maps_of(b.rows)} for b in bands]
    statements = []
    for one in program.statements:
        times = one.schedule.intersect_domain(one.domain).intersect_params(program.context)
        for own in reversed(rows):
            times = own[one.name].flat_range_product(times)
        statements.append(replace(one, schedule=times.coalesce()))
    sizes = [_size(one) for one in rows]
    return TiledBand(
        texts=bands[first].texts,
        around=sum(sizes[:first]),
        program=replace(
            program,
            statements=tuple(statements),
            time_dimensions=sum(sizes) + program.time_dimensions,
        ),
    )


def _size(rows: Mapping[str, Map]) -> int:
    return int(next(iter(rows.values())).dim(DimType.out))


def tiled_loops(
    band: TiledBand, writer: Writer, taken: frozenset[str], size: str, origin: str
) -> list[str]:
    """The lines of the loops that run a program tile by tile; loop names avoid `taken`.

    `size` and `origin` are C arrays of as many numbers as the band has rows. Tiles run in
    lexicographic order; with OpenMP those whose coordinates have one sum, a wave, in parallel:
    rows never go down along a dependence, so they need none of each other.
    """
    fragments = fragments_of(band.program, writer)
    nests = _nests(fragments, band.around)
    lines: list[str] = []
    for key in sorted(nests):
        nest = _Nest(
            band=band,
            fragments=tuple(nests[key]),
            writer=writer,
            taken=taken,
            size=size,
            origin=origin,
        )
        own = nest.lines()
        lines += own if len(nests) == 1 else ["{", *_indented(own), "}"]
    return lines


def tiled_entry(band: TiledBand, region: Region) -> Entry:
    """The function that runs a region tile by tile, with sizes and origins as parameters too."""
    taken = {*region.taken, region.workspace_name}
    names = [free_name(name, taken) for name in ("size", "origin")]
    rows = len(band.texts)

    def loops() -> list[str]:
        return tiled_loops(band, region.writer, region.taken.union(names), *names)

    size, origin = names
    return Entry(
        suffix="_tiled",
        parameters=tuple(f"const long {name}[{rows}]" for name in names),
        arguments=tuple(names),
        comment=(
            f"/* The same, tile by tile, in a workspace as large. Cut are the rows"
            f" {'; '.join(band.texts)}:",
            f" * {size}[k] values of row k make a tile, below 1 all of them; the first begins"
            f" {origin}[k]",
            " * values before the row. All sizes and origins are right, and the results the same.",
            " * With OpenMP tiles of one wave run in parallel. */",
        ),
        description=f"tile by tile. Cut are the rows {'; '.join(band.texts)}: `{size}[k]` values of"
        f"\n  row k make a tile, below 1 all of them; the first begins `{origin}[k]` values before"
        " the row.\n  With OpenMP the tiles of a wave run in parallel",
        loops=loops,
        helpers=_HELPERS,
    )


def _nests(fragments: Sequence[Fragment], around: int) -> dict[tuple[int, ...], list[Fragment]]:
    """The fragments by the constants that times of all of them start with, before the band."""
    times = [leading(one.schedule, around) for one in fragments]
    fixed = [set(fixed_entries(one)) for one in times]
    slots = next((k for k in range(around) if not all(k in one for one in fixed)), around)
    found: dict[tuple[int, ...], list[Fragment]] = {}
    for fragment, time in zip(fragments, times, strict=True):
        values = (time.plain_get_val_if_fixed(DimType.set, k) for k in range(slots))
        found.setdefault(tuple(value.to_python() for value in values), []).append(fragment)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Nest:
    """Statements with common loops around the band; `size`, `origin` are the C arrays."""

    band: TiledBand
    fragments: tuple[Fragment, ...]
    writer: Writer
    taken: frozenset[str]
    size: str
    origin: str

    @property
    def rows(self) -> range:
        return range(len(self.band.texts))

    def lines(self) -> list[str]:
        """The loops around the band, with its tiles inside."""
        around = self.band.around
        outer = None
        for one in self.fragments:
            times = leading(one.schedule, around).coalesce()
            outer = times if outer is None else outer.union(times)
        assert outer is not None
        schedule = outer.set_tuple_name("tiles").identity().reset_tuple_id(DimType.out)
        whole = Fragment(
            name="tiles", names=lambda _: [], schedule=schedule, text=self._tiles, is_step=True
        )
        names = [f"{RESERVED}band{k}" for k in range(around)]
        context = self.band.program.context
        return print_loops([whole], names, context, ByFunction(self.writer), self.taken)

    def _tiles(self, at: Coordinates, cells: Cells) -> list[str]:
        """The tiles of the band where the rows around it are `at`."""
        names = [f"{RESERVED}r{k}" for k in range(self.band.around)]
        values = dict(zip(names, at, strict=True))
        inside = [replace(one, schedule=within(one.schedule, names)) for one in self.fragments]
        context = self.band.program.context
        known = {name: one.value for name, one in values.items() if isinstance(one, Integer)}
        inside = [replace(one, schedule=fix_parameters(one.schedule, known)) for one in inside]
        used = [name for name in names if name not in known]
        points = self._points(inside).intersect_params(context).coalesce()
        context = context.intersect(points.params())
        ranges = [self._range(points, k, values) for k in self.rows]
        last = self.rows[-1]
        cuts = [
            f"const struct {RESERVED}tiles {RESERVED}row{k} ="
            f" {RESERVED}cut({first}, {end}, {self.size}[{k}], {self.origin}[{k}]);"
            for k, (first, end) in zip(self.rows, ranges, strict=True)
        ]
        corners = [
            f"const int64_t {name} = {RESERVED}{function}({RESERVED}row{k}, {RESERVED}tile{k});"
            for k in self.rows
            for name, function in zip(_corner(k), ("lower", "upper"), strict=True)
        ]
        loops = [_loop(k) for k in self.rows]
        loops[last] += " {"
        if last:
            loops = ["#ifdef _OPENMP", *self._waves(), "#else", *loops, "#endif"]
        body = self._tile(inside, used, context, values, cells)
        return [*cuts, "", *loops, *_indented([*corners, "", *body]), "}"]

    def _waves(self) -> list[str]:
        """Loops over waves, and in parallel over the tiles of one: opened, not closed."""
        last = self.rows[-1]
        counts = " + ".join(f"{RESERVED}row{k}.count" for k in self.rows)
        wave, tile = f"{RESERVED}wave", f"{RESERVED}tile{last}"
        others = " - ".join(f"{RESERVED}tile{k}" for k in self.rows[:-1])
        collapse = f" collapse({last})" if last > 1 else ""
        loops = [_loop(k) for k in self.rows[:-1]]
        loops[-1] += " {"
        return [
            f"for (int64_t {wave} = 0; {wave} <= {counts} - {last + 1}; {wave}++)",
            f"#pragma omp parallel for{collapse}",
            *loops,
            f"  const int64_t {tile} = {wave} - {others};",
            f"  if ({tile} < 0 || {tile} >= {RESERVED}row{last}.count)",
            "    continue;",
        ]

    def _points(self, inside: Sequence[Fragment]) -> Any:
        """The values of the rows together."""
        first, *rest = (leading(one.schedule, len(self.rows)) for one in inside)
        return reduce(lambda points, own: points.union(own), rest, first)

    def _range(self, points: Any, row: int, values: Mapping[str, Expression]) -> tuple[str, str]:
        """The least and the greatest value of a row, in C."""
        known = points.params()
        least, greatest = (
            print_expression(
                substituted(expression_of(end.gist(known), known), values), C, self.writer.names
            )
            for end in (points.dim_min(row), points.dim_max(row))
        )
        return least, greatest

    def _tile(
        self,
        inside: Sequence[Fragment],
        used: Sequence[str],
        context: Any,
        values: Mapping[str, Expression],
        cells: Cells,
    ) -> list[str]:
        """The loops of one tile, whose corners are parameters."""
        corners = [name for k in self.rows for name in _corner(k)]
        fragments = [
            replace(one, schedule=_between_corners(one.schedule, len(self.rows))) for one in inside
        ]
        for k in self.rows:
            context = _with_order(context, *_corner(k))
        depth = fragments[0].schedule.dim(DimType.out)
        names = [f"{RESERVED}c{k}" for k in range(depth)]
        taken = self.taken.union(corners, used)
        return print_loops(fragments, names, context, cells, taken, values)


def _corner(row: int) -> tuple[str, str]:
    return f"{RESERVED}lower{row}", f"{RESERVED}upper{row}"


def _loop(row: int) -> str:
    tile = f"{RESERVED}tile{row}"
    return f"for (int64_t {tile} = 0; {tile} < {RESERVED}row{row}.count; {tile}++)"


def _between_corners(schedule: Any, rows: int) -> Any:
    """A map to times, only where the first times lie between the corners of a tile."""
    corners = [name for row in range(rows) for name in _corner(row)]
    depth = schedule.dim(DimType.out)
    names = [f"t{k}" for k in range(depth)]
    inside = " and ".join(
        f"{low} <= {name} <= {high}"
        for name, (low, high) in zip(names, map(_corner, range(rows)), strict=False)
    )
    tile = Set(f"[{', '.join(corners)}] -> {{ [{', '.join(names)}] : {inside} }}")
    return schedule.intersect_range(tile)


def _with_order(context: Any, low: str, high: str) -> Any:
    return context.intersect_params(Set(f"[{low}, {high}] -> {{ : {low} <= {high} }}"))


def _indented(lines: Sequence[str]) -> list[str]:
    return [line if not line or line.startswith("#") else f"  {line}" for line in lines]


_HELPERS = (
    (
        "/* The values of a row, cut into tiles of `size` values, below 1 all of them; the first",
        " * begins `origin` values, modulo the size, before the row. */",
        f"struct {RESERVED}tiles {{",
        "    int64_t begin, size, count;",
        "};",
    ),
    (
        f"static struct {RESERVED}tiles {RESERVED}cut(int64_t first, int64_t last, long size,"
        " long origin)",
        "{",
        f"    struct {RESERVED}tiles row;",
        "    int64_t before = 0;",
        "",
        "    row.begin = first;",
        "    row.size = last - first + 1;",
        "    if (size >= 1)",
        "        before = origin % size < 0 ? origin % size + size : origin % size;",
        "    if (size >= 1 && size <= row.size) {",
        "        row.begin = first - before;",
        "        row.size = size;",
        "    } else if (size >= 1 && size - before < row.size) {",
        "        row.begin = first - (row.size - (size - before));",
        "    }",
        "    row.count = first <= last ? (last - row.begin) / row.size + 1 : 0;",
        "    return row;",
        "}",
    ),
    (
        f"static inline int64_t {RESERVED}lower(struct {RESERVED}tiles row, int64_t tile)",
        "{",
        "    return row.begin + tile * row.size;",
        "}",
    ),
    (
        f"static inline int64_t {RESERVED}upper(struct {RESERVED}tiles row, int64_t tile)",
        "{",
        "    return row.begin + (tile + 1) * row.size - 1;",
        "}",
    ),
)
