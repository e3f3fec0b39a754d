"""Question of `hlsmem vectors`: the occupancy vectors of a design, and schedules for stores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from itertools import product

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.shortest_differences import length
from hlsmem.mapping.vectors import KINDS, ArrayVectors, Stored, schedules_for, vectors_of
from hlsmem.mapping.vectors.answer import class_of, tester
from hlsmem.mapping.vectors.validity import Validity
from hlsmem.planner.array_folding import operations_of
from hlsmem.polyhedra.isl_text import parse_union_set
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.relations import sets_of
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Array, ConflictInput, Program
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import AffineSchedules
from hlsmem.timing.class_relations import orders_of
from hlsmem.timing.planned_program import arranged_within

# How far a picture reaches beyond the shortest vectors.
_BEYOND = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The vectors of arrays, and the schedules for the stores, where any were given."""

    design: Design
    program: Program = field(compare=False)
    arrays: tuple[ArrayVectors, ...]
    stored: Stored | None = None

    def drawn(self, kind: str) -> tuple[ArrayVectors, str, tuple[Vector, ...]]:
        """The first array of two indices, and its valid vectors near the origin.

        Raises InputError where there is none.
        """
        for one in self.arrays:
            if len(one.array.index) == 2 and kind in one.kinds:
                return one, kind, self._valid(one, kind)
        raise InputError(Problem("--svg: no array has two indices", "leave it out"))

    def _valid(self, one: ArrayVectors, kind: str) -> tuple[Vector, ...]:
        if not one.kinds[kind].shortest:
            return ()
        orders = orders_of(self.program, class_of(kind, self.design.plan.schedules))
        test = tester(self.program, one.array, orders)
        reach = length(one.kinds[kind].shortest[0]) + _BEYOND
        window = product(range(-reach, reach + 1), repeat=2)
        return tuple(v for v in window if any(v) and test(v, False) is Validity.VALID)


def ask_vectors(
    design: Design,
    *,
    array: str | None = None,
    kind: str | None = None,
    stores: Sequence[str] = (),
    ranges: Sequence[str] = (),
    most: int = 12,
) -> Answer:
    """The vectors of all planned arrays, or of one, of all kinds, or of one.

    Raises InputError for a conflict set, an unknown array, and stores that are none.
    """
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no reads and writes that vectors could be right for"
        raise InputError(Problem(what, "give a program"))
    program = arranged_within(operations_of(design), design.input)
    chosen = _chosen(program, array)
    asked = design.plan.schedules
    wanted = _stores(stores, ranges)
    stored = None
    if wanted:
        is_symbolic = isinstance(asked, AffineSchedules) and asked.is_symbolic
        stored = schedules_for(program, wanted, is_symbolic=is_symbolic)
    kinds = (kind,) if kind is not None else tuple(KINDS)
    arrays = tuple(vectors_of(program, one, asked, kinds=kinds, most=most) for one in chosen)
    return Answer(design=design, program=program, arrays=arrays, stored=stored)


def _chosen(program: Program, array: str | None) -> list[Array]:
    planned = [one for one in program.planned_arrays() if one.index]
    if array is None:
        return planned
    found = [one for one in planned if one.name == array]
    if not found:
        known = ", ".join(one.name for one in planned) or "none"
        raise InputError(
            Problem(f"{array!r} is no planned array with an index", f"there are: {known}")
        )
    return found


def _stores(stores: Sequence[str], ranges: Sequence[str]) -> dict[str, tuple[Vector, ...]]:
    """The vectors of each array that have to be right, all of them."""
    found: dict[str, tuple[Vector, ...]] = {}
    for text in stores:
        match = re.fullmatch(r"\s*(\w+)\s*=\s*[\[(]([-\d,\s]*)[\])]\s*", text)
        try:
            entries = tuple(int(entry) for entry in match[2].split(",")) if match else None
        except ValueError:
            entries = None
        if match is None or entries is None:
            raise InputError(Problem(f"--store {text}: not ARRAY=VECTOR", "write it like A=[2,0]"))
        found[match[1]] = (*found.get(match[1], ()), entries)
    for text in ranges:
        for one in sets_of(parse_union_set(text, parameters=(), what="--stores")):
            if not one.has_tuple_name() or not one.is_bounded():
                what = "--stores: a range has the name of its array and ends on all sides"
                raise InputError(Problem(what, 'write it like "{ A[2,y] : -1 <= y <= 1 }"'))
            # Rows are affine in the store: all points say no more than its corners.
            own = tuple(tuple(int(entry) for entry in row) for row in points(one))
            if not own:
                raise InputError(Problem(f"--stores {text}: the range is empty", "widen it"))
            found[one.get_tuple_name()] = (*found.get(one.get_tuple_name(), ()), *own)
    return found
