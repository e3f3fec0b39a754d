"""Claims on one stream of a buffer, and the quotients that each of them needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

import numpy as np

from hlsmem.check.formal.model.ghost import Ghost, NoGhost, region_text
from hlsmem.check.formal.model.ghost_forms import Form
from hlsmem.check.formal.model.point_conditions import region
from hlsmem.core.lazy_dataclass import dataclass

SEEN = "proof_seen"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about one stream, and the quotients it speaks of."""

    name: str
    text: str
    quotients: frozenset[int]


@dataclass(slots=True)
class Piece:
    """The text added to the buffer for one stream.

    `known` is what the list of beats says of the ghost, and assumed. `claims` need no quotient.
    `facts` are claims about registers; `goals`, what is claimed of accesses, rest on them. `notes`
    are claims that could not be made. `control` are the quotients of registers that decide where
    the walk goes on and which operands there are: every claim rests on them.
    """

    ghost: Ghost
    bits: int
    is_beat: np.ndarray  # of the ghost's places
    lines: list[str] = field(default_factory=list)
    claims: dict[str, str] = field(default_factory=dict)
    known: list[Claim] = field(default_factory=list)
    facts: list[Claim] = field(default_factory=list)
    goals: list[Claim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    control: frozenset[int] = frozenset()
    own: dict[str, frozenset[int]] = field(default_factory=dict)  # of facts about registers
    stored: np.ndarray | None = None  # of a write, the beats that may go to their cell

    @property
    def beats(self) -> int:
        return int(self.is_beat.sum())

    def on_beat(self) -> str:
        """Condition that the ghost is at a beat, its end apart; raises NoGhost."""
        if self.is_beat.all():
            return "1'b1"
        found = mask_text(self.ghost, self.is_beat, self.bits)
        if found is None:
            raise NoGhost("which places of its address generator have a beat is not understood")
        return f"({found})"

    def mask(self, where: np.ndarray) -> str | None:
        """A condition that holds at these beats and at no others; None: none is known.

        At places without a beat it may hold or not.
        """
        if where[self.is_beat].all():
            return "1'b1"
        return mask_text(self.ghost, where, self.bits)

    def fact(self, name: str, text: str, quotients: Collection[int]) -> None:
        if quotients:
            self.facts.append(Claim(name, text, frozenset(quotients)))
        else:
            self.claims[name] = text

    def goal(self, name: str, text: str, quotients: Collection[int]) -> None:
        if quotients:
            self.goals.append(Claim(name, text, frozenset(quotients)))
        else:
            self.claims[name] = text

    def needed(self, quotients: Collection[int]) -> frozenset[int]:
        """The quotients, with those of the control, and those that facts about them rest on."""
        found = frozenset(quotients) | self.control
        for fact in [*self.facts, *self.known] * 2:
            if self.own.get(fact.name, fact.quotients) <= found:
                found |= fact.quotients
        return found

    def base(self) -> dict[str, str]:
        """The claims that no quotient is needed for but those of the control."""
        needed = self.needed(())
        return self.claims | {f.name: f.text for f in self.facts if f.quotients <= needed}

    def assumptions(self, quotients: Collection[int]) -> Iterator[str]:
        """Assumptions on the ghost's coordinates and on these quotients, as Verilog."""
        for one in self.known:
            if one.quotients <= frozenset(quotients):
                yield f"always @* if ({SEEN}) assume ({one.text});"


def used_quotients(form: Form) -> set[int]:
    return {number for _, number in form.quotients}


def mask_text(ghost: Ghost, mask: np.ndarray, bits: int) -> str | None:
    if mask.all():
        return "1'b1"
    found = region(ghost.forms, mask) if mask.any() else ()
    return None if found is None else region_text(ghost, found, bits)
