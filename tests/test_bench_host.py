"""The page of `make bench-host`: what it says follows from the rows that were measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.host.kernels import (
    CASES,
    CUT_BY_HAND,
    FOLDER,
    FOUND,
    TABLE_II,
    WIDE,
    Printed,
)
from benchmarks.host.page import page
from benchmarks.host.rows import PrintedRow, Row
from hlsmem.check.host_runs.bench_timing import Measured, Timed
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.planner.array_folding import analyse
from tests.steps import load

WAYS = ("plan", "remainders", "given", "speed", "successive")


def row(case: str, place: str, ratios: dict[str, float], front: tuple[str, ...] = ()) -> Row:
    ratios = {**dict.fromkeys(WAYS, 1.0), **ratios}
    outs = tuple(
        Timed(name=f"/tmp/x/{way}", seconds=0.002 * ratio, ratio=ratio, least=0.4, greatest=1.6)
        for way, ratio in ratios.items()
    )
    measured = Measured(
        params={"N": 64},
        compiler="cc 12",
        wraps=False,
        machine="a machine",
        starts=3,
        rounds=9,
        original=0.002,
        outs=outs,
        folded=frozenset(),
    )
    return Row(
        case=case,
        place=place,
        measured=measured,
        names={way: way for way in ratios},
        cells=dict.fromkeys(ratios, 129),
        shapes=dict.fromkeys(ratios, "segments"),
        front=front,
    )


def line(text: str, start: str) -> list[str]:
    (found,) = [one for one in text.splitlines() if one.startswith(f"| {start}")]
    return [cell.strip() for cell in found.strip("|").split("|")]


def test_means_are_of_the_large_sizes_alone() -> None:
    rows = [
        row("blur", "in cache", {"speed": 9.0}),
        row("blur", "memory", {"speed": 0.5, "given": 0.8, "successive": 0.7}),
        row("fir", "memory", {"speed": 0.125, "given": 0.25, "successive": 0.25}),
    ]
    text = page(rows, [], 60.0)
    assert line(text, "speed-up of `speed`")[1:] == ["4.00", "1.6", "2.00", "1", "none"]
    against = ["0.94", "1.1", "0.87", "0.95", "blur 0.87"]
    assert line(text, "`given` against `successive`")[1:] == against
    assert "| 9.00 [0.40 1.60] |" in text


def test_how_far_a_choice_is_from_the_best() -> None:
    one = row("sobel", "memory", {"given": 0.9, "linear-rows": 0.6}, front=("linear-rows",))
    text = page([one], [], 60.0)
    assert "of the 1 other rows the choice is within 10 % of the best in 0, at most 1.50" in text
    found = line(text.partition("The score's choice")[2], "sobel")
    assert found[-2:] == ["1.50", "linear-rows"]


def test_a_reduction_is_that_of_the_cells() -> None:
    printed = TABLE_II[0]
    ratios = {"remainders": 3.0, "speed": 0.5}
    one = PrintedRow(
        printed=printed, successive=300, paper=200, best=100, row=row("blur", "memory", ratios)
    )
    found = line(page([], [one], 60.0), printed.row)
    assert found[2:7] == ["300", "200", "1.5", "100", "3"]
    assert [one.split()[0] for one in found[9:12]] == ["1.00", "3.00", "0.50"]


def test_every_kernel_has_a_source() -> None:
    names = {case.name for case in CASES} | {one.kernel.name for one in TABLE_II}
    names |= {one.name for one in (WIDE, *CUT_BY_HAND)}
    assert names == {file.stem for file in FOLDER.glob("*.c")}


REDUCTIONS = {
    "blur-interleaved": 1.50,
    "blur-tiled": 170.9,
    "unsharp-mask-tiled": 102.6,
    "harris-corner-tiled": 21.56,
    "LBM-D2Q9": 1.996,
    "LBM-D3Q19": 1.980,
    "LBM-D3Q27": 1.980,
    "diamond-tile": 85.44,
    "stencil-1d-pllgm-tile": 2.909,
}
BUDGET = 1_000_000


@pytest.mark.few("blur-", "unsharp", "stencil", "D2Q9")
@pytest.mark.parametrize("printed", TABLE_II, ids=lambda one: one.row)
def test_reductions_of_table_ii(printed: Printed, tmp_path: Path) -> None:
    """Cells by successive modulo over those of the paper's method, run on our own sources."""
    _, problems = analyse(load(printed.kernel.design_in(tmp_path)))
    cells = {}
    for variant in ("width:lefebvre-feautrier", f"hyperplane:{printed.variant}"):
        answers = [method_named(variant).run(one, BUDGET) for one in problems]
        assert all(isinstance(one, StorageMapping) for one in answers)
        cells[variant] = max(one.pieces[0].cells().evaluate(printed.at) for one in answers)
    baseline, paper = cells.values()
    assert baseline / paper == pytest.approx(REDUCTIONS[printed.row], rel=5e-4)


def test_what_is_known_by_hand_stands_beside_its_kernels() -> None:
    known = {case.name for case in CASES} | {one.row for one in TABLE_II}
    assert set(FOUND) <= known
    text = page([row("durbin", "memory", {"speed": 9.0})], [], 60.0)
    assert f"- durbin: {FOUND['durbin']}" in text
    assert "- blur:" not in text
