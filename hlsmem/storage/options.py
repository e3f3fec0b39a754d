"""How an array can be stored, each way with its cost in primitives of a device.

One memory, a FIFO, copies of a memory for more reads a cycle, banks, banks by a table, or a reuse
chain. Compared are RAM blocks first, then logic. Every read stream goes at its own pace: banks and
copies serve the accesses of its cycles alone, a chain moves all of them on together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.banks.accesses import CycleAccesses, cycle_accesses
from hlsmem.devices import family_of
from hlsmem.devices.inference import Implementation, implement
from hlsmem.devices.primitives import Cost, Style
from hlsmem.errors import InputError, LimitError, Problem
from hlsmem.lifetime.problem import StorageProblem
from hlsmem.order.unroll import lanes_of
from hlsmem.places import Place
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program import Array, Order, Program
from hlsmem.storage.banked.cost import bank_cost
from hlsmem.storage.chain.circuit import build_chain
from hlsmem.storage.chain.delays import Chain, chain_of
from hlsmem.storage.chain.find import NoChain
from hlsmem.wording import counted

if TYPE_CHECKING:
    import numpy as np

    from hlsmem.banks.search import BankOption, BankRequest

# Differences of conflicts up to which folding is looked for inside bank lattices, and the
# work that search may take for one lattice.
_MOST_DIFFERENCES = 4096
_FOLDING_BUDGET = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageRequest:
    """An array that is folded into `cells`, and what its storage has to keep to.

    `copies` is the number of memories that its streams take without banks; `interval` is the
    number of cycles a step may take. `distances` are those of its chain, where they are known
    already. `slack` is that of the plan. `no_fifo` says why no FIFO holds it, "" where one does.
    """

    program: Program
    problem: StorageProblem
    cells: int
    copies: int
    device: str
    style: Style = Style.AUTO
    max_banks: int | None = None
    interval: int = 1
    distances: tuple[int, ...] | None = None
    slack: int = 0
    no_fifo: str = "its beats are not known"

    @property
    def array(self) -> str:
        return self.problem.array.name

    @property
    def bits(self) -> int:
        return self.problem.array.element.bits


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageOption:
    """One way to store an array, or why it cannot be (`reason`; then there is no cost).

    `kind`: single, fifo, copies, banks, table or chain. `words` are all words in `banks` banks of
    `copies` memories; `cell` and `count` name the primitives they take. `available`: Verilog
    can be made for it.
    """

    kind: str
    words: int = 0
    banks: int = 1
    copies: int = 1
    cell: str = ""
    count: int = 0
    cost: Cost = field(default_factory=Cost)
    available: bool = False
    text: str = ""
    reason: str = ""
    detail: tuple[BankOption, ...] | Chain | None = field(default=None, compare=False)


def storage_options(request: StorageRequest) -> tuple[StorageOption, ...]:
    """Every way to store an array, the cheapest first.

    Raises InputError for a device or style that does not exist, and where `max_banks`, set to
    2 or more, are too few for what a cycle accesses.
    """
    found = [_copies(request)]
    try:
        reads = _reads(request)
    except LimitError as error:
        found.append(StorageOption(kind="banks", reason=error.problems[0].what))
    else:
        if any(accesses.most > request.interval for accesses in reads):
            found += _banked(request, reads)
    found.append(_chain(request))
    if request.copies == 1:
        found.append(_fifo(request))
    family = family_of(request.device)
    return tuple(sorted(found, key=lambda one: (bool(one.reason), family.rank(one.cost))))


def _copies(request: StorageRequest) -> StorageOption:
    """A memory for every element that a cycle of some stream reads."""
    copies = request.copies
    made = implement(request.device, request.cells, request.bits, style=request.style)
    words = counted(request.cells, "word")
    return StorageOption(
        kind="copies" if copies > 1 else "single",
        words=request.cells * copies,
        copies=copies,
        cell=made.cell,
        count=made.count * copies,
        cost=made.cost * copies,
        available=_one_a_beat(request),
        text=f"{words} in {copies} copies" if copies > 1 else words,
    )


def _one_a_beat(request: StorageRequest) -> bool:
    """Whether its write port takes what a beat writes: one element, however loops are unrolled."""
    return not request.program.lanes or all(
        sum(1 for _ in lanes_of(request.program, statement)) == 1
        for statement in request.program.statements
        if any(access.array == request.array for access in statement.writes)
    )


def _chain(request: StorageRequest) -> StorageOption:
    chain = _found_chain(request)
    if isinstance(chain, str):
        return StorageOption(kind="chain", reason=chain)
    lines = chain.delay_lines(wide=family_of(request.device).wide_lines)
    made = [implement(request.device, one.words, one.bits, collision=False) for one in lines]
    in_lanes = f" in {len(chain.lanes)} lanes" if len(chain.lanes) > 1 else ""
    stepwise = request.program.order is Order.ITERATION
    return StorageOption(
        kind="chain",
        words=chain.words + len(chain.lanes),
        cell=" ".join(sorted({ram.cell for ram in made})) or "flip-flops",
        count=sum(ram.count for ram in made),
        cost=chain.cost(request.device),
        available=stepwise,
        text=f"{counted(len(chain.distances), 'tap')}{in_lanes},"
        f" {counted(len(lines), 'delay line')}" + ("" if stepwise else "; with order: iteration"),
        detail=chain,
    )


def _fifo(request: StorageRequest) -> StorageOption:
    """A RAM of the cells whose pointers are addresses and gates in one."""
    if request.no_fifo:
        return StorageOption(kind="fifo", reason=request.no_fifo)
    made = implement(
        request.device, request.cells, request.bits, style=request.style, collision=False
    )
    return StorageOption(
        kind="fifo",
        words=request.cells,
        cell=made.cell,
        count=made.count,
        cost=made.cost,
        available=True,
        text=counted(request.cells, "word"),
    )


def _found_chain(request: StorageRequest) -> Chain | str:
    """The chain, or why there is none."""
    if request.distances is not None:
        return chain_of(request.distances, request.bits, prod(request.program.lanes))
    if request.slack:
        return "its handshake passes through in a cycle, which plan.slack rules out"
    try:
        found = build_chain(request.program, request.problem.array)
    except (InputError, LimitError) as error:
        return str(error)
    return found.reason if isinstance(found, NoChain) else found.chain


def _banked(request: StorageRequest, reads: Sequence[CycleAccesses]) -> Iterator[StorageOption]:
    """Banks of the schemes there are: those for lattices and blocks, and those by a table."""
    if request.max_banks == 1:
        yield StorageOption(kind="banks", reason="max_banks is 1")
        return
    if request.interval > 1:  # banks that serve a cycle serve several, too
        yield from _banked(replace(request, interval=1), reads)
    found = _bank_options(request, reads)
    if isinstance(found, str):
        if request.interval == 1:
            yield StorageOption(kind="banks", reason=found)
        return
    rank = family_of(request.device).rank
    for kind in ("banks", "table"):
        own = [o for o in found if (o.scheme == "table") == (kind == "table")]
        costs = [
            (option, *bank_cost(request.device, request.style, request.bits, option, reads))
            for option in own
        ]
        if costs:
            option, rams, cost = min(costs, key=lambda one: rank(one[2]))
            yield _of_banks(request, kind, option, rams, cost, len(reads))


def _bank_options(
    request: StorageRequest, reads: Sequence[CycleAccesses]
) -> tuple[BankOption, ...] | str:
    """Banks that serve every stream's reads of a cycle; or why there are none."""
    from hlsmem.banks.search import find_banks

    asked = _bank_request(request, reads)
    if isinstance(asked, str):
        return asked
    try:
        return find_banks(asked).options
    except LimitError as error:
        return str(error)
    except InputError as error:
        place = request.problem.array.place
        raise InputError(*(replace(one, place=place) for one in error.problems)) from None


def banks_asked_for(request: StorageRequest) -> BankOption | str:
    """The banks of an array whose design asks for them, of those with Verilog; or why none.

    Without costs it is the fewest banks, then the fewest words. Raises InputError where
    `max_banks` are too few.
    """
    try:
        reads = _reads(request)
    except LimitError as error:
        return error.problems[0].what
    if all(accesses.most <= 1 for accesses in reads):
        return "no beat reads more than one element of it"
    if request.max_banks == 1:
        return "max_banks is 1"
    found = _bank_options(request, reads)
    if isinstance(found, str):
        return found
    none = "only a table would do, which has no Verilog"
    return next((option for option in found if is_buildable(option)), none)


def streams_reading(request: StorageRequest) -> int:
    """How many read streams an array has: each has all words for itself."""
    return len(_reads(request))


def is_buildable(option: BankOption) -> bool:
    """Whether there is Verilog for such banks: not for tables, nor blocks without a 1."""
    from hlsmem.banks.cyclic import BlockCyclicBanks
    from hlsmem.banks.layout import TableBanks

    banks = option.storage.banks
    if isinstance(banks, BlockCyclicBanks):
        return 1 in banks.vector
    return not isinstance(banks, TableBanks)


def _reads(request: StorageRequest) -> list[CycleAccesses]:
    """What the read streams access in a cycle: each has ports of its own."""
    found = cycle_accesses(request.program, request.array, apart=True)
    return [accesses for accesses in found if not accesses.writes]


def _bank_request(request: StorageRequest, reads: Sequence[CycleAccesses]) -> BankRequest | str:
    """The search for banks of all streams' cycles; or why there is none."""
    from hlsmem.banks.search import BankRequest

    if any(accesses.in_pairs for accesses in reads) and request.interval > 1:
        return "steps are of too many kinds to share ports over several cycles"
    bounds = _box(request)
    if bounds is None:
        return "the array has no end that is known"
    asked = BankRequest(
        array=request.array,
        patterns=tuple(dict.fromkeys(one for accesses in reads for one in accesses.patterns)),
        lower=bounds[0],
        upper=bounds[1],
        ports=request.interval,
        max_banks=request.max_banks,
    )
    extent = 1
    for size in asked.extents:
        extent *= size
    if request.cells >= extent:
        return asked
    differences = _differences(request.problem)
    if differences is None and 2 * request.cells > extent:
        return asked  # little to gain by folding
    if differences is None:
        return f"more than {_MOST_DIFFERENCES} differences to fold in banks"
    least = max((bound.cells for bound in request.problem.bounds), default=1)
    return replace(
        asked, differences=differences, least_cells=max(1, least), budget=_FOLDING_BUDGET
    )


def _box(request: StorageRequest) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The least box around the elements of the array, at the plan's parameters."""
    elements = request.problem.elements
    if elements is None:
        return None
    here = fix_parameters(elements, request.problem.values)
    if here.is_empty() or not here.is_bounded():
        return None
    size = len(request.problem.array.index)
    lower = tuple(here.dim_min_val(k).to_python() for k in range(size))
    upper = tuple(here.dim_max_val(k).to_python() for k in range(size))
    return (lower, upper) if size else None


def _differences(problem: StorageProblem) -> np.ndarray | None:
    """One of each pair z, -z of differences of conflicting elements, without 0."""
    from hlsmem.mapping.listing import half_differences

    here: Any = fix_parameters(problem.differences, problem.values)
    if not here.is_bounded() or count(here) > 2 * _MOST_DIFFERENCES:
        return None
    return half_differences(here, _MOST_DIFFERENCES)


def _of_banks(
    request: StorageRequest,
    kind: str,
    option: BankOption,
    rams: Sequence[Implementation],
    cost: Cost,
    streams: int,
) -> StorageOption:
    storage = option.storage
    several = f" for each of {streams} streams" if streams > 1 else ""
    text = (
        f"{storage.banks.banks} {option.scheme} banks of"
        f" {counted(storage.words_per_bank, 'word')}"
        f" ({option.standing}){several}"
    )
    if request.interval > 1:
        text += f", read over {request.interval} cycles"
    return StorageOption(
        kind=kind,
        words=storage.words * streams,
        banks=storage.banks.banks,
        copies=streams,
        cell=" ".join(sorted({ram.cell for ram in rams})),
        count=sum(ram.count for ram in rams),
        cost=cost,
        available=is_buildable(option) and request.interval == 1 and _one_a_beat(request),
        text=text,
        detail=(option,),
    )


def require_target(device: str, place: Place | None, arrays: Iterable[Array]) -> None:
    """Raise InputError for a device, named at `place`, or a style of an array that it has not."""
    problems: list[Problem] = []
    try:
        family_of(device)
    except InputError as error:
        raise InputError(*(replace(problem, place=place) for problem in error.problems)) from None
    for array in arrays:
        try:
            implement(device, 16, 8, style=Style(array.style))
        except InputError as error:
            problems += [
                replace(problem, what=f"{array.name!r}: {problem.what}", place=array.place)
                for problem in error.problems
            ]
    if problems:
        raise InputError(*problems)
