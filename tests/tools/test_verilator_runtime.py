"""The runtime of Verilator is compiled once, and what is linked with it runs as without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hlsmem.tools import verilator_runtime
from hlsmem.tools.run import Finished, run
from hlsmem.tools.simulators import Verilator, find_simulator
from hlsmem.tools.verilator_runtime import put_objects, runtime_objects

FLAGS, VARIABLES = ("--main", "--exe", "--timing"), ("OPT_GLOBAL=-O0",)
OBJECTS = {"verilated.o": b"1", "verilated_threads.o": b"2"}
CLASSES = "VM_GLOBAL_FAST += \\\n  verilated \\\n  verilated_threads \\\n\nVM_GLOBAL_SLOW += \\\n\n"


class Tools:
    """Verilator and make as an empty module sees them; which commands ran, and whether they do."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.works = True

    def __call__(self, arguments: Sequence[str], *, folder: Path, **_: Any) -> Finished:
        self.commands.append(Path(arguments[0]).name)
        build = folder / "build"
        if arguments[0] != "make":
            build.mkdir()
            (build / "Vtop_classes.mk").write_text(CLASSES)
        else:
            for name in set(arguments) & set(OBJECTS):
                (build / name).write_bytes(OBJECTS[name])
        status = 0 if self.works or arguments[0] != "make" else 2
        return Finished(arguments=tuple(arguments), status=status, output="", errors="")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    found = Tools()
    monkeypatch.setattr(verilator_runtime, "run", found)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return found


def verilator(tmp_path: Path, text: str = "") -> Verilator:
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin/verilator").write_text(f"#!/bin/sh\n{text}")
    (tmp_path / "bin/verilator").chmod(0o700)
    return Verilator(version=(5, 40), folder=tmp_path / "bin")


def test_what_is_kept_is_not_compiled_again(tools: Tools, tmp_path: Path) -> None:
    assert runtime_objects(verilator(tmp_path), FLAGS, VARIABLES) == OBJECTS
    assert runtime_objects(verilator(tmp_path), FLAGS, VARIABLES) == OBJECTS
    # The second Verilator is the same by version and path, and another by its file.
    assert tools.commands == ["verilator", "make"] * 2


def test_it_is_kept_by_verilator_and_flags(tools: Tools, tmp_path: Path) -> None:
    simulator = verilator(tmp_path)
    for _ in range(2):
        for flags, variables in ((FLAGS, VARIABLES), (FLAGS[:2], VARIABLES), (FLAGS, ())):
            assert runtime_objects(simulator, flags, variables) == OBJECTS
    assert tools.commands == ["verilator", "make"] * 3
    other = verilator(tmp_path, "true\n")
    assert runtime_objects(other, FLAGS, VARIABLES) == OBJECTS
    assert len(tools.commands) == 8


def test_nothing_is_kept_of_what_fails(tools: Tools, tmp_path: Path) -> None:
    tools.works = False
    assert runtime_objects(verilator(tmp_path), FLAGS, VARIABLES) == {}
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_cannot_be_written_costs_time_alone(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file\n")
    assert runtime_objects(verilator(tmp_path), FLAGS, VARIABLES) == OBJECTS
    assert tools.commands == ["verilator", "make"]


@pytest.mark.needs("verilator")
def test_what_is_linked_with_it_runs(tmp_path: Path) -> None:
    """make takes the objects as they are: it compiles none of the runtime."""
    path = os.environ["PATH"]
    simulator = find_simulator(path, "verilator")
    assert isinstance(simulator, Verilator)
    objects = runtime_objects(simulator, FLAGS, VARIABLES)
    assert "verilated.o" in objects
    (tmp_path / "top.v").write_text('module top; initial #2 $display("said %0d", 6 * 7); endmodule')
    environment = verilator_runtime.simulator_environment(simulator, path)
    translating = [str(simulator.folder / "verilator"), "-cc", *FLAGS, "-Mdir", "build"]
    translating += ["--prefix", "Vtop", "-o", "sim", "top.v"]
    making = ["make", "-C", "build", "-f", "Vtop.mk", *VARIABLES]
    making += put_objects(objects, tmp_path / "build")
    printed = ""
    for command in (translating, making, [str(tmp_path / "build/sim")]):
        done = run(command, folder=tmp_path, seconds=300, environment=environment)
        assert done.succeeded, done.last_lines()
        printed += done.output
    assert "said 42" in printed
    assert "-o verilated.o" not in printed
    assert "-o Vtop__" in printed or "Vtop__ALL" in printed
