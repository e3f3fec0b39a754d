"""Faults planted in the C of every shape show: a unit that the drain lacks, a split one too late,
a store before the read that it kills. Those of tiles are in test_own_cuts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.plan import Plan
from hlsmem.planner.host.host_planning import in_shape
from hlsmem.program.options import Design
from tests.emit.c.plans import (
    host_files,
    mappings_of,
    plan_by_hand,
    program_of,
    read_design,
)
from tests.host_loops.programs import outcome
from tests.plans import plan_storage, with_host

KERNEL = """
#define N 11
#define M 9
void f(const short in[N][M], int out[N][M])
{
    int t[N][M];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < M; x++) {
            t[y][x] = 2 * in[y][x];
            if (y >= 2)
                out[y][x] = t[y - 2][x] - t[y - 1][x] + 3 * t[y][x];
        }
#pragma endscop
}
"""
CONTEXT = 'params: {N: 11, M: 9}\ncontext: "[N, M] -> { : N >= 7 and M >= 6 }"\n'


def segments(folder: Path) -> tuple[Design, Plan]:
    design = read_design(folder, KERNEL, CONTEXT + "host: {objective: plan}")
    return design, with_host(plan_storage(design)).plan


def rows(folder: Path) -> tuple[Design, Plan]:
    design = read_design(folder, KERNEL, CONTEXT)
    return design, with_host(plan_storage(design)).plan


def renumbered(folder: Path) -> tuple[Design, Plan]:
    """The results in cells that are two apart, which C numbers by a unit: 2 * 50 is 1 modulo 99."""
    settings = "params: {N: 11, M: 9}\narrays: {out: {storage: memory}}\nhost: {objective: plan}"
    design = read_design(folder, KERNEL, settings)
    program = program_of(design)
    folds = {"out": [(["18", "2"], "99")], "t": [(["9", "1"], "99")]}
    plan = plan_by_hand(design, folds, scope="values")
    cells = in_shape(design, program, mappings_of(plan))
    assert str(cells["out"].mapping.pieces[0].matrix[0][1]) == "1"
    arrays = {n: replace(one, host=cells[n]) for n, one in plan.arrays.items()}
    return design, replace(plan, arrays=arrays)


FAULTS = {
    "a split one too late": (
        segments,
        "hlsmem_run > (size_t)(2 * F_M + 1) - hlsmem_t_2)\n"
        "                hlsmem_run = (size_t)(2 * F_M + 1) - hlsmem_t_2;",
        "hlsmem_run > (size_t)(2 * F_M + 2) - hlsmem_t_2)\n"
        "                hlsmem_run = (size_t)(2 * F_M + 2) - hlsmem_t_2;",
    ),
    "a store before the read it kills": (
        rows,
        "const int hlsmem_S1_0 = t[hlsmem_t_0 + (size_t)x];",
        "t[hlsmem_t_0 + (size_t)x] = 2 * in[y][x];"
        " const int hlsmem_S1_0 = t[hlsmem_t_0 + (size_t)x];",
    ),
    "a unit missing in the drain": (
        renumbered,
        "out[y][x] = hlsmem_out_cells[hlsmem_out_cell(y, x)];",
        "out[y][x] = hlsmem_out_cells[(18 * y + 2 * x) % 99];",
    ),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(tmp_path: Path, fault: str) -> None:
    planned, old, new = FAULTS[fault]
    design, plan = planned(tmp_path)
    text = host_files(design, plan)["host/kernel.c"]
    assert outcome(tmp_path / "right", design, plan, (11, 9)) == "equal"
    assert old in text
    found = outcome(tmp_path / "wrong", design, plan, (11, 9), text=text.replace(old, new, 1))
    assert found in ("different", "outside")
