"""The least number of banks for known patterns, and its optimality."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlsmem.banks.bank_lattice import LatticeBanks
from hlsmem.banks.bank_layout import FoldedOffsets
from hlsmem.banks.bank_search import BankOption, BankRequest, BankSearch, find_banks
from hlsmem.banks.colouring import together
from hlsmem.banks.cyclic import BlockCyclicBanks, block_cyclic
from hlsmem.banks.pattern import Pattern
from hlsmem.core.errors import InputError
from hlsmem.mapping.search.least import least_lattice
from hlsmem.polyhedra.lattices import combine
from tests.banks.patterns import PATTERNS, Offsets

# One port a bank: size, linear banks (a), block-cyclic banks (N, B, a) that beat them, cyclic
# banks per dimension; then linear banks of two ports.
TABLE = {
    "5-point": (5, 5, (1, 2), None, 9, 3),
    "ring": (4, 5, (1, 2), (4, 2, (1, 3)), 9, 2),
    "2x2": (4, 4, (1, 2), None, 4, 2),
    "bicubic stride 2": (4, 5, (1, 2), (4, 2, (1, 2)), 9, 3),
    "6x1": (6, 6, (1, 0), None, 6, 3),
    "1x6": (6, 6, (0, 1), None, 6, 3),
    "3x3": (9, 9, (1, 3), None, 9, 5),
    "Prewitt": (8, 9, (1, 3), None, 9, 4),
    "Sobel-x": (6, 7, (1, 2), (6, 2, (2, 3)), 9, 3),
    "LoG": (13, 13, (1, 5), None, 25, 7),
    "radius-2 star": (9, 10, (1, 3), None, 25, 5),
    "5x5": (25, 25, (1, 5), None, 25, 13),
    "7-point": (7, 7, (1, 2, 3), None, 27, 4),
    "7-point ring": (6, 7, (1, 2, 3), (6, 2, (1, 3, 5)), 27, 3),
    "3^3 without corners": (19, 20, (2, 5, 6), None, 27, 10),
    "3^3 without centre": (26, 27, (1, 3, 9), None, 27, 13),
}

Box = tuple[int, int]


def search(offsets: Offsets, *, ports: int = 1, size: int = 64) -> BankSearch:
    dimensions = len(offsets[0])
    side = size if dimensions == 2 else 32
    return find_banks(
        BankRequest(
            array="a",
            patterns=(Pattern.everywhere(offsets),),
            lower=(0,) * dimensions,
            upper=(side - 1,) * dimensions,
            ports=ports,
        )
    )


def option(found: BankSearch, scheme: str) -> BankOption | None:
    return next((o for o in found.options if o.scheme == scheme), None)


@pytest.mark.parametrize("name", TABLE)
def test_least_banks_of_one_port(name: str) -> None:
    size, linear, vector, blocks, per_dimension, _ = TABLE[name]
    assert len(PATTERNS[name]) == size
    found = search(PATTERNS[name])
    banks = option(found, "linear")
    assert banks is not None
    assert isinstance(banks.storage.banks, LatticeBanks)
    assert (banks.storage.banks.banks, banks.storage.banks.vector()) == (linear, vector)
    cyclic = option(found, "cyclic")
    assert cyclic is not None
    assert cyclic.storage.banks.banks == per_dimension
    block = option(found, "block-cyclic")
    shape = None
    if block is not None and isinstance(block.storage.banks, BlockCyclicBanks):
        shape = (block.storage.banks.banks, block.storage.banks.block, block.storage.banks.vector)
    assert shape == blocks


@pytest.mark.parametrize("name", TABLE)
def test_least_banks_of_two_ports(name: str) -> None:
    found = option(search(PATTERNS[name], ports=2), "linear")
    assert found is not None
    assert found.storage.banks.banks == TABLE[name][5]


# No mapping of any kind does better, but for one pattern: nobody knows whether 19 banks do.
OPEN = "3^3 without corners"


@pytest.mark.parametrize("name", TABLE)
def test_the_best_is_optimal_where_that_is_known(name: str) -> None:
    best = search(PATTERNS[name]).best
    assert best.standing == ("least of all lattices" if name == OPEN else "optimal")


def test_rows_columns_and_diagonals_at_once() -> None:
    expected = [4, 5, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13, 17, 17, 17]
    for length, banks in zip(range(2, 17), expected, strict=True):
        lines: list[Offsets] = [
            [(0, i) for i in range(length)],
            [(i, 0) for i in range(length)],
            [(i, i) for i in range(length)],
            [(i, -i) for i in range(length)],
        ]
        patterns = tuple(Pattern.everywhere(line) for line in lines)
        found = find_banks(BankRequest(array="a", patterns=patterns, lower=(0, 0), upper=(63, 63)))
        assert found.best.storage.banks.banks == banks
        assert isinstance(found.best.storage.banks, LatticeBanks)
        assert found.best.storage.banks.vector() == (1, 2)


READS = [(4 * k + j,) for k in range(4) for j in (1, 2, 3)]


def test_strided_reads_need_fewer_banks_at_the_bases_they_have() -> None:
    everywhere, strided = Pattern.everywhere(READS), Pattern.at(READS, (0,), [(16,)])
    anywhere = option(find_banks(line(everywhere)), "linear")
    assert anywhere is not None
    assert anywhere.storage.banks.banks == 15
    found = find_banks(line(strided)).best
    assert isinstance(found.storage.banks, BlockCyclicBanks)
    assert (found.storage.banks.banks, found.storage.banks.block) == (12, 4)
    assert found.standing == "optimal"
    assert BlockCyclicBanks(vector=(3,), banks=12, block=4) in all_of(strided, 12, 4)
    assert not all_of(everywhere, 12, 4)


def line(pattern: Pattern) -> BankRequest:
    return BankRequest(array="a", patterns=(pattern,), lower=(0,), upper=(1023,))


def all_of(pattern: Pattern, banks: int, block: int) -> tuple[BlockCyclicBanks, ...]:
    return block_cyclic([pattern], banks, block, 1, 10**6).found


@pytest.mark.parametrize(
    ("name", "waste"),
    [
        ("3x3", {(480, 640): 960, (720, 1280): 0, (1080, 1920): 0}),
        ("5x5", {(480, 640): 0, (720, 1280): 0, (1080, 1920): 0}),
        ("LoG", {(480, 640): 640, (720, 1280): 5040, (1080, 1920): 4320}),
    ],
)
def test_words_that_padding_adds(name: str, waste: dict[tuple[int, int], int]) -> None:
    pattern = Pattern.everywhere(PATTERNS[name])
    for (rows, columns), words in waste.items():
        request = BankRequest(
            array="a", patterns=(pattern,), lower=(0, 0), upper=(rows - 1, columns - 1)
        )
        linear = option(find_banks(request), "linear")
        assert linear is not None
        assert linear.storage.words == prod((rows, columns)) + words


def test_a_tile_that_no_lattice_has_gets_a_table() -> None:
    """{0, 1, 4, 5} tiles the line with period 8, but not as a lattice."""
    found = search([(0,), (1,), (4,), (5,)], size=100).best
    assert (found.scheme, found.storage.banks.banks, found.standing) == ("table", 4, "optimal")


def test_too_few_banks_name_what_collides_and_what_would_do() -> None:
    pattern = Pattern.everywhere(PATTERNS["5-point"], ["up", "left", "here", "right", "down"])
    request = BankRequest(
        array="image", patterns=(pattern,), lower=(0, 0), upper=(63, 63), max_banks=4
    )
    with pytest.raises(InputError) as caught:
        find_banks(request)
    assert str(caught.value) == (
        "'image' has 5 accesses a cycle, which 4 banks cannot serve: up and right would"
        " share one; 5 banks would do (no fewer can do); raise max_banks of 'image', or"
        " set its reads to copies"
    )


def test_a_limit_that_some_scheme_meets_leaves_that_scheme() -> None:
    request = BankRequest(
        array="a",
        patterns=(Pattern.everywhere(PATTERNS["ring"]),),
        lower=(0, 0),
        upper=(63, 63),
        max_banks=4,
    )
    assert [o.scheme for o in find_banks(request).options] == ["block-cyclic"]


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
