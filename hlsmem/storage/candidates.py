"""Ways to hold an array: partitions of its operands, each block in the kind that costs least."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost
from hlsmem.errors import InputError, Problem
from hlsmem.lifetime import StorageProblem
from hlsmem.mapping.portfolio import Choice
from hlsmem.program import Program
from hlsmem.storage.cost import at_least
from hlsmem.storage.layout import Held
from hlsmem.storage.parts import Block, is_divisible, operands_of
from hlsmem.storage.shares import KINDS, Conditions, NotHeld, Share, share_of

# Blocks of operands up to which pairs of them are merged.
MOST_BLOCKS = 8

# LUTs of walkers, gates and handshakes beside a memory, for comparisons alone: about what Yosys
# finds on ECP5 (docs/decisions/0015-storage.md). Of a write that goes to several parts, and of
# reads that are joined, a few a part.
CONTROL_LUTS = {"chain": 40, "fifo": 45, "banked": 250, "ram": 250, "registers": 120}
JUNCTION_LUTS = 6
# Words that a part more has to save where no target says what its control takes.
PART_WORDS = 8


# Kinds whose cells are those of the array's mapping.
_ADDRESSED = ("banked", "ram")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One way to hold an array: blocks of operands with what holds each, in order."""

    array: str
    shares: tuple[tuple[Block, Held], ...]

    @property
    def words(self) -> int:
        return sum(held.words for _, held in self.shares)

    @property
    def order(self) -> tuple[int, ...]:
        """What decides among equals: few parts, then kinds of little logic."""
        kinds = [KINDS.index(kind) if kind in KINDS else 0 for kind in self.kinds]
        return (len(self.shares), *kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(held.kind for _, held in self.shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible:
    """A kind of storage that cannot hold some operands, and why."""

    block: Block
    kind: str
    reason: str


Figures = tuple[float, ...]
Ranking = Callable[[Candidate, Cost | None], Figures]


def ranking(objective: str, device: str | None) -> Ranking:
    """What a plan's objective makes small, of candidates and what their memories take.

    `auto` with a target is LUTs and blocks at the family's rate, then words; without, words. The
    figures of several arrays can be added up.
    """

    def rank(candidate: Candidate, cost: Cost | None) -> Figures:
        words = sum(held.words - held.lanes for _, held in candidate.shares)
        words += PART_WORDS * (len(candidate.shares) - 1)
        if device is None or cost is None or objective == "words":
            return (words,)
        luts = cost.luts + sum(CONTROL_LUTS[held.kind] for _, held in candidate.shares)
        luts += JUNCTION_LUTS * len(candidate.shares) * (len(candidate.shares) > 1)
        blocks = cost.blocks + 16 * cost.large
        if objective == "blocks":
            return (blocks, luts, words)
        registers = cost.flip_flops / 2  # two flip-flops stand beside every two LUTs
        return (luts + registers + family_of(device).rate * blocks, words)

    return rank


class Finder:
    """The candidates of one array; what was found for a block of operands is kept."""

    def __init__(
        self,
        program: Program,
        problem: StorageProblem,
        choice: Choice,
        conditions: Conditions,
        rank: Ranking,
    ) -> None:
        self.program, self.array, self.figures = program, problem.array, rank
        self.conditions = conditions
        self.operands = operands_of(program, self.array)
        self.shares: dict[Block, Share] = {
            self.operands: Share(
                program=program,
                array=self.array,
                block=self.operands,
                conditions=conditions,
                whole=(problem, choice),
            )
        }
        bounds = [bound.cells for bound in problem.bounds if bound.kind == "max-live"]
        self.least_words = max(bounds, default=1)

    def rank(self, candidate: Candidate) -> Figures:
        """Where a candidate that is not built stands at best."""
        device, cost = self.conditions.device, None
        if device is not None:
            lanes = prod(self.program.lanes)
            least = (at_least(held, self.array, device, lanes) for _, held in candidate.shares)
            cost = sum(least, Cost())
        return (*self.figures(candidate, cost), *candidate.order)

    def share(self, block: Block) -> Share:
        if block not in self.shares:
            self.shares[block] = share_of(self.program, self.array, block, self.conditions)
        return self.shares[block]

    def candidates(self) -> tuple[list[Candidate], list[Impossible]]:
        """All that were found, those that cost least first, and the kinds that cannot be.

        Raises InputError where the design asks for what cannot be.
        """
        array = self.array
        if array.parts and not isinstance(array.parts, str):
            return [self.asked_for(array.parts)], []
        if self.conditions.addressed:
            return self.whole(_ADDRESSED)
        found, impossible = self.whole()
        best = min(found, key=self.rank, default=None)
        several = len(self.operands) > 1 and is_divisible(self.program, array)
        if array.parts in ("streams", "operands") and several:
            found = [self.divided(self.by_stream() if array.parts == "streams" else self.apart())]
        elif array.parts == "auto" and array.reads == "auto" and several and not self.least(best):
            found += list(self.partitions())
        return sorted(dict.fromkeys(found), key=self.rank), impossible

    def least(self, best: Candidate | None) -> bool:
        """Whether no partition can take fewer words, and none less logic: one chain or FIFO."""
        if best is None or best.kinds[0] not in ("chain", "fifo"):
            return False
        return best.words <= self.least_words + max(1, prod(self.program.lanes))

    def whole(self, allowed: Sequence[str] = KINDS) -> tuple[list[Candidate], list[Impossible]]:
        """All operands in one part, by every kind that is allowed and not ruled out."""
        asked = {"auto": KINDS, "copies": ("ram",), "banks": ("banked",)}
        kinds = asked.get(self.array.reads, (self.array.reads,))
        kinds = tuple(kind for kind in kinds if kind in allowed) or kinds
        share = self.share(self.operands)
        if self.array.max_banks == 1:
            kinds = tuple(kind for kind in kinds if kind != "banked") or kinds
        found, impossible = [], []
        for kind in kinds:
            held = share.of(kind)
            if isinstance(held, NotHeld):
                impossible.append(Impossible(block=self.operands, kind=kind, reason=held.reason))
            else:
                found.append(self.candidate(((self.operands, held),)))
        if not found:
            raise InputError(self.refusal(impossible))
        return found, impossible

    def refusal(self, impossible: Sequence[Impossible]) -> Problem:
        array = self.array
        names = {"banked": "banks", "ram": "copies"}
        one = impossible[0]
        kind = names.get(one.kind, f"a {'FIFO' if one.kind == 'fifo' else one.kind}")
        return Problem(
            f"{array.name!r} cannot be in {kind}: {one.reason}",
            f"leave out arrays.{array.name}.reads, or set it to copies",
            array.place,
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
        if 1 < len(streams) < len(apart):
            yield self.divided(streams)
        if len(apart) > MOST_BLOCKS:
            return
        blocks, best = apart, self.divided(apart)
        yield best
        if not {"chain", "fifo"} & {*best.kinds}:
            return  # RAMs gain little by being merged but by stream
        while len(blocks) > 2:
            merged = [self.divided(_merged(blocks, *pair)) for pair in combinations(blocks, 2)]
            least = min(merged, key=self.rank)
            if self.rank(least) > self.rank(best):
                return
            yield least
            best, blocks = least, tuple(block for block, _ in least.shares)

    def divided(self, blocks: Sequence[Block]) -> Candidate:
        """The blocks of a partition, each in the kind that costs least."""
        return self.candidate(tuple((block, self.cheapest(block)) for block in blocks))

    def cheapest(self, block: Block) -> Held:
        """What holds a block for the least; a RAM always does.

        Nothing takes fewer words, or less logic, than a chain or FIFO of as many as live at once.
        """
        share = self.share(block)
        held: list[Held] = []
        several = len({stream for stream, _ in block}) < len(block)
        for kind in KINDS if several else ("chain", "fifo", "ram"):
            one = share.of(kind)
            if isinstance(one, Held):
                held.append(one)
                unaddressed = kind in ("chain", "fifo")
                if unaddressed and one.words - one.lanes <= (share.max_live or 0):
                    break
        return min(held, key=lambda one: self.rank(self.candidate(((block, one),))))

    def asked_for(self, parts: Sequence[tuple[Block, str]]) -> Candidate:
        """The candidate that the design lists. Raises InputError where it cannot be."""
        name, place = self.array.name, self.array.place
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
        if self.conditions.addressed and not (len(parts) == 1 and parts[0][1] in _ADDRESSED):
            what = (
                f"{name!r} is planned for a class of schedules, which have the cells of one mapping"
            )
            fix = f"leave out arrays.{name}.parts, or list one of kind {' or '.join(_ADDRESSED)}"
            raise InputError(Problem(what, fix, place))
        shares = []
        for block, kind in sorted(parts, key=lambda one: self.operands.index(one[0][0])):
            ordered = tuple(operand for operand in self.operands if operand in block)
            names = ", ".join(f"{stream}.{k}" for stream, k in ordered)
            held = self.share(ordered).of(kind)
            if isinstance(held, NotHeld):
                what = f"{name!r}: no {kind} for {names}: {held.reason}"
                raise InputError(Problem(what, "take another kind, or leave parts out", place))
            shares.append((ordered, held))
        return self.candidate(tuple(shares))

    def candidate(self, shares: tuple[tuple[Block, Held], ...]) -> Candidate:
        return Candidate(array=self.array.name, shares=shares)


def _merged(blocks: Sequence[Block], one: Block, other: Block) -> tuple[Block, ...]:
    """The partition with two blocks made one, in order of first operands."""
    order = [operand for block in blocks for operand in block]
    together = tuple(sorted((*one, *other), key=order.index))
    rest = [block for block in blocks if block not in (one, other)]
    return tuple(sorted([*rest, together], key=lambda block: order.index(block[0])))
