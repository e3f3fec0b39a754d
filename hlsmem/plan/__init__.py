"""The plan of a design, and plan.json."""

from hlsmem.plan.document import from_json, to_json
from hlsmem.plan.model import (
    Alternative,
    ArrayPlace,
    ArrayPlan,
    BankBoxes,
    BankPlace,
    Blocks,
    Candidate,
    Memory,
    Plan,
    Primitive,
    Stream,
    Target,
    Timing,
)

__all__ = [
    "Alternative",
    "ArrayPlace",
    "ArrayPlan",
    "BankBoxes",
    "BankPlace",
    "Blocks",
    "Candidate",
    "Memory",
    "Plan",
    "Primitive",
    "Stream",
    "Target",
    "Timing",
    "from_json",
    "to_json",
]
