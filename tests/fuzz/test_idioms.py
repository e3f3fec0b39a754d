"""Random kernels in the idioms of the normal form: none is read wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.idioms import kernel_text, wrong_in_idioms

SEEDS = range(1, 31)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_kernel_does_what_it_did(seed: int, tmp_path: Path) -> None:
    assert wrong_in_idioms(seed, tmp_path, ("reading", "exact", "replay")) == (True, "")


def test_every_way_of_writing_is_tried() -> None:
    text = "\n".join(map(kernel_text, SEEDS))
    for word in ("*to", "row0(", "while (x-- > 0)", "do {", "memcpy", "continue", "switch"):
        assert word in text
    for word in ("trips(9)", "static short kept", "within(", "n / W", "count["):
        assert word in text
