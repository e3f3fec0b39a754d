"""Placement: which memory holds an array's cells, and how many words that takes.

Cells are not words: a memory with one read port is copied once per operand that is read
in the same beat, and every read stream keeps its own pace.
"""

from __future__ import annotations

from typing import Any

from hlsmem.lifetime.residence import stored_uses
from hlsmem.mapping.model import Mapping
from hlsmem.order import dataflow
from hlsmem.plan import ArrayPlace, Memory, Stream
from hlsmem.polyhedra import UnionMap
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program import Access, Array, Program, Statement


def place_array(array: Array, mapping: Mapping, read_ports: int) -> Memory:
    """The memory of one array alone: registers for one cell, else a RAM copied per read port."""
    if mapping.cells <= 1:
        return Memory(bits=array.element.bits, words=1, kind="registers")
    copies = max(1, read_ports)
    return Memory(bits=array.element.bits, words=mapping.cells * copies, copies=copies)


def read_ports(program: Program | None, array: Array) -> int:
    """Operands fetched from the array's cells: wires need no port, equal operands share one.

    A bare conflict set has one port.
    """
    if program is None:
        return 1
    uses = stored_uses(program, dataflow(program, array.name))
    fetched = fix_parameters(uses.domain_factor_domain().reverse(), program.values)
    return sum(
        len(_fetched(program, statement, array.name, fetched)) for statement in program.statements
    )


def place_of(array: Array) -> ArrayPlace:
    """An array in a memory of its own name, from address 0."""
    return ArrayPlace(memory=array.name)


def streams_of(program: Program) -> tuple[Stream, ...]:
    """One stream per (array, statement, direction), in textual order, writes after reads."""
    planned = {array.name for array in program.planned_arrays()}
    streams: list[Stream] = []
    for statement in program.statements:
        for prefix, accesses in (("m", statement.reads), ("s", statement.writes)):
            for name in dict.fromkeys(a.array for a in accesses if a.array in planned):
                own = [access for access in accesses if access.array == name]
                streams.append(
                    Stream(
                        name=f"{prefix}_{name}_{statement.name}",
                        array=name,
                        statement=statement.name,
                        beats=_beats(program, own),
                        operands=len(own),
                    )
                )
    return tuple(streams)


def _beats(program: Program, accesses: list[Access]) -> int:
    instances = accesses[0].relation.domain()
    for access in accesses[1:]:
        instances = instances.union(access.relation.domain())
    return count(fix_parameters(instances, program.values))


def _fetched(program: Program, statement: Statement, array: str, fetched: Any) -> list[Access]:
    """The distinct operands of a statement that come from cells; `fetched`: R[j] -> A[x]."""
    distinct: list[Access] = []
    for access in statement.reads:
        if access.array != array:
            continue
        if any(access.relation.is_equal(other.relation) for other in distinct):
            continue
        relation = UnionMap.from_map(fix_parameters(access.relation, program.values))
        if not relation.intersect(fetched).is_empty():
            distinct.append(access)
    return distinct
