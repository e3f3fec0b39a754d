"""Proofs of gates: a beat goes only when its gates say so, and goes when all of them do.

What a gate says is told by invariants.json, in terms of the loops of both streams. It is
proved; how many beats that is, is counted in the list, see `order`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.check.formal.circuits.buffer_proof import condition_forms, condition_text
from hlsmem.check.formal.model.beat_order import Bound, Progress, most_ahead
from hlsmem.check.formal.model.ghost import NoGhost, region_text
from hlsmem.check.formal.model.ghost_forms import Forms, number_text
from hlsmem.check.formal.model.stream_claims import Piece, used_quotients
from hlsmem.check.formal.module_text import before
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.rtl.simulated_device import WRITE, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream with its ghost; `gates` as invariants.json has them."""

    device: DeviceStream
    piece: Piece
    gates: Sequence[Mapping[str, Any]]

    @property
    def beats(self) -> int:
        return self.piece.beats


def promises(streams: Mapping[str, Stream]) -> tuple[Bound, ...]:
    """Bounds that the gates between two of the streams guarantee for every beat."""
    return tuple(
        Bound(
            waiting=name,
            other=gate["after"],
            least=_least(stream.piece, gate, streams[gate["after"]].piece),
            shared=gate["bypass"],
        )
        for name, stream in streams.items()
        for gate in stream.gates
        if gate["after"] in streams
    )


def _least(piece: Piece, gate: Mapping[str, Any], other: Piece) -> np.ndarray:
    """Of each beat how many beats of the other stream its gate waits for.

    A vector is compared with the place the other address generator is at: where that is after the
    vector, so many beats have gone as lie not after it. Places without a beat are passed by
    themselves.
    """
    if "start" in gate:
        least: np.ndarray = np.arange(piece.beats) + 1 - int(gate["start"])
        return least.clip(0, other.beats)
    forms, theirs = piece.ghost.forms, other.ghost.forms.points[other.is_beat]
    found = np.zeros(piece.beats, dtype=np.int64)
    for vector in gate["vectors"]:
        rows = [np.broadcast_to(_values(forms, one), len(forms.points)) for one in vector]
        found = np.maximum(found, _not_after(theirs, np.stack(rows, axis=1)[piece.is_beat]))
    return found


def _not_after(points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """For each row, how many of the sorted points are lexicographically not after it."""
    both = np.concatenate([points, rows])
    is_row = np.arange(len(both)) >= len(points)
    order = np.lexsort((is_row, *both.T[::-1]))
    found = np.zeros(len(both), dtype=np.int64)
    found[order] = np.cumsum(~is_row[order])
    return found[len(points) :]


def _values(forms: Forms, value: Mapping[str, Any]) -> np.ndarray:
    if "where" in value:
        holds = _holds(forms, value["where"])
        return np.where(holds, _values(forms, value["then"]), _values(forms, value["else"]))
    return forms.values(forms.read(value, range(forms.rank)))


def _holds(forms: Forms, condition: Mapping[str, Any]) -> np.ndarray:
    for word, join in (("all", np.logical_and), ("any", np.logical_or)):
        if word in condition:
            parts = [_holds(forms, part) for part in condition[word]]
            start = np.full(len(forms.points), word == "all")
            every: np.ndarray = join.reduce([start, *parts])
            return every
    word = "equal" if "equal" in condition else "at least"
    form, number = condition[word]
    values = forms.values(forms.read(form, range(forms.rank)))
    result: np.ndarray = values == number if word == "equal" else values >= number
    return result


def gate_task(
    stream: Stream, streams: Mapping[str, Stream], progress: Progress, buffer: str
) -> Task:
    """The proof of the gates of a stream; raises NoGhost where one is between others."""
    return _GateProof(stream, streams, progress, buffer).task()


class _GateProof:
    def __init__(
        self,
        stream: Stream,
        streams: Mapping[str, Stream],
        progress: Progress,
        buffer: str,
    ) -> None:
        self.stream, self.streams, self.progress = stream, streams, progress
        self.buffer = buffer
        self.name, self.ghost = stream.device.name, stream.piece.ghost
        self.gates = [gate for gate in stream.gates if gate["after"] in streams]
        self.others = [streams[gate["after"]] for gate in self.gates]
        self.bits = max(one.piece.bits for one in (stream, *self.others))
        largest = [one.beats for one in (stream, *self.others)]
        largest += [abs(gate["start"]) for gate in self.gates if "start" in gate]
        self.count_bits = max(largest).bit_length() + 3
        self.quotients = set[int]()
        self.lines: list[str] = []
        self.counted: set[str] = set()

    def task(self) -> Task:
        known = len(self.ghost.forms.quotients)
        claims: dict[str, str] = {}
        opens = []
        for number, (gate, other) in enumerate(zip(self.gates, self.others, strict=True)):
            if "start" in gate:
                claims |= self.counter(number, gate, other)
                text = self.count_opens(gate, other)
            else:
                text = self.key_opens(gate, other)
            opens.append(text)
            claims[f"{self.ghost.name}_after_{number}"] = f"!{self.name}_fire || {text}"
        if len(self.ghost.forms.quotients) != known:
            raise NoGhost("a gate speaks of a quotient that no register holds")
        claims[f"{self.ghost.name}_opens"] = self.goes(opens)
        own = self.stream.piece
        needed = own.needed(self.quotients)
        facts = {fact.name: fact.text for fact in own.facts if fact.quotients <= needed}
        pieces = [own, *(other.piece for other in self.others)]
        lines = [*own.assumptions(needed)]
        for piece in pieces[1:]:
            lines += piece.assumptions(piece.needed(()))
        base: dict[str, str] = {}
        for piece in pieces:
            base |= piece.base()
        return Task(tuple(pieces), base | facts | claims, (*lines, *self.lines))

    def counter(self, number: int, gate: Mapping[str, Any], other: Stream) -> dict[str, str]:
        """Claims on the counter of a gate while both streams have beats left."""
        for one in (self.stream, other):
            self.count(one)
        mine, theirs = self.ghost.name, other.piece.ghost.name
        path = f"\\u_{self.name}_after_{other.device.name}.ahead "
        self.lines.append(f"(* hierconn *) wire [{gate['bits'] - 1}:0] {path};")
        ended = f"{mine}_done || {theirs}_done"
        apart = f"{theirs}_count - {mine}_count"
        beats = {self.name: self.stream.beats, other.device.name: other.beats}
        most = most_ahead(self.progress, self.name, other.device.name, beats)
        most_text = number_text(most, self.count_bits)
        # What the promises of both say together, beat by beat.
        self.lines.append(f"always @* assume ({ended} || {apart} <= {most_text});")
        start = number_text(gate["start"] - 1, self.count_bits)
        least = number_text(min(gate["start"] - 1, -1), self.count_bits)
        holds = f"$signed({path}) == {apart} + {start} && {apart} + {start} >= {least}"
        return {f"{mine}_counter_{number}": f"{ended} || ({holds})"}

    def count(self, one: Stream) -> None:
        name = f"{one.piece.ghost.name}_count"
        if name in self.counted:
            return
        self.counted.add(name)
        self.lines += [
            f"reg signed [{self.count_bits - 1}:0] {name};",
            f"always @(posedge clk) if (load) {name} <= 0;"
            f" else if ({one.device.name}_fire) {name} <= {name} + 1;",
            # The ghost goes through the list, which has so many beats.
            f"always @* assume ({name} >= 0 && {name} <= {one.beats});",
        ]

    def count_opens(self, gate: Mapping[str, Any], other: Stream) -> str:
        theirs = f"{other.piece.ghost.name}_count"
        if gate["bypass"]:
            theirs += f" + $signed({{1'b0, {other.device.name}_fire}})"
        start = number_text(gate["start"], self.count_bits)
        return f"({self.done(gate, other)} || {theirs} + {start} > {self.ghost.name}_count)"

    def key_opens(self, gate: Mapping[str, Any], other: Stream) -> str:
        ghost = other.piece.ghost
        keys = [f"{ghost.name}_{k}" for k in range(ghost.forms.rank)]
        if gate["bypass"]:
            keys = [f"({other.device.name}_fire ? {key}_next : {key})" for key in keys]
        vectors = [[self.value(one) for one in row] for row in gate["vectors"]]
        after = " && ".join(before(vector, keys) for vector in vectors)
        return f"({self.done(gate, other)} || ({after}))"

    def done(self, gate: Mapping[str, Any], other: Stream) -> str:
        ghost = other.piece.ghost
        if not gate["bypass"]:
            return f"{ghost.name}_done"
        last = region_text(ghost, ghost.last, self.bits)
        return f"{ghost.name}_done || ({other.device.name}_fire && ({last}))"

    def value(self, value: Mapping[str, Any]) -> str:
        rank = self.ghost.forms.rank
        if "where" in value:
            then, otherwise = self.value(value["then"]), self.value(value["else"])
            for one in condition_forms(self.ghost.forms, value["where"]):
                self.quotients |= used_quotients(one)
            where = condition_text(self.ghost, value["where"], self.bits, rank)
            return f"({where} ? {then} : {otherwise})"
        form = self.ghost.forms.read(value, range(rank))
        self.bits = max(self.bits, self.ghost.forms.size(form).bit_length() + 2)
        self.quotients |= used_quotients(form)
        return self.ghost.text(form, self.bits)

    def goes(self, opens: Sequence[str]) -> str:
        """A beat whose gates are open goes, unless another has its port."""
        device, own = self.stream.device, self.ghost.name
        array = device.array
        rooms = dict.fromkeys(re.findall(rf"\b{array}_wire_\d+_room\b", self.buffer))
        if device.direction == WRITE:
            rivals = [one.device for one in self.streams.values() if one.device.direction == WRITE]
            ready = [f"{self.name}_tvalid", *rooms]
        else:
            rivals = [device, *self.sharers()]
            ready = [f"{self.name}_room"]
        if device.squashes:
            ready = [one for one in ready if not one.endswith("_tvalid")]
            ready.append(f"{self.name}_known")
            if device.direction == WRITE:
                ready.append(f"(!{self.name}_runs || {self.name}_tvalid)")
        is_fill = device.statement is None and device.direction == WRITE
        active = [] if is_fill else ["busy"]
        there = [f"!{own}_done", self.stream.piece.on_beat()]
        when = " && ".join([*there, *active, *ready, *opens])
        goes = [f"{self.name}_fire", *(one.accesses for one in rivals if one is not device)]
        return f"!({when}) || {' || '.join(goes)}"

    def sharers(self) -> list[DeviceStream]:
        """Other readers of a copy that this one reads."""
        device = self.stream.device
        own = {copy for copy in device.copies if copy is not None}
        return [
            one.device
            for one in self.streams.values()
            if one.device is not device
            and one.device.direction != WRITE
            and own & {copy for copy in one.device.copies if copy is not None}
        ]
