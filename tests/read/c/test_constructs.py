"""Every construct of C that the reader takes: planned, proved, and run as folded C.

The kernels stand in constructs/, one a construct, with the options of `hlsmem plan` in their
first line.
"""

from __future__ import annotations

import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.c_runs.c_harness import harness
from hlsmem.check.c_runs.c_interface import kernel_interface
from hlsmem.core.verdict import Status
from hlsmem.emit.c import emit_host
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from tests.check.subjects import proof
from tests.families import by_default
from tests.plans import plan_storage, whole_files
from tests.steps import load

FOLDER = Path(__file__).parent / "constructs"
NAMES = sorted(file.stem for file in FOLDER.glob("*.c"))
# Those that are compiled and run.
CALLED = NAMES[:: by_default(15, 1)]
FLAGS = ("cc", "-std=c99", "-O0", "-fwrapv", "-ffp-contract=off", "-w", "-c")


def loaded(name: str) -> Design:
    """The design of a kernel with the options in its first line."""
    file = FOLDER / f"{name}.c"
    words = shlex.split(file.read_text().partition("\n")[0].removeprefix("// plan:"))
    given = list(zip(words[::2], words[1::2], strict=True))
    parameters = dict(value.split("=") for option, value in given if option == "--param")
    settings = [value for option, value in given if option == "--set"]
    numbers = {key: int(value) for key, value in parameters.items()}
    return load(file, parameters=numbers, settings=settings)


@cache
def planned(name: str) -> Planning:
    return plan_storage(loaded(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_construct_is_planned_and_proved(name: str) -> None:
    planning = planned(name)
    assert planning.plan.arrays
    assert [one for one in proof(planning.plan).values() if one.status is not Status.PASS] == []


@pytest.mark.dear
def test_the_folded_functions_leave_the_bits_of_the_originals(tmp_path: Path) -> None:
    """All functions in one program, all originals in another."""
    for name in CALLED:
        compile_pair(tmp_path, name)
    (tmp_path / "main.c").write_text(main_text())
    outputs = {}
    for kind in ("original", "folded"):
        objects = [f"{prefix}_{name}.o" for name in CALLED for prefix in (kind, "main")]
        build(tmp_path, "cc", "-w", "main.c", *objects, "-o", kind, "-lm")
        for name in CALLED:
            build(tmp_path, f"./{kind}", name, "out", "1")
            outputs[kind, name] = (tmp_path / "out").read_bytes()
    different = [n for n in CALLED if outputs["original", n] != outputs["folded", n]]
    assert different == []


def compile_pair(folder: Path, name: str) -> None:
    """Compile a kernel, its folded C, and the harness that calls either."""
    planning = planned(name)
    program, design = planning.program, planning.design.input
    assert isinstance(design, Program)
    assert program is not None
    kernel = design.kernel
    assert kernel is not None
    for file in emit_host(planning.design, program, planning.folded.mappings):
        (folder / Path(file.name).name).write_text(file.text)
    text = harness(kernel_interface(design, kernel, design.values))
    text = text.replace("#undef main", "").replace("int main(", f"int {name}_main(")
    (folder / "harness.c").write_text(text)
    flags = [flag for flag in kernel.cflags if not flag.startswith("-I")]
    build(folder, *FLAGS, *flags, f"-I{FOLDER}/include", str(FOLDER / f"{name}.c"))
    (folder / f"{name}.o").rename(folder / f"original_{name}.o")
    build(folder, *FLAGS, *flags, f"{name}.c", "-o", f"folded_{name}.o")
    build(folder, *FLAGS, "harness.c", "-o", f"main_{name}.o")


def main_text() -> str:
    """A program that runs the harness of the function that its first argument names."""
    declared = [f"int {name}_main(int, char **);" for name in CALLED]
    chosen = [
        f'if (!strcmp(argv[1], "{name}")) return {name}_main(argc - 1, argv + 1);'
        for name in CALLED
    ]
    head = "int main(int argc, char **argv) {"
    return "\n".join(["#include <string.h>", *declared, head, *chosen, "return 9; }\n"])


def build(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_construct_passes_all_checks(name: str, tmp_path: Path) -> None:
    planning = plan_design(loaded(name))
    write_folder(tmp_path / "out", whole_files(planning) | {"report.md": ""})
    verdicts = run_checks(tmp_path / "out").verdicts
    assert [one for one in verdicts if not one.fine] == []
