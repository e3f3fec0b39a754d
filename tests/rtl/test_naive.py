"""What generated banks are compared with does the same: every beat of it, under stalls."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (
    Path(__file__).parent / "naive_bench.v",
    ROOT / "benchmarks/rtl/stencil5_naive.v",
    ROOT / "rtl/hlsmem_ram.v",
    ROOT / "rtl/hlsmem_output_register.v",
)


def run(folder: Path, old: str = "", new: str = "") -> str:
    """What the bench prints, with a text of the naive version replaced."""
    for file in SOURCES:
        text = file.read_text()
        assert not old or file is not SOURCES[1] or text.count(old) == 1
        (folder / file.name).write_text(text.replace(old, new) if old else text)
    names = [file.name for file in SOURCES]
    subprocess.run(["iverilog", "-o", "bench", *names], cwd=folder, check=True)
    done = subprocess.run(
        ["vvp", "-n", "bench"], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()[-1] if done.stdout else ""


@pytest.mark.needs("iverilog")
def test_the_naive_stencil_reads_every_neighbourhood(tmp_path: Path) -> None:
    assert run(tmp_path) == "3844 beats, 0 wrong"
    assert run(tmp_path, "{south, x} < {fill_y, fill_x}", "{y, x} < {fill_y, fill_x}") not in (
        "3844 beats, 0 wrong",
        "",
    )
