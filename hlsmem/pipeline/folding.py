"""The first arrows: from a design to its storage problems and mappings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Values
from dataclasses import replace
from functools import partial

from hlsmem.classes import Given, ScheduleClass
from hlsmem.devices.inference import blocks
from hlsmem.devices.primitives import Style
from hlsmem.lifetime.analysis import class_problems_within, storage_problems_within
from hlsmem.lifetime.problem import GivenVector, Pairs, StorageProblem
from hlsmem.mapping.form import Form
from hlsmem.mapping.methods import variants
from hlsmem.mapping.methods.vector import GUARANTEES
from hlsmem.mapping.model import Mapping
from hlsmem.mapping.portfolio import (
    Answer,
    Choice,
    answers_at,
    ask,
    plan_array,
    plan_arrays_within,
)
from hlsmem.options import Design, PlanOptions
from hlsmem.order.arrangement import arranged_within
from hlsmem.pipeline.order import in_found_order
from hlsmem.pipeline.reuse import reused_choices
from hlsmem.pipeline.split import split_choice
from hlsmem.planfile import (
    ConflictText,
    FoundOrder,
    ProgramText,
)
from hlsmem.planfile.bounded import MOST_CHARACTERS
from hlsmem.planfile.program import program_text
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program import Array, ConflictInput, Program
from hlsmem.storage.ram.ports import read_ports
from hlsmem.storage.target import require_target
from hlsmem.values import dataclass
from hlsmem.vectors import KindVectors, vectors_of

# Operations of isl that the analysis may take, and a method on an array: about 15 s. PolyBench
# kernels need a twentieth.
# A budget above the default raises it in proportion.
_OPERATIONS = 20_000_000


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
class Folded:
    """A design with its storage problems and the mapping of every array: what it costs is known.

    `program` has the arrival and departure statements of streams; it is None for a bare conflict
    set. `order` is there where it is
    another than the text's.
    """

    design: Design
    program: Program | None
    problems: tuple[StorageProblem, ...]
    choices: Values[str, Choice]
    texts: Texts
    order: FoundOrder | None = None

    @property
    def cost(self) -> tuple[int, int]:
        """What an order is chosen by: block RAMs where they are made small, then bits."""
        blocks = bits = 0
        for problem in self.problems:
            cells = self.choices[problem.array.name].mapping.cells
            bits += cells * problem.array.element.bits
            blocks_for = blocks_of(self.design, self.program, problem.array)
            blocks += blocks_for(cells) if blocks_for is not None else 0
        return blocks, bits

    @property
    def mappings(self) -> dict[str, Mapping]:
        """The mapping of every array."""
        return {name: choice.mapping for name, choice in self.choices.items()}

    @property
    def is_outside_of_its_class(self) -> bool:
        """Whether the design's own schedule is not in the class that its cells are for."""
        return any(one.orders is not None and one.orders.outside for one in self.problems)


def folded(design: Design, order: FoundOrder | None = None) -> Folded:
    """A design in its given order with the mapping of every array.

    Raises InputError where the program reads what nothing writes, or a method that was asked
    for by name has no mapping.
    """
    program, problems = analyse(design)
    choices = choices_of(design, program, problems)
    return Folded(
        design=design,
        program=program,
        problems=problems,
        choices=choices,
        texts=_texts(design, program, problems),
        order=order,
    )


def _texts(design: Design, program: Program | None, problems: tuple[StorageProblem, ...]) -> Texts:
    options = design.plan
    return Texts(
        context=str(design.input.context),
        program=None
        if program is None
        else program_text(
            program, strict=options.strict, slack=options.slack, capacity=options.capacity
        ),
        conflicts={one.array.name: _conflicts(program, one) for one in problems},
    )


def _conflicts(program: Program | None, problem: StorageProblem) -> ConflictText | None:
    """The conflicts as texts; None where they are longer than a reader of plan.json takes."""
    given = program is None
    pairs = problem.pairs.relation if given and problem.pairs is not None else None
    elements = problem.elements if given else None
    found = ConflictText(
        differences=str(problem.differences),
        pairs=None if pairs is None else str(pairs),
        elements=None if elements is None else str(elements),
    )
    texts = (found.differences, found.pairs or "", found.elements or "")
    return found if max(map(len, texts)) <= MOST_CHARACTERS else None


def folded_in_order(design: Design) -> Folded:
    """The same in the order that `schedule: search` finds, where the design asks for it."""
    return folded(*in_found_order(design, lambda one: folded(one).cost, _least_bits))


def _least_bits(design: Design) -> int:
    """The bits that any storage takes: max-live of every array."""
    _, problems = analyse(design)
    return sum(
        one.array.element.bits
        * max((b.cells for b in one.bounds if b.kind == "max-live"), default=1)
        for one in problems
    )


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
        problems = tuple(_with_vectors(design, program, problem, kinds) for problem in problems)
    plans = {
        problem.array.name: partial(
            plan_array,
            problem.at_the_plan() if _is_fixed(problem) else problem,
            method="auto" if ask_all else design.plan.method,
            budget=design.plan.budget,
            form=form_of(design),
            blocks=blocks_of(design, program, problem.array),
            ask_all=ask_all,
        )
        for problem in problems
    }
    found = plan_arrays_within(operations_of(design), plans)
    choices = {
        problem.array.name: found[problem.array.name].stated_at(problem.values)
        if _is_fixed(problem)
        else found[problem.array.name]
        for problem in problems
    }
    if not design.plan.split or program is None:
        return choices
    return {
        problem.array.name: _with_borders(design, program, problem, choices[problem.array.name])
        for problem in problems
    }


def _with_borders(
    design: Design, program: Program, problem: StorageProblem, whole: Choice
) -> Choice:
    """The choice with the borders of the array split off, where that takes fewer cells."""

    def plan(part: StorageProblem) -> Choice:
        asked = part.at_the_plan() if _is_fixed(part) else part
        work = {
            part.array.name: partial(
                plan_array, asked, budget=design.plan.budget, form=form_of(design)
            )
        }
        (found,) = plan_arrays_within(operations_of(design), work).values()
        return found.stated_at(part.values) if _is_fixed(part) else found

    return split_choice(program, problem, design.plan.schedules, whole, plan)


def _with_vectors(
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
    """What every published variant of every method answers for every array."""
    plans = {
        problem.array.name: partial(
            ask,
            variants(),
            problem.at_the_plan() if _is_fixed(problem) else problem,
            budget=design.plan.budget,
        )
        for problem in problems
    }
    found = plan_arrays_within(operations_of(design), plans)
    return {
        problem.array.name: answers_at(problem.values, found[problem.array.name])
        if _is_fixed(problem)
        else found[problem.array.name]
        for problem in problems
    }


def _is_fixed(problem: StorageProblem) -> bool:
    """Whether the conflicts are known at the plan's values alone."""
    return problem.orders is not None and problem.orders.is_fixed


def blocks_of(design: Design, program: Program | None, array: Array) -> Callable[[int], int] | None:
    """The block RAMs of so many cells with all their copies; None where cells are made small."""
    device = design.target.device
    if device is None or design.plan.objective != "blocks":
        return None
    copies = max(1, read_ports(program, array))
    style = Style(array.style)
    bits = array.element.bits
    return lambda cells: 0 if cells <= 1 else copies * blocks(device, cells, bits, style=style)


def form_of(design: Design) -> Form:
    """What a mapping of the design has to look like."""
    return Form(powers_of_two=design.plan.round == "pow2", components=design.plan.dimensions)


def _cells_without_slack(design: Design) -> dict[str, int]:
    """What the arrays would need at slack 0; empty where that is what is planned."""
    if design.plan.slack == 0:
        return {}
    tight = replace(design, plan=replace(design.plan, slack=0))
    choices = choices_of(tight, *analyse(tight))
    return {name: choice.mapping.cells for name, choice in choices.items()}


def analyse(design: Design) -> tuple[Program | None, tuple[StorageProblem, ...]]:
    """The program with its streams, and one storage problem per planned array.

    Raises InputError for a device, or a style on it, that there is not, LimitError where that
    takes too long.
    """
    if design.target.device is not None:
        require_target(design.target.device, design.target.place, _arrays_of(design))
    if isinstance(design.input, ConflictInput):
        return None, _given_problems(design.input)
    import numpy  # noqa: F401  # once for all workers, which are copies of this process

    options = design.plan
    operations = operations_of(design)
    program = arranged_within(operations, design.input)
    problems = storage_problems_within(
        operations, program, strict=options.strict, slack=options.slack
    )
    if isinstance(options.schedules, Given):
        return program, problems
    return program, class_problems_within(
        operations, program, problems, options.schedules, strict=options.strict
    )


def operations_of(design: Design) -> int:
    """Operations of isl that a step may take."""
    return _OPERATIONS * max(1, design.plan.budget // PlanOptions().budget)


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
