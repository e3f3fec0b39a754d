"""Legality of the conditions of a program: their values are there, and stay."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.extremes import first_point
from hlsmem.polyhedra.relations import maps_of, union_map
from hlsmem.polyhedra.sets import parameter_names, without_parameters
from hlsmem.program.model import Access, Filter, Program, Statement
from hlsmem.studies.dataflow.nest import Nest, nests_of
from hlsmem.studies.dataflow.reads import ReadFlow
from hlsmem.timing.events import full_events
from hlsmem.timing.instance_text import element_text, instance_text


def check_names(program: Program) -> None:
    """No parameter of the program is called as those that conditions need."""
    problems = Problems()
    for name in program.parameters:
        kind, _, rest = name.partition("_")
        if kind in ("beta", "lam", "sig") and rest:
            what = f"the parameter {name!r} is called as what dataflow tells sources apart by"
            problems.add(what, "rename it: beta_, lam_ and sig_ are taken")
    problems.raise_if_any()


def check_loops(program: Program) -> None:
    """`loops` of filters count loops around the statement, inside of which nothing changes.

    Raises InputError with all that is wrong.
    """
    program = program.source
    problems = Problems()
    nests = nests_of(program)
    for statement in program.statements:
        for one in statement.filters:
            if one.loops is None or statement.name not in nests:
                continue
            nest = nests[statement.name]
            if one.loops > nest.depth:
                what = (
                    f"the filter of {statement.name!r} stands in {one.loops} loops, but the"
                    f" statement in {nest.depth}"
                )
                problems.add(what, "count the loops around the condition", one.source_location)
            elif one.loops < nest.depth:
                _check_alike(statement, one, nest, problems)
                _check_kept(program, statement, one, nest, problems)
    problems.raise_if_any()


def _group(nest: Nest, loops: int) -> Any:
    """{ k -> k' }: instances of one nest that a condition in so many loops is tested for once."""
    same = Map.from_domain_and_range(nest.domain, nest.domain)
    for at in range(loops):
        same = same.equate(DimType.in_, at, DimType.out, at)
    return same


def _check_alike(statement: Statement, one: Filter, nest: Nest, problems: Problems) -> None:
    """Instances of a group look at the same elements, for the same values."""
    assert one.loops is not None
    same = _group(nest, one.loops)
    parts = [one.value, *(access.relation for access in one.accesses)]
    for part in parts:
        lifted = part.intersect_domain(one.value.domain()).apply_domain(nest.instances)
        others = same.apply_range(lifted)
        if others.is_subset(lifted):
            continue
        first = next(
            at
            for at in range(one.loops, nest.depth)
            if _group(nest, at + 1).apply_range(lifted).is_subset(lifted)
        )
        what = (
            f"the filter of {statement.name!r} differs between iterations of"
            f" {nest.loops[first]!r}, a loop inside of its condition"
        )
        remedy = "let loops count that loop too, or give all of its iterations the same filter"
        problems.add(what, remedy, one.source_location)
        return


def _check_kept(
    program: Program, statement: Statement, one: Filter, nest: Nest, problems: Problems
) -> None:
    """Nothing writes what a condition looks at between its test and its last instance."""
    assert one.loops is not None
    full = full_events(program)
    back = nest.instances.reverse()
    same = nest.instances.apply_range(_group(nest, one.loops)).apply_range(back).wrap()
    for access in one.accesses:
        reads = UnionMap.from_map(access.relation.intersect_domain(one.value.domain()))
        for writer in program.statements:
            for write in writer.writes:
                if write.array != access.array:
                    continue
                written = UnionMap.from_map(write.relation)
                pairs = reads.apply_range(written.reverse())  # k -> j
                after = _in_order(pairs, full.reads, full.writes)
                before = _in_order(pairs.reverse(), full.writes, full.reads)
                found = after.reverse().range_product(before).intersect_range(same)
                if not found.is_empty():
                    _report_between(program, statement, one, writer, write, found, problems)


def _in_order(pairs: Any, first: Any, second: Any) -> Any:
    """The pairs whose first comes before the second."""
    result = []
    for one in maps_of(pairs):
        times = one.domain().identity(), one.range().identity()
        left, right = (
            Map.from_union_map(UnionMap.from_map(x).apply_range(y))
            for x, y in zip(times, (first, second), strict=True)
        )
        order = left.lex_lt_map(right)
        result.append(one.intersect(order))
    return union_map(result)


def _report_between(
    program: Program,
    statement: Statement,
    one: Filter,
    writer: Statement,
    write: Access,
    found: Any,
    problems: Problems,
) -> None:
    relation = maps_of(found)[0]
    point = first_point(relation.wrap(), program.values).coordinates
    size = writer.domain.dim(DimType.set)
    own = statement.domain.dim(DimType.set)
    culprit = instance_text(writer, point[:size])
    last = instance_text(statement, point[size + own :])
    problems.add(
        f"{culprit} writes {write.array!r} between the test of a condition and {last}, which it"
        " is for",
        "keep the value in an array of its own, or let loops count every loop in which it changes",
        one.source_location,
        [Note("written here", write.source_location)],
    )


def check_conditions(program: Program, flows: Iterable[ReadFlow]) -> None:
    """Everything that a filter looks at has been written before, or lives before the program.

    `flows` are those of the program. Raises InputError with all that is wrong.
    """
    program = program.source
    problems = Problems()
    by_name = {one.name: one for one in program.statements}
    for found in flows:
        read = found.read
        if read.filter is None or not found.flow.exact:
            continue
        statement = by_name[read.statement]
        access = statement.filters[read.filter].accesses[read.operand]
        missing = without_parameters(
            found.flow.no_source,
            [name for name in parameter_names(found.flow.no_source) if name not in
             program.parameters],
        )  # fmt: skip
        if missing.is_wrapping():
            seen = UnionMap.from_map(missing.unwrap())
        else:
            seen = UnionMap.from_map(access.relation.intersect_domain(missing))
        seen = seen.subtract_range(program.live_in).intersect_params(program.context)
        if not seen.is_empty():
            seen = seen.subtract(_settled(program, statement.filters[read.filter], seen))
        if not seen.is_empty():
            _report_unwritten(program, statement, access, seen, problems)
    problems.raise_if_any()


def _settled(program: Program, one: Filter, seen: Any) -> Any:
    """Those of `seen`, { k -> element }, that matter to nobody: what would have written the element
    before did not run, and what kept it from running keeps instance k from running too.
    """
    full = full_events(program)
    found = UnionMap("{ }")
    for writer in program.statements:
        for write, own in product(writer.writes, writer.filters):
            made = write.relation.intersect_domain(own.value.domain())
            pairs = seen.apply_range(UnionMap.from_map(made.reverse()))  # k -> j
            pairs = _in_order(pairs.reverse(), full.writes, full.reads).reverse()
            for entry in range(len(own.accesses)):
                fits = UnionMap("{ }")
                for mine in range(len(one.accesses)):
                    if one.accesses[mine].array == own.accesses[entry].array:
                        fits = fits.union(pairs.subtract(_apart(one, mine, own, entry)))
                pairs = pairs.intersect(fits)
            found = found.union(pairs.apply_range(UnionMap.from_map(made)).intersect(seen))
    return found


def _apart(one: Filter, mine: int, other: Filter, entry: int) -> Any:
    """{ k -> j }: entry `entry` of j may fail where that of k holds, or looks elsewhere."""
    looked, asked = one.accesses[mine].relation, other.accesses[entry].relation
    looked = looked.intersect_domain(one.value.domain())
    asked = asked.intersect_domain(other.value.domain())
    every = Map.from_domain_and_range(one.value.domain(), asked.range())
    elsewhere = every.subtract(looked).apply_range(asked.reverse())
    holds, lets = _entry(one.value, mine), _entry(other.value, entry)
    fails = Map.from_domain_and_range(holds.range(), other.value.domain()).subtract(lets.reverse())
    return UnionMap.from_map(elsewhere.union(holds.apply_range(fails)))


def _entry(value: Any, at: int) -> Any:
    """{ k -> [v] }: the values of one entry with which instances run."""
    size = value.dim(DimType.out)
    return value.project_out(DimType.out, at + 1, size - at - 1).project_out(DimType.out, 0, at)


def _report_unwritten(
    program: Program, statement: Statement, access: Access, seen: Any, problems: Problems
) -> None:
    point = first_point(maps_of(seen)[0].wrap(), program.values).coordinates
    size = statement.domain.dim(DimType.set)
    element = element_text(access.array, point[size:])
    instance = instance_text(statement, point[:size])
    own = [one for one in statement.writes if one.array == access.array]
    if own:
        what = f"the filter of {instance} waits for {element}, which the statement writes itself"
        remedy = "let another statement write it before"
        problems.add(
            what, remedy, access.source_location, [Note("written here", own[0].source_location)]
        )
        return
    writers = [
        Note("written here", one.source_location)
        for other in program.statements
        for one in other.writes
        if one.array == access.array
    ]
    what = f"the filter of {instance} looks at {element} before it is written"
    problems.add(what, "write it first, or add it to live_in", access.source_location, writers[:1])
