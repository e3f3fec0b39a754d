"""Ways to hold an array: partitions of its operands, each block in the kind that costs least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.portfolio import Choice
from hlsmem.program.conditional_writes import may_hold_several_values
from hlsmem.program.model import Program, Storage
from hlsmem.storage.array_parts import Block, is_divisible, operands_of
from hlsmem.storage.banked.kind import Banked
from hlsmem.storage.kind import NotAllocated
from hlsmem.storage.kinds import KINDS, SEARCHED, Allocation, kind_named
from hlsmem.storage.kinds import asked_for as kinds_for
from hlsmem.storage.partition_requests import Conditions, PartitionRequest, partition_request
from hlsmem.storage.ram.kind import Ram
from hlsmem.storage.wire.kind import Wire

# Blocks of operands up to which pairs of them are merged.
MOST_BLOCKS = 8

# LUTs of a write that goes to several parts, and of reads that are joined, a part.
JUNCTION_LUTS = 6
# Words that a part more has to save where no target says what its control takes.
PART_WORDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One way to hold an array: blocks of operands with what holds each, in order."""

    array: str
    shares: tuple[tuple[Block, Allocation], ...]

    @property
    def words(self) -> int:
        return sum(held.words for _, held in self.shares)

    @property
    def order(self) -> tuple[int, ...]:
        """Key that decides among equals: few parts, then kinds of little logic."""
        return (len(self.shares), *(KINDS.index(type(held)) for held in self.held))

    @property
    def held(self) -> tuple[Allocation, ...]:
        """The allocation of each block."""
        return tuple(held for _, held in self.shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible:
    """A kind of storage that cannot hold some operands, and why."""

    block: Block
    kind: type[Allocation]
    reason: str


Figures = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The plan's objective, as figures that can be added up.

    `auto` with a target is LUTs and blocks at the family's rate, then words; without, words.
    """

    objective: str
    device: str | None

    def of(self, candidate: Candidate, cost: Cost | None) -> Figures:
        """The figures of a candidate whose memories take `cost`."""
        words = sum(held.words - held.newest for held in candidate.held)
        words += PART_WORDS * (len(candidate.shares) - 1)
        control = sum(held.control_luts for held in candidate.held)
        control += JUNCTION_LUTS * len(candidate.shares) * (len(candidate.shares) > 1)
        return self.figures(words, cost, control)

    def figures(self, words: int, cost: Cost | None, control: int = 0) -> Figures:
        """Those of words that take `cost`, and LUTs of what controls them."""
        if self.device is None or cost is None or self.objective == "words":
            return (words,)
        luts, blocks = cost.luts + control, cost.blocks + 16 * cost.large
        if self.objective == "blocks":
            return (blocks, luts, words)
        registers = cost.flip_flops / 2  # two flip-flops stand beside every two LUTs
        return (luts + registers + family_of(self.device).rate * blocks, words)


class Finder:
    """The candidates of one array; what was found for a block of operands is kept."""

    def __init__(
        self,
        program: Program,
        problem: StorageProblem,
        choice: Choice,
        conditions: Conditions,
        ranking: Ranking,
    ) -> None:
        self.program, self.array, self.ranking = program, problem.array, ranking
        self.conditions = conditions
        self.operands = operands_of(program, self.array)
        self.shares: dict[Block, PartitionRequest] = {
            self.operands: PartitionRequest(
                program=program,
                array=self.array,
                block=self.operands,
                conditions=conditions,
                source=program,
                whole=(problem, choice),
            )
        }
        bounds = [bound.cells for bound in problem.bounds if bound.kind == "max-live"]
        self.least_words = max(bounds, default=1)

    def rank(self, candidate: Candidate) -> Figures:
        """Best possible rank of a candidate that is not built."""
        device, cost = self.conditions.device, None
        if device is not None:
            cost = sum((held.at_least(self.array, device) for held in candidate.held), Cost())
        return (*self.ranking.of(candidate, cost), *candidate.order)

    def request(self, block: Block) -> PartitionRequest:
        if block not in self.shares:
            self.shares[block] = partition_request(self.program, self.array, block, self.conditions)
        return self.shares[block]

    def candidates(self) -> tuple[list[Candidate], list[Impossible]]:
        """All that were found, those that cost least first, and the kinds that cannot be.

        Raises InputError where the design asks for what cannot be.
        """
        array = self.array
        if array.storage is Storage.STATE:
            return self.staying()
        uncertain = may_hold_several_values(self.program, array.name)
        if array.parts and not isinstance(array.parts, str):
            if uncertain and any(kind != Ram.name for _, kind in array.parts):
                raise InputError(self.undecided())
            return [self.asked_for(array.parts)], []
        if uncertain:  # what passes by would be one of several values
            if Ram not in kinds_for(array.reads):
                raise InputError(self.undecided())
            found, impossible = self.whole((Ram,))
            others = (kind for kind in SEARCHED if kind not in (Ram, Wire))
            reason = "data decide which of its beats come"
            impossible += [
                Impossible(block=self.operands, kind=kind, reason=reason) for kind in others
            ]
            return found, impossible
        if self.conditions.addressed:
            return self.whole(tuple(kind for kind in SEARCHED if kind.has_mapping))
        if self.conditions.channels == "dedicated" and array.reads == array.parts == "auto":
            made = self.dedicated()
            if made:
                return sorted(dict.fromkeys(made), key=self.rank), []
        found, impossible = self.whole(self.kinds)
        best = min(found, key=self.rank, default=None)
        several = len(self.operands) > 1 and is_divisible(self.program, array)
        if array.parts in ("streams", "operands") and several:
            one = self.divided(self.by_stream() if array.parts == "streams" else self.apart())
            if one is None:
                raise InputError(self.unheld())
            found = [one]
        elif array.parts == "auto" and array.reads == "auto" and several:
            if not self.least(best):
                found += list(self.partitions())
            elif self.may_wait_apart() and (one := self.divided(self.by_stream())) is not None:
                found.append(one)
        return sorted(dict.fromkeys(found), key=self.rank), impossible

    def staying(self) -> tuple[list[Candidate], list[Impossible]]:
        """State is in one RAM: in each run its elements are where the run before left them."""
        array = self.array
        if array.reads not in ("auto", Ram.reads) or array.parts not in ("auto", "one"):
            asked = "reads" if array.reads not in ("auto", Ram.reads) else "parts"
            what = f"{array.name!r} is state, which stays in the cells of one RAM"
            raise InputError(
                Problem(what, f"leave out arrays.{array.name}.{asked}", array.source_location)
            )
        return self.whole((Ram,))

    @property
    def kinds(self) -> tuple[type[Allocation], ...]:
        """The kinds that `plan.channels` leaves: of memory those with addresses."""
        if self.conditions.channels == "memory" and self.array.reads == "auto":
            return tuple(kind for kind in SEARCHED if kind.has_mapping)
        return SEARCHED

    def dedicated(self) -> list[Candidate]:
        """Channels of their own, or chains of several: memories for single operands alone.

        None where no such candidate is there: the array is a memory of several operands.
        """
        held = [self.request(self.operands).of(kind) for kind in SEARCHED if not kind.has_mapping]
        found = [
            self.candidate(((self.operands, one),))
            for one in held
            if not isinstance(one, NotAllocated)
        ]
        several = len(self.operands) > 1
        if several and is_divisible(self.program, self.array):
            found += self.partitions()
        elif not several and not found:
            return self.whole()[0]
        return [one for one in found if all(_is_dedicated(*request) for request in one.shares)]

    def least(self, best: Candidate | None) -> bool:
        """True if no partition can take fewer words, and none less logic: one chain or FIFO."""
        if best is None or best.held[0].mapping is not None:
            return False
        return best.words <= self.least_words + max(1, prod(self.program.lanes))

    def may_wait_apart(self) -> bool:
        """True if wide beats may wait for other arrays where the elements are one each.

        In front of a part that has the operands of one stream alone an element waits once.
        """
        planned = {array.name for array in self.program.planned_arrays()}
        readers = [
            Counter(access.array for access in statement.reads)
            for statement in self.program.statements
            if any(access.array == self.array.name for access in statement.reads)
        ]
        return len(readers) > 1 and any(
            reads[self.array.name] > 1 and (reads.keys() & planned) != {self.array.name}
            for reads in readers
        )

    def undecided(self) -> Problem:
        """Why an array under conditions is in no other storage than a RAM."""
        name = self.array.name
        return Problem(
            f"{name!r} cannot be held as asked: data decide which of its beats come, and only a RAM"
            " has a cell for each element",
            f"leave out arrays.{name}.reads and arrays.{name}.parts, or set reads: copies",
            self.array.source_location,
        )

    def unheld(self) -> Problem:
        """Why an array is not in parts as asked: a method has no mapping of a part."""
        name = self.array.name
        return Problem(
            f"{name!r} cannot be in parts: the method that was asked for has no mapping of one",
            f"leave out arrays.{name}.parts, or set plan.method: auto",
            self.array.source_location,
        )

    def whole(
        self, allowed: Sequence[type[Allocation]] = SEARCHED
    ) -> tuple[list[Candidate], list[Impossible]]:
        """All operands in one part, by every kind that is allowed and not ruled out."""
        asked = kinds_for(self.array.reads)
        kinds = tuple(kind for kind in asked if kind in allowed) or asked
        request = self.request(self.operands)
        if self.array.max_banks == 1:
            kinds = tuple(kind for kind in kinds if kind is not Banked) or kinds
        found, impossible = [], []
        for kind in kinds:
            held = request.of(kind)
            if isinstance(held, NotAllocated) and kind is Wire:
                continue  # few arrays are: it is told where one is asked for
            if isinstance(held, NotAllocated):
                impossible.append(Impossible(block=self.operands, kind=kind, reason=held.reason))
            else:
                found.append(self.candidate(((self.operands, held),)))
        if not found:
            raise InputError(self.refusal(impossible))
        return found, impossible

    def refusal(self, impossible: Sequence[Impossible]) -> Problem:
        array = self.array
        one = impossible[0]
        return Problem(
            f"{array.name!r} cannot be in {one.kind.called}: {one.reason}",
            f"leave out arrays.{array.name}.reads, or set it to copies",
            array.source_location,
        )

    def by_stream(self) -> tuple[Block, ...]:
        """The operands of every read stream together."""
        streams = dict.fromkeys(stream for stream, _ in self.operands)
        return tuple(tuple(o for o in self.operands if o[0] == stream) for stream in streams)

    def apart(self) -> tuple[Block, ...]:
        """Every operand alone."""
        return tuple((operand,) for operand in self.operands)

    def partitions(self) -> Iterator[Candidate]:
        """By stream, by operand, and by merging blocks of operands as long as that costs less."""
        streams, apart = self.by_stream(), self.apart()
        if 1 < len(streams) < len(apart) and (one := self.divided(streams)) is not None:
            yield one
        if len(apart) > MOST_BLOCKS:
            return
        blocks, best = apart, self.divided(apart)
        if best is None:
            return
        yield best
        if all(held.mapping is not None for held in best.held):
            return  # RAMs gain little by being merged but by stream
        while len(blocks) > 2:
            pairs = combinations(best.shares, 2)
            merged = [one for pair in pairs if (one := self.merged(blocks, *pair)) is not None]
            least = min(merged, key=self.rank, default=None)
            if least is None or self.rank(least) > self.rank(best):
                return
            yield least
            best, blocks = least, tuple(block for block, _ in least.shares)

    def merged(
        self,
        blocks: Sequence[Block],
        one: tuple[Block, Allocation],
        other: tuple[Block, Allocation],
    ) -> Candidate | None:
        """The partition with two blocks made one; None where only a RAM holds that.

        A RAM has a copy of all elements for each operand, so that two of them take no more: but
        for registers of a word it is not looked for, and not folded.
        """
        together = _merged(self.operands, blocks, one[0], other[0])
        own = next(block for block in together if block not in blocks)
        is_word = one[1].words == other[1].words == 1
        if is_word or self.found(own, [kind for kind in self.kinds if kind is not Ram]):
            return self.divided(together)
        return None

    def divided(self, blocks: Sequence[Block]) -> Candidate | None:
        """The blocks of a partition, each in the kind that costs least; None where the method that
        was asked for has no mapping of one, and nothing else holds it."""
        shares = [(block, held) for block in blocks if (held := self.cheapest(block)) is not None]
        return self.candidate(tuple(shares)) if len(shares) == len(blocks) else None

    def cheapest(self, block: Block) -> Allocation | None:
        """The cheapest allocation of a block; None where nothing holds it."""
        found = self.found(block, self.kinds)
        if self.conditions.channels == "dedicated":
            found = [one for one in found if one.mapping is None] or found
        return min(found, key=lambda one: self.rank(self.candidate(((block, one),))), default=None)

    def found(self, block: Block, kinds: Sequence[type[Allocation]]) -> list[Allocation]:
        """Allocations of a block, of these kinds, as far as another may be cheaper.

        Nothing takes fewer words, or less logic, than a chain or FIFO of as many as live at once.
        """
        request = self.request(block)
        held: list[Allocation] = []
        several = len({stream for stream, _ in block}) < len(block)
        for kind in kinds:
            if kind is Banked and not several:
                continue
            one = request.of(kind)
            if not isinstance(one, NotAllocated):
                held.append(one)
                if one.mapping is None and one.words - one.newest <= (request.max_live or 0):
                    break
        return held

    def asked_for(self, parts: Sequence[tuple[Block, str]]) -> Candidate:
        """The candidate that the design lists. Raises InputError where it cannot be."""
        name, place = self.array.name, self.array.source_location
        listed = [operand for block, _ in parts for operand in block]
        if sorted(listed) != sorted(self.operands):
            known = ", ".join(f"{stream}.{k}" for stream, k in self.operands)
            what = f"arrays.{name}.parts does not name every operand once"
            raise InputError(Problem(what, f"the operands are {known}", place))
        if len(parts) > 1 and not is_divisible(self.program, self.array):
            what = f"{name!r} cannot be in several parts: its first contents are filled in"
            if self.program.lanes:
                what = f"{name!r} cannot be in several parts: loops are unrolled"
            raise InputError(Problem(what, f"leave out arrays.{name}.parts", place))
        addressed = [kind.name for kind in SEARCHED if kind.has_mapping]
        if self.conditions.addressed and not (len(parts) == 1 and parts[0][1] in addressed):
            what = (
                f"{name!r} is planned for a class of schedules, which have the cells of one mapping"
            )
            fix = f"leave out arrays.{name}.parts, or list one of kind {' or '.join(addressed)}"
            raise InputError(Problem(what, fix, place))
        shares = []
        for block, kind in sorted(parts, key=lambda one: self.operands.index(one[0][0])):
            ordered = tuple(operand for operand in self.operands if operand in block)
            names = ", ".join(f"{stream}.{k}" for stream, k in ordered)
            held = self.request(ordered).of(kind_named(kind))
            if isinstance(held, NotAllocated):
                what = f"{name!r}: no {kind} for {names}: {held.reason}"
                raise InputError(Problem(what, "take another kind, or leave parts out", place))
            shares.append((ordered, held))
        return self.candidate(tuple(shares))

    def candidate(self, shares: tuple[tuple[Block, Allocation], ...]) -> Candidate:
        return Candidate(array=self.array.name, shares=shares)


def _is_dedicated(block: Block, held: Allocation) -> bool:
    """True if no memory with addresses serves several operands."""
    return held.mapping is None or len(block) == 1


def _merged(
    operands: Block, blocks: Sequence[Block], one: Block, other: Block
) -> tuple[Block, ...]:
    """The partition with two blocks made one, in order of first operands, each in their order."""
    together = tuple(sorted((*one, *other), key=operands.index))
    rest = [block for block in blocks if block not in (one, other)]
    return tuple(sorted([*rest, together], key=lambda block: operands.index(block[0])))
