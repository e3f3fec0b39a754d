"""From written statements to the program's: names, domains, schedules, access relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, PwAff
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.polyhedra.relations import with_names
from hlsmem.program.model import Access, Array, Filter, KernelBody, Statement, Task
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.guards import WrittenFilter
from hlsmem.read.c.ranges import Range
from hlsmem.read.c.region import Written
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.types import element_type
from hlsmem.read.design_names import name_of_statement, numbers_behind


def depth_of(statements: Sequence[Written]) -> int:
    """The number of loops around the deepest statement."""
    return max((len(statement.loops) for statement in statements), default=0)


def statements_of(
    statements: Sequence[Written],
    arrays: Mapping[Variable, Array],
    process: str,
    depth: int,
    source: SourceMap,
) -> tuple[Statement, ...]:
    """The statements in textual order, named by their labels, else S0, S1, ..

    Their process is `process`, or the outermost task where there are no statements beside tasks.
    """
    names = statement_names(statements, arrays)
    parameters = _parameters(statements)
    whole = Task(region=0, name=process, runs=0, apart=0)
    around = (whole,) if any(one.tasks for one in statements) else ()
    is_region = _are_tasks(statements)
    result = []
    for written, name in zip(statements, names, strict=True):
        iterators = distinct(written.loops, parameters)
        result.append(
            Statement(
                name=name,
                process=written.tasks[0].name if is_region else process,
                domain=with_names(written.domain.set_tuple_name(name), DimType.set, iterators),
                schedule=_schedule(written, name, depth, iterators),
                reads=tuple(_access(t, name, arrays, iterators, source) for t in written.reads),
                writes=(_access(written.write, name, arrays, iterators, source),),
                body=KernelBody(
                    written.node,
                    tuple(map(element_type, written.types)),
                    tests=tuple(_access(t, name, arrays, iterators, source) for t in written.tests),
                    kept=None
                    if written.kept is None
                    else _access(written.kept, name, arrays, iterators, source),
                ),
                iterators=iterators,
                source_location=written.source_location,
                filters=tuple(
                    _filter(one, name, arrays, iterators, source) for one in written.filters
                ),
                tasks=(*around, *written.tasks),
            )
        )
    return tuple(result)


def _are_tasks(statements: Sequence[Written]) -> bool:
    """True if all statements are in tasks of one region, which runs once, or overlaps itself.

    Else all are one process: in the order of the text whatever is side by side comes to its end.
    """
    outermost = {one.tasks[0].region if one.tasks else None for one in statements}
    return len(outermost) == 1 and all(one.tasks and not one.tasks[0].apart for one in statements)


def trips_of(written: Sequence[Written], statements: Sequence[Statement]) -> dict[str, Any]:
    """{ S[i, ..] -> [number of the iteration of each loop] } by the names of statements."""
    return {
        statement.name: pw.to_map(
            [pw.lift(trip, len(one.loops)) for trip in one.trips], one.domain, statement.name
        )
        for one, statement in zip(written, statements, strict=True)
    }


def _parameters(statements: Sequence[Written]) -> tuple[str, ...]:
    if not statements:
        return ()
    space = statements[0].domain.space
    count = space.dim(DimType.param)
    return tuple(space.get_dim_name(DimType.param, i) for i in range(count))


def statement_names(statements: Sequence[Written], arrays: Mapping[Variable, Array]) -> list[str]:
    """The label of each statement, or S0, S1, .. over the others.

    They name streams with the arrays, `s_<array>_<statement>`, of which no two are alike in any
    case: a label for which they would be gets a number, S0 the next one.
    """
    taken = {
        name.casefold()
        for array in arrays.values()
        for name in (f"{array.name}_in", f"{array.name}_out", "fill", "drain")
    }
    found: dict[int, str] = {}

    def choose(position: int, names: Iterable[str]) -> None:
        one = statements[position]
        streams = [f"s_{arrays[one.write.variable].name}"]
        streams += [f"m_{arrays[t.variable].name}" for t in (*one.predicate_reads, *one.reads)]
        found[position] = name_of_statement(names, streams, taken, str.casefold)

    for position, one in enumerate(statements):
        if one.label:
            choose(position, chain([one.label], numbers_behind(one.label)))
    numbers = count()
    for position, one in enumerate(statements):
        if not one.label:
            choose(position, (f"S{number}" for number in numbers))
    return [found[position] for position in range(len(statements))]


def distinct(names: Sequence[str], taken: Collection[str]) -> tuple[str, ...]:
    """The names, with _2, _3, .. behind those that are taken or came before."""
    found: list[str] = []
    for name in names:
        free, number = name, 2
        while free in found or free in taken:
            free, number = f"{name}_{number}", number + 1
        found.append(free)
    return tuple(found)


def _schedule(written: Written, name: str, depth: int, iterators: Sequence[str]) -> Any:
    return with_names(times_of(written, name, depth), DimType.in_, iterators)


def times_of(written: Written, name: str, depth: int, behind: Sequence[int] = ()) -> Any:
    """{ name[i, ..] -> [slot, loop, .., slot] }, for nests of so many loops, and `behind` it."""
    space = written.domain.space
    entries = []
    for time in written.times:
        if isinstance(time, int):
            entries.append(pw.constant(space, time))
        else:
            position, sign = time
            value = pw.dimension(space, position)
            entries.append(value if sign > 0 else value.neg())
    entries += [pw.constant(space, 0)] * (2 * depth + 1 - len(entries))
    entries += [pw.constant(space, value) for value in behind]
    return pw.to_map(entries, written.domain, name)


def _access(
    touch: Touch,
    statement: str,
    arrays: Mapping[Variable, Array],
    iterators: Sequence[str],
    source: SourceMap,
) -> Access:
    array = arrays[touch.variable]
    if touch.is_at_run_time:
        relation = _between(touch, statement, array)
    else:
        relation = pw.to_map(touch.subscripts, touch.inside, statement, array.name).coalesce()
    source_location: SourceLocation | None = source.place(touch.node)
    return Access(
        array=array.name,
        relation=with_names(relation, DimType.in_, iterators),
        must=touch.must,
        source_location=source_location,
        node=touch.node,
        chosen=touch.is_at_run_time,
    )


def _filter(
    written: WrittenFilter,
    statement: str,
    arrays: Mapping[Variable, Array],
    iterators: Sequence[str],
    source: SourceMap,
) -> Filter:
    accesses = []
    for one in written.predicate_reads:
        access = _access(one.touch, statement, arrays, iterators, source)
        if one.follows is not None:
            follows = one.follows.set_tuple_name(DimType.in_, access.array)
            follows = follows.set_tuple_name(DimType.out, access.array)
            access = replace(access, relation=access.relation.apply_range(follows).coalesce())
        accesses.append(replace(access, must=True))
    value = written.value.set_tuple_name(DimType.in_, statement)
    return Filter(
        accesses=tuple(accesses),
        value=with_names(value, DimType.in_, iterators),
        loops=written.loops,
        source_location=source.place(written.node),
    )


def _between(touch: Touch, statement: str, array: Array) -> Any:
    """The elements that an access may be to; no other elements than there are."""
    space = touch.inside.space
    low: list[Any] = []
    high: list[Any] = []
    for position, one in enumerate(touch.subscripts):
        if not isinstance(one, Range):
            low.append(one)
            high.append(one)
            continue
        least, greatest = one.least, one.greatest
        extent = None if array.extents is None else array.extents[position]
        if extent is not None and extent.is_affine():
            last = PwAff.from_aff(affine_of(extent - 1, space))
            least, greatest = least.max(pw.constant(space, 0)), greatest.min(last)
        low.append(least)
        high.append(greatest)
    return pw.to_box(low, high, touch.inside, statement, array.name).coalesce()


def iterator_names(
    statements: Sequence[Written], depth: int, taken: Collection[str]
) -> tuple[str, ...]:
    """t0, y, t1, x, t2: slots and loop variables, those of the first nest that is deep enough.

    The time of a loop that counts down is the negated variable, called minus_<name>.
    """
    names = ["t0"]
    for level in range(depth):
        first = next(s for s in statements if len(s.loops) > level)
        _, sign = next(t for t in first.times if isinstance(t, tuple) and t[0] == level)
        name = first.loops[level]
        names += [name if sign > 0 else f"minus_{name}", f"t{level + 1}"]
    return distinct(names, taken)
