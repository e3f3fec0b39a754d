"""A storage lattice inside a bank lattice: conflicts apart, a cell in one bank, few words."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import FoldedOffsets
from hlsmem.banks.bank_search import BankRequest, find_banks
from hlsmem.banks.colouring import together
from hlsmem.banks.pattern import Pattern
from hlsmem.mapping.search.least import least_lattice
from hlsmem.polyhedra.lattices import combine

Box = tuple[int, int]


def lexicographic_window(window: int, columns: int) -> np.ndarray:
    """Differences of elements of an image that are at most `window` apart in raster order."""
    reach = window // columns + 1
    found = [
        (dy, dx)
        for dy, dx in product(range(reach + 1), range(-columns + 1, columns))
        if 0 < dy * columns + dx <= window
    ]
    return np.array(found, dtype=np.int64)


def request(offsets: list[Box], differences: np.ndarray, cells: int, size: int) -> BankRequest:
    return BankRequest(
        array="a",
        patterns=(Pattern.everywhere(offsets),),
        lower=(0, 0),
        upper=(size - 1, size - 1),
        differences=differences,
        least_cells=cells,
    )


def test_three_rows_of_a_window_in_three_banks_of_the_fewest_words() -> None:
    size = 16
    differences = lexicographic_window(2 * size, size)
    cells = least_lattice(differences, budget=10**6)
    assert cells.lattice is not None
    alone = cells.least
    found = find_banks(request([(0, 0), (-1, 0), (-2, 0)], differences, alone, size)).best
    assert found.storage.banks.banks == 3
    assert alone <= found.storage.words <= 3 * -(-alone // 3)


@st.composite
def folded(draw: st.DrawFn) -> BankRequest:
    size = draw(st.integers(3, 8))
    window = draw(st.integers(1, 2 * size))
    offset = st.tuples(st.integers(-2, 2), st.integers(-2, 2))
    offsets = draw(st.lists(offset, min_size=1, max_size=4, unique=True))
    differences = lexicographic_window(window, size)
    return request(offsets, differences, window + 1, size)


@given(folded())
@settings(max_examples=80, deadline=None)
def test_folded_banks_keep_conflicts_and_cycles_apart(request: BankRequest) -> None:
    storage = find_banks(request).best.storage
    assert isinstance(storage.banks, LatticeBanks)
    size = request.upper[0] + 1
    points = np.array(list(product(range(size), repeat=2)), dtype=np.int64)
    places = storage.bank(points) * storage.words_per_bank + storage.offset(points)
    assert storage.offset(points).max() < storage.words_per_bank
    place = dict(zip(map(tuple, points.tolist()), places.tolist(), strict=True))
    assert request.differences is not None
    for point, step in product(place, request.differences.tolist()):
        other = (point[0] + step[0], point[1] + step[1])
        assert other not in place or place[point] != place[other]
    for cycle in together(request.patterns, request.lower, request.upper):
        banks = storage.bank(cycle)
        assert len(set(banks.tolist())) == len(banks)


@given(folded())
@settings(max_examples=30, deadline=None)
def test_the_storage_lattice_is_part_of_the_bank_lattice(request: BankRequest) -> None:
    storage = find_banks(request).best.storage
    assert isinstance(storage.banks, LatticeBanks)
    assume(isinstance(storage.offsets, FoldedOffsets))  # boxes of as few words win
    for row in storage.offsets.storage:
        cell = np.array([combine(row, storage.banks.basis)], dtype=np.int64)
        zero = np.zeros((1, 2), dtype=np.int64)
        assert storage.bank(cell) == storage.bank(zero)
        assert storage.offset(cell) == storage.offset(zero)
