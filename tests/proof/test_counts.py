"""Counts for all parameters: what holds is proved, however the set is cut, and nothing else."""

from __future__ import annotations

import json
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import islpy as isl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlsmem_verify
from hlsmem.plan import to_json
from hlsmem_verify.counting import count_is
from hlsmem_verify.facts import Facts
from tests.plans import planning_of

CONTEXT = "[W, H] -> { : W >= 4 and H >= 4 }"
PLUS = """\
#define W 64
#define H 48
void sharpen(unsigned char in[H][W], unsigned char out[H][W])
{
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            out[y][x] = 5 * in[y][x] - in[y - 1][x] - in[y + 1][x] - in[y][x - 1] - in[y][x + 1];
}
"""
DESIGN = """\
hlsmem: 1
name: sharpen
params: {W: 64, H: 48}
context: "[W, H] -> { : W >= 4 and H >= 4 }"
kernel: {file: sharpen.c}
arrays: {in: {storage: stream}}
"""


def verdict(points: Any, formula: str, where: str = CONTEXT) -> str:
    facts = Facts({"params": {"W": 8, "H": 8}, "context": CONTEXT, "program": None, "arrays": {}})
    try:
        program = facts.program
        counted = program.set(str(points), "points")
        there = program.set(where, "where").params()
        count_is(counted, program.poly(formula), there, program)
    except hlsmem_verify.False_ as reason:
        return str(reason)
    except hlsmem_verify.Unknown as reason:
        return f"open: {reason}"
    return ""


lines = st.tuples(*(st.integers(-1, 1) for _ in range(4)), st.integers(-3, 3))


@given(st.lists(lines, min_size=1, max_size=3))
def test_a_rectangle_in_pieces_has_its_points(cuts: list[tuple[int, ...]]) -> None:
    """Lines a*x + b*y = c*W + d*H + e cut it: regions of parameters are thin where they meet."""
    whole = isl.Set("[W, H] -> { [y, x] : 0 <= y < H and 0 <= x < W }")
    sides = [f"{a}*x + {b}*y - {c}*W - {d}*H - {e}" for a, b, c, d, e in cuts]
    pieces = [
        isl.Set(f"[W, H] -> {{ [y, x] : {' and '.join(chosen)} }}").intersect(whole)
        for chosen in product(*((f"{one} >= 0", f"{one} < 0") for one in sides))
    ]
    points = reduce(lambda a, b: a.union(b), pieces)
    found = verdict(points, "H*W")
    assert found in ("", "open: a count whose bounds have factors")  # two slanted cuts
    assert verdict(points, "H*W + H - W - 1") != ""


@pytest.mark.parametrize(
    ("where", "formula", "holds"),
    [
        ("H = W + 1 and W >= 5", "H*W + H - W - 1", True),
        ("H = W + 1 and W >= 5", "H*W + H - W", False),
        ("2*H = 3*W and W >= 4", "H*W + 2*H - 3*W", True),
        ("2*H = 3*W and W >= 4", "H*W + 3*H - 2*W", False),
        ("W = 9 and 10 <= H", "H*W + 3*W - 27", True),
        ("W = 9 and H = W + 1", "90", True),
        ("W <= H <= W + 1 and W >= 5", "H*W + (H - W)*(H - W - 1)", True),
        ("W <= H <= W + 2 and W >= 5", "H*W + (H - W)*(H - W - 1)", False),
    ],
)
def test_equalities_of_parameters_are_used(where: str, formula: str, holds: bool) -> None:
    points = isl.Set("[W, H] -> { [y, x] : 0 <= y < H and 0 <= x < W }")
    assert (verdict(points, formula, f"[W, H] -> {{ : {where} }}") == "") == holds


@pytest.mark.parametrize(("formula", "holds"), [("2", True), ("1", False), ("H - 2", False)])
def test_bounds_with_factors_are_counted_by_what_they_leave(formula: str, holds: bool) -> None:
    """Of four numbers in a row two are even, wherever they begin."""
    points = isl.Set("[W, H] -> { [x] : W <= 2x <= W + 3 }")
    assert (verdict(points, formula) == "") == holds
    assert not verdict(points, formula).startswith("open")


def test_a_window_without_corners_is_proved(tmp_path: Path) -> None:
    """Its max-live is counted in pieces that meet where H is W + 1."""
    (tmp_path / "sharpen.c").write_text(PLUS)
    (tmp_path / "design.yaml").write_text(DESIGN)
    found = hlsmem_verify.verify(json.loads(to_json(planning_of(tmp_path / "design.yaml").plan)))
    assert (found["false"], found["open"]) == ([], {})
