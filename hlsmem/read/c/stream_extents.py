"""Numbers of elements that pass through streams: the extents of the arrays that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c.expression_parser import parsed_expression
from hlsmem.read.c.flat_arrays import Flat, reach
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.region import Walk
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.tree import Array
from hlsmem.read.c.trees import changed, rewrite


def with_sizes(
    unit: Unit, walk: Walk, flat: Mapping[Variable, Flat], problems: Problems, needed: list[Any]
) -> Unit:
    """The unit with extents for the streams, found in a walk over it; itself without streams.

    Extents that are so for some parameters alone, those of the design among them, are `needed`.
    """
    extents: dict[int, QuasiPolynomial] = {}
    unknown = Problems()
    if problems:
        return unit
    for variable in streams_in(walk):
        found = _extent(variable, walk, flat.get(variable), needed)
        if found is None:
            what = f"how many elements pass through the stream '{variable.name}' is not known"
            remedy = (
                "read and write it in loops of known bounds, under no conditions but such as cut "
                "the range of a loop around it, x >= 2 && y < H - 1"
            )
            unknown.add(what, remedy, unit.source.name_place(variable.declaration))
        else:
            extents[id(variable.declaration)] = found
    problems.extend(unknown.by_kind())
    if not extents:
        return unit

    def sized(node: Any) -> Any | None:
        if id(node) not in extents:
            return None
        return changed(node, type=changed(node.type, extent=_expression(extents[id(node)])))

    summing = None if unit.summing is None else rewrite(unit.summing, sized)
    return replace(unit.with_function(rewrite(unit.function, sized)), summing=summing)


def streams_in(walk: Walk) -> list[Variable]:
    """The variables that are declared without extents, which C++ has for streams alone."""
    touched = (touch.variable.object for written in walk.statements for touch in written.touches)
    return [one for one in dict.fromkeys(touched) if is_stream_array(one.declaration)]


def is_stream_array(node: Any) -> bool:
    """True if a declaration is that of an array as streams have them."""
    return isinstance(node.type, Array) and node.type.extent is None and node.init is None


def _extent(
    variable: Variable, walk: Walk, flat: Flat | None, needed: list[Any]
) -> QuasiPolynomial | None:
    rows = reach(variable, walk, needed)
    if rows is None:
        return None
    return rows if flat is None else rows * flat.strides[0]


def _expression(quantity: QuasiPolynomial) -> Any:
    """C for a quasi-polynomial that is none below 0, and so are its quotients."""
    return parsed_expression(str(quantity).replace("floor(", "("))
