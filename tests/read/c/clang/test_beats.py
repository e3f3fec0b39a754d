"""Streams of beats of the planned function, from a video filter as it is written for AXI."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.polyhedra import Set
from hlsmem.read.design import load
from tests.plans import plan_storage, whole_files

SOBEL = Path(__file__).with_name("sobel_axis.cpp")
SUMS = """
#include <ap_axi_sdata.h>
#include <hls_stream.h>
typedef ap_axiu<16, 0, 0, 0> beat;
void top(hls::stream<beat> &src, hls::stream<beat> &dst)
{
    ap_uint<16> last = 0;
    for (int i = 0; i < 12; i++) {
        beat one = src.read();
        last += one.data;
        one.data = last;
        dst.write(one);
    }
}
"""


def _written(folder: Path, text: str) -> Path:
    (folder / "top.cpp").write_text(text)
    return folder / "top.cpp"


def test_a_call_in_a_choice_reads_two_lines_and_a_window(tmp_path: Path) -> None:
    """`(y >= 2 && x >= 2) ? gradient(win) : 0` is an `if`, and each beat a number a member."""
    program = load(_written(tmp_path, SOBEL.read_text())).program
    assert {"src_data", "src_last", "dst_data", "dst_last"} <= program.arrays.keys()
    (choice,) = (one for one in program.statements if one.writes[0].array == "mag")
    assert choice.domain.is_equal(Set(f"{{ {choice.name}[y, x] : 2 <= y < 6 and 2 <= x < 8 }}"))


@pytest.mark.needs("clang")
def test_checks_are_given_as_many_beats_as_a_kernel_reads(tmp_path: Path) -> None:
    planning = plan_storage(load(_written(tmp_path, SUMS)))
    write_folder(tmp_path / "out", whole_files(planning))
    verdicts = run_checks(tmp_path / "out", only=["reading"]).verdicts
    assert [(one.check, one.status) for one in verdicts] == [("reading", Status.PASS)]


OVERLOADED = """
#include <ap_int.h>
struct image {
    int rows;
};
void top(image &from, image &to, int limit);
extern "C" void top(const ap_uint<16> a[8], int b[8], int limit)
{
    for (int i = 0; i < 8; i++)
        b[i] = a[i] > limit;
}
"""


@pytest.mark.needs("clang")
def test_checks_call_the_function_of_a_name_that_is_planned(tmp_path: Path) -> None:
    file = _written(tmp_path, OVERLOADED)
    planning = plan_storage(load(file, settings=["kernel.function=top"]))
    write_folder(tmp_path / "out", whole_files(planning))
    verdicts = run_checks(tmp_path / "out", only=["reading"]).verdicts
    assert [(one.check, one.status) for one in verdicts] == [("reading", Status.PASS)]
