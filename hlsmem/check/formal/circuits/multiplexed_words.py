"""Words that multiplexers bring from their banks, by selectors that come with them.

Where no single turn brings the words of a beat from their banks, every operand has a multiplexer of
its own. What it chooses by is what the address generator said when the beat was issued, delayed as
the words are: in every cycle before `hlsmem_skid`; before `hlsmem_output_register`, whose beats
wait in the RAMs, with their latches (an issue) and output registers (a move). It is claimed that,
as words come, each lane is the word of the bank that the operand had at its issue. Which bank that
is at an issue, is claimed by itself (`control`): the plan's.

So that induction sees it, the text that makes the bank of an operand out of the selector stands in
the proof a second time for every register that the selector goes through: the bank that was kept
at the issue, in a register of the proof, is what that register says. These are claims as well, so
nothing hangs on how the text was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.stream_claims import Piece
from hlsmem.check.rtl.simulated_device import DeviceStream
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Stages:
    """Registers that a word passes until it is shown: the enable of each, and its content.

    `some[k]` is a name: a beat since reset has gone into register k, of `hlsmem_skid` in the cycle
    before.
    """

    enables: tuple[str, ...]
    some: tuple[str, ...]


def stages_of(piece: Piece, stream: DeviceStream, buffer: str) -> Stages:
    """The stages of the words of a stream, with their flags in the piece; raises NoGhost."""
    found = re.search(
        rf"hlsmem_(skid|output_register) #\(\n[^;]*?\.LATENCY\(([12])\)\n *\)"
        rf" u_{stream.name}_skid \(",
        buffer,
    )
    if found is None:
        raise NoGhost("what its words wait in is not understood")
    latency = int(found[2])
    waits = found[1] == "output_register"
    enables = (f"{stream.name}_fire", f"{stream.name}_move") if waits else ("1'b1", "1'b1")
    some = tuple(f"{piece.ghost.name}_some_{k}" for k in range(1, latency + 1))
    for flag, enable, before in zip(some, enables, (f"{stream.name}_fire", *some), strict=False):
        moves = f"if (rst) {flag} <= 1'b0; else if ({enable}) {flag} <= {before};"
        piece.lines += [f"reg {flag} = 1'b0;", f"always @(posedge clk) {moves}"]
    return Stages(enables[:latency], some)


def delayed_word(
    piece: Piece,
    stream: DeviceStream,
    operand: int,
    there: str,
    lane: str,
    rams: Sequence[str],
    stages: Stages,
    buffer: str,
) -> None:
    """Claim that a lane is the word of the bank that its operand had when the beat was issued."""
    wire = stream.banks[operand]
    if wire is None:
        raise NoGhost(f"the bank of operand {operand} has no wire")
    name = f"{piece.ghost.name}_kept_{wire}"
    if f"{name}_1_said" not in piece.claims:
        _keep(piece, name, wire, stages, buffer)
    kept, some = f"{name}_{len(stages.some)}", stages.some[-1]
    if there != "1'b1":
        some = f"{some} && {_later(piece, f'{piece.ghost.name}_there_{operand}', there, stages)}"
    right = " && ".join(
        f"({kept} != {bank} || {lane} == {ram}_r_data)" for bank, ram in enumerate(rams)
    )
    piece.claims[f"{piece.ghost.name}_word_{operand}"] = f"!({some}) || ({right})"


def _keep(piece: Piece, name: str, wire: str, stages: Stages, buffer: str) -> None:
    """The bank of an operand in a register beside every stage, and what the selector says there."""
    place = re.search(rf"(?:reg|wire) (\[\d+:0\] ){wire}\b", buffer)
    if place is None:
        raise NoGhost(f"the wire {wire} is not understood")
    cases = re.search(
        rf"\n *always @\*\s+case \((\w+)\)((?:(?!endcase).)*?\b{wire} = .*?)endcase", buffer, re.S
    )
    before = wire
    for stage, (some, enable) in enumerate(zip(stages.some, stages.enables, strict=True), start=1):
        register = f"{name}_{stage}"
        piece.lines += [
            f"reg {place[1]}{register};",
            f"always @(posedge clk) if ({enable}) {register} <= {before};",
        ]
        before, then = register, wire
        if cases is not None:
            selector, then = f"{cases[1]}_{stage}", f"{register}_then"
            if re.search(rf"\b{selector}\b", buffer) is None:
                raise NoGhost(f"{cases[1]} is not kept until its words are there")
            text = re.sub(rf"\b{wire}\b", then, cases[2])
            piece.lines.append(f"reg {place[1]}{then};\nalways @* case ({selector}){text}endcase")
        piece.claims[f"{register}_said"] = f"!{some} || {register} == {then}"


def _later(piece: Piece, name: str, text: str, stages: Stages) -> str:
    """A condition of the issue as it was for what is in the last stage."""
    for stage, enable in enumerate(stages.enables, start=1):
        piece.lines += [
            f"reg {name}_{stage};",
            f"always @(posedge clk) if ({enable}) {name}_{stage} <= {text};",
        ]
        text = f"{name}_{stage}"
    return text
