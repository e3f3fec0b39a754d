"""The program that a plan is of, made again from the design by this room's own means.

Arrays in single assignment, the order of the source kept, cut to its tile, streams as statements,
loops unrolled: `order` does the same for the planner. Here who sees which write is found by
`flow`, and what a step keeps is compared with that before and after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import reduce
from itertools import product
from typing import Any

from hlsmem.check.rebuilt.rebuilt_assignment import in_single_assignment
from hlsmem.check.rebuilt.rebuilt_flow import AFTER, BEFORE, END, START, flow_of, running, uses_of
from hlsmem.check.rebuilt.rebuilt_streams import with_passages
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, UnionMap, UnionSet, Val
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.joined_statements import joined, parts_of
from hlsmem.program.model import Array, Program, Statement, Storage
from hlsmem.program.packed_words import elements_of_words


def arranged(program: Program) -> Program:
    """The program of the tile, or the whole one, with streams as statements, unrolled.

    Raises InputError where its order, tile or lanes change what a read sees.
    """
    whole = in_single_assignment(program)
    if whole.original is not None:
        _check_same(whole, whole.original, "the schedule")
    streamed = with_passages(_together(_of_tile(whole)))
    found = _in_lanes(streamed)
    if found is streamed:
        return found
    _check_same(found, streamed, "unrolling")
    return replace(found, original=whole.source)


def _check_same(program: Program, other: Program, what: str) -> None:
    """Refuse another order in which a read sees another write, or unsure writes change places."""
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        same = uses_of(program, name).is_equal(uses_of(other, name))
        if not same or not _unsure(other, name).is_subset(_unsure(program, name)):
            problem = f"{what} changes which write of {name!r} is seen"
            raise InputError(Problem(problem, "run `hlsmem plan` again", array.source_location))


def _together(program: Program) -> Program:
    """The program with the statements of a beat as one; refused where a read sees another write.

    What one of them hands on to another in the datapath is no use of the one.
    """
    found = joined(program)
    if found is program:
        return program
    instances = [one.domain.identity() for one in program.statements]
    for statement in found.statements:
        for one in parts_of(statement):
            own = one.domain.identity().set_tuple_name(DimType.out, statement.name)
            instances = [*(k for k in instances if k.get_tuple_name(DimType.in_) != one.name), own]
    ends = UnionMap(f"{{ {START}[] -> {START}[]; {END}[] -> {END}[] }}")
    renaming = reduce(lambda all_, one: all_.union(UnionMap.from_map(one)), instances, ends)
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        before, after = uses_of(program, name), uses_of(found, name)
        words = elements_of_words(found.arrays[name], before.domain().unwrap().domain())
        before = before.apply_domain(words.product(renaming)).apply_range(renaming)
        if array.storage is Storage.DATAPATH:
            made = before.domain().unwrap()
            inside = made.range_map().intersect(before)
            before, after = before.subtract(inside), after.subtract(inside)
        if not before.is_equal(after):
            what = f"pipeline.together changes which write of {name!r} is seen"
            raise InputError(Problem(what, "run `hlsmem plan` again", array.source_location))
    return found


def _unsure(program: Program, array: str) -> Any:
    """{ W -> V } of two writes of one element in their order, one of them by data."""
    writes = [
        (one, access)
        for one in program.statements
        for access in one.writes
        if access.array == array
    ]
    found = UnionMap("{ }")
    for (first, a), (second, b) in product(writes, repeat=2):
        if a.must and b.must:
            continue
        touched = (
            access.relation.intersect_domain(one.domain).intersect_params(program.context)
            for one, access in ((first, a), (second, b))
        )
        pairs = reduce(lambda x, y: x.apply_range(y.reverse()), touched)
        times = running(first), running(second)
        earlier = Map.lex_lt(times[0].range().get_space())
        ordered = times[0].apply_range(earlier).apply_range(times[1].reverse())
        found = found.union(UnionMap.from_map(pairs.intersect(ordered)))
    return found


# Tiles.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crossing:
    """Values of an array that cross the tile: { [element -> write time] -> read time }."""

    inner: Any = field(compare=False)
    arriving: Any = field(compare=False)
    leaving: Any = field(compare=False)


def _of_tile(program: Program) -> Program:
    """The program of the tile alone; what comes from outside is live before it."""
    if program.tile is None:
        return program
    inside = program.tile.insert_dims(DimType.set, 0, 1).fix_val(DimType.set, 0, Val(1))
    inside = inside.intersect_params(program.context)
    crossings = {
        name: _crossing(program, name, inside)
        for name, array in program.arrays.items()
        if array.storage is not Storage.ROM
    }
    before, after = UnionSet("{ }"), UnionSet("{ }")
    for name, one in crossings.items():
        if program.arrays[name].storage is not Storage.MEMORY:
            arriving = one.arriving.domain().unwrap().domain()
            before = before.union(UnionSet.from_set(arriving))
        leaving = one.leaving.domain().unwrap().domain()
        after = after.union(UnionSet.from_set(leaving))
    found = (_inside(program, one, inside, crossings) for one in program.statements)
    tile = replace(
        program,
        statements=tuple(one for one in found if one is not None),
        live_in=before,
        live_out=after,
        original=program,
    )
    if all(fix_parameters(one.domain, program.values).is_empty() for one in tile.statements):
        raise InputError(Problem("the tile holds no instance", "compare plan.tile"))
    for name, one in crossings.items():
        _check_in_one_piece(tile, program.arrays[name], one)
    return tile


def _crossing(program: Program, array: str, inside: Any) -> _Crossing:
    seen = flow_of(program, array).values
    made = seen.domain().unwrap().intersect_range(inside).wrap()
    own, other = seen.intersect_domain(made), seen.subtract_domain(made)
    return _Crossing(
        inner=own.intersect_range(inside),
        arriving=other.intersect_range(inside),
        leaving=own.subtract_range(inside),
    )


def _inside(
    program: Program, statement: Statement, inside: Any, crossings: Mapping[str, _Crossing]
) -> Statement | None:
    """The instances of a statement in the tile, with the reads of memories that it serves."""
    own = running(statement).intersect_range(inside).domain()
    if own.is_empty():
        return None
    reads = []
    for one in statement.reads:
        relation = one.relation.intersect_domain(own)
        if program.arrays[one.array].storage is Storage.MEMORY:
            served = crossings[one.array].inner.domain_factor_domain()  # { element -> read time }
            back = served.apply_range(running(statement).reverse()).reverse()
            relation = relation.intersect(back).coalesce()
            if relation.is_empty():
                continue
        reads.append(replace(one, relation=relation))
    return replace(
        statement,
        domain=own,
        schedule=statement.schedule.intersect_domain(own),
        reads=tuple(reads),
        writes=tuple(
            replace(one, relation=one.relation.intersect_domain(own)) for one in statement.writes
        ),
    )


def _check_in_one_piece(tile: Program, array: Array, crossing: _Crossing) -> None:
    """Refuse a tile that alone gives one of its reads, or what leaves it, another value."""
    found = flow_of(tile, array.name).values
    inner, leaving = crossing.inner, crossing.leaving.domain().unwrap()
    kept = inner.is_subset(found)
    kept = kept and leaving.is_subset(_with_end(found))
    if array.storage is Storage.MEMORY:
        both = (one.domain_factor_domain() for one in (inner, crossing.arriving))
        kept = kept and next(both).is_disjoint(next(both))
    else:
        arriving = crossing.arriving.domain_factor_domain()
        given = found.domain().unwrap().fix_val(DimType.out, 0, Val(BEFORE))
        kept = kept and arriving.is_subset(
            found.intersect_domain(given.wrap()).domain_factor_domain()
        )
    if not kept:
        what = (
            f"the tile is not executed in one piece: a value of {array.name!r} crosses its border"
        )
        raise InputError(
            Problem(what, "choose a tile that runs in one piece", array.source_location)
        )


def _with_end(found: Any) -> Any:
    """{ element -> write time } of the values that are live after a program."""
    return found.fix_val(DimType.out, 0, Val(AFTER)).domain().unwrap()


# Lanes.


def _in_lanes(program: Program) -> Program:
    """The program with its loops unrolled: [step, lanes, rest], groups from the first iteration."""
    if not program.unroll:
        return program
    size, step = program.time_dimensions, program.step_dimensions
    times = [f"t{k}" for k in range(size)]
    groups, lanes, lines = list(times), list[str](), list[str]()
    for entry, factor in sorted(program.unroll.items()):
        groups[entry], lane = f"g{entry}", f"l{entry}"
        lanes.append(lane)
        first = _first(program, entry)
        lines.append(f"t{entry} = {first} + {factor}*g{entry} + {lane} and 0 <= {lane} < {factor}")
    target = ", ".join([*groups[:step], *lanes, *groups[step:]])
    moved = Map(f"{{ [{', '.join(times)}] -> [{target}] : {' and '.join(lines)} }}")
    names = program.iterator_names
    entries = sorted(program.unroll)
    lane_names = tuple(f"{names[entry]}_lane" for entry in entries) if names else ()
    return replace(
        program,
        statements=tuple(
            replace(one, schedule=one.schedule.apply_range(moved)) for one in program.statements
        ),
        time_dimensions=size + len(lanes),
        iterator_names=(*names[:step], *lane_names, *names[step:]),
        original=program,
        unroll={},
        lanes=tuple(program.unroll[entry] for entry in entries),
    )


def _first(program: Program, entry: int) -> int:
    """The least value of a loop, an entry of times, of all statements that it is a loop of."""
    found = []
    for one in program.statements:
        times = fix_parameters(one.schedule.intersect_domain(one.domain), program.values).range()
        if times.is_empty():
            continue
        low, high = (int(str(at(entry))) for at in (times.dim_min_val, times.dim_max_val))
        if low < high:
            found.append(low)
    return min(found, default=0)
