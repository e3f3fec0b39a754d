"""Designs whose datapath is generated: what they get, what is refused, and what is said of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit.report import report
from hlsmem.plan import from_json, to_json
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load

KERNELS = Path(__file__).parents[1] / "datapath/kernels"
EXAMPLES = Path(__file__).parents[2] / "examples"
WHOLE = "accelerator.build=whole"


def planned(file: Path, *settings: str) -> Planning:
    return plan_design(load(file, settings=[*settings]))


def written(folder: Path, body: str, head: str = "const uint8_t in[64], uint8_t out[64]") -> Path:
    file = folder / "k.c"
    file.write_text(f"#include <stdint.h>\nvoid k({head}) {{\n{body}\n}}\n")
    return file


LOOP = "  for (int i = 0; i < 64; i++)\n    "


def test_a_filter_gets_a_top_with_its_datapath() -> None:
    planning = planned(KERNELS / "gauss3.c", WHOLE)
    accelerator = planning.plan.accelerator
    assert accelerator is not None
    (process,) = accelerator.processes
    assert (process.statements, process.stages, process.multipliers) == (("S0",), 3, 0)
    assert [(one.name, one.beats) for one in accelerator.ports] == [
        ("s_axis_in", 800),
        ("m_axis_out", 684),
    ]
    files = output_files(planning)
    listed = files["rtl/files.f"].split()
    assert {"gauss3.v", "gauss3_S0.v", "gauss3_S0_process.v", "gauss3_mem.v"} <= {*listed}
    assert listed[-1] == "gauss3.v"
    assert "module gauss3 (" in files["rtl/gauss3.v"]
    assert planning.plan.timing is not None
    assert planning.plan.timing.cycles == 806
    text = report(planning.plan)
    assert "`rtl/gauss3.v` is the whole of it: the memories and 1 process" in text
    assert "| `m_axis_out` | out   | uint8   |          8 |           684 |" in text
    assert "| `s_axis_in` | in, row by row | 800 | 8 |" in files["rtl/README.md"]
    assert "    toplevel: gauss3\n" in files["gauss3.core"]


def test_the_plan_says_what_it_says_of_an_accelerator_again() -> None:
    plan = planned(KERNELS / "dense.c", WHOLE).plan
    assert plan.accelerator is not None
    (process,) = plan.accelerator.processes
    least, greatest = process.states["s"]
    assert -(1 << 20) <= least < 0 < greatest < 1 << 20
    assert from_json(to_json(plan)).accelerator == plan.accelerator


def test_bits_of_floats_are_no_values_of_a_state() -> None:
    plan = planned(KERNELS / "levels.yaml").plan
    assert plan.accelerator is not None
    (kept,) = [one.states for one in plan.accelerator.processes if one.states]
    assert dict(kept) == {"s": ()}
    assert "| s " in report(plan)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_equal_input_gives_equal_files_whatever_sets_are_in(seed: str, tmp_path: Path) -> None:
    """First and last beats are a set: its order is that of a process."""
    command = [sys.executable, "-m", "hlsmem", "plan", str(KERNELS / "mm16.c")]
    command += ["--set", WHOLE, "-o", str(tmp_path / "out")]
    given = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run(command, env=given, capture_output=True, check=True)
    text = (tmp_path / "out/rtl/mm16_S0_walk.v").read_text()
    assert text.index("assign first_beat") < text.index("assign last_one")


def test_a_top_is_no_keyword_of_verilog(tmp_path: Path) -> None:
    file = written(tmp_path, LOOP + "out[i] = in[i] + 1;")
    file = file.rename(tmp_path / "edge.c")
    file.write_text(file.read_text().replace("void k(", "void edge("))
    assert "module edge_top (" in output_files(planned(file, WHOLE))["rtl/edge_top.v"]


def test_a_datapath_is_made_unless_memories_are_asked_for() -> None:
    assert planned(KERNELS / "gauss3.c").plan.accelerator is not None
    planning = planned(KERNELS / "gauss3.c", "accelerator.build=memories")
    assert planning.plan.accelerator is None
    assert "accelerator" not in json.loads(to_json(planning.plan))
    assert "rtl/gauss3.v" not in output_files(planning)


def test_what_is_not_read_from_c_has_memories_alone_and_no_remark() -> None:
    plan = planned(EXAMPLES / "fifo/design.yaml").plan
    assert plan.accelerator is None
    assert not [one for one in plan.remarks if "memories alone" in one]


def test_a_network_that_is_to_be_whole_says_what_is_missing() -> None:
    with pytest.raises(InputError) as caught:
        planned(EXAMPLES / "fifo/design.yaml", WHOLE)
    assert {one.what: one.remedy for one in caught.value.problems} == {
        "Put has no circuit: nothing says what it computes": "give its body in C",
        "'out' stays outside: it has no stream": "set arrays.out.storage: stream",
    }
    assert all(one.source_location is not None for one in caught.value.problems)


def test_a_network_from_which_nothing_leaves_has_memories_alone() -> None:
    plan = planned(EXAMPLES / "e1/design.yaml").plan
    assert plan.accelerator is None
    assert any("memories alone are made: nothing leaves" in one for one in plan.remarks)


def test_a_network_of_streams_with_bodies_is_whole() -> None:
    accelerator = planned(KERNELS / "network.yaml").plan.accelerator
    assert accelerator is not None
    assert [one.statements for one in accelerator.processes] == [("S",), ("M",), ("O",)]
    assert {one.name: one.beats for one in accelerator.ports} == {
        "s_axis_in": 216,
        "m_axis_out": 216,
        "m_axis_flag": 216,
    }


def test_arrays_that_no_device_holds_are_not_brought_in(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "void k(const long a[250][250], long out[250][250]) {\n"
        "  for (int i = 0; i < 250; i++)\n    for (int j = 0; j < 250; j++)\n"
        "      out[i][j] = a[249 - i][j];\n}\n"
    )
    (remark,) = [one for one in planned(file).plan.remarks if "memories alone" in one]
    assert "whole arrays take 4000064 bits on chip, and ecp5-85k has" in remark
    assert planned(file, WHOLE).plan.accelerator is not None


def test_stages_are_made_for_the_clock_that_is_asked_for() -> None:
    slow, fast = (
        planned(KERNELS / "fir32.c", f"target.clock_mhz={clock}").plan.accelerator
        for clock in (50, 180)
    )
    assert slow is not None
    assert fast is not None
    assert (slow.clock_mhz, fast.clock_mhz) == (50, 180)
    assert slow.processes[0].stages < fast.processes[0].stages


def test_a_table_that_takes_more_than_a_cycle_is_told(tmp_path: Path) -> None:
    words = ", ".join(str(k * k % 251) for k in range(4096))
    head = "const uint16_t in[64], uint8_t out[64]"
    file = written(
        tmp_path,
        f"  static const uint8_t t[4096] = {{{words}}};\n{LOOP}out[i] = t[in[i] & 4095];",
        head,
    )
    (remark,) = planned(file).plan.remarks
    assert "S0 has the table 't' of 4096 words in LUTs, which takes 10.8 ns" in remark
    assert "more than a cycle at 140 MHz; set target.clock_mhz to at most 92" in remark
    assert planned(file, "target.clock_mhz=92").plan.remarks == ()


def test_an_array_that_is_read_in_part_is_transferred_whole() -> None:
    """A mask of which the first and the last row are not read comes in frames all the same."""
    plan = planned(KERNELS / "two_sources.c", WHOLE).plan
    assert plan.accelerator is not None
    assert {one.name: one.beats for one in plan.accelerator.ports} == {
        "s_axis_p": 800,
        "s_axis_q": 800,
        "m_axis_out": 720,
    }


EDGES = """#include <stdint.h>
void k(const uint8_t in[6][8], uint8_t out[6][8]) {
  for (int y = 1; y < 5; y++)
    for (int x = 1; x < 7; x++)
      out[y][x] = (in[y-1][x] + in[y+1][x] + in[y][x-1] + in[y][x+1] + 2) >> 2;
}
"""


def test_an_array_that_is_written_in_part_leaves_whole(tmp_path: Path) -> None:
    """The ends of rows and columns are in the frame; a module beside the stream fills them in."""
    file = tmp_path / "k.c"
    file.write_text(EDGES)
    planning = planned(file, WHOLE)
    assert planning.plan.accelerator is not None
    (out,) = [one for one in planning.plan.accelerator.ports if one.direction == "out"]
    assert (out.extents, out.beats) == ((6, 8), 48)
    files = output_files(planning)
    assert (
        "// m_axis_out: out, uint8, 48 beats a frame, 6 x 8 row by row, 0 where" in files["rtl/k.v"]
    )
    assert "wire written" in files["rtl/k_out_departure_walk.v"]
    assert "rtl/gauss3_out_departure.v" not in output_files(planned(KERNELS / "gauss3.c", WHOLE))


def test_auto_falls_back_to_memories_and_says_why(tmp_path: Path) -> None:
    file = written(tmp_path, LOOP + "out[i] = in[i] / (in[i] + 1);")
    plan = planned(file, "accelerator.build=auto").plan
    assert plan.accelerator is None
    (remark,) = [one for one in plan.remarks if "memories alone" in one]
    assert "k.c:4:5: memories alone are made: S0 has no circuit: a division by what" in remark


STAYING = {
    "what a function returns": (
        "int k(const int in[64]) {\n  int s = 0;\n"
        "  for (int i = 0; i < 64; i++) s += in[i];\n  return s;\n}\n",
        "'s' is used outside of the loops too: it has no stream",
    ),
    "a number": (
        "void k(const int in[64], int out[64], int g) {\n"
        "  for (int i = 0; i < 64; i++) out[i] = in[i] * g;\n}\n",
        "'g' is a number of the caller's: it has no stream",
    ),
    "state": (
        "void k(const int in[64], int out[64]) {\n  static int before[64];\n"
        "  for (int i = 0; i < 64; i++) { out[i] = before[i]; before[i] = in[i]; }\n}\n",
        "'before' is kept from run to run, which frames do not ask for",
    ),
    "a table of the caller's": (
        "void k(const unsigned char in[64], const int t[256], int out[64]) {\n"
        "  for (int i = 0; i < 64; i++) out[i] = t[in[i]];\n}\n",
        "data decide which elements of 't' are read: it has no stream",
    ),
    "places that data decide": (
        "void k(const unsigned char in[64], int out[256]) {\n  int h[256];\n"
        "  for (int i = 0; i < 256; i++) h[i] = 0;\n"
        "  for (int i = 0; i < 64; i++) h[in[i]] += 1;\n"
        "  for (int i = 0; i < 256; i++) out[i] = h[i];\n}\n",
        "S0 has no stream for 'h': data decide which elements it has",
    ),
    "a statement that never runs": (
        "void k(int n, const int in[64], int out[64]) {\n"
        "  for (int i = 0; i < n; i++) out[i] = in[i];\n"
        "  for (int i = 0; i < n - 64; i++) out[i] = 0;\n}\n",
        "S1 has no circuit: it never runs at n=64",
    ),
}


@pytest.mark.parametrize("name", STAYING)
def test_what_has_no_stream_leaves_memories_alone(name: str, tmp_path: Path) -> None:
    text, why = STAYING[name]
    file = tmp_path / "k.c"
    file.write_text(text)
    parameters = {"n": 64} if "int n" in text else {}
    plan = plan_design(load(file, parameters=parameters)).plan
    assert plan.accelerator is None
    (remark,) = [one for one in plan.remarks if "memories alone" in one]
    assert f"memories alone are made: {why}" in remark


REFUSED = {
    "a quotient": (
        LOOP + "out[i] = in[i] / (in[i] + 1);",
        (),
        "no constant has no circuit of one"
        " beat; divide by a constant, or in a function with a module in accelerator.functions",
    ),
    "a sum of floats": (
        "  float s = 0;\n  for (int i = 0; i < 64; i++) s += in[i];\n  out[0] = (uint8_t)s;",
        (),
        "S1 has no circuit: it adds floats, and no module is named for 'f+'; name one in"
        " accelerator.functions, or compute with integers",
    ),
    "a subscript outside of a table": (
        "  static const uint8_t t[16] = {1, 2};\n" + LOOP + "out[i] = t[in[i]];",
        (),
        "a subscript of 't' may be 0 to 255, outside of its 16 words; cut it, as by & 15",
    ),
    "an element on one arm": (
        LOOP + "if (in[i] > 3) out[i] = in[i];",
        (),
        "S0 has no circuit: data decide whether it writes 'out'; write the element once, in any"
        " case: x = condition ? a : b",
    ),
    "an array in place": (
        "  for (int i = 1; i < 64; i++)\n    out[i] = out[i - 1] + in[i];",
        (),
        "'out' is read and written: it comes in and leaves",
    ),
    "another latency": (
        LOOP + "out[i] = in[i] + 1;",
        ("pipeline.latency.S0=7",),
        "S0 has a latency of 1, that of its datapath, and not of 7",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_whole_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    body, settings, words = REFUSED[name]
    with pytest.raises(InputError) as caught:
        planned(written(tmp_path, body), WHOLE, *settings)
    assert words in str(caught.value)
    assert all(one.source_location is not None for one in caught.value.problems)


def test_all_statements_without_a_circuit_are_told_at_once(tmp_path: Path) -> None:
    body = (
        "  uint8_t t[64];\n"
        "  for (int i = 0; i < 64; i++)\n    t[i] = in[i] / (in[i] + 1);\n"
        "  for (int i = 0; i < 64; i++)\n    out[i] = t[i] % (t[i] + 1);"
    )
    with pytest.raises(InputError) as caught:
        planned(written(tmp_path, body), WHOLE)
    assert len(caught.value.problems) == 2


def test_results_in_front_of_a_loop_and_behind_it_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "#define H 8\n#define W 70\nvoid k(const int a[H][W], int front[H], int behind[H]) {\n"
        "  for (int y = 0; y < H; y++) {\n    int s = a[y][0];\n    front[y] = s * 2;\n"
        "    for (int x = 0; x < W; x++) s += a[y][x];\n    behind[y] = s;\n  }\n}\n"
    )
    with pytest.raises(InputError) as caught:
        planned(file, WHOLE)
    assert "its result leaves in front of a loop, that of S3 behind" in str(caught.value)
    assert "write both behind the loop" in str(caught.value)
