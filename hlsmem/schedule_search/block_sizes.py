"""Choice of the loops of an order that are cut, and of the sizes of the cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.limits import within
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program, Statement
from hlsmem.schedule_search.caches import Machine, streams
from hlsmem.schedule_search.loop_blocks import (
    JAM,
    Cuts,
    Nest,
    can_jam,
    needed_text,
    nest_of,
    why_no_nest,
    with_cuts,
)
from hlsmem.schedule_search.loop_times import Times, may_move

ROWS = 64
"""Iterations of a serial loop in a block; measured on matmul."""
SICA = {"sica": None, "sica-min": min, "sica-max": max}
"""Words for tiles by the caches, with what makes one size of those of all vector loops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Permitted cuts of loops: `tile` is auto, none, one of SICA, or two tiles by statement,
    `sizes` are values of the parameters that tiles have to fit into."""

    tile: str | Mapping[str, tuple[int, int]]
    jams: bool
    machine: Machine
    sizes: Sequence[Mapping[str, int]]

    @property
    def is_sica(self) -> bool:
        """True for tiles by the caches."""
        return isinstance(self.tile, str) and self.tile in SICA


@dataclass(frozen=True, slots=True, kw_only=True)
class CutLoops:
    """Times of all statements, isl maps, the `cuts` of their loops by statement, and why those
    that are asked for by name cannot have them."""

    times: Mapping[str, str]
    cuts: Mapping[str, Cuts]
    refused: Mapping[str, str]


def cut_loops(
    program: Program, given: Mapping[str, str] | None, wish: Wish, operations: int
) -> CutLoops | None:
    """An order, its own where none is given, with loops in cuts, as many as stay legal.

    None where none are cut and none are refused. Raises WorkLimitError where isl needs more than
    so many operations.
    """
    if not may_move(program):
        return None
    return within(operations, lambda _: _cut_loops(program, given, wish))


def _cut_loops(program: Program, given: Mapping[str, str] | None, wish: Wish) -> CutLoops | None:
    times = Times.of(program, given)
    size = _one_size(times, wish)
    cuts, refused = dict[str, Cuts](), dict[str, str]()
    done = set[str]()
    for one in program.statements:
        if one.name in done:
            continue
        named = isinstance(wish.tile, Mapping) and one.name in wish.tile
        nest = nest_of(times, one, strides=wish.is_sica)
        if nest is None:
            if named:
                refused[one.name] = why_no_nest(times, one)
            continue
        names = [other.name for other in times.beside(one, nest.vector)]
        for own in _proposed(times, nest, wish, size):
            changed = with_cuts(times, names, own)
            lost = changed.lost()
            if lost is None:
                times = changed
                cuts.update(dict.fromkeys(names, own))
                done.update(names)
                break
            if named:
                refused.setdefault(one.name, f"{needed_text(changed, lost)}, which would run later")
    if not cuts and not refused:
        return None
    texts = {name: str(one) for name, one in _without_constants(times).items()}
    return CutLoops(times=texts, cuts=cuts, refused=refused)


def _without_constants(times: Times) -> dict[str, Any]:
    """The times without entries that are one constant in all of them."""
    values = []
    for one in times.program.statements:
        points = times.at(one).range()
        own = [points.plain_get_val_if_fixed(DimType.set, k) for k in range(times.size)]
        values.append([value.to_python() if value.is_int() else None for value in own])
    columns = [set(column) for column in zip(*values, strict=True)]
    kept = [k for k, column in enumerate(columns) if None in column or len(column) > 1]
    step = rearrangement(times.size, kept)
    return {name: one.apply_range(step) for name, one in times.schedules.items()}


def _one_size(times: Times, wish: Wish) -> int | None:
    """The tile of all vector loops; None where each has its own."""
    choose = SICA.get(wish.tile) if isinstance(wish.tile, str) else None
    statements = times.program.statements
    nests = [one for one in statements if nest_of(times, one, strides=True) is not None]
    if choose is None or not nests:
        return None
    return choose(tile_of(times, one, wish.machine) for one in nests)


def _proposed(times: Times, nest: Nest, wish: Wish, size: int | None) -> Iterator[Cuts]:
    """Blocks for the loops of a statement, the most wanted first; `size` is the tile of all vector
    loops where they have one."""
    jam = JAM if wish.jams and can_jam(times, nest) else 1
    for tiles in _tiles(times, nest, wish, size, is_jammed=jam > 1):
        # The outermost loop then stands between the serial one and the vector loop.
        for own in dict.fromkeys((1 if tiles.outer is not None else jam, 1)):
            found = Cuts(vector=tiles.vector, outer=tiles.outer, rows=tiles.rows, jam=own)
            if not found.are_none:
                yield found


def _tiles(
    times: Times, nest: Nest, wish: Wish, size: int | None, *, is_jammed: bool
) -> Iterator[Cuts]:
    name = nest.statement.name
    if isinstance(wish.tile, Mapping):
        if name in wish.tile:
            vector, outer = wish.tile[name]
            yield Cuts(vector=vector, outer=outer if len(nest.entries) > 1 else None)
            return
    elif wish.is_sica:
        vector = size or tile_of(times, nest.statement, wish.machine)
        outer = wish.machine.outer_tile
        is_cut = _fits(times, nest, nest.vector, vector, wish)
        moves = len(nest.entries) > (1 if is_cut else 2)  # else it is where it would move to
        moves = moves and _fits(times, nest, nest.entries[0], outer, wish)
        yield Cuts(vector=vector if is_cut else None, outer=outer if moves else None)
    elif wish.tile == "auto" and is_jammed and len(nest.entries) > 2:
        swept = max(swept_bytes(times, nest, values) for values in wish.sizes)
        fits = _fits(times, nest, nest.entries[-2], ROWS, wish)
        if fits and swept > 1024 * wish.machine.l2_kib:
            yield Cuts(rows=ROWS)
    yield Cuts()


def tile_of(times: Times, statement: Statement, machine: Machine) -> int:
    """The tile of a statement's vector loop by the first cache: one size for all statements that
    share the loop."""
    entry = times.varying[statement.name][-1]
    beside = times.beside(statement, entry)
    arrays = {a.array for one in beside for a in (*one.reads, *one.writes)}
    size = max(times.program.arrays[name].element.cell_bytes for name in arrays)
    lanes = max(machine.simd_bits // (8 * size), 1)
    return machine.vector_tile(size, streams(times, beside, entry, lanes))


def swept_bytes(times: Times, nest: Nest, values: Mapping[str, int]) -> int:
    """The bytes of the array of which the two inner loops of a statement read most, in the first
    iteration of the loops around them."""
    around = rearrangement(times.size, range(nest.entries[-2]))
    at = fix_parameters(times.at(nest.statement), values).apply_range(around)
    instances = at.intersect_range(lexmin(at.range())).domain()
    return max(
        count(fix_parameters(one.relation, values).intersect_domain(instances).range())
        * times.program.arrays[one.array].element.cell_bytes
        for one in nest.statement.reads
    )


def _fits(times: Times, nest: Nest, entry: int, size: int, wish: Wish) -> bool:
    """True if a full tile is smaller than the loop at the largest of the sizes."""
    points = times.at(nest.statement).range()
    trips = []
    for values in wish.sizes:
        own = fix_parameters(points, values)
        least, greatest = own.dim_min_val(entry), own.dim_max_val(entry)
        trips.append(greatest.to_python() - least.to_python() + 1)
    return bool(max(trips) > size)
