"""Orders with the rows of isl's scheduler: sums of loops, loops downwards, rates of any number."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.searched_order import search_limits
from hlsmem.schedule_search.order_search import Search
from hlsmem.schedule_search.order_times import times_of
from hlsmem.schedule_search.proposals import proposals
from tests.fuzz.compare import expected
from tests.plans import plan_storage
from tests.schedule_search.kernels import kernel
from tests.schedule_search.test_random import plain
from tests.steps import load

_HEAD = "hlsmem: 1\nname: nests\nkernel: {file: nests.c}\n"
_WRITER = """
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            t[i][j] = in[i][j];
"""


def nests(folder: Path, reader: str, writer: str = _WRITER, extents: str = "[16][16]") -> Path:
    """A design whose first nest writes a local t, and the second reads it."""
    (folder / "nests.c").write_text(
        f"void nests(const int in{extents}, int out{extents})\n{{\n    int t{extents};\n"
        f"#pragma scop{writer}{reader}#pragma endscop\n}}\n"
    )
    file = folder / "design.yaml"
    file.write_text(_HEAD)
    return file


DIAGONALS = """
    for (int d = 0; d < 16; d++)
        for (int j = 0; j < 16 - d; j++)
            out[d][j] = t[d + j][j];
"""
MIRRORED = """
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            out[i][j] = t[i][15 - j];
"""


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("reader", "what"), [(DIAGONALS, "with i - j as a row"), (MIRRORED, "with j downwards")]
)
def test_readers_along_other_rows_run_together_with_the_writer(
    reader: str, what: str, tmp_path: Path
) -> None:
    design = load(nests(tmp_path, reader), settings=["plan.search.order=any"])
    operations, limit = search_limits(design)
    found = proposals(
        design.input, design.plan.search, operations=operations, limit=limit, most=2
    ).found
    assert what in found[0].what
    planned = plan_storage(load(tmp_path / "design.yaml", settings=_searched("any"))).plan
    assert planned.arrays["t"].hardware.parts[0].mapping.cells == 1
    assert "schedule=" in planned.overrides[-1]


def test_any_rate_is_found(tmp_path: Path) -> None:
    """Rates of 1, 2 and 4 are tried; that of 3 is isl's."""
    writer = "\n    for (int i = 0; i < 48; i++)\n        t[i] = in[i];\n"
    reader = "    for (int j = 0; j < 16; j++)\n        out[j] = t[3 * j];\n"
    file = nests(tmp_path, reader, writer, extents="[48]")
    planned = plan_storage(load(file, settings=_searched("kept"))).plan
    assert planned.arrays["t"].hardware.parts[0].mapping.cells == 1
    assert "3*j" in planned.overrides[-1]


def _searched(order: str) -> list[str]:
    return ["schedule=auto", f"plan.search.order={order}"]


@pytest.mark.parametrize(("name", "cells"), [("gauss", 3), ("late", 7), ("down", 6), ("mm2", 1)])
def test_rows_of_isl_take_the_cells_known(name: str, cells: int) -> None:
    """They come although the search itself may not look at a single choice."""
    search = Search(kernel(name).input, limit=0)
    found = next(search.orders(kept=False))
    assert not search.complete
    text, _ = times_of(search.program, search.given.nests, found)
    plan = plan_storage(kernel(name, f'schedule="{text}"')).plan
    assert sum(array.hardware.parts[0].mapping.cells for array in plan.arrays.values()) == cells


# For 15 isl repeats rows, for 38 it finds none.
@pytest.mark.few("1", "3")
@pytest.mark.parametrize(
    "seed", [seed for seed in (*range(8), 15, 38) if not expected(plain(seed)).refused]
)
def test_rows_of_isl_for_random_programs_are_legal(seed: int, tmp_path: Path) -> None:
    case = plain(seed)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    (tmp_path / "design.yaml").write_text(case.design())
    search = Search(load(tmp_path / "design.yaml").input, limit=0)
    for kept in (True, False):
        for found in search.orders(kept=kept):
            text, _ = times_of(search.program, search.given.nests, found)
            plan_storage(load(tmp_path / "design.yaml", settings=[f'schedule="{text}"']))
            assert not (kept and found.turned)
