"""Forks and joins of arrays in several parts: every beat goes where the program says, and once.

A junction is proved in two steps. By induction, for every pattern of stalls and whatever its
address generator says: each part that takes a beat gets it once, with its data, and no other part
gets it; a joined beat is there when all its parts are, with the operands in their places. And its
address generator, which depends on nothing but the beats that have gone, is run through all of
them: what it says of each beat is compared with the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.icarus import printed
from hlsmem.check.formal.model.stream_claims import SEEN
from hlsmem.check.formal.module_text import assertions, with_lines
from hlsmem.check.plans.plan_parts import Divided
from hlsmem.check.rtl.expected_beats import StreamBeats
from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass

_GENERATOR = re.compile(r"^    (\w+_walk) u_walk \(", re.M)
_TOP = "walk_top"


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A part's stream at a junction.

    `there` is Verilog of the junction that says whether the part has the next beat; `operands` are
    those of the whole beat that it brings, in its own order.
    """

    stream: DeviceStream
    there: str
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JunctionProof:
    """Proof of a junction: its sources, its module and the number of their claims.

    `fault` is what its address generator says wrongly, "" where it says what the program does.
    """

    sources: Mapping[str, str]
    top: str
    claims: int
    fault: str = ""


def junction_proof(
    port: DeviceStream,
    streams: Mapping[str, StreamBeats],
    whole: StreamBeats,
    divided: Divided,
    device: Device,
    design: str,
    rtl: Mapping[str, str],
) -> JunctionProof:
    """The proof of the junction of a port; raises NoGhost, KeyError where a file is missing.

    `whole` are the beats of the port, `streams` those of all streams of parts.
    """
    top = f"{design}_{port.name}_{'fork' if port.direction == WRITE else 'join'}"
    module = rtl[f"{top}.v"]
    generator = junction_generator(module)
    said: Mapping[str, np.ndarray] = {}
    sources: dict[str, str] = {}
    if generator is not None:
        sources[f"{generator}.v"] = rtl[f"{generator}.v"]
        said = _said(generator, sources, len(whole))
        fault = _last_fault(said.get("last"), port)
        if fault:
            return JunctionProof(sources={}, top=top, claims=0, fault=fault)
    branches = []
    for stream in device.inner:
        parts = [part for part in divided.of(port.array) if part.name == stream.array]
        if not parts or (stream.statement, stream.direction) != (port.statement, port.direction):
            continue
        if not stream.beats:
            continue
        had = set(map(tuple, streams[stream.name].point.tolist()))
        mask = np.array([point in had for point in map(tuple, whole.point.tolist())])
        there = _condition(mask, said)
        if there is None:
            wrong = f"nothing in it says which beats {stream.name} has"
            return JunctionProof(sources={}, top=top, claims=0, fault=wrong)
        operands = sorted(k for name, k in parts[0].operands if name == port.name)
        branches.append(Branch(stream=stream, there=there, operands=tuple(operands)))
    lines, claims = (
        _fork(port, branches)
        if port.direction == WRITE
        else _join(port, branches, generator is not None)
    )
    clocked = re.search(r"input +wire clk\b", module) is not None
    if generator is not None:
        steady, more = _steady(port, said)
        lines, claims = [*lines, *steady], claims | more
    when = "1'b1"
    if clocked:
        when = SEEN
        lines = [
            f"reg {SEEN} = 1'b0;",
            f"always @(posedge clk) {SEEN} <= 1'b1;",
            f"always @* if (!{SEEN}) assume (rst);",
            *lines,
        ]
    sources["proof_junction.v"] = with_lines(module, [*lines, *assertions(claims, when)])
    return JunctionProof(sources=sources, top=top, claims=len(claims))


def junction_generator(junction: str) -> str | None:
    """The module of the address generator in the text of a junction; None where it has none."""
    found = _GENERATOR.search(junction)
    return None if found is None else found[1]


def _condition(mask: np.ndarray, said: Mapping[str, np.ndarray]) -> str | None:
    """The output of the address generator that is true in exactly these beats."""
    if mask.all():
        return "1'b1"
    names = (name for name in said if name not in ("beat", "last"))
    return next((name for name in names if (said[name] == mask).all()), None)


def _last_fault(last: np.ndarray | None, port: DeviceStream) -> str:
    if last is None or not len(last):
        return f"the address generator of {port.name} does not tell its last beat"
    wrong = np.flatnonzero(last != (np.arange(len(last)) == len(last) - 1))
    return (
        f"the address generator of {port.name} is wrong on tlast of beat {wrong[0]}"
        if len(wrong)
        else ""
    )


def _said(generator: str, sources: Mapping[str, str], beats: int) -> Mapping[str, np.ndarray]:
    """Outputs of an address generator in each of its beats (bool), by name."""
    names = re.findall(r"output wire (\w+)", sources[f"{generator}.v"])
    ports = ", ".join(f".{name}(said[{k}])" for k, name in enumerate(names))
    bench = f"""module {_TOP};
reg clk = 1'b0, load = 1'b1, step = 1'b0;
wire [{len(names) - 1}:0] said;
integer beat;
{generator} dut (.clk(clk), .load(load), .step(step), {ports});
initial begin
    #1 clk = 1; #1 clk = 0; load = 0; step = 1;
    for (beat = 0; beat < {beats}; beat = beat + 1) begin
        #1 $display("said %b", said); clk = 1; #1 clk = 0;
    end
    $finish;
end
endmodule
"""
    output = printed({**sources, "run.v": bench}, _TOP)
    rows = [] if output is None else re.findall(r"^said ([01]+)$", output, re.M)
    if len(rows) != beats:
        raise NoGhost(f"{generator} could not be run through its beats, which takes Icarus")
    table = np.array([[digit == "1" for digit in row[::-1]] for row in rows], dtype=bool)
    return {name: table[:, k] for k, name in enumerate(names)}


def _steady(port: DeviceStream, said: Mapping[str, np.ndarray]) -> tuple[list[str], dict[str, str]]:
    """An address generator says the same until its beat has gone: what it was run through is all it
    does."""
    words = ", ".join(said)
    count = len(said)
    lines = [
        f"reg [{count - 1}:0] said_before;",
        "reg stays;",
        f"always @(posedge clk) said_before <= {{{words}}};",
        f"always @(posedge clk) stays <= !u_walk_load && !{port.name}_fire;",
    ]
    load = "load" if port.direction == WRITE else "(rst | ~busy)"
    lines[-1] = lines[-1].replace("u_walk_load", load)
    claims = {"the_walker_moves_without_a_beat": f"!stays || {{{words}}} == said_before"}
    return lines, claims


def _fork(port: DeviceStream, branches: Sequence[Branch]) -> tuple[list[str], dict[str, str]]:
    """Each part that takes a beat gets it, once; the beat goes when all have it."""
    whole = port.name
    lines: list[str] = []
    claims: dict[str, str] = {}
    for branch in branches:
        name, there = branch.stream.name, branch.there
        gets = f"({name}_tvalid && {name}_tready)"
        lines += [
            f"reg got_{name};",
            f"always @(posedge clk) got_{name} <= !rst && !{whole}_fire && (got_{name} || {gets});",
        ]
        claims |= {
            f"{name}_gets_other_data": f"!{name}_tvalid || {name}_tdata == {whole}_tdata",
            f"{name}_gets_a_beat_twice": f"!(got_{name} && {name}_tvalid)",
            f"{name}_gets_a_beat_that_is_none": f"!{name}_tvalid || {whole}_tvalid",
            f"{name}_gets_a_beat_of_other_parts": f"rst || !{name}_tvalid || {there}",
            f"{name}_misses_a_beat": f"rst || !{whole}_fire || !{there} || got_{name} || {gets}",
            f"{name}_has_other_beats": f"{name}_has == got_{name}",
        }
    return lines, claims


def _join(
    port: DeviceStream, branches: Sequence[Branch], walks: bool
) -> tuple[list[str], dict[str, str]]:
    """A beat is there when its parts show theirs; operands stand in their places."""
    whole = port.name
    claims: dict[str, str] = {}
    for branch in branches:
        name, there, width = branch.stream.name, branch.there, _lane(port)
        claims[f"a_beat_goes_without_{name}"] = f"!{whole}_tvalid || !{there} || {name}_tvalid"
        claims[f"{name}_is_taken_apart_from_its_beat"] = (
            f"({name}_tvalid && {name}_tready) == ({whole}_tvalid && {whole}_tready && {there})"
        )
        for position, operand in enumerate(branch.operands):
            here = f"{whole}_tdata[{operand * width} +: {width}]"
            claims[f"operand_{operand}_is_not_that_of_{name}"] = (
                f"!({whole}_tvalid && {there}) || {here}"
                f" == {name}_tdata[{position * width} +: {width}]"
            )
            if port.user_bits:
                read = f"{name}_tuser[{position}]" if branch.stream.user_bits else "1'b1"
                claims[f"operand_{operand}_is_wrongly_said_to_be_read"] = (
                    f"!{whole}_tvalid || {whole}_tuser[{operand}] == ({there} && {read})"
                )
    all_there = " && ".join(f"({b.stream.name}_tvalid || !{b.there})" for b in branches)
    over = "done" if walks else "1'b0"
    claims["a_beat_is_held_back"] = f"{whole}_tvalid || {over} || !({all_there})"
    last = "last" if walks else f"{branches[0].stream.name}_tlast"
    claims["tlast_is_wrong"] = f"!{whole}_tvalid || {whole}_tlast == {last}"
    return [], claims


def _lane(port: DeviceStream) -> int:
    """The bits of an operand in a beat."""
    return port.bits // len(port.copies)
