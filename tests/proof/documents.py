"""Documents of plan.json, what hlsmem_verify says of them, and changes to plant in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import hlsmem_verify
from hlsmem.plan import to_json
from tests.conftest import EXAMPLES
from tests.plans import planning_of

Document = dict[str, Any]


@cache
def text_of(design: str, settings: tuple[str, ...] = ()) -> str:
    return to_json(planning_of(EXAMPLES / design, settings=settings).plan)


def plan_of(design: str, settings: tuple[str, ...] = ()) -> Document:
    found: Document = json.loads(text_of(design, settings))
    return found


def verdict(document: Document) -> str:
    """pass, false, open, or refused."""
    try:
        read = hlsmem_verify.document_of(json.dumps(document))
        found = hlsmem_verify.verify(read)
    except hlsmem_verify.Refused:
        return "refused"
    return "false" if found["false"] else "open" if found["open"] else "pass"


def holder_of(document: Any, keys: Sequence[str | int]) -> tuple[Any, Any]:
    for key in keys[:-1]:
        document = document[key]
    return document, keys[-1]


def set_to(*keys: Any) -> Callable[[Document], None]:
    *path, value = keys

    def change(document: Document) -> None:
        holder, key = holder_of(document, path)
        holder[key] = value

    return change


def parts_of(document: Document, array: str) -> list[Document]:
    """The parts that hold an array in hardware."""
    found: list[Document] = document["arrays"][array]["holdings"]["hardware"]["parts"]
    return found


def bounds_of(document: Document) -> list[Document]:
    """All bounds of a plan: of what holds an array, and of modular mappings of it."""
    holdings = [
        held
        for array in document["arrays"].values()
        for key, held in array["holdings"].items()
        if held and key != "source"
    ]
    found = [held["bound"] for held in holdings]
    found += [part["lattice"] for held in holdings for part in held["parts"]]
    return [one for one in found if one is not None]
