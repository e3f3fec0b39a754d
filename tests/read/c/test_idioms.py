"""C as people write it: each idiom is planned to the size stated, proved, replayed and run.

The kernels stand in idioms/; the first lines have the options of `hlsmem plan`, if any, and
the cells of each planned array. The originals are compiled and compared with the folded C.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from tests.plans import plan_storage, whole_files
from tests.steps import load

FOLDER = Path(__file__).parent / "idioms"
FILES = sorted(FOLDER.glob("*.c"))


def stated(file: Path, what: str) -> str:
    """What the first lines of a kernel state: `plan` its options, `cells` those of its arrays."""
    start = f"// {what}:"
    lines = (line for line in file.read_text().splitlines() if line.startswith(start))
    return next(lines, start).removeprefix(start).strip()


def stated_cells(file: Path) -> dict[str, int]:
    pairs = (pair.split("=") for pair in stated(file, "cells").split(", ") if pair)
    return {name: int(number) for name, number in pairs}


@cache
def loaded(file: Path) -> Design:
    return loaded_as(file, file)


def loaded_as(text: Path, file: Path) -> Design:
    """A kernel in the order of its text, with the options that `file` states."""
    words = shlex.split(stated(file, "plan"))
    given = list(zip(words[::2], words[1::2], strict=True))
    numbers = dict(value.split("=") for option, value in given if option == "--param")
    settings = ["schedule=text", *(value for option, value in given if option == "--set")]
    return load(
        text, parameters={name: int(value) for name, value in numbers.items()}, settings=settings
    )


@cache
def planned(file: Path) -> Planning:
    """The plan; with hardware where streams skip, since what they look at is in it."""
    design = loaded(file)
    skips = isinstance(design.input, Program) and design.input.skips
    return plan_hardware(design) if skips else plan_storage(design)


@pytest.mark.needs("clang")
@pytest.mark.few(
    "do_loop",
    "fir_state",
    "struct_initialisers",
)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_idiom_is_planned_as_stated(file: Path, tmp_path: Path) -> None:
    cells = {name: one.cells for name, one in planned(file).folded.mappings.items()}
    assert cells == stated_cells(file)
    passes(("reading", "proof", "replay"), file, tmp_path / "out")


# Clamped rows were prototyped by hand with 34 and 19 cells, in orders that are not the best.
@pytest.mark.few("any", "clamped")
@pytest.mark.parametrize(
    ("name", "order", "cells"),
    [
        ("static_functions", "kept", 29),
        ("static_functions", "any", 3),
        ("clamped_rows", "kept", 33),
        ("clamped_rows", "any", 3),
    ],
)
def test_functions_run_together_where_an_order_is_searched(
    name: str, order: str, cells: int
) -> None:
    settings = ["schedule=auto", f"plan.search.order={order}"]
    plan = plan_storage(load(FOLDER / f"{name}.c", settings=settings)).plan
    assert plan.arrays["t"].hardware.parts[0].mapping.cells == cells


# Compilers take their time, and the check host more of it than all others.
@pytest.mark.few("ring_state")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_idiom_runs_as_the_original(file: Path, tmp_path: Path) -> None:
    passes(("host",), file, tmp_path / "out")


@pytest.mark.dear
def test_state_under_conditions_has_verilog(tmp_path: Path) -> None:
    """Its streams look at what decides about them, like those of other arrays."""
    passes(("proof", "rtl"), FOLDER / "held_values.c", tmp_path / "out")


@pytest.mark.long
def test_a_chain_of_rows_that_are_written_again_is_proved(tmp_path: Path) -> None:
    """Its taps are numbers: formulas of elements with several values have no proof."""
    file = FOLDER / "rows_turned.c"
    out = tmp_path / "out"
    write_folder(out, whole_files(plan_hardware(loaded(file))))
    verdicts = run_checks(out, only=("proof",)).verdicts
    assert [one for one in verdicts if not one.fine] == []


def passes(checks: Sequence[str], file: Path, out: Path) -> None:
    write_folder(out, whole_files(planned(file)))
    found = run_checks(out, only=checks)
    assert {one.check for one in found.verdicts} == set(checks)
    assert found.exit_code == 0, found.verdicts
    assert any(one.status is Status.PASS for one in found.verdicts)


@pytest.mark.few(0.125)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_normal_form_of_a_normal_form_is_the_same(file: Path, tmp_path: Path) -> None:
    design = loaded(file)
    assert isinstance(design.input, Program)
    kernel = design.input.kernel
    assert kernel is not None
    again = tmp_path / file.name
    again.write_text(without_first_values(kernel.normal))
    other = loaded_as(again, file).input
    assert isinstance(other, Program)
    assert other.kernel is not None
    assert other.kernel.stages == {}
    assert without_first_values(other.kernel.normal) == without_first_values(kernel.normal)


def without_first_values(text: str) -> str:
    """A normal form without what stands in its text for compilers alone: flags begin with 0."""
    return re.sub(r"_Bool (T\d+) = 0;(\s*\(void\) \1;)?", r"_Bool \1;", text)


def test_an_argument_is_computed_once(tmp_path: Path) -> None:
    """Two functions inside each other would repeat it four times, ten a thousand."""
    file = tmp_path / "k.c"
    file.write_text(
        "static int square(const int t[16], int i, int v) { return t[i] + v * v; }\n"
        "void k(int in[16], int out[16]) {\n  int t[16];\n"
        "  for (int i = 0; i < 16; i++) t[i] = in[i];\n"
        "  for (int i = 0; i < 16; i++) \n"
        "    out[i] = square(t, i, square(t, i, in[i] / 64));\n}\n"
    )
    design = load(file)
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    assert design.input.kernel.normal.count("in[i] / 64") == 1


CONSTRUCTS = sorted((Path(__file__).parent / "constructs").glob("*.c"))
EXAMPLES = sorted(
    file
    for file in Path("examples").glob("*/design.yaml")
    if "kernel:" in file.read_text() and file.parent.name != "edges"  # it shifts by hand
)


@pytest.mark.few(0.25)
@pytest.mark.parametrize(
    "file", [*EXAMPLES, *CONSTRUCTS], ids=lambda f: f"{f.parent.name}-{f.stem}"
)
def test_what_is_in_normal_form_stays_as_it_is(file: Path) -> None:
    design = loaded(file).input
    assert isinstance(design, Program)
    assert design.kernel is not None
    assert design.kernel.stages == {}
