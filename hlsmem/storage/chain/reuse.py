"""Reuse in a program: how far its reads lie behind the writes of an array.

Distances are counted in written elements at the plan's parameters. Where each is constant, a
chain can hold the array.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np

from hlsmem.banks.accesses import times_at
from hlsmem.errors import LimitError, Problem
from hlsmem.order import dataflow
from hlsmem.order.events import LIVE_IN, LIVE_OUT
from hlsmem.order.unroll import lane_columns, lanes_of
from hlsmem.polyhedra import DimType, UnionSet
from hlsmem.polyhedra.sets import count, fix_parameters, points
from hlsmem.program import Access, Order, Program, Statement
from hlsmem.storage.chain.delays import Chain, chain_of

# Accesses of an array that are followed one by one.
MOST_ACCESSES = 1 << 20


@dataclass(frozen=True, slots=True)
class NoChain:
    """Why no chain holds an array."""

    reason: str


def reuse_chain(program: Program, array: str, bits: int) -> Chain | NoChain:
    """The chain of a planned array whose elements have `bits` bits, or why there is none.

    By iterations a read sees the writes of its own step (distance 0 is a wire), in sequential
    order those of earlier times. Unrolled, the writes of a step arrive side by side. Raises
    LimitError where the accesses are too many.
    """
    writers = _accesses(program, array, writes=True)
    if len(writers) != 1:
        return NoChain(f"{len(writers)} accesses write {array!r}, a chain takes those of one")
    flow = dataflow(program, array)
    if not flow.values.reverse().domain().intersect(UnionSet(f"{{ {LIVE_IN}[] }}")).is_empty():
        return NoChain(f"elements of {array!r} are live before the program")
    if not flow.uses.range().intersect(UnionSet(f"{{ {LIVE_OUT}[] }}")).is_empty():
        return NoChain(f"elements of {array!r} are live after the program")
    readers = _accesses(program, array, writes=False)
    _require_few(program, [*writers, *readers])
    lanes = sum(1 for _ in lanes_of(program, writers[0][0]))
    clock = _Clock(program, [*writers, *readers])
    written = clock.rows(*writers[0])
    order = np.lexsort((written.residues, written.steps))
    steps = written.steps[order]
    places = _Places(written.elements[order])
    if places.repeated:
        return NoChain(f"elements of {array!r} are written more than once")
    if lanes > 1 and not _full_beats(steps, lanes):
        return NoChain(f"unrolled, the writes of {array!r} are not {lanes} a step")
    distances: set[int] = set()
    side: Literal["left", "right"] = "right" if program.order is Order.ITERATION else "left"
    for statement, access in readers:
        reads = clock.rows(statement, access)
        newest = np.searchsorted(steps, reads.steps, side=side) - 1
        behind = newest - places.of(reads.elements)
        for residue in np.unique(reads.residues):
            own = np.unique(behind[reads.residues == residue])
            if len(own) > 1 or own[0] < 0:
                where = f" at {access.place}" if access.place else ""
                return NoChain(
                    f"the read of {array!r}{where} lies {own[0]} to {own[-1]} elements behind"
                    " the newest"
                )
            distances.add(int(own[0]))
    if not distances:
        return NoChain(f"nothing reads {array!r}")
    return chain_of(distances, bits, lanes)


def _accesses(program: Program, array: str, *, writes: bool) -> list[tuple[Statement, Access]]:
    return [
        (statement, access)
        for statement in program.statements
        for access in (statement.writes if writes else statement.reads)
        if access.array == array
    ]


def _require_few(program: Program, accesses: list[tuple[Statement, Access]]) -> None:
    total = 0
    for statement, access in accesses:
        domain = access.relation.domain().intersect(statement.domain)
        total += count(fix_parameters(domain, program.values))
    if total > MOST_ACCESSES:
        raise LimitError(
            Problem(
                f"{total} accesses of {accesses[0][1].array!r} are more than can be followed one"
                f" by one ({MOST_ACCESSES})",
                "plan smaller parameters",
            )
        )


def _full_beats(steps: np.ndarray, lanes: int) -> bool:
    """Whether every step writes exactly `lanes` elements."""
    _, numbers = np.unique(steps, return_counts=True)
    return bool((numbers == lanes).all())


@dataclass(frozen=True, slots=True)
class _Rows:
    """An access in rows: its steps as numbers in their order, its elements, and the place of
    its iteration among those unrolled beside it."""

    steps: np.ndarray
    elements: np.ndarray
    residues: np.ndarray


class _Clock:
    """Steps of all accesses as numbers that compare as the times do."""

    def __init__(self, program: Program, accesses: list[tuple[Statement, Access]]) -> None:
        size = program.time_dimensions
        by_iteration = program.order is Order.ITERATION
        self.kept = program.step_dimensions if by_iteration else size
        self.program = program
        ends = [_ends(times_at(program, statement).range()) for statement, _ in accesses]
        self.low = np.array([low for low, _ in ends]).min(axis=0)
        self.high = np.array([high for _, high in ends]).max(axis=0)

    def rows(self, statement: Statement, access: Access) -> _Rows:
        times, elements = _listed(self.program, statement, access)
        place = np.zeros(len(times), dtype=np.int64)
        columns = lane_columns(self.program)
        for column, lanes in zip(columns, self.program.lanes, strict=True):
            place = place * lanes + times[:, column]
        steps, low, high = (rows[..., : self.kept] for rows in (times, self.low, self.high))
        return _Rows(
            steps=_number(steps, low, high),
            elements=elements,
            residues=place,
        )


def _ends(times: Any) -> tuple[list[int], list[int]]:
    """The least and the greatest value of every entry of some times."""
    entries = range(times.dim(DimType.set))
    return (
        [times.dim_min_val(k).to_python() for k in entries],
        [times.dim_max_val(k).to_python() for k in entries],
    )


def _listed(
    program: Program, statement: Statement, access: Access
) -> tuple[np.ndarray, np.ndarray]:
    """The times and the elements of an access, row by row."""
    relation = fix_parameters(access.relation, program.values)
    rows = points(times_at(program, statement).reverse().apply_range(relation))
    return rows[:, : program.time_dimensions], rows[:, program.time_dimensions :]


def _number(rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Rows as numbers that compare as they do lexicographically."""
    sizes = [int(size) for size in high - low + 1]
    if prod(sizes) >= 1 << 62:
        raise LimitError(Problem("times of the accesses spread too far", "plan smaller parameters"))
    number = np.zeros(len(rows), dtype=np.int64)
    for k, size in enumerate(sizes):
        number = number * size + (rows[:, k] - low[k])
    return number


class _Places:
    """Which write made an element: its place in the order of writes."""

    def __init__(self, elements: np.ndarray) -> None:
        self.low, self.high = elements.min(axis=0), elements.max(axis=0)
        numbers = _number(elements, self.low, self.high)
        self.order = np.argsort(numbers, kind="stable")
        self.sorted = numbers[self.order]
        self.repeated = bool((np.diff(self.sorted) == 0).any())

    def of(self, elements: np.ndarray) -> np.ndarray:
        """The place of each element in the order of writes; all of them are written."""
        found = np.searchsorted(self.sorted, _number(elements, self.low, self.high))
        return np.asarray(self.order[found])
