"""reports/faults.md: faults planted in every example, and the check that catches each.

Faults in the Verilog are edits of its text (`tests.faults.verilog`); the modulus is also
made too small in plan.json, for the checks that never see the Verilog.
"""

from __future__ import annotations

import copy
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hlsmem.check.plans.proof_check import check_proof
from hlsmem.check.replayed.replay_check import check_replay, run_of
from hlsmem.check.rtl.rtl_verdicts import check_design
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.errors import HlsmemError, ToolError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.plan import from_json, to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.read.design import load
from hlsmem.tools.simulators import find_simulator
from tests.faults.verilog import PlantedFault, planted_faults

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2

# Sizes at which a run takes a second and every loop still turns.
SMALL: Mapping[str, Mapping[str, int]] = {
    "blur": {"N": 8},
    "blur/tile": {"N": 16},
    "blur/tiled": {"N": 16},
    "durbin": {"N": 7},
    "half": {"N": 8},
    "heat2d": {"N": 6, "T": 3},
    "jacobi1d": {"N": 10, "T": 4},
    "matmul_relu": {"N": 4, "M": 3, "P": 3},
    "sobel": {"N": 8},
    "triangle": {"N": 7},
    "two_consumers": {"N": 12},
    "stencil5": {"N": 7, "M": 8},
    "bicubic": {"N": 6, "M": 8},
    "transpose": {"N": 8},
    "echo": {"N": 2570},  # from 2566 on every element is read
    "fifo": {"N": 1030},
    "window3": {"W": 12, "H": 6},
    "window3/unrolled": {"W": 16, "H": 6},
    "window5": {"W": 14, "H": 8},
}
MORE_ORDERS = ("blur", "jacobi1d", "half")

# Edits of cells only, or of enables: an address generator knows no timing, and every address and
# every tag of complete runs was compared, so an edit that changes none of them changes nothing at
# all.
TIMELESS = (
    "modulus minus one",
    "modulus minus one, one walker",
    "wrong step",
    "wrong coefficient",
    "wrong offset",
    "dropped write",
    "dropped read",
    "swapped copies",
)


AS_IT_IS = PlantedFault(kind="none", where="", files={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One planted fault and what became of it; `caught` False and no reason: a hole."""

    example: str
    kind: str
    where: str
    caught: bool
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignUnderCheck:
    """An example at a small size, with everything its checks need."""

    name: str
    planning: Planning
    program: Program
    document: Mapping[str, Any]


def subjects() -> Iterator[DesignUnderCheck]:
    """The examples that have streams, and some of them in the other order."""
    for file in sorted((ROOT / "examples").glob("*/*.yaml")):
        folder = file.parent.name
        name = folder if file.name == "design.yaml" else f"{folder}/{file.stem}"
        yield from subject_of(name, file, ())
        if name in MORE_ORDERS:
            yield from subject_of(f"{name}, order=iteration", file, ("order=iteration",))


def small(file: Path, settings: Sequence[str] = ()) -> Design:
    """An example at a small size; sizes of the other files of its folder are those of the first."""
    folder = file.parent.name
    sizes = SMALL.get(f"{folder}/{file.stem}", SMALL.get(folder, {}))
    known = load(file).input.values
    return load(file, parameters={k: sizes[k] for k in known if k in sizes}, settings=settings)


def subject_of(name: str, file: Path, settings: Sequence[str]) -> Iterator[DesignUnderCheck]:
    planning = plan_design(small(file, settings))
    if planning.program is None or not planning.plan.streams:
        return
    yield DesignUnderCheck(
        name=name,
        planning=planning,
        program=planning.program,
        document=json.loads(to_json(planning.plan)),
    )


def write_rtl(subject: DesignUnderCheck, out: Path) -> dict[str, str]:
    """Write the hardware of a subject into a folder; its Verilog by file name."""
    for name, text in simulated_files(subject.planning).items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return {file.name: file.read_text() for file in sorted((out / "rtl").glob("*.v"))}


def generated(files: Mapping[str, str]) -> dict[str, str]:
    """The files that are not of the library."""
    return {name: text for name, text in files.items() if not name.startswith("hlsmem_")}


def outcomes(subject: DesignUnderCheck) -> Iterator[Outcome]:
    """Every fault planted in a subject; raises if it does not pass as it is."""
    yield from _plan_outcomes(subject)
    with tempfile.TemporaryDirectory(prefix="hlsmem-faults-") as name:
        out = Path(name)
        files = write_rtl(subject, out)
        wrong = [v.detail for v in _checked(subject, out, AS_IT_IS) if not v.fine]
        if wrong:
            raise AssertionError(f"{subject.name} does not pass as it is: {wrong[0]}")
        faults = list(planted_faults(generated(files)))
        with ThreadPoolExecutor(WORKERS) as pool:
            yield from pool.map(lambda fault: rtl_outcome(subject, out, fault), faults)


def _checked(subject: DesignUnderCheck, out: Path, fault: PlantedFault) -> tuple[Verdict, ...]:
    device = read_device(out / "sim" / f"{subject.planning.plan.design}.json")
    run, _ = run_of(subject.program, subject.program.planned_arrays())
    with tempfile.TemporaryDirectory(prefix="hlsmem-fault-") as name:
        for file in (out / "rtl").glob("*.v"):
            text = fault.files.get(file.name, file.read_text(encoding="utf-8"))
            (Path(name) / file.name).write_text(text, encoding="utf-8")
        sources = sorted(Path(name).glob("*.v"))
        simulator = find_simulator(os.environ["PATH"])
        return check_design(
            subject.program, device, sources, subject.document, run, simulator, static=False
        )


def rtl_outcome(subject: DesignUnderCheck, out: Path, fault: PlantedFault) -> Outcome:
    try:
        verdicts = _checked(subject, out, fault)
        ways = [_way(verdict) for verdict in verdicts if verdict.status is Status.FAIL]
    except ToolError:
        ways = ["does not compile"]
    by = ", ".join(dict.fromkeys(ways)) or _equivalence(fault)
    return Outcome(
        example=subject.name,
        kind=fault.kind,
        where=fault.where,
        caught=bool(ways),
        by=by,
    )


def _way(verdict: Verdict) -> str:
    """How the check `rtl` saw it."""
    if verdict.subject.endswith("_mem"):
        if "no progress" in verdict.detail or "busy falls" in verdict.detail:
            return "rtl: stuck or over too early"
        return "rtl: cycles" if "cycles measured" in verdict.detail else "rtl: beats"
    return "rtl: replay"


def _equivalence(fault: PlantedFault) -> str:
    if fault.kind in TIMELESS:
        return "equivalent: no address and no value that is read changes"
    return ""


def _plan_outcomes(subject: DesignUnderCheck) -> Iterator[Outcome]:
    """plan.json with a modulus one smaller, for `proof` and `replay`."""
    for array, entry in subject.document["arrays"].items():
        cells = entry["holdings"]["host"]["parts"][0]["mapping"]
        for number, value in enumerate(cells["pieces"][0]["modulus_value"]):
            if value < 2:
                continue
            document = copy.deepcopy(dict(subject.document))
            mapping = document["arrays"][array]["holdings"]["host"]["parts"][0]["mapping"]
            piece = mapping["pieces"][0]
            piece["modulus"][number] = f"{piece['modulus'][number]} - 1"
            piece["modulus_value"][number] = value - 1
            mapping["cells"] = mapping["cells"] // value * (value - 1)
            yield Outcome(
                example=subject.name,
                kind="modulus minus one",
                where=f"plan.json: {array}",
                **_plan_verdicts(subject, document),
            )
        for number, part in enumerate(entry["holdings"]["hardware"]["parts"]):
            if part["bank_basis"] is None:
                continue
            document = copy.deepcopy(dict(subject.document))
            basis = document["arrays"][array]["holdings"]["hardware"]["parts"][number]["bank_basis"]
            basis[0] = [basis[0][0], basis[0][1] + 1]
            yield Outcome(
                example=subject.name,
                kind="wrong bank basis",
                where=f"plan.json: {array}, part {number}",
                **_plan_verdicts(subject, document),
            )


def _plan_verdicts(subject: DesignUnderCheck, document: Mapping[str, Any]) -> dict[str, Any]:
    design, program = subject.planning.design, subject.program
    ways = []
    text = json.dumps(document)
    checks = {
        "proof": lambda: check_proof(subject.planning.plan.design, text),
        "replay": lambda: check_replay(design, program, from_json(text), document),
    }
    for name, check in checks.items():
        try:
            verdicts = check()
        except HlsmemError:
            ways.append("refused")
            break
        if not all(verdict.fine for verdict in verdicts):
            ways.append(name)
    missed = "" if ways else "the modulus is not minimal: a smaller one is valid too"
    return {"caught": bool(ways), "by": ", ".join(ways) or missed}


def table() -> str:
    """The whole report; raises where a fault is neither caught nor equivalent."""
    found = [outcome for subject in subjects() for outcome in outcomes(subject)]
    holes = [outcome for outcome in found if not outcome.by]
    if holes:
        raise AssertionError(f"neither caught nor equivalent: {holes}")
    caught = sum(outcome.caught for outcome in found)
    lines = [
        "# Planted faults",
        "",
        "Rebuilt by `make reports`. Every fault is a small edit of the generated Verilog (of",
        "plan.json where it says so) at a small size; linters are off, so that each is left to",
        "simulation and replay.",
        "",
        f"{len(found)} faults: {caught} caught, {len(found) - caught} equivalent, none missed.",
        "",
        "| example | fault | where | caught by |",
        "|---|---|---|---|",
    ]
    lines += [f"| {one.example} | {one.kind} | {one.where} | {one.by} |" for one in found]
    return "\n".join(lines) + "\n"


def main() -> None:
    (ROOT / "reports" / "faults.md").write_text(table(), encoding="utf-8")
