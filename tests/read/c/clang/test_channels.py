"""Channels of several streams, and of blocks: arrays, and what each stream or lock has of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.design import load

CHANNELS = """
#include <hls_np_channel.h>
#define N 24
static void deal(const int in[N], hls::stream<int> &to)
{
    for (int i = 0; i < N; i++)
        to.write(in[i]);
}
static void each(hls::stream<int> &from, hls::stream<int> &to)
{
    for (int i = 0; i < N / 3; i++)
        to.write(from.read() + i);
}
void top(const int in[N], int out[N])
{
#pragma HLS DATAFLOW
    hls::split::round_robin<int, 3> before;
    hls::merge::round_robin<int, 3> join;
    deal(in, before.in);
    each(before.out[0], join.in[0]);
    each(before.out[1], join.in[1]);
    each(before.out[2], join.in[2]);
    for (int i = 0; i < N; i++)
        out[i] = join.out.read();
}
"""


def test_the_streams_of_a_channel_take_its_elements_in_turn(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(CHANNELS)
    program = load(tmp_path / "k.cpp", settings=["kernel.function=top"]).program
    arrays = program.arrays
    assert [str((arrays[one].extents or ())[0]) for one in ("before_in", "join_out")] == ["N", "N"]
    middle = next(one for one in program.statements if "join_out[1 + 3i]" in str(one.writes))
    assert "before_in[1 + 3i]" in str(middle.reads)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            "merge::round_robin",
            "merge::load_balance",
            "which stream of a channel of load balance is taken depends on when it is asked",
        ),
        ("each(before.out[0], ", "each(before.in, ", "this end of a channel is written alone"),
        ("out[i] = join.out.read()", "join.out.write(i)", "this end of a channel is read alone"),
        (
            "round_robin<int, 3> before;",
            "round_robin<int, 3> before[1];",
            "a channel that splits or merges streams is read as a variable alone",
        ),
        (
            "out[i] = join.out.read()",
            "[&]() { int x = join.out.read(); x += i; out[i] = x; }()",
            "an end of a channel that splits or merges streams is not read here",
        ),
    ],
)
def test_channels_that_are_not_read_are_refused_by_name(
    old: str, new: str, what: str, tmp_path: Path
) -> None:
    assert old in CHANNELS
    text = CHANNELS.replace(old, new)
    if "before[1]" in new:
        text = text.replace("before.", "before[0].")
    (tmp_path / "k.cpp").write_text(text)
    with pytest.raises(InputError) as caught:
        load(tmp_path / "k.cpp", settings=["kernel.function=top"])
    assert what in [one.what for one in caught.value.problems]


BLOCKS = """
#include <hls_streamofblocks.h>
typedef int row[5];
static void fill(const int in[20], hls::stream_of_blocks<row, 3> &to)
{
    for (int k = 0; k < 4; k++) {
        hls::write_lock<row> own(to);
        for (int j = 0; j < 5; j++)
            own[4 - j] = in[5 * k + j];
    }
}
void top(const int in[20], int out[20])
{
#pragma HLS DATAFLOW
    hls::stream_of_blocks<row, 3> rows;
    fill(in, rows);
    for (int k = 0; k < 4; k++) {
        hls::read_lock<row> own(rows);
        for (int j = 0; j < 5; j++)
            out[5 * k + j] = own[j];
    }
}
"""


def test_a_lock_has_the_next_block_of_its_stream(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(BLOCKS)
    program = load(tmp_path / "k.cpp", settings=["kernel.function=top"]).program
    assert [str(one) for one in program.arrays["rows"].extents or ()] == ["4", "5"]
    written, read = program.statements
    assert "rows[k, 4 - j]" in str(written.writes[0].relation)
    assert "rows[k, j]" in str(read.reads[0].relation)
    assert program.kernel is not None
    (depth,) = (one for one in program.kernel.pragmas if one.name == "STREAM")
    assert "off" in depth.options  # 3 blocks are no 3 elements


def test_a_stream_of_blocks_is_not_asked(tmp_path: Path) -> None:
    text = BLOCKS.replace("hls::read_lock", "if (!rows.empty()) out[k] = 1; hls::read_lock")
    (tmp_path / "k.cpp").write_text(text)
    with pytest.raises(InputError, match="'empty' of a stream gives depends on when it is asked"):
        load(tmp_path / "k.cpp", settings=["kernel.function=top"])
