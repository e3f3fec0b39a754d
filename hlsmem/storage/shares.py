"""What can hold some operands of an array: every kind of storage, or why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from hlsmem.errors import InputError, LimitError
from hlsmem.lifetime import StorageProblem, storage_problem
from hlsmem.mapping.portfolio import Choice
from hlsmem.plan import Plan
from hlsmem.program import Array, Program
from hlsmem.storage.banked.finder import BankQuestion, find_banking
from hlsmem.storage.chain.circuit import chain_circuit
from hlsmem.storage.chain.find import NoChain
from hlsmem.storage.fifo.circuit import NoFifo, find_fifo
from hlsmem.storage.layout import NO_ADDRESS, Held, in_banks, in_memory, layout
from hlsmem.storage.parts import Block, divided
from hlsmem.storage.ram.ports import read_ports

# The kinds, those of the least logic first: of equal costs the first is taken.
KINDS = ("chain", "fifo", "banked", "ram")


@dataclass(frozen=True, slots=True)
class NotHeld:
    """Why a kind of storage does not hold some operands."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What storage is looked for under: the rules of the plan and how arrays are folded.

    `fold` gives the mapping of a storage problem. `addressed` says that the cells of the whole
    array's mapping have to be those of the memory, as another order is to find them there.
    """

    fold: Callable[[StorageProblem], Choice] = field(compare=False)
    strict: bool = False
    slack: int = 0
    device: str | None = None
    addressed: bool = False


@dataclass(frozen=True, kw_only=True)
class Share:
    """Some operands of an array, as an array of a program that has no other reads of it.

    `whole` is the storage problem of all operands and its mapping, where the share is all of them.
    """

    program: Program
    array: Array
    block: Block
    conditions: Conditions
    whole: tuple[StorageProblem, Choice] | None = None

    @cached_property
    def problem(self) -> StorageProblem:
        """Its lifetimes and conflicts."""
        if self.whole is not None:
            return self.whole[0]
        rules = self.conditions
        return storage_problem(self.program, self.array, strict=rules.strict, slack=rules.slack)

    @cached_property
    def in_memory(self) -> Held:
        """In a RAM with copies, or in registers."""
        choice = self.whole[1] if self.whole else self.conditions.fold(self.problem)
        ports = read_ports(self.program, self.array)
        return in_memory(choice.mapping, (*self.problem.bounds, *choice.bounds()), ports)

    @property
    def max_live(self) -> int | None:
        """The most of its elements that are alive at once, where that is counted."""
        found = (bound.cells for bound in self.problem.bounds if bound.kind == "max-live")
        return next(found, None)

    @cached_property
    def _unaddressed(self) -> Held:
        """The elements in storage without addresses."""
        return Held(kind="fifo", mapping=NO_ADDRESS, words=0, bounds=self.problem.bounds)

    def of(self, kind: str) -> Held | NotHeld:
        """The operands in one kind of storage, or why it cannot hold them."""
        try:
            match kind:
                case "chain":
                    return self._in_chain()
                case "fifo":
                    return self._in_fifo()
                case "banked":
                    return self._in_banks()
                case "registers":
                    return self._in_registers()
                case _:
                    return self.in_memory
        except LimitError as error:
            return NotHeld(kind, "; ".join(problem.what for problem in error.problems))
        except InputError as error:
            if kind == "banked":
                raise
            return NotHeld(kind, "; ".join(problem.what for problem in error.problems))

    def _in_chain(self) -> Held | NotHeld:
        found = chain_circuit(self.program, self._layout(), self.array)
        if isinstance(found, NoChain):
            return NotHeld("chain", found.reason)
        taps = tuple(distance for reader in found.readers for distance in reader.distances)
        lanes = len(found.chain.lanes)
        return replace(
            self._unaddressed,
            kind="chain",
            words=found.words,
            taps=taps,
            lanes=lanes,
            circuit=found,
        )

    def _in_registers(self) -> Held | NotHeld:
        """One word: the newest of the beats, or a cell."""
        newest = self._in_chain()
        if isinstance(newest, Held) and newest.words == newest.lanes:
            return newest
        held = self.in_memory
        if held.kind != "registers":
            return NotHeld("registers", f"{held.mapping.cells} of its elements need a word each")
        return held

    def _in_fifo(self) -> Held | NotHeld:
        if self.max_live is None:
            return NotHeld("fifo", "how many of its elements wait at once is not known")
        if self.max_live <= 1:
            return NotHeld("fifo", "one element waits at most")
        found = find_fifo(self.program, self._layout(), self.array)
        if isinstance(found, NoFifo):
            return NotHeld("fifo", found.reason)
        return replace(self._unaddressed, kind="fifo", words=found.words, circuit=found)

    def _in_banks(self) -> Held | NotHeld:
        array = self.array
        question = BankQuestion(
            program=self.program,
            problem=self.problem,
            cells=self.in_memory.mapping.cells,
            device=None if array.reads == "banks" else self.conditions.device,
            max_banks=array.max_banks,
        )
        found = find_banking(question)
        if isinstance(found, str):
            return NotHeld("banked", found)
        return in_banks(self.in_memory, found.place, found.streams)

    def _layout(self) -> Plan:
        rules = self.conditions
        return layout(
            self.program,
            [(self.array.name, self._unaddressed)],
            strict=rules.strict,
            slack=rules.slack,
        )


def share_of(program: Program, array: Array, block: Block, conditions: Conditions) -> Share:
    """The share of some operands: the program without the other reads of the array."""
    alone, (part,) = divided(program, array, (block,), alone=True)
    return Share(program=alone, array=alone.arrays[part.name], block=block, conditions=conditions)
