"""Bounds of arrays: every access is to an element, at the values of the parameters.

What C reads beside an array is undefined. Where no output needs it, the read is left out, as one is
of what no write provides: a loop that runs on behind a row to drain a window does that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.polyhedra import DimType, UnionSet
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.relations import array_elements
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Array, Program, Statement
from hlsmem.read.texts import Texts
from hlsmem.timing.undefined_values import without_undefined


def in_bounds(program: Program, texts: Texts) -> Program:
    """The program, with a remark on each read beside its array that no output needs.

    Other accesses beside their arrays go to the problems of `texts`.
    """
    problems = list(_beside(program))
    if not problems:
        return program
    first = dict[object, Problem]()
    for one, key in problems:  # iterations that are written out do it at one place
        first.setdefault((one.source_location or one.what, key), one)
    if not len(texts.problems) and all(is_read for _, (_, is_read) in problems):
        live = {key: _elements(program, getattr(program, key)) for key in ("live_in", "live_out")}
        inside = replace(program, **live)
        if not any(_beside(without_undefined(inside))):
            notes = tuple(_left_out(one) for one in first.values())
            return replace(inside, notes=(*program.notes, *notes))
    for one in first.values():
        texts.problems.add(one.what, one.remedy, one.source_location)
    return program


def _elements(program: Program, some: Any) -> Any:
    """Those of some elements that are in their arrays."""
    for array in program.arrays.values():
        if array.extents is not None and all(extent.is_affine() for extent in array.extents):
            inside = UnionSet.from_set(
                array_elements(array.name, array.extents, program.parameters)
            )
            some = some.subtract(some.intersect(inside.universe()).subtract(inside))
    return some


def _left_out(problem: Problem) -> Problem:
    what = f"{problem.what}; no output needs the value, and the read is left out"
    return Problem(what, "read it where it is there", problem.source_location)


def _beside(program: Program) -> Iterator[tuple[Problem, tuple[str, bool]]]:
    """The accesses that leave their arrays, by these and whether they are reads of values alone."""
    values = program.values
    between = ", " if program.kernel is None else "]["  # as isl, and as C writes it
    for statement in program.statements:
        conditions = [access for one in statement.filters for access in one.accesses]
        for access in (*statement.reads, *statement.writes, *conditions):
            array = program.arrays.get(access.array)
            extents = None if array is None else _extents(array, values)
            reached = fix_parameters(access.relation, values).range()
            if array is None or extents is None or reached.dim(DimType.set) != len(extents):
                continue
            outside = reached.subtract(array_elements(array.name, extents))
            if not outside.is_empty():
                what = _outside(statement, access, outside, extents, values, between)
                remedy = "correct the subscript, the domain or the extents"
                place = access.source_location or statement.source_location
                yield Problem(what, remedy, place), (array.name, access in statement.reads)


def _extents(array: Array, values: Mapping[str, int]) -> tuple[int, ...] | None:
    """The extents at the values of the parameters, None where these are not known."""
    if array.extents is None:
        return None
    if not set().union(*(extent.parameters() for extent in array.extents)) <= set(values):
        return None
    return tuple(extent.evaluate(values) for extent in array.extents)


def _outside(
    statement: Statement,
    access: Access,
    outside: Any,
    extents: tuple[int, ...],
    values: Mapping[str, int],
    between: str,
) -> str:
    point = (lexmin(outside) if outside.is_bounded() else outside).sample_point().get_multi_val()
    element = between.join(str(point.get_val(i)) for i in range(len(extents)))
    size = between.join(str(extent) for extent in extents)
    verb = "writes" if access in statement.writes else "reads"
    return (
        f"{statement.name!r} {verb} {access.array}[{element}],"
        f" but the extents of {access.array!r} are [{size}]{at_values(values)}"
    )


def at_values(values: Mapping[str, int]) -> str:
    """The end of a sentence on what is so at some values of parameters.

    >>> at_values({"N": 4, "M": 2})
    ' at N=4, M=2'
    """
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    return f" at {at}" if at else ""
