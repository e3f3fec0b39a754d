"""What `make bench-host` measures of a kernel: its plans, their cells, and times by turns."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from benchmarks.host.kernels import Case, Kernel, Printed
from hlsmem.check.host_runs.bench_timing import Measured, Timed, measure
from hlsmem.core.errors import HlsmemError
from hlsmem.emit.c import emit_host
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.planner.array_folding import Folded, analysed, folded
from hlsmem.planner.hardware.storage_placement import in_rams
from hlsmem.planner.host.host_planning import host_of
from hlsmem.planner.output_files import host_files, simulated_files
from hlsmem.planner.plan_assembly import Planning, planned
from hlsmem.read.design import load
from hlsmem.tools.find import Tool


@dataclass(frozen=True, slots=True)
class Effort:
    """Starts and rounds of a measurement; `slow` are the rounds of a source over half a second."""

    starts: int
    rounds: int
    slow: int | None = None


OF_CASES, OF_TABLE_II, OF_CUT = Effort(3, 9, 3), Effort(5, 5), Effort(1, 1)
OF_STORAGE: Mapping[str, Sequence[str]] = {
    "plan": ("host.objective=plan",),
    "given": ("host.order=given",),
    "speed": (),
    "successive": ("plan.method=successive", "host.objective=plan"),
}
OF_ORDER: Mapping[str, Sequence[str]] = {
    "given": ("host.order=given",),
    "uncut": ("host.tile=none", "host.jam=none"),
    "speed": (),
}
CUT = ("uncut", "speed")
"""What tiling and jamming are told from."""
REMAINDERS = "remainders"
"""The plan's cells, where every access computes its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A kernel planned in several ways: by the name of a way the plan, and the OUT that is timed;
    OUTs whose C is the same are one. `front` are the ways that take a candidate of the choice, and
    `seconds` of processor time is what planning took."""

    name: str
    plans: Mapping[str, Plan] = field(compare=False)
    outs: Mapping[str, Path]
    front: tuple[str, ...]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A kernel at one size: times, and by way the cells of C and what its loops do."""

    case: str
    place: str
    measured: Measured
    names: Mapping[str, str]
    cells: Mapping[str, int]
    shapes: Mapping[str, str]
    front: tuple[str, ...] = ()

    def timed(self, way: str) -> Timed:
        """The times of a way of planning."""
        return next(one for one in self.measured.outs if Path(one.name).name == self.names[way])

    def is_folded(self, way: str) -> bool:
        """Whether folded code ran at this size, where a plan may not hold."""
        return self.timed(way).name in self.measured.folded

    def ratio(self, way: str) -> float:
        """Its time over the source's."""
        return self.timed(way).ratio

    def text(self, way: str) -> str:
        """The ratio with its extremes; a dash where it is not measured."""
        if way not in self.names:
            return "-"
        one = self.timed(way)
        return f"{one.ratio:.2f} [{one.least:.2f} {one.greatest:.2f}]"

    def distance(self) -> tuple[float, str] | None:
        """The time of the choice over that of the best candidate, and which that is."""
        if not self.front:
            return None
        best = min((*self.front, "given"), key=self.ratio)
        return self.ratio("given") / self.ratio(best), best


def rows_of(case: Case, effort: Effort = OF_CASES) -> list[Row]:
    """The rows of a kernel, planned once for all sizes."""
    with tempfile.TemporaryDirectory(prefix="hlsmem-host-") as name:
        ways = OF_ORDER if case.is_of_order else OF_STORAGE
        planned = planned_in(case.kernel, ways, Path(name))
        rows = []
        for place, values in case.sizes:
            rows.append(timed_row(place, planned, values, effort, planned.outs))
        if case.cut:
            outs = {way: planned.outs[way] for way in CUT}
            rows.append(timed_row("tiling alone", planned, case.cut, OF_CUT, outs))
        return rows


def timed_row(
    place: str,
    planned: Planned,
    values: Mapping[str, int],
    effort: Effort,
    outs: Mapping[str, Path],
    compiler: Tool | None = None,
) -> Row:
    """The row of a kernel that was planned, at these values of its parameters, by this compiler or
    the first that is found."""
    begin = time.monotonic()
    measured = measure(
        list(dict.fromkeys(outs.values())),
        values,
        starts=effort.starts,
        rounds=effort.rounds,
        slow_rounds=effort.slow,
        compiler=compiler,
    )
    _say(f"  {place}: {time.monotonic() - begin:.0f} s")
    return _row(place, planned, measured, values, outs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """A row of table II: cells by successive modulo, by the paper's mapping and by the best one
    that is found at the size `at` which reductions are told, None where a mapping does not hold
    there; and times at another."""

    printed: Printed
    successive: int | None
    paper: int | None
    best: int | None
    row: Row


def printed_row(printed: Printed, effort: Effort = OF_TABLE_II) -> PrintedRow:
    """The row, measured."""
    ways = {
        "paper": (f"plan.method=hyperplane:{printed.variant}", "host.objective=plan"),
        # As published, in the order of the loops; the method also tries other orders of axes.
        "successive": ("plan.method=width:lefebvre-feautrier", "host.objective=plan"),
        "speed": (),
    }
    with tempfile.TemporaryDirectory(prefix="hlsmem-host-") as name:
        planned = planned_in(printed.kernel, ways, Path(name), by_formula="paper")
        begin = time.monotonic()
        outs = {way: planned.outs[way] for way in ("successive", REMAINDERS, "speed")}
        measured = measure(
            list(dict.fromkeys(outs.values())),
            printed.timed,
            starts=effort.starts,
            rounds=effort.rounds,
        )
        _say(f"  timed: {time.monotonic() - begin:.0f} s")
        cells = {way: plan_cells(planned.plans[way], printed.at) for way in ways}
        return PrintedRow(
            printed=printed,
            successive=cells["successive"],
            paper=cells["paper"],
            best=cells["speed"],
            row=_row("memory", planned, measured, printed.timed, outs),
        )


def planned_in(
    kernel: Kernel, ways: Mapping[str, Sequence[str]], folder: Path, by_formula: str = "plan"
) -> Planned:
    """A kernel planned in these ways, with remainders of one of them, and by all candidates that
    the choice of one of them was made from."""
    design = kernel.design_in(folder / "design")
    plannings, seconds = dict[str, Planning](), dict[str, float]()
    files = dict[str, dict[str, str]]()
    stored = dict[tuple[str, ...], Folded]()

    def plan(way: str, settings: Sequence[str]) -> None:
        begin = time.process_time()
        own = load(design, settings=list(settings))
        # Hardware is no part of what is timed, and settings of C alone change no mapping of it.
        of_plan = tuple(one for one in settings if one.startswith("plan."))
        if of_plan not in stored:
            stored[of_plan] = folded(analysed(own))
        kept = stored[of_plan]
        found = replace(kept, design=own)
        plannings[way] = planned(found, in_rams(found), host_of(found))
        seconds[way] = time.process_time() - begin
        files[way] = simulated_files(plannings[way]) | host_files(plannings[way])

    for way, settings in ways.items():
        plan(way, settings)
    front = list[str]()
    if "given" in ways and "successive" in ways:
        for way, settings in _candidates(plannings["given"].plan):
            try:
                plan(way, ("host.order=given", *settings))
            except HlsmemError as error:
                _say(f"  {way}: {error}")
            else:
                front.append(way)
    if by_formula in plannings:
        files[REMAINDERS] = files[by_formula] | _with_remainders(plannings[by_formula])
    _say(", ".join([f"{kernel.name}: planned in s", *(f"{w} {s:.1f}" for w, s in seconds.items())]))
    outs, known = dict[str, Path](), dict[str, Path]()
    for way, own in files.items():
        text = own[f"host/{kernel.name}.c"]
        if text not in known:
            known[text] = folder / way
            write_folder(folder / way, {**own})
        outs[way] = known[text]
    plans = {way: one.plan for way, one in plannings.items()}
    if by_formula in plans:
        plans[REMAINDERS] = plans[by_formula]
    return Planned(name=kernel.name, plans=plans, outs=outs, front=tuple(front), seconds=seconds)


def _with_remainders(planning: Planning) -> dict[str, str]:
    host = planning.host
    assert host is not None
    files = emit_host(planning.design, host.program, host.mappings, by_formula=True)
    return {one.name: one.text for one in files}


def _candidates(plan: Plan) -> Iterator[tuple[str, Sequence[str]]]:
    """A name and settings for every pair of method and shape that was no worse in cells and score
    than all others, taken for all arrays that have it."""
    fronts = {
        name: [(one.method, one.shape) for one in array.notes.pareto_front]
        for name, array in plan.arrays.items()
        if array.host is not None
    }
    for method, shape in dict.fromkeys(pair for front in fronts.values() for pair in front):
        taken = [name for name, front in fronts.items() if (method, shape) in front]
        yield (
            f"{method}-{shape}",
            [
                f"host.choice.{name}.{key}={value}"
                for name, (key, value) in product(taken, (("method", method), ("shape", shape)))
            ],
        )


def _row(
    place: str,
    planned: Planned,
    measured: Measured,
    values: Mapping[str, int],
    outs: Mapping[str, Path],
) -> Row:
    return Row(
        case=planned.name,
        place=place,
        measured=measured,
        names={way: out.name for way, out in outs.items()},
        cells={way: cells_at(plan, values) for way, plan in planned.plans.items()},
        shapes={way: shapes_of(plan) for way, plan in planned.plans.items()},
        front=planned.front,
    )


def plan_cells(plan: Plan, values: Mapping[str, int]) -> int | None:
    """The cells of the plan's largest array at these parameters, whatever C has; None where its
    mappings hold at the plan's own alone."""
    mappings = [one.hardware.parts[0].mapping for one in plan.arrays.values()]
    if not all(one is not None and one.certificate.is_complete for one in mappings):
        return None
    return max(
        sum(piece.cells().evaluate(values) for piece in one.pieces) for one in mappings if one
    )


def cells_at(plan: Plan, values: Mapping[str, int]) -> int:
    """The cells of C at these parameters."""
    mappings = (one.host.cells.mapping for one in plan.arrays.values() if one.host is not None)
    return sum(piece.cells().evaluate(values) for one in mappings for piece in one.pieces)


def shapes_of(plan: Plan) -> str:
    """What loops do with the arrays that have more than one cell."""
    hosts = (one.host for one in plan.arrays.values() if one.host is not None)
    return ", ".join(dict.fromkeys(one.cells.shape for one in hosts if one.words > 1))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
