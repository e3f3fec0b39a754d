"""Shift registers that a kernel moves by itself: `w[k] = w[k + 1]` in every step.

Synthesis tools hold such a window in registers. For a planner of memories each of its moves is a
statement with beats of its own, and the steps wait for them; an array with an element for every
value, read where the window would stand, becomes a chain or a line buffer that shifts by itself.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.core.wording import listed
from hlsmem.cycle_model import is_reached
from hlsmem.planner.array_folding import Folded
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.program.model import Kernel, KernelBody, Program, Statement
from hlsmem.read.c import tree

_REMEDY = (
    "write every value to an element of its own, as t[y][x] = .., and read t[y][x - 1] or"
    " t[y - 1][x] in place of the moves: line buffers and windows then come from the plan, and"
    " shift without beats"
)


def shift_remarks(found: Folded, placement: Placement) -> tuple[Problem, ...]:
    """A remark on what hands on values alone, and on each planned array that is shifted so, where
    steps wait."""
    kernel, given = found.design.kernel, found.design.program
    if kernel is None or given is None:
        return ()
    return (*_propagated(kernel), *_shifted(placement, given))


def _propagated(kernel: Kernel) -> tuple[Problem, ...]:
    if not kernel.propagated:
        return ()
    names = listed([f"'{name}'" for name in kernel.propagated])
    what = f"the values of {names}, shifted by hand, are read where they come from"
    remedy = "design/normal.c shows it; the windows and line buffers that it takes are planned"
    return (Problem(what, remedy, next(iter(kernel.propagated.values()))),)


def _shifted(placement: Placement, given: Program) -> tuple[Problem, ...]:
    timing = placement.timing
    if timing is None or (timing.interval is not None and is_reached(1, timing.interval)):
        return ()
    found: dict[str, Problem] = {}
    for statement in given.statements:
        name = _shifted_by(statement)
        if name in placement.parts and name not in found:
            what = f"'{name}' is shifted by hand, and each move takes a beat"
            found[name] = Problem(what, _REMEDY, statement.source_location)
    return tuple(found.values())


def _shifted_by(statement: Statement) -> str:
    """The array of which a statement moves elements by a distance, again and again; else ""."""
    body, accesses = statement.body, (*statement.reads, *statement.writes)
    if not isinstance(body, KernelBody) or not _is_copy(body.node):
        return ""
    if (len(statement.reads), len(statement.writes)) != (1, 1):
        return ""
    read, write = accesses
    if read.array != write.array or not (read.must and write.must):
        return ""
    target = write.relation.intersect_domain(statement.domain)
    moves = read.relation.reverse().apply_range(target).deltas()
    is_one = moves.is_singleton() and not lexmin(moves).is_equal(lexmin(moves).neg())
    return read.array if is_one and not target.is_injective() else ""


def _is_copy(node: Any) -> bool:
    return (
        isinstance(node, tree.Assignment)
        and node.op == "="
        and isinstance(node.lvalue, tree.ArrayRef)
        and isinstance(node.rvalue, tree.ArrayRef)
    )
