"""Inputs and outputs of the RAMs: the wires between RAMs and streams.

Skids, output registers and rotators give out later what was on their data when the words of a beat
were there: that is proved of them by themselves. In a buffer they stand for wires, and what a RAM
shows is anything: a lane of a beat is then the word of the RAM that the plan says, or it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hlsmem.check.formal.circuits.buffer_proof import bank_known
from hlsmem.check.formal.circuits.multiplexed_words import Stages, delayed_word, stages_of
from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.ghost_forms import Form, number_text
from hlsmem.check.formal.model.stream_claims import Piece, used_quotients
from hlsmem.check.rtl.simulated_device import DeviceMemory, DeviceStream

_WIDTH = re.compile(r"wire \[(\d+):0\] write_data\b")


def word_claims(
    piece: Piece,
    stream: DeviceStream,
    table: BeatTable,
    memory: DeviceMemory,
    banks: Sequence[Form],
    buffer: str,
) -> tuple[int, ...]:
    """Add to a stream's claims: the words of its beats are those of the RAMs, lane by lane.

    Returns the operands of which nothing is claimed: those that come by a wire beside the memory,
    always or in some beats. Raises NoGhost.
    """
    width = _WIDTH.search(buffer)
    if width is None:
        raise NoGhost("what is written has no wire")
    bits = int(width[1]) + 1
    name, fire = piece.ghost.name, stream.accesses
    if table.is_write:
        for copy in range(memory.copies if memory.address_bits else 1):  # readers share a register
            for ram in _rams(memory, copy):
                path = f"\\u_{ram}.w_data "
                piece.lines.append(f"(* hierconn *) wire [{bits - 1}:0] {path};")
                claim = f"!({fire}) || {path} == {stream.name}_tdata[{bits - 1}:0]"
                piece.claims[f"{name}_data_{ram}"] = claim
        return ()
    lane_bits = stream.bits // len(stream.copies)
    stages: Stages | None = None
    wired = _wired(stream, table, buffer)
    for operand, own in enumerate(stream.copies):
        there = piece.mask(table.taken[operand])
        # Where `there` is not known, that is noted among what could not be claimed.
        if operand in wired or there is None or not table.taken[operand].any():
            continue
        if own is None:
            raise NoGhost(f"what brings operand {operand} is not understood")
        lane = f"{stream.name}_tdata[{operand * lane_bits} +: {bits}]"
        if own not in memory.banked:
            claim = f"!({fire} && ({there})) || {lane} == {memory.array}_{own}_r_data"
            piece.claims[f"{name}_word_{operand}"] = claim
        elif f" u_{stream.name}_turn (" in buffer:
            bank = piece.ghost.text(banks[operand], piece.bits)
            used = bank_known(piece) | used_quotients(banks[operand])
            for bank_number, ram in enumerate(_rams(memory, own)):
                here = f"({there}) && {bank} == {number_text(bank_number, piece.bits)}"
                claim = f"!({fire} && {here}) || {lane} == {ram}_r_data"
                piece.goal(f"{name}_word_{operand}_bank_{bank_number}", claim, used)
                _asked(piece, stream, ram, buffer)
        else:
            stages = stages or stages_of(piece, stream, buffer)
            rams = _rams(memory, own)
            delayed_word(piece, stream, operand, there, lane, rams, stages, buffer)
    return wired


def _wired(stream: DeviceStream, table: BeatTable, buffer: str) -> tuple[int, ...]:
    """The operands that a wire brings, or may bring in a beat that needs what its step makes."""
    if f"{stream.array}_wire_0_data" not in buffer:
        return ()
    return tuple(
        operand
        for operand, (taken, fetched) in enumerate(zip(table.taken, table.fetched, strict=True))
        if (taken & ~fetched).any()
    )


def _asked(piece: Piece, stream: DeviceStream, ram: str, buffer: str) -> None:
    """Claim that a RAM with a register at its read port is read at the address asked for."""
    place = re.search(rf"reg (\[\d+:0\] ){ram}_place;", buffer)
    name = f"{piece.ghost.name}_asked_{ram}"
    if place is None or f"{name}_as_asked" in piece.claims:
        return
    room, port = f"{stream.name}_room", f"\\u_{ram}.r"
    piece.lines += [
        f"(* hierconn *) wire {port}_en ;",
        f"(* hierconn *) wire {place[1]}{port}_addr ;",
        f"reg {name}_some = 1'b0, {name}_enable;",
        f"reg {place[1]}{name}_place;",
        f"always @(posedge clk) if (rst) {name}_some <= 1'b0;"
        f" else if ({room}) begin {name}_some <= 1'b1;"
        f" {name}_enable <= {ram}_r_en; {name}_place <= {ram}_r_addr; end",
    ]
    kept = f"{ram}_asked == {name}_enable && {ram}_place == {name}_place"
    piece.claims[f"{name}_as_asked"] = f"!{name}_some || ({kept})"
    piece.claims[f"{name}_there"] = (
        f"{port}_en == ({room} && {ram}_asked) && {port}_addr == {ram}_place"
    )


def _rams(memory: DeviceMemory, copy: int) -> list[str]:
    ram = f"{memory.array}_{copy}"
    return [f"{ram}_b{bank}" for bank in range(memory.banks)] if copy in memory.banked else [ram]
