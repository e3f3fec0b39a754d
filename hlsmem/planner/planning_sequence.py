"""The sequence: reading, order, foldings, storage, hardware and C, plan; and what it tries.

What a design leaves to the plan is tried in turn: macros as parameters, then as the numbers that
they are; orders that keep less than the text's; streams that pass over instances that do not run,
then a beat for every instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from heapq import heappop, heappush
from itertools import islice

from hlsmem.core.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.plan import FoundOrder
from hlsmem.planner.array_folding import Analysed, Folded, Size, folded, with_formulas
from hlsmem.planner.hardware.conditional_cycles import runs_of
from hlsmem.planner.hardware.hardware_planning import hardware_of
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.planner.host.host_planning import HostPlan, host_of
from hlsmem.planner.parameter_streams import leaves_parameters, with_parameters
from hlsmem.planner.plan_assembly import Planning, planned
from hlsmem.planner.searched_order import Orders, orders_of
from hlsmem.planner.whole_accelerator import (
    Accelerated,
    check_built,
    memories_alone,
    with_datapath,
)
from hlsmem.polyhedra import PolyhedralError
from hlsmem.program.options import Design
from hlsmem.read.as_written import AS_WRITTEN
from hlsmem.read.design import changed, defined
from hlsmem.read.filter_conditions import beats_for_all, first_filter
from hlsmem.read.steps import kept_as_written
from hlsmem.storage.skipped_runs import CYCLES_ALLOWED, ENDS, is_full

_TEXT = 0
"""The number of the text's order."""
_MOST_PLANNED = 3
"""Orders of which hardware is planned."""
_LOOKS = 300_000
"""Looks at runs that are played for orders that are not the text's: about 1 s."""
_SAVED, _PAID = 4, 1.5
"""An order with so many times fewer bits may take so many times the cycles."""


def plan_design(design: Design) -> Planning:
    """The plan of a design: every array folded, its hardware with the cycles, and the C.

    Raises InputError where the program reads what nothing writes, a method that was asked for has
    no mapping, the streams cannot hold together, an interval that is asked for cannot be reached,
    or C is not available for what the design asks.
    """
    own = with_datapath(design)
    if own.processes and design.build == "auto":
        try:
            return _whole_plan(own)
        except (HlsmemError, PolyhedralError) as error:
            own = memories_alone(design, error)
    return _whole_plan(own)


def _whole_plan(own: Accelerated) -> Planning:
    """The plan with hardware and C of a design with the datapath that it has."""
    answer = _answer(own.design, with_host=True)
    if own.processes:
        check_built(own.design, answer.folded.program, answer.placement, own.processes)
    runs = runs_of(answer.folded, answer.placement)
    return planned(
        answer.folded,
        answer.placement,
        answer.host,
        runs=runs,
        notes=(*own.notes, *answer.notes),
        processes=own.processes,
    )


def plan_hardware(design: Design) -> Planning:
    """The same without the C, which takes a search of its own, and without runs that skip."""
    answer = _answer(design, with_host=False)
    return planned(answer.folded, answer.placement, notes=answer.notes)


def settled(design: Design) -> Design:
    """The design as it is planned: what it leaves to the plan is decided.

    Raises as `plan_hardware`.
    """
    is_open = design.numbers is not None or design.plan.search.wanted
    if is_open or _leaves_control(design) or leaves_parameters(design):
        return _answer(design, with_host=False).folded.design
    return design


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Size of the storage of an order, branch FIFOs too, and the cycles of its run.

    `cycles` is None where there is no Verilog. `missed` are the cycles between steps where a source
    asks for fewer, else 0.
    """

    held: Size
    cycles: int | None
    missed: float = 0


def is_better(found: Figures, text: Figures, objective: str) -> bool:
    """True if an order takes the place of the text's.

    Where it is better than what no plan in the text's order undercuts, it is better than any.
    """
    if found.held >= text.held:
        return False
    if found.cycles is None or text.cycles is None:
        return text.cycles is None
    if objective == "words":
        return True
    if found.missed > text.missed:
        return False
    if found.cycles <= CYCLES_ALLOWED * text.cycles + ENDS:
        return True
    pays = _SAVED * found.held[1] <= text.held[1] and found.cycles <= _PAID * text.cycles
    return pays and objective != "cycles"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """One way to plan a design; `notes` say why it is taken in place of another."""

    folded: Folded
    placement: Placement
    host: HostPlan | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def cycles(self) -> int | None:
        timing = self.placement.timing
        return None if timing is None else timing.cycles

    @property
    def figures(self) -> Figures:
        makes_blocks_small = self.folded.design.plan.objective == "blocks"
        blocks = self.placement.resources.blocks if makes_blocks_small else 0
        held = (blocks, self.placement.bits)
        return Figures(held=held, cycles=self.cycles, missed=self.placement.missed)

    def beside(self, text: _Answer) -> _Answer:
        """The same, which says how many cycles the text's order takes."""
        order = self.folded.order
        assert order is not None
        own = replace(self.folded, order=replace(order, cycles=text.cycles))
        return replace(self, folded=own)

    def told(self, *notes: Problem) -> _Answer:
        """The same with further notes."""
        return replace(self, notes=(*self.notes, *notes))


def _answer(design: Design, *, with_host: bool) -> _Answer:
    """The plan of a design; where its steps and streams are defaults that are refused, of its
    loops and parameters as written, and a note says so.

    Raises what is refused of these.
    """
    try:
        return _first(design, (), with_host=with_host)
    except (InputError, LimitError) as error:
        written = _as_written(design)
        if written is None:
            raise
        notes = (kept_as_written(error.problems[0]),)
    return _first(written, notes, with_host=with_host)


def _first(design: Design, notes: tuple[Problem, ...], *, with_host: bool) -> _Answer:
    """The first reading of a design that is not refused; a note says why others are.

    What is refused in each reading is told of the last.
    """
    own = _noted(design, notes)
    try:
        found = _hardware(own)
        return _with_c(found, own) if with_host else found
    except (InputError, LimitError) as error:
        if design.numbers is None:
            raise
        notes = (*notes, _kept(design, error))
    return _first(defined(design.numbers), notes, with_host=with_host)


def _as_written(design: Design) -> Design | None:
    """The design with loops and parameters as written; None where it has them so."""
    defaults = () if design.kernel is None else design.kernel.defaults
    keys = [one.partition("=")[0] for one in defaults]
    kept = [one for one in AS_WRITTEN if one.partition("=")[0] in keys and one not in defaults]
    return changed(design, kept) if kept else None


def _with_c(found: _Answer, design: Design) -> _Answer:
    """The same with its C; in the order of the text where one that was found has no C."""
    try:
        return replace(found, host=host_of(found.folded))
    except InputError as error:
        if found.folded.order is None:
            raise
        first = error.problems[0]
    text = _hardware(changed(design, ("schedule=text",)))
    what = f"the text's order is kept: in one that takes fewer bits, {first.what}"
    why = Problem(what, first.remedy, first.source_location, first.notes)
    return replace(text, host=host_of(text.folded)).told(why)


def _hardware(design: Design) -> _Answer:
    """The answer without C, with what no comparison of orders needs."""
    found = _controlled(design)
    return replace(found, folded=with_formulas(found.folded))


def _controlled(design: Design) -> _Answer:
    """The better of streams that pass over instances and of beats for all, where that is left to
    the plan; the second where the first is refused."""
    if not _leaves_control(design):
        return _ordered(design)
    try:
        return _better_control(_ordered(design))
    except InputError as error:
        notes = (beats_for_all(error.problems[0]),)
        return _ordered(_noted(_with_all_beats(design), notes))


def _ordered(design: Design) -> _Answer:
    """The design in the order in which its storage takes fewest bits, where that does not cost
    more cycles than they are worth; else in the order of its text.

    An order is compared with what no plan in the text's undercuts, then with such a plan: most
    often one order alone is planned, at most `_MOST_PLANNED` are.
    """
    text = with_parameters(design)
    orders = orders_of(text, design)
    choices = (text, *_legal(orders, text))
    folding = cache(lambda number: folded(choices[number]))
    own = cache(lambda: _built(folding(_TEXT)))
    notes = () if orders.remark is None else (orders.remark,)
    left = _LOOKS
    for number in islice(_fewest_bits_first(choices, folding), _MOST_PLANNED - 1):
        if left <= 0:
            break
        if number == _TEXT:
            notes = notes or (() if orders.best is None else (orders.best,))
            break
        try:
            found = _built(folding(number), left)
        except InputError:
            continue
        left -= 0 if found.placement.chosen is None else found.placement.chosen.lookups
        least = Figures(held=text.least, cycles=found.placement.longest)
        if is_better(found.figures, least, design.plan.objective):
            return found.told(*notes)
        if is_better(found.figures, own().figures, design.plan.objective):
            return found.beside(own()).told(*notes)
        if found.cycles is not None and found.figures.held < own().figures.held:
            notes = (*notes, _not_taken(found.figures, own().figures))
    return own().told(*notes)


def _not_taken(found: Figures, text: Figures) -> Problem:
    """Remark that an order takes fewer bits, and why it is not taken."""
    return Problem(
        f"the text's order is kept: another takes {_shown(found)}, and this one {_shown(text)}",
        "plan.objective: words takes the fewest bits",
    )


def _shown(one: Figures) -> str:
    return f"{counted(one.held[1], 'bit')} in {counted(one.cycles or 0, 'cycle')}"


def _legal(orders: Orders, text: Analysed) -> Iterator[Analysed]:
    """The other orders, analysed; one that breaks a dependence, or is too complicated, is none."""
    for design, what in orders.others:
        try:
            yield with_parameters(design, FoundOrder(what=what, bits=text.least[1]))
        except (InputError, LimitError):
            continue


def _fewest_bits_first(
    orders: Sequence[Analysed], folding: Callable[[int], Folded]
) -> Iterator[int]:
    """The numbers of orders by what their foldings take; of equal ones the first comes first.

    An order is folded when what it takes at least is less than what one that is folded takes. One
    that cannot be folded is left out, unless it is the first.
    """
    left = sorted(range(len(orders)), key=lambda number: orders[number].least)
    done: list[tuple[Size, int]] = []
    while left or done:
        while left and (not done or (orders[left[0]].least, left[0]) < done[0]):
            number = left.pop(0)
            try:
                heappush(done, (folding(number).size, number))
            except (InputError, LimitError):
                if number == _TEXT:
                    raise
        if done:
            yield heappop(done)[-1]


def _built(found: Folded, lookups: int | None = None) -> _Answer:
    return _Answer(folded=found, placement=hardware_of(found, lookups))


def _better_control(skipping: _Answer) -> _Answer:
    """Streams that pass over instances, unless a beat for each takes fewer cycles, or they have no
    hardware.

    Where they have to wait, but not longer, a note says what a beat for every instance takes.
    """
    design = skipping.folded.design
    given, chosen = design.program, skipping.placement.chosen
    assert given is not None
    if chosen is not None and is_full(chosen.prediction):
        return skipping
    try:
        alike = with_parameters(_with_all_beats(design), skipping.folded.order)
        whole = replace(_built(folded(alike)), notes=skipping.notes)
    except (InputError, LimitError):
        return skipping
    if whole.placement.chosen is None:
        return skipping
    place = first_filter(given.statements).source_location
    if chosen is None:
        timing = skipping.placement.timing
        why = timing.reason if timing is not None else None
        return whole.told(beats_for_all(Problem(why or "no Verilog", "", place)))
    most, least = skipping.cycles, whole.cycles
    if most is None or least is None:
        return skipping
    if most > CYCLES_ALLOWED * least + ENDS:
        why = f"{least} cycles; passing over those that do not run takes up to {most}"
        remedy = "plan.control: skip does so all the same"
        return whole.told(beats_for_all(Problem(why, remedy, place)))
    if most <= least:
        return skipping
    what = f"at most {most} cycles; with a beat for every instance (predicate) it is {least}"
    what = f"streams pass over instances that do not run (plan.control: skip): {what}"
    return skipping.told(Problem(what, "plan.control says which to take", place))


def _leaves_control(design: Design) -> bool:
    skips = design.program is not None and design.program.skips
    return design.plan.control == "auto" and skips


def _with_all_beats(design: Design) -> Design:
    """The same design with a beat for every instance."""
    keeps_numbers = design.macros_as_parameters and design.numbers is None
    numbers = ("kernel.macros=numbers",) if keeps_numbers else ()
    return changed(design, ("plan.control=predicate", *numbers))


def _kept(design: Design, error: HlsmemError) -> Problem:
    """Why macros keep their numbers."""
    assert design.numbers is not None
    names = [name for name in design.input.values if name not in design.numbers.input.values]
    listed = ", ".join(f"'{name}'" for name in names)
    first = error.problems[0]
    is_one = len(names) == 1
    macros = f"the macro {listed} keeps its" if is_one else f"the macros {listed} keep their"
    what = f"{macros} number{'' if is_one else 's'}: with any other, {first.what}"
    return Problem(
        what, "--set kernel.macros=numbers does not try", first.source_location, first.notes
    )


def _noted(design: Design, notes: tuple[Problem, ...]) -> Design:
    """The design of a program with further remarks."""
    given = design.program
    if not notes or given is None:
        return design
    return replace(design, input=replace(given, notes=(*given.notes, *notes)))
