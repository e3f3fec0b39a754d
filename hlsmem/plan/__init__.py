"""The plan of a design, and plan.json."""

from hlsmem.plan.document import from_json, to_json
from hlsmem.plan.model import (
    ArrayPlan,
    BankBoxes,
    BankPlace,
    Blocks,
    Candidate,
    Elastic,
    Lane,
    Memory,
    Operand,
    Part,
    Plan,
    Primitive,
    Rejected,
    Share,
    Stream,
    Target,
    Timing,
)

__all__ = [
    "ArrayPlan",
    "BankBoxes",
    "BankPlace",
    "Blocks",
    "Candidate",
    "Elastic",
    "Lane",
    "Memory",
    "Operand",
    "Part",
    "Plan",
    "Primitive",
    "Rejected",
    "Share",
    "Stream",
    "Target",
    "Timing",
    "from_json",
    "to_json",
]
