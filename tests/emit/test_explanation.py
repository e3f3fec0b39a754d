"""What `explain` says where there are no times: elements of which any two conflict."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.emit.explanation import _runs


def explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], conflicts: str, array: str = "A"
) -> list[str]:
    file = tmp_path / "design.yaml"
    file.write_text(
        f"hlsmem: 1\nname: d\narrays: {{A: {{type: int32, index: [a, b]}}}}\n"
        f"conflicts: {{A: {conflicts}}}\n"
    )
    assert main(["explain", str(file), array]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_elements_shown_conflict_with_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '{differences: "{ [a,b] : -2 <= a <= 2 and -3 <= b - 2a <= 3 }"}'
    first, second, *runs = explained(tmp_path, capsys, text)
    assert first == "A: 12 words, optimal"
    assert second == "  any two of 12 elements conflict, so each has its own cell:"
    elements = []
    for run in runs:
        row, low, high = re.fullmatch(r"    A\[(\d+)\]\[(\d+)\.\.(\d+)\]", run).groups()
        elements += [(int(row), b) for b in range(int(low), int(high) + 1)]
    assert len(elements) == 12
    for (a, b), (c, d) in combinations(elements, 2):
        assert abs(c - a) <= 2
        assert abs(d - b - 2 * (c - a)) <= 3


def test_a_size_above_its_clique_is_the_searchs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = explained(tmp_path, capsys, '{differences: "{ [a,0] : a = 1 or a = 3 or a = 4 }"}')
    assert lines[0] == "A: 5 words, optimal among modular mappings, 2 above clique"
    assert lines[-1] == "  the search excludes every lattice of fewer than 5 cells"


def test_pairs_say_that_the_bound_is_for_modular_mappings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '{pairs: "{ A[a,b] -> A[c,d] : 0 <= a,b,c,d < 4 and a + b = c + d }"}'
    lines = explained(tmp_path, capsys, text)
    assert lines[1:3] == [
        "  any two of 4 points are as far apart as two elements that conflict,",
        "  so that no modular mapping gives two of them one cell:",
    ]


def test_one_cell_and_too_many_differences_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = explained(tmp_path, capsys, '{differences: "{ [0,0] }"}')
    assert lines == ["A: 1 word, optimal", "  no two elements conflict: one cell serves all"]
    lines = explained(tmp_path, capsys, '{differences: "{ [a,b] : -9999 < a,b < 9999 }"}')
    assert lines[1] == "  there are too many differences to look for elements that all conflict"


def test_points_are_shown_as_runs_of_the_last_index() -> None:
    points = ((0, 4), (0, 3), (1, 3), (0, 6))
    assert _runs("a", points) == ["a[0][3..4]", "a[0][6]", "a[1][3]"]
