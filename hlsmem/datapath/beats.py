"""Statements of one loop body that make one beat: what a datapath computes side by side.

They hand values on without a memory, or read, or write, the same array: one stream has all that
they need of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from hlsmem.polyhedra import DimType
from hlsmem.program.model import Access, KernelBody, Program, Statement, Storage
from hlsmem.program.packed_words import is_word


def statements_together(program: Program) -> tuple[tuple[str, ...], ...]:
    """Return the names of statements that make one beat, those at whose times it is first.

    The program is in the order of its text: statements of one loop body differ in an entry of their
    times. Of statements that cannot be one none is in the answer: where something between them has
    to come behind one and before another, and where one reads from memory what another writes.
    """
    if program.original is not None:
        return ()
    kept = {one.name for one in program.arrays.values() if one.storage is Storage.DATAPATH}
    places = {one.name: place for place, one in enumerate(program.statements)}
    found = []
    for group in _groups(program, kept):
        for own in (group, *_by_kept(group, kept)):
            moved = None if _meet_in_memory(program, own, kept) else _moved(program, own, places)
            if moved is not None:
                first, places = moved
                others = (one.name for one in own if one.name != first)
                found.append((first, *others))
                break
    return tuple(found)


def _groups(program: Program, kept: Collection[str]) -> list[list[Statement]]:
    """Statements of one loop body that share arrays, each in one group, of two or more."""
    shared = {one.name for one in program.planned_arrays()}
    shared |= {one.name for one in program.arrays.values() if one.is_parameter and one.index}
    groups: list[list[Statement]] = []
    for one in program.statements:
        if isinstance(one.body, KernelBody) and one.iterators and not one.filters:
            joined = [
                own
                for own in groups
                if any(_share(one, other, kept, shared) for other in own)
                and _is_in_body(program, own[-1], one)
            ]
            whole = [*(statement for own in joined for statement in own), one]
            groups = [*(own for own in groups if own not in joined), whole]
    order = {one.name: place for place, one in enumerate(program.statements)}
    return [sorted(own, key=lambda s: order[s.name]) for own in groups if len(own) > 1]


def _share(
    one: Statement, other: Statement, kept: Collection[str], shared: Collection[str]
) -> bool:
    """True if the datapath hands on values between two, or they have operands, or results, of one
    array."""
    if _touched(one) & _touched(other) & set(kept):
        return True
    return any(
        bool({a.array for a in first} & {a.array for a in second} & set(shared))
        for first, second in ((one.reads, other.reads), (one.writes, other.writes))
    )


def _by_kept(group: Sequence[Statement], kept: Collection[str]) -> Iterator[list[Statement]]:
    """The statements of a group that values of the datapath join, one such group after another."""
    left = [*group]
    while left:
        own = [left.pop(0)]
        while more := [s for s in left if _arrays(own) & _touched(s) & set(kept)]:
            own += more
            left = [s for s in left if s not in more]
        if 1 < len(own) < len(group):
            yield [s for s in group if s in own]


def _touched(statement: Statement) -> set[str]:
    return {access.array for access in (*statement.reads, *statement.writes)}


def _arrays(group: Sequence[Statement]) -> set[str]:
    return {name for one in group for name in _touched(one)}


def _is_in_body(program: Program, first: Statement, second: Statement) -> bool:
    """True if two statements run as often in one loop body, and no deeper loop is between them."""
    if first.iterators != second.iterators:
        return False
    names = [one.name for one in program.statements]
    between = program.statements[names.index(first.name) + 1 : names.index(second.name)]
    if any(len(one.iterators) > len(first.iterators) for one in between):
        return False
    one, other = (own.domain.reset_tuple_id() for own in (first, second))
    slot = 2 * len(first.iterators)
    count = program.time_dimensions - slot
    times = [
        own.schedule.reset_tuple_id(DimType.in_).project_out(DimType.out, slot, count)
        for own in (first, second)
    ]
    return bool(one.is_equal(other)) and bool(times[0].is_equal(times[1]))


def _meet_in_memory(program: Program, group: Sequence[Statement], kept: Collection[str]) -> bool:
    """True if one writes what another one behind it reads in the same beat, or several write
    elements of an array that are no word."""
    writes = [access for one in group for access in one.writes if access.array not in kept]
    for name in {access.array for access in writes}:
        own = [access for access in writes if access.array == name]
        others = [one for one in program.statements if one not in group and name in _touched(one)]
        if len(own) > 1 and (others or not is_word(program.arrays[name], own)):
            return True
    return any(
        _may_meet(access, own)
        for place, one in enumerate(group)
        for access in one.writes
        if access.array not in kept
        for behind in group[place + 1 :]
        for own in behind.reads
    )


def _may_meet(one: Access, other: Access) -> bool:
    """True if two accesses of one beat may be to one element."""
    if one.array != other.array:
        return False
    first, second = (own.relation.reset_tuple_id(DimType.in_) for own in (one, other))
    return not first.intersect(second).is_empty()


def _moved(
    program: Program, group: Sequence[Statement], places: Mapping[str, int]
) -> tuple[str, dict[str, int]] | None:
    """The statement at whose times all may be, and the places of all statements then.

    The last one, where that can be. None where none can.
    """
    for first in reversed(group):
        at = places[first.name]
        moved = {**places, **{one.name: at for one in group}}
        if not any(
            _depend(one, other)
            and (places[one.name] < places[other.name]) != (moved[one.name] < moved[other.name])
            for one in group
            for other in program.statements
            if other not in group
        ):
            return first.name, moved
    return None


def _depend(one: Statement, other: Statement) -> bool:
    """True if one writes an array that the other touches."""
    return any(
        bool({a.array for a in first.writes} & _touched(second))
        for first, second in ((one, other), (other, one))
    )
