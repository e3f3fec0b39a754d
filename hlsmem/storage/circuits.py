"""The circuit of every array: what Verilog prints and the predictor plays; no isl beyond."""

from __future__ import annotations

from hlsmem.gates.relations import MOST_ACCESSES
from hlsmem.planfile import Memory, Plan
from hlsmem.program import Array, Program
from hlsmem.storage.kinds import Circuit, kind_named
from hlsmem.storage.ram.circuit import memory_circuit


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
    return tuple(circuit.registered() if output_register else circuit for circuit in made)


def array_circuit(
    program: Program, plan: Plan, array: Array, most: int = MOST_ACCESSES
) -> Circuit | None:
    """The circuit of one array of a layout, with so many accesses listed at most; None where it has
    no streams."""
    memory = plan.memories.get(plan.arrays[array.name].parts[0].memory)
    if memory is None:
        return memory_circuit(program, plan, array, most)
    return kind_named(memory.kind).build(program, plan, array, most)


def on_target(memory: Memory, circuit: Circuit | None, device: str) -> Memory:
    """The memory with its primitives and what they take on a device or family.

    Without a circuit a cell of any RAM may be read and written in one cycle. Raises InputError
    for a device, or a style of memory, that there is not.
    """
    if circuit is None:
        return kind_named(memory.kind).alone(memory, device)
    return circuit.taking(memory, device)
