"""The proof of a reuse chain: what comes out is what went in, under all stalls.

One write beat, anyone, is followed with all its elements. Where `age` write beats have gone since,
they stand at position `age`, each in a lane of the chain. The delays in between are proved by
themselves, and their contract is assumed here: what goes in comes out so many beats later. It is
claimed as well that the elements go in, which is always earlier than they come out: so each
assumption rests on claims about cycles before. What is claimed of readers: a beat shows, operand
by operand, the element that the program reads there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.check.formal.circuits.buffer_proof import generator_piece
from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.ghost import Ghost, NoGhost, ghost_text, make_ghost, region_text
from hlsmem.check.formal.model.ghost_forms import number_text
from hlsmem.check.formal.model.stream_claims import Claim, Piece, mask_text
from hlsmem.check.formal.module_text import at_most, before
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.rtl.simulated_device import DeviceStream

_RUN = re.compile(r"^\s*reg \[(\d+):0\] (run_(\d+)(?:_lane_(\d+))?);", re.M)
_DELAY = re.compile(
    r"hlsmem_delay #\((?P<parameters>.*?)\n    \) u_\w+ \((?P<ports>.*?)\n    \);", re.S
)


def chain_task(
    writer: DeviceStream,
    readers: Sequence[DeviceStream],
    tables: Mapping[str, BeatTable],
    hints: Mapping[str, Any],
    buffer: str,
    generator: str,
    bits: int,
) -> Task:
    """The proof of a chain of elements of `bits`; raises NoGhost.

    `buffer` and `generator` are the texts of its module and of the address generator of its writer.
    """
    table = tables[writer.name]
    if not all(taken.all() for taken in table.taken):
        raise NoGhost("not all of its write beats bring all elements")
    if hints["idle"]:
        raise NoGhost("its address generator has places without a beat")
    piece = generator_piece(writer, 0, table, hints, generator)
    ghost, width = piece.ghost, piece.bits
    fire, done = f"{writer.name}_fire", "g0_done"
    behind = _behind(piece, ghost, fire)
    has_skid = f"{writer.name}_waits" in buffer
    beat = f"{writer.name}_{'beat_now' if has_skid else 'tdata'}"
    piece.lines += _marking(fire, writer, beat, table, bits)
    if has_skid:
        lines, claims = _skid(writer, fire)
        piece.lines += lines
        piece.claims |= claims
    piece.claims |= {
        "open_while_beats": f"!open || (!{done} && busy)",
        "closed_after_the_last": f"!busy || open || {done}",
        "ended": f"!{done} || (g0_some && ({region_text(behind, ghost.last, width)}))",
        "idle": f"busy || (!{done} && !open)",
        "marked_before": "!marked || (mrank >= 0 && mrank < wcount)",
    }
    piece.claims |= _positions(buffer, len(table.elements), bits)
    _delays(piece, buffer, fire, len(table.elements), bits)
    for number, reader in enumerate(readers, start=1):
        _reader(piece, reader, number, tables[reader.name], table, bits)
    facts = {fact.name: fact.text for fact in piece.facts}
    every = range(len(ghost.forms.quotients))
    return Task((piece,), facts | piece.claims, tuple(piece.assumptions(every)))


def _behind(piece: Piece, ghost: Ghost, step: str) -> Ghost:
    """A second ghost, a beat behind the first once that has stepped, and what holds of both."""
    width, name = piece.bits, ghost.name
    other = Ghost(f"h{name[1:]}", ghost.forms, ghost.domain, ghost.transitions, ghost.last)
    piece.lines += [
        f"reg {name}_some;",
        ghost_text(other, "load", f"{step} && {name}_some", width),
        f"always @(posedge clk) if (load) {name}_some <= 1'b0;"
        f" else if ({step}) {name}_some <= 1'b1;",
    ]
    where = region_text(other, ghost.domain, width)
    piece.known.append(Claim(f"{other.name}_domain", where, frozenset()))
    follows = [f"{name}_{k} == {other.name}_{k}_next" for k in range(ghost.forms.rank)]
    first = [
        f"{one}_{k} == {number_text(int(value), width)}"
        for one in (name, other.name)
        for k, value in enumerate(ghost.forms.points[0])
    ]
    piece.claims |= {
        f"{name}_behind": f"{name}_done || !{name}_some || ({' && '.join(follows)})",
        f"{name}_begins": f"{name}_some || (!{name}_done && {' && '.join(first)})",
    }
    return other


def _skid(writer: DeviceStream, fire: str) -> tuple[list[str], dict[str, str]]:
    """Claims that beats enter the chain in order, each once; `ready` waits for nobody."""
    name = writer.name
    accepted = f"({name}_tvalid && {name}_tready)"
    lines = [
        "reg skid_holds;",
        f"reg [{writer.bits - 1}:0] skid_beat;",
        "always @(posedge clk)",
        "    if (load) skid_holds <= 1'b0;",
        f"    else if ({accepted} && !{fire}) skid_holds <= 1'b1;",
        f"    else if ({fire} && !{accepted}) skid_holds <= 1'b0;",
        f"always @(posedge clk) if ({accepted}) skid_beat <= {name}_tdata;",
    ]
    return lines, {
        "skid_knows_what_waits": f"{name}_waits == skid_holds",
        "skid_keeps_its_beat": f"!skid_holds || {name}_kept == skid_beat",
        "skid_is_empty_in_the_end": "!skid_holds || (busy && open)",
        "a_beat_comes_on_top_of_another": f"!({accepted} && skid_holds)",
        "ready_waits_for_others": f"{name}_tready == (open && !skid_holds)",
        "a_beat_goes_in_that_is_none": f"!{fire} || skid_holds || {accepted}",
        "another_beat_goes_in": (
            f"!{fire} || {name}_beat_now == (skid_holds ? skid_beat : {name}_tdata)"
        ),
    }


def _marking(fire: str, writer: DeviceStream, beat: str, table: BeatTable, bits: int) -> list[str]:
    """The write beat that is followed, its elements, and how many beats have gone since it came."""
    beats, operands = len(table.times), len(table.elements)
    high, lane_bits = beats.bit_length() + 1, writer.bits // operands
    lanes = [f"{beat}[{k * lane_bits} +: {bits}]" for k in reversed(range(operands))]
    return [
        f"reg signed [{high}:0] wcount;",
        f"reg signed [{high}:0] mrank;",
        f"reg [{operands * bits - 1}:0] mvalue;",
        "reg marked;",
        "(* anyseq *) reg chosen;",
        f"wire signed [{high}:0] age = wcount - mrank - 1;",
        "always @(posedge clk) begin",
        "    if (load) begin wcount <= 0; marked <= 1'b0; end",
        f"    else if ({fire}) begin",
        "        wcount <= wcount + 1;",
        "        if (chosen && !marked) begin",
        f"            marked <= 1'b1; mrank <= wcount; mvalue <= {{{', '.join(lanes)}}};",
        "        end",
        "    end",
        "end",
        # The ghost goes through the list, which has so many beats.
        f"always @* assume (wcount >= 0 && wcount <= {beats});",
    ]


def _followed(operand: int, bits: int) -> str:
    """The element of that operand in the beat that is followed."""
    return f"mvalue[{operand * bits} +: {bits}]"


def _operand(lane: str | None, operands: int) -> int:
    """Operand of a write beat for a lane of the chain; lane 0 takes the last, the newest.

    It is read from names, and claimed of what they stand for: names that lie make a proof fail.
    """
    return operands - 1 - int(lane or 0)


def _positions(buffer: str, operands: int, bits: int) -> dict[str, str]:
    """Claims on the positions of the followed elements in registers."""
    claims = {}
    for high, name, position, lane in _RUN.findall(buffer):
        places = (int(high) + 1) // bits
        value = _followed(_operand(lane, operands), bits)
        for place in range(places):
            age = int(position) - places + 1 + place
            claims[f"position_{position}_of_{lane or 0}_{place}"] = (
                f"!marked || age != {age} || {name}[{place * bits} +: {bits}] == {value}"
            )
    return claims


def _delays(piece: Piece, buffer: str, fire: str, operands: int, bits: int) -> None:
    """Claim the inputs of the delays; assume the outputs of what replaces them."""
    for number, found in enumerate(_DELAY.finditer(buffer)):
        ports = dict(re.findall(r"\.(\w+)\((.*)\)", found["ports"]))
        depth = re.search(r"\.DEPTH\((\d+)\)", found["parameters"])
        if depth is None or ports["en"] != fire or ports["clk"] != "clk":
            raise NoGhost("a delay in it does not move with its write beats")
        taps = re.findall(r"at_(\d+)(?:_lane_(\d+))?", ports["d"])[::-1]
        piece.lines.append(f"wire [{len(taps) * bits - 1}:0] fed_{number} = {ports['d']};")
        for place, (position, lane) in enumerate(taps):
            age = int(position) + int(depth[1])
            value = _followed(_operand(lane, operands), bits)
            part = f"[{place * bits} +: {bits}] == {value}"
            piece.claims[f"fed_{number}_{place}"] = (
                f"!marked || age != {position} || fed_{number}{part}"
            )
            come = f"always @* assume (!marked || age != {age} || {ports['q']}{part});"
            piece.lines.append(come)


def _reader(
    piece: Piece,
    reader: DeviceStream,
    number: int,
    table: BeatTable,
    written: BeatTable,
    bits: int,
) -> None:
    """The ghost of a reader, a second one a beat behind it, and its claims."""
    width, name, stream = piece.bits, f"g{number}", reader.name
    ghost = make_ghost(name, own_coordinates(table.times))
    after = last_before(table, written)
    until = [ghost.forms.fitted(column) for column in piece.ghost.forms.points[after].T]
    if None in until:
        raise NoGhost(f"{stream} does not go out at affine places")
    take = f"({stream}_tvalid && {stream}_tready)"
    piece.lines.append(ghost_text(ghost, "load", take, width))
    domain = region_text(ghost, ghost.domain, width)
    piece.known.append(Claim(f"{name}_domain", domain, frozenset()))
    behind = _behind(piece, ghost, take)
    here = [ghost.text(form, width) for form in until if form]
    there = [behind.text(form, width) for form in until if form]
    onward = [ghost.text(form, width, "_next") for form in until if form]
    now = [f"g0_{k}" for k in range(piece.ghost.forms.rank)]
    newest = " && ".join(f"h0_{k} == {form}" for k, form in enumerate(here))
    valid, last = f"{stream}_tvalid", region_text(ghost, ghost.last, width)
    piece.claims |= {
        f"{name}_waits": f"{valid} || {name}_done || (!g0_done && {at_most(now, here)})",
        f"{name}_past": f"!{name}_some || {name}_done || g0_done || {before(there, now)}",
        f"{name}_over": f"!{name}_done || (!{valid} && (g0_done || {before(here, now)}))",
        f"{name}_out": (
            f"!{valid} || (!{name}_done && g0_some && {newest} && (g0_done || {before(here, now)}))"
        ),
        f"{name}_ended": f"!{name}_done || ({last})",
        f"{name}_then": f"!{valid} || ({last}) || (!g0_done && {at_most(now, onward)})",
        f"{name}_all_go_out": f"!(busy && !open && !{valid}) || {name}_done",
        f"{name}_last": f"!{valid} || {stream}_tlast == ({last})",
    }
    _lanes(piece, reader, ghost, name, table, written, after, bits)


def _lanes(
    piece: Piece,
    reader: DeviceStream,
    ghost: Ghost,
    name: str,
    table: BeatTable,
    written: BeatTable,
    after: np.ndarray,
    bits: int,
) -> None:
    """The claims on each operand of a reader: in which beats it is there, and what it has then."""
    width, stream = piece.bits, reader.name
    valid = f"{stream}_tvalid"
    order = {
        int(version): (beat, operand)
        for operand, versions in enumerate(written.versions)
        for beat, version in enumerate(versions)
    }
    lane_bits = reader.bits // len(table.elements)
    for k, (taken, versions) in enumerate(zip(table.taken, table.versions, strict=True)):
        there_text = mask_text(ghost, taken, width)
        if there_text is None:
            raise NoGhost(f"which beats of {stream} have operand {k} is not understood")
        if reader.user_bits:
            piece.claims[f"{name}_user_{k}"] = f"!{valid} || {stream}_tuser[{k}] == ({there_text})"
        if not taken.any():
            continue
        source = np.array([order[int(version)] for version in versions[taken]])
        places = np.unique(np.column_stack([after[taken] - source[:, 0], source[:, 1]]), axis=0)
        if len(places) > 1:
            raise NoGhost(f"operand {k} of {stream} was not written a fixed number of beats before")
        age, operand = places[0].tolist()
        piece.claims[f"{name}_lane_{k}"] = (
            f"!({valid} && marked && ({there_text}) && age == {age})"
            f" || {stream}_tdata[{k * lane_bits} +: {bits}] == {_followed(operand, bits)}"
        )


def own_coordinates(times: np.ndarray) -> np.ndarray:
    """The entries that vary, in units of their steps, without those that say nothing more.

    As many of them, from the outermost on, as tell all beats apart: the order is theirs.
    """
    kept: list[np.ndarray] = []
    for column in times.T:
        if kept and len(np.unique(np.stack(kept, axis=1), axis=0)) == len(times):
            break
        steps = column - column[0]
        unit = int(np.gcd.reduce(steps))
        if unit and all((steps // unit != other - other[0]).any() for other in kept):
            kept.append(column // unit)
    return np.stack(kept or [times[:, 0]], axis=1)


def last_before(table: BeatTable, written: BeatTable) -> np.ndarray:
    """Per beat of a reader the last write beat at or before its step."""
    both = np.concatenate([written.steps, table.steps])
    _, numbers = np.unique(both, axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    own = numbers[: len(written.steps)]
    found: np.ndarray = np.searchsorted(own, numbers[len(own) :], side="right") - 1
    if (found < 0).any() or (np.diff(own) < 0).any():
        raise NoGhost("a beat goes out before anything came in")
    return found
