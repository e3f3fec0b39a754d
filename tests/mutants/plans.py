"""Faults planted in plan.json: what earlier formats let pass, and leaves of several plans.

Faults of storage, several leaves of one story, are in `tests.mutants.storage`.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import hlsmem_verify

Document = dict[str, Any]
Change = Callable[[Document], None]


@dataclass(frozen=True, slots=True)
class PlanFault:
    """A change of the plan.json of a subject; `is_measured` where a run or a tool gives it."""

    subject: str
    name: str
    change: Change
    is_measured: bool = False

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


Path = Sequence[str | int]


def at(path: str | Path, change: Callable[[Any, Any], None]) -> Change:
    """A change of what holds the leaf at a path: (holder, key)."""

    def planted(document: Document) -> None:
        holder: Any = document
        *front, last = keys_of(path) if isinstance(path, str) else path
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
CELLS = f"{BLURX}.holdings.host.parts[0]"
BOUND = {
    "kind": "difference-clique",
    "cells": 16,
    "expr": "2*N",
    "witness": {"elements": "{ [y, x] : 0 <= y <= 1 and 0 <= x <= 7 }"},
}
# What plans of format 1 could hold and passed every check: of the blur at N=8.
SURVIVORS: dict[str, Change] = {
    "copies of a memory": put("memories.blurx.copies", 3),
    "banks of a memory": put("memories.blurx.banks", 2),
    "kind fifo": put("memories.blurx.kind", "fifo"),
    "kind junk": put("memories.blurx.kind", "junk"),
    "style": put("memories.blurx.style", "junk"),
    "beats of a stream": at("streams[0].beats", grown),
    "operands of a stream": put("streams[1].operands", []),
    "cycles deleted": gone("timing.cycles"),
    "cycles false": at("timing.cycles.value", grown),
    "timing deleted": gone("timing"),
    "timing null": put("timing", None),
    "interval 9": put("timing.interval", 9),
    "interval NaN": put("timing.interval", float("nan")),
    "one block RAM": put("target", {"device": "ecp5-25k", "block_rams": 1}),
    "declared null": put(f"{BLURX}.declared", None),
    "scope all": put(f"{CELLS}.mapping.certificate.scope", "all"),
    "proved by because": put(f"{CELLS}.mapping.certificate.by", "because"),
    "kernel of nonsense": put(f"{CELLS}.mapping.certificate.kernel", [["7", "x"], ["0", "1"]]),
    "bound deleted": put(f"{HELD}.bound", None),
    "kind of a bound": put(f"{HELD}.bound.kind", "clique"),
    "formula beside a right number": put(f"{HELD}.bound.expr", "2*N + N - N + 1"),
    "number of a bound": at(f"{HELD}.bound.cells", grown),
    "false clique": put(f"{HELD}.bound", BOUND),
    "words of a holding": at(f"{HELD}.words", shrunk),
    "bits of a holding": at(f"{HELD}.bits", shrunk),
    "standing": put(f"{HELD}.standing", "1 above max-live"),
    "order of C": put("orders.host.steps", False),
    "remark": put("remark", "all is well"),
    "method": put(f"{CELLS}.mapping.method", "by magic"),
    "work -1": put(f"{CELLS}.mapping.work", -1),
    "tool of another version": put("tool", "hlsmem 99"),
    "tool a number": put("tool", 5),
    "design a path": put("design", "../../etc/passwd"),
    "design another": put("design", "nope"),
    "design a keyword": put("design", "module"),
    "lone surrogate": put(f"{CELLS}.mapping.method", "\ud800"),
    "brackets": put(f"{BLURX}.conflicts.differences", "{" * 50000),
    "modulus to a high power": put(f"{CELLS}.mapping.pieces[0].modulus[0]", "N^1000000000"),
    "modulus 0": put(f"{CELLS}.mapping.pieces[0].modulus_value[0]", 0),
    "no streams": put("streams", []),
}
DRAWN = 16  # of each subject
_SEED = 22


def survivors() -> list[PlanFault]:
    return [PlanFault("blur", name, change, "tim" in name) for name, change in SURVIVORS.items()]


def drawn(subject: str, text: str) -> list[PlanFault]:
    """Changes of leaves that are hypotheses or proved, drawn with a seed."""
    judged = (hlsmem_verify.H, hlsmem_verify.P)
    every = [(path, kind) for path in _paths(text, judged) for kind in KINDS]
    return list(islice(_fitting(subject, text, every, _SEED), DRAWN))


def told(subject: str, text: str) -> list[PlanFault]:
    """Changes of leaves that are measured or informative: one of each leaf, lists taken as one."""
    found = list[PlanFault]()
    for claim in (hlsmem_verify.M, hlsmem_verify.S):
        alike: dict[Path, Path] = {}
        for path in _paths(text, (claim,)):
            alike.setdefault(tuple(key for key in path if isinstance(key, str)), path)
        for path in alike.values():
            every = [(path, kind) for kind in (grown, retyped, removed)]
            one = islice(_fitting(subject, text, every), 1)
            found += [replace(fault, is_measured=claim == hlsmem_verify.M) for fault in one]
    return found


def _paths(text: str, claims: Collection[str]) -> list[Path]:
    leaves = hlsmem_verify.leaves(json.loads(text), hlsmem_verify.SHAPE)
    return [path for path, claim in leaves if claim in claims]


def _fitting(
    subject: str,
    text: str,
    every: Sequence[tuple[Path, Callable[[Any, Any], None]]],
    seed: int | None = None,
) -> Iterator[PlanFault]:
    """The faults of those that change something, in their order, or in one drawn with a seed."""
    if seed is not None:
        every = random.Random(f"{seed}.{subject}").sample(every, len(every))
    for path, kind in every:
        name = f"{kind.__name__} {hlsmem_verify.joined(path)}"
        fault = PlanFault(subject, name, at(path, kind))
        try:
            fault.planted(text)
        except (ValueError, IndexError):
            continue
        yield fault
