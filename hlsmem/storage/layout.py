"""A layout: every array, or part of one, in one kind of storage, as circuits are made of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hlsmem.lifetime.problem import Bound
from hlsmem.mapping.model import Certificate, Mapping, Piece
from hlsmem.plan import ArrayPlan, BankPlace, Memory, Part, Plan
from hlsmem.program import Array, Program
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.fifo.circuit import FifoCircuit

# What chains and FIFOs have: every element in cell 0.
NO_ADDRESS = Mapping(
    pieces=(Piece(matrix=(), modulus=(), offset=()),),
    method="none",
    cells=1,
    certificate=Certificate(scope="all-parameters", by="order"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The elements that some operands read, in one kind of storage.

    `kind`: registers, chain, fifo, banked or ram. `words` are all words that it takes: one an
    element in `copies`, for `banks` the padding too. Of these the newest `lanes` of a chain wait
    in registers as beats of other kinds do on a port, and do not count when kinds are compared.
    `circuit` is that of a chain or FIFO, of an array that has these operands alone.
    """

    kind: str
    mapping: Mapping
    words: int
    copies: int = 1
    banks: BankPlace | None = None
    taps: tuple[int, ...] | None = field(default=None, compare=False)
    lanes: int = 0
    bounds: tuple[Bound, ...] = field(default=(), compare=False)
    circuit: ChainCircuit | FifoCircuit | None = field(default=None, compare=False, repr=False)

    def memory(self, array: Array) -> Memory:
        """The memory of an array that is held so."""
        return Memory(
            bits=array.element.bits,
            words=self.words,
            banks=1 if self.banks is None else self.banks.banks,
            copies=self.copies,
            kind=self.kind,
            style=array.style,
        )


def layout(
    program: Program, held: Iterable[tuple[str, Held]], *, strict: bool = False, slack: int = 0
) -> Plan:
    """The plan of arrays of a program that are held so, each in a memory of its own name."""
    pairs = tuple(held)
    return Plan(
        tool="",
        design=program.name,
        inputs={},
        overrides=(),
        params=dict(program.values),
        order=program.order.value,
        strict=strict,
        slack=slack,
        memories={name: one.memory(program.arrays[name]) for name, one in pairs},
        arrays={name: _array(program.arrays[name], one) for name, one in pairs},
    )


def _array(array: Array, held: Held) -> ArrayPlan:
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=None,
        declared_cells=None,
        bounds=held.bounds,
        mapping=held.mapping,
        parts=(Part(memory=array.name, banks=held.banks),),
    )


def in_memory(mapping: Mapping, bounds: tuple[Bound, ...], read_ports: int) -> Held:
    """In registers where there is one cell, else in a RAM that is copied for every read port."""
    if mapping.cells <= 1:
        return Held(kind="registers", mapping=mapping, words=1, bounds=bounds)
    copies = max(1, read_ports)
    words = mapping.cells * copies
    return Held(kind="ram", mapping=mapping, words=words, copies=copies, bounds=bounds)


def in_banks(held: Held, banks: BankPlace, streams: int) -> Held:
    """In these banks, all words once for each of `streams` read streams."""
    words = banks.banks * banks.words * streams
    return replace(held, kind="banked", words=words, copies=streams, banks=banks)
