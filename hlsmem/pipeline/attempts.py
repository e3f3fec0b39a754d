"""What a design leaves to the plan, tried: macros as parameters, streams that pass over instances.

Where that is refused, the macros are the numbers that they are, and every instance has its beats;
so it has where passing over instances takes more cycles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from hlsmem.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.options import Design
from hlsmem.pipeline.storage import Planning
from hlsmem.program import Program
from hlsmem.read.conditions import beats_for_all, first_filter
from hlsmem.read.design import changed
from hlsmem.storage.runs import CYCLES_ALLOWED, ENDS, is_full

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Step = Callable[Concatenate[Design, _Arguments], _Result]


def numbers_where_refused(step: _Step[_Arguments, _Result]) -> _Step[_Arguments, _Result]:
    """The step, with the numbers of macros where it refuses them as parameters.

    What is refused with numbers as well is told of these.
    """

    @wraps(step)
    def run(design: Design, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        if design.numbers is None:
            return step(design, *args, **kwargs)
        try:
            return step(design, *args, **kwargs)
        except (InputError, LimitError) as error:
            return step(with_note(design.numbers, _kept(design, error)), *args, **kwargs)

    return run


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


def beats_for_all_where_refused(step: _Step[_Arguments, _Result]) -> _Step[_Arguments, _Result]:
    """The step, with a beat for every instance where it refuses streams that pass over some, and
    the design does not ask for these.

    What is refused with all beats as well is told of these.
    """

    @wraps(step)
    def run(design: Design, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        if not _leaves_control(design):
            return step(design, *args, **kwargs)
        try:
            return step(design, *args, **kwargs)
        except InputError as error:
            other = changed(design, _with_all_beats(design))
            return step(with_note(other, beats_for_all(error.problems[0])), *args, **kwargs)

    return run


def with_the_better_control(step: Callable[[Design], Planning]) -> Callable[[Design], Planning]:
    """The step, with a beat for every instance where a design leaves the control to the plan and
    streams that pass over instances take more cycles, or have no hardware.

    Where they have to wait, but not longer, a remark says what a beat for every instance takes.
    """

    @wraps(step)
    def run(design: Design, /) -> Planning:
        skipping, given = step(design), design.input
        if not _leaves_control(design) or not isinstance(given, Program):
            return skipping
        if skipping.prediction is not None and is_full(skipping.prediction):
            return skipping
        try:
            whole = step(changed(design, _with_all_beats(design)))
        except (InputError, LimitError):
            return skipping
        if not whole.circuits:
            return skipping
        place = first_filter(given.statements).place
        if not skipping.circuits:
            why = skipping.plan.timing.reason if skipping.plan.timing else None
            return _with_remark(whole, beats_for_all(Problem(why or "no Verilog", "", place)))
        most, least = _cycles(skipping), _cycles(whole)
        if most is None or least is None:
            return skipping
        if most > CYCLES_ALLOWED * least + ENDS:
            why = f"{least} cycles; passing over those that do not run takes up to {most}"
            remedy = "plan.control: skip does so all the same"
            return _with_remark(whole, beats_for_all(Problem(why, remedy, place)))
        if most <= least:
            return skipping
        what = "streams pass over instances that do not run (plan.control: skip): at most"
        what += f" {most} cycles; with a beat for every instance (predicate) it is {least}"
        return _with_remark(skipping, Problem(what, "plan.control says which to take", place))

    return run


def _cycles(planning: Planning) -> int | None:
    return None if planning.plan.timing is None else planning.plan.timing.cycles


def _with_remark(planning: Planning, remark: Problem) -> Planning:
    plan = replace(planning.plan, remarks=(*planning.plan.remarks, str(remark)))
    return replace(planning, design=with_note(planning.design, remark), plan=plan)


def _leaves_control(design: Design) -> bool:
    given = design.input
    return design.plan.control == "auto" and isinstance(given, Program) and given.skips


def _with_all_beats(design: Design) -> tuple[str, ...]:
    """The settings with which the same design has a beat for every instance."""
    keeps_numbers = design.macros_as_parameters and design.numbers is None
    return ("plan.control=predicate", *(("kernel.macros=numbers",) if keeps_numbers else ()))


def with_note(design: Design, note: Problem) -> Design:
    """The design of a program with a further remark."""
    given = design.input
    if not isinstance(given, Program):
        return design
    return replace(design, input=replace(given, notes=(*given.notes, note)))
