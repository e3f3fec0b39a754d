"""What claims are proved from: the plan, and what follows from it, each made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import islpy as isl

from hlsmem_verify.isl_text import DIM, at_values
from hlsmem_verify.limits import False_
from hlsmem_verify.lives import Lives
from hlsmem_verify.play import Play
from hlsmem_verify.program import READS, Program


@dataclass
class Part:
    """A part of an array: as stated, its memory, who reads from it, and what lives in it."""

    name: str
    array: dict[str, Any]
    stated: dict[str, Any]
    memory: dict[str, Any]
    operands: list[tuple[str, int]]
    takes: Any
    lives: Any


class Facts:
    """The document with its program; what it takes to make is made once."""

    def __init__(self, document: dict[str, Any]):
        self.document = document
        self.program = Program(document)
        self.values = self.program.values
        self.lives: dict[str, Lives] = {}
        self.differences: dict[str, Any] = {}
        self.pairs: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}

    def once(self, name: str, work: Callable[[], Any]) -> Any:
        """What a work gives, which is done once."""
        if name not in self._kept:
            self._kept[name] = work()
        return self._kept[name]

    @cached_property
    def play(self) -> Play:
        """The program at the plan's values."""
        return Play(self.program, self.values, self.document["arrays"])

    def held(self, name: str) -> list[dict[str, Any]]:
        """The parts of an array; none of one that is not planned."""
        array = self.document["arrays"].get(name)
        return [] if array is None else list(array["holdings"]["hardware"]["parts"])

    def kind(self, part: dict[str, Any]) -> str:
        memory = self.document["memories"].get(part["memory"])
        return "part" if memory is None else str(memory["kind"])

    def operands(self, name: str) -> list[tuple[tuple[str, int], Any]]:
        """((stream, number), instances -> elements) of all reads that have beats; drains last."""
        found: list[tuple[tuple[str, int], Any]] = []
        if self.has_no_streams(name):
            return found
        for statement in self.program.statements:
            own = self.reads(statement, name)
            if all(at_values(one, self.values).is_empty() for one in own):
                continue
            number = 0
            for _, instances in self.lanes(statement):
                for relation in own:
                    key = (f"m_{name}_{statement}", number)
                    found.append((key, relation.intersect_domain(instances)))
                    number += 1
        drain = None if self.is_state(name) else self.drain(name)
        if drain is not None and not at_values(drain, self.values).is_empty():
            found.append(((f"m_{name}_drain", 0), None))
        return found

    def live_operands(
        self, name: str, operands: list[tuple[str, int]]
    ) -> list[tuple[tuple[str, int], Any]]:
        """Lemma *operands*: those of a part that have beats, in the order of its taps."""
        known = dict(self.operands(name))
        return [(one, known[one]) for one in operands if one in known]

    def has_no_streams(self, name: str) -> bool:
        """Whether data decide what is accessed: no stream can bring that. State may have none."""
        parts = self.held(name)
        if self.is_state(name) and not any(part["operands"] for part in parts):
            return True
        kinds = {
            access["kind"]
            for one in self.program.statements.values()
            for access in one["accesses"]
            if access["array"] == name
        }
        if "look" in kinds and "read" not in kinds and self.drain(name) is None:
            return True  # for filters alone
        return self.program.is_decided(name)

    def is_state(self, name: str) -> bool:
        return bool(self.document["arrays"][name].get("state"))

    def is_kept(self, name: str) -> bool:
        """Whether the same elements are live before and after."""
        first, last = self.program.live("live_in", name), self.drain(name)
        if first is None or last is None:
            return first is last
        return bool(first.is_equal(last))

    def drain(self, name: str) -> Any:
        return self.program.live("live_out", name)

    def reads(self, statement: str, name: str) -> list[Any]:
        accesses = self.program.statements[statement]["accesses"]
        return [a["relation"] for a in accesses if a["array"] == name and a["kind"] in READS]

    def lanes(self, statement: str) -> list[tuple[tuple[int, ...], Any]]:
        """(lane, its instances) that a statement has; one where nothing is unrolled."""
        one, rules = self.program.statements[statement], self.program.rules
        if not rules["lanes"]:
            return [((), one["domain"])]
        found = []
        for lane in product(*(range(size) for size in rules["lanes"])):
            times = one["times"]
            for k, value in enumerate(lane, start=1 + rules["step"]):
                times = times.fix_val(DIM.out, k, isl.Val(value))
            if not at_values(times.domain(), self.values).is_empty():
                found.append((lane, times.domain()))
        return found

    def write_lanes(self, name: str) -> int:
        found = [1]
        for statement, one in self.program.statements.items():
            if any(a["array"] == name and "write" in a["kind"] for a in one["accesses"]):
                found.append(len(self.lanes(statement)))
        return max(found)

    def memory(self, part: dict[str, Any]) -> dict[str, Any]:
        memory = self.document["memories"].get(part["memory"])
        if memory is None:
            raise False_(f"there is no memory {part['memory']}")
        found: dict[str, Any] = memory
        return found
