"""What plan.json, the file list and the description of the Verilog say of each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.check.verilog_text.described_files import misfiled, no_verilog, other_cycles
from hlsmem.core.verdict import Status
from hlsmem.core.verilog_library import versioned
from tests.plans import put, simulated_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RAM = f"{versioned('hlsmem_ram')}.v"


@pytest.fixture
def blur(tmp_path: Path) -> Path:
    design = EXAMPLES / "blur" / "design.yaml"
    put(tmp_path, simulated_of(design, settings=["params.N=6"]))
    return tmp_path


def failure(out: Path) -> str:
    """What the check `rtl` finds before it simulates."""
    (verdict,) = run_checks(out, ("rtl",)).verdicts
    assert verdict.status is Status.FAIL
    return verdict.detail


def test_the_list_is_that_of_the_modules(blur: Path) -> None:
    rtl = blur / "rtl"
    assert list(misfiled(rtl)) == []
    listing = rtl / "files.f"
    text = listing.read_text()
    listing.write_text(text.replace(f"{RAM}\n", "other.v\n") + "blur_mem.v\n")
    assert list(misfiled(rtl)) == [
        f"rtl/files.f does not list {RAM}",
        "rtl/files.f lists other.v, which is not there",
        "rtl/files.f lists blur_mem.v twice",
    ]
    assert failure(blur) == f"rtl/files.f does not list {RAM} (and 2 more)"
    listing.unlink()
    assert failure(blur) == "rtl/files.f cannot be read; it lists the modules for other tools"


def test_a_folder_without_modules_needs_no_list(tmp_path: Path) -> None:
    assert list(misfiled(tmp_path)) == []


def test_the_cycles_of_the_plan_are_those_of_the_description(blur: Path) -> None:
    document = json.loads((blur / "plan.json").read_text())
    cycles = document["timing"]["cycles"]["value"]
    document["timing"]["cycles"]["value"] += 1
    (blur / "plan.json").write_text(json.dumps(document))
    assert failure(blur) == f"plan.json predicts {cycles + 1} cycles, the design {cycles}"


@pytest.mark.parametrize("timing", [None, {"cycles": None}])
def test_a_plan_without_cycles_is_not_the_plan_of_any_verilog(timing: Any) -> None:
    found = other_cycles({"timing": timing}, 57)
    assert list(found) == ["plan.json predicts no cycles, the design 57"]


def test_without_verilog_the_plan_says_why(tmp_path: Path) -> None:
    plan: dict[str, Any] = {"design": "d", "streams": [{}], "timing": {"cycles": None}}
    found = no_verilog(tmp_path, plan, tmp_path / "d.json")
    assert found is not None
    assert not found.fine
    assert found.detail == "no Verilog: report.md says why"
    plan["timing"]["cycles"] = 57
    assert no_verilog(tmp_path, plan, tmp_path / "d.json") is None
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "d_mem.v").touch()
    plan["timing"]["cycles"] = None
    assert no_verilog(tmp_path, plan, tmp_path / "d.json") is None


def test_without_streams_there_is_nothing_to_check(tmp_path: Path) -> None:
    plan: dict[str, Any] = {"design": "d", "streams": [], "timing": None}
    found = no_verilog(tmp_path, plan, tmp_path / "d.json")
    assert found is not None
    assert found.fine
