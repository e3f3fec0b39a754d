"""The circuit of every array: what Verilog prints and the predictor plays; no isl beyond."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.errors import InputError, Problem
from hlsmem.plan import Plan
from hlsmem.program import Array, Program
from hlsmem.storage.chain.circuit import ChainCircuit, chain_circuit
from hlsmem.storage.chain.find import NoChain
from hlsmem.storage.fifo.circuit import FifoCircuit, NoFifo, find_fifo
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit, registered_memory

Circuit = MemoryCircuit | ChainCircuit | FifoCircuit


def circuits(program: Program, plan: Plan, *, output_register: bool = False) -> tuple[Circuit, ...]:
    """The circuits of all arrays of a layout that have streams, in declaration order.

    Raises InputError where streams cannot hold together, LimitError where a walk needs
    what walkers cannot do, or there are too many beats to look at one by one.
    """
    found = (
        array_circuit(program, plan, array)
        for array in program.planned_arrays()
        if array.name in plan.arrays
    )
    made = (circuit for circuit in found if circuit is not None)
    return tuple(registered(circuit) if output_register else circuit for circuit in made)


def registered(circuit: Circuit) -> Circuit:
    """The circuit with RAMs that are read through an output register."""
    match circuit:
        case MemoryCircuit():
            return registered_memory(circuit)
        case ChainCircuit() | FifoCircuit():
            return replace(circuit, output_register=True)


def array_circuit(program: Program, plan: Plan, array: Array) -> Circuit | None:
    """The circuit of one array of a layout; None where it has no streams."""
    memory = plan.memories.get(plan.arrays[array.name].parts[0].memory)
    found: Circuit | NoChain | NoFifo | None
    match None if memory is None else memory.kind:
        case "chain":
            found = chain_circuit(program, plan, array)
        case "fifo":
            found = find_fifo(program, plan, array)
        case _:
            found = memory_circuit(program, plan, array)
    if isinstance(found, NoChain | NoFifo):
        what = f"{array.name!r} cannot be held as asked: {found.reason}"
        raise InputError(Problem(what, "leave out arrays.X.reads and arrays.X.parts", array.place))
    return found
