"""Paths within a cycle, by the structure of a circuit: those of a right one, and planted ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.check.rtl.simulated_device import Device
from hlsmem.check.verilog_text.combinational_paths import CombinationalPath, path_faults, paths_of
from hlsmem.check.verilog_text.lint import find_yosys, yosys_check
from tests.check.test_rtl import WINDOW, check_window, window_device
from tests.conftest import EXAMPLES
from tests.plans import put, simulated_of

IN, OUT = {"direction": "input"}, {"direction": "output"}


def cell(kind: str, connections: Mapping[str, list[Any]], **parameters: str) -> dict[str, Any]:
    outputs = {"Y", "Q", "DATA", "RD_DATA"}
    ways = {name: "output" if name in outputs else "input" for name in connections}
    return {
        "type": kind,
        "port_directions": ways,
        "connections": connections,
        "parameters": parameters,
    }


def found(ports: Mapping[str, Any], *cells: dict[str, Any]) -> list[str]:
    return [str(one) for one in paths_of({"ports": ports, "cells": dict(enumerate(cells))})]


def test_a_path_goes_through_cells_and_ends_at_registers() -> None:
    ports = {
        "a": {**IN, "bits": [2, 3]},
        "b": {**IN, "bits": [4]},
        "clk": {**IN, "bits": [5]},
        "y": {**OUT, "bits": [6, "0"]},
        "q": {**OUT, "bits": [7]},
        "through": {**OUT, "bits": [4]},
    }
    gate = cell("$and", {"A": [2], "B": ["1"], "Y": [8]})
    after = cell("$not", {"A": [8], "Y": [6]})
    register = cell("$sdffe", {"D": [8], "EN": [4], "CLK": [5], "Q": [7]})
    assert found(ports, gate, after, register) == ["a to y", "b to through"]


@pytest.mark.parametrize(("clocked", "paths"), [("0", ["a to d"]), ("1", [])])
def test_only_a_port_without_a_clock_passes_an_address(clocked: str, paths: list[str]) -> None:
    ports = {"a": {**IN, "bits": [2]}, "w": {**IN, "bits": [3]}, "d": {**OUT, "bits": [4]}}
    reads = cell("$memrd_v2", {"ADDR": [2], "CLK": [9], "DATA": [4]}, CLK_ENABLE=clocked)
    writes = cell("$memwr_v2", {"ADDR": [3], "DATA": [3]})
    assert found(ports, reads, writes) == paths
    whole = cell(
        "$mem_v2",
        {"RD_ADDR": [2], "RD_DATA": [4], "WR_ADDR": [3], "WR_DATA": [3]},
        RD_CLK_ENABLE=clocked,
        RD_PORTS="1",
        WIDTH="1",
        ABITS="1",
    )
    assert found(ports, whole) == paths


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("m_A_C_tready", "s_A_P_tready", ""),
        ("s_A_P_tvalid", "s_A_P_tready", "s_A_P: tready depends on its own tvalid"),
        ("m_A_C_tready", "m_A_C_tvalid", "m_A_C: tvalid depends on its own tready"),
        ("s_A_P_tdata", "m_A_C_tdata", "nothing plans that"),
        ("start", "busy", "nothing plans that"),
        ("rst", "m_A_C_tdata", "nothing plans that"),
    ],
)
def test_what_a_plan_may_have(source: str, target: str, told: str) -> None:
    faults = [
        *path_faults([CombinationalPath(source, target)], window_device(), (), registered=False)
    ]
    assert (told in faults[0]) if told else not faults


def test_a_wire_shows_what_comes_in_and_slack_has_registers_between() -> None:
    device: Device = window_device()
    through = [CombinationalPath("s_A_P_tdata", "m_A_C_tdata")]
    assert [*path_faults(through, device, ("m_A_C",), registered=False)] == []
    ready = [CombinationalPath("m_A_C_tready", "s_A_P_tready")]
    (fault,) = path_faults(ready, device, (), registered=True)
    assert "with slack ready depends on registers only" in fault


BUFFER = (WINDOW / "window_A_buffer.v").read_text()
SKID = BUFFER[BUFFER.index("    hlsmem_skid") :]
PLANTED = (
    (
        "assign s_A_P_tready = w_there & free;",
        "assign s_A_P_tready = w_there & free & s_A_P_tvalid;",
        "s_A_P: tready depends on its own tvalid within a cycle",
    ),
    (
        SKID,
        "    wire shown;\n    assign m_A_C_tvalid = shown & m_A_C_tready;\n"
        + SKID.replace(".tvalid(m_A_C_tvalid)", ".tvalid(shown)"),
        "m_A_C: tvalid depends on its own tready within a cycle",
    ),
)


@pytest.mark.formal
@pytest.mark.parametrize(("old", "new", "told"), PLANTED)
def test_planted_paths_are_named(old: str, new: str, told: str, tmp_path: Path) -> None:
    (whole,) = check_window(tmp_path, old, new)
    assert told in whole.detail


@pytest.mark.formal
def test_the_paths_of_a_buffer(tmp_path: Path) -> None:
    whole, _ = check_window(tmp_path)
    assert whole.detail.endswith("; no path within a cycle")
    yosys = find_yosys()
    assert yosys is not None
    broken = tmp_path / "window_mem.v"
    broken.write_text((WINDOW / "window_mem.v").read_text().replace("endmodule", "endmodul"))
    read = yosys_check([broken], "window_mem", yosys)
    assert read.module is None
    assert read.complaints


PATH = ["m_blurx_C_tready", "s_blurx_P_tready"]
OTHER = ["m_blurx_C_tready", "s_blurx_P_tlast"]


@pytest.mark.formal
@pytest.mark.parametrize(
    ("planned", "told"),
    [
        ([], "within a cycle m_blurx_C_tready to s_blurx_P_tready: plan.json has no such path"),
        (None, "within a cycle m_blurx_C_tready to s_blurx_P_tready: plan.json has no such path"),
        ([PATH, OTHER], f"plan.json has a path {' to '.join(OTHER)}, which the Verilog has not"),
        ([PATH, PATH], "plan.json has a path twice"),
    ],
)
def test_plan_json_has_the_paths_of_the_verilog(
    planned: list[list[str]] | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.run_bench", None)  # nothing is simulated
    put(tmp_path, simulated_of(EXAMPLES / "blur" / "design.yaml", {"N": 8}))
    document = json.loads((tmp_path / "plan.json").read_text())
    assert document["paths"] == [PATH]
    (tmp_path / "plan.json").write_text(json.dumps({**document, "paths": planned}))
    (verdict,) = run_checks(tmp_path, ("rtl",)).verdicts
    assert verdict.detail == told


def test_without_yosys_it_is_said_that_nobody_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.find_yosys", lambda: None)
    whole, _ = check_window(tmp_path)
    assert whole.fine
    assert whole.detail.endswith("; no Yosys to find paths")
