"""notes.json: what is said of a plan, for people. No check reads it, and nothing depends on it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.problem import Bound
from hlsmem.planfile.model import (
    ArrayNotes,
    ArrayPlan,
    Holding,
    HostCandidate,
    Plan,
    Rejected,
    Share,
)
from hlsmem.values import dataclass

FORMAT = "hlsmem-notes/2"


@dataclass(frozen=True, slots=True)
class BoundNote:
    """How a bound is known, and the formula of one that nothing proves."""

    status: str = ""
    expr: str | None = None


@dataclass(frozen=True, slots=True)
class ArrayNote:
    """The notes of one array; what is missing or of another shape reads as empty."""

    document: Any

    def text(self, key: str) -> str:
        """A sentence on it."""
        return _text(_at(self.document, key))

    def bound(self, *path: str | int) -> BoundNote:
        """What is said of the bound of a holding, or of a part in one."""
        found = _at(self.document, "bounds", *path)
        expr = _at(found, "expr")
        return BoundNote(_text(_at(found, "status")), expr if isinstance(expr, str) else None)

    def read(self) -> ArrayNotes:
        """What no check holds."""
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            return ArrayNotes(
                remarks=tuple(map(str, self.document["remarks"])),
                rejected=tuple(_read_rejected(one) for one in self.document["rejected"]),
                score=str(self.document["score"]),
                front=tuple(HostCandidate(**one) for one in self.document["front"]),
                way_out=_read_candidate(self.document["way_out"]),
                is_given=bool(self.document["is_given"]),
            )
        return ArrayNotes()


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

    def array(self, name: str) -> ArrayNote:
        """Those of an array."""
        return ArrayNote(_at(self.document, "arrays", name))


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
    orders, notes = array.orders, array.notes
    host = array.host
    return {
        "remarks": list(notes.remarks),
        "relation": "" if orders is None else orders.remark,
        "outside": "" if orders is None else orders.outside,
        "bounds": {
            "hardware": {
                **_holding_notes(array.hardware),
                "parts": [_bound_notes(one.lattice) for one in array.hardware.parts],
            },
            "host": None
            if host is None
            else {**_holding_notes(host), "parts": [_bound_notes(host.cells.lattice)]},
        },
        "rejected": [_rejected_notes(one) for one in notes.rejected],
        "score": notes.score,
        "front": [asdict(one) for one in notes.front],
        "way_out": None if notes.way_out is None else asdict(notes.way_out),
        "is_given": notes.is_given,
    }


def _holding_notes(holding: Holding) -> dict[str, Any]:
    return _bound_notes(holding.bound) or {}


def _bound_notes(bound: Bound | None) -> dict[str, Any] | None:
    return None if bound is None else {"status": bound.status, "expr": bound.expr}


def _rejected_notes(one: Rejected) -> dict[str, Any]:
    return {
        "parts": [
            {"operands": [list(operand) for operand in share.operands], "kind": share.kind}
            for share in one.parts
        ],
        "words": one.words,
        "resources": None if one.resources is None else asdict(one.resources),
        "cycles": one.cycles,
        "reason": one.reason,
    }


def _read_rejected(document: dict[str, Any]) -> Rejected:
    resources = document["resources"]
    return Rejected(
        parts=tuple(
            Share(
                operands=tuple((str(stream), int(k)) for stream, k in share["operands"]),
                kind=share["kind"],
            )
            for share in document["parts"]
        ),
        words=document["words"],
        resources=Cost(**resources) if resources else None,
        cycles=document["cycles"],
        reason=document["reason"],
    )


def _read_candidate(document: dict[str, Any] | None) -> HostCandidate | None:
    return HostCandidate(**document) if document else None


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
