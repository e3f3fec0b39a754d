"""Rows that statements may share: which loops run together, in which order, at which rate.

A statement has one row for each loop that the statements of a group share: one of its own
loops, scaled where rates differ, or none (0). Statements of different groups run one group
after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from hlsmem.orders.dependences import Nest
from hlsmem.polyhedra import DimType
from hlsmem.program import Program, Storage

# Rates between statements that are tried.
_MOST_RATE = 4


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """A shared loop of a statement: its loop of that number `scale` times, or 0 for None."""

    loop: int | None
    scale: int = 1


Rows = tuple[Row, ...]


def rates(program: Program) -> tuple[int, ...]:
    """Factors that rows may have: 1, and powers of 2 where subscripts have other factors."""
    steps = {
        abs(int(factor))
        for statement in program.statements
        for access in (*statement.reads, *statement.writes)
        if program.arrays[access.array].storage is not Storage.ROM
        for factor in _factors(access.relation)
    }
    if max(steps, default=1) <= 1:
        return (1,)
    return tuple(2**k for k in range(_MOST_RATE.bit_length()))


def _factors(relation: Any) -> Iterator[int]:
    """The factors of loops in the subscripts of an access."""
    for piece in relation.get_basic_maps():
        for constraint in piece.get_constraints():
            if not constraint.is_equality():
                continue
            outs = [
                constraint.get_coefficient_val(DimType.out, k).to_python()
                for k in range(relation.dim(DimType.out))
            ]
            if any(abs(out) == 1 for out in outs):
                for k in range(relation.dim(DimType.in_)):
                    yield constraint.get_coefficient_val(DimType.in_, k).to_python()


def rows_of(nest: Nest, size: int, scales: Sequence[int]) -> list[Rows]:
    """All `size` rows of a statement: each loop at most once, at one rate, the plainest first.

    At most one row is 0 beyond those that it has no loop for.
    """
    most = max(0, size - nest.depth) + 1
    picked = [
        one
        for one in product((*range(nest.depth), None), repeat=size)
        if one.count(None) <= most and len({*one} - {None}) == size - one.count(None)
    ]
    picked.sort(key=lambda one: one.count(None))
    return [
        tuple(Row(loop, 1 if loop is None else scale) for loop in one)
        for scale in scales
        for one in picked
        if scale == 1 or one.count(None) < size
    ]


def groupings(nests: Sequence[Nest]) -> list[tuple[int, ...]]:
    """All ways to run successive outermost nests together or one after the other."""
    found: list[tuple[int, ...]] = [(0,)] if nests else []
    for before, nest in pairwise(nests):
        steps = (0,) if before.group == nest.group else (0, 1)
        found = [(*one, one[-1] + step) for step in steps for one in found]
    return found
