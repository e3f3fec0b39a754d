"""Rows that statements may share: which loops run together, in which order, at which rate.

A statement has one row for each loop that the statements of a group share: one of its own
loops, scaled where rates differ, or none (0). Rows that isl finds may be sums of loops, or run
downwards. Statements of different groups run one group after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, product
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Program, Storage
from hlsmem.schedule_search.order_dependences import Nest

# Rates between statements that are tried.
_MOST_RATE = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A shared loop of a statement: the sum of (loop, factor), 0 where it has none."""

    terms: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(loop: int, scale: int = 1) -> Row:
        """One loop, scaled."""
        return Row(((loop, scale),))

    @property
    def loops(self) -> tuple[int, ...]:
        """The loops that it has, by number."""
        return tuple(loop for loop, _ in self.terms)

    @property
    def single(self) -> tuple[int, int] | None:
        """Its loop and scale, where it is one loop that runs upwards."""
        return self.terms[0] if len(self.terms) == 1 and self.terms[0][1] > 0 else None

    def text(self, shift: int = 0, names: Sequence[str] = ()) -> str:
        """The sum over l0, l1, .. or loops of these names, and a shift.

        >>> Row(((0, 2), (1, -1))).text(3, ["y", "x"]), Row().text(-1), Row().text()
        ('2*y - x + 3', '-1', '0')
        """
        found = ""
        for loop, factor in self.terms:
            name = names[loop] if names else f"l{loop}"
            name = name if abs(factor) == 1 else f"{abs(factor)}*{name}"
            found += f" {'-' if factor < 0 else '+'} {name}"
        if shift:
            found += f" {'-' if shift < 0 else '+'} {abs(shift)}"
        sign, _, rest = found.strip().partition(" ")
        return f"{'-' if sign == '-' else ''}{rest}" or "0"


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
        tuple(Row() if loop is None else Row.of(loop, scale) for loop in one)
        for scale in scales
        for one in picked
        if scale == 1 or one.count(None) < size
    ]


def groupings(nests: Sequence[Nest]) -> Iterator[tuple[int, ...]]:
    """All ways to run successive outermost nests together or one after the other."""
    steps = [(0,) if one.group == other.group else (0, 1) for one, other in pairwise(nests)]
    for taken in product(*reversed(steps)):
        yield tuple(accumulate(reversed(taken), initial=0))
