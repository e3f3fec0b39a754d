"""Channels that split or merge streams: arrays, and the elements that each stream has of them."""

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
