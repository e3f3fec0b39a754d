"""Proofs of streams that pass over instances by the value of a whole byte, and by two of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.read.loading import changed

pytestmark = pytest.mark.formal

KERNEL = """void k(TYPE in[6][8], unsigned char out[6][8]) {
  unsigned char t[6][8];
  for (int y = 0; y < 6; y++) for (int x = 0; x < 8; x++) {
    t[y][x] = 0;
    if (CONDITION) t[y][x] = in[y][x] - 1;
    if (y > 0) out[y][x] = t[y][x] + t[y-1][x];
  }
}
"""
SUM = "in[y][x] + 2*in[y][0] > 70"


def judged(folder: Path, kind: str, condition: str, *faults: tuple[str, str]) -> int:
    """The exit code of the proofs of a kernel with faults planted in the buffer of `in`."""
    file = folder / "k.c"
    file.write_text(KERNEL.replace("TYPE", kind).replace("CONDITION", condition))
    out = folder / "out"
    assert main(["plan", str(file), "--set", "plan.control=skip", "-o", str(out)]) == 0
    buffer = out / "rtl/k_in_buffer.v"
    buffer.write_text(changed(buffer.read_text(), *faults))
    return main(["check", str(out), "--only", "formal"])


@pytest.mark.parametrize(
    ("kind", "condition"),
    [
        ("unsigned char", "in[y][x] > 40"),
        pytest.param("signed char", "in[y][x] > -9 && in[y][x] < 7", marks=pytest.mark.long),
        pytest.param("unsigned char", SUM, marks=pytest.mark.long),
    ],
)
def test_values_of_a_whole_byte_are_proved(kind: str, condition: str, tmp_path: Path) -> None:
    assert judged(tmp_path, kind, condition) == 0


@pytest.mark.parametrize(
    "fault",
    [
        (">= 8'd41", ">= 8'd42"),
        pytest.param((">= 8'd41", ">= 8'd40"), marks=pytest.mark.long),
        pytest.param(
            ("m_in_S1_inside <= m_in_S1_inside - 2'd1", "m_in_S1_inside <= 2'd0"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_bound_off_by_one_and_a_wrong_count_are_not(
    fault: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(tmp_path, "unsigned char", "in[y][x] > 40", fault)
    assert re.search("(FAILED|Not judged): formal", capsys.readouterr().out)
