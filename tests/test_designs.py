"""Designs of tests/designs: planned and checked at small sizes, with the cells they fold to."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.emit.output_folder import write_folder
from tests.plans import files_of, planning_of

DESIGNS = Path(__file__).parent / "designs"

# Small sizes, and the cells of every array there: what is alive at once, but for two_readers and
# blocks.
CASES: dict[str, tuple[dict[str, int], dict[str, int]]] = {
    "two_readers": ({"W": 128, "H": 8}, {"t": 379}),
    "pyramid": ({"W": 16, "H": 8}, {"in": 2 * 16 + 3, "d": 8 + 2}),
    "unsharp": ({"W": 16, "H": 8}, {"in": 2 * 16 + 2, "b": 1}),
    "camera": (
        {"W": 20, "H": 12},
        {"in": 4 * 20 + 4, "d": 2 * 16 + 2, "m": 2 * 14 - 2, "bx": 2 * 12},
    ),
    "gauss_sobel": ({"W": 14, "H": 8}, {"in": 2 * 14 + 2, "g": 2 * 12 + 2}),
    "window7": ({"W": 16, "H": 9}, {"in": 6 * 16 + 6}),
    "nine": ({"W": 8, "H": 4}, {f"f_{k}": 1 for k in range(9)}),
    "two_reads": ({"N": 16}, {"a": 4}),
    "vertical": ({"H": 6, "W": 4, "K": 3}, {"lines": 2 * 4, "newest": 1, "sum": 1, "one": 1}),
    "settling": ({"N": 8}, {"line": 2}),
    "window_guarded": ({"H": 3, "W": 5}, {"w": 3}),
    "blocks": ({"B": 3, "N": 6}, {"t": 2 * 6 * 6}),
}


def test_every_design_is_listed_here() -> None:
    assert {file.stem for file in DESIGNS.glob("*.yaml")} == set(CASES)


@pytest.mark.few("nine")
@pytest.mark.parametrize("name", CASES)
def test_designs_fold_and_pass_their_checks(name: str, tmp_path: Path) -> None:
    sizes, cells = CASES[name]
    file = DESIGNS / f"{name}.yaml"
    planning = planning_of(file, sizes)
    assert {k: array.cells for k, array in planning.folded.mappings.items()} == cells
    write_folder(tmp_path / "out", files_of(file, sizes))
    verdicts = run_checks(tmp_path / "out", ("proof", "replay")).verdicts
    assert {verdict.check for verdict in verdicts} == {"proof", "replay"}
    assert [verdict for verdict in verdicts if not verdict.fine] == []
