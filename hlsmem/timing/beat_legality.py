"""Statements that are one beat: reads see the writes that they see one after the other."""

from __future__ import annotations

from collections import Counter

from hlsmem.core.errors import Problems
from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.relations import union_map
from hlsmem.program.joined_statements import parts_of
from hlsmem.program.model import Program, Storage
from hlsmem.program.packed_words import elements_of_words
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.value_flow import dataflow


def check_together(program: Program, problems: Problems) -> None:
    """Report an array of which a read sees another write than before statements were joined.

    What these hand on in the datapath is no use. Of arrays that are read alone, or written by one
    statement alone, there is nothing to see.
    """
    before = program.joined_from
    if before is None:
        return
    renaming = _renaming(program)
    for name in _in_question(before):
        array = program.arrays[name]
        uses, found = (dataflow(one, name).uses for one in (before, program))
        words = elements_of_words(array, uses.domain().unwrap().domain())
        uses = uses.apply_domain(words.product(renaming)).apply_range(renaming)
        if array.storage is Storage.DATAPATH:
            inside = uses.domain().unwrap().range_map().intersect(uses)
            uses, found = uses.subtract(inside), found.subtract(inside)
        if not uses.is_equal(found):
            problems.add(
                f"pipeline.together changes which write of {name!r} is seen",
                "leave out the statements that write it, or those that read it",
                array.source_location,
            )


def _renaming(program: Program) -> UnionMap:
    """{ instance of a part -> instance of the statement }, and what is not joined to itself."""
    found = [
        one.domain.identity().set_tuple_name(DimType.out, statement.name)
        for statement in program.statements
        for one in parts_of(statement)
    ]
    ends = UnionMap(f"{{ {LIVE_IN}[] -> {LIVE_IN}[]; {LIVE_OUT}[] -> {LIVE_OUT}[] }}")
    return union_map(found).union(ends)


def _in_question(program: Program) -> list[str]:
    """The arrays that statements write, and others read or write."""
    writers: Counter[str] = Counter()
    readers: set[str] = set()
    for one in program.statements:
        writers.update({access.array for access in one.writes})
        readers |= {access.array for access in one.sees}
    return [name for name, count in writers.items() if count > 1 or name in readers]
