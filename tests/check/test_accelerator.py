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
    "colours",
    "slopes",
    "peaks",
    "remainders",
    "grey",
    "lines",
    "absent",
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


@pytest.mark.few("two_sources", "running", "slopes", "peaks", "remainders", "lines", "absent")
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


FIXED = """#include <ap_fixed.h>
typedef ap_fixed<16, 6> word;
void points(const word a[64], const word b[64], ap_fixed<12, 4, AP_RND, AP_SAT> near[64],
            ap_ufixed<10, 4, AP_RND, AP_SAT> positive[64], ap_fixed<10, 3> low[64],
            word sums[62]) {
  const word c[3] = {0.25, -0.5, 1.25};
  for (int i = 0; i < 64; i++) near[i] = a[i] * b[i] - b[i];
  for (int i = 0; i < 64; i++) positive[i] = a[i] * word(0.375) + word(1.5);
  for (int i = 0; i < 64; i++) low[i] = (b[i] - a[i]) / 2;
  for (int i = 0; i < 62; i++) {
    ap_fixed<24, 10> s = 0;
    for (int k = 0; k < 3; k++) s += c[k] * a[i + k];
    sums[i] = s;
  }
}
"""


@pytest.mark.dear
def test_numbers_with_a_point_are_integers(tmp_path: Path) -> None:
    """Rounded and saturated, without a sign, and cut and wrapped."""
    source = tmp_path / "points.cpp"
    source.write_text(FIXED)
    assert judged(whole(source, tmp_path / "out"))["points"][0] is Status.PASS


BEATS = """#include <ap_axi_sdata.h>
#include <ap_int.h>
#include <hls_stream.h>
typedef ap_axiu<24, 1, 1, 1> beat;
void beats(hls::stream<beat> &src, hls::stream<beat> &dst) {
  for (int i = 0; i < 12; i++) {
    beat one = src.read(), other;
    other.data = one.data(23, 16) + one.data(7, 0);
    other.keep = one.keep;
    other.strb = -1;
    other.last = i == 11;
    other.user = one.user;
    other.id = other.dest = 0;
    dst.write(other);
  }
}
"""


def test_beats_have_values_of_their_members_and_unused_members_are_taken(tmp_path: Path) -> None:
    """`keep` is 3 bits in a byte; nothing uses strb, last, id and dest of what comes in."""
    source = tmp_path / "beats.cpp"
    source.write_text(BEATS)
    out = whole(source, tmp_path / "out")
    assert judged(out)["beats"][0] is Status.PASS
    assert "whose values nothing uses" in (out / "rtl/beats_S2_process.v").read_text()


STATIC_LINE = """#include <ap_int.h>
#include <hls_stream.h>
#define COLS 8
#define ROWS 6
void edge(hls::stream<ap_uint<8>> &in, hls::stream<ap_uint<8>> &out) {
  static ap_uint<8> line[COLS];
  ap_uint<8> left = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) {
      ap_uint<8> p = in.read();
      int d = p - line[c], e = p - left;
      line[c] = left = p;
      int m = (d < 0 ? -d : d) + (e < 0 ? -e : e);
      out.write((r == 0 || c == 0) ? 0 : m > 255 ? 255 : m);
    }
}
"""


def test_a_static_line_buffer_is_no_state_and_streams_have_rows(tmp_path: Path) -> None:
    source = tmp_path / "edge.cpp"
    source.write_text(STATIC_LINE)
    found = judged(whole(source, tmp_path / "out"))
    assert {status for status, _ in found.values()} == {Status.PASS}


EDGES = """#include <stdint.h>
void keep(const uint8_t in[12][16], uint8_t out[12][16]) {
  for (int y = 1; y < 11; y++)
    for (int x = 1; x < 15; x++)
      out[y][x] = (in[y-1][x] + in[y+1][x] + in[y][x-1] + in[y][x+1] + 2) >> 2;
}
"""
BORDER = """#include <stdint.h>
void border(const uint8_t in[6][8], uint8_t out[6][8]) {
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 8; x++)
      if (y >= 2 && x >= 2) out[y][x] = in[y][x] - in[y-2][x-2];
      else out[y][x] = 0;
}
"""


def test_results_without_operands_wait_for_a_frame(tmp_path: Path) -> None:
    """The first rows are numbers; behind the last frame nothing more leaves."""
    source = tmp_path / "border.c"
    source.write_text(BORDER)
    assert judged(whole(source, tmp_path / "out"))["border"][0] is Status.PASS


LATE = """#include <stdint.h>
void late(const uint8_t in[6][8], uint8_t out[6][8]) {
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 8; x++)
      out[y][x] = x >= 1 ? in[y][x-1] + 3 : 7;
}
"""


def test_a_first_result_without_operands_waits_for_a_frame(tmp_path: Path) -> None:
    source = tmp_path / "late.c"
    source.write_text(LATE)
    assert judged(whole(source, tmp_path / "out"))["late"][0] is Status.PASS


NETWORK_FAULTS = {
    "none": ("edges_S.v", "endmodule", "endmodule"),
    "an operand that is not there": ("edges_S.v", "v10 ? 12'd0 : a1", "v10 ? 12'd1 : a1"),
    "a number of the code": ("edges_O.v", "8'd255", "8'd254"),
}


@pytest.mark.few("none")
@pytest.mark.parametrize("name", NETWORK_FAULTS)
def test_networks_of_streams_do_what_their_bodies_do(name: str, tmp_path: Path) -> None:
    """The first result of a process has no operand; none leaves behind the last frame."""
    out = whole(KERNELS / "network.yaml", tmp_path / "out")
    file, old, new = NETWORK_FAULTS[name]
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert judged(out)["edges"][0] is (Status.PASS if name == "none" else Status.FAIL)


def test_parts_that_are_merged_keep_the_order_of_lanes(tmp_path: Path) -> None:
    out = whole(KERNELS / "lanes.yaml", tmp_path / "out")
    assert {status for status, _ in judged(out).values()} == {Status.PASS}


def test_elements_that_are_used_pass_alone_where_a_design_wants_it(tmp_path: Path) -> None:
    source = tmp_path / "keep.c"
    source.write_text(EDGES)
    used = [f"arrays.{name}.transfer=used" for name in ("in", "out")]
    out = whole(source, tmp_path / "out", *used)
    head = (out / "rtl/keep.v").read_text()
    assert "// s_axis_in: in, uint8, 188 beats a frame, 12 x 16 row by row, what is used" in head
    assert "// m_axis_out: out, uint8, 140 beats a frame, 12 x 16 row by row, what is used" in head
    assert judged(out)["keep"][0] is Status.PASS


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


def test_bits_of_an_operand_that_nobody_takes_are_no_warning(tmp_path: Path) -> None:
    source = tmp_path / "ends.c"
    source.write_text(
        "void ends(const unsigned char in[40], unsigned char out[40]) {\n"
        "  for (int i = 0; i < 40; i++) out[i] = (in[i] >> 4) + ((in[i] & 1) << 6);\n}\n"
    )
    assert judged(whole(source, tmp_path / "out"))["ends"][0] is Status.PASS


@pytest.mark.dear
def test_elements_of_a_word_in_another_order_are_seen(tmp_path: Path) -> None:
    out = whole(KERNELS / "grey.c", tmp_path / "out")
    path = out / "rtl/grey_S0.v"
    text = path.read_text()
    assert "a0[7:0]" in text
    path.write_text(text.replace("a0[7:0]", "a0[15:8]"))
    assert judged(out)["grey"][0] is Status.FAIL


def test_words_of_numbers_with_a_sign_come_in_one_beat(tmp_path: Path) -> None:
    """Of 12 bits, each in two bytes."""
    source = tmp_path / "pairs.cpp"
    source.write_text(
        "#include <ap_int.h>\nvoid pairs(const ap_int<12> in[40][2], ap_int<24> out[40]) {\n"
        "  for (int i = 0; i < 40; i++) out[i] = in[i][0] * in[i][1] - in[i][1];\n}\n"
    )
    out = whole(source, tmp_path / "out")
    assert (
        "s_axis_in: in, int12, 40 beats a frame, 40 x 2 row by row, 2 of them a beat"
        in (out / "rtl/pairs.v").read_text()
    )
    assert judged(out)["pairs"][0] is Status.PASS


def test_numbers_between_elements_have_up_to_128_bits(tmp_path: Path) -> None:
    source = tmp_path / "high.c"
    source.write_text(
        "void high(const long a[32], const long b[32], long out[32]) {\n"
        "  for (int i = 0; i < 32; i++) out[i] = ((__int128)a[i] * b[i] + a[i]) >> 64;\n}\n"
    )
    assert judged(whole(source, tmp_path / "out"))["high"][0] is Status.PASS


FLOAT_FAULTS = {
    "none": ("levels.v", "module levels (", "module levels ("),
    "a module that does not wait": ("floats.v", "if (ce) begin", "begin"),
    "a latency one too long": ("floats.v", "q <= second;", "q <= first;"),
    "a sum that is not rounded": ("floats.v", "(m[2] & (m[1] | m[0] | m[3]))", "1'b0"),
    "a state that is set by no beat": ("levels_S0_process.v", ".take(", ".take(1'b1 | "),
}


@pytest.mark.few("none", "a latency one too long")
@pytest.mark.parametrize("name", FLOAT_FAULTS)
def test_floats_are_computed_by_modules_of_the_user(name: str, tmp_path: Path) -> None:
    """Sums that wait for each other, products, a function of integers, and choices of floats."""
    file, old, new = FLOAT_FAULTS[name]
    out = whole(KERNELS / "levels.yaml", tmp_path / "out")
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert judged(out)["levels"][0] is (Status.PASS if name == "none" else Status.FAIL)


@pytest.mark.dear
def test_whole_numbers_become_floats_and_come_back(tmp_path: Path) -> None:
    """A pixel times 1.5, by modules of exact conversions."""
    (tmp_path / "gain.c").write_text(
        "#include <stdint.h>\nvoid gain(const uint8_t in[200], uint8_t out[200]) {\n"
        "  for (int i = 0; i < 200; i++) out[i] = (int)(in[i] * 1.5f);\n}\n"
    )
    text = (KERNELS / "floats.v").read_text()
    (tmp_path / "conversions.v").write_text(text + CONVERSIONS)
    (tmp_path / "gain.yaml").write_text(
        "hlsmem: 1\nname: gain\nkernel: {file: gain.c}\naccelerator:\n  functions:\n"
        "    f*: {module: float_product, file: conversions.v, latency: 2}\n"
        "    float(int32): {module: to_float, file: conversions.v, latency: 1}\n"
        "    int32(float): {module: to_int, file: conversions.v, latency: 1}\n"
    )
    assert judged(whole(tmp_path / "gain.yaml", tmp_path / "out"))["gain"][0] is Status.PASS


CONVERSIONS = """
module to_float (input clk, ce, input [31:0] a0, output reg [31:0] q);
    integer k;
    always @(posedge clk) if (ce) begin
        q <= 0;
        for (k = 0; k < 24; k = k + 1)
            if (a0[k]) q <= {1'b0, 8'd127 + k[7:0], 23'b0} | ((a0 ^ (1 << k)) << (23 - k));
    end
endmodule
module to_int (input clk, ce, input [31:0] a0, output reg [31:0] q);
    always @(posedge clk) if (ce)
        q <= a0[30:23] < 127 ? 0 : {1'b1, a0[22:0]} >> (150 - a0[30:23]);
endmodule
"""
