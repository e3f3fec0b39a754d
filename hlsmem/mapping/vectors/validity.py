"""Validity of a vector for a class of orders: x + v is written when nobody needs x.

One rule for all kinds: every use of x runs at or before the write of x + v in every order of
the class, and the write of x before it. A vector for which there is no such pair is vacuous.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, UnionMap, UnionSet
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.precedence import Precedence
from hlsmem.timing.value_flow import Dataflow


class Validity(Enum):
    """Validity of a vector for a class of orders."""

    VALID = "valid"
    INVALID = "invalid"
    VACUOUS = "vacuous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writers:
    """Writers and readers of the elements of one array, live content left out; UnionMaps.

    `written` { A[x] -> W[i] }, `read` { A[x] -> R[j] }; `leaves` is { A[x] } live out.
    """

    array: Array
    written: Any = field(compare=False)
    read: Any = field(compare=False)
    leaves: Any = field(compare=False)


def writers_of(program: Program, array: Array, flow: Dataflow, *, at_plan: bool) -> Writers:
    """The writers and readers of an array; at the plan's values where asked."""
    live = UnionSet(f"{{ {LIVE_IN}[] }}")
    end = UnionSet(f"{{ {LIVE_OUT}[] }}")
    read = flow.uses.curry().range_factor_range()
    parts = (
        flow.values.subtract_range(live),
        read.subtract_range(end),
        read.intersect_range(end).domain(),
    )
    if at_plan:
        parts = tuple(fix_parameters(part, program.values) for part in parts)
    written, read, leaves = parts
    return Writers(array=array, written=written, read=read, leaves=leaves)


def overwriting(found: Writers, vector: Vector) -> tuple[Any, Any]:
    """{ R[j] -> W[i] } of all uses of x and writes of x + v; and of writes of x."""
    shift = UnionMap.from_map(_shift(found.array, vector))
    later = shift.apply_range(found.written)
    return (
        found.read.reverse().apply_range(later),
        found.written.reverse().apply_range(later),
    )


def _shift(array: Array, vector: Vector) -> Any:
    names = dimension_names("x", len(vector))
    moved = [f"{name} + {entry}" for name, entry in zip(names, vector, strict=True)]
    return Map(f"{{ {array.name}[{', '.join(names)}] -> {array.name}[{', '.join(moved)}] }}")


def validity(
    found: Writers,
    precedence: Precedence,
    vector: Vector,
    *,
    strict: bool = False,
    own_read: bool = True,
) -> Validity:
    """Validity of `vector` for all orders of the class; `strict`: no read at the time of the write
    either, but, with `own_read`, by the instance that writes."""
    uses, writes = overwriting(found, vector)
    if writes.is_empty():
        return Validity.INVALID  # longer than the array: nothing is overwritten
    late = precedence.not_at_or_before
    if strict:
        late = precedence.not_before
        if own_read:
            late = late.subtract(late.domain().identity())
    if not uses.is_disjoint(late) or not writes.is_disjoint(precedence.not_before):
        return Validity.VACUOUS if uses.is_empty() else Validity.INVALID
    leaving = UnionMap.from_map(_shift(found.array, vector)).intersect_domain(found.leaves)
    if not leaving.apply_range(found.written).is_empty():
        return Validity.INVALID
    return Validity.VACUOUS if uses.is_empty() else Validity.VALID
