"""Requests for storage of some operands of an array: every kind, or why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problem
from hlsmem.mapping.portfolio import Choice
from hlsmem.program.model import Array, Program
from hlsmem.storage.array_parts import Block, divided
from hlsmem.storage.kind import NotAllocated
from hlsmem.storage.kinds import Allocation
from hlsmem.storage.ram.kind import Ram, in_memory
from hlsmem.storage.ram.ram_ports import read_ports
from hlsmem.storage.registers.kind import Registers
from hlsmem.storage.reuse_chain.chain_selection import NoChain
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, build_chain


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Conditions of a storage: the rules of the plan and the folding of arrays.

    `fold` gives the mapping of a storage problem. `addressed` says that the cells of the whole
    array's mapping have to be those of the memory, as another order is to find them there.
    `channels` is `plan.channels`: memory leaves wires, chains and FIFOs out, dedicated memories
    that several operands read and those of operands that something else serves.
    """

    fold: Callable[[StorageProblem], Choice] = field(compare=False)
    strict: bool = False
    slack: int = 0
    device: str | None = None
    addressed: bool = False
    channels: str = "auto"


@dataclass(frozen=True, kw_only=True)
class PartitionRequest:
    """Some operands of an array, as an array of a program that has no other reads of it.

    `source` is the program with all its reads.
    `whole` is the storage problem of all operands and its mapping, where the share is all of them.
    """

    program: Program
    array: Array
    block: Block
    conditions: Conditions
    source: Program
    whole: tuple[StorageProblem, Choice] | None = None

    @property
    def own(self) -> frozenset[str]:
        """The names of its operands in the source, such as m_a_S.0."""
        return frozenset(f"{stream}.{number}" for stream, number in self.block)

    @cached_property
    def problem(self) -> StorageProblem:
        """Its lifetimes and conflicts."""
        if self.whole is not None:
            return self.whole[0]
        rules = self.conditions
        return storage_problem(self.program, self.array, strict=rules.strict, slack=rules.slack)

    @cached_property
    def in_memory(self) -> Ram | Registers:
        """In a RAM with copies, or in registers."""
        choice = self.whole[1] if self.whole else self.conditions.fold(self.problem)
        ports = read_ports(self.program, self.array)
        return in_memory(choice.mapping, (*self.problem.bounds, *choice.bounds()), ports)

    @cached_property
    def chain(self) -> ChainCircuit | NoChain:
        """The reuse chain of its operands, or why there is none."""
        has_skid = self.conditions.slack > 0
        return build_chain(self.program, self.array, style=self.array.style, has_skid=has_skid)

    @property
    def max_live(self) -> int | None:
        """The most of its elements that are alive at once, where that is counted."""
        found = (bound.cells for bound in self.problem.bounds if bound.kind == "max-live")
        return next(found, None)

    def of(self, kind: type[Allocation]) -> Allocation | NotAllocated:
        """The operands in one kind of storage, or why it cannot hold them."""
        if kind not in self._found:
            self._found[kind] = kind.found(self)
        return self._found[kind]

    @cached_property
    def _found(self) -> dict[type[Allocation], Allocation | NotAllocated]:
        """The answers so far, by kind."""
        return {}


def partition_request(
    program: Program, array: Array, block: Block, conditions: Conditions
) -> PartitionRequest:
    """The share of some operands: the program without the other reads of the array."""
    alone, (part,) = divided(program, array, (block,), alone=True)
    return PartitionRequest(
        program=alone,
        array=alone.arrays[part.name],
        block=block,
        conditions=conditions,
        source=program,
    )
