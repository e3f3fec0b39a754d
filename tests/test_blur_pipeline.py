"""The pixel pipe of the examples: simulated as its README says, and its bench can fail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.needs("iverilog")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example and the blur it plans, copied into a folder of their own."""
    folder = tmp_path_factory.mktemp("pipeline") / "examples"
    for name in ("blur", "blur_pipeline"):
        shutil.copytree(ROOT / "examples" / name, folder / name)
    return folder / "blur_pipeline"


def simulate(example: Path) -> list[tuple[int, int, int]]:
    """Run the makefile: results, cycles and wrong results of each of its two runs."""
    command = ["make", "-C", str(example), f"HLSMEM={sys.executable} -m hlsmem"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"(\d+) results in (\d+) cycles, (\d+) wrong", printed)
    return [(int(results), int(cycles), int(wrong)) for results, cycles, wrong in found]


def test_the_pipe_blurs_a_frame_with_and_without_stalls(example: Path) -> None:
    (results, free, wrong), (results_2, stalled, wrong_2) = simulate(example)
    assert (results, wrong, results_2, wrong_2) == (3968, 0, 3968, 0)
    assert 4224 <= free < 4224 + 20, "one pixel a cycle"
    assert stalled > free
    waves = example.parent.parent / "build" / "blur_pipeline" / "blur_pipe.vcd"
    assert waves.stat().st_size > 0


def test_the_bench_finds_a_wrong_sum(example: Path) -> None:
    pipe = example / "blur_pipe.v"
    text = (ROOT / "examples" / "blur_pipeline" / "blur_pipe.v").read_text()
    assert "+ rows[95:64]" in text
    pipe.write_text(text.replace("+ rows[95:64]", "+ rows[31:0]"))
    assert all(wrong > 3000 for _, _, wrong in simulate(example))
