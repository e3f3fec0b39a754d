"""Accesses beside their arrays: an error, unless they are reads that no output needs."""

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.read.design import load
from hlsmem.verbs.check import check
from hlsmem.verbs.plan import plan

_DRAIN = """#define H 4
#define W 6
void drain(const int in[H][W], int out[H][W]) {
    static int buf[2][W];
    int win[2][3];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W + 1; x++) {
#pragma HLS pipeline
            int column[2];
            column[0] = buf[1][x];
            if (x < W) {
                column[1] = in[y][x];
                buf[0][x] = column[0];
                buf[1][x] = column[1];
            } else {
                column[0] = 0;
                column[1] = 0;
            }
            for (int i = 0; i < 2; i++) {
                win[i][0] = win[i][1];
                win[i][1] = win[i][2];
                win[i][2] = column[i];
            }
            if (x > 0)
                out[y][x - 1] = win[0][1] + win[0][2] + win[1][1];
        }
}
"""


def _file(folder: Path, text: str) -> Path:
    file = folder / "k.c"
    file.write_text(text)
    return file


def _refused(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as error:
        load(_file(folder, text))
    return [one.what for one in error.value.problems]


def test_a_read_beside_an_array_that_no_output_needs_is_left_out(tmp_path: Path) -> None:
    program = load(_file(tmp_path, _DRAIN)).program
    assert program is not None
    (read,) = [one for one in program.statements if one.name == "S0"]
    at = fix_parameters(read.domain, program.values)
    assert at.count_val() == 4 * 6
    assert [one.what for one in program.notes if "left out" in one.what] == [
        "'S0' reads buf[1][6], but the extents of 'buf' are [2][6] at H=4, W=6; no output needs the"
        " value, and the read is left out"
    ]


@pytest.mark.needs("clang")
def test_checks_of_such_a_kernel_pass(tmp_path: Path) -> None:
    plan(_file(tmp_path, _DRAIN)).write(tmp_path / "out")
    found = check(tmp_path / "out", only=["proof", "reading", "replay", "host"])
    assert found.exit_code == 0, found.verdicts


def test_it_is_refused_where_an_output_needs_the_value(tmp_path: Path) -> None:
    text = _DRAIN.replace("column[0] = 0;", "buf[0][0] = column[0];")
    assert _refused(tmp_path, text) == [
        "'S0' reads buf[1][6], but the extents of 'buf' are [2][6]",
    ]


def test_a_write_beside_an_array_is_refused(tmp_path: Path) -> None:
    text = _DRAIN.replace("column[0] = 0;", "buf[0][x] = 0;")
    assert "'S3' writes buf[0][6], but the extents of 'buf' are [2][6]" in _refused(tmp_path, text)


def test_iterations_that_are_written_out_are_refused_once(tmp_path: Path) -> None:
    text = """void top(const int in[8], int out[8]) {
    for (int x = 0; x < 8; x++) {
#pragma HLS pipeline
        out[x] = 0;
        for (int k = 0; k < 3; k++)
            out[x] += in[x + k];
    }
}
"""
    assert _refused(tmp_path, text) == ["'S2' reads in[8], but the extents of 'in' are [8]"]
