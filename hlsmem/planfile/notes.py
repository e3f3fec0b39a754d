"""notes.json: what is said of a plan, for people. No check reads it, and nothing depends on it."""

from __future__ import annotations

import json
from typing import Any

from hlsmem.planfile.model import ArrayPlan, Plan
from hlsmem.values import dataclass

FORMAT = "hlsmem-notes/1"


@dataclass(frozen=True, slots=True)
class BoundNote:
    """How a bound is known, and the formula of one that nothing proves."""

    status: str = ""
    expr: str | None = None


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of a plan; what is missing or of another shape reads as empty."""

    document: Any

    @property
    def timing(self) -> str:
        """Why the run is as it is, or why nothing is predicted."""
        return _text(_at(self.document, "timing"))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said of the whole."""
        found = _at(self.document, "remarks")
        return tuple(map(_text, found)) if isinstance(found, list) else ()

    def text(self, array: str, key: str) -> str:
        """A remark on an array."""
        return _text(_at(self.document, "arrays", array, key))

    def reason(self, array: str, key: str, position: int) -> str:
        """Why one of a list is not taken."""
        return _text(_at(self.document, "arrays", array, key, position))

    def bound(self, array: str, position: int) -> BoundNote:
        """What is said of a bound."""
        found = _at(self.document, "arrays", array, "bounds", position)
        expr = _at(found, "expr")
        return BoundNote(_text(_at(found, "status")), expr if isinstance(expr, str) else None)


def no_notes() -> Notes:
    return Notes({})


def notes_of(text: str) -> Notes:
    """The notes in a text; empty ones where it is not notes.json."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return no_notes()
    return Notes(document) if _at(document, "format") == FORMAT else no_notes()


def notes_json(plan: Plan) -> str:
    """The text of notes.json."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "arrays": {name: _array_notes(array) for name, array in plan.arrays.items()},
        "timing": "" if plan.timing is None else plan.timing.reason or "",
    }
    if plan.remarks:
        document["remarks"] = list(plan.remarks)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _array_notes(array: ArrayPlan) -> dict[str, Any]:
    orders = array.orders
    return {
        "remark": array.remark,
        "relation": "" if orders is None else orders.remark,
        "outside": "" if orders is None else orders.outside,
        "bounds": [{"status": one.status, "expr": one.expr} for one in array.bounds],
        "candidates": [one.reason or "" for one in array.candidates],
        "rejected": [one.reason for one in array.rejected],
    }


def _at(document: Any, *path: str | int) -> Any:
    """What stands at a path; None where nothing does."""
    for key in path:
        if isinstance(document, dict):
            document = document.get(key)
        elif isinstance(document, list) and isinstance(key, int) and key < len(document):
            document = document[key]
        else:
            return None
    return document


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
