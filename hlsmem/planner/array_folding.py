"""The first arrows: from a design to its storage problems and mappings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Values
from dataclasses import field, fields, replace
from functools import partial
from typing import TypeVar

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.devices import family_of
from hlsmem.devices.inference import blocks, implement
from hlsmem.devices.primitives import Style
from hlsmem.lifetime.storage_problem import GivenVector, Pairs, StorageProblem
from hlsmem.lifetime.storage_problems import (
    class_problems_within,
    storage_problems_within,
    with_formulas_within,
)
from hlsmem.mapping.methods import variants
from hlsmem.mapping.methods.vector import GUARANTEES
from hlsmem.mapping.portfolio import Answer, Choice, answers_at, ask, plan_array, plan_arrays_within
from hlsmem.mapping.shape_constraint import ShapeConstraint
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.mapping.vectors import KindVectors, vectors_of
from hlsmem.plan import ConflictText, FoundOrder, Outside, ProgramText
from hlsmem.plan.program_text import program_text
from hlsmem.planner.hardware.border_pieces import split_choice
from hlsmem.planner.reused_mappings import reused_choices
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.model import Array, ConflictInput, Program
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import Given, ScheduleClass
from hlsmem.storage.ram.ram_ports import read_ports
from hlsmem.timing.planned_program import arranged_within
from hlsmem_verify.outcomes import MOST_TEXT

# Operations of isl that the analysis may take, and a method on an array: about 15 s. PolyBench
# kernels need a twentieth.
_OPERATIONS = 20_000_000


Result = TypeVar("Result")
Size = tuple[int, int]
"""Key by which orders are compared: block RAMs where they are made small, else 0; then bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """A program and its conflicts as isl texts, conflicts by array.

    They are taken before anything else is asked of the relations: isl may print one in another
    way once it has worked with it.
    """

    context: str
    program: ProgramText | None
    conflicts: Values[str, ConflictText | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """A design in its order, with its storage problems: what it takes at least is known.

    `program` has the arrival and departure statements of streams; it is None for a bare conflict
    set. `order` is that which was found in place of the text's, None where it was not. Parameters
    `outside` are those that the plan has decided to leave there.
    """

    design: Design
    program: Program | None
    problems: tuple[StorageProblem, ...]
    order: FoundOrder | None = None
    outside: Values[str, Outside] = field(default_factory=dict)

    @property
    def least(self) -> Size:
        """Size that no storage undercuts: max-live of every array."""
        alive = {
            one.array.name: max((b.cells for b in one.bounds if b.kind == "max-live"), default=0)
            for one in self.problems
        }
        return self.size_of(alive)

    def size_of(self, cells: Values[str, int]) -> Size:
        """Size of so many cells of the arrays: blocks, and bits."""
        blocks = bits = 0
        for problem in self.problems:
            array, number = problem.array, cells[problem.array.name]
            bits += number * array.element.bits
            blocks_for = blocks_of(self.design, self.program, array)
            blocks += blocks_for(number) if blocks_for is not None else 0
        return blocks, bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded(Analysed):
    """The analysed program, with the mapping of every array."""

    choices: Values[str, Choice]
    texts: Texts

    @property
    def size(self) -> Size:
        """Size of the cells of all arrays."""
        return self.size_of({name: one.cells for name, one in self.mappings.items()})

    @property
    def mappings(self) -> dict[str, StorageMapping]:
        """The mapping of every array."""
        return {name: choice.mapping for name, choice in self.choices.items()}

    @property
    def is_outside_of_its_class(self) -> bool:
        """True if the design's own schedule is not in the class that its cells are for."""
        return any(one.orders is not None and one.orders.outside for one in self.problems)


def analysed(
    design: Design, order: FoundOrder | None = None, *, has_formula: bool = True
) -> Analysed:
    """A design in its given order with its storage problems; `has_formula` as for `analyse`.

    Raises InputError where the program reads what nothing writes, LimitError as `analyse`.
    """
    program, problems = analyse(design, has_formula=has_formula)
    return Analysed(design=design, program=program, problems=problems, order=order)


def folded(found: Analysed) -> Folded:
    """The mapping of every array. Raises InputError where a method that was asked for has none."""
    design, program, problems = found.design, found.program, found.problems
    choices = choices_of(design, program, problems)
    rules = {key: getattr(design.plan, key) for key in ("strict", "slack", "capacity")}
    texts = Texts(
        context=str(design.input.context),
        program=None if program is None else program_text(program, **rules),
        conflicts={one.array.name: _conflicts(program, one) for one in problems},
    )
    own = {one.name: getattr(found, one.name) for one in fields(Analysed)}
    return Folded(**own, choices=choices, texts=texts)


def _conflicts(program: Program | None, problem: StorageProblem) -> ConflictText | None:
    """The conflicts as texts; None where they are longer than a reader of plan.json takes."""
    texts = {"differences": str(problem.differences)}
    if program is None and problem.pairs is not None:
        texts["pairs"] = str(problem.pairs.relation)
    if program is None and problem.elements is not None:
        texts["elements"] = str(problem.elements)
    return ConflictText(**texts) if max(map(len, texts.values())) <= MOST_TEXT else None


def choices_of(
    design: Design,
    program: Program | None,
    problems: tuple[StorageProblem, ...],
    *,
    ask_all: bool = False,
) -> dict[str, Choice]:
    """The mapping of every array, by the method that is asked for, or by all with `ask_all`."""
    if design.plan.reuse is not None and not ask_all:
        return reused_choices(design.plan.reuse, program, problems)
    kinds = [kind for kind in GUARANTEES if ask_all or design.plan.method == kind]
    if program is not None and kinds:
        problems = tuple(_by_vectors(design, program, problem, kinds) for problem in problems)
    method = "auto" if ask_all else design.plan.method
    plan = partial(
        plan_array, budget=design.plan.budget, shape_constraint=shape_constraint_of(design)
    )
    found = _found(
        design,
        problems,
        lambda one: partial(
            plan,
            one,
            method=method,
            blocks=blocks_of(design, program, one.array),
            ask_all=ask_all,
        ),
        Choice.stated_at,
    )
    if not design.plan.split or program is None:
        return found

    def of_part(part: StorageProblem) -> Choice:
        found = _found(design, (part,), lambda one: partial(plan, one), Choice.stated_at)
        return found[part.array.name]

    asked = design.plan.schedules
    return {
        one.array.name: split_choice(program, one, asked, found[one.array.name], of_part)
        for one in problems
    }


def _found(
    design: Design,
    problems: Sequence[StorageProblem],
    ask_of: Callable[[StorageProblem], Callable[..., Result]],
    stated_at: Callable[[Result, Values[str, int]], Result],
) -> dict[str, Result]:
    """Results by array; where conflicts are known at the plan's values alone it is asked there, and
    stated so."""
    fixed = [one.orders is not None and one.orders.is_fixed for one in problems]
    asked = [one.at_the_plan() if at else one for one, at in zip(problems, fixed, strict=True)]
    plans = {one.array.name: ask_of(one) for one in asked}
    found = plan_arrays_within(operations_of(design), plans)
    return {
        one.array.name: stated_at(found[one.array.name], one.values)
        if at
        else found[one.array.name]
        for one, at in zip(problems, fixed, strict=True)
    }


def _by_vectors(
    design: Design, program: Program, problem: StorageProblem, kinds: Sequence[str]
) -> StorageProblem:
    """The problem with occupancy vectors of some kinds, for the methods that project along them."""
    found = {}
    for kind in kinds:
        work = partial(_vectors_of_kind, program, problem.array, design.plan.schedules, kind)
        try:
            one = within(operations_of(design), work)
        except WorkLimitError:
            found[kind] = GivenVector(reason="finding the vector takes too many operations of isl")
            continue
        vector = one.even[0] if one.even else None
        found[kind] = GivenVector(vector=vector, reason=one.reason or "")
    return replace(problem, vectors=found)


def _vectors_of_kind(
    program: Program, array: Array, asked: ScheduleClass, kind: str, report: Callable[[str], None]
) -> KindVectors:
    report(kind)
    return vectors_of(program, array, asked, kinds=(kind,)).kinds[kind]


def variants_of(
    design: Design, problems: tuple[StorageProblem, ...]
) -> dict[str, tuple[Answer, ...]]:
    """Answers of every published variant of every method for every array."""
    return _found(
        design,
        problems,
        lambda one: partial(ask, variants(), one, budget=design.plan.budget),
        lambda found, values: answers_at(values, found),
    )


def blocks_of(design: Design, program: Program | None, array: Array) -> Callable[[int], int] | None:
    """The block RAMs of so many cells with all their copies; None where cells are made small."""
    device = design.target.device
    if device is None or design.plan.objective != "blocks":
        return None
    copies = max(1, read_ports(program, array))
    style = Style(array.style)
    bits = array.element.bits
    return lambda cells: 0 if cells <= 1 else copies * blocks(device, cells, bits, style=style)


def shape_constraint_of(design: Design) -> ShapeConstraint:
    """The constraint on the shape of the design's mappings."""
    return ShapeConstraint(
        powers_of_two=design.plan.round == "pow2", components=design.plan.dimensions
    )


def with_formulas(found: Folded) -> Folded:
    """The same with the formulas of max-live that were left out."""
    if found.program is None:
        return found
    operations = operations_of(found.design)
    return replace(found, problems=with_formulas_within(operations, found.program, found.problems))


def analyse(
    design: Design, *, has_formula: bool = True
) -> tuple[Program | None, tuple[StorageProblem, ...]]:
    """The program with its streams, and one storage problem per planned array.

    Without `has_formula` those of the design's own order count max-live alone.

    Raises InputError for a device, or a style on it, that there is not, LimitError where that
    takes too long.
    """
    if design.target.device is not None:
        require_target(design.target.device, design.target.source_location, _arrays_of(design))
    if isinstance(design.input, ConflictInput):
        return None, _given_problems(design.input)
    import numpy  # noqa: F401  # once for all workers, which are copies of this process

    options = design.plan
    operations = operations_of(design)
    program = arranged_within(operations, design.input)
    is_own = isinstance(options.schedules, Given)
    problems = storage_problems_within(
        operations,
        program,
        strict=options.strict,
        slack=options.slack,
        has_formula=has_formula or not is_own,
    )
    if is_own:
        return program, problems
    return program, class_problems_within(
        operations, program, problems, options.schedules, strict=options.strict
    )


def operations_of(design: Design) -> int:
    """Operations of isl that a step may take."""
    return _OPERATIONS * design.plan.effort


def _arrays_of(design: Design) -> tuple[Array, ...]:
    """The arrays that a design plans."""
    if isinstance(design.input, ConflictInput):
        return tuple(conflict.array for conflict in design.input.conflicts.values())
    return design.input.planned_arrays()


def _given_problems(given: ConflictInput) -> tuple[StorageProblem, ...]:
    return tuple(
        StorageProblem(
            array=conflict.array,
            parameters=given.parameters,
            values=given.values,
            context=given.context,
            differences=conflict.differences,
            pairs=None if conflict.pairs is None else Pairs(conflict.pairs),
            elements=conflict.elements,
        )
        for conflict in given.conflicts.values()
    )


def require_target(device: str, place: SourceLocation | None, arrays: Iterable[Array]) -> None:
    """Raise InputError for a device, named at `place`, or a style of an array that it has not."""
    problems: list[Problem] = []
    family_of(device, place)
    for array in arrays:
        try:
            implement(device, 16, 8, style=Style(array.style))
        except InputError as error:
            problems += [
                replace(
                    problem,
                    what=f"{array.name!r}: {problem.what}",
                    source_location=array.source_location,
                )
                for problem in error.problems
            ]
    if problems:
        raise InputError(*problems)
