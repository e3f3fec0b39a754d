"""Planted faults in plan.json: each proved leaf deleted, doubled, of another type, or moved by one.

A fault has to be refused or false, or leave a claim that is true as well: those are named here.
"""

from __future__ import annotations

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import hlsmem_verify
from hlsmem_verify import KeyPath, joined
from tests.proof.documents import Document, holder_of, plan_of, verdict

# One with a chain by hand, a class, banks and a network, a FIFO, RAMs, conflicts alone.
DESIGNS: dict[str, tuple[str, ...]] = {
    "by_hand.json": (),
    "e1/design.yaml": (),
    "bicubic/design.yaml": ("params.N=16",),
    "blur/network.yaml": ("params.N=12",),
    "fifo/design.yaml": (),
    "durbin/design.yaml": ("params.N=12",),
    "blur/conflicts.yaml": ("params.N=12",),
}
SAMPLE = 60
# Claims that are true as well: other banks that are apart too, a formula that holds for fewer
# parameters, a search that begins lower.
EQUIVALENT = (r"\.bank_basis\[0\]\[1\]$", r"\.expr\[0\]\.when$", r"\.witness\.from$")


def document_of(design: str) -> Document:
    if design.endswith(".json"):
        found: Document = json.loads((Path(__file__).parent / design).read_text())
        return found
    return plan_of(design, DESIGNS[design])


def removed(document: Document, path: KeyPath) -> None:
    holder, key = holder_of(document, path)
    del holder[key]


def added(document: Document, path: KeyPath) -> None:
    holder, key = holder_of(document, path)
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder["another"] = holder[key]


def retyped(document: Document, path: KeyPath) -> None:
    holder, key = holder_of(document, path)
    holder[key] = 7 if isinstance(holder[key], str) else "junk"


def grown(document: Document, path: KeyPath) -> None:
    move(document, path, 1)


def shrunk(document: Document, path: KeyPath) -> None:
    move(document, path, -1)


def move(document: Document, path: str, step: int) -> None:
    """A number changed by one, or the first number of a text."""
    holder, key = holder_of(document, path)
    value: Any = holder[key]
    if isinstance(value, int) and not isinstance(value, bool):
        holder[key] = value + step
    elif isinstance(value, str):
        holder[key] = re.sub(r"\d+", lambda one: str(int(one[0]) + step), value, count=1)


FAULTS = (removed, added, retyped, grown, shrunk)


def test_what_was_written_by_hand_is_proved() -> None:
    document = document_of("by_hand.json")
    sizes = [{"N": 5, "L": 1}, {"N": 11, "L": 4}]
    found = hlsmem_verify.verify(hlsmem_verify.document_of(json.dumps(document)), sizes)
    assert (found["false"], found["open"]) == ([], {})


@pytest.mark.few("by_hand.json", "e1/design.yaml")
@pytest.mark.parametrize("design", DESIGNS)
def test_no_proved_leaf_can_be_changed(design: str) -> None:
    document = document_of(design)
    assert verdict(document) == "pass"
    leaves = hlsmem_verify.leaves(document, hlsmem_verify.SHAPE)
    paths = [path for path, claim in leaves if claim == hlsmem_verify.P]
    if document["program"] is None:  # a hypothesis there, which `source` compares
        paths = [path for path in paths if path[-2:] != ("conflicts", "differences")]
    every = [(path, fault) for path in paths for fault in FAULTS]
    passed = []
    for path, fault in random.Random(7).sample(every, SAMPLE):
        wrong = copy.deepcopy(document)
        fault(wrong, path)
        same = any(re.search(one, joined(path)) for one in EQUIVALENT)
        if wrong != document and verdict(wrong) == "pass" and not same:
            passed.append((path, fault.__name__))
    assert passed == []
