"""The check `rtl`: lint, read back, simulate with and without stalls, replay every access."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_runs.condition_outcomes import Outcome
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.plans.branch_depths import branch_faults
from hlsmem.check.plans.plan_banks import cells, read_banked
from hlsmem.check.plans.plan_holdings import wired_streams
from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.check.plans.plan_parts import Divided, divide
from hlsmem.check.plans.time_rules import rules_of
from hlsmem.check.rebuilt.run_prefix import Prefix
from hlsmem.check.replayed.replay_check import Disagreement, outcomes_of, run_of, runs_of
from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.accelerator_run import accelerator_verdict, sources_of_memories
from hlsmem.check.rtl.access_log import RunAccesses, read_log
from hlsmem.check.rtl.bench_vectors import RUNS, BenchRun, bench_vectors, runs_for
from hlsmem.check.rtl.bench_witness import fault_text
from hlsmem.check.rtl.expected_beats import StreamBeats, Traffic, empty_stream, traffic
from hlsmem.check.rtl.simulated_device import READ, WRITE, Device, DeviceStream, read_device
from hlsmem.check.rtl.simulation_frame import LOG, TOP, frame_text
from hlsmem.check.rtl.step_pace import other_interval
from hlsmem.check.rtl.stepper_bench import check_steppers
from hlsmem.check.rtl.tag_replay import replay, wrong_address
from hlsmem.check.verilog_text.combinational_paths import (
    other_paths,
    path_faults,
    paths_of,
    paths_text,
)
from hlsmem.check.verilog_text.described_files import misfiled, no_verilog, other_cycles
from hlsmem.check.verilog_text.library_equivalence import equality_of
from hlsmem.check.verilog_text.lint import find_yosys, lint, yosys_check
from hlsmem.check.verilog_text.readback import read_back
from hlsmem.core.budgets import ACCESSES
from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import LimitError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.verilog_library import plain
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.plan import Plan
from hlsmem.program.model import ConflictInput, Program
from hlsmem.program.options import Design
from hlsmem.program.predicate_reads import predicate_reading, with_predicate_reads
from hlsmem.tools.bench_simulation import SimulationRun, simulate
from hlsmem.tools.foreign_verilog import foreign
from hlsmem.tools.simulators import Simulator, find_simulator, require_cocotb

CHECK = "rtl"
# A simulation of its own accord stops where nothing moves; these are for one that does not.
_LEAST_SECONDS = 120.0
_SECONDS_A_BEAT = 0.005
_RUNS_OF_OUTCOMES = (
    BenchRun(name="without stalls"),
    BenchRun(name="stalls", stall=0.1, seed=2),
)
# The place of the first outcome that the program itself decides.
_FIRST_DRAWN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Results of one simulation: the bench's records, run by run, and the accesses of each.

    `waves` says where the signals over time are, or why nowhere; "" if they were not asked for.
    """

    records: tuple[Mapping[str, Any], ...]
    runs: tuple[RunAccesses, ...]
    outcome: SimulationRun
    waves: str = ""

    def came_to_an_end(self) -> bool:
        return not self.outcome.stopped and not any(record["fault"] for record in self.records)


def check_rtl(
    out: Path,
    design: Design,
    program: Program | None,
    plan: Plan,
    document: Mapping[str, Any],
    description: Path,
    *,
    waves: bool = False,
    simulator: Simulator | None = None,
    prefix: Prefix | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts on the Verilog in `out`: on the whole design, then on every array.

    The file `description` says what the Verilog is. With a `prefix` that beginning of the run is
    simulated. With `waves`, `out/sim/<design>.fst` (Icarus) or `.vcd` (Verilator) is written.
    Raises ToolError without a simulator or cocotb, InputError where `out` lacks what it needs.
    """
    require_cocotb()
    simulator = simulator or find_simulator(os.environ.get("PATH", ""))
    equality = equality_of(f"{plan.design}_mem", find_yosys())
    unlisted = [*foreign(out / "rtl", equality), *misfiled(out / "rtl")]
    if unlisted:
        return (_verdict(plan.design, unlisted[0], _more(unlisted)),)
    if isinstance(design.input, ConflictInput):
        return check_steppers(
            out, design.input, document, plan.design, description, simulator=simulator
        )
    assert program is not None  # only a conflict set has none
    nothing = no_verilog(out, document, description)
    if nothing is not None:
        return (nothing,)
    device = read_device(description)
    for trouble in other_cycles(document, device.cycles):
        return (_verdict(device.top, trouble, ""),)
    outcomes = outcomes_of(program)
    made_of = with_predicate_reads(program)
    try:
        made, later = _recorded(program, plan, outcomes, prefix, has_state=bool(device.setting))
    except Disagreement as reason:
        return (_verdict(plan.design, str(reason), ""),)
    sources = sources_of_memories(out, plan)
    target = out / "sim" / plan.design if waves else None
    judged = []
    with scratch("hlsmem-rtl-") as folder:  # outcomes differ in their data, and share a build
        for number, run in enumerate(made):
            # Every way to stall is for the first; where instances are passed over, also for one
            # that is drawn. All others have the beats, or a mix of the beats, of these.
            thorough = number in ((0, _FIRST_DRAWN) if program.skips else (0,))
            judged.append(
                check_design(
                    made_of, in_outcome(device, document, outcomes[number]), sources, document,
                    run, simulator, waves=target, runs=None if thorough else _RUNS_OF_OUTCOMES,
                    static=number == 0, prefix=prefix, later=later, folder=folder,
                )
            )  # fmt: skip
            target = None
            if not all(verdict.fine for verdict in judged[-1]):
                break
    whole = accelerator_verdict(out, program, plan, simulator)
    return (*_of_all(judged, outcomes), *((whole,) if whole is not None else ()))


def _recorded(
    program: Program,
    plan: Plan,
    outcomes: Sequence[Outcome | None],
    prefix: Prefix | None,
    *,
    has_state: bool,
) -> tuple[list[Run | None], list[Run]]:
    """The run of each outcome, and of a program that `has_state` those of the frames behind it.

    A run is None where the original cannot be run. Raises Disagreement.
    """
    planned = [array for array in program.planned_arrays() if array.name in plan.arrays]
    try:
        made = [run for run, _ in runs_of(program, planned, prefix, outcomes=outcomes)]
        if not has_state or prefix is not None or len(made) != 1:
            return [*made], []
        frames = range(1, max(run.frames for run in RUNS))
        return [*made], [run_of(program, planned, before=frame)[0] for frame in frames]
    except NotUnderstood:
        return [None], []  # `replay` says why; here any values do


def in_outcome(device: Device, document: Mapping[str, Any], outcome: Outcome | None) -> Device:
    """The device with the cycles that plan.json has for an outcome, where they differ by run."""
    cycles = (document["timing"] or {}).get("cycles") or {"kind": "exact"}
    if cycles["kind"] == "exact":
        return device
    known = {one["seed"]: int(one["value"]) for one in cycles["runs"]}
    own = None if outcome is None else known.get(outcome.seed)
    return replace(device, cycles=own, bound=int(cycles["bound"]))


def _of_all(
    judged: Sequence[tuple[Verdict, ...]], outcomes: Sequence[Outcome | None]
) -> tuple[Verdict, ...]:
    """The verdicts on the first outcome, or on the one that fails."""
    if outcomes == (None,):
        return judged[0]
    seeds = tuple(one.seed for one in outcomes if one is not None)
    failed = outcomes[len(judged) - 1]
    if not all(verdict.fine for verdict in judged[-1]) and failed is not None:
        where = f"outcome {failed.seed} ({failed.kind}): "
        return tuple(
            one if one.fine else replace(one, detail=where + one.detail, outcomes=seeds)
            for one in judged[-1]
        )
    text = f"; the same in {len(judged)} outcomes of the conditions"
    # The first has most runs; arrays are told by the last, which the program itself decides.
    return tuple(
        replace(one, detail=one.detail + text, outcomes=seeds)
        for one in (judged[0][0], *judged[-1][1:])
    )


def check_design(
    program: Program,
    device: Device,
    sources: Sequence[Path],
    document: Mapping[str, Any],
    run: Run | None,
    simulator: Simulator,
    *,
    waves: Path | None = None,
    runs: Sequence[BenchRun] | None = None,
    static: bool = True,
    prefix: Prefix | None = None,
    later: Sequence[Run] = (),
    folder: Path | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts on one generated top: the whole design, then every array.

    `document` is plan.json, `run` the recorded run of the original (None: values made up), or the
    `prefix` of it that is simulated.
    With `waves` the signals over time go to that file (its suffix becomes .fst or .vcd).
    `static` False leaves out what is said without simulation. Of a program with state `later` are
    the runs behind the first, each with the state that the one before left. The simulation works in
    `folder`, or in one of its own.
    """
    complaints, structure = list[str](), ""
    if static:
        complaints, structure = _of_the_text(sources, device, document, simulator)
    if complaints:
        return (_verdict(device.top, complaints[0], _more(complaints)),)
    divided = divide(program, document)
    for array, fault in divided.faults.items():
        return (_verdict(array, fault, ""),)
    expected, within = _at_ports_and_within(program, run, prefix, device, divided)
    trouble = expected.disagreement or _of_other_streams(device, expected, within, divided)
    if trouble:
        return (_verdict(device.top, trouble, ""),)
    beats = sum(len(stream) for stream in expected.streams.values())
    _refuse_long_simulations(beats)
    runs = runs_for(device, beats, whole=prefix is None) if runs is None else runs
    if device.setting and not later:  # without values of later frames there are none
        runs = [replace(one, frames=1) for one in runs]
    frames = (expected, *(_of_the_run(program, one, None, device.streams) for one in later))
    registered = rules_of(document).slack > 0
    wired = wired_streams(document)
    vectors = bench_vectors(
        program, device, expected, runs, registered=registered, wired=wired, later=frames[1:]
    )
    seconds = _LEAST_SECONDS + _SECONDS_A_BEAT * beats * len(runs)
    free = {name for name, one in expected.streams.items() if not _matters(one)}
    simulated = run_bench(device, sources, vectors, simulator, seconds, waves, free, folder)
    whole = _judge_runs(simulated, device, frames, program, simulator, runs, prefix)
    if whole.fine and prefix is None and runs[0].is_plain and simulated.runs:
        pace = other_interval(document, expected.streams, simulated.runs[0])
        if pace:
            return (_verdict(device.top, pace, ""),)
    return (
        _with_more(whole, structure, simulated),
        *_judge_arrays(simulated, device, within, divided),
        *_judge_ports(device, expected, divided),
    )


def _of_the_text(
    sources: Sequence[Path], device: Device, document: Mapping[str, Any], simulator: Simulator
) -> tuple[list[str], str]:
    """Faults of the Verilog as text, and what is said of its structure where there are none."""
    found, structure = _of_the_structure(sources, device, document)
    static = static_faults(sources, device, simulator)
    return [*static, *_other_branches(sources, device, document), *found], structure


def _at_ports_and_within(
    program: Program, run: Run | None, prefix: Prefix | None, device: Device, divided: Divided
) -> tuple[Traffic, Traffic]:
    """The beats that are expected at the ports, and those of streams within.

    What goes by in parts is told by its elements: values do not matter there.
    """
    within = _of_the_run(program, run, prefix, device.streams)
    predicate_reads = predicate_reading(program)  # their streams end inside
    ports = {
        name: one for name, one in within.streams.items() if one.statement not in predicate_reads
    }
    expected = replace(within, streams=ports)
    if divided.program is program:
        return expected, within
    outcome = run if program.has_conditions else None
    return expected, _of_the_run(divided.program, outcome, prefix, device.traced)


def _with_more(whole: Verdict, structure: str, simulated: Simulated) -> Verdict:
    """The verdict on a whole design with what was seen of its `structure`, and where waves are."""
    if structure and whole.fine:
        whole = replace(whole, detail=f"{whole.detail}; {structure}")
    if simulated.waves:
        whole = replace(whole, detail=f"{whole.detail}; signals over time {simulated.waves}")
    return whole


def _matters(stream: StreamBeats) -> bool:
    """True if every operand of a read stream that is there has a value."""
    return stream.direction != READ or stream.free is None or not stream.free.any()


def static_faults(sources: Sequence[Path], device: Device, simulator: Simulator) -> Iterator[str]:
    """Faults found without simulation: lint, and the files read back by pyverilog."""
    for one in lint(sources, device.top, simulator):
        yield from (f"{one.tool}: {complaint}" for complaint in one.complaints)
    with contextlib.suppress(ImportError):
        yield from read_back(sources, device)


def _of_the_structure(
    sources: Sequence[Path], device: Device, document: Mapping[str, Any]
) -> tuple[list[str], str]:
    """Faults that Yosys finds, also in the paths through the top; and the report of those."""
    yosys = find_yosys()
    if yosys is None:
        return [], "no Yosys to find paths"
    read = yosys_check(sources, device.top, yosys)
    if read.complaints or read.module is None:
        return [f"{read.tool}: {complaint}" for complaint in read.complaints], ""
    paths = paths_of(read.module)
    registered = rules_of(document).slack > 0
    wrong = [*path_faults(paths, device, wired_streams(document), registered=registered)]
    wrong += other_paths(paths, document["paths"])
    return wrong, paths_text(paths)


def _other_branches(
    sources: Sequence[Path], device: Device, document: Mapping[str, Any]
) -> Iterator[str]:
    """Differences of the top's branch FIFOs from those of plan.json."""
    top = next((file for file in sources if file.name == f"{device.top}.v"), None)
    if top is not None:
        text = plain(top.read_text(encoding="utf-8"))
        users = {stream.name: stream.user_bits for stream in device.traced}
        yield from branch_faults(text, document["elastic"], users)


def run_bench(
    device: Device,
    sources: Sequence[Path],
    vectors: Mapping[str, Any],
    simulator: Simulator,
    seconds: float,
    waves: Path | None = None,
    free: Collection[str] = (),
    folder: Path | None = None,
) -> Simulated:
    """Simulate a device with the bench of `sim/` in `folder`, or in one of its own.

    Read streams in `free` have beats that mean nothing.
    """
    if folder is None:
        with scratch("hlsmem-rtl-") as own:
            return run_bench(device, sources, vectors, simulator, seconds, waves, free, own)
    build = folder / ("build" if waves is None else "waves")
    frame, log, results = folder / f"{TOP}.v", build / LOG, folder / "results.json"
    for earlier in (log, results):
        earlier.unlink(missing_ok=True)
    frame.write_text(frame_text(device, free), encoding="utf-8")
    (folder / "vectors.json").write_text(json.dumps(vectors), encoding="utf-8")
    outcome = simulate(
        simulator,
        top=TOP,
        bench="bench",
        bench_folder=resource_folder("sim"),
        sources=[*sources, frame],
        build=build,
        variables={
            "HLSMEM_VECTORS": str(folder / "vectors.json"),
            "HLSMEM_RESULTS": str(results),
        },
        seconds=seconds,
        waves=waves is not None,
    )
    kept = ""
    if waves is not None and outcome.waves is not None:
        kept = _kept(outcome.waves, waves.with_suffix(outcome.waves.suffix))
    records = json.loads(results.read_text()) if results.is_file() else []
    records = [record for record in records if record["fault"] or not record.get("partial")]
    faults = [record for record in records if record["fault"]]
    if not outcome.stopped and not outcome.passed and not faults:
        what = f"the bench itself failed:\n{outcome.last_lines()}"
        raise ToolError(Problem(what, "report it: this is not your design's fault"))
    return Simulated(
        records=tuple(records),
        runs=tuple(_accesses(log, device)),
        outcome=outcome,
        waves=kept,
    )


def _kept(waves: Path, target: Path) -> str:
    """Copy signals over time to OUT; where they are then, in words."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(waves, target)
    except OSError as error:
        return f"are not kept: {error.strerror}"
    return f"in {target.parent.name}/{target.name}"


def _accesses(log: Path, device: Device) -> list[RunAccesses]:
    if not log.is_file():
        return []
    with log.open(encoding="utf-8") as lines:
        return read_log(lines, device)


def _refuse_long_simulations(beats: int) -> None:
    if beats > ACCESSES:
        what = f"a simulation would compare {beats} beats, more than {ACCESSES}"
        remedy = "`--beats N` stops it after N beats of the longest stream"
        raise LimitError(Problem(what, remedy))


def _of_the_run(
    program: Program, run: Run | None, prefix: Prefix | None, made: Sequence[DeviceStream]
) -> Traffic:
    """The beats of all streams that are in the device, of a run or its beginning."""
    expected = traffic(program, run, prefix)
    streams = dict(expected.streams)
    for stream in made:
        if stream.name not in streams and not stream.beats:
            streams[stream.name] = empty_stream(
                stream.name, stream.array, stream.statement, stream.direction
            )
    return Traffic(streams, expected.instances, expected.disagreement)


def _of_other_streams(
    device: Device, expected: Traffic, within: Traffic, divided: Divided
) -> str | None:
    """Difference of a device's ports, or of its parts' streams, from those of the program."""
    arrays = {part.name for part in divided.parts}
    traced = [stream for stream in device.traced if stream.array in arrays]
    return _different_streams(device.streams, expected.streams) or _different_streams(
        traced, within.streams
    )


def _different_streams(
    streams: Sequence[DeviceStream], expected: Mapping[str, StreamBeats]
) -> str | None:
    made = {stream.name: stream.beats for stream in streams}
    needed = {name: stream.total + stream.passed for name, stream in expected.items()}
    for name in sorted(made.keys() | needed.keys()):
        if name not in made:
            return f"stream {name} with {counted(needed[name], 'beat')} is missing"
        if name not in needed:
            return f"stream {name} is not one of the program's"
        if made[name] != needed[name]:
            return f"stream {name} has {counted(made[name], 'beat')}, the program {needed[name]}"
    return None


def _judge_runs(
    simulated: Simulated,
    device: Device,
    expected_frames: Sequence[Traffic],
    program: Program,
    simulator: Simulator,
    runs: Sequence[BenchRun],
    prefix: Prefix | None,
) -> Verdict:
    """Beats, cycles and completeness of all runs; frames without a traffic of their own have that
    of the first."""
    expected = expected_frames[0]
    if simulated.outcome.stopped:
        return _verdict(device.top, "the simulation did not end and was stopped", "")
    for record, run in zip(simulated.records, simulated.runs, strict=False):
        if run.unruly is not None:
            return _verdict(device.top, run.unruly, f" (run {record['name']})")
    for record in simulated.records:
        if record["fault"]:
            fault = record["fault"]
            bits = 0
            if "stream" in fault:
                array = device.streams[fault["stream"]].array
                bits = program.arrays[array].element.bits
            number = record.get("frame", 0)
            own = expected_frames[number] if number < len(expected_frames) else expected
            text = fault_text(fault, device, own.streams, bits)
            text += f", in frame {number + 1}" if number else ""
            return _verdict(device.top, text, f" (run {record['name']})")
    frames = [(run, frame) for run in runs for frame in range(run.frames)]
    wanted = len(frames)
    if len(simulated.records) != wanted:
        return _verdict(device.top, f"{len(simulated.records)} of {wanted} runs were made", "")
    cycles = simulated.records[0]["cycles"]
    if prefix is None and device.cycles is not None and cycles != device.cycles:
        what = f"{counted(cycles, 'cycle')} measured, {device.cycles} predicted"
        return _verdict(device.top, what, _last_to_finish(simulated.runs))
    if prefix is None and device.bound is not None and cycles > device.bound:
        what = f"{counted(cycles, 'cycle')} measured, and no run is to take more than"
        return _verdict(device.top, f"{what} {device.bound}", _last_to_finish(simulated.runs))
    if not any(stream.is_early for stream in device.streams):  # else a later one waits for its fill
        for (planned, frame), record in zip(frames, simulated.records, strict=True):
            if planned.is_plain and record["cycles"] != cycles:
                what = f"{counted(record['cycles'], 'cycle')}, {cycles} in the first run"
                return _verdict(device.top, f"frame {frame + 1} with start held: {what}", "")
    beats = sum(len(stream) for stream in expected.streams.values())
    agreed = "predicted = measured" if device.cycles is not None else "measured, not predicted"
    if prefix is not None:
        agreed = f"{counted(prefix.beats, 'beat')} of {prefix.stream}"
    plain = sum(one.is_plain for one, _ in frames)
    detail = (
        f"{agreed} = {counted(cycles, 'cycle')}; {counted(beats, 'beat')} compared in each of "
        f"{wanted} runs: {wanted - plain} with stalls{_joined_text(runs)}"
        f" ({simulator.title})"
    )
    return Verdict(check=CHECK, subject=device.top, status=Status.PASS, detail=detail)


def _joined_text(runs: Sequence[BenchRun]) -> str:
    """Frames and resets of runs that follow each other, where there are any.

    >>> _joined_text([BenchRun(name="a", frames=3), BenchRun(name="b", resets=(4, 2))])
    ', 3 back to back, 2 resets'
    """
    held = max(run.frames for run in runs)
    resets = sum(len(run.resets) for run in runs)
    text = f", {held} back to back" if held > 1 else ""
    return text + (f", {counted(resets, 'reset')}" if resets else "")


def _last_to_finish(runs: Sequence[RunAccesses]) -> str:
    """The stream that finishes last, where a run without stalls takes another time than
    predicted."""
    if not runs or runs[0].last is None:
        return ""
    name = runs[0].last
    cycle = runs[0].streams[name].cycle[-1]
    return f"; {name} is the last to finish, in cycle {cycle}"


def _judge_arrays(
    simulated: Simulated, device: Device, expected: Traffic, divided: Divided
) -> Iterator[Verdict]:
    """Every access of every run replayed, for all arrays and parts that have addresses."""
    for array in dict.fromkeys(memory.array for memory in device.memories):
        planned = {array: planned_addresses(expected, array, divided)}
        own = {n: s for n, s in expected.streams.items() if s.array == array}
        # A window is for no schedule: its values find each other as it happens alone.
        is_window = any(part.name == array and part.is_window for part in divided.parts)
        orders = (True,) if is_window else (False, True)
        kept = planned[array] if divided.program.is_state(array) else None
        reads, fault = 0, None
        for number, run in enumerate(simulated.runs):
            found = [replay(run, own, device, array, kept, as_it_happened=one) for one in orders]
            reads += found[0].reads
            fault = (
                run.unknown
                or next((one.fault for one in found if one.fault), None)
                or wrong_address(run, own, planned)
                or run.stray
            )
            if fault:
                fault += f" (run {simulated.records[number]['name']})"
                break
        if fault:
            yield Verdict(check=CHECK, subject=array, status=Status.FAIL, detail=fault)
            continue
        detail = f"{counted(reads, 'recorded read')} replayed with tags: each found its own element"
        if simulated.came_to_an_end():
            yield Verdict(check=CHECK, subject=array, status=Status.PASS, detail=detail)
            continue
        detail = f"a run was broken off; until then {detail}"
        yield Verdict(check=CHECK, subject=array, status=Status.NOT_JUDGED, detail=detail)


def _judge_ports(device: Device, expected: Traffic, divided: Divided) -> Iterator[Verdict]:
    """Chains and FIFOs have no addresses: what they show depends on the beats, never on the time.

    So the comparison of the beats says all, if their values tell elements apart. The same holds of
    what forks and joins show of an array in several parts.
    """
    addressed = {memory.array for memory in device.memories}
    for array in dict.fromkeys(stream.array for stream in device.streams):
        if array not in addressed:
            yield _judge_port(array, expected, divided)


def _judge_port(array: str, expected: Traffic, divided: Divided) -> Verdict:
    reads = [s for s in expected.streams.values() if s.array == array and s.direction != WRITE]
    operands = sum(stream.value.size for stream in reads)
    detail = f"{operands} operands compared, as they came out"
    if divided.is_divided(array):
        detail += f", joined from {len(divided.of(array))} parts"
    return Verdict(check=CHECK, subject=array, status=Status.PASS, detail=detail)


def planned_addresses(expected: Traffic, array: str, divided: Divided) -> np.ndarray:
    """The address the plan gives to the element of each value of an array."""
    values = next(one.values for one in expected.streams.values() if one.array == array)
    (entry,) = (part.entry for part in divided.parts if part.name == array)
    folding, banked = read_folding(array, entry), read_banked(array, entry)
    if banked is not None:
        return cells(banked, values.element)
    return addresses(folding, values.element, divided.program.values)


def _verdict(subject: str, what: str, note: str) -> Verdict:
    return Verdict(check=CHECK, subject=subject, status=Status.FAIL, detail=f"{what}{note}")


def _more(complaints: Sequence[str]) -> str:
    return f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
