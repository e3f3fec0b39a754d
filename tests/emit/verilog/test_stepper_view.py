"""The stepper of a conflict set goes where the mapping goes, on random walks (Icarus)."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from hlsmem.emit.verilog.verilog_files import stepper_files
from hlsmem.plan import ArrayPlan
from hlsmem.planner.planning_sequence import plan_hardware
from tests.dependences.cases import EXAMPLES
from tests.steps import load

BENCH = """
module bench;
    reg clk = 0, rst = 1, load = 0, step = 0, down = 0;
    reg [{load_top}:0] load_cell = 0;
    reg [0:0] dim = 0;
    wire [{cell_top}:0] cell_now;
    always #5 clk = ~clk;
    {stepper} dut (.clk(clk), .rst(rst), .load(load), .load_cell(load_cell), .step(step),
        .dim(dim), .down(down), .cell_now(cell_now));
    initial begin
        @(negedge clk) rst = 0;
{moves}
        $finish;
    end
endmodule
"""


def walk(array: ArrayPlan, chance: random.Random) -> tuple[list[tuple[int, int]], list[int]]:
    """Steps (dimension, down), and the cell before and after each, by the mapping itself."""
    place, steps, cells = [0, 0], [], []
    for _ in range(200):
        cells.append(cell(array, place))
        dimension, down = chance.randrange(2), chance.randrange(2)
        place[dimension] += -1 if down else 1
        steps.append((dimension, down))
    return steps, [*cells, cell(array, place)]


def cell(array: ArrayPlan, place: list[int]) -> int:
    values, (piece,) = {"N": 64}, array.hardware.parts[0].mapping.pieces
    result = 0
    for row, modulus in zip(piece.matrix_at(values), piece.modulus_at(values), strict=True):
        component = sum(factor * at for factor, at in zip(row, place, strict=True)) % modulus
        result = result * modulus + component
    return result


@pytest.mark.needs("iverilog")
@pytest.mark.parametrize("method", ["lattice", "successive", "declared"])
def test_steppers_follow_the_mapping(method: str, tmp_path: Path) -> None:
    design = load(EXAMPLES / "blur/conflicts.yaml", settings=[f"plan.method={method}"])
    plan = plan_hardware(design).plan
    (array,) = plan.arrays.values()
    files = {file.name: file.text for file in stepper_files(plan)}
    text = files["rtl/blur_conflicts_blurx_step.v"]
    steps, cells = walk(array, random.Random(method))
    moves = "\n".join(
        f'        $display("%0d", cell_now); step = 1; dim = {dimension}; down = {down};'
        " @(negedge clk);"
        for dimension, down in steps
    )
    moves += '\n        $display("%0d", cell_now);'
    bench = BENCH.format(
        load_top=width_of(text, "load_cell"),
        cell_top=width_of(text, "cell_now"),
        stepper="blur_conflicts_blurx_step",
        moves=moves,
    )
    (tmp_path / "bench.v").write_text(bench)
    (tmp_path / "step.v").write_text(text)
    run = tmp_path / "run"
    subprocess.run(
        ["iverilog", "-g2005", "-Wall", "-o", run, "bench.v", "step.v"], cwd=tmp_path, check=True
    )
    shown = subprocess.run(["vvp", run], capture_output=True, text=True, check=True).stdout
    assert [int(line) for line in shown.split() if line.isdigit()] == cells


def width_of(text: str, port: str) -> str:
    line = next(line for line in text.splitlines() if line.rstrip(",").endswith(f" {port}"))
    return line.split("[")[1].split(":")[0]
