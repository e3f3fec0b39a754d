"""The library is clean for every compiler at hand, and read by pyverilog and Yosys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.check.verilog_text.lint import find_yosys, lint, yosys_check
from hlsmem.check.verilog_text.readback import read_back
from hlsmem.tools.simulators import find_simulator
from tests.rtl.harness import LIBRARY

SOURCES = sorted(LIBRARY.glob("*.v"))
VARIANTS = {
    "hlsmem_ram": ({"COLLISION": 0, "OUTREG": 1}, {"WIDTH": 1, "DEPTH": 1, "ADDRESS": 1}),
    "hlsmem_ram_output": ({"WIDTH": 1, "DEPTH": 1, "ADDRESS": 1},),
    "hlsmem_register": ({"WIDTH": 1, "OUTREG": 1}, {"WIDTH": 3, "READERS": 2}),
    "hlsmem_skid": ({"LATENCY": 2, "SIDE": 3}, {"WIDTH": 1}),
    "hlsmem_output_register": ({"LATENCY": 2, "SIDE": 3}, {"WIDTH": 1}),
    "hlsmem_wrap": (
        {"FLAG": 1},
        {"WIDTH": 3, "MODULUS": 8, "STEP": 7},
        {"WIDTH": 1, "MODULUS": 1, "STEP": 0},
    ),
    "hlsmem_multiply": (
        {"A_BITS": 8, "B_BITS": 9, "Q_BITS": 17, "SIGNED": 1},
        {"A_BITS": 8, "B_BITS": 8, "Q_BITS": 8},
        {"A_BITS": 1, "B_BITS": 3, "Q_BITS": 32, "SIGNED": 1},
    ),
    "hlsmem_gate": ({"WIDTH": 2, "SIGN": "2'b10"},),
    "hlsmem_gate_count": ({"START": -3, "BYPASS": 1, "WIDTH": 4},),
    "hlsmem_branch": ({"WIDTH": 1, "DEPTH": 1}, {"DEPTH": 6, "ADDRESS": 3}),
    "hlsmem_fifo": (
        {"DEPTH": 1},
        {"DEPTH": 2},
        {"DEPTH": 1025},
        {"OUTREG": 1, "DEPTH": 7},
        {"DEPTH": 7, "BEATS": 9},
    ),
    "hlsmem_delay": ({"OUTREG": 1, "SLICE": 3}, {"WIDTH": 1, "DEPTH": 2, "ADDRESS": 1}),
    "hlsmem_rotator": (
        {"LANES": 4, "TURN": 2, "LATENCY": 2},
        {"LANES": 2, "TURN": 1, "SIDE": 2},
        {"LANES": 9, "TURN": 4, "WIDTH": 1},
    ),
    "hlsmem_tags": ({"WIDTH": 1, "DEPTH": 1, "ADDRESS": 1},),
}


def test_every_module_has_variants() -> None:
    assert VARIANTS.keys() == {source.stem for source in SOURCES}


@pytest.mark.few("hlsmem_ram", "hlsmem_fifo", "hlsmem_branch", "hlsmem_skid")
@pytest.mark.parametrize("module", VARIANTS)
def test_compilers_have_nothing_to_say(module: str) -> None:
    simulator = find_simulator(os.environ["PATH"])
    for parameters in ({}, *VARIANTS[module]):
        for found in lint(SOURCES, module, simulator, parameters):
            assert found.complaints == (), (found.tool, parameters)


def test_pyverilog_reads_the_library() -> None:
    assert read_back(SOURCES, None) == ()


def test_pyverilog_tells_the_line_in_every_file(tmp_path: Path) -> None:
    text = "module {0} (\n    input wire clk\n);\n    wire x = clk % clk;\nendmodule\n"
    for name in ("one", "two"):
        (tmp_path / f"{name}.v").write_text(text.format(name))
    assert read_back(sorted(tmp_path.glob("*.v")), None) == (
        "one.v: line 4: '%' of something that is no constant",
        "two.v: line 4: '%' of something that is no constant",
    )


def test_pyverilog_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read_back(SOURCES[:1], None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.needs("yosys")
@pytest.mark.parametrize("module", VARIANTS)
def test_yosys_checks_the_library(module: str) -> None:
    yosys = find_yosys()
    assert yosys is not None
    assert yosys_check(SOURCES, module, yosys).complaints == ()
