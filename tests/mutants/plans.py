"""Faults planted in plan.json: what earlier formats let pass, and leaves of several plans."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import hlsmem_verify

Document = dict[str, Any]
Change = Callable[[Document], None]


@dataclass(frozen=True, slots=True)
class PlanFault:
    """A change of the plan.json of a subject; `path` is the leaf, "" where it is several."""

    subject: str
    name: str
    path: str
    change: Change

    def planted(self, text: str) -> str:
        """The text of plan.json with the fault; ValueError where it changes nothing."""
        document = json.loads(text)
        self.change(document)
        found = json.dumps(document)
        if document == json.loads(text):
            raise ValueError(f"{self.name} changes nothing in {self.subject}")
        return found


def keys_of(path: str) -> list[str | int]:
    parts = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    return [int(number) if number else name for number, name in parts]


def at(path: str, change: Callable[[Any, Any], None]) -> Change:
    """A change of what holds the leaf at a path: (holder, key)."""

    def planted(document: Document) -> None:
        holder: Any = document
        *front, last = keys_of(path)
        for key in front:
            holder = holder[key]
        change(holder, last)

    return planted


def put(path: str, value: Any) -> Change:
    def change(holder: Any, key: Any) -> None:
        holder[key] = value

    return at(path, change)


def gone(path: str) -> Change:
    def change(holder: Any, key: Any) -> None:
        del holder[key]

    return at(path, change)


def removed(holder: Any, key: Any) -> None:
    del holder[key]


def doubled(holder: Any, key: Any) -> None:
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder["another"] = holder[key]


def retyped(holder: Any, key: Any) -> None:
    holder[key] = 7 if isinstance(holder[key], str) else "junk"


def grown(holder: Any, key: Any) -> None:
    _moved(holder, key, 1)


def shrunk(holder: Any, key: Any) -> None:
    _moved(holder, key, -1)


def huge(holder: Any, key: Any) -> None:
    holder[key] = "N^1000000000" if isinstance(holder[key], str) else 10**30


def _moved(holder: Any, key: Any, step: int) -> None:
    """A number changed by one, or the first number of a text."""
    value = holder[key]
    if isinstance(value, int) and not isinstance(value, bool):
        holder[key] = value + step
    elif isinstance(value, str):
        holder[key] = re.sub(r"\d+", lambda one: str(int(one[0]) + step), value, count=1)


KINDS = (removed, doubled, retyped, grown, shrunk, huge)

BLURX = "arrays.blurx"
HELD = f"{BLURX}.holdings.hardware"
PART = f"{HELD}.parts[0]"
CELLS = f"{BLURX}.holdings.host.parts[0]"
BOUND = {
    "kind": "difference-clique",
    "cells": 16,
    "expr": "2*N",
    "witness": {"elements": "{ [y, x] : 0 <= y <= 1 and 0 <= x <= 7 }"},
}
# What plans of format 1 could hold and passed every check: of the blur at N=8.
SURVIVORS: dict[str, tuple[str, Change]] = {
    "copies of a memory": ("memories.blurx.copies", put("memories.blurx.copies", 3)),
    "banks of a memory": ("memories.blurx.banks", put("memories.blurx.banks", 2)),
    "kind fifo": ("memories.blurx.kind", put("memories.blurx.kind", "fifo")),
    "kind junk": ("memories.blurx.kind", put("memories.blurx.kind", "junk")),
    "style": ("memories.blurx.style", put("memories.blurx.style", "junk")),
    "beats of a stream": ("streams[0].beats", at("streams[0].beats", grown)),
    "operands of a stream": ("streams[1].operands", put("streams[1].operands", [])),
    "cycles deleted": ("timing.cycles", gone("timing.cycles")),
    "cycles false": ("timing.cycles.value", at("timing.cycles.value", grown)),
    "timing deleted": ("timing", gone("timing")),
    "timing null": ("timing", put("timing", None)),
    "interval 9": ("timing.interval", put("timing.interval", 9)),
    "interval NaN": ("timing.interval", put("timing.interval", float("nan"))),
    "one block RAM": ("target", put("target", {"device": "ecp5-25k", "block_rams": 1})),
    "declared null": (f"{BLURX}.declared", put(f"{BLURX}.declared", None)),
    "scope all": (
        f"{CELLS}.mapping.certificate.scope",
        put(f"{CELLS}.mapping.certificate.scope", "all"),
    ),
    "proved by because": (
        f"{CELLS}.mapping.certificate.by",
        put(f"{CELLS}.mapping.certificate.by", "because"),
    ),
    "kernel of nonsense": (
        f"{CELLS}.mapping.certificate.kernel",
        put(f"{CELLS}.mapping.certificate.kernel", [["7", "x"], ["0", "1"]]),
    ),
    "bound deleted": (f"{HELD}.bound", put(f"{HELD}.bound", None)),
    "kind of a bound": (f"{HELD}.bound.kind", put(f"{HELD}.bound.kind", "clique")),
    "formula beside a right number": (
        f"{HELD}.bound.expr",
        put(f"{HELD}.bound.expr", "2*N + N - N + 1"),
    ),
    "number of a bound": (f"{HELD}.bound.cells", at(f"{HELD}.bound.cells", grown)),
    "false clique": (f"{HELD}.bound", put(f"{HELD}.bound", BOUND)),
    "words of a holding": (f"{HELD}.words", at(f"{HELD}.words", shrunk)),
    "bits of a holding": (f"{HELD}.bits", at(f"{HELD}.bits", shrunk)),
    "standing": (f"{HELD}.standing", put(f"{HELD}.standing", "1 above max-live")),
    "order of C": ("orders.host.steps", put("orders.host.steps", False)),
    "remark": ("", put("remark", "all is well")),
    "method": (f"{CELLS}.mapping.method", put(f"{CELLS}.mapping.method", "by magic")),
    "work -1": (f"{CELLS}.mapping.work", put(f"{CELLS}.mapping.work", -1)),
    "tool of another version": ("tool", put("tool", "hlsmem 99")),
    "tool a number": ("tool", put("tool", 5)),
    "design a path": ("design", put("design", "../../etc/passwd")),
    "design another": ("design", put("design", "nope")),
    "design a keyword": ("design", put("design", "module")),
    "lone surrogate": (f"{CELLS}.mapping.method", put(f"{CELLS}.mapping.method", "\ud800")),
    "brackets": (
        f"{BLURX}.conflicts.differences",
        put(f"{BLURX}.conflicts.differences", "{" * 50000),
    ),
    "modulus to a high power": (
        f"{CELLS}.mapping.pieces[0].modulus[0]",
        put(f"{CELLS}.mapping.pieces[0].modulus[0]", "N^1000000000"),
    ),
    "modulus 0": (
        f"{CELLS}.mapping.pieces[0].modulus_value[0]",
        put(f"{CELLS}.mapping.pieces[0].modulus_value[0]", 0),
    ),
    "no streams": ("streams", put("streams", [])),
}
DRAWN = 16  # of each subject
_SEED = 22


def survivors() -> list[PlanFault]:
    return [PlanFault("blur", name, path, change) for name, (path, change) in SURVIVORS.items()]


def drawn(subject: str, text: str) -> list[PlanFault]:
    """Changes of leaves that are hypotheses or proved, drawn with a seed."""
    document = json.loads(text)
    leaves = list(hlsmem_verify.leaves(document, hlsmem_verify.SHAPE))
    judged = (hlsmem_verify.H, hlsmem_verify.P)
    paths = [hlsmem_verify.joined(path) for path, claim in leaves if claim in judged]
    every = [(path, kind) for path in paths for kind in KINDS]
    found = list[PlanFault]()
    for path, kind in random.Random(f"{_SEED}.{subject}").sample(every, len(every)):
        fault = PlanFault(subject, f"{kind.__name__} {path}", path, at(path, kind))
        try:
            fault.planted(text)
        except (ValueError, IndexError):
            continue
        found.append(fault)
        if len(found) == DRAWN:
            break
    return found
