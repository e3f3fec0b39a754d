"""The circuit of every array: what Verilog prints and the predictor plays; no isl beyond."""

from __future__ import annotations

from collections import Counter

from hlsmem.errors import LimitError, Problem
from hlsmem.plan import Plan
from hlsmem.program import Array, Program
from hlsmem.storage.chain.circuit import ChainCircuit, chain_circuit
from hlsmem.storage.fifo.circuit import FifoCircuit, fifo_circuit
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit

# About 120 bytes are needed for each access of an array while its gates are found.
MOST_ACCESSES = 16_000_000

Circuit = MemoryCircuit | ChainCircuit | FifoCircuit


def circuits(program: Program, plan: Plan, *, output_register: bool = False) -> tuple[Circuit, ...]:
    """The circuits of all planned arrays that have streams, in declaration order.

    Raises InputError where streams cannot hold together, LimitError where a walk needs
    what walkers cannot do, or there are too many beats to look at one by one.
    """
    _refuse_many(plan)
    found = (
        _circuit(program, plan, array, output_register)
        for array in program.planned_arrays()
        if array.name in plan.arrays
    )
    return tuple(circuit for circuit in found if circuit is not None)


def _refuse_many(plan: Plan) -> None:
    """Raise LimitError for arrays with more accesses than there is memory for."""
    accesses: Counter[str] = Counter()
    for stream in plan.streams:
        accesses[stream.array] += stream.beats * stream.operands
    problems = [
        Problem(
            f"{array} is read and written {count} times, and gates are worked out for"
            f" {MOST_ACCESSES} accesses at most",
            "plan it with smaller parameters, see --param",
        )
        for array, count in accesses.items()
        if count > MOST_ACCESSES
    ]
    if problems:
        raise LimitError(*problems)


def _circuit(program: Program, plan: Plan, array: Array, output_register: bool) -> Circuit | None:
    memory = plan.memories.get(plan.arrays[array.name].place.memory)
    if memory is not None and memory.kind == "chain":
        return chain_circuit(program, plan, array, output_register=output_register)
    if memory is not None and memory.kind == "fifo":
        return fifo_circuit(program, plan, array, output_register=output_register)
    return memory_circuit(program, plan, array, output_register=output_register)
