"""The plan, made once from all that was worked out, and what is at hand beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Values
from dataclasses import field, replace

from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted, listed
from hlsmem.cycle_model import Prediction
from hlsmem.datapath.processes import Process
from hlsmem.emit.c import ram_of
from hlsmem.emit.c.version_files import versions_of
from hlsmem.emit.explanation import unfolded_remark
from hlsmem.lifetime.bounds import with_bounds
from hlsmem.lifetime.conflict_witness import most_alive
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems_within
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.portfolio import Choice
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan import ArrayNotes, ArrayPlan, HostHolding, HostRam, Kept, Plan
from hlsmem.planner.array_folding import Folded, analyse, blocks_of, choices_of, operations_of
from hlsmem.planner.array_holdings import cells_in_c, in_hardware, text_in_c
from hlsmem.planner.hardware.border_pieces import split_remark
from hlsmem.planner.hardware.frame_cycles import frame_cycles
from hlsmem.planner.hardware.hardware_planning import not_asked_for
from hlsmem.planner.hardware.shift_registers import shift_remarks
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.planner.host.host_planning import HostPlan
from hlsmem.planner.planned_accelerator import accelerator_of
from hlsmem.planner.remarks.pragma_remarks import pragma_remarks
from hlsmem.planner.source_holdings import with_source
from hlsmem.planner.source_planning import ReturnedSource, returned_source
from hlsmem.program.model import Program, Storage
from hlsmem.program.options import Design
from hlsmem.storage.build import BuiltStorage
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.memory_footprint import over_budget
from hlsmem.version import TOOL

Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Planning:
    """A plan with everything worked out on the way to it.

    `host` is None where the C was not asked for, with which the user's text is `returned`.
    `remarks` are said of a program besides its plan.
    `over_budget` are block RAMs beyond the target's.
    """

    folded: Folded
    placement: Placement
    plan: Plan
    host: HostPlan | None = None
    remarks: tuple[Problem, ...] = ()
    over_budget: Problem | None = None
    processes: tuple[Process, ...] = ()
    returned: ReturnedSource = field(default_factory=ReturnedSource)

    def __repr__(self) -> str:
        return f"<Planning of {self.plan.design}: {len(self.plan.arrays)} arrays>"

    @property
    def design(self) -> Design:
        """The design in the order and with the parameters that it was planned in."""
        return self.folded.design

    @property
    def program(self) -> Program | None:
        """Its program; None for a bare conflict set."""
        return self.folded.program

    @property
    def problems(self) -> tuple[StorageProblem, ...]:
        return self.folded.problems

    @property
    def storage(self) -> Values[str, BuiltStorage]:
        """Built storage of the arrays with streams, where there is Verilog."""
        return {} if self.placement.chosen is None else self.placement.chosen.built

    @property
    def circuits(self) -> tuple[Circuit, ...]:
        """The circuits of the Verilog; none where there is none: `plan.timing` says why."""
        return () if self.placement.chosen is None else self.placement.chosen.circuits

    @property
    def prediction(self) -> Prediction | None:
        """The run of the Verilog; None where there is none."""
        return None if self.placement.chosen is None else self.placement.chosen.prediction


def planned(
    found: Folded,
    placement: Placement,
    host: HostPlan | None = None,
    *,
    runs: Runs = (),
    notes: Sequence[Problem] = (),
    processes: tuple[Process, ...] = (),
) -> Planning:
    """The plan of a folding with its hardware and its C.

    `runs` are the seeds and the cycles of runs in which instances are skipped, `notes` are said
    last of the design. `processes` are those of its datapath, none where that is the user's.
    """
    design = found.design
    least = _cells_without_slack(design)
    cells = {} if host is None else cells_in_c(host, found.program)
    timing = placement.timing
    if timing is not None and timing.runs is not None and runs:
        timing = replace(timing, runs=runs)
    if timing is not None and found.program is not None and processes:
        timing = replace(timing, frame=frame_cycles(found.program, placement, processes))
    remarks: tuple[Problem, ...] = ()
    if design.program is not None:
        remarks = (*design.program.notes, *kernel_remarks(found, placement), *notes)
    of_c = () if host is None else host.remarks
    in_c = None if host is None else host.program
    ram = None
    if host is not None and in_c is not None:
        ram = ram_of(found.design, in_c, host.mappings, host.versions, host.text)
    plan = Plan(
        tool=TOOL,
        design=design.input.name,
        inputs={one.name: _hash(one.on_disk) for one in design.sources},
        overrides=design.overrides,
        params=dict(design.input.values),
        context=found.texts.context,
        program=found.texts.program,
        memories=placement.memories,
        arrays={
            problem.array.name: _array_plan(
                found,
                placement,
                problem,
                cells.get(problem.array.name),
                None if host is None else host.notes.get(problem.array.name),
                least.get(problem.array.name),
            )
            for problem in found.problems
        },
        streams=placement.streams,
        elastic=() if placement.chosen is None else placement.chosen.elastic,
        paths=placement.paths,
        timing=timing,
        target=placement.target,
        found_order=found.order,
        remarks=(*guard_remarks(design, in_c, ram), *map(str, remarks), *of_c),
        datapath=kept_by_the_datapath(design),
        outside=found.outside,
        host_order=None if host is None else host.order,
        ram=ram,
        accelerator=accelerator_of(design, found.program, placement, processes),
        text=None if host is None or ram is None or ram.overlap != "check" else text_in_c(host),
    )
    returned = ReturnedSource() if host is None else returned_source(found)
    plan = with_source(plan, returned)
    return Planning(
        folded=found,
        placement=placement,
        plan=plan,
        host=host,
        remarks=remarks,
        over_budget=_over_budget(found, placement, plan),
        processes=processes,
        returned=returned,
    )


def _over_budget(found: Folded, placement: Placement, plan: Plan) -> Problem | None:
    """The block RAMs beyond the target's, with the cheapest change."""
    missing = over_budget(plan)
    if missing is None or placement.chosen is None:
        return missing
    return over_budget(plan, dict(not_asked_for(found, placement.chosen.built)))


def _cells_without_slack(design: Design) -> dict[str, int]:
    """Cells that the arrays would need at slack 0; empty where that is what is planned."""
    if design.plan.slack == 0:
        return {}
    tight = replace(design, plan=replace(design.plan, slack=0))
    choices = choices_of(tight, *analyse(tight))
    return {name: choice.mapping.cells for name, choice in choices.items()}


def _array_plan(
    found: Folded,
    placement: Placement,
    problem: StorageProblem,
    host: HostHolding | None,
    of_c: ArrayNotes | None,
    cells_without_slack: int | None,
) -> ArrayPlan:
    array = problem.array
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=array.declared,
        declared_cells=array.declared_at(problem.values),
        extents=array.extents,
        conflicts=found.texts.conflicts[array.name],
        orders=problem.orders,
        state=array.storage is Storage.STATE,
        hardware=in_hardware(found, placement, problem),
        host=host,
        notes=replace(
            of_c or ArrayNotes(),
            remarks=tuple(_remarks(found, problem, cells_without_slack)),
            rejected=placement.rejected[array.name],
        ),
    )


def _remarks(
    found: Folded, problem: StorageProblem, cells_without_slack: int | None
) -> Iterator[str]:
    """Remarks on the price of a setting for an array, and on why the array does not fold."""
    design, program = found.design, found.program
    choice = found.choices[problem.array.name]
    cells, free = choice.mapping.cells, choice.cells_of_any_shape
    if cells_without_slack is not None:
        yield f"slack: {counted(cells_without_slack, 'cell')} would do at slack 0"
    if free is not None:
        settings = "without plan.round and plan.dimensions"
        fewer = f"{counted(free, 'cell')} would do" if free < cells else "no cells more than"
        yield f"form: {fewer} {settings}"
    own = _blocks(design, program, problem, choice)
    if not own and design.plan.split:
        own = split_remark(choice)
    elif not own and design.plan.reuse:
        own = _slack_remark(design, program, problem, choice.mapping)
    elif not own:
        own = _remark(program, problem, choice.mapping, design.plan.strict)
    if own:
        yield own


def _blocks(
    design: Design, program: Program | None, problem: StorageProblem, choice: Choice
) -> str:
    """The block RAMs of the mapping and their price in cells, where they are made small."""
    needed = blocks_of(design, program, problem.array)
    if needed is None:
        return ""
    cells = choice.mapping.cells
    bounds = with_bounds(problem, cells, choice.bounds())
    count, least = needed(cells), needed(max((bound.cells for bound in bounds), default=1))
    fewest = min(one.cells for _, one in choice.candidates if isinstance(one, StorageMapping))
    text = f"blocks: {count} of {design.target.device}, "
    text += f"{'no fewer' if count == least else least} for the cells of the bound"
    if fewest < cells:
        text += f"; {counted(fewest, 'cell')} would do, with a dearer address"
    return text


def _slack_remark(
    design: Design, program: Program | None, problem: StorageProblem, mapping: StorageMapping
) -> str:
    """Remark whether a mapping that was taken over would also do with registered handshakes."""
    if program is None or design.plan.slack or problem.orders is not None:
        return ""
    problems = storage_problems_within(
        operations_of(design), program, strict=design.plan.strict, slack=1
    )
    (later,) = (one for one in problems if one.array.name == problem.array.name)
    if isinstance(prove(mapping.pieces[0], later), Counterexample):
        return "slack: the mapping does not hold at slack 1"
    return "slack: the mapping also holds at slack 1"


def _remark(
    program: Program | None, problem: StorageProblem, mapping: StorageMapping, strict: bool
) -> str:
    """Why an array does not fold, in one line; empty where it does."""
    cells = problem.array.declared_at(problem.values)
    if program is None or cells is None or mapping.cells < cells or cells <= 1:
        return ""
    try:
        alive, peak = most_alive(program, problem.array.name, strict=strict)
    except LimitError:
        return ""  # too large to look at one by one
    return unfolded_remark(alive, peak, cells)


def _hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def guard_remarks(
    design: Design, in_c: Program | None = None, ram: HostRam | None = None
) -> tuple[str, ...]:
    """Sentences for the report: what holds only where the tests of the C say so; `in_c` is the
    program in its order, and `ram` what it keeps."""
    kernel, values_of = design.kernel, design.input.values
    if kernel is None:
        return ()
    found = []
    tested = None if in_c is None else in_c.kernel
    if tested is not None and tested.apart and ram is not None:
        pairs = "; ".join(f"{one} and {other}" for one, other in tested.apart)
        does = "runs in the order of the text, in the same workspace"
        if ram.check is not None:
            does = f"calls {kernel.name.upper()}_OVERLAP(), as that takes {ram.bytes} bytes in"
            does += f" place of {ram.check} with host.alias: check"
        elif ram.overlap == "stop":
            does = f"calls {kernel.name.upper()}_OVERLAP()"
        found.append(
            f"C tests at its entry that these lie apart: {pairs} ({kernel.name}_apart()), and else"
            f" {does}. The RTL has no such test: it takes arrays for disjoint."
        )
    if kernel.fixed:
        values = listed([f"{name} = {values_of[name]}" for name in kernel.fixed])
        others = "; ".join(
            " and ".join(f"{name} = {value}" for name, value in one.values)
            for one in versions_of(design)
        )
        also = f" C has versions of its own for {others}." if others else ""
        found.append(
            f"It is for {values} alone, in whose places its text has the values.{also} For other"
            " values C runs the function as it was."
        )
    return tuple(found)


def kernel_remarks(found: Folded, placement: Placement) -> tuple[Problem, ...]:
    """The remarks, those on pragmas first."""
    return (
        *pragma_remarks(found, placement),
        *shift_remarks(found, placement),
        *assumed_latencies(found.design),
        *_limits(placement),
    )


def _limits(placement: Placement) -> Iterator[Problem]:
    """A remark on each array whose beats were listed, as isl would have taken too much work."""
    for circuit in () if placement.chosen is None else placement.chosen.circuits:
        if circuit.limit:
            what = f"the beats of {circuit.array!r} were listed one by one: {circuit.limit}"
            yield Problem(what, "the plan is as good; of larger sizes there may be no Verilog")


def kept_by_the_datapath(design: Design) -> tuple[Kept, ...]:
    """The variables that the datapath keeps, with the statements that touch each."""
    program = design.program
    if program is None:
        return ()
    return tuple(
        Kept(
            name=name,
            element=array.element.name,
            statements=tuple(
                one.name
                for one in program.statements
                if any(access.array == name for access in (*one.reads, *one.writes))
            ),
        )
        for name, array in program.arrays.items()
        if array.storage is Storage.DATAPATH
    )


def assumed_latencies(design: Design) -> Iterator[Problem]:
    """A remark on each sum of floats that waits for itself, and whose adder has no latency."""
    program = design.program
    if program is None:
        return
    for statement in program.statements:
        if statement.name in design.pipeline.latency:
            continue
        written = {one.array for one in statement.writes}
        for access in statement.reads:
            array = program.arrays[access.array]
            own = array.storage is Storage.DATAPATH and access.array in written
            if own and array.element.is_float:
                what = f"{statement.name} waits for its own {array.name!r}: one cycle is assumed"
                remedy = f"say how long it takes, as --set pipeline.latency.{statement.name}=4"
                yield Problem(what, remedy, statement.source_location)
                break
