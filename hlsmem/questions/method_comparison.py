"""Comparison of methods and of classes of orders, and why an array is not smaller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.emit.class_table import ClassRow
from hlsmem.emit.explanation import DesignExplained, Explained
from hlsmem.emit.lifetime_text import function_lines
from hlsmem.emit.method_table import Comparison
from hlsmem.lifetime.bounds import clique_of, with_bounds
from hlsmem.lifetime.conflict_witness import explain
from hlsmem.lifetime.first_and_last import Lifetimes, lifetimes
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.planner.array_folding import analyse, choices_of, variants_of
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design, plan_hardware, settled
from hlsmem.program.model import Array, ConflictInput, Storage
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import GIVEN, AffineSchedules, AnyOrder, Banded, ScheduleClass
from hlsmem.questions.access_prices import read_prices
from hlsmem.questions.broken_limits import exceeded
from hlsmem.questions.savings import changes
from hlsmem.schedule_search.design_changes import KINDS
from hlsmem.storage.ram.kind import in_memory
from hlsmem.storage.ram.ram_ports import read_ports

# Changes that are planned to explain a design.
_CHANGES = 3


def compare_methods(design: Design, *, variants: bool = False) -> tuple[Comparison, ...]:
    """Every method on every array of a design; with `variants` each published variant too."""
    design = settled(design)
    program, problems = analyse(design)
    choices = choices_of(design, program, problems, ask_all=True)
    published = variants_of(design, problems) if variants else {}
    found = []
    for problem in problems:
        choice = choices[problem.array.name]
        ports = read_ports(program, problem.array)
        answers = tuple(
            (
                method,
                answer,
                in_memory(answer, (), ports).memory(problem.array)
                if isinstance(answer, StorageMapping)
                else None,
            )
            for method, answer in choice.candidates
        )
        comparison = Comparison(
            array=problem.array,
            values=problem.values,
            bounds=with_bounds(problem, choice.mapping.cells, choice.bounds()),
            chosen=choice.mapping,
            answers=answers,
            variants=published.get(problem.array.name, ()),
        )
        found.append(comparison)
    return tuple(found)


def lifetimes_of(design: Design, array: str | None = None) -> tuple[Lifetimes, ...]:
    """Return the lifetimes of the elements of all planned arrays, or of the one named.

    Raises InputError for a bare conflict set, which has no times, and where the design plans
    no array of that name.
    """
    design = settled(design)
    program, problems = analyse(design)
    if program is None:
        raise InputError(
            Problem(
                "a bare conflict set has no writes and reads: there are no lifetimes",
                "`hlsmem explain` without --lifetimes shows elements that all conflict,"
                " `hlsmem compare` the mappings",
            )
        )
    _require_planned(array, [problem.array.name for problem in problems])
    return tuple(
        lifetimes(program, problem, strict=design.plan.strict)
        for problem in problems
        if array in (None, problem.array.name)
    )


def _require_planned(array: str | None, names: Sequence[str]) -> None:
    if array is not None and array not in names:
        known = ", ".join(names) or "none"
        raise InputError(Problem(f"{array!r} is not a planned array", f"planned arrays: {known}"))


def explain_design(design: Design, array: str | None = None) -> DesignExplained:
    """Why arrays are not smaller, all of them or the one named, and what would save.

    Raises InputError where the design plans no array of that name.
    """
    planning = (plan_design if _limits_cells(design) else plan_hardware)(design)
    _require_planned(array, tuple(planning.plan.arrays))
    found = None
    if planning.program is not None:
        kinds = [kind for kind in KINDS if kind != "banks"]
        found = changes(planning.design, kinds=kinds, top=_CHANGES, illegal=0, planning=planning)
    return DesignExplained(
        design=planning.plan.design,
        params=planning.plan.params,
        arrays=explain_arrays(planning, array),
        changes=found,
        exceeded=exceeded(planning),
    )


def _limits_cells(design: Design) -> bool:
    """True if the design limits the cells of the C: only then is it made to explain a plan."""
    limits = (design.limits.whole, *design.limits.arrays.values())
    return any(one.cells is not None for one in limits)


def explain_arrays(planning: Planning, array: str | None = None) -> tuple[Explained, ...]:
    """Why the arrays of a planning are not smaller: all of them, or the one named."""
    return tuple(
        _explained(planning, problem)
        for problem in planning.problems
        if array in (None, problem.array.name)
    )


def _explained(planning: Planning, problem: StorageProblem) -> Explained:
    name = problem.array.name
    choice = planning.folded.choices[name]
    cells = choice.mapping.cells
    bounds = with_bounds(problem, cells, choice.bounds())
    explanation = times = None
    if planning.program is not None:
        strict = planning.plan.strict
        explanation = explain(planning.program, name, strict=strict)
        times = lifetimes(planning.program, problem, strict=strict)
    clique = None
    alive = max((bound.cells for bound in bounds if bound.kind == "max-live"), default=1)
    if cells > alive:
        clique = clique_of(problem, enough=cells)
    points = () if clique is None else tuple(tuple(row) for row in clique.tolist())
    return Explained(
        plan=planning.plan.arrays[name],
        explanation=explanation,
        cells=cells,
        bounds=bounds,
        clique=points,
        first_write=() if times is None else function_lines(times, times.first_write, "FW"),
        last_read=() if times is None else function_lines(times, times.last_read, "LR"),
        prices=read_prices(planning, name),
    )


def compare_classes(design: Design) -> tuple[ClassRow, ...]:
    """A row for every planned array and class: given, sequential, tiled, affine, any.

    Bands are the design's where it has any. Raises InputError for a conflict set, and where
    the design needs a single schedule: slack, order iteration, streams.
    """
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no order, hence no classes of orders"
        raise InputError(Problem(what, "leave --classes out"))
    single = design.plan.slack or design.input.order.value != "sequential"
    arrays = design.input.planned_arrays()
    if single or any(one.storage is Storage.STREAM for one in arrays):
        what = "slack, order: iteration and streams are of one schedule: there are no classes"
        raise InputError(Problem(what, "leave --classes out"))
    given = tuple(_rows(design, GIVEN, ()))
    planned = [row.array for row in given]
    return (*given, *(row for one in _classes(design) for row in _rows(design, one, planned)))


def _classes(design: Design) -> Iterator[ScheduleClass]:
    """The classes beside that of the design's own order."""
    own = design.plan.schedules
    yield Banded(name="sequential")
    yield own if isinstance(own, Banded) and own.name == "tiled" else Banded(name="tiled")
    yield own if isinstance(own, AffineSchedules) else AffineSchedules()
    yield AnyOrder()


def _rows(design: Design, asked: ScheduleClass, planned: Sequence[Array]) -> Iterator[ClassRow]:
    """A row for every array; with the reason for those `planned` where the class is refused."""
    there = replace(design, plan=replace(design.plan, schedules=asked, reuse=None))
    try:
        program, problems = analyse(there)
        choices = choices_of(there, program, problems)
    except HlsmemError as error:
        if asked == GIVEN:
            raise
        for array in planned:
            yield ClassRow(schedules=asked.name, array=array, reason=error.problems[0].what)
        return
    for problem in problems:
        choice = choices[problem.array.name]
        yield ClassRow(
            schedules=asked.name,
            array=problem.array,
            bounds=with_bounds(problem, choice.mapping.cells, choice.bounds()),
            mapping=choice.mapping,
        )
