"""The read ports that an array takes in a RAM: one for each operand of a beat."""

from __future__ import annotations

from typing import Any

from hlsmem.lifetime.live_interval import stored_uses
from hlsmem.polyhedra import UnionMap
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program, Statement
from hlsmem.timing.lanes import beat_times, lanes_of
from hlsmem.timing.value_flow import dataflow


def read_ports(program: Program | None, array: Array) -> int:
    """Operands fetched from the array's cells: wires need no port, equal operands share one.

    A bare conflict set has one port, and so has an array without streams.
    """
    if program is None or array.name in program.without_streams():
        return 1
    uses = stored_uses(program, dataflow(program, array.name))
    fetched = fix_parameters(uses.domain_factor_domain().reverse(), program.values)
    return sum(
        len(_fetched(program, statement, array.name, fetched)) for statement in program.statements
    )


def _fetched(program: Program, statement: Statement, array: str, fetched: Any) -> list[Any]:
    """The distinct operands of a statement's beats that come from cells; `fetched`: R[j] -> A[x].

    They map instances, or the times of beats with several of them, to elements.
    """
    schedule = fix_parameters(statement.schedule, program.values)
    beats = beat_times(program, schedule).reverse() if program.lanes else None
    distinct: list[Any] = []
    for _, instances in lanes_of(program, statement):
        for access in statement.reads:
            if access.array != array:
                continue
            relation = fix_parameters(access.relation, program.values)
            relation = relation.intersect_domain(instances)
            operand = relation if beats is None else beats.apply_range(relation)
            if any(operand.is_equal(other) for other in distinct):
                continue
            if not UnionMap.from_map(relation).intersect(fetched).is_empty():
                distinct.append(operand)
    return distinct
