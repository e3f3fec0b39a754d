"""The last arrow: from a planning to the files of OUT, the verifier as one file among them."""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from hlsmem.core.user_files import from_bytes
from hlsmem.emit.c import emit_host
from hlsmem.emit.picture import picture_files
from hlsmem.emit.source_patch import SOURCE_SECTION, SourceRow, patch_of, source_section
from hlsmem.emit.verilog.verilog_files import rtl_files, stepper_files
from hlsmem.lifetime.live_curve import life_curves
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.sections import DifferencePlot, difference_plot
from hlsmem.plan import ArrayPlan, notes_json, to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import SourceFile

_PACKAGE = "hlsmem_verify"
_MAIN = f"import sys\n\nfrom {_PACKAGE}.proof_command import main\n\nsys.exit(main())\n"
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that an archive can have


def output_files(planning: Planning) -> dict[str, str]:
    """The files of OUT by name: plan.json, design/, source/, host/, rtl/, sim/, pictures/."""
    found = described_files(planning)
    return {name: text for name, text in found.items() if not is_description(name)}


def is_description(name: str) -> bool:
    """True of a file that describes the Verilog to `check`, and that OUT does not hold."""
    return name.startswith("sim/") and name.endswith(".json")


def described_files(planning: Planning) -> dict[str, str]:
    """These, and sim/<design>.json, which describes the Verilog to the benches of `check`."""
    drawn = host_files(planning) | pictures(planning) | source_files(planning)
    return simulated_files(planning) | drawn | {"verify.py": verifier()}


def source_files(planning: Planning) -> dict[str, str]:
    """Those of them that are the user's source with the plan's storage: each file that changes,
    its patch, and what became of the arrays; none where it has no array of its own."""
    found = planning.returned
    if not found.forms:
        return {}
    before = {one.name: one.on_disk for one in planning.design.sources}
    patches = {name: patch_of(name, before[name], text) for name, text in found.files.items()}
    arrays = planning.plan.arrays
    rows = [
        SourceRow(name, one.form, found.words[name], arrays[name].declared_cells or 0, one.why)
        for name, one in found.forms.items()
        if name in arrays
    ]
    files = {f"source/{name}": text for name, text in found.files.items()}
    files |= {f"source/{name}.patch": text for name, text in patches.items()}
    return files | {SOURCE_SECTION: source_section(rows, patches, found.remarks)}


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
    files |= {f"design/{source.name}": source.on_disk for source in design.sources}
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
    return rtl_files(*own, joined, planning.processes, planning.design.modules)


@cache
def verifier() -> str:
    """An archive of the modules and what runs them, its bytes as `files.from_bytes` writes them.

    Stored, as compressed bytes differ between versions of zlib; in the order of names, with one
    date: two archives of equal modules have equal bytes.
    """
    found = find_spec(_PACKAGE)
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    texts = {
        file.relative_to(folder.parent).as_posix(): file.read_bytes()
        for file in folder.rglob("*.py")
    }
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_STORED) as archive:
        for name, text in sorted({"__main__.py": _MAIN.encode(), **texts}.items()):
            entry = ZipInfo(name, _DATE)
            entry.create_system = 3  # Unix, wherever it is written
            archive.writestr(entry, text)
    return from_bytes(content.getvalue())
