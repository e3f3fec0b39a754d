"""Paths within a cycle that a plan states are those that Yosys finds in its Verilog."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.check.verilog_text.combinational_paths import paths_of
from hlsmem.check.verilog_text.lint import find_yosys, yosys_check
from tests.plans import put, simulated_of

ROOT = Path(__file__).resolve().parents[2]
# The ready of a chain, none of a FIFO, gates and turns of writers, parts that fork and join, wires,
# branch FIFOs, registers in front of a chain, banks that one stream reads, streams that pass over
# instances.
DESIGNS: dict[str, tuple[str, ...]] = {
    "examples/blur/design.yaml": (),
    "examples/fifo/design.yaml": (),
    "examples/durbin/design.yaml": (),
    "examples/jacobi1d/design.yaml": (),
    "examples/two_readers/design.yaml": (),
    "examples/unsharp/design.yaml": (),
    "tests/storage/designs/rates.yaml": (),
    "tests/storage/designs/wire.yaml": (),
    "tests/storage/designs/mixed.yaml": ("arrays.a.reads=banks",),
    "examples/half/design.yaml": ("plan.slack=1",),
    "examples/receiver/design.yaml": ("plan.control=skip",),
    "examples/threshold/design.yaml": ("plan.control=skip",),
}
WITHOUT = ("examples/fifo/design.yaml", "examples/half/design.yaml")


@pytest.mark.formal
@pytest.mark.parametrize("design", DESIGNS)
def test_the_paths_of_a_plan_are_those_of_its_netlist(design: str, tmp_path: Path) -> None:
    files = simulated_of(ROOT / design, settings=DESIGNS[design])
    put(tmp_path, files)
    planned = json.loads(files["plan.json"])["paths"]
    device = read_device(
        next(one for one in (tmp_path / "sim").glob("*.json") if one.stem != "invariants")
    )
    yosys = find_yosys()
    assert yosys is not None
    module = yosys_check(sorted((tmp_path / "rtl").glob("*.v")), device.top, yosys).module
    assert module is not None
    found = paths_of(module)
    assert planned == [[path.source, path.target] for path in found]
    assert bool(planned) == (design not in WITHOUT)


def test_a_bare_conflict_set_has_no_verilog_with_streams() -> None:
    files = simulated_of(ROOT / "examples/blur/conflicts.yaml")
    assert json.loads(files["plan.json"])["paths"] is None
