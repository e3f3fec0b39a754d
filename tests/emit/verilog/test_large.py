"""Verilog of pictures of 3840x2160 is clean under Verilator; none of its plans takes a list."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hlsmem.check.verilog_text.lint import lint
from hlsmem.tools.simulators import find_simulator
from tests.plans import hardware_of, simulated_of

ROOT = Path(__file__).parents[3]
LARGE = {"W": 3840, "H": 2160}


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "settings", "cycles"),
    [
        ("tests/designs/window7.yaml", (), 3840 * 2160 + 2),
        ("examples/window3/design.yaml", ("arrays.in.reads=copies",), 3840 * 2160 + 2),
    ],
)
def test_a_large_window_is_planned_and_linted(
    file: str, settings: tuple[str, ...], cycles: int, tmp_path: Path
) -> None:
    planning = hardware_of(ROOT / file, LARGE, settings)
    assert planning.prediction is not None
    assert planning.prediction.cycles == cycles
    for name, text in simulated_of(ROOT / file, LARGE, settings).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    simulator = find_simulator(os.environ["PATH"], prefer="verilator")
    sources = sorted((tmp_path / "rtl").glob("**/*.v"))
    for found in lint(sources, f"{planning.plan.design}_mem", simulator):
        assert found.complaints == ()
