"""A candidate as it is built: circuits, memories, what these take; under the terms of a choice.

In a layout every array, or part of one, is in one kind of storage, as circuits are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from hlsmem.core.budgets import ACCESSES
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model import Datapaths
from hlsmem.dependences.stream_forms import Addresses
from hlsmem.devices.primitives import Budget, Cost
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.plan import Memory, Part
from hlsmem.program.model import Array, Program
from hlsmem.storage.array_parts import PartArray, divided
from hlsmem.storage.junctions import Junction, junctions
from hlsmem.storage.kinds import Allocation, Circuit, kind_named
from hlsmem.storage.storage_candidates import Candidate, Ranking

# What chains and FIFOs have: every element in cell 0.
NO_ADDRESS = StorageMapping(
    pieces=(Piece(matrix=(), modulus=(), offset=()),),
    method="none",
    cells=1,
    certificate=Certificate(scope="all-parameters", by="order"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """An array, or a part of one, in its memory; `slack` is `plan.slack` in beats."""

    memory: Memory
    part: Part
    bounds: tuple[Bound, ...] = ()
    slack: int = 0

    @property
    def addresses(self) -> Addresses:
        """Addresses of its elements."""
        mapping = self.part.mapping or NO_ADDRESS
        return Addresses(mapping=mapping, base=self.part.base, banks=self.part.banks)

    @property
    def fifo_words(self) -> int:
        """The words of a FIFO that holds it: its max-live, else its cells."""
        alive = (bound.cells for bound in self.bounds if bound.kind == "max-live")
        return max(1, next(alive, None) or self.addresses.mapping.cells)


def layout(
    program: Program, held: Iterable[tuple[str, Allocation]], *, slack: int = 0
) -> dict[str, Laid]:
    """Arrays of a program that are held so, each in a memory of its own name."""
    return {
        name: Laid(
            memory=one.memory(program.arrays[name]),
            part=one.part(name),
            bounds=one.bounds,
            slack=slack,
        )
        for name, one in held
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltStorage:
    """A candidate with its circuits, and the memories that these are.

    `program` has the parts in place of the array, where there are several; `parts` are these.
    `memories` have what they take of `device`, where there is one.
    """

    candidate: Candidate
    program: Program
    parts: tuple[PartArray, ...]
    circuits: tuple[Circuit, ...]
    memories: Mapping[str, Memory]
    device: str | None
    junctions: tuple[Junction, ...] = ()
    output_register: bool = False

    @property
    def words(self) -> int:
        """All words that it holds."""
        return sum(memory.words for memory in self.memories.values())

    @property
    def cost(self) -> Cost | None:
        """Cost of its memories on the device; None where there is none."""
        if self.device is None:
            return None
        return sum((memory.resources or Cost() for memory in self.memories.values()), Cost())

    @property
    def blocks(self) -> int:
        """The block RAMs that it takes."""
        cost = self.cost
        return 0 if cost is None else cost.blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Constraints of a choice: the plan's rules, the target, the objective.

    `budget` is what all arrays together may take, `lookups` the work that may go into runs that
    are simulated, None: as much as there is to choose among.
    """

    datapaths: Datapaths
    ranking: Ranking
    slack: int = 0
    device: str | None = None
    budget: Budget = field(default_factory=dict)
    output_register: bool = False
    lookups: int | None = None


def build(
    program: Program, candidate: Candidate, terms: Terms, most: int = ACCESSES
) -> BuiltStorage:
    """The circuits of a candidate, and what they take; so many accesses are listed, at most.

    Raises InputError where its streams cannot hold together, LimitError where a walk needs what
    address generators cannot do, or there are too many beats to look at one by one.
    """
    array = program.arrays[candidate.array]
    own, parts = program, tuple[PartArray, ...]()
    names = [array.name]
    if len(candidate.shares) > 1:
        own, parts = divided(program, array, [block for block, _ in candidate.shares])
        names = [part.name for part in parts]
    held = zip(names, (held for _, held in candidate.shares), strict=True)
    laid = layout(own, held, slack=terms.slack)
    first = candidate.shares[0][1].circuit
    found: list[Circuit | None]
    if not parts and first is not None:
        found = [first]
    else:
        found = [array_circuit(own, laid[name], own.arrays[name], most) for name in names]
    circuits = tuple(circuit for circuit in found if circuit is not None)
    built = BuiltStorage(
        candidate=candidate,
        program=own,
        parts=parts,
        circuits=circuits,
        memories=_memories(laid, circuits, terms.device),
        device=terms.device,
        junctions=junctions(program, array, own, parts) if parts else (),
    )
    return with_output_register(built) if terms.output_register else built


def with_output_register(built: BuiltStorage) -> BuiltStorage:
    """The same with RAMs that are read through output registers."""
    circuits = tuple(circuit.registered() for circuit in built.circuits)
    made = {circuit.array: circuit for circuit in circuits}
    memories = built.memories
    if built.device is not None:
        memories = {
            name: on_target(memory, made.get(name), built.device)
            for name, memory in built.memories.items()
        }
    return replace(built, circuits=circuits, memories=memories, output_register=True)


def _memories(
    laid: Mapping[str, Laid], circuits: Sequence[Circuit], device: str | None
) -> Mapping[str, Memory]:
    """The memories of a layout as its circuits make them, with what they take of a device."""
    memories = {name: one.memory for name, one in laid.items()}
    if device is None:
        return memories
    made = {circuit.array: circuit for circuit in circuits}
    return {name: on_target(memory, made.get(name), device) for name, memory in memories.items()}


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
