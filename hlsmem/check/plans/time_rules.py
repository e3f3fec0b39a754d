"""The rules of time that a plan is for, as plan.json has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """`order` is sequential or iteration, "none" for a conflict set; `slack` counts beats."""

    order: str = "none"
    strict: bool = False
    slack: int = 0
    capacity: str = "schedule"
    control: str = "predicate"

    @property
    def is_selftimed(self) -> bool:
        """True if FIFOs have the words that self-timed processes need."""
        return self.capacity == "selftimed"


def rules_of(document: Mapping[str, Any]) -> Rules:
    """The rules in a plan.json document."""
    program = document["program"]
    if program is None:
        return Rules()
    capacity = program.get("capacity", "schedule")
    control = program.get("control", "predicate")
    return Rules(program["order"], bool(program["strict"]), program["slack"], capacity, control)
