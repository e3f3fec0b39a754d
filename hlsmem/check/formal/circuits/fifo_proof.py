"""The proof of a FIFO's buffer: beats leave as they came, as many as the program has.

The FIFO itself is proved by itself; its contract is assumed here: what goes in comes out in the
same order, `s_last` counts what went in, `m_only` says that nothing waits. What is claimed: every
beat of the run goes through it, none besides, and `tlast` comes with the last one. That the reads
are in the order of the writes, and how many beats have to wait, the program says.
"""

from __future__ import annotations

import re

import numpy as np

from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.rtl.simulated_device import DeviceStream

_FIFO = re.compile(
    r"hlsmem_fifo #\((?P<parameters>.*?)\n    \) u_\w+ \((?P<ports>.*?)\n    \);", re.S
)

# What waits behind the RAM of a FIFO, whether somebody reads or not.
_LATCH = 1


def has_fifo(buffer: str) -> bool:
    """True if the module of a buffer is made around a FIFO."""
    return _FIFO.search(buffer) is not None


def fifo_fault(
    buffer: str, read: BeatTable, written: BeatTable, *, limited: bool = True
) -> str | None:
    """Reason why no FIFO serves these beats, or this one is too short; None if all is well.

    What is not `limited` may be shorter than what waits in the schedule's order.
    """
    order = {int(version): place for place, version in enumerate(written.versions[0])}
    for taken, versions in zip(read.taken, read.versions, strict=True):
        places = [order.get(int(v), -1) if t else -2 for t, v in zip(taken, versions, strict=True)]
        if places != [*range(len(written.times))]:
            return "its values are not read once each, in the order of the writes"
    found = _FIFO.search(buffer)
    depth = re.search(r"\.DEPTH\((\d+)\)", found["parameters"]) if found else None
    least = _most_waiting(read, written)
    if limited and depth is not None and int(depth[1]) + _LATCH < least:
        return f"{least} values wait at once, its FIFO holds {int(depth[1]) + _LATCH}"
    return None


def _most_waiting(read: BeatTable, written: BeatTable) -> int:
    """The most values that are there after a write and are read in later steps."""
    _, numbers = np.unique(np.concatenate([written.steps, read.steps]), axis=0, return_inverse=True)
    steps = numbers.reshape(-1)
    count = len(written.steps)
    gone = np.searchsorted(steps[count:], steps[:count], side="right")
    return int((np.arange(1, count + 1) - gone).max(initial=0))


def fifo_task(
    writer: DeviceStream, reader: DeviceStream, written: BeatTable, buffer: str, bits: int
) -> Task:
    """The proof of the buffer of a FIFO with elements of `bits`; raises NoGhost."""
    found = _FIFO.search(buffer)
    if found is None:
        raise NoGhost("its FIFO does not look like one")
    ports = dict(re.findall(r"\.(\w+)\((.*)\)", found["ports"]))
    beats = re.search(r"\.BEATS\((\d+)\)", found["parameters"])
    if beats is None or ports["clk"] != "clk":
        raise NoGhost("its FIFO does not count beats of its clock")
    many = len(written.times)
    width = max(many, int(beats[1])).bit_length() + 2
    count, run = f"{width}'d{many}", f"{width}'d{beats[1]}"
    into = f"(({ports['s_tvalid']}) && {ports['s_tready']})"
    out = f"({ports['m_tvalid']} && ({ports['m_tready']}))"
    came = f"({writer.name}_tvalid && {writer.name}_tready)"
    left = f"({reader.name}_tvalid && {reader.name}_tready)"
    reset = f"({ports['rst']})"
    lines = [
        *_counter("f_in", width, reset, into),
        *_counter("f_out", width, reset, out),
        *_counter("came", width, "(rst || !busy)", came),
        *_counter("went", width, "(rst || !busy)", left),
        *_follower(into, ports["s_tdata"], reset, width, bits),
        "reg ran;",
        f"reg [{width - 1}:0] had;",
        "always @(posedge clk) begin ran <= busy && !rst; had <= went; end",
        f"wire [{width - 1}:0] waiting = f_in - f_out;",
        f"always @* assume (f_in == {run} || {ports['s_last']} == (f_in == {run} - 1));",
        f"always @* assume (!{ports['m_tvalid']} || f_out < f_in);",
        f"always @* assume ({ports['m_only']} == (waiting == {ports['m_tvalid']}));",
        f"always @* assume (!({ports['m_tvalid']} && marked && rank == f_out)"
        f" || {ports['m_tdata']} == value);",
    ]
    lane = reader.bits // len(reader.copies)
    shown = f"{reader.name}_tvalid && marked && rank == went"
    claims = {
        f"operand_{k}_is_not_what_went_in": (
            f"!({shown}) || {reader.name}_tdata[{k * lane} +: {bits}] == value"
        )
        for k in range(len(reader.copies))
    }
    claims |= {
        "the_FIFO_counts_other_beats": f"{reset} || (f_in == came && f_out == went)",
        "more_beats_come_out_than_went_in": "went <= came",
        "more_beats_are_taken_than_the_run_has": f"came <= {count}",
        "the_FIFO_takes_more_than_its_run": f"{reset} || f_in < {run} || !({ports['s_tvalid']})",
        "beats_are_refused_before_the_last": f"open == (busy && came < {count})",
        "beats_pass_while_nothing_runs": (
            f"busy || (!{writer.name}_tready && (rst || !{reader.name}_tvalid))"
        ),
        "tlast_is_wrong": (
            f"!{reader.name}_tvalid || {reader.name}_tlast == (went == {count} - 1)"
        ),
        "the_run_ends_before_its_last_beat": f"!(ran && !busy) || had == {count}",
        "what_is_followed_never_went_in": "!marked || rank < f_in",
    }
    return Task((), claims, tuple(lines))


def _counter(name: str, width: int, reset: str, step: str) -> list[str]:
    return [
        f"reg [{width - 1}:0] {name};",
        f"always @(posedge clk) {name} <= {reset} ? 0 : {name} + {step};",
    ]


def _follower(into: str, data: str, reset: str, width: int, bits: int) -> list[str]:
    """One beat, anyone: its place among those that went in, and its value.

    Where one is looked at after the other, the next one follows when this one has left.
    """
    return [
        "(* anyseq *) reg chosen;",
        "reg marked;",
        f"reg [{width - 1}:0] rank;",
        f"reg [{bits - 1}:0] value;",
        "wire [1:0] age = f_out > rank ? 3 : 0;",
        "always @(posedge clk) begin",
        f"    if ({reset}) marked <= 1'b0;",
        f"    else if (chosen && !marked && {into}) begin",
        f"        marked <= 1'b1; rank <= f_in; value <= {data};",
        "    end",
        "end",
    ]
