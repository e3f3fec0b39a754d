"""The circuit of every array: what Verilog prints and the predictor simulates; no isl beyond."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hlsmem.core.budgets import ACCESSES
from hlsmem.plan import Memory
from hlsmem.program.model import Array, Program
from hlsmem.storage.kinds import Circuit, kind_named

if TYPE_CHECKING:
    from hlsmem.storage.build import Laid


def circuits(
    program: Program, laid: Mapping[str, Laid], *, output_register: bool = False
) -> tuple[Circuit, ...]:
    """The circuits of all arrays of a layout that have streams, in declaration order.

    Raises InputError where streams cannot hold together, LimitError where a walk needs
    what address generators cannot do, or there are too many beats to look at one by one.
    """
    found = (
        array_circuit(program, laid[array.name], array)
        for array in program.planned_arrays()
        if array.name in laid
    )
    made = (circuit for circuit in found if circuit is not None)
    return tuple(circuit.registered() if output_register else circuit for circuit in made)


def array_circuit(
    program: Program, laid: Laid, array: Array, most: int = ACCESSES
) -> Circuit | None:
    """The circuit of one array of a layout, with so many accesses listed at most; None where it has
    no streams."""
    return kind_named(laid.memory.kind).build(program, laid, array, most)


def on_target(memory: Memory, circuit: Circuit | None, device: str) -> Memory:
    """The memory with its primitives and what they take on a device or family.

    Without a circuit a cell of any RAM may be read and written in one cycle. Raises InputError
    for a device, or a style of memory, that there is not.
    """
    if circuit is None:
        return kind_named(memory.kind).alone(memory, device)
    return circuit.taking(memory, device)
