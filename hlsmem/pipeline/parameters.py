"""Which array parameters of a kernel are streams, where `kernel.parameters: auto` leaves that open.

One that is only read is a stream where its cells are at most half of its elements; one that is only
written where it holds one word. Others stay outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.errors import InputError, LimitError
from hlsmem.lifetime.analysis import problem_or_alive_within
from hlsmem.mapping.model import NoMapping
from hlsmem.mapping.portfolio import plan_array
from hlsmem.options import Design
from hlsmem.order.arrangement import arranged_within
from hlsmem.pipeline.folding import Analysed, analysed, form_of, operations_of
from hlsmem.planfile import FoundOrder, Outside
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program import Access, Array, Kernel, Program, Storage
from hlsmem.read.design import changed
from hlsmem.read.undecided import found_streams

# Methods that take longer than what they save in cells is worth here.
_SLOW = ("exhaustive", "family", "hyperplane")


def leaves_parameters(design: Design) -> bool:
    """Whether a design leaves it to the plan which parameters are streams."""
    return bool(_open(design))


def with_parameters(design: Design, order: FoundOrder | None = None) -> Analysed:
    """A design in its given order, analysed, with the parameters as streams that are to be.

    They stand among the overrides. Raises as `analysed`.
    """
    chosen: list[str] = []
    outside: dict[str, Outside] = {}
    for array in _open(design):
        assert isinstance(design.input, Program)
        why = _objection(design, design.input, array)
        if why is None:
            chosen.append(array.name)
        else:
            outside[array.name] = Outside(why=why, reads_a_step=_reads(design.input, array.name))
    found, refused = _analysed(design, chosen, order)
    assert isinstance(design.input, Program) or not refused
    for name, why in refused.items():
        assert isinstance(design.input, Program)
        outside[name] = Outside(why=why, reads_a_step=_reads(design.input, name))
    return replace(found, outside=dict(sorted(outside.items())))


def _analysed(
    design: Design, chosen: list[str], order: FoundOrder | None
) -> tuple[Analysed, dict[str, str]]:
    """The design with these parameters as streams, and why some are not that do not go together
    with what else is asked."""
    refused: dict[str, str] = {}
    while chosen:
        try:
            own = changed(design, [found_streams(_kernel(design), chosen)])
            if isinstance(own.input, Program) and isinstance(design.input, Program):
                own = replace(own, input=replace(own.input, notes=design.input.notes))
            return analysed(own, order), refused
        except (InputError, LimitError) as error:
            refused[chosen.pop()] = f"as a stream, {error.problems[0].what}"
    return analysed(design, order), refused


def _kernel(design: Design) -> Kernel:
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    return design.input.kernel


def _open(design: Design) -> list[Array]:
    program = design.input
    if not isinstance(program, Program) or program.kernel is None:
        return []
    return [program.arrays[name] for name in program.kernel.undecided]


def _objection(design: Design, program: Program, array: Array) -> str | None:
    """Why a parameter is no stream; None where it is one."""
    reads = list(_accesses(program, array.name, writes=False))
    writes = list(_accesses(program, array.name, writes=True))
    if reads and writes:
        return "it is read and written"
    if reads and not program.skips and not _reads(program, array.name):
        return "conditions alone look at it, which are bits of the beats that they let run"
    if any(access.chosen for access in (*reads, *writes)):
        return "data decide which elements are accessed"
    for other in program.planned_arrays():
        if any(one.chosen for one in _all_accesses(program, other.name)):
            return (
                f"data decide which elements of {other.name!r} are accessed, which no Verilog holds"
            )
    streamed = replace(array, storage=Storage.STREAM)
    alone = replace(program, arrays={**program.arrays, array.name: streamed})
    operations = operations_of(design)
    options = design.plan
    elements = _elements(program, array)
    most = 1 if writes else elements // 2
    stays = f"{{}} of {elements} elements would stay on chip"
    try:
        arranged = arranged_within(operations, alone)
        problem = problem_or_alive_within(
            operations,
            arranged,
            arranged.arrays[array.name],
            most,
            strict=options.strict,
            slack=options.slack,
        )
    except (InputError, LimitError) as error:
        return f"as a stream, {error.problems[0].what}"
    if isinstance(problem, int):
        return stays.format(problem)
    alive = max((b.cells for b in problem.bounds if b.kind == "max-live"), default=elements)
    if alive > most:
        return stays.format(alive)
    if writes:
        return None
    unasked = {name: NoMapping(method=name, reason="not asked here") for name in _SLOW}
    try:
        choice = plan_array(problem, budget=options.budget, form=form_of(design), known=unasked)
    except InputError as error:
        return error.problems[0].what
    return None if choice.mapping.cells <= most else stays.format(choice.mapping.cells)


def _elements(program: Program, array: Array) -> int:
    """The elements that a parameter has, those that are touched where nothing declares it."""
    if array.extents is not None:
        found = 1
        for extent in array.extents:
            found *= extent.evaluate(program.values)
        return found
    touched = None
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array == array.name:
                own = fix_parameters(access.relation.range(), program.values)
                touched = own if touched is None else touched.union(own)
    return 0 if touched is None else count(touched)


def _accesses(program: Program, array: str, *, writes: bool) -> Iterator[Access]:
    for statement in program.statements:
        for access in statement.writes if writes else statement.sees:
            if access.array == array:
                yield access


def _all_accesses(program: Program, array: str) -> Iterator[Access]:
    yield from _accesses(program, array, writes=False)
    yield from _accesses(program, array, writes=True)


def _reads(program: Program, array: str) -> int:
    """The most elements of an array that a statement reads at once."""
    return max(
        (sum(one.array == array for one in statement.reads) for statement in program.statements),
        default=0,
    )
