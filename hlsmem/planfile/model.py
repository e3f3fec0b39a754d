"""The plan of a design: mappings, memories, streams and cycles, as plan.json has them."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import field
from math import prod

from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.problem import Bound, ClassFacts
from hlsmem.mapping.model import Mapping
from hlsmem.orders.cuts import Cuts
from hlsmem.planfile.program import ProgramText
from hlsmem.quantity import Quantity
from hlsmem.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What one method offers for an array: cells, or None and the reason."""

    method: str
    cells: int | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BankBoxes:
    """Boxes of an array as declared: box coordinates are floor((x - lower) / sides), 0 <= .. <
    counts. A box holds every bank once (its block of it)."""

    lower: tuple[int, ...]
    sides: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankPlace:
    """Which bank an element is in, and at which offset.

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
    """What serves some operands of an array's read streams: a memory of its own.

    `operands` are those it serves. `takes` are the elements that are written into it, an isl set;
    None: all. `mapping` gives the address of cell 0 and on, from `base`, of a ram, banked or
    registers; with `banks` these say bank and offset. `taps` are the beats between the newest
    element of a chain and each of its operands, `taps_expr` the same in the parameters, None
    where they are not known.
    """

    memory: str
    operands: tuple[Operand, ...] = ()
    takes: str | None = None
    mapping: Mapping | None = None
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
class Share:
    """Some operands of an array and a kind of storage, as `arrays.X.parts` takes them."""

    operands: tuple[Operand, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Another way to hold an array, and why it is not taken.

    `words` are None where there is no such way; `resources` are known for the plan's target,
    `cycles` where the run was predicted with it.
    """

    parts: tuple[Share, ...]
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
class Blocks:
    """Block RAMs that an array takes: `count` on `device`, `least` for its bounds.

    `fewest_cells` is the size of the smallest mapping found.
    """

    device: str
    count: int
    least: int
    fewest_cells: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCandidate:
    """A mapping that C may use: `score` relative to the least, `shape` of the loops with it."""

    method: str
    cells: int
    shape: str
    score: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCells:
    """The cells of an array in the host C, numbered as its loops walk, right for C's `order`.

    `cell_bytes` is the size of one, `at` the byte of the workspace where they start at the plan's
    parameters, None where C has a variable. `front` are the candidates of which no other has
    fewer cells and a better score, where there was a choice. Where the mapping does not hold for
    all parameters, `way_out` is the one of fewest cells that does, if there is any. `is_given` says
    that the design chose it.
    """

    mapping: Mapping
    order: str
    cell_bytes: int
    at: int | None
    shape: str
    score: str
    front: tuple[HostCandidate, ...]
    way_out: HostCandidate | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictText:
    """Conflicts of an array as isl texts: all a - b over conflicting elements a and b.

    `pairs` and `elements` are there where the design gives them in place of a program.
    """

    differences: str
    pairs: str | None = None
    elements: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPlan:
    """The plan of one array. `declared` and `extents` are None where nothing declares its size.

    `conflicts` are those that the mapping separates, None where their text would be too long.
    `remark` says in one line why an array does not fold; empty where it does.
    `cells_without_slack` is what slack 0 would need, where the plan has slack;
    `cells_of_any_form` what would do without plan.round and plan.dimensions, where set;
    `blocks` what the cells take of the device, where blocks are what is made small.
    `parts` are what holds it in hardware, `rejected` the other ways, the cheapest first.
    `orders` is the class of orders that the mapping is right for, None for the own order.
    `host` is what the host C uses in place of the mapping, None where there is no host C or it
    uses the mapping as it is. `state` says that its cells are kept from run to run.
    """

    name: str
    element: str
    bits: int
    index: tuple[str, ...]
    declared: Quantity | None
    declared_cells: int | None
    bounds: tuple[Bound, ...]
    mapping: Mapping
    parts: tuple[Part, ...]
    candidates: tuple[Candidate, ...] = ()
    remark: str = ""
    cells_without_slack: int | None = None
    cells_of_any_form: int | None = None
    blocks: Blocks | None = None
    rejected: tuple[Rejected, ...] = ()
    orders: ClassFacts | None = None
    extents: tuple[Quantity, ...] | None = None
    conflicts: ConflictText | None = None
    host: HostCells | None = None
    state: bool = False

    def max_live(self) -> int | None:
        """The max-live bound in cells, where the input has lifetimes."""
        return next((bound.cells for bound in self.bounds if bound.kind == "max-live"), None)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The predicted run of the Verilog without stalls, or why there is none.

    `cycles` from start to the fall of busy, `interval` cycles per step once the pipeline is
    full, `reason` why that is more than 1, or why nothing is predicted (then both numbers are
    None). `asked` is the interval that the design asks for, None if it does not.
    `output_register` says that RAMs are read through one, a cycle later. Where beats are
    of instances alone that run, `cycles` bounds all runs, `interval` is None, `reason` is that of a
    run of all instances, and `runs` are some: the seed of what decides in one, and its cycles; None
    where all runs take the same.
    """

    cycles: int | None
    interval: float | None
    reason: str | None = None
    asked: int | None = None
    output_register: bool = False
    runs: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedOrders:
    """How `schedule: search` went: whether it ended, or was cut after `work` choices."""

    complete: bool
    work: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOrder:
    """An order that C has of its own: times of statements, isl maps.

    `cuts` are what its loops are cut into, by statement; `machine` are the sizes that were read
    of the machine that planned, in KiB and bits, where the design asks for it.
    """

    times: Values[str, str]
    cuts: Values[str, Cuts] = field(default_factory=dict)
    machine: Values[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan:
    """A whole plan. `params` are the values it was made for; `inputs` map files to hashes.

    `context` is the isl set of the parameters it holds for, `program` what conflicts follow from,
    None where the design gives them.
    `search` says how its order was found, None where it was given; `remarks` are sentences on the
    whole. `host_order` is the order that C has of its own, None where it keeps the given. `paths`
    are the (input port, output port) of every path within a cycle, None without Verilog.
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
    search: SearchedOrders | None = None
    context: str = "{ : }"
    program: ProgramText | None = None
    remarks: tuple[str, ...] = ()
    host_order: HostOrder | None = None

    @property
    def order(self) -> str:
        """sequential or iteration; none where there is no program."""
        return "none" if self.program is None else self.program.order

    @property
    def strict(self) -> bool:
        """Whether no cell is read and overwritten at one time."""
        return self.program is not None and self.program.strict

    @property
    def slack(self) -> int:
        """The beats of its last reader that a value stays longer."""
        return 0 if self.program is None else self.program.slack

    def __repr__(self) -> str:
        return f"<Plan of {self.design}: {len(self.arrays)} arrays>"

    @property
    def resources(self) -> Cost:
        """What all memories take of the target; nothing where there is none."""
        total = Cost()
        for memory in self.memories.values():
            total += memory.resources or Cost()
        return total
