"""Sizes of tiles from the caches and the vector registers of a machine, in exact rationals.

Source: Feld, Soddemann, Juenger and Mallach, SICA tiling, eq. 8 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.program.model import Access, Statement
from hlsmem.schedule_search.loop_times import Times

_KIB_BITS = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Data caches in KiB, the width of vector registers in bits, the share `rho` of the first."""

    l1_kib: int = 32
    l2_kib: int = 256
    simd_bits: int = 256
    rho: Fraction = Fraction(9, 10)

    def vector_tile(self, element_bytes: int, streams: int) -> int:
        """Iterations of a vector loop whose `streams` elements each fill the first cache.

        It is a multiple of the elements of a register, and one register's at least.

        >>> Machine(simd_bits=128, rho=Fraction(1)).vector_tile(4, 2)
        4096
        """
        lanes = Fraction(self.simd_bits, 8 * element_bytes)
        registers = self.rho * self.l1_kib * _KIB_BITS / (self.simd_bits * max(streams, 1))
        return int(max(registers.__floor__(), 1) * lanes)

    @property
    def outer_tile(self) -> int:
        """Iterations of an outer loop: rows of the first cache that the second one holds.

        >>> Machine(l1_kib=32, l2_kib=256).outer_tile
        8
        """
        return max(self.l2_kib // self.l1_kib, 1)


def streams(times: Times, statements: Sequence[Statement], entry: int, lanes: int) -> int:
    """Number of elements that an iteration of a vector loop loads anew, in a block of statements.

    These are the references that move with the loop at `entry`. Those whose elements are apart by
    a constant along the last subscript, less than the `lanes` of a register, are one.
    """
    moving: list[tuple[Statement, Access]] = []
    for one in statements:
        for access in (*one.reads, *one.writes):
            if times.stays(one, access, entry):
                continue
            if not any(_is_near(times, (one, access), other, lanes) for other in moving):
                moving.append((one, access))
    return len(moving)


def _is_near(
    times: Times,
    first: tuple[Statement, Access],
    second: tuple[Statement, Access],
    lanes: int,
) -> bool:
    """True if two references of one array are apart by one constant below a register's lanes."""
    (left, access), (right, other) = first, second
    if access.array != other.array:
        return False
    same = _at_times(times, left, access).reverse().apply_range(_at_times(times, right, other))
    gaps = same.deltas()
    last = gaps.dim(DimType.set) - 1
    if last < 0 or gaps.is_empty():
        return bool(last < 0)
    near = Set.universe(gaps.get_space())
    for position in range(last):
        near = near.fix_val(DimType.set, position, 0)
    steps = (near.fix_val(DimType.set, last, step) for step in range(1 - lanes, lanes))
    return any(gaps.is_subset(one) for one in steps)


def _at_times(times: Times, statement: Statement, access: Access) -> Any:
    """{ loops around and of the statement -> element }, whatever its place in their bodies."""
    loops = times.varying[statement.name]
    at = times.at(statement).apply_range(rearrangement(times.size, loops))
    return at.reverse().apply_range(access.relation)
