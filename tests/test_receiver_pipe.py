"""The receiver of the examples: simulated as its README says, drawn, and its bench can fail."""

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
    """The example, copied into a folder of its own."""
    folder = tmp_path_factory.mktemp("receiver") / "examples" / "receiver"
    shutil.copytree(ROOT / "examples" / "receiver", folder)
    return folder


def made(example: Path, target: str) -> str:
    command = ["make", "-C", str(example), target]
    command += [f"HLSMEM={sys.executable} -m hlsmem", f"PYTHON={sys.executable}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def results(printed: str) -> list[tuple[int, int, int]]:
    """Symbols, samples and wrong symbols of each run."""
    found = re.findall(r"(\d+) symbols of (\d+) samples in \d+ cycles, (\d+) wrong", printed)
    return [(int(symbols), int(samples), int(wrong)) for symbols, samples, wrong in found]


def test_the_receiver_decodes_with_and_without_stalls(example: Path) -> None:
    shutil.copy(example / "waveform.svg", example / "given.svg")
    (example / "waveform.svg").unlink()
    stalled, free = results(made(example, "waveform.svg"))
    assert stalled == free
    symbols, samples, wrong = free
    assert (samples, wrong) == (64, 0)
    assert symbols > 5
    assert (example / "waveform.svg").read_text() == (example / "given.svg").read_text()


@pytest.mark.parametrize(
    ("right", "other"),
    [("looking <= state == 0", "looking <= state != 0"), ("8'd5 : 8'd0", "8'd4 : 8'd0")],
    ids=["the other condition", "a symbol too few"],
)
def test_the_bench_finds_a_wrong_datapath(example: Path, right: str, other: str) -> None:
    pipe, text = (
        example / "receiver_pipe.v",
        (ROOT / "examples/receiver/receiver_pipe.v").read_text(),
    )
    assert right in text
    pipe.write_text(text.replace(right, other))
    printed = made(example, "run")
    assert "no end" in printed or all(wrong > 0 for _, _, wrong in results(printed))
