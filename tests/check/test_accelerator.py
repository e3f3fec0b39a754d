"""The check `rtl` of whole accelerators: right as generated, and planted faults are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.check_run import run_checks
from hlsmem.core.verdict import Status
from hlsmem.planner.output_files import described_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from tests.plans import put

KERNELS = Path(__file__).parents[1] / "datapath/kernels"
ALL = (
    "gauss3",
    "demosaic",
    "fir32",
    "two_sources",
    "unsharpc",
    "sobelth",
    "harris",
    "dense",
    "mm16",
    "inner",
    "pixels",
    "running",
)
SUM = """#include <stdint.h>
void total(const int8_t a[12][80], const int8_t b[12], int32_t out[12], int8_t most[12]) {
  for (int y = 0; y < 12; y++) {
    int32_t s = b[y];
    int8_t m = -128;
    for (int x = 0; x < 80; x++) {
      s += a[y][x] * a[y][x];
      m = a[y][x] > m ? a[y][x] : m;
    }
    out[y] = s >> 2;
    most[y] = m;
  }
}
"""

pytestmark = pytest.mark.needs("iverilog")


def whole(source: Path, out: Path, *settings: str) -> Path:
    planning = plan_design(load(source, settings=["accelerator.build=whole", *settings]))
    put(out, described_files(planning))
    return out


def judged(out: Path) -> dict[str, tuple[Status, str]]:
    found = run_checks(out, only=("rtl",)).verdicts
    return {one.subject: (one.status, one.detail) for one in found}


@pytest.mark.few("two_sources", "running")
@pytest.mark.parametrize("name", ALL)
def test_accelerators_do_what_the_original_does(name: str, tmp_path: Path) -> None:
    found = judged(whole(KERNELS / f"{name}.c", tmp_path / "out"))
    assert {status for status, _ in found.values()} == {Status.PASS}
    assert "4 frames as by the original, with stalls and after a reset" in found[name][1]


def test_sums_and_maxima_of_rows_are_kept_in_registers(tmp_path: Path) -> None:
    """Operands in front of the inner loop come with its first beat, results with its last."""
    source = tmp_path / "total.c"
    source.write_text(SUM)
    found = judged(whole(source, tmp_path / "out"))
    assert {status for status, _ in found.values()} == {Status.PASS}


def test_arrays_that_a_design_narrows_compute_in_their_types(tmp_path: Path) -> None:
    """A difference of 12-bit words that C declares unsigned wraps at 32 bits."""
    source = tmp_path / "narrow.c"
    source.write_text(
        "void narrow(const unsigned a[16], const unsigned b[16], int out[16]) {\n"
        "  for (int i = 0; i < 16; i++) out[i] = (a[i] - b[i]) / 3;\n}\n"
    )
    narrow = [f"arrays.{name}.type=uint12" for name in "ab"]
    assert judged(whole(source, tmp_path / "out", *narrow))["narrow"][0] is Status.PASS


EDGES = """#include <stdint.h>
void keep(const uint8_t in[12][16], uint8_t out[12][16]) {
  for (int y = 1; y < 11; y++)
    for (int x = 1; x < 15; x++)
      out[y][x] = (in[y-1][x] + in[y+1][x] + in[y][x-1] + in[y][x+1] + 2) >> 2;
}
"""
EDGE_FAULTS = {
    "none": ("keep.v", "endmodule", "endmodule"),
    "a frame that does not wait": ("keep_out_departure.v", "frames != 2'd0", "1'b1"),
    "an edge of another value": ("keep_out_departure.v", "8'd0", "8'd1"),
    "an edge too few": ("keep_out_departure_walk.v", "t0 >= 4'd1", "t0 >= 4'd0"),
    "the end of a frame": ("keep_out_departure.v", "m_tlast = last_beat", "m_tlast = ~written"),
    "a beat that stays": ("keep_out_departure.v", "s_tready = written &", "s_tready = ~written &"),
}


@pytest.mark.few("none", "an edge too few")
@pytest.mark.parametrize("name", EDGE_FAULTS)
def test_what_nothing_writes_leaves_as_zero(name: str, tmp_path: Path) -> None:
    source = tmp_path / "keep.c"
    source.write_text(EDGES)
    out = whole(source, tmp_path / "out")
    file, old, new = EDGE_FAULTS[name]
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert judged(out)["keep"][0] is (Status.PASS if name == "none" else Status.FAIL)


FAULTS = {
    "a sign": ("gauss3_S0.v", " + ", " - "),
    "a bit of a result": ("gauss3_S0.v", "[11:4]", "[10:3]"),
    "an operand": ("gauss3_S0_process.v", "[71:64]", "[63:56]"),
    "a result too early": ("gauss3_S0_process.v", "<= valid[2];", "<= valid[1];"),
    "registers that do not wait": ("gauss3_S0_process.v", "wire ce = ", "wire ce = 1'b1 | "),
    "a frame that does not begin": ("gauss3.v", ".start(~busy)", ".start(1'b0)"),
    "the end of a frame": ("gauss3.v", "10'd799;", "10'd798;"),
    "an error that nobody sees": ("gauss3.v", "assign error = misplaced", "assign error = 1'b0"),
}


@pytest.mark.few("a bit of a result")
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, tmp_path: Path) -> None:
    file, old, new = FAULTS[name]
    out = whole(KERNELS / "gauss3.c", tmp_path / "out")
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    found = judged(out)
    assert found["gauss3"][0] is Status.FAIL
    assert found["gauss3_mem"][0] is Status.PASS


LOOP_FAULTS = {
    "a state that is never set": ("total_S0.v", "if (take) s0 <=", "if (1'b0) s0 <="),
    "a state that is set by no beat": ("total_S0_process.v", ".take(", ".take(1'b1 | "),
    "a first beat too late": ("total_S0_process.v", ".first(first_beat)", ".first(last_one)"),
    "a result on each beat": ("total_S0_process.v", " & last_ones[", " | last_ones["),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", LOOP_FAULTS)
def test_a_planted_fault_in_a_loop_is_seen(name: str, tmp_path: Path) -> None:
    file, old, new = LOOP_FAULTS[name]
    source = tmp_path / "total.c"
    source.write_text(SUM)
    out = whole(source, tmp_path / "out")
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert judged(out)["total"][0] is Status.FAIL
