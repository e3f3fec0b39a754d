"""Accesses of lines and distances are counted in a run, and faults of them are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.returned.counted_accesses import counting, lines_of
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.source_patch import patch_of
from tests.plans import files_of, put

EDGES = Path(__file__).parents[2] / "source_edits" / "kernels" / "edges.c"
RING = ("source.dialect=vitis", "source.lines=ring")


def judged(folder: Path, old: str = "", new: str = "") -> Verdict:
    files = dict(files_of(EDGES, settings=RING))
    assert old in files["source/edges.c"]
    files["source/edges.c"] = text = files["source/edges.c"].replace(old, new, 1)
    files["source/edges.c.patch"] = patch_of("edges.c", files["design/edges.c"], text)
    put(folder, files)
    (found,) = run_checks(folder, ("patch",)).verdicts
    return found


def test_lines_have_two_accesses_in_an_iteration(tmp_path: Path) -> None:
    found = judged(tmp_path)
    assert found.status is Status.PASS
    assert found.detail.endswith(
        "at most 2 accesses of a line in an iteration, from write to read s_line0 11, s_line1 11"
        " iterations"
    )


FAULTS = {
    "distance=11": (
        "distance=12",
        "s_line0 is read 11 iterations after a write, and its pragma says 12",
    ),
    "s_line0[s_at] = s_now;": (
        "s_line0[s_at] = s_now + s_line0[s_at] - s_line0[s_at];",
        "s_line0 is accessed 4 times in an iteration",
    ),
}


@pytest.mark.parametrize("old", FAULTS)
def test_a_planted_fault_is_seen(old: str, tmp_path: Path) -> None:
    new, what = FAULTS[old]
    found = judged(tmp_path, old, new)
    assert (found.status, found.detail) == (Status.FAIL, what)


def test_accesses_are_found_in_the_text() -> None:
    text = "    int a_line0[8];\n    for (int x = 0; x < 8; x++) {\n"
    text += "        a_line0[x] = a_line0[x];\n    }"
    assert lines_of("int a[8];", text) == ("a_line0",)
    assert counting(text, ["a_line0"]).endswith(
        "    int a_line0[8];\n    for (int x = 0; x < 8; x++) { hlsmem_step++;\n"
        '        a_line0[hlsmem_note(0, "a_line0", x, 1)]'
        ' = a_line0[hlsmem_note(0, "a_line0", x, 0)];\n    }'
    )
