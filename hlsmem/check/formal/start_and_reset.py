"""Claims on `start`, `busy` and `rst` of a buffer, from any state.

`busy` rises after `start` and without it never, and stays until the last write beat has come and
the last read beat has been taken; until the whole top is done `start` does nothing, as the top
holds it back. No beat goes while nothing is busy, but of a fill. A reset sets everything up again,
from any state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hlsmem.check.formal.model.stream_claims import SEEN
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.rtl.simulated_device import WRITE, DeviceStream

_LINES = (
    "reg was_reset, was_started, was_busy;",
    "always @(posedge clk) was_reset <= rst;",
    "always @(posedge clk) was_started <= start && !busy && !rst;",
    "always @(posedge clk) was_busy <= busy;",
)

_OF_SKIDS = re.compile(
    "_owes_a_beat_of_an_earlier_run$|_counts_other_beats$|_is_over_before_its_last_beat$"
    "|^busy_falls_before_the_last_beat_of_"
)


def with_running(task: Task, buffer: str, streams: Sequence[DeviceStream]) -> Task:
    """The proof of a buffer with claims on how it runs; `streams` are all of its own."""
    claims = {
        "a_reset_leaves_it_busy": "!was_reset || !busy",
        "a_start_is_not_heard": "!was_started || busy",
        "busy_rises_without_a_start": f"!busy || was_busy || was_started || !{SEEN}",
    }
    lines = list(_LINES)
    if _has(buffer, "load"):
        claims["a_reset_does_not_set_up"] = "!rst || load"
    for stream in streams:
        if stream.beats and stream.direction != WRITE:
            own, more = _read(buffer, stream.name)
            claims |= own
            lines += more
    writers = [one.name for one in streams if one.beats and one.direction == WRITE]
    ended = [one for one in (_ended(task, buffer, name) for name in writers) if one]
    if ended:
        done = " && ".join(ended)
        lines += ["reg had_all;", f"always @(posedge clk) had_all <= {done};"]
        claims["busy_falls_before_the_last_write"] = "!was_busy || busy || was_reset || had_all"
    for stream in streams:
        if not stream.is_early and stream.beats and _has(buffer, f"{stream.name}_fire"):
            claims[f"{stream.name}_goes_before_a_start"] = f"busy || !{stream.name}_fire"
    return replace(task, claims={**task.claims, **claims}, lines=(*task.lines, *lines))


def _ended(task: Task, buffer: str, writer: str) -> str:
    """Signal that the last beat of a write stream has gone; "" where there is none.

    Where no address generator tells it, as beside a chain, the ghost of the only writer does.
    """
    if _has(buffer, f"{writer}_done"):
        return f"{writer}_done"
    return f"{task.pieces[0].ghost.name}_done" if f"u_{writer}_walk" in buffer else ""


def with_setting(task: Task) -> Task:
    """A proof of a buffer of state: while that is set behind a reset, it does nothing else.

    Of the top it is proved that it gives no start before.
    """
    claims = {"state_is_set_in_a_run": f"!{SEEN} || !(busy && setting)"}
    line = f"always @* if ({SEEN}) assume (!(start && setting));"
    return replace(task, claims={**task.claims, **claims}, lines=(*task.lines, line))


def _read(buffer: str, name: str) -> tuple[dict[str, str], list[str]]:
    """(claims, lines): no beat of a read stream is left as `busy` falls.

    Beats that were read and not taken are counted. What keeps them shows a beat where one is owed
    and no other, in their order, hence that with tlast when it is the only one left and none is to
    come; it has room for few. rtl/formal proves that of hlsmem_skid, hlsmem_output_register and
    hlsmem_rotator.
    """
    fell = "!was_busy || busy || was_reset"
    squashes = re.search(rf"^    reg \[1:0\] {name}_inside;", buffer, re.M) is not None
    if not squashes and not re.search(rf"^    reg {name}_over;", buffer, re.M):
        line = f"always @(posedge clk) {name}_waited <= {name}_tvalid;"
        claims = {f"busy_falls_before_the_last_beat_of_{name}": f"{fell} || !{name}_waited"}
        return claims, [f"reg {name}_waited;", line]
    owed, goes = f"{name}_owed", f"{name}_issue" if squashes else f"{name}_fire"
    lines = [
        f"reg [3:0] {owed};",
        f"always @(posedge clk) {owed} <= rst ? 4'd0 : {owed} + {goes} - {name}_take;",
        f"reg {name}_had_all;",
        f"always @(posedge clk) {name}_had_all <= {name}_done && {owed} == 0;",
        f"always @* assume (!{name}_there || {owed} != 0);",
    ]
    claims = {
        f"{name}_owes_a_beat_of_an_earlier_run": f"busy || {owed} == 0",
        f"busy_falls_before_the_last_beat_of_{name}": f"{fell} || {name}_had_all",
    }
    if squashes:
        # The buffer counts those inside by itself: of at most three there is room for.
        lines.append(f"always @* assume (!{name}_room || {owed} < 3);")
        claims[f"{name}_counts_other_beats"] = f"{owed} == {name}_inside"
        return claims, lines
    last = f"{name}_there && {name}_side[0]"
    lines += [
        f"always @* assume (!({last}) || ({owed} == 1 && {name}_done));",
        f"always @* assume (!{name}_room || {owed} < 8);",
    ]
    over = f"!{name}_over || ({owed} == 0 && {name}_done)"
    claims[f"{name}_is_over_before_its_last_beat"] = over
    return claims, lines


def is_of_skids(claim: str) -> bool:
    """True if a claim needs the registers that keep read beats: a run without tells nothing."""
    return _OF_SKIDS.search(claim) is not None


def _has(buffer: str, wire: str) -> bool:
    return re.search(rf"^    wire {wire}\b", buffer, re.M) is not None
