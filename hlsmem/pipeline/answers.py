"""The sequence: reading, order, foldings, storage, hardware and C, plan; and what it tries.

What a design leaves to the plan is tried in turn: macros as parameters, then as the numbers that
they are; streams that pass over instances that do not run, then a beat for every instance.
"""

from __future__ import annotations

from dataclasses import replace

from hlsmem.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.options import Design
from hlsmem.pipeline.folding import Folded, folded_in_order
from hlsmem.pipeline.hardware import hardware_of
from hlsmem.pipeline.host import HostPlan, host_of
from hlsmem.pipeline.placement import Placement
from hlsmem.pipeline.plan import Planning, planned
from hlsmem.pipeline.runs import runs_of
from hlsmem.program import Program
from hlsmem.read.conditions import beats_for_all, first_filter
from hlsmem.read.design import changed
from hlsmem.storage.runs import CYCLES_ALLOWED, ENDS, is_full
from hlsmem.values import dataclass


def plan_design(design: Design) -> Planning:
    """The plan of a design: every array folded, its hardware with the cycles, and the C.

    Raises InputError where the program reads what nothing writes, a method that was asked for has
    no mapping, the streams cannot hold together, an interval that is asked for cannot be reached,
    or C is not available for what the design asks.
    """
    answer = _answer(design, with_host=True)
    runs = runs_of(answer.folded, answer.placement)
    return planned(answer.folded, answer.placement, answer.host, runs=runs, notes=answer.notes)


def plan_hardware(design: Design) -> Planning:
    """The same without the C, which takes a search of its own, and without runs that skip."""
    answer = _answer(design, with_host=False)
    return planned(answer.folded, answer.placement, notes=answer.notes)


def settled(design: Design) -> Design:
    """The design as it is planned: what it leaves to the plan is decided.

    Raises as `plan_hardware`.
    """
    is_open = design.numbers is not None or _leaves_control(design) or design.plan.search.wanted
    return _answer(design, with_host=False).folded.design if is_open else design


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


def _answer(design: Design, *, with_host: bool) -> _Answer:
    """The first reading of a design that is not refused; a note says why others are.

    What is refused in each reading is told of the last.
    """
    readings = (design,) if design.numbers is None else (design, design.numbers)
    notes: tuple[Problem, ...] = ()
    for reading in readings:
        try:
            return _controlled(_noted(reading, notes), with_host=with_host)
        except (InputError, LimitError) as error:
            if reading is readings[-1]:
                raise
            notes = (_kept(design, error),)
    raise AssertionError("a design has a reading")


def _controlled(design: Design, *, with_host: bool) -> _Answer:
    """The better of streams that pass over instances and of beats for all, where that is left to
    the plan; the second where the first is refused."""
    if not _leaves_control(design):
        return _made(design, with_host=with_host)
    try:
        found = _better_control(design, _made(design, with_host=False))
        return replace(found, host=host_of(found.folded)) if with_host else found
    except InputError as error:
        notes = (beats_for_all(error.problems[0]),)
        return _made(_noted(_with_all_beats(design), notes), with_host=with_host)


def _made(design: Design, *, with_host: bool) -> _Answer:
    """A design with nothing left open, planned."""
    found = folded_in_order(design)
    placement = hardware_of(found)
    host = host_of(found) if with_host else None
    return _Answer(folded=found, placement=placement, host=host)


def _better_control(design: Design, skipping: _Answer) -> _Answer:
    """Streams that pass over instances, unless a beat for each takes fewer cycles, or they have no
    hardware.

    Where they have to wait, but not longer, a note says what a beat for every instance takes.
    """
    given, chosen = design.input, skipping.placement.chosen
    assert isinstance(given, Program)
    if chosen is not None and is_full(chosen.prediction):
        return skipping
    try:
        whole = _made(_with_all_beats(design), with_host=False)
    except (InputError, LimitError):
        return skipping
    if whole.placement.chosen is None:
        return skipping
    place = first_filter(given.statements).place
    if chosen is None:
        timing = skipping.placement.timing
        why = timing.reason if timing is not None else None
        return replace(whole, notes=(beats_for_all(Problem(why or "no Verilog", "", place)),))
    most, least = skipping.cycles, whole.cycles
    if most is None or least is None:
        return skipping
    if most > CYCLES_ALLOWED * least + ENDS:
        why = f"{least} cycles; passing over those that do not run takes up to {most}"
        remedy = "plan.control: skip does so all the same"
        return replace(whole, notes=(beats_for_all(Problem(why, remedy, place)),))
    if most <= least:
        return skipping
    what = "streams pass over instances that do not run (plan.control: skip): at most"
    what += f" {most} cycles; with a beat for every instance (predicate) it is {least}"
    return replace(skipping, notes=(Problem(what, "plan.control says which to take", place),))


def _leaves_control(design: Design) -> bool:
    given = design.input
    return design.plan.control == "auto" and isinstance(given, Program) and given.skips


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
    macros, keep = ("the macro", "keeps its number") if len(names) == 1 else ("the macros", _KEEP)
    first = error.problems[0]
    what = f"{macros} {listed} {keep}: with any other, {first.what}"
    return Problem(what, "--set kernel.macros=numbers does not try", first.place, first.notes)


_KEEP = "keep their numbers"


def _noted(design: Design, notes: tuple[Problem, ...]) -> Design:
    """The design of a program with further remarks."""
    given = design.input
    if not notes or not isinstance(given, Program):
        return design
    return replace(design, input=replace(given, notes=(*given.notes, *notes)))
