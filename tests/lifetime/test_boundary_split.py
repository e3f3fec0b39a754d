"""Boundary splitting: figure 4 of the reference, and a plan with borders through the checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.emit.output_folder import write_folder
from hlsmem.lifetime.boundary_split import boundary_parts, domains_of, part_problem
from hlsmem.mapping.portfolio import plan_array
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra import UnionMap
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import ScheduleClass
from hlsmem.timing.value_flow import dataflow
from tests.classes import SEQUENTIAL, problems_of, tiled
from tests.plans import whole_files
from tests.programs import golden_case, make_program
from tests.steps import load

HEAD = "[T, N] -> "
ROWS = "{ S1[t, i] -> [t, i]; S2[t, i] -> [t, i] }"
CARRIED = f"{HEAD}{{ S1[t, i] -> A[t - 1, 0] : i = 0 and t >= 1 }}"
EXACT = [CARRIED, f"{HEAD}{{ S2[t, i] -> A[t, i] }}", f"{HEAD}{{ S2[t, 1] -> A[t, 0] }}"]
PRINTED = [CARRIED, f"{HEAD}{{ S2[t, i] -> A[t, i - 1] }}"]
CASES = golden_case("003", "s004-figure4")["expected"]
# Golden takes a body S1; S2 as one step, 1 cell. Tiles of a wave run in parallel here, and two
# bodies of which neither is before the other may be under way at once.
MAIN_IN_PARALLEL = {(4, 5): 5, (5, 7): 6}


def figure_4(t: int, n: int, reads: list[str]) -> Program:
    source = golden_case("003", "s004-figure4")["program"]
    return make_program(
        values={"T": t, "N": n},
        context=f"{HEAD}{{ : T >= 3 and N >= 3 }}",
        domains=[source["domain"]],
        schedules=[source["schedule"]],
        reads=reads,
        writes=[f"{HEAD}{{ S1[t, i] -> A[t, i] }}", f"{HEAD}{{ S2[t, i] -> B[t, i] }}"],
    )


def cells(problem: Any) -> int:
    return plan_array(problem, budget=1_000_000).mapping.cells


def whole_and_parts(program: Program, asked: ScheduleClass) -> tuple[int, list[int]]:
    """The cells of A in one piece, and of its border and its rest."""
    problem = problems_of(program, asked)["A"]
    parts = boundary_parts(dataflow(program, "A"), UnionMap(ROWS))
    assert domains_of(parts, problem) == [
        "[T, N] -> { [i0, i1 = 0] }",
        "[T, N] -> { [i0, i1] : i1 > 0 }",
    ]
    return cells(problem), [cells(part_problem(problem, part)) for part in parts]


@pytest.mark.parametrize("at", CASES[0]["at"] + CASES[1]["at"], ids=str)
def test_figure_4(at: Any) -> None:
    is_exact = at in CASES[0]["at"]
    program = figure_4(at["T"], at["N"], EXACT if is_exact else PRINTED)
    whole, parts = whole_and_parts(program, tiled(ROWS))
    main = MAIN_IN_PARALLEL[at["T"], at["N"]] if is_exact else at["main_tiled"]
    assert (whole, parts) == (at["unsplit_tiled"], [at["boundary_tiled"], main])
    assert (sum(parts) < whole) == (is_exact and at["T"] + 1 < at["N"])  # printed: never
    whole, parts = whole_and_parts(program, SEQUENTIAL)
    assert (whole, parts) == (
        at["unsplit_untiled"],
        [at["boundary_untiled"], at["main_untiled"]],
    )


KERNEL = """\
#define T 4
#define N 5
void fig4(const int start[T + 1][N + 1], int out[T + 1][N + 1])
{
    int a[T + 1][N + 1];
#pragma scop
    for (int t = 0; t <= T; t++)
        for (int i = 0; i <= N; i++) {
            if (i == 0 && t >= 1)
S0:             a[t][i] = a[t - 1][0] + start[t][i];
            else
S1:             a[t][i] = start[t][i] * 3;
            if (i == 1)
S2:             out[t][i] = a[t][i] + a[t][0];
            else if (i >= 2)
S3:             out[t][i] = a[t][i];
        }
#pragma endscop
}
"""
DESIGN = """\
hlsmem: 1
name: fig4
params: {T: 4, N: 5}
context: "[T, N] -> { : T >= 3 and N >= 3 }"
kernel: {file: fig4.c, function: fig4}
plan: {split: auto}
"""


def planned(folder: Path, *settings: str) -> Any:
    (folder / "fig4.c").write_text(KERNEL)
    (folder / "design.yaml").write_text(DESIGN)
    return plan_hardware(load(folder / "design.yaml", settings=settings))


@pytest.mark.dear
def test_a_border_has_cells_of_its_own(tmp_path: Path) -> None:
    planning = planned(tmp_path)
    array = planning.plan.arrays["a"]
    mapping = planning.folded.mappings["a"]
    assert (mapping.method, mapping.cells) == ("split", 2)
    assert mapping.certificate.scope == "all-parameters"
    assert array.hardware.bound.kind == "max-live"
    assert "split: 2 cells = 1 + 1 in 2 pieces, 6 in one" in array.notes.remarks
    write_folder(tmp_path / "out", whole_files(planning))
    verdicts = run_checks(tmp_path / "out", ("replay", "host")).verdicts
    assert {one.status.value for one in verdicts if not one.remedy} == {"pass"}
    file = tmp_path / "out" / "host" / "fig4.c"
    text = file.read_text()
    assert "return (i == 0) ? 0 : 1u;" in text
    file.write_text(text.replace("return (i == 0) ? 0 : 1u;", "(void)i; return 0;"))
    failed = run_checks(tmp_path / "out", ("host",)).verdicts
    assert [one.status.value for one in failed] == ["fail"]


def test_a_split_that_does_not_pay_is_not_taken(tmp_path: Path) -> None:
    bands = (
        "plan.bands=[{kind: tiled, rows: '{ S0[t, i] -> [t, i]; S1[t, i] -> [t, i];"
        " S2[t, i] -> [t, i]; S3[t, i] -> [t, i] }'}]"
    )
    planning = planned(tmp_path, "plan.schedules=tiled", bands)
    assert planning.folded.mappings["a"].method != "split"
    (remark,) = planning.plan.arrays["a"].notes.remarks
    assert remark.startswith("split: ")
    assert remark.endswith("; kept in one")


def test_without_a_border_nothing_is_split(tmp_path: Path) -> None:
    (tmp_path / "copy.c").write_text(
        "void copy(const int in[8], int out[8])\n"
        "{ int a[8]; for (int i = 0; i < 8; i++) { a[i] = in[i]; out[i] = a[i]; } }\n"
    )
    (tmp_path / "design.yaml").write_text(
        "hlsmem: 1\nname: copy\nkernel: {file: copy.c}\nplan: {split: auto}\n"
    )
    array = plan_hardware(load(tmp_path / "design.yaml")).plan.arrays["a"]
    assert (array.hardware.words, array.notes.remarks) == (1, ("split: no border to split off",))
