"""Placement: which memory holds an array's cells, and how many words that takes.

Cells are not words: a memory with one read port is copied once per operand that is read
in the same beat, and every read stream keeps its own pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlsmem.errors import InputError, Note, Problem
from hlsmem.lifetime.residence import stored_uses
from hlsmem.mapping.model import Mapping
from hlsmem.order import dataflow
from hlsmem.order.edges import DRAIN, FILL, drained, filled
from hlsmem.order.unroll import beat_times, lanes_of
from hlsmem.places import Place
from hlsmem.plan import ArrayPlace, BankBoxes, BankPlace, Memory, Plan, Stream
from hlsmem.polyhedra import UnionMap
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program import Access, Array, Program, Statement

if TYPE_CHECKING:
    from hlsmem.banks.layout import BankedStorage


def place_array(array: Array, mapping: Mapping, read_ports: int) -> Memory:
    """The memory of one array alone: registers for one cell, else a RAM copied per read port."""
    if mapping.cells <= 1:
        return Memory(bits=array.element.bits, words=1, kind="registers")
    copies = max(1, read_ports)
    return Memory(
        bits=array.element.bits,
        words=mapping.cells * copies,
        copies=copies,
        style=array.style,
    )


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


def bank_place(storage: BankedStorage) -> BankPlace | None:
    """Banks as plan.json has them; None for a table, and for blocks along a vector without a 1.

    Where a vector a has a 1 in dimension k, the remainder by the lattice { x : a.x = 0 } whose
    last pivot is in k is a.x modulo its index itself.
    """
    from hlsmem.banks.cyclic import BlockCyclicBanks
    from hlsmem.banks.lattice import LatticeBanks
    from hlsmem.banks.layout import Boxes

    boxes, folded = None, None
    if isinstance(storage.offsets, Boxes):
        own = storage.offsets
        boxes = BankBoxes(own.lower, own.sides, own.counts)
    else:
        folded = storage.offsets.storage
    banks, block = storage.banks, 1
    if isinstance(banks, BlockCyclicBanks):
        if 1 not in banks.vector:
            return None
        size, last = len(banks.vector), banks.vector.index(1)
        order = (*(k for k in range(size) if k != last), last)
        block = banks.block
        banks = LatticeBanks.linear(banks.vector, banks.banks * block, order)
    if not isinstance(banks, LatticeBanks):
        return None
    return BankPlace(basis=banks.basis, block=block, storage=folded, boxes=boxes)


def in_banks(plan: Plan, array: str, banks: BankPlace, streams: int) -> Plan:
    """The plan with an array in these banks, all words once for each of `streams` streams."""
    own = plan.arrays[array]
    memory = replace(
        plan.memories[own.place.memory],
        kind="banks",
        banks=banks.banks,
        copies=streams,
        words=banks.banks * banks.words * streams,
    )
    place = ArrayPlace(memory=own.place.memory, banks=banks)
    return replace(
        plan,
        memories={**plan.memories, own.place.memory: memory},
        arrays={**plan.arrays, array: replace(own, place=place)},
    )


def streams_of(program: Program) -> tuple[Stream, ...]:
    """One stream per (array, statement, direction), in textual order, writes after reads.

    Behind them the fill and the drain of every array; streams without a beat are left out.
    Raises InputError where two streams would have one name.
    """
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
                        beats=_beats(program, statement, own),
                        operands=len(own) * sum(1 for _ in lanes_of(program, statement)),
                    )
                )
    for array in program.planned_arrays():
        for name, elements in (
            (f"s_{array.name}_{FILL}", filled(program, array)),
            (f"m_{array.name}_{DRAIN}", drained(program, array)),
        ):
            if elements is not None:
                beats = count(fix_parameters(elements, program.values))
                streams.append(Stream(name=name, array=array.name, statement=None, beats=beats))
    kept = tuple(stream for stream in streams if stream.beats)
    _refuse_equal_names(program, kept)
    return kept


def _refuse_equal_names(program: Program, streams: Sequence[Stream]) -> None:
    """`a_b` with statement `c` and `a` with `b_c` have streams of one name."""
    first: dict[str, Stream] = {}
    problems = []
    for stream in streams:
        other = first.setdefault(stream.name, stream)
        if other is not stream:
            what = f"{_whose(other)} and {_whose(stream)} would both have the stream {stream.name}"
            note = Note("the first one", _place_of_access(program, other))
            place = _place_of_access(program, stream)
            problems.append(Problem(what, "rename a statement or an array", place, (note,)))
    if problems:
        raise InputError(*problems)


def _whose(stream: Stream) -> str:
    if stream.statement is None:
        return f"the {stream.name.rpartition('_')[2]} of {stream.array!r}"
    return f"statement {stream.statement!r} on {stream.array!r}"


def _place_of_access(program: Program, stream: Stream) -> Place | None:
    return next(
        (
            access.place
            for statement in program.statements
            if statement.name == stream.statement
            for access in (statement.writes if stream.name[0] == "s" else statement.reads)
            if access.array == stream.array
        ),
        None,
    )


def _beats(program: Program, statement: Statement, accesses: list[Access]) -> int:
    instances = accesses[0].relation.domain()
    for access in accesses[1:]:
        instances = instances.union(access.relation.domain())
    instances = fix_parameters(instances, program.values)
    if not program.lanes:
        return count(instances)
    schedule = fix_parameters(statement.schedule, program.values)
    return count(beat_times(program, schedule).intersect_domain(instances).range())


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
