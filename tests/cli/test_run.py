"""`hlsmem run`: what it says of a run, what it writes, what it refuses, and faults that it sees."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hlsmem.cli.command import main
from hlsmem.core.errors import MissingToolError
from hlsmem.frames import frame_run, frame_simulation
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from tests.plans import put

KERNELS = Path(__file__).parents[1] / "datapath/kernels"
EXTENTS = (20, 40)

PAIR = """#include <stdint.h>
void pair(const uint8_t a[6][9], uint16_t b[6][9], uint8_t c[6][9]) {
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 9; x++) {
      int t = a[y][x] * 5;
      b[y][x] = t + 1;
      c[y][x] = t >> 3;
    }
}
"""

pytestmark = pytest.mark.needs("iverilog")


ROUNDED = """#include <stdint.h>
void rounded(const int8_t in[64], uint8_t up[64], int8_t eighth[64], int8_t shifted[64]) {
  for (int i = 0; i < 64; i++) up[i] = ((in[i] & 255) + 1) >> 1;
  for (int i = 0; i < 64; i++) eighth[i] = in[i] / 8;
  for (int i = 0; i < 64; i++) shifted[i] = in[i] >> (in[i] & 7);
}
"""
SUMS = """#include <stdint.h>
void sums(const int8_t in[4][80], int32_t out[4][80]) {
  for (int y = 0; y < 4; y++) {
    int32_t s = 0;
    for (int x = 0; x < 80; x++) {
      s += in[y][x];
      out[y][x] = s;
    }
  }
}
"""
WRITTEN = {"pair": PAIR, "rounded": ROUNDED, "sums": SUMS}


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder OUT of a kernel with its datapath, planned once."""
    folder = tmp_path_factory.mktemp("planned")

    def out(name: str) -> Path:
        if not (folder / name).exists():
            source = KERNELS / f"{name}.c"
            if name in WRITTEN:
                source = folder / f"{name}.c"
                source.write_text(WRITTEN[name])
            design = load(source, settings=["accelerator.build=whole"])
            put(folder / name, output_files(plan_design(design)))
        return folder / name

    return out


@pytest.fixture
def out(planned: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(planned("gauss3"), tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    return Path("out")


def frames(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 256, (number, *EXTENTS))


def smoothed(frame: np.ndarray) -> np.ndarray:
    """A frame through a binomial filter of 3 by 3."""
    height, width = frame.shape
    found = np.full((height - 2, width - 2), 8)
    for y, x in np.ndindex(3, 3):
        weight = (1, 2, 1)[y] * (1, 2, 1)[x]
        found += weight * frame[y : y + height - 2, x : x + width - 2]
    return found >> 4


def test_a_picture_goes_through(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = frames(1)[0]
    Path("in.pgm").write_bytes(b"P5\n40 20\n255\n" + frame.astype("u1").tobytes())
    assert main(["run", str(out), "in=in.pgm", "out=edges.pgm"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(
        "gauss3: 1 frame, 684 words compared, 0 wrong\n806 cycles in all, by Icarus"
    )
    assert told.err == "written to edges.pgm\n"
    head, pixels = Path("edges.pgm").read_bytes().split(b"255\n", 1)
    assert head == b"P5\n38 18\n"
    assert (np.frombuffer(pixels, "u1").reshape(18, 38) == smoothed(frame)).all()


def test_frames_go_back_to_back_with_stalls(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Arrays may be named behind options."""
    given = frames(3)
    np.save("in.npy", given)
    assert (
        main(["run", str(out), "--frames", "4", "--stall", "40", "in=in.npy", "out=out.npy"]) == 0
    )
    assert capsys.readouterr().out.startswith("gauss3: 4 frames, 2736 words compared, 0 wrong\n")
    expected = [smoothed(given[at % 3]) for at in range(4)]
    assert (np.load("out.npy") == expected).all()


def test_without_files_frames_are_drawn(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.pop("simulator").startswith("Icarus")
    assert found == {
        "design": "gauss3",
        "frames": 4,
        "compared": 2736,
        "wrong": 0,
        "cycles_a_frame": 807,
        "cycles": 3227,
        "differences": [],
        "faults": [],
    }
    words = (out / "sim/s_axis_in.hex").read_text().split()
    assert len(words) == 3200
    assert {len(one) for one in words} == {2}
    assert words.count("00") + words.count("ff") > 400  # of which 25 alone by chance


NARROW = """#include <ap_int.h>
void narrow(const ap_uint<12> a[6][9], ap_int<14> b[6][9], ap_int<10> c[6][9]) {
  for (int y = 0; y < 6; y++)
    for (int x = 1; x < 9; x++) {
      b[y][x - 1] = a[y][x] - 2000;
      c[y][x] = a[y][x - 1] - 2000;
    }
  for (int y = 0; y < 6; y++)
    b[y][8] = -1;
}
"""


def test_signs_of_narrow_elements_fill_their_words(tmp_path: Path) -> None:
    """Of an array that is written whole, and of one that is not."""
    source, out = tmp_path / "narrow.cpp", tmp_path / "out"
    source.write_text(NARROW)
    put(out, output_files(plan_design(load(source, settings=["accelerator.build=whole"]))))
    assert main(["run", str(out), f"b={tmp_path / 'b.csv'}", "--frames", "2"]) == 0
    assert (np.loadtxt(tmp_path / "b.csv", int, delimiter=",") < 0).any()


INSIDE = """#include <stdint.h>
void inside(const int8_t a[5][6], int16_t b[5][6]) {
  for (int y = 1; y < 4; y++)
    for (int x = 1; x < 5; x++)
      b[y][x] = a[y - 1][x] - 3 * a[y][x + 1];
}
"""


def test_elements_that_nothing_writes_leave_as_0(tmp_path: Path) -> None:
    source, out, given = tmp_path / "inside.c", tmp_path / "out", tmp_path / "a.csv"
    source.write_text(INSIDE)
    put(out, output_files(plan_design(load(source, settings=["accelerator.build=whole"]))))
    a = np.random.default_rng(3).integers(-128, 128, (5, 6))
    given.write_text("\n".join(",".join(map(str, row)) for row in a.tolist()))
    assert main(["run", str(out), f"a={given}", f"b={tmp_path / 'b.csv'}"]) == 0
    found = np.loadtxt(tmp_path / "b.csv", int, delimiter=",")
    expected = np.zeros((5, 6), int)
    expected[1:4, 1:5] = a[:3, 1:5] - 3 * a[1:4, 2:]
    assert (found == expected).all()


BEATS = {"inner": (280, 198), "pixels": (576, 198), "running": (170, 168)}
BEATS |= {"colours": (576, 199), "slopes": (384, 196), "peaks": (190, 167)}
BEATS |= {"remainders": (10, 920)}


@pytest.mark.parametrize("name", BEATS)
def test_frames_take_the_cycles_that_are_planned(
    name: str, planned: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A beat a cycle: by temporaries, of structs, with a sum that leaves with each, of words of
    several elements, of such that leave in part, and where branches set what is kept. Where that
    takes a product, a beat comes in six."""
    words, cycles = BEATS[name]
    assert main(["run", str(planned(name)), "--frames", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["compared"], found["cycles_a_frame"]) == (2 * words, cycles)


def test_signals_are_kept_where_asked_for(out: Path) -> None:
    assert main(["run", str(out), "--frames", "1", "--waves"]) == 0
    assert (out / "sim/gauss3.vcd").read_bytes().startswith(b"$date")


def test_a_result_is_replaced_and_nothing_else(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["run", str(out), "--frames", "1", "out=out.csv"]
    assert main(given) == 0
    assert main(given) == 0
    with open("out.csv", "a", encoding="utf-8") as stream:
        stream.write("mine\n")
    capsys.readouterr()
    assert main(given) == 2
    assert capsys.readouterr().err == (
        "'out.csv' is there, and is not as hlsmem made it; name another file, or replace it by"
        " --force\n"
    )
    assert main([*given, "--force"]) == 0
    assert "mine" not in Path("out.csv").read_text()


def test_all_that_is_wrong_is_told_at_once(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.pgm").write_bytes(b"P5\n41 20\n255\n")
    assert main(["run", str(out), "in=in.pgm", "mask=a.pgm", "out=b.gif"]) == 2
    assert capsys.readouterr().err == (
        "mask=a.pgm: there is no array 'mask' outside; name one of in, out\n"
        "in.pgm: it has 20 rows of 41 pixels in grey, and 'in' is [20][40]; bring it to these"
        " extents, or plan for its own (--param)\n"
        "b.gif: data has no format .gif; use one of .png, .pgm, .ppm, .csv, .npy, .npz, .raw,"
        " .bin\n"
    )


def test_a_word_that_names_no_file_is_refused(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(out), "photo.png", "in=a", "in=b"]) == 2
    assert capsys.readouterr().err == (
        "photo.png: not ARRAY=FILE; write it like in=photo.png\n"
        "in=b: 'in' has a file already; name one\n"
    )


def test_arrays_that_come_in_are_given_together(
    planned: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "p.npy", np.zeros((2, *EXTENTS), int))
    out = str(planned("two_sources"))
    assert main(["run", out, f"p={tmp_path / 'p.npy'}"]) == 2
    assert "'q' comes in too, and has no file; add q=FILE" in capsys.readouterr().err
    np.save(tmp_path / "q.npy", np.zeros((3, *EXTENTS), int))
    assert main(["run", out, f"p={tmp_path / 'p.npy'}", f"q={tmp_path / 'q.npy'}"]) == 2
    assert "different numbers of frames" in capsys.readouterr().err


def test_memories_alone_are_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = load(KERNELS / "gauss3.c", settings=["accelerator.build=memories"])
    put(tmp_path, output_files(plan_design(design)))
    assert main(["run", str(tmp_path), "in=photo.png"]) == 2
    assert capsys.readouterr().err == (
        f"{tmp_path}: it has memories alone, and no datapath to run; plan with"
        " `--set accelerator.build=whole`\n"
    )


FAULTS = {
    "a sign": ("gauss3_S0.v", " + ", " - ", " of frame 0 is "),
    "a bit of a result": ("gauss3_S0.v", "[11:4]", "[10:3]", "out[0][0] of frame 0 is "),
    "a dropped operand": ("gauss3_S0_process.v", "[71:64]", "[63:56]", "the original has "),
    "tlast one early": ("gauss3.v", "m_axis_out_tlast)", "error)", "m_axis_out: "),
    "an error without cause": ("gauss3.v", "= misplaced", "= ~misplaced", "error is high in "),
    "a frame that does not begin": (
        "gauss3.v",
        ".start(~busy)",
        ".start(1'b0)",
        "nothing moves any more",
    ),
    "registers that do not wait": (
        "gauss3_S0_process.v",
        "wire ce = ",
        "wire ce = 1'b1 | ",
        "the original has ",
    ),
}


@pytest.mark.few("a bit of a result")
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, old, new, words = FAULTS[name]
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert main(["run", str(out), "--stall", "40", "--frames", "2"]) == 1
    assert words in capsys.readouterr().out


OTHER_FAULTS = {
    "a join that takes one operand alone": (
        "two_sources_S0_process.v",
        "m_p_S0_tready = ce & m_q_S0_tvalid",
        "m_p_S0_tready = ce",
    ),
    "a delay one short": ("two_sources_p_buffer.v", ".DEPTH(39)", ".DEPTH(38)"),
    "a first beat too late": ("dense_S0_process.v", ".first(first_beat)", ".first(last_one)"),
    "elements of a word the other way round": (
        "slopes_S0_process.v",
        "_tdata = {q0, q1}",
        "_tdata = {q1, q0}",
    ),
    "an operand in front that is not held": (
        "peaks_S0_process.v",
        "m_in_S0_held <= m_in_S0_tvalid",
        "m_in_S0_held <= 1'b1",
    ),
    "a beat before the state that it needs": (
        "remainders_S0_process.v",
        "turns <= 3'd5",
        "turns <= 3'd4",
    ),
    "a state that is set by no beat": ("dense_S0_process.v", ".take(", ".take(1'b1 | "),
    "a result on each beat": ("dense_S0_process.v", " & last_ones[", " | last_ones["),
    "an interval one short": ("rounded_S0.v", "{1'd0, v3} + 9'd1", "{1'd0, v3 + 8'd1}"),
    "a negative quotient rounded down": ("rounded_S1.v", "3'd7 : 3'd0", "3'd0 : 3'd0"),
    "a shift without its sign": ("rounded_S2.v", "$signed(a0) >>> v3", "a0 >> v3"),
    "a state that does not wait": ("sums_S0.v", "if (ce) begin", "begin"),
    "an element that is not dropped": ("two_sources_q_buffer.v", " & s_q_q_in_emit_0", ""),
    "a valid that is not cleared": (
        "pair_S0_process.v",
        "(s_b_S0_tready)\n            s_b_S0_tvalid <= 1'b0",
        "(s_b_S0_tready)\n            s_b_S0_tvalid <= 1'b1",
    ),
}


@pytest.mark.few("a delay one short", "an interval one short")
@pytest.mark.parametrize("name", OTHER_FAULTS)
def test_a_planted_fault_in_joins_and_loops_is_seen(
    name: str, planned: Callable[[str], Path], tmp_path: Path
) -> None:
    file, old, new = OTHER_FAULTS[name]
    kernel = re.split(r"_S\d|_[pq]_", file)[0]
    out = Path(shutil.copytree(planned(kernel), tmp_path / "out"))
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert main(["run", str(out), "--stall", "40", "--frames", "2"]) == 1


def test_a_branch_fifo_that_is_one_short_is_seen(
    planned: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All words are right; where nobody waits, frames take longer than the plan says."""
    out = Path(shutil.copytree(planned("unsharpc"), tmp_path / "out"))
    path = out / "rtl/unsharpc_mem.v"
    text = path.read_text()
    assert ".DEPTH(6)" in text
    path.write_text(text.replace(".DEPTH(6)", ".DEPTH(5)"))
    assert main(["run", str(out), "--frames", "2"]) == 1
    printed = capsys.readouterr().out
    assert "1368 words compared, 0 wrong\n" in printed
    assert " cycles from frame to frame, plan.json has 814\n" in printed


def test_the_first_difference_has_index_values_and_cycle(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = frames(1)[0]
    np.save("in.npy", given)
    path = out / "rtl/gauss3_S0.v"
    path.write_text(path.read_text().replace("[11:4]", "[10:3]"))
    assert main(["run", str(out), "in=in.npy", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    right = smoothed(given)
    (first,) = found["differences"]
    y, x = first["subscript"]
    assert first["expected"] == right[y, x]
    assert first["found"] != right[y, x]
    assert first["cycle"] > 2 * EXTENTS[1]
    assert found["wrong"] > 600


def test_a_long_run_takes_verilator_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []

    def found(_path: str, prefer: str | None = None) -> str:
        asked.append(prefer)
        if prefer:
            raise MissingToolError
        return "icarus"

    monkeypatch.setattr(frame_run, "find_simulator", found)
    for beats in (frame_run.LONG - 1, frame_run.LONG):
        chosen, build = frame_run._simulator(beats, tmp_path, [], waves=False)
        assert (str(chosen), build) == ("icarus", None)
    assert asked == [None, "verilator", None]


@pytest.mark.dear
@pytest.mark.needs("verilator")
def test_what_verilator_built_is_run_again_while_the_verilog_is_the_same(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = out.absolute()
    monkeypatch.setattr(frame_run, "LONG", 0)
    assert main(["run", str(out)]) == 0
    monkeypatch.setattr(frame_run, "LONG", 10**9)
    monkeypatch.setattr(frame_simulation, "_commands", lambda *_: [["false"]])
    assert main(["run", str(out), "--frames", "2"]) == 0
    assert "1368 words compared, 0 wrong\n807 cycles" in capsys.readouterr().out
    monkeypatch.undo()
    path = out / "rtl/gauss3_S0.v"
    path.write_text(path.read_text().replace("[11:4]", "[10:3]"))
    assert main(["run", str(out)]) == 1


@pytest.mark.dear
def test_the_mosaic_of_the_example_becomes_a_picture_in_colours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = pytest.importorskip("PIL.Image")
    folder = Path(__file__).parents[2] / "examples/demosaic"
    put(tmp_path / "out", output_files(plan_design(load(folder / "demosaic.c"))))
    words = [f"in={folder / 'mosaic.png'}", f"out={tmp_path / 'colours.png'}"]
    assert main(["run", str(tmp_path / "out"), *words]) == 0
    assert "75684 words compared, 0 wrong" in capsys.readouterr().out
    found = np.asarray(image.open(tmp_path / "colours.png"))
    assert found.shape == (238, 318, 3)
    red, green, blue = found[95, 95].astype(int)  # in the red sphere
    assert red > 1.5 * green
    assert red > 1.5 * blue
