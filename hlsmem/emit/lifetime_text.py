"""Lifetimes of the elements of an array in the user's names: `hlsmem explain --lifetimes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hlsmem.core.wording import counted
from hlsmem.lifetime.first_and_last import Lifetimes
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.forms import forms_of, where_of
from hlsmem.polyhedra.relations import maps_of, with_names
from hlsmem.timing.events import LIVE_IN, LIVE_OUT

_OUTSIDE = {LIVE_IN: "before the start", LIVE_OUT: "after the end"}


def lifetimes_text(lifetimes: Lifetimes) -> str:
    """First writes, last reads and the differences of conflicting elements, piece by piece."""
    array = lifetimes.problem.array
    lines = [f"{array.name}[{', '.join(array.index)}]"]
    lines += ["  first write", *_functions(lifetimes, lifetimes.first_write)]
    reads = list(_functions(lifetimes, lifetimes.last_read))
    lines += ["  last read", *(reads or ["    nobody reads it from a cell"])]
    if not lifetimes.written_once:
        lines.append("  elements have several values, and may be free between them")
    pieces = _pieces(lifetimes.differences, array.index)
    count = counted(len(pieces), "piece")
    lines.append(f"  differences of conflicting elements, both ways and with 0: {count}")
    return "\n".join([*lines, *(f"    {piece}" for piece in pieces)])


def _functions(lifetimes: Lifetimes, function: Any) -> Iterator[str]:
    """A line a piece: element, access, condition."""
    iterators = {one.name: one.iterators for one in lifetimes.program.statements}
    for access in sorted(maps_of(function), key=lambda one: str(one.get_tuple_name(DimType.out))):
        statement = access.get_tuple_name(DimType.out)
        for piece in _simple(access, lifetimes).get_basic_maps():
            index = lifetimes.problem.array.index
            named = with_names(Map.from_basic_map(piece), DimType.in_, index)
            if statement in _OUTSIDE:
                element = _inner(named.domain())
                yield f"    {_OUTSIDE[statement]}: {element}"
            else:
                yield f"    {_inner(with_names(named, DimType.out, iterators[statement]))}"


def _simple(access: Any, lifetimes: Lifetimes) -> Any:
    return access.gist_params(lifetimes.program.context).coalesce()


def _pieces(differences: Any, index: Sequence[str]) -> list[str]:
    """The pieces of the differences."""
    found = []
    for piece in differences.coalesce().get_basic_sets():
        one = with_names(Set.from_basic_set(piece), DimType.set, index)
        found.append(_inner(one))
    return found


def _inner(value: Any) -> str:
    """The text of isl within the braces."""
    text = str(value)
    return text[text.index("{") + 1 : text.rindex("}")].strip()


def function_lines(lifetimes: Lifetimes, function: Any, name: str) -> tuple[str, ...]:
    """First write or last read as functions of the element: "LR(y, x) = C(min(y + 2, N - 1), x)".

    A line for each statement, and for each piece where one form does not hold for all.
    """
    program, index = lifetimes.program, lifetimes.problem.array.index
    left = f"{name}({', '.join(index)})" if index else name
    accesses = sorted(maps_of(function), key=lambda one: str(one.get_tuple_name(DimType.out)))
    lines = []
    for access in accesses:
        statement = access.get_tuple_name(DimType.out)
        one = access if access.is_single_valued() else lexmax(access)
        for form, condition in forms_of(one, index, program.context):
            right = _OUTSIDE.get(statement) or (
                f"{statement}({', '.join(form)})" if form else statement
            )
            if not condition and len(accesses) > 1:
                condition = where_of(one, index, program.context)
            lines.append(f"{left} = {right}{f' where {condition}' if condition else ''}")
    return tuple(lines)
