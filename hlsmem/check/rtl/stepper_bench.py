"""The check `rtl` of a conflict set: steppers against the mapping, RAMs against a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from hlsmem.check.plans.plan_holdings import whole
from hlsmem.check.plans.plan_mapping import Folding, read_folding
from hlsmem.check.rtl.expected_beats import element_text
from hlsmem.check.rtl.simulation_frame import TOP
from hlsmem.check.verilog_text.lint import lint
from hlsmem.check.verilog_text.readback import read_back
from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import ConflictInput, ConflictSet
from hlsmem.tools.bench_simulation import simulate
from hlsmem.tools.simulators import Simulator

CHECK = "rtl"
_STARTS = 60
_STEPS = 40  # from each start
_FREE_RANGE = 64  # coordinates of starts where the design gives no elements
_SECONDS = 600.0

Element = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepperDevice:
    """One array of the description: its modules; `parts` are (stride, bits), slowest first."""

    array: str
    ram: str
    stepper: str
    cells: int
    bits: int
    cell_bits: int
    load_bits: int
    parts: tuple[tuple[int, int], ...]


def read_steppers(file: Path) -> tuple[StepperDevice, ...]:
    """The devices described by `file`; raises InputError if it is missing or malformed."""
    try:
        return tuple(
            StepperDevice(
                **{key: entry[key] for key in ("array", "ram", "stepper", "cells", "bits")},
                cell_bits=int(entry["cell_bits"]),
                load_bits=int(entry["load_bits"]),
                parts=tuple((part["stride"], part["bits"]) for part in entry["parts"]),
            )
            for entry in json.loads(file.read_text(encoding="utf-8"))["steppers"]
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        what = f"{file}: not a complete description ({type(error).__name__}: {error})"
        raise InputError(Problem(what, "run `hlsmem plan` again")) from None


def check_steppers(
    out: Path,
    given: ConflictInput,
    document: Mapping[str, Any],
    name: str,
    description: Path,
    *,
    simulator: Simulator,
    static: bool = True,
) -> tuple[Verdict, ...]:
    """One verdict an array of a conflict set named `name`; `document` is plan.json.

    Raises InputError where `out` lacks what it needs.
    """
    devices = read_steppers(description)
    if not devices:
        return ()
    sources = sorted((out / "rtl").glob("*.v"))
    if static:
        faults = _static_faults(sources, devices, simulator)
        if faults:
            return (_fail(name, faults[0]),)
    tests = [_test(device, given, document) for device in devices]
    vectors = [{"name": test.device.array, "cycles": test.cycles} for test in tests]
    found = _simulate(sources, devices, vectors, simulator)
    return tuple(_verdict(test, found.get(test.device.array)) for test in tests)


def _static_faults(
    sources: Sequence[Path], devices: Sequence[StepperDevice], simulator: Simulator
) -> list[str]:
    found = []
    for top in (module for device in devices for module in (device.ram, device.stepper)):
        for one in lint(sources, top, simulator):
            found += [f"{one.tool}: {complaint}" for complaint in one.complaints]
    try:
        return found + list(read_back(sources, None))
    except ImportError:
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """The test of a device: its walk, and the inputs and outputs of every cycle."""

    device: StepperDevice
    conflict: ConflictSet
    walk: list[_Move]
    cycles: list[dict[str, Any]]


def _test(device: StepperDevice, given: ConflictInput, document: Mapping[str, Any]) -> _Test:
    entry = whole(document["arrays"][device.array])
    assert entry is not None
    folding = read_folding(device.array, entry)
    conflict = given.conflicts[device.array]
    walk = _walk(conflict, given.values, folding.rank, Random(7))
    return _Test(device=device, conflict=conflict, walk=walk, cycles=_cycles(device, folding, walk))


def _cycles(device: StepperDevice, folding: Folding, walk: Sequence[_Move]) -> list[dict[str, Any]]:
    """Inputs of every cycle, and the outputs due in it."""
    random = Random(8)
    cells: dict[int, int] = {}
    latch: int | None = None
    shown: int | None = None
    made = []
    for move in walk:
        write, read = (random.randrange(device.cells) for _ in range(2))
        ram = {
            "w_en": int(random.random() < 0.6),
            "w_cell": write,
            "w_data": random.getrandbits(device.bits),
            "r_en": int(random.random() < 0.6),
            "r_cell": read,
        }
        made.append({**_inputs(device, folding, move), **ram, "cell_now": shown, "r_data": latch})
        shown = _cell(folding, move.element)
        if ram["r_en"]:
            latch = cells.get(read)
        if ram["w_en"]:
            cells[write] = ram["w_data"]
    return made


@dataclass(frozen=True, slots=True)
class _Move:
    """One cycle: a load, a step by `direction` along `dimension`, or nothing; then `element`."""

    element: Element
    load: bool = False
    dimension: int | None = None
    direction: int = 0

    def text(self, conflict: ConflictSet) -> str:
        if self.load:
            return "a load"
        if self.dimension is None:
            return "no step"
        way = "up" if self.direction > 0 else "down"
        return f"a step {way} along {conflict.array.index[self.dimension]}"


def _walk(
    conflict: ConflictSet, values: Mapping[str, int], rank: int, random: Random
) -> list[_Move]:
    """Random walks from random starts, inside the given elements if there are any."""
    inside: set[Element] | None = None
    if conflict.elements is not None:
        rows = distinct_points(fix_parameters(conflict.elements, values)).tolist()
        inside = {tuple(row) for row in rows}
    moves = []
    ordered = sorted(inside) if inside else None
    for _ in range(_STARTS):
        if ordered is not None:
            element = random.choice(ordered)
        else:
            element = tuple(random.randint(-_FREE_RANGE, _FREE_RANGE) for _ in range(rank))
        moves.append(_Move(element, load=True))
        for _ in range(_STEPS if rank else 0):
            dimension, direction = random.randrange(rank), random.choice((1, -1))
            onward = tuple(x + direction * (k == dimension) for k, x in enumerate(element))
            if (inside is not None and onward not in inside) or random.random() < 0.1:
                moves.append(_Move(element))
                continue
            element = onward
            moves.append(_Move(element, dimension=dimension, direction=direction))
    return [*moves, _Move(moves[-1].element)]


def _components(folding: Folding, element: Element) -> list[int]:
    rows = folding.pieces[0].rows
    return [
        (sum(c * x for c, x in zip(row.coefficients, element, strict=True)) + row.offset)
        % row.modulus
        for row in rows
    ]


def _cell(folding: Folding, element: Element) -> int:
    strides = folding.pieces[0].strides()
    components = _components(folding, element)
    return sum(s * c for s, c in zip(strides, components, strict=True))


def _inputs(device: StepperDevice, folding: Folding, move: _Move) -> dict[str, int]:
    """The stepper's inputs; a load has the components side by side, each times its stride."""
    load_cell = 0
    components = _components(folding, move.element)
    for (stride, bits), component in zip(device.parts, components, strict=True):
        load_cell = load_cell << bits | stride * component
    return {
        "load": int(move.load),
        "load_cell": load_cell if move.load else 0,
        "step": int(move.dimension is not None),
        "dim": move.dimension or 0,
        "down": int(move.direction < 0),
    }


def _simulate(
    sources: Sequence[Path],
    devices: Sequence[StepperDevice],
    vectors: Sequence[Mapping[str, Any]],
    simulator: Simulator,
) -> dict[str, list[Any]]:
    """The first difference of each array that has one: cycle, port, seen, due."""
    with scratch("hlsmem-rtl-") as folder:
        frame, results = folder / f"{TOP}.v", folder / "results.json"
        frame.write_text(_frame(devices, sources), encoding="utf-8")
        (folder / "vectors.json").write_text(json.dumps(list(vectors)), encoding="utf-8")
        run = simulate(
            simulator,
            top=TOP,
            bench="stepper_bench",
            bench_folder=resource_folder("sim"),
            sources=[*sources, frame],
            build=folder / "build",
            variables={
                "HLSMEM_VECTORS": str(folder / "vectors.json"),
                "HLSMEM_RESULTS": str(results),
            },
            seconds=_SECONDS,
        )
        if not run.passed:
            what = f"the bench itself failed:\n{run.last_lines()}"
            raise ToolError(Problem(what, "report it: this is not your design's fault"))
        found: dict[str, list[Any]] = json.loads(results.read_text())
        return found


def _frame(devices: Sequence[StepperDevice], sources: Sequence[Path]) -> str:
    """A top with the RAM and the stepper of every array side by side."""
    ports, body = ["input wire clk"], []
    texts = {source.stem: source.read_text(encoding="utf-8") for source in sources}
    for number, device in enumerate(devices):
        stepper = {"load": 1, "load_cell": device.load_bits, "step": 1, "down": 1}
        stepper["dim"] = _dim_bits(texts.get(device.stepper, ""))
        ram = {"w_en": 1, "w_cell": device.cell_bits, "w_data": device.bits, "r_en": 1}
        ram["r_cell"] = device.cell_bits
        outputs = {"cell_now": device.cell_bits, "r_data": device.bits}
        for port, bits in (stepper | ram).items():
            ports.append(f"input wire [{bits - 1}:0] a{number}_{port}")
        for port, bits in outputs.items():
            ports.append(f"output wire [{bits - 1}:0] a{number}_{port}")
        for module, names, fixed in (
            (device.stepper, (*stepper, "cell_now"), ".clk(clk), .rst(1'b0), "),
            (device.ram, (*ram, "r_data"), ".clk(clk), "),
        ):
            wired = ", ".join(f".{port}(a{number}_{port})" for port in names)
            body.append(f"    {module} {module}_u ({fixed}{wired});")
    header = ",\n    ".join(ports)
    return "\n".join([f"module {TOP} (", f"    {header}", ");", *body, "endmodule", ""])


def _dim_bits(text: str) -> int:
    """The width of the stepper's `dim`, from its own text."""
    for line in text.splitlines():
        if line.strip().startswith("input") and line.strip().rstrip(",").endswith(" dim"):
            return int(line.split("[")[1].split(":")[0]) + 1 if "[" in line else 1
    return 1


def _verdict(test: _Test, fault: list[Any] | None) -> Verdict:
    device = test.device
    if fault is None:
        steps = counted(sum(move.dimension is not None for move in test.walk), "step")
        reads = counted(sum(cycle["r_en"] for cycle in test.cycles), "read")
        detail = (
            f"{device.stepper} and the mapping agree in {steps}, "
            f"{device.ram} and a model in {reads}"
        )
        return Verdict(check=CHECK, subject=device.array, status=Status.PASS, detail=detail)
    cycle, port, seen, due = fault
    shown = int(seen, 2) if set(seen) <= {"0", "1"} else seen
    if port != "cell_now":
        what = f"{device.ram}: {port} is {shown}, not {due}, at cycle {cycle}"
        return _fail(device.array, what)
    move = test.walk[cycle - 1]
    element = element_text(device.array, move.element)
    what = f"{element} is in cell {shown}, not {due}, at cycle {cycle}"
    return _fail(device.array, f"{device.stepper}: {what} after {move.text(test.conflict)}")


def _fail(subject: str, what: str) -> Verdict:
    return Verdict(check=CHECK, subject=subject, status=Status.FAIL, detail=what)
