"""What a stream of a circuit is apart from its hardware: its beats, operands and gates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hlsmem.gates.openings import Gate
from hlsmem.places import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class OperandCircuit:
    """Where an operand of a beat comes from.

    `copy`: the memory copy it is read from at walker output `cell`, or None where it always
    comes by wire. `taken` and `wired` are walker conditions, None where always (taken) or never
    (wired). `wire` is the position in `wires` of the memory. `place` is where the access stands.
    """

    copy: int | None
    cell: str | None
    taken: str | None
    wire: int | None = None
    wired: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainStream:
    """A stream: the beats of a statement, of the fill or of the drain, and what they wait for."""

    name: str
    statement: str
    is_write: bool
    is_fill: bool = False
    is_drain: bool = False
    latency: int
    operands: tuple[OperandCircuit, ...]
    gates: tuple[Gate, ...] = ()
    instances: Any = field(compare=False, repr=False)  # a row for each beat: time, coordinates
    points: Any = field(compare=False, repr=False, default=None)  # loops' values at each beat
    places: Any = field(compare=False, repr=False, default=None)  # None, or whether each is a beat

    @property
    def beats(self) -> int:
        return len(self.instances)

    @property
    def idle(self) -> int:
        """Places of the walk without a beat."""
        return 0 if self.places is None else len(self.places) - self.beats


def plain_operands(places: Any) -> tuple[OperandCircuit, ...]:
    """Operands that come from no copy of a memory, which stand at these places."""
    return tuple(OperandCircuit(copy=None, cell=None, taken=None, place=place) for place in places)
