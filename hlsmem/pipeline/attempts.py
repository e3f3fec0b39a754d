"""What a design leaves to the plan, tried: macros as parameters, streams that pass over instances.

Where that is refused, the macros are the numbers that they are, and every instance has its beats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from hlsmem.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.options import Design
from hlsmem.program import Program
from hlsmem.read.conditions import beats_for_all
from hlsmem.read.design import changed

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
        given = design.input
        if design.plan.control != "auto" or not isinstance(given, Program) or not given.skips:
            return step(design, *args, **kwargs)
        try:
            return step(design, *args, **kwargs)
        except InputError as error:
            other = changed(design, _with_all_beats(design))
            return step(with_note(other, beats_for_all(error.problems[0])), *args, **kwargs)

    return run


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
