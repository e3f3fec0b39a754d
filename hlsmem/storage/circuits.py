"""The circuit of every array: what Verilog prints and the predictor plays; no isl beyond."""

from __future__ import annotations

from hlsmem.errors import InputError, Problem
from hlsmem.plan import Plan
from hlsmem.program import Array, Program
from hlsmem.storage.chain.circuit import ChainCircuit, chain_circuit
from hlsmem.storage.chain.find import NoChain
from hlsmem.storage.fifo.circuit import FifoCircuit, NoFifo, find_fifo
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit

Circuit = MemoryCircuit | ChainCircuit | FifoCircuit


def circuits(program: Program, plan: Plan, *, output_register: bool = False) -> tuple[Circuit, ...]:
    """The circuits of all arrays of a layout that have streams, in declaration order.

    Raises InputError where streams cannot hold together, LimitError where a walk needs
    what walkers cannot do, or there are too many beats to look at one by one.
    """
    found = (
        array_circuit(program, plan, array, output_register=output_register)
        for array in program.planned_arrays()
        if array.name in plan.arrays
    )
    return tuple(circuit for circuit in found if circuit is not None)


def array_circuit(
    program: Program, plan: Plan, array: Array, *, output_register: bool = False
) -> Circuit | None:
    """The circuit of one array of a layout; None where it has no streams."""
    memory = plan.memories.get(plan.arrays[array.name].parts[0].memory)
    found: Circuit | NoChain | NoFifo | None
    match None if memory is None else memory.kind:
        case "chain":
            found = chain_circuit(program, plan, array, output_register=output_register)
        case "fifo":
            found = find_fifo(program, plan, array, output_register=output_register)
        case _:
            found = memory_circuit(program, plan, array, output_register=output_register)
    if isinstance(found, NoChain | NoFifo):
        what = f"{array.name!r} cannot be held as asked: {found.reason}"
        raise InputError(Problem(what, "leave out arrays.X.reads and arrays.X.parts", array.place))
    return found
