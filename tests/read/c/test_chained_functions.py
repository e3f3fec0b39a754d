"""`kernel.functions`: functions that run in turn on arrays of the design."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.program.model import Program, Storage
from tests.steps import load

BLUR = Path(__file__).parent / "chains" / "blur.yaml"


def read(*settings: str) -> Program:
    program = load(BLUR, settings=settings).input
    assert isinstance(program, Program)
    return program


def test_what_one_writes_and_a_later_one_reads_is_on_chip() -> None:
    program = read()
    storages = {name: one.storage for name, one in program.arrays.items()}
    assert storages == {"in": Storage.EXTERNAL, "t": Storage.MEMORY, "out": Storage.EXTERNAL}
    assert program.kernel is not None
    assert "void blur(const unsigned char in[H][W], unsigned char out[H][W])" in (
        program.kernel.normal
    )


def test_the_design_says_what_is_outside() -> None:
    program = read("arrays.t.storage=external")
    assert program.kernel is not None
    assert "void blur(const unsigned char in[H][W], short t[H][W]," in program.kernel.normal
    assert program.arrays["t"].is_parameter


def test_a_function_may_run_twice() -> None:
    program = read('kernel.functions=[{call: "hblur(in, t)"}, {call: "hblur(in, u)"}]')
    assert [one.name for one in program.statements] == ["S0", "S1"]
    assert program.arrays["t"].storage is not Storage.MEMORY


@pytest.mark.parametrize("only", ["replay", pytest.param("host", marks=pytest.mark.long)])
def test_checks_run_the_users_functions(only: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(BLUR), "--param", "H=9", "--param", "W=8", "-o", str(out)]) == 0
    assert main(["check", str(out), "--only", only]) == 0
    verdicts = json.loads((out / "checks.json").read_text())["checks"]
    assert {one["verdict"] for one in verdicts if one["check"] == only} == {"pass"}
