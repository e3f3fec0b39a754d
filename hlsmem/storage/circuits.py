"""The circuit of every array: what Verilog prints and the predictor plays; no isl beyond."""

from __future__ import annotations

from hlsmem.plan import Plan
from hlsmem.program import Array, Program
from hlsmem.storage.chain.circuit import ChainCircuit, chain_circuit
from hlsmem.storage.fifo.circuit import FifoCircuit, fifo_circuit
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit

Circuit = MemoryCircuit | ChainCircuit | FifoCircuit


def circuits(program: Program, plan: Plan, *, output_register: bool = False) -> tuple[Circuit, ...]:
    """The circuits of all planned arrays that have streams, in declaration order.

    Raises InputError where streams cannot hold together, LimitError where a walk needs
    what walkers cannot do, or there are too many beats to look at one by one.
    """
    found = (
        _circuit(program, plan, array, output_register)
        for array in program.planned_arrays()
        if array.name in plan.arrays
    )
    return tuple(circuit for circuit in found if circuit is not None)


def _circuit(program: Program, plan: Plan, array: Array, output_register: bool) -> Circuit | None:
    memory = plan.memories.get(plan.arrays[array.name].place.memory)
    if memory is not None and memory.kind == "chain":
        return chain_circuit(program, plan, array, output_register=output_register)
    if memory is not None and memory.kind == "fifo":
        return fifo_circuit(program, plan, array, output_register=output_register)
    return memory_circuit(program, plan, array, output_register=output_register)
