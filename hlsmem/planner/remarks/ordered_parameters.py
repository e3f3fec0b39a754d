"""Parameters of the text that comes back whose elements are taken, or made, once each in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.sets import without_name
from hlsmem.program.model import Access, Array, Program, Statement
from hlsmem.source_edits.line_buffers import LineBuffers


def ordered_parameters(program: Program, lines: Sequence[LineBuffers]) -> Iterator[str]:
    """A sentence on each parameter that could be a stream, in the order of a program.

    Those are read once in `lines`, or by one access, or written by one: all elements as declared,
    row by row.
    """
    for name, array in program.arrays.items():
        if not array.is_parameter or not array.index or array.extents is None:
            continue
        reads = [(one, use) for one in program.statements for use in _of(one.sees, name)]
        writes = [(one, use) for one in program.statements for use in _of(one.writes, name)]
        windows = [one for one in lines if one.array == name]
        if windows and not writes:
            is_ordered = _is_whole_window(windows, array, [one for one, _ in reads])
        else:
            every = [*reads, *writes]
            is_ordered = len(every) == 1 and _is_in_order(program, *every[0], array)
        if is_ordered:
            how = "written" if writes else "read"
            yield f"`{name}` is {how} once, in order: axis is possible"


def _of(accesses: Sequence[Access], name: str) -> list[Access]:
    return [one for one in accesses if one.array == name]


def _is_whole_window(
    windows: Sequence[LineBuffers], array: Array, readers: Sequence[Statement]
) -> bool:
    """True if the one group that reads a parameter takes all of its elements once."""
    if len(windows) != 1 or any(one.name not in windows[0].statements for one in readers):
        return False
    group = windows[0].group
    if group.nests[0].depth:
        return False
    (arrival,) = (one for one in group.arrivals if one.array.name == array.name)
    assert array.extents is not None
    return all(
        not lower.terms and upper == extent
        for (lower, upper), extent in zip(arrival.limits, array.extents, strict=True)
    )


def _is_in_order(program: Program, statement: Statement, access: Access, array: Array) -> bool:
    if statement.filters or access.chosen or access in statement.looked:
        return False
    relation = access.relation.intersect_domain(statement.domain)
    times = relation.reverse().apply_range(statement.schedule)
    declared = _declared(array, times).intersect_params(program.context.params())
    if not times.is_single_valued() or not declared.is_subset(without_name(times.domain())):
        return False
    element, time = times.domain().get_space(), times.range().get_space()
    later = times.reverse().apply_range(Map.lex_lt(element)).apply_range(times)
    return bool(later.intersect(Map.lex_ge(time)).is_empty())


def _declared(array: Array, times: Any) -> Any:
    """The elements of an array as declared, a set without a name."""
    assert array.extents is not None
    names = [f"i{k}" for k in range(len(array.index))]
    sides = [f"0 <= {one} < {size}" for one, size in zip(names, array.extents, strict=True)]
    parameters = ", ".join({name: None for one in array.extents for name in one.parameters()})
    text = f"[{parameters}] -> {{ [{', '.join(names)}] : {' and '.join(sides)} }}"
    return Set(text).align_params(times.get_space().params())
