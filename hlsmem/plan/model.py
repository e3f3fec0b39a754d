"""The plan of a design: mappings, memories, streams and cycles, as plan.json has them."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import dataclass
from math import prod

from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.problem import Bound, ClassFacts
from hlsmem.mapping.model import Mapping
from hlsmem.quantity import Quantity


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayPlace:
    """Where an array's cells stand: the memory, and the address of cell 0 or the banks."""

    memory: str
    base: int = 0
    banks: BankPlace | None = None


@dataclass(frozen=True, slots=True)
class Primitive:
    """The RAM cells that synthesis takes for a memory, as the target calls them, and how many."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory: `words` of `bits` in all its copies and banks.

    `kind`: ram, registers, chain, fifo, or banks, where each of the `copies` has all words: in
    `banks` RAMs of its own for a stream that reads several at once, else in one.
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
class Alternative:
    """Another way to store an array on the plan's target, or why it cannot be (`reason`).

    `kind`: single, fifo, copies, banks, table or chain. `available` says whether Verilog can be
    made for it; where it can, `text` says what it is and what it needs.
    """

    kind: str
    words: int | None = None
    banks: int = 1
    copies: int = 1
    primitive: Primitive | None = None
    resources: Cost | None = None
    available: bool = False
    text: str = ""
    reason: str | None = None


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
class ArrayPlan:
    """The plan of one array. `declared` is None where nothing declares its size.

    `remark` says in one line why an array does not fold; empty where it does.
    `cells_without_slack` is what slack 0 would need, where the plan has slack;
    `cells_of_any_form` what would do without plan.round and plan.dimensions, where set;
    `blocks` what the cells take of the device, where blocks are what is made small.
    `alternatives` are the ways to store it, the cheapest first, where the plan has a target.
    `orders` is the class of orders that the mapping is right for, None for the own order.
    """

    name: str
    element: str
    bits: int
    index: tuple[str, ...]
    declared: Quantity | None
    declared_cells: int | None
    bounds: tuple[Bound, ...]
    mapping: Mapping
    place: ArrayPlace
    candidates: tuple[Candidate, ...] = ()
    remark: str = ""
    cells_without_slack: int | None = None
    cells_of_any_form: int | None = None
    blocks: Blocks | None = None
    alternatives: tuple[Alternative, ...] = ()
    orders: ClassFacts | None = None

    def max_live(self) -> int | None:
        """The max-live bound in cells, where the input has lifetimes."""
        return next((bound.cells for bound in self.bounds if bound.kind == "max-live"), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One stream: `s_` into the memory (writes), `m_` out of it (reads); one beat an instance.

    `statement` is None for the fill and the drain of a memory, which have a beat an element.
    """

    name: str
    array: str
    statement: str | None
    beats: int
    operands: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The predicted run of the Verilog without stalls, or why there is none.

    `cycles` from start to the fall of busy, `interval` cycles per step once the pipeline is
    full, `reason` why that is more than 1, or why nothing is predicted (then both numbers are
    None). `asked` is the interval that the design asks for, None if it does not.
    `output_register` says that RAMs are read through one, a cycle later.
    """

    cycles: int | None
    interval: float | None
    reason: str | None = None
    asked: int | None = None
    output_register: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A whole plan. `params` are the values it was made for; `inputs` map files to hashes."""

    tool: str
    design: str
    inputs: Values[str, str]
    overrides: tuple[str, ...]
    params: Values[str, int]
    order: str
    strict: bool
    slack: int
    memories: Values[str, Memory]
    arrays: Values[str, ArrayPlan]
    streams: tuple[Stream, ...] = ()
    timing: Timing | None = None
    target: Target | None = None

    @property
    def resources(self) -> Cost:
        """What all memories take of the target; nothing where there is none."""
        total = Cost()
        for memory in self.memories.values():
            total += memory.resources or Cost()
        return total
