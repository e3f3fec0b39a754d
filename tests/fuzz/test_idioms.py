"""Random kernels in C and C++ as people write them: none is read wrongly.

Several programs are one kernel: one plan, and few compilers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fuzz import hls, idioms

SEEDS = range(1, 31)
CHECKS = ("reading", "replay", "host")


@pytest.mark.dear
@pytest.mark.parametrize("seeds", [SEEDS[:1], SEEDS[1:18], SEEDS[18:]], ids=["1", "2-18", "19-30"])
def test_kernels_do_what_they_did(seeds: range, tmp_path: Path) -> None:
    assert idioms.wrong_in_idioms(seeds, tmp_path, CHECKS) == (True, "")


# The last two are a kernel that C takes in steps, where data say which element is counted.
@pytest.mark.dear
@pytest.mark.parametrize(
    "seeds",
    [SEEDS[:1], SEEDS[1:3], SEEDS[3:6], (6021, 6023)],
    ids=["1", "2-3", "4-6", "steps"],
)
def test_kernels_in_cxx_do_what_they_did(seeds: Sequence[int], tmp_path: Path) -> None:
    assert hls.wrong_in_hls(seeds, tmp_path, CHECKS) == (True, "")


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, 301, 15))
def test_three_hundred_kernels_in_cxx_do_what_they_did(first: int, tmp_path: Path) -> None:
    assert hls.wrong_in_hls(range(first, first + 15), tmp_path, CHECKS) == (True, "")


def test_every_way_of_writing_is_tried() -> None:
    text = idioms.kernel_text(SEEDS)
    for word in ("*to", "row0_", "while (x-- > 0)", "do {", "memcpy", "continue", "switch"):
        assert word in text
    for word in ("trips(9)", "static short kept", "within_", "n / W", "count["):
        assert word in text
    text = hls.kernel_text(SEEDS)
    for word in ("hls::stream<", "(&b)[", "static_cast<", "a.read(v)", "w[k] = w[k - 1]"):
        assert word in text
    for word in ("template <", "class stage", "lambda0", "::run(", "pixel operator+"):
        assert word in text
    assert "ap_fixed<16, 11> v" in text
    for word in ("count[at]++", "line[x]", "b << (", "? type", "ap_int<22> &result"):
        assert word in text
