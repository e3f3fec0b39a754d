"""Legality of an order: the program computes in it what it computes in its own.

It does exactly when every read sees the same value in both orders: the value-based dataflow of
every array, live content before and after included, has to be the same. A nest of a multifor block
has a least offset with which it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.extremes import Sample, first_point
from hlsmem.polyhedra.relations import dimension_names, maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Nest, Program, Statement, Storage
from hlsmem.timing.class_dependences import dependences
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, Events, full_events
from hlsmem.timing.instance_text import element_text, instance_text, parameters_text, time_text
from hlsmem.timing.value_flow import Dataflow, accesses, dataflow

# Offsets that are looked at: more ticks than any program that is worth a block has.
_MOST = 1 << 20


def check_legality(
    program: Program, problems: Problems, *, report: Callable[[str], None] = lambda _: None
) -> None:
    """Report the dependences of `program.original` that the order of `program` violates.

    One problem for every array, writing and reading statement; each names an example with
    both instances and both times. Nothing is reported where there is no other order. `report`
    is told each array before it is looked at.
    """
    original = program.original
    if original is None:
        return
    before, after = full_events(original), full_events(program)
    for array in program.arrays.values():
        if array.storage is Storage.ROM:
            continue
        report(array.name)
        wanted = dataflow(original, array.name, before)
        found = dataflow(program, array.name, after)
        lost = wanted.uses.subtract(found.uses)
        for use in sorted(maps_of(lost), key=_names):
            _report_use(program, array.name, use, found, after, problems)
        for pair in sorted(_swapped(program, array.name, before, after), key=_names):
            _report_swap(program, array.name, pair, problems)


def _order(program: Program, statement: Statement | None = None) -> tuple[str, str]:
    """Cause of another order of instances, and what to do about it at a statement."""
    if program.nests:
        return "the multifor block", _later(program, statement)
    if program.lanes:
        return "unrolling", "unroll another loop, or none,"
    return "the schedule", "change the schedule"


def _later(program: Program, statement: Statement | None) -> str:
    """Remedy that starts a nest at another time."""
    nest = None if statement is None else nest_of(program, statement.name)
    if nest is None:
        return "give its nests other offsets"
    least = least_offset(program, nest)
    if least is None:
        return f"move another nest than {nest.label!r}, for which no offset is right,"
    text = ",".join(map(str, least))
    return f"give nest {nest.label!r} offset({text}), the least legal one where the others stay,"


def same_values(program: Program, other: Program) -> bool:
    """True if every read sees the same value in both orders of the same instances."""
    before, after = full_events(program), full_events(other)
    return all(
        dataflow(program, name, before).uses.is_equal(dataflow(other, name, after).uses)
        and not _swapped(other, name, before, after)
        for name, array in program.arrays.items()
        if array.storage is not Storage.ROM
    )


def _names(relation: Any) -> tuple[str, str]:
    """The names of the writer and the reader in [A[x] -> W[i]] -> R[j] or of W[i] -> V[j]."""
    reader = relation.get_tuple_name(DimType.out)
    source = relation.domain()
    if source.is_wrapping():
        return source.unwrap().get_tuple_name(DimType.out), reader
    return relation.get_tuple_name(DimType.in_), reader


def _report_use(
    program: Program, array: str, use: Any, found: Dataflow, times: Events, problems: Problems
) -> None:
    """`use` is [A[x] -> W[i]] -> R[j], what the read sees in the program's own order."""
    late = _late(use, times)
    use = use if late.is_empty() else Map.from_union_map(late)
    order, remedy = _order(program, _find(program, _names(use)[1]))
    point = first_point(use.wrap(), program.values)
    size = len(program.arrays[array].index)
    element = element_text(array, point.coordinates[:size])
    writer, reader = (_find(program, name) for name in _names(use))
    depth = 0 if writer is None else writer.domain.dim(DimType.set)
    first, second = point.coordinates[size : size + depth], point.coordinates[size + depth :]
    reads = _event(program, reader, second, point, f"reads {element}", "the end")
    if not late.is_empty():
        assert writer is not None  # nothing comes before what is live in
        writes = _event(program, writer, first, point, "writes it", "")
        problems.add(
            f"{order} breaks a dependence: {reads}, but {writes}, "
            f"{_relation(program, writer, first, reader, second, point)}"
            f"{parameters_text(program, point)}",
            f"{remedy} so that the write comes first",
            _place(reader, "reads", array, second, point.coordinates[:size], point),
            [Note(f"the write of {array!r}", _place(writer, "writes", array))],
        )
        return
    other, instance = _overwriting(program, use, found, point, size, depth)
    source = "the value from before the program"
    if writer is not None:
        source = _event(program, writer, first, point, "wrote it", "")
    overwrites = _event(program, other, instance, point, "overwrites it in between", "")
    problems.add(
        f"{order} breaks a dependence: {reads} and needs {source}, but {overwrites}"
        f"{parameters_text(program, point)}",
        f"{remedy} so that it is read before it is overwritten",
        _place(reader, "reads", array, second, point.coordinates[:size], point)
        or _place(writer, "writes", array),
        [Note(f"overwritten by this write of {array!r}", _place(other, "writes", array))],
    )


def _late(use: Any, times: Events) -> Any:
    """The part of a use whose write does not come before its read."""
    pairs = UnionMap.from_map(use)
    source = pairs.domain().unwrap().range_map()  # [A[x] -> W[i]] -> W[i]
    written = source.apply_range(times.writes)
    read = pairs.apply_range(times.reads)
    event = Map.from_union_map(read).range().get_space()
    not_before = UnionMap.from_map(Map.lex_ge(event))
    after = written.apply_range(not_before).apply_range(times.reads.reverse())
    return pairs.intersect(after)


def _overwriting(
    program: Program,
    use: Any,
    found: Dataflow,
    point: Sample,
    size: int,
    depth: int,
) -> tuple[Statement | None, tuple[int, ...]]:
    """The write that the read of a lost use sees instead."""
    element, reader = point.coordinates[:size], point.coordinates[size + depth :]
    for seen in maps_of(found.uses):
        if seen.get_tuple_name(DimType.out) != use.get_tuple_name(DimType.out):
            continue
        here = fix_parameters(seen, point.parameters).wrap()
        inner = here.dim(DimType.set) - size - len(reader)
        for position, value in [
            *enumerate(element),
            *((size + inner + k, value) for k, value in enumerate(reader)),
        ]:
            here = here.fix_val(DimType.set, position, value)
        if not here.is_empty():
            found_point = first_point(here, {}).coordinates
            name, _ = _names(seen)
            return _find(program, name), found_point[size : size + inner]
    return None, ()


def _swapped(program: Program, array: str, before: Events, after: Events) -> list[Any]:
    """Pairs of writes W[i] -> V[j] to one element that change places, one of them uncertain.

    Certain writes need no rule: which of them a read sees is in the dataflow.
    """
    uncertain = accesses(program, array, writes=True, must=False)
    if uncertain.is_empty():
        return []
    writes = accesses(program, array, writes=True)
    pairs = writes.apply_range(uncertain.reverse())
    pairs = pairs.union(pairs.reverse())
    in_order = pairs.intersect(_earlier(before))
    return list(maps_of(in_order.subtract(_earlier(after))))


def _earlier(times: Events) -> Any:
    """{ W[i] -> V[j] : the first writes before the second }."""
    events = [one.range().get_space() for one in maps_of(times.writes)]
    less = UnionMap.from_map(Map.lex_lt(events[0]))
    return times.writes.apply_range(less).apply_range(times.writes.reverse())


def _report_swap(program: Program, array: str, pair: Any, problems: Problems) -> None:
    order, remedy = _order(program)
    point = first_point(pair.wrap(), program.values)
    writer, other = (_find(program, name) for name in _names(pair))
    assert writer is not None
    assert other is not None
    depth = writer.domain.dim(DimType.set)
    first = _event(program, writer, point.coordinates[:depth], point, f"writes {array!r}", "")
    second = _event(program, other, point.coordinates[depth:], point, "writes the same", "")
    problems.add(
        f"{order} changes which write is the last: {second}, not after {first}"
        f"{parameters_text(program, point)}",
        f"{remedy} so that they keep their order",
        _place(other, "writes", array),
        [Note("the other write", _place(writer, "writes", array))],
    )


def _event(
    program: Program,
    statement: Statement | None,
    instance: tuple[int, ...],
    point: Sample,
    does: str,
    otherwise: str,
) -> str:
    """An instance, what it does and when: "R at i=3 reads a[3] at [0, 3]"."""
    if statement is None:
        return f"{otherwise} {does}"
    time = time_text(program, statement, instance, point.parameters)
    return f"{instance_text(statement, instance)} {does} at {time}"


def _relation(
    program: Program,
    writer: Statement,
    first: tuple[int, ...],
    reader: Statement | None,
    second: tuple[int, ...],
    point: Sample,
) -> str:
    if reader is None:
        return "too late"
    times = [
        time_text(program, statement, instance, point.parameters)
        for statement, instance in ((writer, first), (reader, second))
    ]
    return "at the same time, when reads come first" if times[0] == times[1] else "later"


def _find(program: Program, name: str) -> Statement | None:
    """A statement; None for what stands before and after the program."""
    if name in (LIVE_IN, LIVE_OUT):
        return None
    return next(statement for statement in program.statements if statement.name == name)


def _place(
    statement: Statement | None,
    kind: str,
    array: str,
    instance: tuple[int, ...] = (),
    element: tuple[int, ...] = (),
    point: Sample | None = None,
) -> SourceLocation | None:
    """The place of the access of an instance to an element; of any to the array without them."""
    if statement is None:
        return None
    touches: tuple[Access, ...] = getattr(statement, kind)
    mine = [access for access in touches if access.array == array]
    if point is not None:
        mine = [one for one in mine if _touches(one, instance, element, point)] or mine
    return next(
        (access.source_location for access in mine if access.source_location),
        statement.source_location,
    )


def _touches(
    access: Access, instance: tuple[int, ...], element: tuple[int, ...], point: Sample
) -> bool:
    relation = fix_parameters(access.relation, point.parameters)
    for position, value in enumerate(instance):
        relation = relation.fix_val(DimType.in_, position, value)
    for position, value in enumerate(element):
        relation = relation.fix_val(DimType.out, position, value)
    return not relation.is_empty()


def least_offset(program: Program, nest: Nest) -> tuple[int, ...] | None:
    """The lexicographically least offset of a nest, not below 0 where the given one is not, at
    the parameters of the program, with all other nests where they are; None where there is none.
    """
    original = program.original
    assert original is not None
    statements = {one.name: one for one in program.statements}
    names = dimension_names("o", len(nest.offset))
    low = min(0, *nest.offset) if nest.offset else 0
    bounds = " and ".join(f"{low} <= {name} <= {_MOST}" for name in names) or "true"
    legal = Set(f"{{ [{', '.join(names)}] : {bounds} }}")
    for dependence in dependences(original):
        for pair in maps_of(dependence.relation):
            source, sink = (
                statements.get(pair.get_tuple_name(kind)) for kind in (DimType.in_, DimType.out)
            )
            moved = [one is not None and one.name in nest.statements for one in (source, sink)]
            if source is None or sink is None or moved[0] == moved[1]:
                continue
            pair = fix_parameters(pair, program.values)
            broken = _broken(program, nest, (source, sink), pair, moved, dependence.kind == "anti")
            legal = legal.subtract(broken).coalesce()
    if legal.is_empty():
        return None
    return tuple(first_point(legal, {}).coordinates)


def _broken(
    program: Program,
    nest: Nest,
    ends: tuple[Statement, Statement],
    pair: Any,
    moved: list[bool],
    reads_first: bool,
) -> Any:
    """The offsets with which some pair is out of order; a read may stand at the time of a write
    that overwrites it."""
    size = program.time_dimensions
    times = [
        fix_parameters(one.schedule.intersect_domain(one.domain), program.values) for one in ends
    ]
    # { [times of the source] -> [times of the sink] }
    between = pair.apply_domain(times[0]).apply_range(times[1])
    first, second = dimension_names("a", size), dimension_names("b", size)
    names = dimension_names("o", len(nest.offset))
    shift = {
        entry: f"{name} - {given}"
        for name, entry, given in zip(names, nest.entries, nest.offset, strict=True)
        if entry >= 0
    }
    sides = [
        [f"{one} + {shift[k]}" if is_moved and k in shift else one for k, one in enumerate(side)]
        for side, is_moved in zip((first, second), moved, strict=True)
    ]
    late = [
        " and ".join(
            [*(f"{sides[0][k]} = {sides[1][k]}" for k in range(entry)),
             f"{sides[0][entry]} > {sides[1][entry]}"]
        )
        for entry in range(size)
    ]  # fmt: skip
    if not reads_first:
        equal = [f"{a} = {b}" for a, b in zip(*sides, strict=True)]
        late.append(" and ".join(equal))
    condition = " or ".join(f"({one})" for one in late)
    both = f"[[{', '.join(first)}] -> [{', '.join(second)}]]"
    relation = Map(f"{{ {both} -> [{', '.join(names)}] : {condition} }}")
    return between.wrap().apply(relation)


def nest_of(program: Program, statement: str) -> Nest | None:
    """The nest of a block that a statement is in."""
    return next((one for one in program.nests if statement in one.statements), None)
