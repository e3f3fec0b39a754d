"""From what was read to a program or a conflict input, restricted to the context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionSet
from hlsmem.polyhedra.relations import array_elements, fixed_entries
from hlsmem.polyhedra.sets import (
    differences,
    fix_parameters,
    involves_parameter,
    with_parameters,
    without_name,
    without_parameters,
)
from hlsmem.program.model import (
    Access,
    Array,
    Code,
    ConflictInput,
    ConflictSet,
    Kernel,
    KernelBody,
    Mix,
    Nest,
    NetworkBody,
    Order,
    Program,
    Statement,
    Storage,
)
from hlsmem.read.array_keys import check_tuple, unknown_array, with_room
from hlsmem.read.design_names import nearest
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.element_bounds import at_values, in_bounds
from hlsmem.read.filter_conditions import beats_for_all, under_conditions, unskippable, with_inputs
from hlsmem.read.parameter_values import Parameters
from hlsmem.read.program_keys import unroll_factors
from hlsmem.read.schedule import Timing, time_names
from hlsmem.read.texts import Texts

_PLANNED = (Storage.MEMORY, Storage.STREAM, Storage.STATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A program as read: its sets are not yet restricted to the context.

    One `level` of the pipeline keeps `entries_per_level` time entries; `levels` is the most
    there can be, and `level` the default. `timing` replaces the schedules of the statements.
    The program is what was read for the parameters of `condition`; None: for all. `notes` are what
    is to be said of it; streams of statements with filters pass over instances where it `skips`.
    """

    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    time_dimensions: int
    iterator_names: tuple[str, ...]
    level: int
    levels: int
    entries_per_level: int = 1
    kernel: Kernel | None = None
    code: Code | None = None
    notes: tuple[Problem, ...] = ()
    timing: Timing | None = None
    nests: tuple[Nest, ...] = ()
    condition: Any = None
    skips: bool = False


def assemble_program(
    keys: DesignKeys, reading: Reading, texts: Texts, *, conditional: bool = False
) -> Program:
    """The program; what does not fit together goes to the problems of `texts`.

    One that is `conditional` may have domains without end, and writes of statements with filters
    are left as they are; else they are writes that may not happen.
    """
    if reading.condition is not None:
        context = texts.parameters.context.intersect(reading.condition).coalesce()
        texts = replace(texts, parameters=replace(texts.parameters, context=context))
    reading = replace(reading, statements=_with_latency(keys, reading.statements, texts))
    if not conditional:
        reading = _controlled(keys, reading, texts)
    used = _uses(reading)
    before = len(texts.problems)
    parameters = _needed(texts, used, reading.arrays.values())
    complete = len(texts.problems) == before
    if reading.timing is not None:
        size = reading.timing.dimensions
        reading = replace(reading, level=max(1, size - 1), levels=size, entries_per_level=1)
    level = _level(keys, reading, texts)
    narrowed = [_statement(one, parameters) for one in reading.statements]
    _check_together(keys, reading, narrowed, texts)
    if complete and not conditional:
        _check_finite(narrowed, parameters, texts)
        if not len(texts.problems):  # what is wrong so far may be why nothing runs
            _check_runs(narrowed, parameters, texts)
    program = Program(
        name=keys.name,
        parameters=parameters.names,
        values=parameters.values,
        context=parameters.context,
        arrays=reading.arrays,
        statements=tuple(narrowed),
        live_in=_live("live_in", keys, reading, narrowed, parameters, texts),
        live_out=_live("live_out", keys, reading, narrowed, parameters, texts),
        order=Order(keys.order),
        time_dimensions=reading.time_dimensions,
        step_dimensions=level * reading.entries_per_level,
        iterator_names=reading.iterator_names,
        kernel=reading.kernel,
        code=reading.code,
        notes=reading.notes,
        together=keys.pipeline.together,
    )
    if complete:
        program = in_bounds(program, texts)
    if reading.timing is not None:
        program = replace(_retimed(program, reading.timing, level, parameters), nests=reading.nests)
    if program.order is Order.SEQUENTIAL and keys.pipeline.level is None and _has_times(reading):
        program = replace(program, step_dimensions=_varying_entries(program))
    _check_decided(keys, program, texts)
    if complete and not conditional:
        program = under_conditions(keys, program, texts, skips=reading.skips)
    tile = _tile(keys, program, parameters, texts)
    return replace(program, tile=tile, unroll=unroll_factors(keys, program, texts))


def _controlled(keys: DesignKeys, reading: Reading, texts: Texts) -> Reading:
    """With what streams of statements with filters do; why they cannot skip is a problem where that
    is asked for, and a note where the design leaves it to the plan.
    """
    control = keys.plan.control
    if control == "predicate" or not any(one.filters for one in reading.statements):
        return reading
    objections = tuple(unskippable(keys, reading.arrays, reading.statements))
    if control == "auto" and objections:
        return replace(reading, notes=(*reading.notes, beats_for_all(objections[0])))
    for one in objections:
        texts.problems.add(one.what, one.remedy, one.source_location)
    return replace(reading, skips=True, arrays=with_inputs(reading.arrays, reading.statements))


def _check_decided(keys: DesignKeys, program: Program, texts: Texts) -> None:
    """Refuse what needs to know the elements of accesses where data decide them."""
    asked = None
    if program.order is Order.ITERATION:
        asked = "order: iteration takes the reads of a step ahead", "order"
    elif keys.plan.schedules != "given":
        asked = f"plan.schedules: {keys.plan.schedules} needs every order of the accesses", "plan"
    if asked is None:
        return
    unknown = dict(program.decided_by_data())
    for statement in program.statements:
        for access in statement.writes:
            if not access.must:
                unknown.setdefault(access.array, access)
    for name, access in unknown.items():
        what = f"{asked[0]}, and data decide which elements of {name!r} are accessed"
        remedy = f"use {asked[1]}: sequential" if asked[1] == "order" else "leave it out"
        texts.problems.add(what, remedy, access.source_location)


def _has_times(reading: Reading) -> bool:
    """True if the schedule is the user's own, not that of loops in C."""
    return reading.kernel is None or reading.timing is not None


def _varying_entries(program: Program) -> int:
    """Time entries up to the last that is no slot, which is one value for each statement."""
    size = program.time_dimensions
    last = 0
    for statement in program.statements:
        times = statement.schedule.intersect_domain(statement.domain).range()
        fixed = fixed_entries(times.coalesce())
        last = max([last, *(entry for entry in range(size) if entry not in fixed)])
    return last + 1


def _tile(keys: DesignKeys, program: Program, parameters: Parameters, texts: Texts) -> Any:
    """The times of the tile, of as many entries as all times; None where none is given."""
    path = ("plan", "tile")
    if keys.plan.tile is None:
        return None
    tile = texts.set(*path, what="the tile")
    if tile is None:
        return None
    if tile.has_tuple_name():
        what = f"the tile is a set of times, but has the name {tile.get_tuple_name()!r}"
        texts.problem(what, "write it like { [t0, t1] : t0 = 3 }", *path)
        return None
    found, size = tile.dim(DimType.set), program.time_dimensions
    if not 1 <= found <= size:
        what = f"the tile has times of {found} entries, but those of the program have {size}"
        texts.problem(what, "give as many, or fewer: the first ones", *path)
        return None
    return _restricted(tile, parameters).add_dims(DimType.set, size - found)


def _retimed(program: Program, timing: Timing, level: int, parameters: Parameters) -> Program:
    """The program in the order of a given schedule, with its own order kept in `original`."""
    original = replace(
        program, order=Order.SEQUENTIAL, step_dimensions=max(1, program.time_dimensions)
    )
    taken = {*program.parameters, *program.arrays}
    taken.update(name for one in program.statements for name in one.iterators)
    return replace(
        program,
        statements=tuple(
            replace(one, schedule=_restricted(timing.schedules[one.name], parameters))
            for one in program.statements
        ),
        time_dimensions=timing.dimensions,
        step_dimensions=level,
        iterator_names=time_names(timing.dimensions, taken),
        original=original,
    )


def assemble_conflicts(
    keys: DesignKeys, conflicts: Mapping[str, ConflictSet], texts: Texts
) -> ConflictInput:
    """The conflict input; what does not belong to one goes to the problems of `texts`."""
    for key in ("order", "schedule", "live_in", "live_out", "pipeline"):
        if getattr(keys, key) != DesignKeys.model_fields[key].default:
            source_location = texts.document.key_place(key)
            what = f"{key} has no meaning for a conflict set, which has no order"
            texts.problems.add(what, "remove it", source_location)
    if keys.plan.tile is not None:
        what = "plan.tile has no meaning for a conflict set, which has no times"
        texts.problem(what, "remove it", "plan", "tile")
    if keys.plan.objective == "cycles":
        what = "plan.objective: cycles has no meaning for a conflict set, which has no order"
        texts.problem(what, "remove it", "plan", "objective")
    used = [
        (f"the conflict set of {name!r}", value)
        for name, one in conflicts.items()
        for value in (one.differences, one.pairs, one.elements)
        if value is not None
    ]
    arrays = [one.array for one in conflicts.values()]
    parameters = _needed(texts, used + _extent_uses(arrays), arrays)
    return ConflictInput(
        name=keys.name,
        parameters=parameters.names,
        values=parameters.values,
        context=parameters.context,
        conflicts={name: _conflict(one, parameters) for name, one in conflicts.items()},
    )


def _conflict(conflict: ConflictSet, parameters: Parameters) -> ConflictSet:
    given = (conflict.differences, conflict.pairs, conflict.elements)
    apart, pairs, elements = (
        None if value is None else _restricted(value, parameters) for value in given
    )
    if pairs is None:
        elements = _declared_elements(conflict.array, parameters) if elements is None else elements
        apart = _between(elements, apart)
    return replace(conflict, differences=apart, pairs=pairs, elements=elements)


def _declared_elements(array: Array, parameters: Parameters) -> Any | None:
    """The elements within affine extents; None where nothing affine declares them."""
    if array.extents is None or not all(extent.is_affine() for extent in array.extents):
        return None
    return _restricted(array_elements(array.name, array.extents, parameters.names), parameters)


def _between(elements: Any, given: Any) -> Any:
    """The differences of elements that there are among those given."""
    if elements is None:
        return given
    possible = without_name(differences(Map.from_domain_and_range(elements, elements)))
    return given if given.is_subset(possible) else given.intersect(possible).coalesce()


def _with_latency(
    keys: DesignKeys, statements: tuple[Statement, ...], texts: Texts
) -> tuple[Statement, ...]:
    known = [statement.name for statement in statements]
    latency, recurrence = keys.pipeline.latency, keys.pipeline.recurrence
    named = [("latency", name) for name in latency] + [("recurrence", name) for name in recurrence]
    for key, name in named:
        if name not in known:
            source_location = texts.document.key_place("pipeline", key, name)
            remedy = nearest(name, known, f"the statements are: {', '.join(known)}")
            texts.problems.add(f"there is no statement {name!r}", remedy, source_location)
    return tuple(
        replace(
            one,
            latency=latency.get(one.name, one.latency),
            recurrence=recurrence.get(one.name, one.recurrence),
        )
        for one in statements
    )


def _check_together(
    keys: DesignKeys, reading: Reading, statements: list[Statement], texts: Texts
) -> None:
    """Refuse statements that cannot be one: of other loops, with conditions, or named twice."""
    if keys.pipeline.together and reading.kernel is None:
        what = "pipeline.together is for the statements of a kernel"
        texts.problem(what, "write one statement with the operands of both", "pipeline")
    known = {one.name: one for one in statements}
    seen: set[str] = set()
    for position, names in enumerate(keys.pipeline.together):
        path = ("pipeline", "together", position)
        for name in names:
            if name not in known:
                remedy = nearest(name, list(known), f"the statements are: {', '.join(known)}")
                texts.problem(f"there is no statement {name!r}", remedy, *path)
            elif name in seen:
                texts.problem(f"{name!r} stands together twice", "leave one out", *path)
            seen.add(name)
        own = [known[name] for name in names if name in known]
        for one in own[1:]:
            first, other = (each.domain.reset_tuple_id() for each in (own[0], one))
            alike = one.iterators == own[0].iterators and first.is_equal(other)
            if not alike or any(each.filters for each in (own[0], one)):
                what = f"{own[0].name} and {one.name} do not run as often, or data decide it"
                texts.problem(what, "leave one out", *path)
                break


def unused_parameters(reading: Reading, names: Iterable[str]) -> list[str]:
    """The parameters that no statement and no array depends on, no macro is called, and that the
    kernel was not read with the value of."""
    used = _uses(reading)
    used += [("", e) for array in reading.arrays.values() for e in array.extents or ()]
    known = () if reading.kernel is None else (*reading.kernel.macros, *reading.kernel.fixed)
    return [
        name
        for name in names
        if name not in known and not any(_depends(value, name) for _, value in used)
    ]


def _level(keys: DesignKeys, reading: Reading, texts: Texts) -> int:
    level = keys.pipeline.level
    if level is not None and level > reading.levels:
        there_is = "there is only 1 level"
        if reading.levels > 1:
            there_is = f"there are only {reading.levels} levels"
        what = f"pipeline.level is {level}, but {there_is}"
        texts.problem(what, "choose a smaller one", "pipeline", "level")
    return reading.level if level is None else min(level, reading.levels)


def _uses(reading: Reading) -> list[tuple[str, Any]]:
    """The maps and sets whose parameters need values, each with its name for messages."""
    accesses = [
        (f"an access to {access.array!r} in {one.name!r}", access.relation)
        for one in reading.statements
        for access in (*one.reads, *one.writes, *conditions_of(one))
    ]
    accesses += [
        (f"the filter of {one.name!r}", filter_.value)
        for one in reading.statements
        for filter_ in one.filters
    ]
    domains = [(f"the domain of {one.name!r}", one.domain) for one in reading.statements]
    schedules = [(f"the schedule of {one.name!r}", one.schedule) for one in reading.statements]
    bodies = [(f"the body of {one.name!r}", one.body) for one in reading.statements]
    timing = reading.timing.schedules.items() if reading.timing else ()
    schedules += [(f"the schedule of {name!r}", times) for name, times in timing]
    code = [] if reading.code is None else [("the file of code", reading.code)]
    sizes = _extent_uses(reading.arrays.values())
    variables = reading.kernel.variables.items() if reading.kernel else ()
    sizes += [(f"a row of {name!r}", stride) for name, one in variables for stride in one.strides]
    return [*domains, *accesses, *schedules, *bodies, *code, *sizes]


def _extent_uses(arrays: Iterable[Array]) -> list[tuple[str, Any]]:
    return [
        (f"the size of {array.name!r}", extent)
        for array in arrays
        if array.storage in _PLANNED
        for extent in array.extents or ()
    ]


def _needed(texts: Texts, used: list[tuple[str, Any]], arrays: Iterable[Array]) -> Parameters:
    """The parameters that have values, and the context in which all arrays have elements.

    One without a value that is used is a problem, and so is an array that has no elements at
    those values.
    """
    parameters = texts.parameters
    without = [name for name in parameters.names if name not in parameters.values]
    for name in without:
        user = next((what for what, value in used if _depends(value, name)), None)
        if user is not None:
            texts.problems.add(
                f"parameter {name!r} has no value, but {user} needs one",
                f"give it one in params, or with --param {name}=...",
                texts.document.key_place("params", name),
            )
    context = without_parameters(parameters.context, without)
    if not fix_parameters(context, parameters.values).is_empty():
        context = with_room(context, [array for array in arrays if _has_room(array, texts)])
    return Parameters(
        names=tuple(name for name in parameters.names if name in parameters.values),
        values=parameters.values,
        context=context,
    )


def _has_room(array: Array, texts: Texts) -> bool:
    """True if an array has elements at the values of the parameters; else a problem is added."""
    values = texts.parameters.values
    extents = [extent for extent in array.extents or () if extent.parameters() <= set(values)]
    sizes = [extent.evaluate(values) for extent in extents]
    if all(size >= 1 for size in sizes):
        return True
    size = next(size for size in sizes if size < 1)
    what = f"{array.name!r} has an extent of {size}{at_values(values)}"
    texts.problems.add(what, "make it at least 1, or choose other values", array.source_location)
    return False


def _depends(value: Any, name: str) -> bool:
    if isinstance(value, (NetworkBody, Code)):
        return name in value.parameters
    if isinstance(value, (KernelBody, Mix)):
        return False
    if hasattr(value, "parameters"):
        return name in value.parameters()
    return involves_parameter(value, name)


def _restricted(value: Any, parameters: Parameters) -> Any:
    """`value` on the context, with the parameters that have values and no others."""
    known = set(parameters.names)
    space = value.get_space()
    all_names = [space.get_dim_name(DimType.param, i) for i in range(space.dim(DimType.param))]
    value = without_parameters(value, [name for name in all_names if name not in known])
    return with_parameters(value, parameters.names).intersect_params(parameters.context)


def _statement(statement: Statement, parameters: Parameters) -> Statement:
    def restricted(accesses: tuple[Access, ...]) -> tuple[Access, ...]:
        return tuple(
            replace(one, relation=_restricted(one.relation, parameters)) for one in accesses
        )

    body = statement.body
    if isinstance(body, KernelBody):
        kept = None if body.kept is None else restricted((body.kept,))[0]
        body = replace(body, tests=restricted(body.tests), kept=kept)
    return replace(
        statement,
        body=body,
        domain=_restricted(statement.domain, parameters),
        schedule=_restricted(statement.schedule, parameters),
        reads=restricted(statement.reads),
        writes=restricted(statement.writes),
        filters=tuple(
            replace(
                one,
                accesses=restricted(one.accesses),
                value=_restricted(one.value, parameters),
            )
            for one in statement.filters
        ),
    )


def conditions_of(statement: Statement) -> list[Access]:
    """The accesses that the filters of a statement read."""
    return [access for one in statement.filters for access in one.accesses]


def _check_finite(statements: list[Statement], parameters: Parameters, texts: Texts) -> None:
    for statement in statements:
        if not fix_parameters(statement.domain, parameters.values).is_bounded():
            what = f"{statement.name!r} has infinitely many instances{at_values(parameters.values)}"
            texts.problems.add(what, "bound its domain on all sides", statement.source_location)


def _check_runs(statements: list[Statement], parameters: Parameters, texts: Texts) -> None:
    """Some statement has an instance at the values of the parameters, if there are statements."""
    domains = [fix_parameters(one.domain, parameters.values) for one in statements]
    if statements and all(one.is_empty() for one in domains):
        what = f"no statement ever runs{at_values(parameters.values)}: there is nothing to plan"
        remedy = "correct the bounds and conditions around it"
        if parameters.values:
            remedy += ", or the values of the parameters, see --param"
        texts.problems.add(what, remedy, statements[0].source_location)


def _live(
    key: str,
    keys: DesignKeys,
    reading: Reading,
    statements: list[Statement],
    parameters: Parameters,
    texts: Texts,
) -> Any:
    """The elements that are live before or after: as given, else what parameters need."""
    space = parameters.context.get_space()
    result = UnionSet.empty(space)
    if (given := getattr(keys, key)) is not None:
        for position in range(len(given)):
            path = (key, position)
            found = texts.union_set(*path, what=f"{key} {position}")
            if found is not None and _all_known(found, reading.arrays, texts, path):
                result = result.union(_restricted(found, parameters))
        return result
    for statement in statements:
        # What may be written keeps what it had where it is not.
        kept = [access for access in statement.writes if not access.must]
        seen = [*statement.reads, *conditions_of(statement), *kept]
        for access in (*seen, *statement.writes):
            array = reading.arrays.get(access.array)
            if array is None or not _is_outside(array, reading.kernel):
                continue
            # What the next run reads of state is what this one leaves.
            is_before = key == "live_in" or array.storage is Storage.STATE
            if any(access is one for one in (seen if is_before else statement.writes)):
                result = result.union(UnionSet.from_set(access.relation.range()))
    if key == "live_in":
        written = {access.array for one in statements for access in one.writes}
        for name, own in keys.arrays.items():
            if own.transfer == "whole" and name in reading.arrays and name not in written:
                result = result.union(_declared(reading.arrays[name], parameters, texts))
    return result.coalesce()


def _declared(array: Array, parameters: Parameters, texts: Texts) -> Any:
    """All elements of an array that is transferred whole."""
    if array.extents is None:
        texts.problems.add(
            f"nothing declares how many elements {array.name!r} has",
            f"give arrays.{array.name}.extents, or leave out transfer",
            texts.document.place("arrays", array.name, "transfer"),
        )
        return UnionSet.empty(parameters.context.get_space())
    elements = array_elements(array.name, array.extents, parameters.names)
    return UnionSet.from_set(elements.intersect_params(parameters.context))


def _is_outside(array: Array, kernel: Kernel | None) -> bool:
    """True if code outside the design sees the array: a network has no parameters to tell by."""
    if array.storage in (Storage.EXTERNAL, Storage.ROM, Storage.STATE):
        return True
    if kernel is not None:
        return array.is_parameter or array.is_shared
    return array.storage is Storage.STREAM


def _all_known(
    elements: Any, arrays: Mapping[str, Array], texts: Texts, path: tuple[str | int, ...]
) -> bool:
    sets = elements.get_set_list()
    valid = True
    for position in range(sets.n_set()):
        piece: Set = sets.get_at(position)
        name = piece.get_tuple_name() if piece.has_tuple_name() else ""
        if name in arrays:
            valid &= check_tuple(piece, arrays[name], texts, path)
        else:
            unknown_array(name, arrays, texts, path)
            valid = False
    return valid
