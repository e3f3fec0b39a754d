"""A layout: every array, or part of one, in one kind of storage, as circuits are made of it."""

from __future__ import annotations

from collections.abc import Iterable

from hlsmem.mapping.model import Certificate, Mapping, Piece
from hlsmem.planfile import ArrayPlan, Plan, rules_of
from hlsmem.program import Array, Program
from hlsmem.storage.kinds import Held

# What chains and FIFOs have: every element in cell 0.
NO_ADDRESS = Mapping(
    pieces=(Piece(matrix=(), modulus=(), offset=()),),
    method="none",
    cells=1,
    certificate=Certificate(scope="all-parameters", by="order"),
)


def layout(
    program: Program, held: Iterable[tuple[str, Held]], *, strict: bool = False, slack: int = 0
) -> Plan:
    """The plan of arrays of a program that are held so, each in a memory of its own name."""
    pairs = tuple(held)
    return Plan(
        tool="",
        design=program.name,
        inputs={},
        overrides=(),
        params=dict(program.values),
        program=rules_of(program, strict=strict, slack=slack),
        memories={name: one.memory(program.arrays[name]) for name, one in pairs},
        arrays={name: _array(program.arrays[name], one) for name, one in pairs},
    )


def _array(array: Array, held: Held) -> ArrayPlan:
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=None,
        declared_cells=None,
        bounds=held.bounds,
        mapping=held.mapping or NO_ADDRESS,
        parts=(held.part(array.name),),
    )
