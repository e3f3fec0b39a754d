"""Windows that no output sees the first values of are read at their source from the start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program, Storage
from hlsmem.program.options import Design
from hlsmem.questions.planned_checks import run_checks
from tests.fuzz.windows import masked_window
from tests.plans import whole_files
from tests.steps import load

SOBEL = """\
#define W 8
#define H 6
void sobel(const unsigned char src[H][W], unsigned char dst[H][W]) {
#pragma HLS INTERFACE axis port=src
#pragma HLS INTERFACE axis port=dst
    static unsigned char lb[2][W];
    unsigned char w[3][3];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned char p = src[y][x];
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 2; c++)
                    w[r][c] = w[r][c + 1];
            w[0][2] = lb[0][x];
            w[1][2] = lb[1][x];
            w[2][2] = p;
            lb[0][x] = lb[1][x];
            lb[1][x] = p;
            int gx = w[0][2] - w[0][0] + w[2][2] - w[2][0];
            int gy = w[2][0] - w[0][0] + w[2][2] - w[0][2];
            int m = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            dst[y][x] = y < 2 || x < 2 ? 0 : m > 255 ? 255 : m;
        }
}
"""
STREAM = SOBEL.replace(
    "const unsigned char src[H][W], unsigned char dst[H][W]",
    "hls::stream<unsigned char> &src, hls::stream<unsigned char> &dst",
)
STREAM = STREAM.replace("src[y][x]", "src.read()").replace("dst[y][x] = ", "dst.write(")
STREAM = "#include <hls_stream.h>\n" + STREAM.replace("255 : m;", "255 : m);")


IN_PLACE = """\
#define W 8
#define H 6
void edge(const unsigned char src[H][W], unsigned char dst[H][W]) {
#pragma HLS INTERFACE axis port=src
#pragma HLS INTERFACE axis port=dst
    static unsigned char line[2][W];
    static unsigned char left;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned char p = src[y][x];
            int d = p - 2 * line[1][x] + line[0][x];
            int e = p - left;
            line[0][x] = line[1][x] ^ 1;
            line[1][x] = p;
            left = p;
            int m = (d < 0 ? -d : d) + (e < 0 ? -e : e);
            dst[y][x] = y < 2 || x < 1 ? 0 : m > 255 ? 255 : m;
        }
}
"""


def given(folder: Path, text: str, *settings: str, name: str = "k.cpp") -> Design:
    (folder / name).write_text(text)
    return load(folder / name, settings=settings)


def gone(design: Design) -> set[str]:
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    return set(design.input.kernel.propagated)


@pytest.mark.parametrize("first", ["static", ""], ids=["state", "unset"])
def test_no_output_sees_them(tmp_path: Path, first: str) -> None:
    """The elements of the row before are at one place in a stream alone: its width is a number."""
    found = given(tmp_path, STREAM.replace("static", first))
    assert gone(found) == {"lb", "w", "p"}
    assert isinstance(found.input, Program)
    assert dict(found.input.values) == {"H": 6}
    assert not any(one.storage.name == "STATE" for one in found.input.arrays.values())


@pytest.mark.parametrize(
    "mask", ["y < 2", "x < 2", "y < 1 || x < 2", "y < 2 || x < 1 || y == 5", "y > 2 || x < 2"]
)
def test_an_output_sees_state(tmp_path: Path, mask: str) -> None:
    first = "unsigned char w[3][3] = {{0}};"  # else it is refused
    text = STREAM.replace("unsigned char w[3][3];", first).replace("y < 2 || x < 2", mask)
    found = given(tmp_path, text)
    assert "lb" not in gone(found)


def test_the_design_says_that_they_stay(tmp_path: Path) -> None:
    assert not gone(given(tmp_path, STREAM, "kernel.windows=written"))
    assert gone(given(tmp_path, STREAM, "kernel.windows=zero")) == {"lb", "w", "p"}


def test_sizes_are_those_that_it_holds_for(tmp_path: Path) -> None:
    """A mask for the rows of one height is none for others."""
    text = STREAM.replace("y < 2 || x < 2", "y < H - 4 || x < 2")
    found = given(tmp_path, text)
    assert gone(found) == {"lb", "w", "p"}
    assert isinstance(found.input, Program)
    assert not found.input.values


@pytest.mark.dear
@pytest.mark.parametrize("seed", range(6))
def test_random_masks_hide_what_windows_hold_at_first(tmp_path: Path, seed: int) -> None:
    text, hides = masked_window(seed)
    (tmp_path / "k.cpp").write_text(text)
    try:
        planning = plan_design(load(tmp_path / "k.cpp"))
    except InputError:
        if hides:
            raise
        return
    assert planning.design.program is not None
    if hides:
        assert "w" in gone(replace(planning.design, input=planning.design.program.as_read))
    write_folder(tmp_path / "out", whole_files(planning))
    verdicts = run_checks(tmp_path / "out", only=("reading", "replay", "host")).verdicts
    assert not [one for one in verdicts if one.status is Status.FAIL], verdicts


@pytest.mark.dear
@pytest.mark.parametrize("name", ["k.c", "k.cpp"])
def test_it_does_what_the_users_file_does(tmp_path: Path, name: str) -> None:
    planning = plan_design(given(tmp_path, SOBEL if name == "k.c" else STREAM, name=name))
    write_folder(tmp_path / "out", whole_files(planning))
    only = ("source", "proof", "reading", "replay", "host")
    verdicts = run_checks(tmp_path / "out", only=only).verdicts
    assert "reading" in {one.check for one in verdicts}
    assert not [one for one in verdicts if one.status is Status.FAIL], verdicts


def state(design: Design) -> set[str]:
    assert isinstance(design.input, Program)
    return {one.name for one in design.input.arrays.values() if one.storage is Storage.STATE}


def test_what_is_written_in_place_is_no_state(tmp_path: Path) -> None:
    found = given(tmp_path, IN_PLACE)
    assert not state(found)
    assert isinstance(found.input, Program)
    assert found.input.arrays["line"].storage is Storage.MEMORY
    assert set(found.input.values) == {"H", "W"}


@pytest.mark.parametrize(
    ("mask", "kept"),
    [
        ("y < 1 || x < 1", {"line"}),
        ("y < 2", set[str]()),
        ("x < 1", {"line"}),
        ("x < 1 || y == 0 || y == 2", {"line"}),
        ("y != 1 && (y < 2 || x < 1)", {"line"}),
        ("x + y > 0 && (y < 2 || x < 1)", {"line", "left"}),
        ("y < 2 || x < 2", set[str]()),
    ],
)
def test_what_an_output_sees_is_state(tmp_path: Path, mask: str, kept: set[str]) -> None:
    text = IN_PLACE.replace("y < 2 || x < 1", mask)
    assert state(given(tmp_path, text)) == kept


def test_some_arrays_are_state_and_others_are_not(tmp_path: Path) -> None:
    text = IN_PLACE.replace(
        "static unsigned char left;", "static unsigned char sums[W];\nint left;"
    )
    text = text.replace("left = p;", "left = p; sums[x] += p;")
    text = text.replace("m > 255 ? 255 : m", "sums[x] ^ (m & 255)").replace(
        "int left;", "int left = 0;"
    )
    assert state(given(tmp_path, text)) == {"sums"}


def test_a_design_asks_for_state(tmp_path: Path) -> None:
    asked = ("arrays.line.storage=state",)
    assert "line" in state(given(tmp_path, IN_PLACE, *asked))
    asked = ("kernel.windows=written",)
    assert state(given(tmp_path, IN_PLACE, *asked)) == {"line", "left"}


def test_macros_of_masks_keep_their_numbers(tmp_path: Path) -> None:
    """A mask of the first rows of one height is none of others."""
    text = IN_PLACE.replace("y < 2 || x < 1", "y < H - 4 || x < 1")
    found = given(tmp_path, text)
    assert not state(found)
    assert isinstance(found.input, Program)
    assert "H" not in found.input.values


@pytest.mark.dear
def test_nothing_is_kept_from_frame_to_frame(tmp_path: Path) -> None:
    planning = plan_design(given(tmp_path, IN_PLACE, name="k.cpp"))
    files = whole_files(planning)
    assert "rtl/k.v" in files
    write_folder(tmp_path / "out", files)
    only = ("source", "proof", "reading", "replay", "host")
    verdicts = run_checks(tmp_path / "out", only=only).verdicts
    assert "reading" in {one.check for one in verdicts}
    assert not [one for one in verdicts if one.status is Status.FAIL], verdicts
