"""Undefined values: instances that read what nothing provides, and all that their values reach.

A line buffer without initial values is read before it is filled; what comes of it is thrown away.
Instances that hold such values alone are no part of the program, unless an output needs them: a
write that is seen outside of it, or what decides whether, how often or where others access.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, reduce
from typing import Any

from hlsmem.core.errors import Note
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, UnionMap, UnionSet
from hlsmem.polyhedra.extremes import first_point
from hlsmem.polyhedra.limits import WorkLimitError, bounded
from hlsmem.polyhedra.relations import maps_of, sets_of, union_map
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, KernelBody, Program, Statement, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events
from hlsmem.timing.instance_text import element_text, instance_text
from hlsmem.timing.value_flow import Dataflow, accesses, dataflow

_OPERATIONS = 20_000_000
"""Operations of isl that it may take to find the instances: about 10 s."""
_STEPS = 200
"""Instances one after the other that an output is looked for behind, for messages."""
_WINDOW = 16
"""Steps in which values are followed one by one."""
_ROUNDS = 4
"""Closures that are taken after one another, where isl's is larger than the least one."""
_OUTSIDE = (Storage.EXTERNAL, Storage.STREAM, Storage.STATE)
_GIVEN, _LEFT = (UnionSet(f"{{ {name}[] }}") for name in (LIVE_IN, LIVE_OUT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Reach of the values of some instances: UnionMaps and UnionSets of instances.

    `flow` W[i] -> R[j]: who reads what they write. `outside` are those whose values are seen
    outside of the program; those of `deciding` W[i] -> R[j] decide if R[j] runs, or which elements
    it touches, as do the undefined values that `undecided` read.
    """

    flow: Any = field(compare=False)
    outside: Any = field(compare=False)
    deciding: Any = field(compare=False)
    undecided: Any = field(compare=False)

    @property
    def outputs(self) -> Any:
        """The instances whose values must be defined."""
        return self.outside.union(self.deciding.domain()).union(self.undecided).coalesce()


def without_undefined(program: Program) -> Program:
    """The program without the instances that only hold undefined values no output needs.

    Values flow in the order of the source. What reads an undefined value that gets to an output
    stays, with all on the way; so does everything where isl takes too long to find out, or where
    nothing would be left.
    """
    try:
        with bounded(_OPERATIONS):
            gone = _dead(program.source)
    except WorkLimitError:
        return program
    found = program if gone is None else _without(program, gone)
    return found if found.statements else program


def ignores_first_values(program: Program, names: Collection[str]) -> bool:
    """True if no output needs what these arrays hold before the program writes them.

    State is what another run has left. False too where isl takes too long to find out.
    """
    source = program.source
    state = {
        name: replace(one, storage=Storage.MEMORY, first=None, is_shared=False)
        for name, one in source.arrays.items()
        if name in names and one.storage is Storage.STATE
    }
    live_in, live_out = (
        [one for one in sets_of(live) if one.get_tuple_name() not in state]
        for live in (source.live_in, source.live_out)
    )
    try:
        with bounded(_OPERATIONS):
            own = replace(
                source,
                arrays={**source.arrays, **state},
                live_in=reduce(UnionSet.union, live_in, UnionSet("{ }")),
                live_out=reduce(UnionSet.union, live_out, UnionSet("{ }")),
            )
            read = maps_of(undefined_reads(own))
            reading = union_map(one for one in read if one.get_tuple_name(DimType.out) in names)
            if reading.is_empty():
                return True
            reach = reach_of(own, reading)
            found = _reached(reach.flow, reading.domain())
            return found is not None and found.is_disjoint(reach.outputs)
    except WorkLimitError:
        return False


def _dead(program: Program) -> Any | None:
    """The instances that are left out, a UnionSet; None where there are none."""
    reading = undefined_reads(program)
    if reading.is_empty():
        return None
    reach = reach_of(program, reading)
    outputs, undefined = reach.outputs, reading.domain()
    found = _reached(reach.flow, undefined)
    if found is not None and not found.is_disjoint(outputs):
        between = reach.flow.intersect_domain(found).reverse()
        live = _reached(between, found.intersect(outputs))
        undefined = undefined.subtract(found if live is None else live)
        found = _reached(reach.flow, undefined)
    if found is None or undefined.is_empty() or not found.is_disjoint(outputs):
        return None
    return found


def _reached(flow: Any, instances: Any) -> Any | None:
    """Instances and all that they reach by `flow`, perhaps others; None where that is not found.

    Values of windows go on a few times: what they reach is looked for step by step. Behind that
    isl's closure is no less than the least one: where it is larger, what it adds is followed.
    """
    found = new = instances
    for _ in range(_WINDOW):
        new = new.apply(flow).subtract(found).coalesce()
        if new.is_empty():
            return found
        found = found.union(new).coalesce()
    closure, _ = flow.transitive_closure()
    for _ in range(_ROUNDS):
        found = found.union(found.apply(closure)).coalesce()
        if found.apply(flow).is_subset(found):
            return found
    return None


def undefined_reads(program: Program) -> Any:
    """{ R[j] -> A[x] }: reads of elements that no write and no live-in provides."""
    found, full = UnionMap("{ }"), cache(lambda: full_events(program))
    for array in program.arrays.values():
        if array.storage is Storage.ROM:
            continue
        reads = accesses(program, array.name, writes=False)
        if not reads.range().is_subset(program.live_in):
            flow = dataflow(program, array.name, full(), only_last=True)
            for statement in program.statements:
                for one in unprovided_reads(statement, flow):
                    found = found.union(UnionMap.from_map(one.relation))
    return found


def unprovided_reads(statement: Statement, flow: Dataflow) -> Iterator[Access]:
    """The accesses of a statement to an array, as far as they read what nothing provides."""
    if flow.unprovided.is_empty():
        return
    for access in statement.sees:
        if access.array != flow.array:
            continue
        relation = UnionMap.from_map(access.relation)
        missing = relation.intersect(flow.unprovided)
        if access.chosen:  # one of them is read: it may be one that is there
            missing = missing.subtract_domain(relation.subtract(flow.unprovided).domain())
        yield from (replace(access, relation=one) for one in maps_of(missing))


def reach_of(program: Program, reading: Any) -> Reach:
    """Reach of the values of the instances that make the reads `reading`, R[j] -> A[x]."""
    asked, full = _deciding(program), full_events(program)
    flow, deciding = UnionMap("{ }"), UnionMap("{ }")
    outside = UnionSet("{ }")
    names = {one.get_tuple_name() for one in sets_of(reading.domain())}
    seen: set[str] = set()
    while True:
        reached = [one for one in program.statements if one.name in names]
        written = {access.array for one in reached for access in one.writes} - seen
        if not written:
            break
        seen |= written
        for array in sorted(written):
            uses = dataflow(program, array, full).uses
            passed = uses.curry().range().unwrap().subtract_domain(_GIVEN)
            outside = outside.union(passed.intersect_range(_LEFT).domain())
            flow = flow.union(passed.subtract_range(_LEFT))
            reads = uses.reverse().uncurry().intersect_domain(asked.wrap())  # [R[j] -> A[x]] -> W
            decided = reads.domain_factor_domain().reverse()
            deciding = deciding.union(decided.subtract_domain(_GIVEN))
        names |= {one.get_tuple_name() for one in sets_of(flow.range())}
    for one in reached:
        outside = outside.union(_seen_outside(program, one))
    undecided = reading.intersect(asked).domain()
    return Reach(
        flow=flow.coalesce(), outside=outside.coalesce(), deciding=deciding, undecided=undecided
    )


def _seen_outside(program: Program, statement: Statement) -> Any:
    """The instances of a statement that write what outside sees, or that hand on what they read to
    the datapath alone."""
    if not statement.writes:
        return UnionSet.from_set(statement.domain)
    outside = [one for one in statement.writes if program.arrays[one.array].storage in _OUTSIDE]
    written = (one.relation.intersect_domain(statement.domain) for one in outside)
    return union_map(written).domain()


def _deciding(program: Program) -> Any:
    """{ R[j] -> A[x] }: the reads that decide if an instance runs, or which elements it touches."""
    found = []
    for one in program.statements:
        chooses = any(access.chosen for access in (*one.reads, *one.writes))
        deciding = (*one.reads, *one.looked) if chooses else one.looked
        found += [access.relation.intersect_domain(one.domain) for access in deciding]
    return union_map(found)


def reached_output(
    program: Program, reader: Statement, instance: Sequence[int], parameters: Mapping[str, int]
) -> Note | None:
    """The output nearest to the undefined value that an instance reads, as a note.

    None where none is found within `_STEPS` instances that pass it on.
    """
    values = {**program.values, **parameters}
    found = UnionSet.from_set(_at(fix_parameters(reader.domain, values), instance))
    reading = undefined_reads(program).intersect_domain(found)
    reach = reach_of(program, reading)
    flow = union_map(fix_parameters(one, values) for one in maps_of(reach.flow))
    for _ in range(_STEPS):
        needed = found.intersect(reach.outputs)
        if not needed.is_empty():
            return _output(program, reach, needed, values)
        found = found.apply(flow)
        if found.is_empty():
            break
    return None


def _at(instances: Any, coordinates: Sequence[int]) -> Any:
    for position, value in enumerate(coordinates):
        instances = instances.fix_val(DimType.set, position, value)
    return instances


def _output(program: Program, reach: Reach, needed: Any, values: Mapping[str, int]) -> Note:
    """The first of the instances whose values must be defined, and why."""
    known = {one.name: one for one in program.statements}
    first = min(sets_of(needed), key=lambda one: str(one.get_tuple_name()))
    point = first_point(fix_parameters(first, values), values).coordinates
    statement = known[first.get_tuple_name()]
    who = instance_text(statement, point)
    here = UnionSet.from_set(_at(fix_parameters(statement.domain, values), point))
    if not here.is_disjoint(reach.undecided):
        return Note(f"it decides {_decision(statement, who)}", statement.source_location)
    if not here.is_disjoint(reach.outside):
        return _written_outside(program, statement, point, values, who)
    reader = sets_of(here.apply(reach.deciding))[0]
    decided = known[reader.get_tuple_name()]
    other = first_point(fix_parameters(reader, values), values).coordinates
    what = _decision(decided, instance_text(decided, other))
    return Note(f"{who} passes it on, and it decides {what}", decided.source_location)


def _decision(statement: Statement, who: str) -> str:
    return f"if {who} runs" if statement.looked else f"which elements {who} accesses"


def _written_outside(
    program: Program,
    statement: Statement,
    point: Sequence[int],
    values: Mapping[str, int],
    who: str,
) -> Note:
    if not statement.writes:
        return Note(f"it reaches {who}, which the datapath alone sees", statement.source_location)
    access = next(
        (a for a in statement.writes if program.arrays[a.array].storage in _OUTSIDE),
        statement.writes[0],
    )
    elements = fix_parameters(access.relation, values)
    for position, value in enumerate(point):
        elements = elements.fix_val(DimType.in_, position, value)
    element = element_text(access.array, first_point(elements.range(), values).coordinates)
    return Note(
        f"it reaches {element}, which {who} writes",
        access.source_location or statement.source_location,
    )


def _without(program: Program, gone: Any) -> Program:
    """The program, and the ones it was made of, without some instances."""
    left = (_left(one, gone) for one in program.statements)
    before = program.original
    return replace(
        program,
        statements=tuple(one for one in left if not one.domain.is_empty()),
        original=None if before is None else _without(before, gone),
        with_undefined=program,
    )


def _left(statement: Statement, gone: Any) -> Statement:
    """A statement without some instances; itself where it has none of them."""
    own = gone.extract_set(statement.domain.get_space())
    if statement.domain.is_disjoint(own):
        return statement
    domain = statement.domain.subtract(own).coalesce()

    def restricted(some: tuple[Access, ...]) -> tuple[Access, ...]:
        return tuple(replace(a, relation=a.relation.intersect_domain(domain)) for a in some)

    body = statement.body
    if isinstance(body, KernelBody):
        kept = None if body.kept is None else restricted((body.kept,))[0]
        body = replace(body, tests=restricted(body.tests), kept=kept)
    filters = tuple(
        replace(
            one,
            accesses=restricted(one.accesses),
            value=one.value.intersect_domain(domain),
        )
        for one in statement.filters
    )
    return replace(
        statement,
        domain=domain,
        reads=restricted(statement.reads),
        writes=restricted(statement.writes),
        body=body,
        filters=filters,
    )
