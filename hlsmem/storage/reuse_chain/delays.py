"""Reuse chains: reads at constant distances behind the one write stream of an array.

A chain moves on with every beat of the writes. A read at distance 0 is a wire; short ways
from tap to tap are registers, long ones FIFOs of fixed depth (delay lines). It needs neither
addresses nor banks, and as many words as the largest distance: Cong, Li, Xiao, Zhang, "An
optimal microarchitecture for stencil computation acceleration based on non-uniform
partitioning of data reuse buffers" (DAC 2014).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices import family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Cost

# A way of fewer bits, or of fewer beats, is cheaper in flip-flops than in a RAM with its
# pointer.
REGISTER_BITS = 64
REGISTER_BEATS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The way from one tap of a lane to the next: `beats` later the same element is there.

    `ram` beats of it are a delay line in a RAM, the rest registers behind it. The last beat
    always is a register, so that no RAM stands in front of the user's logic.
    """

    beats: int
    ram: int

    @property
    def registers(self) -> int:
        return self.beats - self.ram


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One element a beat, newest first: taps stand after `positions` beats, 0 among them.

    `segments`[i] leads from positions[i] to positions[i + 1].
    """

    positions: tuple[int, ...]
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """Source of a read in the delay line: lane, and the index of a position there."""

    lane: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayLine:
    """A RAM of `words` words that all its segments share, side by side in `bits` bits.

    `segments` are (lane, index of a segment).
    """

    words: int
    bits: int
    segments: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain for elements of `bits` bits of which len(lanes) arrive in a beat.

    Lane l takes the element l before the newest of its beat. `distances` are those read, in
    elements behind the newest, ascending; `taps` says where each of them is. `words` is the
    number of elements behind the newest that it holds.
    """

    bits: int
    distances: tuple[int, ...]
    taps: tuple[Tap, ...]
    lanes: tuple[Lane, ...]

    @property
    def words(self) -> int:
        return sum(lane.positions[-1] for lane in self.lanes)

    @property
    def fifos(self) -> tuple[int, ...]:
        """Elements between neighbouring reads, from the newest on."""
        return tuple(b - a for a, b in pairwise(self.distances))

    def tap(self, distance: int) -> Tap:
        """The tap of the element `distance` behind the newest; KeyError where it is not kept."""
        return dict(zip(self.distances, self.taps, strict=True))[distance]

    def delay_lines(self, *, wide: bool) -> tuple[DelayLine, ...]:
        """The RAMs, deepest first; `wide`: segments of one depth share one."""
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for lane, one in enumerate(self.lanes):
            for index, segment in enumerate(one.segments):
                if segment.ram:
                    found[segment.ram].append((lane, index))
        lines = []
        for words in sorted(found, reverse=True):
            parts = [found[words]] if wide else [[segment] for segment in found[words]]
            lines += [
                DelayLine(words=words, bits=self.bits * len(part), segments=tuple(part))
                for part in parts
            ]
        return tuple(lines)

    def cost(self, device: str) -> Cost:
        """RAMs with a pointer each, and registers, on a device or family."""
        total = Cost()
        for line in self.delay_lines(wide=family_of(device).wide_lines):
            ram = implement(device, line.words, line.bits, collision=False)
            pointer = line.words.bit_length()
            total += ram.cost + Cost(luts=pointer + 2, flip_flops=pointer + 1)
        registers = sum(s.registers for lane in self.lanes for s in lane.segments)
        return total + Cost(flip_flops=registers * self.bits)


def chain_of(distances: Iterable[int], bits: int, unroll: int = 1) -> Chain:
    """The chain with taps at these distances, of which `unroll` elements arrive in a beat.

    Unrolled, an element d behind the newest is in lane d mod unroll, d div unroll beats ago:
    as many words in all.

    >>> chain_of([0, 1023, 1024, 1025, 2048], 8).fifos
    (1023, 1, 1, 1023)
    """
    ordered = tuple(sorted(set(distances)))
    if not ordered or ordered[0] < 0:
        raise ValueError(f"distances are 0 or more behind the newest element: {ordered}")
    delays: list[set[int]] = [{0} for _ in range(unroll)]
    for distance in ordered:
        delays[distance % unroll].add(distance // unroll)
    positions = [tuple(sorted(own)) for own in delays]
    lanes = tuple(
        Lane(positions=own, segments=tuple(segment(b - a, bits) for a, b in pairwise(own)))
        for own in positions
    )
    taps = tuple(
        Tap(lane=d % unroll, position=positions[d % unroll].index(d // unroll)) for d in ordered
    )
    return Chain(bits=bits, distances=ordered, taps=taps, lanes=lanes)


def segment(beats: int, bits: int) -> Segment:
    """A way of so many beats: registers if it is short, else a RAM and a register."""
    if beats * bits < REGISTER_BITS or beats < REGISTER_BEATS:
        return Segment(beats=beats, ram=0)
    return Segment(beats=beats, ram=beats - 1)
