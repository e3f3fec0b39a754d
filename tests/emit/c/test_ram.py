"""The bytes that C keeps, and what it does where arguments overlap that its order needs apart."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.holdings import headline
from hlsmem.planner.output_files import host_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.read.design import load
from tests.plans import plan_c, put

FRAMES = """#include <stdint.h>
#define H {H}
#define W {W}
{before}
void frames(const uint8_t {in_}[H][W], uint8_t {out}[H][W])
{{
    {inside}
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            a[i][j] = in[i][j] / 2 + 1;
    for (int i = 1; i < H; i++)
        for (int j = 0; j < W; j++)
            b[i][j] = a[i][j] / 2 + a[i - 1][j] / 2;
    for (int i = 2; i < H; i++)
        for (int j = 0; j < W; j++)
            out[i][j] = b[i][j] / 2 + b[i - 1][j] / 2;
}}
"""
ARRAYS = "static uint8_t a[H][W], b[H][W];"


def frames(folder: Path, *settings: str, is_local: bool = False, **sizes: int) -> Planning:
    """Two frames, each of which is read where it was just written and a row above."""
    text = FRAMES.format(
        **({"H": 32, "W": 40} | sizes),
        before="" if is_local else ARRAYS,
        inside=ARRAYS.removeprefix("static ") if is_local else "",
        in_="in",
        out="out",
    )
    if is_local:
        text = text.replace("in[H][W],", "in[restrict H][W],").replace(
            "out[H][W])", "out[restrict H][W])"
        )
    (folder / "frames.c").write_text(text)
    return planned(text, settings)


@cache
def planned(text: str, settings: tuple[str, ...] = ()) -> Planning:
    """The plan of a kernel with its C, which is planned once for all that asks about it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "frames.c"
        file.write_text(text)
        return plan_c(load(file, settings=settings))


def written(folder: Path, planning: Planning) -> Path:
    """OUT with what the check of host C looks at."""
    sources = {f"design/{one.name}": one.text for one in planning.design.sources}
    put(folder / "out", sources | host_files(planning))
    return folder / "out"


def bytes_by_size(out: Path) -> int:
    """data and bss of the C by -Os, and the frames of its functions."""
    command = ["cc", "-std=c99", "-Os", "-fstack-usage", "-c", "frames.c", "-o", "frames.o"]
    subprocess.run(command, cwd=out / "host", check=True)
    listed = subprocess.run(
        ["size", "frames.o"], cwd=out / "host", check=True, capture_output=True, text=True
    ).stdout.splitlines()[1]
    _, data, bss, *_ = map(int, listed.split()[:3])
    lines = (out / "host/frames.su").read_text().splitlines()
    return data + bss + max(int(line.split("\t")[1]) for line in lines)


def failures(found: tuple[Verdict, ...]) -> list[str]:
    return [one.detail for one in found if one.status is Status.FAIL]


def checked(out: Path, planning: Planning) -> tuple[Verdict, ...]:
    return check_host(out, planning.design, planning.program, planning.plan)


@pytest.mark.dear
def test_two_frames_take_what_expectations_say(tmp_path: Path) -> None:
    found = frames(tmp_path, H=240, W=320)
    ram = found.plan.ram
    assert ram is not None
    assert (ram.source, ram.overlap, ram.where, ram.check) == (153600, "stop", "static", 153280)
    assert bytes_by_size(written(tmp_path, found)) <= 1392
    assert f"{ram.bytes} bytes (C) of 153600, stops on overlap (check: 153280)" in headline(
        found.plan
    )
    least = frames(tmp_path, "host.objective=ram", H=240, W=320)
    assert least.plan.ram is not None
    assert least.plan.ram.bytes == 640
    assert bytes_by_size(written(tmp_path, least)) <= 640 + 56


def test_what_is_restrict_needs_no_test(tmp_path: Path) -> None:
    found = frames(tmp_path, is_local=True)
    assert found.plan.ram is not None
    assert (found.plan.ram.source, found.plan.ram.overlap) == (2560, "none")
    out = written(tmp_path, found)
    text = (out / "host/frames.c").read_text()
    assert "frames_apart" not in text
    assert "frames_original" not in text
    assert failures(checked(out, found)) == []


@pytest.mark.few("check", "auto")
@pytest.mark.parametrize("alias", ["check", "stop", "auto", "refuse"])
def test_overlapping_arguments_are_checked_or_stopped(tmp_path: Path, alias: str) -> None:
    found = frames(tmp_path, f"host.alias={alias}")
    ram, out = found.plan.ram, written(tmp_path, found)
    assert ram is not None
    files = {one: (out / f"host/{one}").read_text() for one in ("frames.c", "frames.h")}
    assert ram.overlap == ("check" if alias == "check" else "stop")
    assert (ram.check is not None) is (alias in ("auto", "refuse"))
    assert ("FRAMES_OVERLAP();" in files["frames.c"]) is (alias != "check")
    assert ("frames_text" in files["frames.c"]) is (alias == "check")
    assert "frames_original" not in files["frames.c"]
    # No body has arrays of its own, and none takes more than the source.
    assert "[32][40];" not in files["frames.c"]
    assert ram.source is not None
    assert ram.bytes <= ram.source
    verdicts = checked(out, found)
    assert failures(verdicts) == []
    does = "does what the original does" if alias == "check" else "stops"
    assert f"where arguments overlap it says so and {does}, and else not" in [
        one.detail for one in verdicts
    ]


# One place for both is right where each element is read before it is written.
CALLS = {
    "one place": ("frames(x, y)", "x", "x", 1),
    "a row further": ("frames(x, y)", "x", "x + 1", 7),
    "in a given workspace": ("frames_ws(x, y, ws)", "x", "x + 1", 7),
    "a workspace apart": ("frames_ws(x, y, ws)", "x", "x + 40", 1),
    "a workspace in what is read": ("frames_ws(x, y, x + 3)", "x", "x + 40", 7),
    "a workspace in what is written": ("frames_ws(x, y, y + 3)", "x", "x + 40", 7),
    "a workspace that ends in it": ("frames_ws(x, y, (char *)x - 1)", "x + 1", "x + 40", 7),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_overlap_is_told_to_a_macro_of_the_user(tmp_path: Path, name: str) -> None:
    call, first, second, ended = CALLS[name]
    out = written(tmp_path, frames(tmp_path, "host.alias=stop"))
    (out / "host/main.c").write_text(
        '#include "frames.h"\nstatic uint8_t m[80][40], ws[FRAMES_WS_BYTES];\n'
        "int main(void)\n{\n    uint8_t (*x)[40] = m, (*y)[40];\n"
        f"    y = {second};\n    x = {first};\n"
        f"    (void)ws;\n    {call.replace('(x,', '((const uint8_t (*)[40])x,')};\n"
        "    return 1;\n}\n"
    )
    command = ["cc", "-std=c99", "-include", "stdlib.h", "-DFRAMES_OVERLAP()=exit(7)"]
    subprocess.run([*command, "frames.c", "main.c", "-o", "main"], cwd=out / "host", check=True)
    assert subprocess.run(["./main"], cwd=out / "host", check=False).returncode == ended


FAULTS = {
    "a static array": (
        "static volatile uint8_t more[900]; more[in[0][0]] = 1;",
        r"C keeps \d+ bytes by -Os, the plan says \d+",
    ),
    "an array in a frame": (
        "volatile uint8_t more[2000]; more[in[0][0]] = 1;",
        r"C keeps \d+ bytes by -Os, the plan says \d+",
    ),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FAULTS)
def test_more_bytes_than_planned_are_found(tmp_path: Path, name: str) -> None:
    declared, told = FAULTS[name]
    found = frames(tmp_path)
    out = written(tmp_path, found)
    file = out / "host/frames.c"
    call = "    frames_ws(in, out, &workspace);\n"
    text = file.read_text()
    assert call in text
    file.write_text(text.replace(call, f"    {{ {declared} }}\n{call}"))
    (detail,) = failures(checked(out, found))
    assert re.search(told, detail)


def test_a_source_that_keeps_more_than_said_is_found(tmp_path: Path) -> None:
    found = frames(tmp_path)
    out, ram = written(tmp_path, found), found.plan.ram
    assert ram is not None
    wrong = replace(found.plan, ram=replace(ram, source=1000))
    (detail,) = failures(check_host(out, found.design, found.program, wrong))
    assert detail == "its source keeps 2560 bytes, the plan says 1000"


CURVE = """
static const unsigned char curve[4] = {0, 90, 170, 255};
void bright(const unsigned char in[40], unsigned char out[40])
{
    for (int i = 0; i < 40; i++)
        out[i] = curve[in[i] >> 6];
}
"""


def test_a_table_of_constants_is_no_ram(tmp_path: Path) -> None:
    (tmp_path / "bright.c").write_text(CURVE)
    found = plan_c(load(tmp_path / "bright.c"))
    assert found.plan.ram is not None
    assert found.plan.ram.source == 0
    assert not failures(checked(written(tmp_path, found), found))


KEPT = """
void kept(const unsigned char in[40], unsigned char out[40])
{
    unsigned char t[40];
    for (int i = 0; i < 40; i++)
        t[i] = in[i] + 1;
    for (int i = 0; i < 40; i++) {
        if (in[i] > 99)
            t[i] = 7;
        out[i] = t[i];
    }
}
"""


def test_what_a_condition_may_leave_alone_keeps_its_cell_where_arguments_overlap(
    tmp_path: Path,
) -> None:
    (tmp_path / "kept.c").write_text(KEPT)
    found = plan_c(load(tmp_path / "kept.c", settings=("host.alias=check",)))
    text = found.plan.text
    assert text is not None
    assert text.arrays["t"].mapping.cells == 40
    assert not failures(checked(written(tmp_path, found), found))


SIZED = """
int sums(int n, const int in[n])
{
    static int line[40];
    int t[n], found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        line[i] = in[i];
    for (int i = 0; i < n; i++)
        t[i] = line[i] + 1;
    for (int i = 0; i < 3; i++)
        found += t[n - 1 - i];
#pragma endscop
    return found;
}
"""


def test_other_sizes_run_in_the_same_workspace(tmp_path: Path) -> None:
    (tmp_path / "sums.c").write_text(SIZED)
    (tmp_path / "sums.yaml").write_text(
        "hlsmem: 1\nname: sums\nparams: {n: 8}\ncontext: '[n] -> { : 3 <= n <= 40 }'\n"
        "kernel: {file: sums.c}\nhost: {specialise: {n: []}}\n"
    )
    found = plan_c(load(tmp_path / "sums.yaml"))
    out = written(tmp_path, found)
    text = (out / "host/sums.c").read_text()
    assert "line[40]" not in text
    assert failures(checked(out, found)) == []


STREAMS = """#include <ap_int.h>
#include <hls_stream.h>
static void add(hls::stream<ap_int<16> > &a, hls::stream<ap_int<16> > &b)
{
    ap_int<16> w[3] = {0};
    for (int x = 0; x < 15; x++) {
        w[2] = w[1];
        w[1] = w[0];
        a >> w[0];
        b << (w[0] + w[1] + w[2]);
    }
}
static void both(hls::stream<ap_int<16> > &in, ap_int<16> out[15])
{
    hls::stream<ap_int<16> > t;
    add(in, t);
    for (int x = 0; x < 15; x++)
        out[14 - x] = t.read();
}
void streams(hls::stream<ap_int<16> > &in, ap_int<16> out[15], ap_int<8> a[9], ap_int<8> b[9])
{
    both(in, out);
    for (int x = 1; x < 9; x++)
        b[x] = a[x] + a[x - 1];
}
"""


@pytest.mark.dear
def test_a_stream_behind_a_window_has_its_size_where_arguments_overlap(tmp_path: Path) -> None:
    (tmp_path / "streams.cpp").write_text(STREAMS)
    found = plan_c(load(tmp_path / "streams.cpp", settings=["host.alias=check"]))
    out = written(tmp_path, found)
    text = (out / "host/streams.c").read_text()
    assert "streams_original" in text
    assert " t[]" not in text
    assert failures(checked(out, found)) == []


def test_windows_of_one_name_have_a_place_each(tmp_path: Path) -> None:
    narrow = STREAMS[STREAMS.index("static void add") : STREAMS.index("static void both")]
    text = STREAMS.replace("void streams(", narrow.replace("add", "sub") + "void streams(")
    text = text.replace("sub(hls::stream<ap_int<16> > &a", "sub(hls::stream<ap_int<8> > &a")
    first, second = text.split("static void sub")
    second = second.replace("ap_int<16> w[3]", "ap_int<8> w[3]")
    second = second.replace(
        "ap_int<8> a[9]", "hls::stream<ap_int<8> > &c, hls::stream<ap_int<16> > &d, ap_int<8> a[9]"
    )
    second = second.replace("both(in, out);", "both(in, out);\n    sub(c, d);")
    (tmp_path / "streams.cpp").write_text(f"{first}static void sub{second}")
    found = plan_c(load(tmp_path / "streams.cpp", settings=["host.alias=check"]))
    out = written(tmp_path, found)
    assert "streams_original" in (out / "host/streams.c").read_text()
    assert failures(checked(out, found)) == []


def test_many_arguments_are_no_arrays_of_a_frame(tmp_path: Path) -> None:
    numbers = range(16)
    parameters = ", ".join(f"const int in{k}[9][9], int out{k}[9][9]" for k in numbers)
    loops = "".join(
        "    for (int y = 0; y < 9; y++)\n        for (int x = 0; x < 9; x++)\n"
        f"            out{k}[y][x] = y ? in{k}[y - 1][x] : in{k}[y][x];\n"
        for k in numbers
    )
    (tmp_path / "frames.c").write_text(
        f"void many({parameters})\n{{\n    int a[9];\n"
        "    for (int x = 0; x < 9; x++)\n        a[x] = in0[x][0];\n"
        f"    for (int x = 0; x < 9; x++)\n        out0[0][x] = a[x];\n{loops}}}\n"
    )
    found = plan_c(load(tmp_path / "frames.c"))
    assert found.plan.ram is not None
    out = written(tmp_path, found)
    assert bytes_by_size(out) > 512 + found.plan.ram.bytes
    assert failures(checked(out, found)) == []


# (source, bytes of the source, bytes folded)
SMALL = {
    "a break that takes a bit an iteration": (
        "void f(const int in[16], int out[16])\n{\n"
        "    for (int j = 0; j < 2; j++)\n        for (int i = 8 * j; i < 8 * j + 8; i++) {\n"
        "            int t = in[i];\n            if (t == 0)\n                break;\n"
        "            out[i] = t;\n        }\n}\n",
        0,
        8,
    ),
    "state that does not fold": (
        "static short mean[80] = {8, 16};\n"
        "void f(const unsigned char in[80], unsigned char out[80])\n{\n"
        "    for (int x = 0; x < 80; x++) {\n        int d = in[x] * 16 - mean[x];\n"
        "        out[x] = d < 0 ? -d >> 4 : d >> 4;\n        mean[x] = mean[x] + (d >> 2);\n"
        "    }\n}\n",
        160,
        161,
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_what_would_take_more_than_its_source_runs_as_it_was(tmp_path: Path, name: str) -> None:
    text, kept, folded = SMALL[name]
    (tmp_path / "frames.c").write_text(text)
    found = plan_c(load(tmp_path / "frames.c"))
    assert found.plan.ram is not None
    assert (found.plan.ram.bytes, found.plan.ram.source) == (kept, kept)
    assert all(one.host is None for one in found.plan.arrays.values())
    said = f"C is as its source, which keeps {kept} bytes: folded it would keep {folded}"
    assert said in found.plan.remarks
    assert failures(checked(written(tmp_path, found), found)) == []


def test_state_that_begins_with_zeros_has_no_flag(tmp_path: Path) -> None:
    text = SMALL["state that does not fold"][0].replace(" = {8, 16}", "")
    (tmp_path / "frames.c").write_text(text)
    found = plan_c(load(tmp_path / "frames.c"))
    out = written(tmp_path, found)
    assert "begun" not in (out / "host/frames.c").read_text()
    assert found.plan.ram is not None
    assert (found.plan.ram.bytes, found.plan.ram.source) == (160, 160)
    assert failures(checked(out, found)) == []


IN_REGION = """
void rows(const unsigned char *restrict a, unsigned char b[20][30], unsigned char c[20][30])
{
#pragma scop
    for (int y = 0; y < 20; y++) {
        unsigned char t[32];
        for (int x = 0; x < 32; x++)
            t[x] = a[y * 32 + x] / 2;
        for (int x = 0; x < 30; x++)
            b[y][x] = t[x] + t[x + 1] + t[x + 2];
    }
    for (int y = 1; y < 20; y++)
        for (int x = 0; x < 30; x++)
            c[y][x] = b[y][x] + b[y - 1][x];
#pragma endscop
}
"""


@pytest.mark.dear
def test_arrays_of_the_region_are_in_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "frames.c").write_text(IN_REGION)
    found = plan_c(load(tmp_path / "frames.c", settings=["host.alias=check"]))
    ram, out = found.plan.ram, written(tmp_path, found)
    assert ram is not None
    assert ram.source == 32
    assert ram.bytes <= 32
    assert "t[32];" not in (out / "host/frames.c").read_text()
    assert failures(checked(out, found)) == []


OUTSIDE = "arrays: {in: {storage: stream}, out: {storage: memory}}"


def test_what_the_caller_has_is_not_copied(tmp_path: Path) -> None:
    frames(tmp_path)
    (tmp_path / "frames.yaml").write_text(
        f"hlsmem: 1\nname: frames\nkernel: {{file: frames.c}}\n{OUTSIDE}\n"
    )
    found = plan_c(load(tmp_path / "frames.yaml"))
    out = written(tmp_path, found)
    assert [name for name, one in found.plan.arrays.items() if one.host] == ["a", "b"]
    assert "_cells" not in (out / "host/frames.c").read_text()
    assert found.plan.ram is not None
    assert found.plan.ram.bytes <= 2560
    assert failures(checked(out, found)) == []


def test_a_larger_workspace_from_malloc_has_no_frame_beside_it(tmp_path: Path) -> None:
    out = written(tmp_path, frames(tmp_path, is_local=True))
    text = (out / "host/frames.c").read_text()
    command = ["cc", "-std=c99", "-Os", "-fstack-usage", "-DFRAMES_H=320", "-DFRAMES_W=400"]
    command += ["-DFRAMES_STACK_BYTES=4000", "-c", "frames.c", "-o", "frames.o"]
    subprocess.run(command, cwd=out / "host", check=True)
    lines = (out / "host/frames.su").read_text().splitlines()
    frames_of = {one.split("\t")[0].rsplit(":", 1)[-1]: int(one.split("\t")[1]) for one in lines}
    assert "frames_on_stack" in text
    assert frames_of["frames"] < 200
