"""The check `rtl` of a whole accelerator: frames through its top, against the original in C."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_building import Builder, NoOriginal
from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import (
    Interface,
    NotCallable,
    interface_of,
    with_inputs,
)
from hlsmem.check.c_runs.c_programs import ending
from hlsmem.check.c_runs.fed_program import arrays_in
from hlsmem.check.c_runs.run_inputs import inputs_of
from hlsmem.check.rtl.port_words import array_in, hexadecimal, words_of
from hlsmem.check.verilog_text.lint import lint
from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import Problem, ToolError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.plan import Plan, PlannedPort
from hlsmem.program.model import Program
from hlsmem.tools.bench_simulation import simulate
from hlsmem.tools.find import C_COMPILER, find
from hlsmem.tools.run import run
from hlsmem.tools.simulators import Simulator

_FRAMES = 4
_BEATS = 40_000
"""Beats of a frame up to which several are simulated."""
_SECONDS = 600.0


def accelerator_verdict(
    out: Path, program: Program, plan: Plan, simulator: Simulator
) -> Verdict | None:
    """Return the verdict on the top of a whole accelerator; None where there is none.

    Frames of random data go back to back through it, with and without stalls on every port, with a
    reset in the middle of a frame, and with a tlast too early.
    """
    if plan.accelerator is None:
        return None
    top, ports = plan.accelerator.top, plan.accelerator.ports
    for one in lint(sorted((out / "rtl").glob("*.v")), top, simulator):
        for complaint in _of_generated(one.complaints, plan):
            detail = f"{one.tool}: {complaint}"
            return Verdict(check="rtl", subject=top, status=Status.FAIL, detail=detail)
    try:
        with scratch("hlsmem-accelerator-") as folder:
            words = _words(out, folder.resolve(), program, plan)
            made = _simulated(out, folder, plan, words, simulator)
    except (NoOriginal, NotCallable) as error:
        return Verdict(check="rtl", subject=top, status=Status.NOT_JUDGED, detail=str(error))
    fault = _fault(made, plan.frame)
    recorded = {f"{one.name}.hex": hexadecimal(words[one.name], one) for one in ports}
    if fault:
        return Verdict(
            check="rtl", subject=top, status=Status.FAIL, detail=fault, recorded=recorded
        )
    periods = made[0]["periods"]
    frames = len(next(iter(words.values()))) // max(1, ports[0].beats)
    detail = f"{counted(frames, 'frame')} as by the original, with stalls and after a reset"
    if periods:
        said = "" if plan.frame is None else "predicted = measured = "
        detail += f"; {said}{periods[-1]} cycles from frame to frame"
    return Verdict(check="rtl", subject=top, status=Status.PASS, detail=detail, recorded=recorded)


def sources_of_memories(out: Path, plan: Plan) -> list[Path]:
    """Return the Verilog of the memories, without that of processes and of what is around them."""
    found = sorted((out / "rtl").glob("*.v"))
    if plan.accelerator is None:
        return found
    own = {plan.accelerator.top, *(one.name for one in plan.accelerator.processes)}
    own |= {f"{name}_{part}" for name in own for part in ("process", "walk")}
    own |= {Path(one.file).stem for one in plan.accelerator.functions}
    return [one for one in found if one.stem not in own and "hlsmem_multiply" not in one.stem]


def _of_generated(complaints: Sequence[str], plan: Plan) -> list[str]:
    """The complaints that are not warnings of the user's modules; nor of how many there were."""
    assert plan.accelerator is not None
    files = {one.file for one in plan.accelerator.functions}
    found = [
        one
        for one in complaints
        if "warning" not in one.lower() or not any(f"/{file}:" in one for file in files)
    ]
    ends = [one for one in found if files and one.startswith("%Error: Exiting due to")]
    return [] if len(ends) == len(found) else found


# Data.


def _words(out: Path, folder: Path, program: Program, plan: Plan) -> dict[str, list[int]]:
    """The words of all frames at each port: inputs as drawn, outputs as the original has them."""
    program = program.apart
    accelerator = plan.accelerator
    assert accelerator is not None
    values = dict(program.values)
    drawn = with_inputs(interface_of(program, values), inputs_of(program))
    builder = Builder(
        compiler=find(C_COMPILER), out=out.resolve(), work=folder, program=program, plan=plan
    )
    (folder / "harness.c").write_text(harness(drawn), encoding="utf-8")
    builder.build_original(folder, drawn, values, folder / "original")
    frames = _FRAMES if max(one.beats for one in accelerator.ports) <= _BEATS else 1
    found: dict[str, list[int]] = {one.name: [] for one in accelerator.ports}
    for seed in range(1, frames + 1):
        before = _arrays(builder, folder, drawn, seed, "inputs")
        after = _arrays(builder, folder, drawn, seed)
        for port in accelerator.ports:
            call = before if port.direction == "in" else after
            own = words_of(program, port, array_in(program, port.array, call))
            found[port.name] += [int(one) & ((1 << port.bits) - 1) for one in own]
    return found


def _arrays(
    builder: Builder, folder: Path, interface: Interface, seed: int, *asked: str
) -> Mapping[str, np.ndarray]:
    """The arrays that a call is given, or leaves, by name."""
    target = folder / "bytes"
    command = [str(folder / "original"), str(target), str(seed), *asked]
    finished = run(command, folder=folder, seconds=_SECONDS, sandbox=builder.sandbox())
    if not finished.succeeded:
        raise NoOriginal(f"the original {ending(finished)}")
    return dict(arrays_in(target.read_bytes(), interface))


# Simulation.


def _runs(ports: Sequence[PlannedPort]) -> list[dict[str, Any]]:
    """The runs; in the last ones the tlast of one port is wrong in a beat of the first frame."""
    plain: dict[str, Any] = {"stall": 0, "seed": 1, "reset": 0, "misplaced": {}}
    return [
        {**plain, "name": "without stalls"},
        {**plain, "name": "stalls in 40 % of the cycles", "stall": 40},
        {**plain, "name": "stalls in 80 % of the cycles", "stall": 80, "seed": 2},
        {
            **plain,
            "name": "a reset in the middle of a frame",
            "stall": 20,
            "reset": ports[0].beats // 2,
        },
        *(
            {
                **plain,
                "name": f"a wrong {one.name}_tlast",
                "misplaced": {one.name: one.beats // 3},
            }
            for one in ports
            if one.direction == "in"
        ),
    ]


def _simulated(
    out: Path,
    folder: Path,
    plan: Plan,
    words: Mapping[str, Sequence[int]],
    simulator: Simulator,
) -> list[dict[str, Any]]:
    accelerator = plan.accelerator
    assert accelerator is not None
    ports = [
        {"name": one.name, "direction": one.direction, "beats": one.beats, "words": words[one.name]}
        for one in accelerator.ports
    ]
    vectors = {"ports": ports, "runs": _runs(accelerator.ports)}
    (folder / "vectors.json").write_text(json.dumps(vectors), encoding="utf-8")
    results = folder / "results.json"
    outcome = simulate(
        simulator,
        top=accelerator.top,
        bench="accelerator_bench",
        bench_folder=resource_folder("sim"),
        sources=sorted((out / "rtl").glob("*.v")),
        build=folder / "build",
        variables={
            "HLSMEM_VECTORS": str(folder / "vectors.json"),
            "HLSMEM_RESULTS": str(results),
        },
        seconds=_SECONDS,
    )
    if not results.is_file():
        what = f"the bench of {accelerator.top} did not end:\n{outcome.last_lines()}"
        raise ToolError(Problem(what, "report it: this is not your design's fault"))
    found: list[dict[str, Any]] = json.loads(results.read_text())
    return found


def _fault(made: Sequence[Mapping[str, Any]], frame: int | None) -> str:
    """What is wrong with the first run that is; "" where none is.

    The first is the one in which nobody waits: it has as many cycles from `frame` to frame.
    """
    for one in made:
        if one["fault"]:
            return f"{one['name']}: {one['fault']}"
        others = [own for own in made[0]["periods"] if own != frame]
        if frame is not None and others:
            return f"{others[0]} cycles from frame to frame, plan.json has {frame}"
        if bool(one["errors"]) != one["name"].startswith("a wrong"):
            return f"{one['name']}: error is high in {counted(one['errors'], 'cycle')}"
    return ""
