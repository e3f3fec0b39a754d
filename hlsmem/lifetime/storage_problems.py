"""From a program to one storage problem per planned array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import LimitError, Problem, Problems
from hlsmem.core.wording import listed
from hlsmem.lifetime.class_clique import class_clique
from hlsmem.lifetime.class_conflicts import class_conflicts, class_problem
from hlsmem.lifetime.class_width import width_bound
from hlsmem.lifetime.live_interval import LiveIntervals, live_intervals, with_slack, written_during
from hlsmem.lifetime.max_live_bound import cells_alive, max_live_bound
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.lifetime.soundness import check_reads, check_writes
from hlsmem.lifetime.storage_problem import (
    BandFacts,
    Bound,
    ClassFacts,
    Pairs,
    StorageProblem,
)
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import Sample, first_point
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import differences, fix_parameters, without_name
from hlsmem.program.model import Array, Order, Program, Storage
from hlsmem.program.schedule_classes import AffineSchedules, Before, ScheduleClass
from hlsmem.timing.class_relations import ClassOfOrders, orders_of
from hlsmem.timing.events import LIVE_IN, Events, events, full_events
from hlsmem.timing.instance_text import element_text, instance_text, parameters_text, time_text
from hlsmem.timing.value_flow import Dataflow, dataflow

# (name of an array, what is done next)
Step = tuple[str, str]


def storage_problems_within(
    operations: int,
    program: Program,
    *,
    strict: bool = False,
    slack: int = 0,
    has_formula: bool = True,
) -> tuple[StorageProblem, ...]:
    """`storage_problems`, if isl needs no more than so many operations.

    Raises LimitError with the array and the step otherwise.
    """

    def work(report: Callable[[Step], None]) -> tuple[StorageProblem, ...]:
        return storage_problems(
            program, strict=strict, slack=slack, has_formula=has_formula, report=report
        )

    try:
        return within(operations, work)
    except WorkLimitError as error:
        raise LimitError(_too_complicated(program, operations, error)) from None


def with_formulas_within(
    operations: int, program: Program, problems: Sequence[StorageProblem]
) -> tuple[StorageProblem, ...]:
    """The problems with the formulas of max-live that are still to be found; as they are where isl
    needs more than so many operations for that."""
    left = [one for one in problems if one.lives is not None]
    try:
        found = within(operations, lambda _: [_bound(program, one) for one in left]) if left else []
    except WorkLimitError:
        found = [one.bounds for one in left]
    bounds = {one.array.name: own for one, own in zip(left, found, strict=True)}
    return tuple(
        replace(one, lives=None, bounds=bounds.get(one.array.name, one.bounds)) for one in problems
    )


def _bound(program: Program, problem: StorageProblem) -> tuple[Bound, ...]:
    assert problem.lives is not None
    assert problem.occupied is not None
    assert problem.pairs is not None
    conflicts = problem.pairs.relation
    found = max_live_bound(problem.lives, problem.occupied, conflicts, program)
    return () if found is None else (found,)


def storage_problems(
    program: Program,
    *,
    strict: bool = False,
    slack: int = 0,
    has_formula: bool = True,
    report: Callable[[Step], None] = lambda _: None,
) -> tuple[StorageProblem, ...]:
    """The conflicts, differences and max-live of every planned array, in declaration order.

    `program` has its streams made statements already (`order.with_streams`). `strict` forbids
    to read and to overwrite a cell at the same time; `slack` ends live intervals that many beats of
    the reader later. Without `has_formula` max-live is counted alone, where it can be:
    `with_formulas_within` finds the rest. `report` is told each step before it is made. Raises
    InputError for reads that nothing provides and for elements that two instances write at the same
    time: all of
    them at once.
    """
    flows, times = _sound(program, strict, report)
    return tuple(
        _problem_with_bound(
            program, array, flows[array.name], times, slack, report, has_formula=has_formula
        )
        for array in program.planned_arrays()
    )


def problem_or_alive_within(
    operations: int,
    program: Program,
    array: Array,
    most: int,
    *,
    strict: bool = False,
    slack: int = 0,
) -> StorageProblem | int:
    """The storage problem of one array; where more than `most` of its elements are alive at once
    at the plan's values, or at most one, their number, which takes no conflicts.

    Raises as `storage_problems_within`, of all arrays what is unsound.
    """

    def work(report: Callable[[Step], None]) -> StorageProblem | int:
        flows, times = _sound(program, strict, report)
        flow = flows[array.name]
        report((array.name, "counting the elements alive at once"))
        lives = _lives(program, array, flow, times, slack)
        alive = cells_alive(lives, occupancies(lives), program)
        if alive is not None and (alive > most or most <= 1):
            return alive
        return _problem_with_bound(program, array, flow, times, slack, report, has_formula=False)

    try:
        return within(operations, work)
    except WorkLimitError as error:
        raise LimitError(_too_complicated(program, operations, error)) from None


def _sound(
    program: Program, strict: bool, report: Callable[[Step], None]
) -> tuple[dict[str, Dataflow], Events]:
    """The data flow of every array, and the times of accesses.

    Raises InputError as `storage_problems`.
    """
    full = full_events(program)
    same = program.order is Order.SEQUENTIAL and not strict
    times = full if same else events(program, strict=strict)
    problems = Problems()
    flows = {}
    for array in program.arrays.values():
        if array.storage is not Storage.ROM:
            report((array.name, "finding the write that each read sees"))
            flow = flows[array.name] = dataflow(program, array.name, full, only_last=True)
            check_reads(program, flow, problems)
            check_writes(program, flow, times, problems)
    problems.raise_if_any()
    return flows, times


def storage_problem(
    program: Program, array: Array, *, strict: bool = False, slack: int = 0
) -> StorageProblem:
    """The conflicts, differences and max-live of one array of a program known to be sound.

    Max-live has no formula where it is counted, which would take most of the work.
    """
    flow = dataflow(program, array.name, only_last=True)
    times = events(program, strict=strict)
    return _problem_with_bound(program, array, flow, times, slack, has_formula=False)


def _problem_with_bound(
    program: Program,
    array: Array,
    flow: Dataflow,
    times: Events,
    slack: int,
    report: Callable[[Step], None] = lambda _: None,
    *,
    has_formula: bool = True,
) -> StorageProblem:
    report((array.name, "finding when its elements live"))
    lives = _lives(program, array, flow, times, slack)
    occupied = occupancies(lives)
    report((array.name, "finding which of its elements conflict"))
    oriented = written_during(lives)
    report((array.name, "counting the elements alive at once"))
    bound = max_live_bound(lives, occupied, oriented, program, has_formula=has_formula)
    report((array.name, "taking the differences of its conflicts"))
    problem = _problem(program, lives, oriented)
    bounds = () if bound is None else (bound,)
    is_open = bound is not None and bound.expr is None and not has_formula
    left = lives if is_open else None
    return replace(problem, occupied=occupied, lives=left, bounds=bounds)


def _lives(
    program: Program, array: Array, flow: Dataflow, times: Events, slack: int
) -> LiveIntervals:
    return live_intervals(program, array, flow, with_slack(program, array.name, times, slack))


def class_problems_within(
    operations: int,
    program: Program,
    own: Sequence[StorageProblem],
    asked: ScheduleClass,
    *,
    strict: bool = False,
) -> tuple[StorageProblem, ...]:
    """`class_problems`, if isl needs no more than so many operations for it.

    Raises LimitError with the array and the step otherwise.
    """
    try:
        return within(
            operations,
            lambda report: class_problems(program, own, asked, strict=strict, report=report),
        )
    except WorkLimitError as error:
        raise LimitError(_too_complicated(program, operations, error)) from None


def class_problems(
    program: Program,
    own: Sequence[StorageProblem],
    asked: ScheduleClass,
    *,
    strict: bool = False,
    report: Callable[[Step], None] = lambda _: None,
) -> tuple[StorageProblem, ...]:
    """The conflicts of every planned array for a class of orders, with max-live and the width.

    `own` are the problems of the program's own order, whose max-live holds for a class that it
    is in. Raises InputError as `order.classes.orders_of`.
    """
    report((program.name, "finding what all orders of the class have in common"))
    orders = orders_of(program, asked)
    advice = "" if program.kernel is None else _advice(orders.in_place)
    found = []
    for problem in own:
        array = problem.array
        report((array.name, "finding which of its elements conflict in some order of the class"))
        flow = dataflow(program, array.name)
        values = class_conflicts(flow, orders.precedence, strict=strict)
        other = class_problem(program, array, flow, values)
        outside = _outside(program, problem, other, orders, flow)
        report((array.name, "counting the elements that some order keeps alive at once"))
        bounds = () if outside else problem.bounds
        width = width_bound(values, program.values) or class_clique(values, program.values)
        bounds += () if width is None else (width,)
        facts = ClassFacts(
            schedules=asked.name,
            bands=tuple(
                BandFacts(
                    kind="tiled" if band.is_tiled else "sequential",
                    rows=band.texts,
                    maps=_by_statement(band.rows),
                )
                for band in orders.bands
            ),
            before=tuple(sorted(map(str, maps_of(asked.relation))))
            if isinstance(asked, Before)
            else None,
            is_symbolic=isinstance(asked, AffineSchedules) and asked.is_symbolic,
            is_exact=orders.precedence.is_exact,
            is_fixed=orders.precedence.is_fixed,
            remark="; ".join(filter(None, (orders.precedence.remark, advice))),
            outside=outside,
        )
        found.append(replace(other, occupied=problem.occupied, bounds=bounds, orders=facts))
    return tuple(found)


def _by_statement(rows: Any) -> dict[str, str]:
    """The rows of a band as isl texts, by statement."""
    found = {one.get_tuple_name(DimType.in_): str(one) for one in maps_of(rows)}
    return dict(sorted(found.items()))


def _advice(in_place: Sequence[str]) -> str:
    """Remedy that allows more orders, where arrays are written in place."""
    if not in_place:
        return ""
    names = listed([repr(name) for name in in_place])
    is_or_are = "is" if len(in_place) == 1 else "are"
    remedy = f"plan.expand: [{', '.join(in_place)}] allows more orders"
    return f"{names} {is_or_are} written in place, which every order keeps: {remedy}"


def _outside(
    program: Program,
    own: StorageProblem,
    other: StorageProblem,
    orders: ClassOfOrders,
    flow: Dataflow,
) -> str:
    """Two elements that conflict in the program's own order alone, in words; empty if none do."""
    assert own.pairs is not None
    alone = own.pairs.relation.subtract(other.conflicts)
    if orders.precedence.is_fixed:
        alone = fix_parameters(alone, program.values)
    return "" if alone.is_empty() else meeting_text(program, flow, own.array, alone)


def meeting_text(program: Program, flow: Dataflow, array: Array, pairs: Any) -> str:
    """Two elements of a relation { x -> y } that is not empty, with who writes them, and when."""
    point = first_point(pairs.wrap(), program.values)
    size = len(array.index)
    texts = [
        _written(program, flow, array.name, coordinates, point)
        for coordinates in (point.coordinates[:size], point.coordinates[size:])
    ]
    return f"{' and '.join(texts)} are alive together{parameters_text(program, point)}"


def _written(
    program: Program, flow: Dataflow, array: str, element: tuple[int, ...], point: Sample
) -> str:
    """An element with the first time it is written: "a[3] (S at i=3, time [0, 3, 0])"."""
    name = element_text(array, element)
    for relation in maps_of(flow.values):
        here = fix_parameters(relation, {**program.values, **point.parameters})
        for position, value in enumerate(element):
            here = here.fix_val(DimType.in_, position, value)
        writer = relation.get_tuple_name(DimType.out)
        if here.is_empty() or writer == LIVE_IN:
            continue
        instance = first_point(here.range(), {}).coordinates
        statement = next(one for one in program.statements if one.name == writer)
        time = time_text(program, statement, instance, point.parameters)
        return f"{name} (written by {instance_text(statement, instance)} at {time})"
    return f"{name} (live before the program)"


def _too_complicated(program: Program, operations: int, error: WorkLimitError) -> Problem:
    name, step = error.step or (program.name, "reading its schedule")
    took = f"takes more than {operations} operations of isl"
    if error.signal:
        took = f"was ended by signal {error.signal}"
    remedy = "raise plan.budget, or leave the array out (storage: external)"
    place = program.arrays[name].source_location if name in program.arrays else None
    return Problem(f"{name!r} is too complicated: {step} {took}", remedy, place)


def conflict_problem(program: Program, array: Array) -> StorageProblem:
    """The storage problem of one planned array without bounds, for a program known to be sound."""
    flow = dataflow(program, array.name, only_last=True)
    lives = live_intervals(program, array, flow, events(program))
    return _problem(program, lives, written_during(lives))


def _problem(program: Program, lives: LiveIntervals, oriented: Any) -> StorageProblem:
    return StorageProblem(
        array=lives.array,
        parameters=program.parameters,
        values=program.values,
        context=program.context,
        differences=without_name(differences(oriented, program.context)),
        pairs=Pairs(oriented, is_symmetric=False),
        elements=lives.starts.domain().coalesce(),
    )
