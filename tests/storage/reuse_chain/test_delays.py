"""Reuse chains: their FIFOs, lanes and costs, and that taps see what they should."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.polyhedra.lattices import Vector
from hlsmem.storage.reuse_chain.delays import Chain, chain_of
from tests.banks.patterns import PATTERNS

IMAGE, BLOCK = (768, 1024), (96, 96, 96)

# FIFOs between n references, words in all, and the FIFOs deeper than 1.
TABLE = {
    "5-point": (IMAGE, 4, 2048, [1023, 1023]),
    "ring": (IMAGE, 3, 2048, [1023, 2, 1023]),
    "3x3": (IMAGE, 8, 2050, [1022, 1022]),
    "LoG": (IMAGE, 12, 4096, [1023, 1021, 1021, 1023]),
    "5x5": (IMAGE, 24, 4100, [1020] * 4),
    "7-point": (BLOCK, 6, 18432, [9120, 95, 95, 9120]),
}


def row_major_distances(offsets: Sequence[Vector], extents: Sequence[int]) -> tuple[int, ...]:
    """How far elements base + offset lie behind the last of them where rows arrive in order."""
    numbers = []
    for offset in offsets:
        number = 0
        for entry, extent in zip(offset, extents, strict=True):
            number = number * extent + entry
        numbers.append(number)
    newest = max(numbers)
    return tuple(newest - number for number in numbers)


@pytest.mark.parametrize("name", TABLE)
def test_fifos_and_words_of_known_patterns(name: str) -> None:
    extents, fifos, words, deep = TABLE[name]
    chain = chain_of(row_major_distances(PATTERNS[name], extents), 8)
    assert len(chain.fifos) == fifos
    assert (chain.words, sum(chain.fifos)) == (words, words)
    assert [depth for depth in chain.fifos if depth > 1] == deep


def unrolled(distances: tuple[int, ...], unroll: int) -> set[int]:
    """The distances of iterations side by side, behind the newest element of the last."""
    return {distance + k for distance in distances for k in range(unroll)}


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("unroll", [2, 4])
def test_unrolled_chains_hold_as_many_words(name: str, unroll: int) -> None:
    extents, _, words, _ = TABLE[name]
    distances = row_major_distances(PATTERNS[name], extents)
    chain = chain_of(unrolled(distances, unroll), 8, unroll)
    assert len(chain.lanes) == unroll
    assert chain.words == words


def taps_of(chain: Chain, elements: range) -> list[list[int | None]]:
    """What every tap shows after every beat, with a shift register a lane."""
    unroll = len(chain.lanes)
    registers = [deque([None] * (1 + lane.positions[-1])) for lane in chain.lanes]
    shown: list[list[int | None]] = []
    for beat in range(0, len(elements), unroll):
        group = elements[beat : beat + unroll]
        for lane, register in enumerate(registers):
            register.appendleft(group[unroll - 1 - lane])
            register.pop()
        lanes = zip(registers, chain.lanes, strict=True)
        positions = [[register[p] for p in lane.positions] for register, lane in lanes]
        shown.append([positions[tap.lane][tap.position] for tap in chain.taps])
    return shown


@given(st.sets(st.integers(0, 40), min_size=1), st.integers(1, 4), st.integers(1, 40))
def test_taps_show_the_elements_at_their_distances(
    distances: set[int], unroll: int, bits: int
) -> None:
    chain = chain_of(distances, bits, unroll)
    for beat, shown in enumerate(taps_of(chain, range(unroll * 30))):
        newest = unroll * (beat + 1) - 1
        for distance, element in zip(chain.distances, shown, strict=True):
            expected = newest - distance
            assert element == (expected if expected >= 0 else None)


@given(st.sets(st.integers(0, 5000), min_size=1), st.integers(1, 4), st.integers(1, 64))
def test_segments_are_the_ways_between_positions(
    distances: set[int], unroll: int, bits: int
) -> None:
    chain = chain_of(distances, bits, unroll)
    for lane in chain.lanes:
        assert lane.positions[0] == 0
        assert len(lane.segments) == len(lane.positions) - 1
        for (a, b), segment in zip(
            zip(lane.positions, lane.positions[1:], strict=False), lane.segments, strict=True
        ):
            assert segment.ram + segment.registers == segment.beats == b - a
            assert segment.registers >= 1
    lines = chain.delay_lines(wide=True)
    assert len({line.words for line in lines}) == len(lines)
    alone = chain.delay_lines(wide=False)
    assert sum(line.words * line.bits for line in lines) == sum(
        line.words * line.bits for line in alone
    )


def test_lines_of_a_window_share_a_ram_where_the_target_likes_that() -> None:
    window = chain_of(row_major_distances(PATTERNS["3x3"], (480, 640)), 8)
    assert window.cost("ecp5").blocks == 1
    assert window.cost("ice40").blocks == 4
    assert [line.bits for line in window.delay_lines(wide=True)] == [16]
    larger = chain_of(row_major_distances(PATTERNS["5x5"], (480, 640)), 8)
    assert larger.cost("ecp5").blocks == 2


def test_distances_are_not_before_the_newest() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        chain_of([-1, 3], 8)
