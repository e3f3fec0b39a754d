"""Frames through a whole accelerator and through the original: what differs, and where first."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hlsmem.check.c_runs.c_building import Builder, NoOriginal
from hlsmem.check.c_runs.c_interface import (
    Interface,
    NotCallable,
    interface_of,
    numpy_type,
)
from hlsmem.check.c_runs.fed_program import results_of
from hlsmem.check.design_under_check import DesignUnderCheck, load_subject
from hlsmem.check.rtl.port_words import array_in, elements_of, hexadecimal, words_of
from hlsmem.core.errors import InputError, MissingToolError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.emit.verilog.accelerator_bench import bench_files, bench_of
from hlsmem.frames.data_files import frames_in, unwritable
from hlsmem.frames.frame_array import FrameArray, extents_text
from hlsmem.frames.frame_simulation import Played, played
from hlsmem.frames.kept_build import BUILD, kept_build, key_of
from hlsmem.plan import Plan, PlannedAccelerator, PlannedPort
from hlsmem.program.model import Program
from hlsmem.tools.find import C_COMPILER, find
from hlsmem.tools.simulators import Simulator, find_simulator

LONG = 500_000
"""Beats of a port from which Verilator's run makes good for its build."""
_FRAMES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first word of an output that is not the original's: beat, element, and cycle.

    `found` is None where the word never came, or has x in it.
    """

    array: str
    frame: int
    subscript: tuple[int, ...]
    found: float | None
    expected: float
    cycle: int | None

    def __str__(self) -> str:
        place = f"{self.array}{extents_text(self.subscript)} of frame {self.frame}"
        if self.cycle is None:
            return f"{place} never comes; the original has {self.expected}"
        found = "unknown (x)" if self.found is None else self.found
        return f"{place} is {found}, the original has {self.expected}; cycle {self.cycle}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRun:
    """A run: how many `frames`, words `compared` and `wrong`, the first difference of each output.

    `results` are what came, by array; `recorded` the files of words by name, `faults` what breaks
    the rules of the streams. `period` are cycles from frame to frame, None of a single one, and
    `cycles` those of the whole run. `build` is what Verilator made anew, and a digest of its text.
    """

    design: str
    simulator: str
    frames: int
    compared: int
    wrong: int
    differences: tuple[Difference, ...]
    faults: tuple[str, ...]
    period: int | None
    cycles: int | None
    results: Mapping[str, tuple[FrameArray, np.ndarray]]
    recorded: Mapping[str, str]
    waves: bytes | None = None
    build: tuple[str, bytes] | None = None

    @property
    def passed(self) -> bool:
        return not self.differences and not self.faults


def run_frames(
    out: Path,
    files: Mapping[str, Path],
    *,
    frames: int | None = None,
    stall: int = 0,
    waves: bool = False,
) -> FrameRun:
    """Return what the accelerator in `out` makes of the frames in `files`, by array.

    Without files of arrays that come in they are drawn at random. `frames` of a file are sent over
    and over, if it has fewer. Raises InputError with all that is wrong with the files, or where
    there is no accelerator.
    """
    subject = load_subject(out)
    accelerator = subject.plan.accelerator
    if accelerator is None or subject.program is None:
        what = f"{out}: it has memories alone, and no datapath to run"
        raise InputError(Problem(what, "plan with `--set accelerator.build=whole`"))
    program = subject.program.apart
    try:
        interface = interface_of(program, dict(program.values))
        arrays = _arrays(program, interface, accelerator.ports)
        given = _frames(accelerator.ports, arrays, files, frames)
        with scratch("hlsmem-run-") as folder:
            return _ran(subject, accelerator, interface, arrays, given, folder, stall, waves)
    except (NoOriginal, NotCallable) as error:
        raise InputError(Problem(f"{out}: {error}", "make the C callable by itself")) from None


def _arrays(
    program: Program, interface: Interface, ports: Sequence[PlannedPort]
) -> dict[str, FrameArray]:
    """The arrays of the caller, by name; those of structs are members."""
    empty = _call(interface)
    return {one.array: _array(program, one.array, empty) for one in ports}


def _call(interface: Interface) -> dict[str, np.ndarray]:
    """The arrays of a call, of zeros."""
    return {
        one.name: np.zeros(one.extents or (1,), numpy_type(one.type, one.members))
        for one in interface.arrays
    }


def _calls(
    program: Program, interface: Interface, given: Mapping[str, np.ndarray]
) -> list[dict[str, np.ndarray]]:
    """The arrays of each call with the frames of all that comes in."""
    found = []
    for at in range(len(next(iter(given.values())))):
        arguments = _call(interface)
        for name, own in given.items():
            array_in(program, name, arguments)[...] = own[at]
        found.append(arguments)
    return found


def _array(program: Program, name: str, call: Mapping[str, np.ndarray]) -> FrameArray:
    array, own = program.arrays[name], array_in(program, name, call)
    ends = () if array.element.is_float else array.value_range
    least, greatest = [one.evaluate(dict(program.values)) for one in ends] or (0, 0)
    return FrameArray(
        name=array.name,
        extents=own.shape,
        element=array.element.name,
        least=int(least),
        greatest=int(greatest),
        kind=own.dtype,
    )


# Data.


def _frames(
    ports: Sequence[PlannedPort],
    arrays: Mapping[str, FrameArray],
    files: Mapping[str, Path],
    frames: int | None,
) -> dict[str, np.ndarray]:
    """The frames of each array that comes in, as many of each.

    Raises InputError with everything that is wrong with the files.
    """
    problems = list[Problem]()
    inputs = [one.array for one in ports if one.direction == "in"]
    outputs = [one.array for one in ports if one.direction == "out"]
    for name in files.keys() - arrays.keys():
        what = f"{name}={files[name]}: there is no array {name!r} outside"
        problems.append(Problem(what, f"name one of {', '.join([*inputs, *outputs])}"))
    given = dict[str, np.ndarray]()
    for name in inputs:
        if name in files:
            try:
                given[name] = frames_in(files[name], arrays[name])
            except InputError as error:
                problems += error.problems
        elif any(one in files for one in inputs):
            what = f"{name!r} comes in too, and has no file"
            problems.append(Problem(what, f"add {name}=FILE, or leave out all that come in"))
    numbers = {name: len(own) for name, own in given.items() if len(own) > 1}
    if len({*numbers.values()}) > 1:
        listed = ", ".join(f"{files[name]} {number}" for name, number in numbers.items())
        what = f"the files have different numbers of frames: {listed}"
        problems.append(Problem(what, "take as many of each, or one"))
    different = max(numbers.values(), default=1) if given else 1
    for name in outputs:
        try:
            why = unwritable(files[name], different, arrays[name]) if name in files else ""
        except InputError as error:
            problems += error.problems
            continue
        if why:
            what = f"{files[name]}: {why}"
            problems.append(Problem(what, "name a .npy, .npz, .csv or .raw"))
    if problems:
        raise InputError(*problems)
    if not given:
        return _drawn([arrays[name] for name in inputs], frames or _FRAMES)
    wanted = frames or different
    return {name: own[np.arange(wanted) % len(own)] for name, own in given.items()}


def _drawn(arrays: Sequence[FrameArray], frames: int) -> dict[str, np.ndarray]:
    """Random frames: a quarter of the elements are at the ends of their range; floats are from
    -1 to 1."""
    draw = np.random.default_rng(1)
    found = {}
    for one in arrays:
        shape = (frames, *one.extents)
        if one.is_float:
            found[one.name] = draw.uniform(-1, 1, shape).astype(one.kind)
            continue
        kind = np.uint64 if one.greatest > np.iinfo(np.int64).max else np.int64
        values = draw.integers(one.least, one.greatest, shape, dtype=kind, endpoint=True)
        ends = np.where(draw.random(shape) < 0.5, kind(one.least), kind(one.greatest))
        found[one.name] = np.where(draw.random(shape) < 0.25, ends, values).astype(one.kind)
    return found


# The run.


def _ran(
    subject: DesignUnderCheck,
    accelerator: PlannedAccelerator,
    interface: Interface,
    arrays: Mapping[str, FrameArray],
    given: Mapping[str, np.ndarray],
    folder: Path,
    stall: int,
    waves: bool,
) -> FrameRun:
    assert subject.program is not None
    program, plan = subject.program.apart, subject.plan
    folder = folder.resolve()
    builder = Builder(
        compiler=find(C_COMPILER),
        out=subject.out.resolve(),
        work=folder,
        program=program,
        plan=plan,
    )
    calls = _calls(program, interface, given)
    left = results_of(builder, interface, calls)
    elements = {
        one.name: elements_of(program, one, arrays[one.array].extents) for one in accelerator.ports
    }
    words = {
        one.name: np.concatenate(
            [
                words_of(program, one, array_in(program, one.array, frame))
                for frame in (calls if one.direction == "in" else left)
            ]
        )
        for one in accelerator.ports
    }
    recorded = {f"{one.name}.hex": hexadecimal(words[one.name], one) for one in accelerator.ports}
    bench = bench_of(plan)
    assert bench is not None
    texts = {Path(one.name).name: one.text for one in bench_files(bench)} | recorded
    for name, text in texts.items():
        (folder / name).write_text(text)
    beats = max(map(len, words.values()))
    sources = [*_sources(subject.out), folder / f"{bench.module}.v"]
    simulator, build = _simulator(beats, subject.out, sources, waves=waves)
    outputs = [one for one in accelerator.ports if one.direction == "out"]
    result = played(
        simulator,
        top=bench.module,
        sources=sources,
        folder=folder,
        outputs=[one.name for one in outputs],
        beats=beats,
        stall=stall,
        waves=waves,
        build=build,
    )
    judged = [
        _judged(one, arrays[one.array], elements[one.name], words[one.name], result)
        for one in outputs
    ]
    return FrameRun(
        design=plan.design,
        simulator=simulator.title,
        frames=len(calls),
        compared=sum(one.elements * len(words[one.name]) for one in outputs),
        wrong=sum(one[0] for one in judged),
        differences=tuple(one[1] for one in judged if one[1] is not None),
        faults=(*(() if result.passed else result.faults), *_pace(plan, result.period, stall)),
        period=result.period,
        cycles=result.total,
        results={
            one.array: (arrays[one.array], own[2]) for one, own in zip(outputs, judged, strict=True)
        },
        recorded=recorded,
        waves=None if result.waves is None else result.waves.read_bytes(),
        build=None
        if result.build in (None, build)
        else (key_of(simulator, sources, waves=waves), result.build),
    )


def _pace(plan: Plan, period: int | None, stall: int) -> Iterator[str]:
    """What is not as predicted of the cycles from frame to frame, where no port waits."""
    is_other = period is not None and plan.frame is not None and period != plan.frame
    if is_other and not stall:
        yield f"{period} cycles from frame to frame, plan.json has {plan.frame}"


def _simulator(
    beats: int, out: Path, sources: Sequence[Path], *, waves: bool
) -> tuple[Simulator, bytes | None]:
    """Verilator for a run of many beats, or where OUT keeps its build, if there is one; else what
    there is. The build of before, where it is of this Verilog."""
    path = os.environ.get("PATH", "")
    if beats >= LONG or (out / BUILD).is_file():
        with contextlib.suppress(MissingToolError):
            simulator = find_simulator(path, "verilator")
            build = kept_build(out, key_of(simulator, sources, waves=waves))
            if beats >= LONG or build is not None:
                return simulator, build
    return find_simulator(path), None


def _sources(out: Path) -> list[Path]:
    """The Verilog of a folder, as its list has it."""
    try:
        names = (out / "rtl/files.f").read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        what = f"{out / 'rtl/files.f'} cannot be read"
        raise InputError(Problem(what, "plan again")) from None
    return [out / "rtl" / name for name in names]


def _judged(
    port: PlannedPort,
    array: FrameArray,
    elements: np.ndarray,
    expected: np.ndarray,
    result: Played,
) -> tuple[int, Difference | None, np.ndarray]:
    """How many words of an output are wrong, the first of them, and the frames that came."""
    beats, bits = len(elements), port.element_bits
    wanted = _lanes(expected, port)
    came, known = np.zeros(len(wanted), np.uint64), np.zeros(len(wanted), bool)
    found = _lanes(result.words[port.name], port)
    count = min(len(found), len(wanted))
    came[:count] = found[:count]
    known[:count] = np.repeat(result.known[port.name], port.elements)[:count]
    wrong = np.flatnonzero(~known | (came != wanted))
    frames = np.zeros((len(wanted) // beats, *array.extents), array.kind)
    places = tuple(np.tile(elements, (len(frames), 1)).T)
    values = _values(np.where(known, came, np.uint64(0)), array, bits)
    frames[(np.repeat(np.arange(len(frames)), beats), *places)] = values
    if not len(wrong):
        return 0, None, frames
    at = int(wrong[0])
    first = Difference(
        array=array.name,
        frame=at // beats,
        subscript=tuple(elements[at % beats].tolist()),
        found=values[at].item() if known[at] else None,
        expected=_values(wanted[at : at + 1], array, bits)[0].item(),
        cycle=None if at >= len(found) else int(result.cycles[port.name][at // port.elements]),
    )
    return len(wrong), first, frames


def _lanes(words: np.ndarray, port: PlannedPort) -> np.ndarray:
    """The elements in words of tdata, uint64."""
    bits = port.element_bits
    places = np.arange(port.elements, dtype=np.uint64) * np.uint64(bits)
    found: np.ndarray = words.astype(np.uint64)[:, np.newaxis] >> places
    return found.ravel() & np.uint64((1 << bits) - 1)


def _values(words: np.ndarray, array: FrameArray, bits: int) -> np.ndarray:
    """The numbers in elements of tdata of so many bits, in the type of the array."""
    own = array.kind.itemsize * 8
    if array.is_float:
        return words.astype(f"u{array.kind.itemsize}").view(array.kind)
    above = np.uint64(64 - min(own, bits))
    high = words << above
    if array.kind.kind == "i":
        return (high.view(np.int64) >> above.astype(np.int64)).astype(array.kind)
    return (high >> above).astype(array.kind)
