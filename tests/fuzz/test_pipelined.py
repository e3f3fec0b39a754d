"""Random pipelined iterations: what is put together does what it did, and something is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.pipelined import kernel_text, wrong_in_pipelined

SEEDS = range(1, 31)


@pytest.mark.few(1)
@pytest.mark.parametrize("seeds", [SEEDS[:3], SEEDS[8:16], SEEDS[16:]], ids=["3", "8", "14"])
def test_what_is_put_together_does_what_it_did(seeds: range, tmp_path: Path) -> None:
    assert wrong_in_pipelined(seeds, tmp_path, ("reading", "host")) == (True, "")


def test_every_way_of_writing_is_tried() -> None:
    text = kernel_text(SEEDS)
    for word in (
        "#pragma HLS PIPELINE",
        "+= q[y][x - 1 + k] * k",
        "int w =",
        " ? ",
        "float ",
        "-= ",
    ):
        assert word in text
