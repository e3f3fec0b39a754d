"""The order and the cells of the host C: the plan's, numbered as its loops walk, or its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as Values
from dataclasses import field, replace
from functools import partial

from hlsmem.classes import GIVEN
from hlsmem.emit.c import (
    Cells,
    HostLoops,
    host_loops,
    ram_of,
    why_no_tile,
    with_mapping,
    workspace_starts,
)
from hlsmem.errors import InputError, Problem, Problems
from hlsmem.lifetime.analysis import conflict_problem
from hlsmem.lifetime.problem import StorageProblem
from hlsmem.mapping.certificate import prove
from hlsmem.mapping.model import Certificate, Mapping
from hlsmem.options import Design, HostChoice
from hlsmem.order.arrangement import arranged_within, in_the_order_of_c
from hlsmem.order.legality import same_values
from hlsmem.order.overlap import with_test
from hlsmem.order.serial import without_steps
from hlsmem.order.streams import lengthened
from hlsmem.orders.distribution import STRIP
from hlsmem.orders.scalars import kept_by_scalars
from hlsmem.pipeline.asked import ANY, Asked, as_planned, newly_asked
from hlsmem.pipeline.folding import Folded, operations_of
from hlsmem.pipeline.own_order import at_times, own_orders, refused_tiles
from hlsmem.planfile import ArrayNotes, HostCandidate, HostCells, HostOrder
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import Array, ConflictInput, KernelBody, Order, Program, Statement
from hlsmem.quantity import Quantity
from hlsmem.shape.choice import Candidate, Question, best, candidates
from hlsmem.shape.frame import frame_of, renumbered
from hlsmem.shape.loop import ShapedLoop
from hlsmem.shape.score import score
from hlsmem.shape.units import unit_of
from hlsmem.values import dataclass
from hlsmem.wording import counted, listed

_ALIKE = 1.05
"""Steps are taken where their loops score at most so much more: their stores come last."""
_OPERATIONS = 4_000_000
"""Operations of isl that cells for an order of C's own may take."""
_SCALARS = 2_000_000
"""Operations of isl that may go into what scalars keep from moving."""
_WORTH_SAYING = 2.0
"""What would be fewer times as fast is not told."""
_LARGER = 16
"""The sizes of the score are the plan's and so many times them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """The C of the whole: its program in the order in which it runs, and the mapping of each array.

    `folded` is the plan's folding as far as C follows it. `program` and `order` are None where
    there are only cells, for a reason that `why_not` may say. `cells` are those of the arrays,
    with `notes` on how they were chosen; `remarks` say what would help where C keeps the order of
    the source, and what was not looked for to its end.
    """

    folded: Folded
    program: Program | None
    mappings: Cells
    cells: Values[str, HostCells] = field(default_factory=dict)
    notes: Values[str, ArrayNotes] = field(default_factory=dict)
    order: HostOrder | None = None
    remarks: tuple[str, ...] = ()
    why_not: str = ""


def host_of(found: Folded) -> HostPlan:
    """The C of a folding.

    Nothing but host C and the documents of a plan read it. C has the plan's mappings, renumbered
    where its loops then walk over neighbours, or its own where `host.objective` is speed. Those of
    a class keep the plan's, as do programs that C puts into an order for want of one; with tiles,
    which run over other rows, also its numbers. Raises InputError where `host.objective` is speed
    for what host C is not available for, and for a choice that no mapping meets.
    """
    found = _in_c(found)
    design, mappings = found.design, found.mappings
    why_not = _why_no_tile(found)
    program = None if why_not else _serial(found)
    if program is None or found.is_outside_of_its_class:
        _refuse(design.host.choice, "there is no C of the whole with the plan's cells")
        return HostPlan(
            folded=found, program=_in_order(program), mappings=mappings, why_not=why_not
        )
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
    cut: list[str] = []
    own = _in_its_own_order(found, design, program, cut.append)
    kept = _what_scalars_keep(design, program, cut.append) if own is None else ()
    remarks = (*([_cut_short(cut)] if cut else ()), *kept)
    if own is not None:
        return replace(own, remarks=remarks)
    if problems := refused_tiles(design.host):
        raise InputError(*problems)
    cells = in_shape(design, program, mappings, as_planned(found))
    return replace(_made(found, program, cells), remarks=remarks)


def _in_c(found: Folded) -> Folded:
    """The folding as C follows it: without parameters that are streams of the hardware alone."""
    given = found.design.input
    if not isinstance(given, Program):
        return found
    if given.in_c is given:
        return replace(found, analysed=replace(found.analysed, program=_tested(found.program)))
    design = replace(found.design, input=given.in_c)
    program = arranged_within(operations_of(design), given.in_c)
    if found.program is not None:  # moments of both are in the times of the plan
        more = found.program.time_dimensions - program.time_dimensions
        program = lengthened(program, more)
    planned = {one.name for one in program.planned_arrays()}
    problems = tuple(one for one in found.problems if one.array.name in planned)
    choices = {name: one for name, one in found.choices.items() if name in planned}
    own = replace(found.analysed, design=design, program=_tested(program), problems=problems)
    return replace(found, analysed=own, choices=choices)


def _tested(program: Program | None) -> Program | None:
    """The program with the test of arguments that its order needs."""
    return None if program is None else with_test(program, program.source)


def _cut_short(searches: Sequence[str]) -> str:
    """That some searches for an order of C's own ended before they were through."""
    found = listed(list(dict.fromkeys(searches)))
    what = f"C has the best order found within the budget, else the source's: {found} took more"
    return str(Problem(what, "host.order: given leaves the search out"))


def _made(found: Folded, program: Program, shaped: Shaped) -> HostPlan:
    """The C with these cells in the given order, an iteration as a step where all are so."""
    return HostPlan(
        folded=found,
        program=_in_order(program, by_steps=shaped.steps),
        mappings={**found.mappings, **shaped.mappings},
        cells=shaped.cells,
        notes=shaped.notes,
        order=HostOrder(steps=shaped.steps),
    )


def _in_order(program: Program | None, *, by_steps: bool = False) -> Program | None:
    """The program as C runs it in the given order."""
    if program is None:
        return None
    return without_steps(_in_steps(program) if by_steps else program)


def _in_steps(program: Program) -> Program:
    """The program with an iteration as a step."""
    return with_test(replace(program, order=Order.ITERATION), program.source)


def _in_its_own_order(
    found: Folded, design: Design, program: Program, cut: Callable[[str], None]
) -> HostPlan | None:
    """What C has in an order that more of its loops are vectors in; None where it keeps the given.

    Every array has a mapping that is right for that order, holds for as many sizes as the plan's,
    and takes no more cells than C may. `cut` is called with what took too much work to be found.
    """
    host = design.host
    if not _may_have_an_order(design, program):
        return None
    sizes = _sizes(design, program, symbolic=True)

    def planned(order: HostOrder) -> HostPlan | None:
        try:
            return within(_OPERATIONS, lambda _: _at_its_times(found, design, program, order))
        except WorkLimitError:
            cut("cells for it")
        except InputError:  # state, say, goes with no order in which arguments must lie apart
            pass
        return None

    made = map(planned, own_orders(program, host, sizes, cut))
    return next((one for one in made if one is not None), None)


def _of_fewest_bytes(found: Folded, design: Design, program: Program) -> HostPlan:
    """What C has in the order, and with the cells, in which all that it keeps takes fewest bytes;
    of equal ones in the order of the plan, then by steps."""
    _refuse(design.host.choice, "C has fewest cells where its bytes are made few")
    given = _made(found, program, in_shape(design, program, found.mappings, as_planned(found)))
    every, cut = [given], list[str]()
    if program.order is not Order.ITERATION and not program.asks_data():
        every += _with_fewest_cells(found, design, _in_steps(program), HostOrder(steps=True))
    if _may_have_an_order(design, program):
        sizes = _sizes(design, program, symbolic=True)
        for order in own_orders(program, design.host, sizes, cut.append):
            moved = at_times(program, order)
            every += _with_fewest_cells(found, design, moved, order)
    return min(every, key=lambda one: _bytes_of(design, one))


def _bytes_of(design: Design, one: HostPlan) -> int:
    assert one.program is not None
    return ram_of(design, one.program, one.mappings).bytes


def _with_fewest_cells(
    found: Folded, design: Design, program: Program, order: HostOrder
) -> Iterator[HostPlan]:
    """What C has in an order, every array in fewest cells; nothing where some array has none, or
    the order no C. Mappings that hold at the plan's sizes alone give way to those for all."""
    own = dict(found.mappings)
    try:
        for array in program.planned_arrays():
            answers = newly_asked(program, array).answers(None, design.plan.budget)
            fit = [one for one in answers if len(one.pieces) == 1]
            if not fit:
                return
            own[array.name] = min(fit, key=lambda one: (not one.certificate.is_complete, one.cells))
        shaped = in_shape(design, program, own, {}, keeps_order=True)
        ram_of(design, program, {**own, **shaped.mappings})
    except (InputError, WorkLimitError):
        return
    yield _ordered(found, program, own, shaped, order)


def _may_have_an_order(design: Design, program: Program) -> bool:
    """Whether C may have an order of its own."""
    host = design.host
    is_free = host.order == "auto" and host.objective != "plan" and not host.choice
    is_free = is_free and program.tile is None and not host.tiled
    return is_free and design.plan.schedules == GIVEN and program.kernel is not None


def _what_scalars_keep(
    design: Design, program: Program, cut: Callable[[str], None]
) -> tuple[str, ...]:
    """What to write where scalars are all that keeps C in the source's order; nothing elsewhere.

    `cut` is called where that took too much work to be found.
    """
    if not _may_have_an_order(design, program):
        return ()
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
    return (str(Problem(what, remedy, program.arrays[kept.names[0]].place)),)


def _of_steps_apart(design: Design, program: Program, mappings: Cells) -> Shaped:
    """The cells of C where the plan's steps are none of its: those that are right for its order."""
    _refuse(design.host.choice, "C has fewest cells where it takes steps apart")
    own = dict(mappings)
    for array in program.planned_arrays():
        if not _separates(own[array.name], program, array):
            answers = newly_asked(program, array).answers(None, design.plan.budget)
            own[array.name] = min(
                answers, key=lambda one: (not one.certificate.is_complete, one.cells)
            )
    plain = replace(design, host=replace(design.host, objective="plan"))
    return in_shape(plain, program, own, {})


def _at_its_times(
    found: Folded, design: Design, program: Program, order: HostOrder
) -> HostPlan | None:
    """What C has with these times of its statements; None where it has no cells for some array."""
    moved, mappings = at_times(program, order), found.mappings
    own, known = dict(mappings), dict[str, Asked]()
    for array in moved.planned_arrays():
        room = _room(design, program, mappings[array.name], array)
        largest, _ = room.most[-1]
        # Below some size strips are whole rows; a mapping for large ones holds for all.
        far = newly_asked(replace(moved, values=largest), array)
        answers = [
            replace(one, cells=_cells_at(one, program.values))
            for one in far.answers(None, design.plan.budget)
            if one.certificate.is_complete
        ]
        known[array.name] = replace(
            newly_asked(moved, array), mappings={one.method: one for one in answers}
        )
        fit = [one for one in answers if len(one.pieces) == 1 and room.has(one)]
        if not fit:
            return None
        own[array.name] = min(fit, key=partial(_cells_at, values=largest))
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
    problems = [
        Problem(f"host.choice.{name}: {reason}", "leave it out", one.place)
        for name, one in choice.items()
    ]
    if problems:
        raise InputError(*problems)


def in_shape(
    design: Design,
    program: Program,
    mappings: Cells,
    known: Values[str, Asked] | None = None,
    beside: Cells | None = None,
    *,
    keeps_order: bool = False,
) -> Shaped:
    """What C makes of the arrays; `program` has a time for every instance or step.

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
            known.get(name) or newly_asked(found.program, found.program.arrays[name]),
        )
        for name in found.frames()
    }
    held = _for_all_sizes(found, mappings, offers)
    if held is not mappings:
        found = host_loops(design, found.program, held)
    sizes = _sizes(design, program, symbolic=found.scale.symbolic)
    taken, problems = dict[str, _Taken](), Problems()
    for name in found.folds:
        if name not in offers:
            taken[name] = _Taken(mapping=mappings[name])
            continue
        every = [held[name], *offers[name].others]
        try:
            taken[name] = _taken(design, found, sizes, offers[name], every)
        except InputError as error:
            problems.extend(error)
    problems.raise_if_any()
    at = workspace_starts(
        (
            with_mapping(fold, taken[name].mapping, found.scale, program.values)
            for name, fold in found.folds.items()
        ),
        program.values,
    )
    return Shaped(
        steps=found.program.order is Order.ITERATION,
        cells={
            name: HostCells(
                mapping=one.mapping,
                cell_bytes=program.arrays[name].element.cell_bytes,
                at=at.get(name),
                shape=one.shape,
            )
            for name, one in taken.items()
        },
        notes={
            name: ArrayNotes(
                score=one.score, front=one.front, way_out=one.way_out, is_given=one.is_given
            )
            for name, one in taken.items()
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """What C makes of the arrays, with how that was chosen; an iteration is a step where it
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
    others: tuple[Mapping, ...]
    room: _Room | None

    def within(self, mapping: Mapping) -> bool:
        return self.room is None or (mapping.cells > 1 and self.room.has(mapping))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The most cells that C may have for an array, at each of the sizes that it is scored at."""

    most: tuple[tuple[Values[str, int], int], ...]

    def has(self, mapping: Mapping) -> bool:
        return all(_cells_at(mapping, values) <= most for values, most in self.most)


def _cells_at(mapping: Mapping, values: Values[str, int]) -> int:
    return sum(piece.cells().evaluate(values) for piece in mapping.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What C takes for an array: as in `HostCells` and `ArrayNotes`."""

    mapping: Mapping
    shape: str = "pieces"
    score: str = "1.00"
    front: tuple[HostCandidate, ...] = ()
    way_out: HostCandidate | None = None
    is_given: bool = False


def _offers(design: Design, found: HostLoops, name: str, own: Mapping, asked: Asked) -> _Offers:
    """What methods answer for an array in C's order, where C may have cells of its own."""
    array = found.program.arrays[name]
    named = (one for one in found.loops if any(r.array == name for r in one.references))
    walked = () if design.host.tiled else tuple(named)
    choice = design.host.choice.get(name)
    others: list[Mapping] = []
    is_free = design.host.objective == "speed" and design.plan.schedules == GIVEN
    if choice is not None or (is_free and own.cells > 1 and walked):
        others = asked.answers(choice, design.plan.budget)
    return _Offers(
        problem=asked.problem,
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
        fit = [one for one in others if own and one.certificate.is_complete and own.within(one)]
        if not fit:
            return mappings
        sure[name] = min(fit, key=lambda one: one.cells)
    return sure if sure != mappings else mappings


def _taken(
    design: Design,
    found: HostLoops,
    sizes: Sequence[Values[str, int]],
    offers: _Offers,
    mappings: Sequence[Mapping],
) -> _Taken:
    """The plan's mapping as C's loops walk it, or a faster one where that is asked for.

    Where all mappings of C hold for all parameters, so does this.
    """
    array = offers.problem.array
    question = Question(
        problem=offers.problem,
        elements=found.elements[array.name],
        scale=found.scale,
        loops=offers.loops,
        sizes=sizes,
    )
    given, *others = mappings
    sure = [
        one for one in others if one.certificate.is_complete or not given.certificate.is_complete
    ]
    every = candidates(question, [given, *sure])
    choice = design.host.choice.get(array.name)
    if choice is not None:
        allowed = [one for one in every if _meets(one, choice)]
        if not allowed:
            raise InputError(_unmet(array.name, choice, every))
    else:
        allowed = [one for one in every if one is every[0] or offers.within(one.mapping)]
    chosen = best(allowed)
    taken = _listed(chosen.taken, allowed)
    return _Taken(
        mapping=renumbered(chosen.taken.mapping, chosen.taken.frame, found.scale),
        shape=taken.shape,
        score=taken.score,
        front=tuple(_listed(one, allowed) for one in chosen.front) if len(mappings) > 1 else (),
        way_out=_way_out(chosen.taken, every),
        is_given=choice is not None,
    )


def _meets(one: Candidate, choice: HostChoice) -> bool:
    method = choice.method in (None, ANY, one.mapping.method)
    return method and choice.shape in (None, one.shape)


def _unmet(array: str, choice: HostChoice, every: Sequence[Candidate]) -> Problem:
    """That no mapping is what the design chooses, and which there are."""
    named = choice.method not in (None, ANY)
    wanted = [f"by {choice.method}"] if named else []
    wanted += [f"with loops as {choice.shape}"] if choice.shape else []
    there = ", ".join(
        dict.fromkeys(
            f"{one.mapping.method} {counted(one.mapping.cells, 'cell')}, {one.shape}"
            for one in every
        )
    )
    return Problem(
        f"host.choice.{array}: no mapping {' '.join(wanted)} is right for C's order",
        f"there are: {there}",
        choice.place,
    )


def _way_out(taken: Candidate, every: Sequence[Candidate]) -> HostCandidate | None:
    """The mapping of fewest cells that holds for all parameters, where the one taken does not."""
    if taken.mapping.certificate.is_complete:
        return None
    sure = [one for one in every if one.mapping.certificate.is_complete]
    return _listed(min(sure, key=lambda one: one.mapping.cells), every) if sure else None


def _tests(statement: Statement) -> bool:
    """Whether C tests elements that the program does not read: their test may always hold."""
    return isinstance(statement.body, KernelBody) and bool(statement.body.tests)


def _walked(design: Design, program: Program, mappings: Cells, *, keeps_order: bool) -> HostLoops:
    """The loops of C in the order in which they compute fewest remainders.

    Where a remainder would change within a loop, an iteration is a step: its reads come first, its
    values are locals, its stores come last, and so only meet reads of cells that die. A mapping
    that is right for instances one after the other is right for steps, as a value made and used
    within one needs no cell there.
    """
    given = host_loops(design, program, mappings)
    stays = design.host.tiled or program.order is Order.ITERATION or program.asks_data()
    stays = stays or keeps_order or any(map(_tests, program.statements))
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


def _listed(one: Candidate, every: Sequence[Candidate]) -> HostCandidate:
    """A candidate with its score beside the least of all."""
    least = min(other.figure for other in every) or 1.0
    return HostCandidate(
        method=one.mapping.method,
        cells=one.mapping.cells,
        shape=one.shape,
        score=f"{one.figure / least:.2f}",
    )


def _room(design: Design, program: Program, own: Mapping, array: Array) -> _Room:
    """The most cells that C may take: some percent more than the plan, or one row more, but no
    more than the array has elements.

    An array of one dimension has no rows: what two strips hold takes their place.
    """
    sure = own.certificate.is_complete
    found = []
    for values in _sizes(design, program, symbolic=sure):
        cells = _cells_at(own, values)
        row = array.extents[-1].evaluate(values) if array.extents else 0
        if len(array.index) < 2:
            row = min(row, 2 * STRIP)
        more = cells + max(cells * design.host.extra_cells // 100, row)
        declared = Quantity.product(array.extents).evaluate(values) if array.extents else more
        found.append((values, min(more, max(cells, declared))))
    return _Room(most=tuple(found))


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


def _why_no_tile(found: Folded) -> str:
    """Why C has the cells of a tile alone, and no function; "" where that is not so."""
    program = found.program
    if program is None or program.tile is None:
        return ""
    return why_no_tile(found.design, program, found.mappings)


def _separates(mapping: Mapping, program: Program, array: Array) -> bool:
    """Whether a mapping is as valid for the program as its certificate says it is."""
    if len(mapping.pieces) != 1:
        return False
    found = prove(mapping.pieces[0], conflict_problem(program, array))
    if not isinstance(found, Certificate):
        return False
    return found.scope == mapping.certificate.scope or found.is_complete
