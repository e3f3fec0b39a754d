"""The plan of a design: mappings, memories, streams and cycles, as plan.json has them."""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from dataclasses import field
from math import prod

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.storage_problem import Bound, ClassFacts
from hlsmem.mapping.storage_mapping import Certificate, StorageMapping
from hlsmem.plan.program_text import ProgramText
from hlsmem.plan.source_holding import SourceHolding, SourceText
from hlsmem.schedule_search.loop_blocks import Cuts


@dataclass(frozen=True, slots=True)
class BankBoxes:
    """Boxes of an array as declared: box coordinates are floor((x - lower) / sides), 0 <= .. <
    counts. A box holds every bank once (its block of it)."""

    lower: tuple[int, ...]
    sides: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPlace:
    """Bank of an element, and its offset there.

    x = remainder + quotient . `basis`, row by row; each row has its pivot in a dimension that
    later rows have zeros in. The remainder flattened in the order of the rows, v, is bank
    v div `block`. The quotient reduced by the basis `storage` and flattened is the offset;
    with `boxes` the flattened box coordinates are. With blocks: offset * block + v mod block.
    """

    basis: tuple[tuple[int, ...], ...]
    block: int = 1
    storage: tuple[tuple[int, ...], ...] | None = None
    boxes: BankBoxes | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """The dimension of each row's pivot."""
        found: list[int] = []
        for row in reversed(self.basis):
            found.append(next(k for k, e in enumerate(row) if e and k not in found))
        return tuple(reversed(found))

    @property
    def banks(self) -> int:
        return prod(row[k] for row, k in zip(self.basis, self.order, strict=True)) // self.block

    @property
    def words(self) -> int:
        """Words of one bank."""
        if self.boxes is not None:
            return prod(self.boxes.counts) * self.block
        return prod(row[k] for k, row in enumerate(self.storage or ())) * self.block


# An operand of a read stream: the name of the stream, and its number in the beat.
Operand = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A memory for some operands of an array's read streams.

    `operands` are those it serves. `takes` are the elements that are written into it, an isl set;
    None: all. `mapping` gives the address of cell 0 and on, from `base`, of a ram, banked or
    registers; with `banks` these say bank and offset. `lattice` is the size that no modular mapping
    of its elements undercuts, None where max-live says as much. `taps` are the beats between the
    newest element of a chain and each of its operands, `taps_expr` the same in the parameters, None
    where they are not known.
    """

    memory: str
    operands: tuple[Operand, ...] = ()
    takes: str | None = None
    mapping: StorageMapping | None = None
    lattice: Bound | None = None
    base: int = 0
    banks: BankPlace | None = None
    taps: tuple[int, ...] | None = None
    taps_expr: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Primitive:
    """The RAM cells that synthesis takes for a memory, as the target calls them, and how many."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory: `words` of `bits` in all its copies and banks.

    `kind`: wire (no words), registers, chain, fifo, ram, or banked, where each of the `copies` has
    all words: in `banks` RAMs of its own for a stream that reads several at once, else in one. A
    window is a RAM whose cells are given in the order of the writes.
    `style` is what was asked for: auto, registers, distributed, block or large. `primitive` and
    `resources` are what it takes on the plan's target, None where there is none.
    """

    bits: int
    words: int
    banks: int = 1
    copies: int = 1
    kind: str = "ram"
    style: str = "auto"
    primitive: Primitive | None = None
    resources: Cost | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePart:
    """Some operands of an array and a kind of storage, as `arrays.X.parts` takes them."""

    operands: tuple[Operand, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Another way to hold an array, and why it is not taken.

    `words` are None where there is no such way; `resources` are known for the plan's target,
    `cycles` where the run was predicted with it.
    """

    parts: tuple[CandidatePart, ...]
    words: int | None = None
    resources: Cost | None = None
    cycles: int | None = None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Elastic:
    """A branch FIFO behind a read stream: it holds `beats` beats of `bits` bits.

    `waits_for` is the stream that brings the other operands of the consumer later. `latency` has
    the bits that one more cycle of a statement's datapath takes in all branch FIFOs, for the
    statements on the ways to the consumer.
    """

    stream: str
    beats: int
    bits: int
    waits_for: str
    latency: Values[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The device or family a plan is for; `block_rams` may be used, in the family's smallest."""

    device: str
    block_rams: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCandidate:
    """A mapping that C may use: `score` relative to the least, `shape` of the loops with it."""

    method: str
    cells: int
    shape: str
    score: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCells:
    """The cells of an array in the host C, numbered as its loops walk, right for C's order.

    `cell_bytes` is the size of one, `at` the byte of the workspace where they start at the plan's
    parameters, None where C has a variable. `shape` are its loops with this mapping. `lattice` is
    that of a part.
    """

    mapping: StorageMapping
    cell_bytes: int
    at: int | None
    shape: str
    lattice: Bound | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Holding:
    """Holding of an array in OUT, for one target: its size and the standing of that.

    `words` count copies, padding and branch FIFOs; of C they are cells. `bits` are those of all
    words, of C 8 times the bytes with padding. `bound` is max-live in the order that the target
    runs, without values that wires pass within a step; of a conflict set, or a class of orders, the
    greatest bound of all mappings. It is None where nothing is held, or none is known.
    `certificate` is the weakest of the parts'.
    """

    words: int
    bits: int
    bound: Bound | None
    certificate: Certificate

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.words} words, {self.standing}>"

    @property
    def lattice(self) -> Bound | None:
        """The size that no modular mapping undercuts, where one mapping is all that holds it."""
        raise NotImplementedError

    @property
    def standing(self) -> str:
        """Standing of the size against its bounds, as `standing_of`."""
        bound, lattice = self.bound, self.lattice
        reached = lattice is not None and lattice.cells == self.words
        found = standing_of(
            self.words, [one for one in (bound, lattice if reached else None) if one]
        )
        if found == MODULAR and bound is not None:
            found += f", {self.words - bound.cells} above {bound.kind}"
        return found


def standing_of(size: int, bounds: Sequence[Bound]) -> str:
    """Standing of a size against its bounds: optimal, optimal among .., or the gap.

    Max-live and cliques of elements speak of all mappings, others of modular ones. With a witness a
    bound speaks of those that are right for a class.

    >>> standing_of(1, [])
    'optimal'
    """
    limit = max(bounds, key=lambda bound: bound.cells, default=None)
    reached = [bound for bound in bounds if bound.cells == size]
    if size <= 1 or any(b.kind in ("max-live", "clique") and not b.witness for b in reached):
        return OPTIMAL
    if any(bound.witness for bound in reached):
        return f"{OPTIMAL} for the class"
    if limit is None:
        return "no bound known"
    return MODULAR if limit.cells == size else f"{size - limit.cells} above {limit.kind}"


OPTIMAL = "optimal"
MODULAR = "optimal among modular mappings"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HardwareHolding(Holding):
    """Holding of an array in the Verilog: its parts, each in a memory."""

    parts: tuple[Part, ...]

    @property
    def lattice(self) -> Bound | None:
        return self.parts[0].lattice if len(self.parts) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HostHolding(Holding):
    """Holding of an array in the C: one part, its cells."""

    parts: tuple[HostCells, ...]

    @property
    def cells(self) -> HostCells:
        (one,) = self.parts
        return one

    @property
    def lattice(self) -> Bound | None:
        return self.cells.lattice


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictText:
    """Conflicts of an array as isl texts: all a - b over conflicting elements a and b.

    `pairs` and `elements` are there where the design gives them in place of a program.
    """

    differences: str
    pairs: str | None = None
    elements: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayNotes:
    """Notes on an array beside its plan, which no check holds.

    `remarks` are sentences: why it does not fold, what a setting costs. `rejected` are the other
    ways to hold it in hardware, the cheapest first. Of C `score` is that of its mapping relative to
    the least, `pareto_front` the candidates of which no other has fewer cells and a better score,
    where there was a choice; where the mapping does not hold for all parameters, `fallback` is the
    one of fewest cells that does, if there is any; `is_given` says that the design chose it.
    """

    remarks: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    score: str = ""
    pareto_front: tuple[HostCandidate, ...] = ()
    fallback: HostCandidate | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPlan:
    """The plan of one array. `declared` and `extents` are None where nothing declares its size.

    `conflicts` are those of its elements in the hardware's order, None where their text would be
    too long. `orders` is the class of orders that it is right for, None for the own order.
    `hardware`, `host` and `source` are what holds it; `host` is None where there is no C, `source`
    where no text comes back. `state` says that its cells are kept from run to run.
    """

    name: str
    element: str
    bits: int
    index: tuple[str, ...]
    declared: QuasiPolynomial | None
    declared_cells: int | None
    hardware: HardwareHolding
    host: HostHolding | None = None
    source: SourceHolding | None = None
    orders: ClassFacts | None = None
    extents: tuple[QuasiPolynomial, ...] | None = None
    conflicts: ConflictText | None = None
    state: bool = False
    notes: ArrayNotes = field(default_factory=ArrayNotes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """An operand of a beat: its lowest and highest bit of tdata, and what it reads or writes.

    `lane` counts the instances side by side in a beat of an unrolled loop. `element` is as in the
    source, such as "in[y][x + 1]", empty where there is no one text for it.
    """

    bits: tuple[int, int]
    lane: int = 0
    element: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One stream: `s_` into the memory (writes), `m_` out of it (reads); one beat an instance.

    `statement` is None for the fill and the drain of a memory, which have a beat an element.
    """

    name: str
    array: str
    statement: str | None
    beats: int
    operands: tuple[Lane, ...]

    @property
    def is_fill(self) -> bool:
        """True if it fills a memory before the start."""
        return self.statement is None and self.name.endswith("_fill")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The predicted run of the Verilog without stalls, or why there is none.

    `cycles` from start to the fall of busy, `interval` cycles per step once the pipeline is
    full, `reason` why that is more than 1, or why nothing is predicted (then both numbers are
    None). `asked` is the interval that the design asks for, None if it does not.
    `output_register` says that RAMs are read through one, a cycle later. Where beats are
    of instances alone that run, `cycles` bounds all runs, `interval` is None, `reason` is that of a
    run of all instances, and `runs` are some: the seed of what decides in one, and its cycles; None
    where all runs take the same. Of a whole accelerator `frame` has the cycles from a frame to the
    next one, None where they are not predicted, or there is none.
    """

    cycles: int | None
    interval: float | None
    reason: str | None = None
    asked: int | None = None
    output_register: bool = False
    runs: tuple[tuple[int, int], ...] | None = None
    frame: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundOrder:
    """An order that was found for the hardware in place of the text's: `what` it is in words.

    `bits` are those that any storage takes in the text's order (max-live of all arrays), `cycles`
    those of a plan in it, None where none was made.
    """

    what: str
    bits: int
    cycles: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOrder:
    """The order of the host C: that of the program, an iteration as a step where it `steps`.

    With `times` of statements, isl maps, it is one of its own. `cuts` are what its loops are cut
    into, by statement; `machine` are the sizes that were read of the machine that planned, in KiB
    and bits, where the design asks for it.
    """

    times: Values[str, str] = field(default_factory=dict)
    steps: bool = False
    cuts: Values[str, Cuts] = field(default_factory=dict)
    machine: Values[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A scalar or an array that the datapath keeps: no memory holds it, and no stream carries it.

    `element` is the name of its type, `statements` those that read or write it.
    """

    name: str
    element: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedProcess:
    """A process of an accelerator: statements that make one beat together.

    `stages` are the cycles from its operands to its results, `states` the least and the greatest
    value of variables that it keeps from beat to beat, nothing of floats.
    """

    name: str
    statements: tuple[str, ...]
    stages: int
    states: Values[str, tuple[int, ...]]
    multipliers: int
    interval: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPort:
    """A stream of an accelerator: elements of an array of the caller, row by row.

    A frame has all that `extents` declare; where nothing declares them, those that are accessed.
    A beat has several `elements` where one beat of a process writes them, the first in the lowest
    bits.
    """

    name: str
    array: str
    direction: str
    bits: int
    element: str
    extents: tuple[int, ...]
    beats: int
    elements: int = 1

    @property
    def is_whole(self) -> bool:
        """True if all elements of the array go by, and not those alone that are used."""
        return self.beats * self.elements == prod(self.extents)

    @property
    def element_bits(self) -> int:
        """The bits of tdata of an element, with those that fill its bytes."""
        return self.bits // self.elements


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFunction:
    """A function, or an operator of floats, that a `module` of the user's computes.

    It stands in a `file` below rtl/, and takes so many cycles (`latency`).
    """

    name: str
    module: str
    file: str
    latency: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAccelerator:
    """The datapath around the memories, and the module `top` that has both.

    `functions` are those of the processes that the user has modules for.
    """

    top: str
    clock_mhz: int
    processes: tuple[PlannedProcess, ...]
    ports: tuple[PlannedPort, ...]
    functions: tuple[PlannedFunction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """An array parameter that stays outside, `why`, and how many of its elements a step reads.

    `reads_a_step` is None where that is not known.
    """

    why: str
    reads_a_step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRam:
    """The bytes of all objects that the C keeps, the greatest of them where they are (stack, heap
    or static), and of those of its source, None where there is none.

    `overlap` is what runs where arguments overlap that C's order needs apart: none, check, stop or
    refuse. Where C stops of itself, as that takes less than half, `check` are the bytes otherwise.
    """

    bytes: int
    where: str
    source: int | None
    overlap: str
    check: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextArray:
    """An array of C in the order of its text, in cells that are right for that; `at` as for
    HostCells."""

    element: str
    bits: int
    index: tuple[str, ...]
    extents: tuple[QuasiPolynomial, ...] | None
    mapping: StorageMapping
    cell_bytes: int
    at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostText:
    """The order of the text, which C runs in the same workspace where arguments overlap."""

    program: ProgramText
    arrays: Values[str, TextArray]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan:
    """A whole plan. `params` are the values it was made for; `inputs` map files to hashes.

    `context` is the isl set of the parameters it holds for, `program` what conflicts follow from,
    None where the design gives them. `found_order` is there where the hardware runs in another
    order than the text; `remarks` are sentences on the whole. `host_order` is the order of the C,
    None where there is none, `ram` what it keeps, `text` what it runs where arguments overlap, None
    where that has no order of its own. `source` is the order of the user's text that comes back,
    None where none of it changes. `datapath` and `outside` are what no memory
    holds, `accelerator` the datapath that is generated. `paths` are the (input port, output port)
    of every path within a cycle, None without Verilog.
    """

    tool: str
    design: str
    inputs: Values[str, str]
    overrides: tuple[str, ...]
    params: Values[str, int]
    memories: Values[str, Memory]
    arrays: Values[str, ArrayPlan]
    streams: tuple[Stream, ...] = ()
    elastic: tuple[Elastic, ...] = ()
    paths: tuple[tuple[str, str], ...] | None = None
    timing: Timing | None = None
    target: Target | None = None
    found_order: FoundOrder | None = None
    context: str = "{ : }"
    program: ProgramText | None = None
    remarks: tuple[str, ...] = ()
    host_order: HostOrder | None = None
    datapath: tuple[Kept, ...] = ()
    outside: Values[str, Outside] = field(default_factory=dict)
    ram: HostRam | None = None
    text: HostText | None = None
    source: SourceText | None = None
    accelerator: PlannedAccelerator | None = None

    @property
    def order(self) -> str:
        """sequential or iteration; none where there is no program."""
        return "none" if self.program is None else self.program.order

    @property
    def strict(self) -> bool:
        """True if no cell is read and overwritten at one time."""
        return self.program is not None and self.program.strict

    @property
    def slack(self) -> int:
        """The beats of its last reader that a value stays longer."""
        return 0 if self.program is None else self.program.slack

    @property
    def frame(self) -> int | None:
        """The cycles from frame to frame of its accelerator, where they are predicted."""
        return None if self.timing is None else self.timing.frame

    @property
    def has_host_schedule(self) -> bool:
        """True if the C runs at times of its own."""
        return self.host_order is not None and bool(self.host_order.times)

    def __repr__(self) -> str:
        return f"<Plan of {self.design}: {len(self.arrays)} arrays>"

    @property
    def resources(self) -> Cost:
        """Cost of all memories on the target; nothing where there is none."""
        total = Cost()
        for memory in self.memories.values():
            total += memory.resources or Cost()
        return total
