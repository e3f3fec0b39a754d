"""The order and the cells of the host C: the plan's, numbered as its loops walk, or its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as Values
from dataclasses import field, replace
from functools import partial

from hlsmem.core.errors import InputError, LimitError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted, listed
from hlsmem.emit.c import (
    Cells,
    HostLoops,
    Planned,
    Text,
    beyond_source,
    host_loops,
    ram_of,
    versions_of,
    why_no_tile,
    with_mapping,
    workspace_starts,
)
from hlsmem.host_loops.cell_frame import frame_of
from hlsmem.host_loops.frame_choice import Question, Room, allows, cells_at, chosen, room_of
from hlsmem.host_loops.loop_score import score
from hlsmem.host_loops.pointer_loop import ShapedLoop
from hlsmem.host_loops.renumbering import unit_of
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import conflict_problem
from hlsmem.mapping.certificate import prove
from hlsmem.mapping.storage_mapping import Certificate, StorageMapping
from hlsmem.plan import ArrayNotes, HostCells, HostOrder
from hlsmem.planner.array_folding import Folded, analysed, folded, operations_of
from hlsmem.planner.host.argument_overlap import with_test
from hlsmem.planner.host.host_schedule import at_times, host_schedules, refuse_tiles
from hlsmem.planner.host.mapping_queries import MethodAnswers, as_planned, new_queries
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, ConflictInput, KernelBody, Order, Program
from hlsmem.program.options import Design, HostChoice
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.read.as_written import AS_WRITTEN
from hlsmem.read.design import changed
from hlsmem.read.filter_conditions import with_possible_writes
from hlsmem.schedule_search.scalars import kept_by_scalars
from hlsmem.timing.arrival import lengthened
from hlsmem.timing.planned_program import arranged_within, in_the_order_of_c
from hlsmem.timing.schedule_legality import same_values
from hlsmem.timing.total_order import without_steps

_ALIKE = 1.05
"""Steps are taken where their loops score at most so much more: their stores come last."""
_OPERATIONS = 4_000_000
"""Operations of isl that cells for an order of C's own may take."""
_SCALARS = 2_000_000
"""Operations of isl that may go into what scalars keep from moving."""
_WORTH_SAYING = 2.0
"""Least speed-up for which a remark is made."""
_LARGER = 16
"""The sizes of the score are the plan's and so many times them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """The C of the whole: its program in the order in which it runs, and the mapping of each array.

    `folded` is the plan's folding as far as C follows it. `program` and `order` are None where
    there are only cells, for a reason that `why_not` may say. `cells` are those of the arrays,
    with `notes` on how they were chosen; `remarks` say what would help where C keeps the order of
    the source, and what was not looked for to its end. What C does not fold has no cells. It calls
    its `versions`, and its `text` where arguments overlap.
    """

    folded: Folded
    program: Program | None
    mappings: Cells
    cells: Values[str, HostCells] = field(default_factory=dict)
    notes: Values[str, ArrayNotes] = field(default_factory=dict)
    order: HostOrder | None = None
    remarks: tuple[str, ...] = ()
    why_not: str = ""
    is_folded: bool = True
    versions: tuple[Planned, ...] = ()
    text: Text | None = None


def host_of(found: Folded) -> HostPlan:
    """The C of a folding: as its source where it would keep more than that.

    Raises as `_folded_c`.
    """
    made = _folded_c(found)
    program, versions = made.program, tuple(_versions(found.design))
    text = None if program is None else _text_of(made.folded, program)
    more = None
    if program is not None:
        more = beyond_source(found.design, program, made.mappings, versions, text)
    if more is None:
        return replace(made, versions=versions, text=text)
    kept = counted(more.source or 0, "byte")
    what = f"C is as its source, which keeps {kept}: folded it would keep {more.bytes}"
    return replace(made, cells={}, notes={}, order=None, remarks=(what,), is_folded=False)


def _text_of(found: Folded, program: Program) -> Text | None:
    """The order of the text with cells of its own, for arguments that overlap.

    None where C has no need of it, where its statements are not those of the source's text, or
    where no cells are known.
    """
    design, kernel = found.design, program.kernel
    if kernel is None or not kernel.apart or design.host.alias == "stop":
        return None
    if program.tile is not None:
        return None
    try:
        texts = (with_test(one, one) for one in _texts(found))
        text = next(one for one in texts if one.kernel is not None and not one.kernel.apart)
        cells = {one.name: fewest_cells(design, text, one) for one in text.planned_arrays()}
        ram_of(design, text, cells)
    except (InputError, LimitError, WorkLimitError, StopIteration):
        return None
    return Text(program=text, cells=cells)


def _texts(found: Folded) -> Iterator[Program]:
    """The program in the order of its text, then of the source's as it is written."""
    for settings in ((), AS_WRITTEN):
        own = changed(found.design, settings) if settings else found.design
        if isinstance(own.input, Program):
            text = with_possible_writes(own.input.source.in_c)
            yield replace(text, order=Order.SEQUENTIAL)


def fewest_cells(design: Design, program: Program, array: Array) -> StorageMapping:
    """The mapping of fewest cells in one piece; one for the plan's sizes alone gives way to those
    for all. Raises InputError where there is none."""
    queries, budget = new_queries(program, array), design.plan.budget
    declared = HostChoice(method="declared", shape=None)
    answers = [*queries.answers(None, budget), *queries.answers(declared, budget)]
    fit = [one for one in answers if len(one.pieces) == 1]
    if not fit:
        raise InputError(Problem(f"C has no cells for {array.name!r}", "", array.source_location))
    return min(fit, key=lambda one: (not one.certificate.is_complete, one.cells))


def _versions(design: Design) -> Iterator[Planned]:
    """The versions that `host.specialise` asks for, besides the plan's values."""
    for version in versions_of(design):
        names = ", ".join(f"{name}: []" for name in design.host.versions)
        settings = [f"params.{name}={value}" for name, value in version.values]
        settings += [f"host.specialise={{{names}}}", "host.profile=false"]
        own = changed(design, settings)
        made = host_of(folded(analysed(own)))
        if made.program is not None:
            yield Planned(
                version=version,
                design=own,
                program=made.program,
                cells=made.mappings,
                text=made.text,
            )


def _folded_c(found: Folded) -> HostPlan:
    """The C of a folding, in its cells.

    Nothing but host C and the documents of a plan read it. C has the plan's mappings, renumbered
    where its loops then walk over neighbours, or its own where `host.objective` is speed. Those of
    a class keep the plan's, as do programs that C puts into an order for want of one; with tiles,
    which run over other rows, also its numbers. Raises InputError where `host.objective` is speed
    for what host C is not available for, and for a choice that no mapping meets.
    """
    found = _in_c(found)
    design, mappings = found.design, found.mappings
    why_not = ""
    if found.program is not None and found.program.tile is not None:
        why_not = why_no_tile(design, found.program, mappings)
    program = None if why_not else _serial(found)
    if program is None or found.is_outside_of_its_class:
        _refuse(design.host.choice, "there is no C of the whole with the plan's cells")
        own = None if program is None else _in_order(program)
        return HostPlan(folded=found, program=own, mappings=mappings, why_not=why_not)
    if program is not found.program:
        _refuse(
            design.host.choice,
            "C has the plan's cells where it puts instances into an order of its own",
        )
        design = replace(design, host=replace(design.host, objective="plan"))
    elif (apart := without_steps(program)) is not program:
        return _made(found, program, _of_steps_apart(design, apart, mappings))
    if design.host.objective == "ram":
        return _of_fewest_bytes(found, design, program)
    cut, kept, made = list[str](), tuple[str, ...](), None
    may_move = _may_have_an_order(design, program)
    if may_move:
        made = _in_host_schedule(found, design, program, cut.append)
    if made is None:
        if may_move:
            kept = _what_scalars_keep(program, cut.append)
        refuse_tiles(design.host)
        made = _made(found, program, in_shape(design, program, mappings, as_planned(found)))
    return replace(made, remarks=(*([_cut_short(cut)] if cut else ()), *kept))


def _in_c(found: Folded) -> Folded:
    """The folding as C follows it, which finds what its caller has where it is."""
    given = found.design.input
    if not isinstance(given, Program) or found.program is None:
        return found
    if given.in_c is given:
        return replace(found, program=with_test(found.program, found.program.source))
    design = replace(found.design, input=given.in_c)
    if given.together:  # an order of C's own is told in the statements of the plan
        design = replace(design, host=replace(design.host, order="given"))
    program = arranged_within(operations_of(design), given.in_c)
    # Program points of both are in the times of the plan.
    program = lengthened(program, found.program.time_dimensions - program.time_dimensions)
    program = with_test(program, program.source)
    planned = {one.name for one in program.planned_arrays()}
    problems = tuple(one for one in found.problems if one.array.name in planned)
    choices = {name: one for name, one in found.choices.items() if name in planned}
    return replace(found, design=design, program=program, problems=problems, choices=choices)


def _cut_short(searches: Sequence[str]) -> str:
    """Remark that some searches for an order of C's own ended before they were through."""
    found = listed(list(dict.fromkeys(searches)))
    what = f"C has the best order found within the budget, else the source's: {found} took more"
    return str(Problem(what, "host.order: given leaves the search out"))


def _made(found: Folded, program: Program, shaped: Shaped) -> HostPlan:
    """The C with these cells in the given order, an iteration as a step where all are so."""
    own = _in_order(program, by_steps=shaped.steps)
    return _ordered(found, own, found.mappings, shaped, HostOrder(steps=shaped.steps))


def _in_order(program: Program, *, by_steps: bool = False) -> Program:
    """The program as C runs it in the given order."""
    return without_steps(_in_steps(program) if by_steps else program)


def _in_steps(program: Program) -> Program:
    """The program with an iteration as a step."""
    return with_test(replace(program, order=Order.ITERATION), program.source)


def _in_host_schedule(
    found: Folded, design: Design, program: Program, cut: Callable[[str], None]
) -> HostPlan | None:
    """The host plan for the schedule with most vectorised loops; None where C keeps the given.

    Every array has a mapping that is right for that order, holds for as many sizes as the plan's,
    and takes no more cells than C may. `cut` is called with what took too much work to be found.
    """

    def made(order: HostOrder) -> HostPlan | None:
        return within(_OPERATIONS, lambda _: _at_its_times(found, design, program, order))

    for order in host_schedules(program, design.host, _sizes(design, program, symbolic=True), cut):
        try:
            if own := made(order):
                return own
        except WorkLimitError:
            cut("cells for it")
        except InputError:  # state, say, goes with no order in which arguments must lie apart
            continue
    return None


def _of_fewest_bytes(found: Folded, design: Design, program: Program) -> HostPlan:
    """The host plan in the order, and with the cells, in which all that it keeps takes fewest
    bytes; of equal ones in the order of the plan, then by steps."""
    _refuse(design.host.choice, "C has fewest cells where its bytes are made few")
    given = _made(found, program, in_shape(design, program, found.mappings, as_planned(found)))
    every, cut = [given], list[str]()
    if program.order is not Order.ITERATION and not program.asks_data():
        every += _with_fewest_cells(found, design, _in_steps(program), HostOrder(steps=True))
    if _may_have_an_order(design, program):
        sizes = _sizes(design, program, symbolic=True)
        for order in host_schedules(program, design.host, sizes, cut.append):
            every += _with_fewest_cells(found, design, at_times(program, order), order)
    return min(every, key=lambda one: ram_of(design, one.program or program, one.mappings).bytes)


def _with_fewest_cells(
    found: Folded, design: Design, program: Program, order: HostOrder
) -> Iterator[HostPlan]:
    """The host plan in an order, every array in fewest cells; nothing where some array has none, or
    the order no C."""
    try:
        few = {one.name: fewest_cells(design, program, one) for one in program.planned_arrays()}
        own = {**found.mappings, **few}
        shaped = in_shape(design, program, own, {}, keeps_order=True)
        ram_of(design, program, {**own, **shaped.mappings})
    except (InputError, WorkLimitError):
        return
    yield _ordered(found, program, own, shaped, order)


def _may_have_an_order(design: Design, program: Program) -> bool:
    """True if C may have an order of its own."""
    host = design.host
    is_free = host.order == "auto" and host.objective != "plan" and not host.choice
    is_free = is_free and program.tile is None and not host.tiled
    return is_free and design.plan.schedules == GIVEN and program.kernel is not None


def _what_scalars_keep(program: Program, cut: Callable[[str], None]) -> tuple[str, ...]:
    """Remedy where scalars alone keep C in the source's order; nothing elsewhere.

    `cut` is called where that took too much work to be found.
    """
    try:
        kept = kept_by_scalars(program, _SCALARS)
    except WorkLimitError:
        cut("what scalars keep from moving")
        return ()
    if kept is None or kept.times < _WORTH_SAYING:
        return ()
    names = ", ".join(f"'{name}'" for name in kept.names)
    what = (
        f"C keeps the order of the source, as each iteration writes {names} anew: with an element"
        f" for each, loops would move and be vectors, {kept.times:.0f} times as fast by estimate"
    )
    remedy = "sum in the array that the result goes to (c[i][j] += ..), or in one of your own"
    return (str(Problem(what, remedy, program.arrays[kept.names[0]].source_location)),)


def _of_steps_apart(design: Design, program: Program, mappings: Cells) -> Shaped:
    """The cells of C where the plan's steps are none of its: those that are right for its order."""
    _refuse(design.host.choice, "C has fewest cells where it takes steps apart")
    wrong = [a for a in program.planned_arrays() if not _separates(mappings[a.name], program, a)]
    own = {**mappings, **{one.name: fewest_cells(design, program, one) for one in wrong}}
    plain = replace(design, host=replace(design.host, objective="plan"))
    return in_shape(plain, program, own, {})


def _at_its_times(
    found: Folded, design: Design, program: Program, order: HostOrder
) -> HostPlan | None:
    """The host plan with these times of its statements; None where some array has no cells."""
    moved, mappings = at_times(program, order), found.mappings
    own, known = dict(mappings), dict[str, MethodAnswers]()
    for array in moved.planned_arrays():
        room = _room(design, program, mappings[array.name], array)
        largest, _ = room.most[-1]
        # Below some size strips are whole rows; a mapping for large ones holds for all.
        far = new_queries(replace(moved, values=largest), array)
        answers = [
            replace(one, cells=cells_at(one, program.values))
            for one in far.answers(None, design.plan.budget)
            if one.certificate.is_complete
        ]
        known[array.name] = replace(
            new_queries(moved, array), mappings={one.method: one for one in answers}
        )
        fit = [one for one in answers if len(one.pieces) == 1 and room.has(one)]
        if not fit:
            return None
        own[array.name] = min(fit, key=partial(cells_at, values=largest))
    shaped = in_shape(design, moved, own, known, mappings, keeps_order=True)
    return _ordered(found, moved, own, shaped, order)


def _ordered(
    found: Folded, program: Program, mappings: Cells, shaped: Shaped, order: HostOrder
) -> HostPlan:
    """The C with these mappings in an order of its own."""
    return HostPlan(
        folded=found,
        program=program,
        mappings={**mappings, **shaped.mappings},
        cells=shaped.cells,
        notes=shaped.notes,
        order=order,
    )


def _refuse(choice: Values[str, HostChoice], reason: str) -> None:
    """Refuse all choices of a design. Raises InputError where there are any."""
    problems = Problems()
    for name, one in choice.items():
        problems.add(f"host.choice.{name}: {reason}", "leave it out", one.source_location)
    problems.raise_if_any()


def _in_the_workspace(
    found: HostLoops, cells: Values[str, HostCells], values: Values[str, int]
) -> dict[str, HostCells]:
    """The cells of each array with the byte of the workspace at which they start."""
    folds = (
        with_mapping(fold, cells[name].mapping, found.scale, values)
        for name, fold in found.folds.items()
    )
    at = workspace_starts(folds, values)
    return {name: replace(one, at=at.get(name)) for name, one in cells.items()}


def in_shape(
    design: Design,
    program: Program,
    mappings: Cells,
    known: Values[str, MethodAnswers] | None = None,
    beside: Cells | None = None,
    *,
    keeps_order: bool = False,
) -> Shaped:
    """Layout of the arrays in C; `program` has a time for every instance or step.

    `known` is what methods were asked for arrays of this very program; `beside` are the plan's
    mappings, which say how many cells C may have, where these are others. Where C `keeps_order`,
    no iteration becomes a step. Raises InputError for a choice that no mapping meets.
    """
    found = _walked(design, program, mappings, keeps_order=keeps_order)
    if known is None or found.program is not program:
        known = {}  # steps have conflicts of their own
    offers = {
        name: _offers(
            design,
            found,
            name,
            (beside or mappings)[name],
            known.get(name) or new_queries(found.program, found.program.arrays[name]),
        )
        for name in found.frames()
    }
    held = _for_all_sizes(found, mappings, offers)
    if held is not mappings:
        found = host_loops(design, found.program, held)
    sizes = _sizes(design, program, symbolic=found.scale.symbolic)
    cells, notes, problems = dict[str, HostCells](), dict[str, ArrayNotes](), Problems()
    for name, fold in found.folds.items():
        taken, shape, notes[name] = mappings[name], "pieces", ArrayNotes(score="1.00")
        if own := offers.get(name):
            question = Question(
                problem=own.problem,
                elements=found.elements[name],
                scale=found.scale,
                loops=own.loops,
                sizes=sizes,
                room=own.room,
            )
            every, choice = [held[name], *own.others], design.host.choice.get(name)
            try:
                taken, shape, notes[name] = chosen(question, every, choice)
            except InputError as error:
                problems.extend(error)
        size = fold.array.element.cell_bytes
        cells[name] = HostCells(mapping=taken, cell_bytes=size, at=None, shape=shape)
    problems.raise_if_any()
    placed = _in_the_workspace(found, cells, program.values)
    return Shaped(steps=found.program.order is Order.ITERATION, cells=placed, notes=notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """Layout of the arrays in C, with how that was chosen; an iteration is a step where it
    `steps`."""

    steps: bool
    cells: Values[str, HostCells]
    notes: Values[str, ArrayNotes]

    @property
    def mappings(self) -> Cells:
        return {name: one.mapping for name, one in self.cells.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offers:
    """The mappings that C may take for an array besides the plan's, right for its order.

    `room` says how many cells; None where the design fixes what is taken.
    """

    problem: StorageProblem
    loops: tuple[ShapedLoop, ...]
    others: tuple[StorageMapping, ...]
    room: Room | None


def _offers(
    design: Design, found: HostLoops, name: str, own: StorageMapping, queries: MethodAnswers
) -> _Offers:
    """Answers of methods for an array in C's order, where C may have cells of its own."""
    array = found.program.arrays[name]
    named = (one for one in found.loops if any(r.array == name for r in one.references))
    walked = () if design.host.tiled else tuple(named)
    choice = design.host.choice.get(name)
    others: list[StorageMapping] = []
    is_free = design.host.objective == "speed" and design.plan.schedules == GIVEN
    if choice is not None or (is_free and own.cells > 1 and walked):
        others = queries.answers(choice, design.plan.budget)
    return _Offers(
        problem=queries.problem,
        loops=walked,
        others=tuple(one for one in others if len(one.pieces) == 1),
        room=None if choice is not None else _room(design, found.program, own, array),
    )


def _for_all_sizes(found: HostLoops, mappings: Cells, offers: Values[str, _Offers]) -> Cells:
    """Mappings that hold for all parameters, where C may have them for all arrays.

    Else C holds at the plan's parameters alone, whatever it takes for some.
    """
    sure = dict(mappings)
    for name in found.folds:
        if sure[name].certificate.is_complete:
            continue
        own = offers.get(name)
        others = own.others if own is not None else ()
        fit = [
            one for one in others if own and one.certificate.is_complete and allows(own.room, one)
        ]
        if not fit:
            return mappings
        sure[name] = min(fit, key=lambda one: one.cells)
    return sure if sure != mappings else mappings


def _walked(design: Design, program: Program, mappings: Cells, *, keeps_order: bool) -> HostLoops:
    """The loops of C in the order in which they compute fewest remainders.

    Where a remainder would change within a loop, an iteration is a step: its reads come first, its
    values are locals, its stores come last, and so only meet reads of cells that die. A mapping
    that is right for instances one after the other is right for steps, as a value made and used
    within one needs no cell there.
    """
    given = host_loops(design, program, mappings)
    stays = design.host.tiled or program.order is Order.ITERATION or program.asks_data()
    bodies = [one.body for one in program.statements]
    # C tests elements that the program does not read: their test may always hold.
    stays = stays or any(isinstance(one, KernelBody) and bool(one.tests) for one in bodies)
    stays = stays or keeps_order
    if stays or not any(one.shape.pointers or one.shape.unshaped for one in given.loops):
        return given
    try:
        steps = host_loops(design, _in_steps(program), mappings)
    except InputError:
        return given  # a step has loops of its own, or writes two folded elements
    return steps if _figure(steps) <= _ALIKE * _figure(given) else given


def _figure(found: HostLoops) -> float:
    """The score of all loops, with cells numbered as they walk."""
    figure = 0.0
    for name, frame in found.frames().items():
        unit = unit_of(frame, found.loops, found.scale)
        (piece,) = found.mappings[name].pieces
        own = frame_of(name, piece, found.elements[name], found.scale, unit)
        size = found.folds[name].array.element.cell_bytes
        figure += score(own, found.loops, [found.scale.values], size)
    return figure


def _room(design: Design, program: Program, own: StorageMapping, array: Array) -> Room:
    """The most cells that C may take for an array, which has `own` in the plan."""
    sizes = _sizes(design, program, symbolic=own.certificate.is_complete)
    return room_of(own, array, sizes, design.host.extra_cells)


def _sizes(design: Design, program: Program, *, symbolic: bool) -> tuple[Values[str, int], ...]:
    """The values of the parameters that the score is summed over."""
    given = dict(program.values)
    if not symbolic:
        return (given,)
    if design.host.sizes:
        return tuple({**given, **size} for size in design.host.sizes)
    larger = {name: _LARGER * value for name, value in given.items()}
    fits = not fix_parameters(program.context, larger).is_empty()
    return (given, larger) if fits and larger != given else (given,)


def _serial(found: Folded) -> Program | None:
    """The program with a time of its own for every instance or step; None where there is no C.

    Instances of equal times, or of a step with loops of its own, run one after the other in C.
    Where that changes a value, or elements whose cells the plan shares then meet, only the cells
    are stated in C; so they are for a tile that is no function.
    """
    program, given = found.program, found.design.input
    if program is None or isinstance(given, ConflictInput):
        return None
    serial = in_the_order_of_c(given, program)
    if serial is program:
        return program
    serial = with_test(serial, program.source)
    right = same_values(program, serial) and all(
        _separates(found.mappings[array.name], serial, array) for array in program.planned_arrays()
    )
    return serial if right else None


def _separates(mapping: StorageMapping, program: Program, array: Array) -> bool:
    """True if a mapping is as valid for the program as its certificate says it is."""
    if len(mapping.pieces) != 1:
        return False
    found = prove(mapping.pieces[0], conflict_problem(program, array))
    if not isinstance(found, Certificate):
        return False
    return found.scope == mapping.certificate.scope or found.is_complete
