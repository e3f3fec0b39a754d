"""Banks that serve all reads of a beat: which there are for some operands, or why none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import BankedStorage, Boxes
from hlsmem.banks.cycle_accesses import CycleAccesses, cycle_accesses
from hlsmem.banks.cyclic import BlockCyclicBanks
from hlsmem.core.errors import InputError, LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Style
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.plan import BankBoxes, BankPlace
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program
from hlsmem.storage.banked.banked_cost import bank_cost
from hlsmem.timing.lanes import lanes_of

if TYPE_CHECKING:
    import numpy as np

    from hlsmem.banks.bank_search import BankOption, BankRequest

# Differences of conflicts up to which folding is looked for inside bank lattices: of a candidate
# among others, and of banks that the design asks for where folding saves half of the array or
# more. Then the work that search may take for one lattice.
_FEW_DIFFERENCES = 4096
_MOST_DIFFERENCES = 1 << 20
_FOLDING_BUDGET = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BankQuestion:
    """An array that is folded into `cells`, and what its banks have to keep to.

    `device` is None where none is named. `is_asked`: the design asks for banks; they need not be
    found as quickly as a candidate among others.
    """

    program: Program
    problem: StorageProblem
    cells: int
    device: str | None = None
    max_banks: int | None = None
    is_asked: bool = False

    @property
    def array(self) -> str:
        return self.problem.array.name

    @property
    def bits(self) -> int:
        return self.problem.array.element.bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Banking:
    """Banks of an array: where its elements are, for each of `streams` read streams, and how.

    `text` says what they are.
    """

    place: BankPlace
    streams: int
    text: str


def find_banking(request: BankQuestion) -> Banking | str:
    """The banks of an array of those with Verilog, or why there are none.

    The cheapest on a device; without one the fewest banks, then the fewest words. Raises
    InputError where `max_banks`, set to 2 or more, are too few for what a cycle accesses.
    """
    if request.cells == 1:
        return "it has one cell"
    try:
        reads = _reads(request)
    except LimitError as error:
        return error.problems[0].what
    if all(accesses.most <= 1 for accesses in reads):
        return "no beat reads more than one element of it"
    if not _one_a_beat(request):
        return "unrolled, a beat writes several elements"
    if request.max_banks == 1:
        return "max_banks is 1"
    found = _bank_options(request, reads)
    if isinstance(found, str):
        return found
    buildable = [option for option in found if is_buildable(option)]
    if not buildable:
        return "only a table would do, which has no Verilog"
    option = buildable[0]
    if request.device is not None:
        device, style = request.device, Style(request.problem.array.style)
        rank = family_of(device).rank
        option = min(
            buildable, key=lambda one: rank(bank_cost(device, style, request.bits, one, reads)[1])
        )
    place = bank_place(option.storage)
    assert place is not None
    storage = option.storage
    of_each = counted(storage.words_per_bank, "word")
    text = f"{storage.banks.banks} {option.scheme} banks of {of_each}"
    return Banking(place=place, streams=len(reads), text=f"{text} ({option.standing})")


def _one_a_beat(request: BankQuestion) -> bool:
    """True if its write port takes a whole beat: one element, however loops are unrolled."""
    return not request.program.lanes or all(
        sum(1 for _ in lanes_of(request.program, statement)) == 1
        for statement in request.program.statements
        if any(access.array == request.array for access in statement.writes)
    )


def _bank_options(
    request: BankQuestion, reads: Sequence[CycleAccesses]
) -> tuple[BankOption, ...] | str:
    """Banks that serve every stream's reads of a cycle; or why there are none."""
    from hlsmem.banks.bank_search import find_banks

    asked = _bank_request(request, reads)
    if isinstance(asked, str):
        return asked
    try:
        return find_banks(asked).options
    except LimitError as error:
        return str(error)
    except InputError as error:
        place = request.problem.array.source_location
        raise InputError(*(replace(one, source_location=place) for one in error.problems)) from None


def is_buildable(option: BankOption) -> bool:
    """True if there is Verilog for such banks: not for tables, nor blocks without a 1."""
    from hlsmem.banks.bank_layout import TableBanks
    from hlsmem.banks.cyclic import BlockCyclicBanks

    banks = option.storage.banks
    if isinstance(banks, BlockCyclicBanks):
        return 1 in banks.vector
    return not isinstance(banks, TableBanks)


def _reads(request: BankQuestion) -> list[CycleAccesses]:
    """Accesses of the read streams in a cycle: each has ports of its own."""
    found = cycle_accesses(request.program, request.array, apart=True)
    return [accesses for accesses in found if not accesses.writes]


def _bank_request(request: BankQuestion, reads: Sequence[CycleAccesses]) -> BankRequest | str:
    """The search for banks of all streams' cycles; or why there is none."""
    from hlsmem.banks.bank_search import BankRequest

    bounds = _box(request)
    if bounds is None:
        return "the array has no end that is known"
    asked = BankRequest(
        array=request.array,
        patterns=tuple(dict.fromkeys(one for accesses in reads for one in accesses.patterns)),
        lower=bounds[0],
        upper=bounds[1],
        max_banks=request.max_banks,
    )
    extent = 1
    for size in asked.extents:
        extent *= size
    if request.cells >= extent:
        return asked
    saves_little = 2 * request.cells > extent
    is_worth_it = request.is_asked and not saves_little
    most = _MOST_DIFFERENCES if is_worth_it else _FEW_DIFFERENCES
    differences = _differences(request.problem, most)
    if differences is None and saves_little:
        return asked
    if differences is None:
        return f"more than {most} differences to fold in banks"
    least = max((bound.cells for bound in request.problem.bounds), default=1)
    return replace(
        asked, differences=differences, least_cells=max(1, least), budget=_FOLDING_BUDGET
    )


def _box(request: BankQuestion) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
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


def _differences(problem: StorageProblem, most: int) -> np.ndarray | None:
    """One of each pair z, -z of differences of conflicting elements, without 0; None: too many."""
    from hlsmem.mapping.listed_conflicts import half_differences

    here: Any = fix_parameters(problem.differences, problem.values)
    if not here.is_bounded() or count(here) > 2 * most:
        return None
    return half_differences(here, most)


def bank_place(storage: BankedStorage) -> BankPlace | None:
    """Banks as plan.json has them; None for a table, and for blocks along a vector without a 1.

    Where a vector a has a 1 in dimension k, the remainder by the lattice { x : a.x = 0 } whose
    last pivot is in k is a.x modulo its index itself.
    """
    boxes, folded = None, None
    if isinstance(storage.offsets, Boxes):
        own = storage.offsets
        boxes = BankBoxes(own.lower, own.sides, own.counts)
    else:
        folded = storage.offsets.storage
    banks, block = storage.banks, 1
    if isinstance(banks, BlockCyclicBanks):
        if 1 not in banks.vector:
            return None
        size, last = len(banks.vector), banks.vector.index(1)
        order = (*(k for k in range(size) if k != last), last)
        block = banks.block
        banks = LatticeBanks.linear(banks.vector, banks.banks * block, order)
    if not isinstance(banks, LatticeBanks):
        return None
    return BankPlace(basis=banks.basis, block=block, storage=folded, boxes=boxes)
