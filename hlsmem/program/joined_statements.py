"""Statements whose instances are one beat, as one statement (`pipeline.together`).

It reads what the statements read and do not hand on among themselves, each element once, and writes
all that they write; neighbours in an array that leaves are one word (`packed_words`). To all that
plans and judges storage it is a statement like others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import DimType
from hlsmem.program.model import Access, Joined, Program, Statement, Storage
from hlsmem.program.packed_words import packed


def joined(program: Program) -> Program:
    """The program with the statements that stand together as one, in the place of the first.

    It has the name of the first in the text, and the times of the one that is named first.
    """
    if not program.together and all(one.word == 1 for one in program.arrays.values()):
        return program
    known = {one.name: one for one in program.statements}
    groups = {}
    for names in program.together:
        parts = tuple(one for one in program.statements if one.name in names)
        groups[parts[0].name] = _joined(program, parts, known[names[0]].schedule)
    gone = {name for names in program.together for name in names} - groups.keys()
    statements = (groups.get(one.name, one) for one in program.statements if one.name not in gone)
    return packed(replace(program, statements=tuple(statements), together=(), joined_from=program))


def parts_of(statement: Statement) -> tuple[Statement, ...]:
    """The statements that one stands for, in the order of the text: itself, where it is one."""
    return statement.body.parts if isinstance(statement.body, Joined) else (statement,)


def kept_after(writer: Statement, reader: Statement) -> int | None:
    """Cycles from a beat to one that takes what the datapath keeps of it; None: the latency.

    Where a recurrence is known, statements behind the loops take it with the last beat of these.
    """
    if writer.recurrence is None:
        return None
    return writer.recurrence if len(reader.iterators) >= len(writer.iterators) else 0


def _joined(program: Program, parts: Sequence[Statement], schedule: Any) -> Statement:
    first = parts[0]
    return replace(
        first,
        schedule=schedule.set_tuple_name(DimType.in_, first.name),
        reads=tuple(_each_once(_reads(program, parts), first.name)),
        writes=tuple(_each_once([a for one in parts for a in one.writes], first.name)),
        body=Joined(tuple(parts)),
    )


def _reads(program: Program, parts: Sequence[Statement]) -> Iterator[Access]:
    """The reads of what none of the statements before has left in the datapath."""
    left: list[Access] = []
    for one in parts:
        for access in one.reads:
            if not any(_is_among(access, own) for own in left):
                yield access
        kept = (a for a in one.writes if program.arrays[a.array].storage is Storage.DATAPATH)
        left += kept


def _each_once(accesses: Sequence[Access] | Iterator[Access], name: str) -> Iterator[Access]:
    """Accesses of a statement of this name, of those to one element the first."""
    found: list[Access] = []
    for one in accesses:
        if not any(is_same_element(one, own) for own in found):
            found.append(one)
            yield replace(one, relation=one.relation.set_tuple_name(DimType.in_, name))


def _is_among(one: Access, other: Access) -> bool:
    """True if an access is to the element of another one in each of its instances."""
    if one.array != other.array:
        return False
    first, second = (own.relation.reset_tuple_id(DimType.in_) for own in (one, other))
    return bool(first.is_subset(second))


def is_same_element(one: Access, other: Access) -> bool:
    """True if two accesses are to one element in each instance, of whichever statement."""
    if one.array != other.array:
        return False
    first, second = (own.relation.reset_tuple_id(DimType.in_) for own in (one, other))
    return bool(first.is_equal(second))
