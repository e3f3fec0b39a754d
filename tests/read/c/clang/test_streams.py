"""Streams of structs of the planned function: arrays of structs with as many elements as pass."""

from __future__ import annotations

from pathlib import Path

from hlsmem.read.design import load

KERNEL = """
#include <ap_axi_sdata.h>
#include <hls_stream.h>
void top(const int in[64], hls::stream<ap_axiu<32, 0, 0, 0>> &out)
{
    for (int i = 0; i < 64; i++) {
        ap_axiu<32, 0, 0, 0> beat;
        beat.data = in[i];
        beat.keep = 15;
        beat.last = i == 63;
        out.write(beat);
    }
}
"""


def test_a_stream_of_beats_has_a_row_for_each_that_passes(tmp_path: Path) -> None:
    file = tmp_path / "top.cpp"
    file.write_text(KERNEL)
    arrays = load(file).program.arrays
    found = {name: arrays[name].extents for name in arrays if name.startswith("out")}
    assert found
    assert all(one and [str(extent) for extent in one] == ["64"] for one in found.values()), found
