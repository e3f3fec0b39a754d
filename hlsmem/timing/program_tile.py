"""One tile of a program: the instances at the times of `Program.tile`, planned on their own.

What the tile makes and anybody outside reads is live after it. What it reads of values made
outside comes from outside: streams bring it in, memories do not hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, UnionMap, UnionSet
from hlsmem.polyhedra.extremes import first_point
from hlsmem.polyhedra.relations import maps_of, sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Array, Program, Statement, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events, instance_times
from hlsmem.timing.instance_text import element_text, parameters_text
from hlsmem.timing.value_flow import dataflow

_IN_ONE_PIECE = "choose a tile that runs in one piece, or write every element once"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    """Flow of the values of one array across the tile; UnionMaps [A[x] -> W[i]] -> R[j].

    `inner` is made and read in it, `arriving` made outside and read in it (its writer is
    LIVE_IN), `leaving` made in it and read outside (its reader is LIVE_OUT).
    """

    inner: Any = field(compare=False)
    arriving: Any = field(compare=False)
    leaving: Any = field(compare=False)


def cut(
    program: Program, problems: Problems, *, report: Callable[[str], None] = lambda _: None
) -> Program:
    """The program of the tile alone, with the whole one in `original`; as it is without a tile.

    Reports a tile without instances, and one that is not executed in one piece where that
    matters: where an element gets another value inside while the one from outside is still
    read, or the other way round. `report` is told each array before it is looked at.
    """
    if program.tile is None:
        return program
    inside = _inside(program)
    if fix_parameters(inside, program.values).is_empty():
        values = ", ".join(f"{name}={value}" for name, value in program.values.items())
        at = f" at {values}" if values else ""
        problems.add(f"the tile holds no instance{at}", "compare plan.tile with the schedule")
        return program
    flows = {}
    for name, array in program.arrays.items():
        if array.storage is not Storage.ROM:
            report(name)
            flows[name] = _crossing(program, name, inside)
    tile = replace(
        program,
        statements=tuple(
            found
            for one in program.statements
            if (found := _statement(program, one, inside, flows)) is not None
        ),
        live_in=_live_in(program, flows),
        live_out=_live_out(flows),
        original=program,
    )
    for name, flow in flows.items():
        _check_in_one_piece(tile, program.arrays[name], flow, problems)
    return tile


def _inside(program: Program) -> Any:
    """The instances of the tile, as a UnionSet."""
    times = UnionSet.from_set(program.tile)
    return instance_times(program).intersect_range(times).domain().coalesce()


def _crossing(program: Program, array: str, inside: Any) -> _Flow:
    uses = dataflow(program, array).uses
    writer = uses.domain().unwrap()  # A[x] -> W[i]
    made_inside = writer.intersect_range(inside).wrap()
    inner = uses.intersect_domain(made_inside).intersect_range(inside)
    arriving = uses.subtract_domain(made_inside).intersect_range(inside)
    leaving = uses.intersect_domain(made_inside).subtract_range(inside)
    return _Flow(
        inner=inner.coalesce(),
        arriving=_from(LIVE_IN, arriving).coalesce(),
        leaving=_to(LIVE_OUT, leaving).coalesce(),
    )


def _from(name: str, uses: Any) -> Any:
    """The uses with all writers called `name`."""
    read = uses.curry().range_factor_range()  # A[x] -> R[j]
    source = UnionMap.from_domain_and_range(read.domain(), UnionSet(f"{{ {name}[] }}"))
    return source.range_product(read).uncurry()


def _to(name: str, uses: Any) -> Any:
    """The uses with all readers called `name`."""
    return UnionMap.from_domain_and_range(uses.domain(), UnionSet(f"{{ {name}[] }}"))


def _statement(
    program: Program, statement: Statement, inside: Any, flows: Mapping[str, _Flow]
) -> Statement | None:
    own = inside.intersect(UnionSet.from_set(statement.domain))
    if own.is_empty():
        return None
    (domain,) = sets_of(own)
    domain = domain.align_params(statement.domain.get_space())
    reads = (_read(program, one, domain, flows) for one in statement.reads)
    return replace(
        statement,
        domain=domain,
        schedule=statement.schedule.intersect_domain(domain),
        reads=tuple(one for one in reads if one is not None),
        writes=tuple(_narrowed(one, domain) for one in statement.writes),
    )


def _narrowed(access: Access, domain: Any) -> Access:
    return replace(access, relation=access.relation.intersect_domain(domain))


def _read(
    program: Program, access: Access, domain: Any, flows: Mapping[str, _Flow]
) -> Access | None:
    """The part of a read that the tile's own arrays serve; None where that is nothing."""
    access = _narrowed(access, domain)
    if program.arrays[access.array].storage is not Storage.MEMORY:
        return access
    served = flows[access.array].inner.curry().range_factor_range().reverse()  # R[j] -> A[x]
    relation = UnionMap.from_map(access.relation).intersect(served)
    if relation.is_empty():
        return None
    return replace(access, relation=Map.from_union_map(relation).coalesce())


def _live_in(program: Program, flows: Mapping[str, _Flow]) -> Any:
    found = UnionSet("{ }")
    for name, flow in flows.items():
        if program.arrays[name].storage is not Storage.MEMORY:
            found = found.union(flow.arriving.domain().unwrap().domain())
    return found.coalesce()


def _live_out(flows: Mapping[str, _Flow]) -> Any:
    found = UnionSet("{ }")
    for flow in flows.values():
        found = found.union(flow.leaving.domain().unwrap().domain())
    return found.coalesce()


def _check_in_one_piece(tile: Program, array: Array, flow: _Flow, problems: Problems) -> None:
    """Report where the tile alone has another dataflow than within the program."""
    wanted = flow.inner.union(flow.leaving)
    if array.storage is not Storage.MEMORY:
        wanted = wanted.union(flow.arriving)
    else:
        both = flow.inner.range().intersect(flow.arriving.range())
        _report_both(tile, array, flow, both, problems)
    found = dataflow(tile, array.name, full_events(tile)).uses
    for one in maps_of(wanted.subtract(found)):
        point = first_point(one.wrap(), tile.values)
        element = element_text(array.name, point.coordinates[: len(array.index)])
        problems.add(
            f"the tile is not executed in one piece: a value of {element} crosses its border "
            f"while the tile has another{parameters_text(tile, point)}",
            _IN_ONE_PIECE,
            array.source_location,
        )
        return


def _report_both(
    tile: Program, array: Array, flow: _Flow, readers: Any, problems: Problems
) -> None:
    """Report a read whose value may come from inside or from outside: its write is uncertain."""
    pairs = [
        part.intersect_range(readers).curry().range_factor_range()
        for part in (flow.inner, flow.arriving)
    ]
    either = pairs[0].intersect(pairs[1])
    for one in maps_of(either):
        point = first_point(one.wrap(), tile.values)
        element = element_text(array.name, point.coordinates[: len(array.index)])
        problems.add(
            f"whether {element} comes from inside of the tile depends on data"
            f"{parameters_text(tile, point)}",
            "choose another tile",
            array.source_location,
        )
        return
