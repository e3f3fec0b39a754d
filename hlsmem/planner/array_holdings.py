"""Holdings of the arrays, for each target: words, beside the bounds in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from hlsmem.core.errors import LimitError
from hlsmem.emit.c import text_starts
from hlsmem.lifetime.bounds import with_bounds
from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems_within
from hlsmem.mapping.storage_mapping import Certificate
from hlsmem.plan import (
    HardwareHolding,
    HostCells,
    HostHolding,
    HostText,
    Part,
    TextArray,
    program_text,
)
from hlsmem.planner.array_folding import Folded, operations_of
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.planner.host.host_planning import HostPlan
from hlsmem.program.model import Order, Program
from hlsmem.storage.kinds import kind_named

# Kinds of bounds that speak of everything that holds an array.
_OF_ALL = ("max-live", "clique", "width")


def in_hardware(found: Folded, placement: Placement, problem: StorageProblem) -> HardwareHolding:
    """Holding of an array in the Verilog."""
    name = problem.array.name
    parts = placement.parts[name]
    memories = [placement.memories[part.memory] for part in parts]
    words = sum(memory.words for memory in memories)
    total = sum(memory.words * memory.bits for memory in memories)
    for beats, operands, beat_bits in _branches(placement, name, parts):
        words, total = words + beats * operands, total + beats * beat_bits
    # Processes that run by themselves keep the order of the schedule but where these are.
    is_free = found.design.plan.capacity == "selftimed" and any(
        kind_named(memory.kind).is_selftimed for memory in memories
    )
    bounds = () if is_free else _bounds(found, problem)
    whole = _of_all(bounds)
    if len(parts) == 1 and parts[0].mapping is not None:
        parts = (replace(parts[0], lattice=_lattice(bounds, words)),)
    certificates = [_certificate(part, problem) for part in parts]
    return HardwareHolding(
        parts=parts,
        words=words,
        bits=total,
        # Max-live counts values that wires pass within a step.
        bound=None if whole is None or whole.cells > words else whole,
        certificate=next(
            (one for one in certificates if one.scope != "all-parameters"), certificates[0]
        ),
    )


def _branches(
    placement: Placement, name: str, parts: Sequence[Part]
) -> Iterator[tuple[int, int, int]]:
    """Beats, values in a beat and bits of a beat of the branch FIFOs at an array."""
    if placement.chosen is None:
        return
    values: dict[str, int] = {}
    for part in parts:
        for stream in placement.streams:
            if stream.array == name:
                own = [one for one, _ in part.operands if one == stream.name]
                values[f"{stream.name[0]}_{part.memory}_{stream.statement}"] = max(1, len(own))
    for one in placement.chosen.elastic:
        if one.stream in values:
            yield one.beats, values[one.stream], one.bits


def _bounds(found: Folded, problem: StorageProblem) -> tuple[Bound, ...]:
    """All that is known of the sizes of an array in the order of the folding."""
    choice = found.choices[problem.array.name]
    if len(choice.mapping.pieces) > 1:  # bounds of lattices say nothing of pieces
        return problem.bounds
    return with_bounds(problem, choice.mapping.cells, choice.bounds())


def _of_all(bounds: Sequence[Bound]) -> Bound | None:
    """The greatest bound of all mappings: max-live, or what a class of orders needs."""
    return max(
        (one for one in bounds if one.kind in _OF_ALL), key=lambda one: one.cells, default=None
    )


def _joins(planned: Program, program: Program) -> bool:
    """True if the plan has statements of a program as one."""
    names = {one.name for one in planned.statements}
    return any(one.name not in names for one in program.statements)


def _lattice(bounds: Sequence[Bound], words: int) -> Bound | None:
    """The bound of modular mappings that says more than that of all; it is reached, or greatest."""
    whole = _of_all(bounds)
    others = [one for one in bounds if one.kind not in _OF_ALL]
    best = max(others, key=lambda one: (one.cells <= words, one.cells), default=None)
    is_more = best is not None and (whole is None or best.cells > whole.cells)
    return best if is_more else None


def _certificate(part: Part, problem: StorageProblem) -> Certificate:
    """The certificate of a part: the parameters that it is proved for."""
    if part.mapping is not None:
        return part.mapping.certificate
    if part.taps_expr is not None or (not any(part.taps or ()) and part.taps is not None):
        return Certificate(scope="all-parameters", by="taps")
    return Certificate(scope="at", by="order", at=tuple(problem.values.items()))


def cells_in_c(host: HostPlan, planned: Program | None) -> dict[str, HostHolding]:
    """Holdings of the arrays in the C, or in its header alone; nothing outside of a class, nor
    where C folds nothing, nor for arrays of its caller.

    Moments of bounds are in the times of the program that is `planned`.
    """
    found = host.folded
    if found.is_outside_of_its_class or not host.is_folded:
        return {}
    bounds = _bounds_in_c(host, planned)
    made = {}
    for problem in found.problems:
        array = problem.array
        cells = host.cells.get(array.name) or HostCells(
            mapping=host.mappings[array.name],
            cell_bytes=array.element.cell_bytes,
            at=None,
            shape="cells",
        )
        own = bounds[array.name]
        words = cells.mapping.cells
        made[array.name] = HostHolding(
            parts=(replace(cells, lattice=_lattice(own, words)),),
            words=words,
            bits=8 * words * cells.cell_bytes,
            bound=_of_all(own),
            certificate=cells.mapping.certificate,
        )
    return made


def text_in_c(host: HostPlan) -> HostText | None:
    """Program of C where arguments overlap, with the holdings of the arrays there; None where that
    is no order of the text."""
    if host.text is None or not host.is_folded:
        return None
    program, at = host.text.program, text_starts(host.folded.design, host.text)
    arrays = {
        array.name: TextArray(
            element=array.element.name,
            bits=array.element.bits,
            index=array.index,
            extents=array.extents,
            mapping=host.text.cells[array.name],
            cell_bytes=array.element.cell_bytes,
            at=at.get(array.name),
        )
        for array in program.planned_arrays()
    }
    return HostText(program=program_text(program), arrays=arrays)


def _bounds_in_c(host: HostPlan, planned: Program | None) -> dict[str, tuple[Bound, ...]]:
    """Bounds on sizes in the order of the C: of another order, max-live alone.

    Where the plan has statements of C as one, the moment of a bound is in the steps of that; C in
    another order than by steps has none.
    """
    found, program = host.folded, host.program
    if planned is not None and program is not None and _joins(planned, program):
        if host.order is None or not host.order.steps:
            return {one.array.name: () for one in found.problems}
        program = replace(planned, order=Order.ITERATION)
    options = found.design.plan
    is_same = program is None or program is found.program
    if is_same and not options.strict and not options.slack:
        return {one.array.name: _bounds(found, one) for one in found.problems}
    assert program is not None
    known: dict[str, tuple[Bound, ...]] = {one.array.name: () for one in found.problems}
    # Instances of equal times that C puts into an order have no times in the plan.
    if found.program is not None and program.time_dimensions == found.program.time_dimensions:
        with suppress(LimitError):
            problems = storage_problems_within(operations_of(found.design), program)
            known |= {one.array.name: one.bounds for one in problems}
    return known
