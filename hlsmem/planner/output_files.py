"""The last arrow: from a planning to the files of OUT."""

from __future__ import annotations

from hlsmem.emit.archive import verifier
from hlsmem.emit.c import emit_host
from hlsmem.emit.picture import picture_files
from hlsmem.emit.verilog.verilog_files import rtl_files, stepper_files
from hlsmem.lifetime.live_curve import life_curves
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.sections import DifferencePlot, difference_plot
from hlsmem.plan import ArrayPlan, notes_json, to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import SourceFile


def output_files(planning: Planning) -> dict[str, str]:
    """The files of OUT by name: plan.json, design/, host/, rtl/, pictures/."""
    found = described_files(planning)
    return {name: text for name, text in found.items() if not name.startswith("sim/")}


def described_files(planning: Planning) -> dict[str, str]:
    """These, and sim/<design>.json, which describes the Verilog to the benches of `check`."""
    drawn = host_files(planning) | pictures(planning)
    return simulated_files(planning) | drawn | {"verify.py": verifier()}


def host_files(planning: Planning) -> dict[str, str]:
    """Those of them that are host C, of a planning with its C; none outside of its class."""
    host = planning.host
    if host is None or planning.folded.is_outside_of_its_class:
        return {}
    emitted = emit_host(
        planning.design,
        host.program,
        host.mappings,
        host.why_not,
        versions=host.versions,
        text=host.text,
    )
    return {one.name: one.text for one in emitted}


def simulated_files(planning: Planning) -> dict[str, str]:
    """Those of them that a run is played from: plan.json, design/, rtl/, sim/."""
    design = planning.design
    files = {"plan.json": to_json(planning.plan), "notes.json": notes_json(planning.plan)}
    if design.kernel is not None:
        files["design/normal.c"] = design.kernel.normal
    files |= {f"design/{source.name}": source.text for source in design.sources}
    verilog = () if planning.folded.is_outside_of_its_class else _verilog(planning)
    return files | {source.name: source.text for source in verilog}


def pictures(planning: Planning) -> dict[str, str]:
    """The pictures of arrays that need more than a register."""
    arrays = planning.plan.arrays
    drawn = [one for one in planning.problems if arrays[one.array.name].hardware.words > 1]
    plots = {one.array.name: _lattice(one, arrays[one.array.name]) for one in drawn}
    return picture_files(
        planning.plan,
        life_curves(planning.program, drawn) if planning.program and drawn else {},
        {name: plot for name, plot in plots.items() if plot is not None},
    )


def _lattice(problem: StorageProblem, array: ArrayPlan) -> DifferencePlot | None:
    """The conflicts with the lattice of what holds an array: of a part that has one, else of C."""
    of_c = () if array.host is None else (array.host.cells.mapping,)
    mappings = (*(part.mapping for part in array.hardware.parts), *of_c)
    found = next((one for one in mappings if one is not None and one.cells > 1), None)
    return None if found is None else difference_plot(problem, found)


def _verilog(planning: Planning) -> tuple[SourceFile, ...]:
    if planning.program is None:
        return stepper_files(planning.plan)
    if planning.prediction is None or not planning.circuits:
        return ()
    joined = [junction for one in planning.storage.values() for junction in one.junctions]
    own = planning.program, planning.plan, planning.circuits, planning.prediction
    return rtl_files(*own, joined)
