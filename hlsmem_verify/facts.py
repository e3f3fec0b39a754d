"""Facts that claims are proved from: the plan, and what follows from it, each made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import islpy as isl

from hlsmem_verify.isl_values import DIM, at_values
from hlsmem_verify.lives import Lives
from hlsmem_verify.outcomes import MOST_INDEX, False_, Refused, Unknown
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

    def __init__(self, document: dict[str, Any], texts: dict[str, str] | None = None):
        self.document, self.texts = document, texts or {}
        for name, array in document["arrays"].items():
            index = array["index"]
            if len(index) > MOST_INDEX or len(set(index)) < len(index):
                what = f"arrays.{name}.index has more than {MOST_INDEX} names, or one twice"
                raise Refused(what)
        self.program = Program(document)
        self.values = self.program.values
        self.lives: dict[str, Lives] = {}
        self.differences: dict[str, Any] = {}
        self.pairs: dict[str, Any] = {}
        self._ends: dict[tuple[Any, ...], False_ | Unknown | None] = {}

    @cached_property
    def text(self) -> Facts:
        """Facts of the order of the text that C runs where arguments overlap."""
        stated = self.document["host"]["text"]
        own = {"program": stated["program"], "arrays": stated["arrays"], "streams": []}
        return Facts({**self.document, **own})

    @cached_property
    def text_of_user(self) -> Program:
        """The program in the order of the user's text."""
        return Program({**self.document, "program": self.document["source"]["program"]})

    @cached_property
    def source(self) -> Facts:
        """Facts of the order of the text that comes back, with all arrays that it has."""
        stated = self.document["source"]
        arrays = {**self.document["arrays"], **stated.get("arrays", {})}
        own = {"program": stated["program"], "arrays": arrays, "streams": []}
        found = Facts({**self.document, **own})
        if stated.get("times"):
            found.program = self.text_of_user.in_times(stated["times"])
        return found

    @property
    def has_verilog(self) -> bool:
        return any(name.startswith("rtl/") for name in self.texts)

    def end(self, prove: Callable[..., None], *keys: Any) -> False_ | Unknown | None:
        """Outcome of a proof, which runs once: None where it holds."""
        if (prove, *keys) not in self._ends:
            self._ends[prove, *keys] = self._end(prove, *keys)
        return self._ends[prove, *keys]

    def _end(self, prove: Callable[..., None], *keys: Any) -> False_ | Unknown | None:
        try:
            prove(self, *keys)
        except (False_, Unknown) as reason:
            return reason
        except isl.Error as error:
            return Unknown(str(error).splitlines()[0][:80] if str(error) else "isl gives up")
        return None

    def hold(self, prove: Callable[..., None], *keys: Any) -> None:
        """A proof that is a part of another: raises what it ends with."""
        end = self.end(prove, *keys)
        if end is not None:
            raise end

    def need(self, what: str, prove: Callable[..., None], *keys: Any) -> None:
        """A proof that another rests on; raises Unknown where it does not hold."""
        if self.end(prove, *keys) is not None:
            raise Unknown(f"{what} is not proved")

    def array(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.document["arrays"][name]
        return found

    def hardware(self, name: str) -> dict[str, Any]:
        """Holding of an array in hardware."""
        found: dict[str, Any] = self.array(name)["holdings"]["hardware"]
        return found

    def runs_free(self, name: str) -> bool:
        """True if processes that run by themselves access an array: all but FIFOs and windows keep
        the order of the schedule."""
        if (self.program.rules or {}).get("capacity") != "selftimed":
            return False
        return any(self.kind(part) in ("fifo", "window") for part in self.held(name))

    @cached_property
    def holders(self) -> dict[str, list[tuple[str, int]]]:
        """(array, number) of the parts that are in each memory."""
        found: dict[str, list[tuple[str, int]]] = {}
        for name in self.document["arrays"]:
            for k, part in enumerate(self.held(name)):
                found.setdefault(part["memory"], []).append((name, k))
        return found

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
        """True where data decide what is accessed, which no stream can bring, and where nothing is
        accessed at the plan's parameters. State may have none."""
        if self.is_untouched(name):
            return True
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

    def is_untouched(self, name: str) -> bool:
        """True where no instance accesses the array, and nothing of it is live before or after."""
        reached = [
            access["relation"].intersect_domain(one["domain"])
            for one in self.program.statements.values()
            for access in one["accesses"]
            if access["array"] == name
        ]
        live = [self.program.live(kind, name) for kind in ("live_in", "live_out")]
        found = [*reached, *(one for one in live if one is not None)]
        return all(at_values(one, self.values).is_empty() for one in found)

    def is_built(self, memory: str) -> bool:
        """True if a module holds a memory: none does where no array in it has a stream."""
        if self.program.rules is None:
            return True
        streamed = {one["array"] for one in self.document["streams"]}
        own = {array for array, _ in self.holders.get(memory, [])}
        return not own or any(one in streamed or not self.has_no_streams(one) for one in own)

    @cached_property
    def unbuilt(self) -> tuple[str, ...]:
        """The memories that no module holds."""
        return tuple(one for one in self.document["memories"] if not self.is_built(one))

    def is_state(self, name: str) -> bool:
        return bool(self.document["arrays"][name].get("state"))

    def is_kept(self, name: str) -> bool:
        """True if the same elements are live before and after."""
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
