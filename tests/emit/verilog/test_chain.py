"""Reuse chains in Verilog: what a reader leaves out is named as unused."""

from __future__ import annotations

import re
from pathlib import Path

from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.planning_sequence import plan_hardware
from tests.steps import load


def test_a_lane_that_nobody_reads_is_known_to_linters(tmp_path: Path) -> None:
    """Three elements come in a beat, two of them are read."""
    (tmp_path / "k.c").write_text(
        """void k(const short a[8], short b[8]) {
            short m[8];
        #pragma scop
            for (int i = 0; i < 3; i++)
                m[i] = a[i] + a[i + 2];
            for (int i = 0; i < 2; i++)
                b[i] = m[i];
        #pragma endscop
        }"""
    )
    (tmp_path / "k.yaml").write_text(
        "{hlsmem: 1, name: k, kernel: {file: k.c, function: k}, order: iteration,"
        " pipeline: {unroll: {i: 3}}}"
    )
    text = simulated_files(plan_hardware(load(tmp_path / "k.yaml")))["rtl/k_m_buffer.v"]
    assert "After a write beat at_<k> holds" in text
    taps = set(re.findall(r"wire \[15:0\] (at_\d+_lane_\d+) =", text))
    (data,) = re.findall(r"assign m_m_S1_tdata = \{(.*)\};", text)
    (unused,) = re.findall(r"wire unused = .*", text)
    read = set(data.split(", "))
    assert taps - read == {name for name in taps if f"{name}}}" in unused or f"{name}," in unused}
    assert len(taps - read) == 1
