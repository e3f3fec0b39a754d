"""The bound of a long run, counted on from few of its rows: that of all its beats."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage import chooser
from hlsmem.storage import skipped_runs as runs
from hlsmem.storage.build import BuiltStorage
from tests.emit.c.plans import read_design

# Serial sums in front of a window that ends at the borders: steps wait for their sums.
KERNEL = """
#define W 12
#define H 61
static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
void f(const int in[H][W], int out[H][W])
{
    static int t[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int s = 0;
            for (int k = -1; k <= 1; k++)
                s += in[y][clamp(x + k, 0, W - 1)];
            t[y][x] = s;
        }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            out[y][x] = t[clamp(y - 1, 0, H - 1)][x] + t[y][x] + t[clamp(y + 1, 0, H - 1)][x];
}
"""


def test_few_rows_give_the_bound_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, by_rows = list[int](), list[int]()

    def both(
        built: Collection[BuiltStorage],
        latency: Mapping[str, int],
        fastest: Collection[int | None] | None = None,
    ) -> int:
        for most, found in ((sys.maxsize, whole), (0, by_rows)):
            monkeypatch.setattr(runs, "MOST_WHOLE", most)
            monkeypatch.setattr(runs, "MOST_FOLLOWED", most)
            found.append(runs.least_of(built, latency, fastest))
        return whole[-1]

    monkeypatch.setattr(chooser, "least_of", both)
    plan = plan_hardware(read_design(tmp_path, KERNEL)).plan
    assert plan.timing is not None
    assert by_rows == whole
    assert any(whole)
